"""Every table, column and index, declared once. What only SQLite has is in `triggers` and `text_index`.

The columns of `memories` up to `quarantined` are those of the seed's system under their own names and meanings;
windows, links, stamps, `origin_trust` and `quarantined` hold the walk's result, `asserted_*` what was told.
"""

from __future__ import annotations

from sqlalchemy import (
    REAL,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

VERSION = 5
"""Kept in `PRAGMA user_version`. A file with a higher one is refused."""

APPLICATION_ID = 0x6D656D73
"""``mems``: kept in `PRAGMA application_id`, so that a file of another program is told apart."""

metadata = MetaData()

SHOWN_ROLES = "role IN ('fact','held','withdrawn')"
"""Rows that lists show. Spelled the same in queries, or SQLite does not use the partial indexes."""


def _text(name: str, default: str | None = None, *, nullable: bool = True) -> Column[str]:
    given = None if default is None else text(f"'{default}'")
    return Column(name, Text, nullable=nullable, server_default=given)


memories = Table(
    "memories",
    metadata,
    Column("n", Integer, primary_key=True),
    _text("id", nullable=False),
    _text("agent_id", nullable=False),
    _text("content", nullable=False),
    _text("timestamp", nullable=False),
    _text("tags", "[]", nullable=False),
    _text("created_at", nullable=False),
    _text("layer", "episodic", nullable=False),
    Column("importance", REAL, nullable=False, server_default=text("5.0")),
    Column("access_count", Integer, nullable=False, server_default=text("0")),
    _text("last_accessed"),
    _text("source_event", ""),
    _text("valid_from"),
    _text("valid_until"),
    _text("superseded_by"),
    _text("supersedes"),
    _text("subject"),
    _text("predicate"),
    _text("object"),
    Column("confidence", REAL, nullable=False, server_default=text("1.0")),
    _text("metadata", "{}", nullable=False),
    _text("origin"),
    Column("origin_trust", REAL, nullable=False, server_default=text("1.0")),
    _text("derived_from"),
    _text("ingested_at"),
    _text("invalidated_by_event"),
    _text("invalidated_at"),
    Column("embedding", LargeBinary),
    _text("embedding_model"),
    Column("quarantined", Integer, nullable=False, server_default=text("0")),
    Column("seq", Integer, nullable=False),
    _text("role", nullable=False),
    Column("stands", Integer, nullable=False),
    Column("founds", Integer),
    Column("fact_key", LargeBinary, nullable=False),
    Column("line_key", LargeBinary, nullable=False),
    Column("object_key", LargeBinary, nullable=False),
    Column("value_digest", LargeBinary, nullable=False),
    _text("asserted_from", nullable=False),
    _text("asserted_until"),
    Column("asserted_trust", REAL, nullable=False, server_default=text("1.0")),
    Column("salt", LargeBinary, nullable=False),
    Column("row_digest", LargeBinary, nullable=False),
)
"""A claim or an end a row. `founds`, on the claim that starts a segment: `n` of the row that is shown for it."""

Index("memories_id", memories.c.id, unique=True)
Index(
    "memories_line",
    memories.c.line_key,
    memories.c.asserted_from,
    memories.c.n,
    sqlite_where=text("stands = 1"),
)
Index(
    "memories_founders",
    memories.c.line_key,
    memories.c.asserted_from,
    memories.c.n,
    sqlite_where=text("founds IS NOT NULL"),
)
Index(
    "memories_ends",
    memories.c.line_key,
    memories.c.asserted_from,
    memories.c.n,
    sqlite_where=text("stands = 1 AND role = 'end'"),
)
Index("memories_fact", memories.c.fact_key, memories.c.asserted_from, memories.c.n)
Index("memories_learned", memories.c.agent_id, memories.c.n, sqlite_where=text(SHOWN_ROLES))
Index("memories_page", memories.c.agent_id, memories.c.valid_from, memories.c.n, sqlite_where=text(SHOWN_ROLES))
Index(
    "memories_boundary",
    memories.c.agent_id,
    memories.c.valid_until,
    sqlite_where=text("valid_until IS NOT NULL AND role = 'fact'"),
)
Index("memories_origin", memories.c.origin, memories.c.agent_id, memories.c.role, memories.c.origin_trust)
Index("memories_held", memories.c.agent_id, memories.c.n, sqlite_where=text("quarantined = 1"))

marks = Table(
    "marks",
    metadata,
    Column("n", Integer, primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("k", Integer, primary_key=True),
    _text("kind", nullable=False),
    Column("value", REAL),
    _text("reason", "", nullable=False),
    _text("at", nullable=False),
    Column("stands", Integer, nullable=False, server_default=text("1")),
    sqlite_with_rowid=False,
)
"""Judgements on claims. `k` is the place of a statement in its decision; `stands` follows its decision."""

Index("marks_seq", marks.c.seq)

orders = Table(
    "orders",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("k", Integer, primary_key=True),
    _text("about", nullable=False),
    _text("verdict", nullable=False),
    _text("agent_id", nullable=False),
    Column("key", LargeBinary, nullable=False),
    _text("subject"),
    _text("predicate"),
    _text("value"),
    Column("number", REAL),
    _text("at", nullable=False),
    Column("stands", Integer, nullable=False, server_default=text("1")),
    Column("rules", Integer, nullable=False, server_default=text("1")),
    sqlite_with_rowid=False,
)
"""Standing orders: aliases, predicate rules, rejected values, blocked origins. `rules`: the latest that stands."""

Index("orders_key", orders.c.key, orders.c.seq, orders.c.k)
Index("orders_ruling", orders.c.about, orders.c.agent_id, sqlite_where=text("rules = 1"))

undoes = Table(
    "undoes",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("target", Integer, primary_key=True),
    sqlite_with_rowid=False,
)
"""Which decisions an undo takes back."""

Index("undoes_target", undoes.c.target, undoes.c.seq)

lifted = Table(
    "lifted",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("from_seq", Integer, primary_key=True),
    Column("to_seq", Integer),
    sqlite_with_rowid=False,
)
"""The spans of belief time in which a decision did not stand. No row: it has stood since it was taken."""

derived = Table(
    "derived",
    metadata,
    Column("parent_n", Integer, primary_key=True),
    Column("child_n", Integer, primary_key=True),
    sqlite_with_rowid=False,
)
"""Which memory was made from which, across agents too: for the operator alone.

An unknown cited id stays in `memories.derived_from` only."""

Index("derived_child", derived.c.child_n)

journal = Table(
    "journal",
    metadata,
    Column("seq", Integer, primary_key=True),
    _text("at", nullable=False),
    _text("actor", nullable=False),
    _text("agent_id", nullable=False),
    _text("kind", nullable=False),
    _text("reason", "", nullable=False),
    _text("counts", "{}", nullable=False),
    Column("first_n", Integer),
    Column("last_n", Integer),
    Column("part_of", Integer),
    Column("digest", LargeBinary, nullable=False),
    Column("previous", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("salt", LargeBinary, nullable=False, server_default=text("x''")),
)
"""One entry a decision. Its claims and ends are the rows `first_n` to `last_n`."""

Index("journal_at", journal.c.at, journal.c.seq)
Index("journal_part", journal.c.part_of, sqlite_where=text("part_of IS NOT NULL"))

erased = Table(
    "erased",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("target", Integer, primary_key=True),
    Column("digest", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
"""What an erasure left of each decision that it reached: for `target` the newest digest is the one that counts."""

Index("erased_target", erased.c.target, erased.c.seq)

events = Table(
    "events",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("k", Integer, primary_key=True),
    _text("kind", nullable=False),
    _text("agent_id", nullable=False),
    _text("origin"),
    Column("n", Integer),
    _text("detail", "{}", nullable=False),
    sqlite_with_rowid=False,
)
"""What the gate saw: a memory dropped, or one held (`n`). The decision's digest covers it."""

Index("events_held", events.c.n, sqlite_where=text("n IS NOT NULL"))
Index("events_dropped", events.c.seq, sqlite_where=text("n IS NULL"))

approvals = Table(
    "approvals",
    metadata,
    Column("n", Integer, primary_key=True),
    _text("status", nullable=False),
    _text("deadline"),
    Column("remaining", REAL),
    Column("hits", Integer, nullable=False, server_default=text("0")),
    _text("hit_at"),
    Column("twin_key", LargeBinary, nullable=False),
)
"""A request for approval a held memory. Status and key follow from what was told; deadlines and hits are kept here.

`remaining`: seconds that were left when it was decided. Reason, whole time and who decided are in marks and journal.
"""

Index("approvals_due", approvals.c.deadline, sqlite_where=text("status = 'pending'"))
Index("approvals_twin", approvals.c.twin_key, sqlite_where=text("status = 'pending'"))
Index("approvals_lapsed", approvals.c.n, sqlite_where=text("status = 'lapsed'"))

guard_window = Table(
    "guard_window",
    metadata,
    Column("key", LargeBinary, primary_key=True),
    Column("value", LargeBinary, primary_key=True),
    _text("at", nullable=False),
    Column("n", Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""New values of a source about a subject, for as long as they count towards a burst. `key`: agent, origin, subject."""

Index("guard_window_at", guard_window.c.at)

reads = Table(
    "reads",
    metadata,
    Column("n", Integer, primary_key=True),
    Column("day", Text, primary_key=True),
    Column("times", Integer, nullable=False),
    _text("last_at", nullable=False),
    sqlite_with_rowid=False,
)
"""How often the agent whose memory it is read it, a day each. It decides nothing and is in no digest."""

memory_embedding = Table(
    "memory_embedding",
    metadata,
    Column("id", Integer, primary_key=True),
    _text("model", nullable=False),
    _text("agent_id", nullable=False),
    Column("n", Integer, nullable=False),
    Column("dim", Integer, nullable=False),
    Column("vector", LargeBinary, nullable=False),
    sqlite_autoincrement=True,
)
"""What a model made of a memory's text: `dim` little-endian 4-byte floats, of length 1.

A higher `id` came later, and none is given twice: caches go by it.
"""

Index(
    "memory_embedding_key",
    memory_embedding.c.model,
    memory_embedding.c.agent_id,
    memory_embedding.c.n,
    unique=True,
)
Index("memory_embedding_n", memory_embedding.c.n)

entity_embedding = Table(
    "entity_embedding",
    metadata,
    Column("id", Integer, primary_key=True),
    _text("model", nullable=False),
    _text("agent_id", nullable=False),
    _text("entity", nullable=False),
    Column("dim", Integer, nullable=False),
    Column("vector", LargeBinary, nullable=False),
    sqlite_autoincrement=True,
)
"""The same of a name in the agent's graph, folded, as it is after joining."""

Index(
    "entity_embedding_key",
    entity_embedding.c.model,
    entity_embedding.c.agent_id,
    entity_embedding.c.entity,
    unique=True,
)

agents = Table(
    "agents",
    metadata,
    Column("agent_id", Text, primary_key=True),
    Column("generation", Integer, nullable=False, server_default=text("0")),
)
"""Who writes here. `generation` goes up with every decision that touches the agent."""

meta = Table("meta", metadata, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))
"""`uuid`: the store's own; state outside the file goes by it. `scrub_due`: blanked text may still be in free bytes."""

TOLD_COLUMNS = (
    "n", "id", "agent_id", "content", "timestamp", "tags", "created_at", "layer", "importance", "source_event",
    "subject", "predicate", "object", "confidence", "metadata", "origin", "derived_from", "ingested_at",
    "seq", "asserted_from", "asserted_until", "asserted_trust",
)  # fmt: skip
"""Columns of `memories` that carry what was told: the row digest covers them, and triggers refuse their change."""

KEY_COLUMNS = ("fact_key", "object_key", "value_digest", "salt", "row_digest")
"""Columns computed from the told ones when the row is written; triggers refuse their change too."""

PLACED_COLUMNS = (
    "role", "stands", "founds", "line_key", "valid_from", "valid_until", "superseded_by", "supersedes",
    "origin_trust", "invalidated_by_event", "invalidated_at", "quarantined",
)  # fmt: skip
"""Columns of `memories` that the walk fills."""
