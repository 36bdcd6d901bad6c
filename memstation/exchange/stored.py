"""What stands in a store, as statements. It must not write; it reads by text SQL on the snapshot it is given."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from memstation.domain.decisions import Claim, End, Mark, Order
from memstation.store.lines import batches, holes

_ROW = """m.id, m.agent_id, m.content, m.timestamp, m.tags, m.created_at, m.layer, m.importance, m.access_count,
    m.last_accessed, m.source_event, m.subject, m.predicate, m.object, m.confidence, m.metadata, m.origin,
    m.derived_from, m.ingested_at, m.embedding, m.embedding_model, m.asserted_from, m.asserted_until,
    m.asserted_trust, m.role"""
_LIFTED = "(SELECT seq FROM lifted WHERE to_seq IS NULL)"
_STAY = f"m.role <> 'erased' AND m.seq NOT IN {_LIFTED}"
_MARK = "m.id, k.kind, k.reason, k.value, k.at"
_MARKS = f"""marks AS k CROSS JOIN memories AS m ON m.n = k.n
    WHERE k.seq NOT IN {_LIFTED} AND {_STAY}"""
_ORDER = "about, verdict, agent_id, subject, predicate, value, number, at"


def _told(row: tuple[Any, ...]) -> Claim | End:
    (
        id_, agent, content, timestamp, tags, created, layer, importance, used, last_used, event, subject, predicate,
        object_, confidence, metadata, origin, derived, learned, embedding, model, start, until, trust, role,
    ) = row  # fmt: skip
    if role == "end":
        of = str(json.loads(metadata)["of"])
        return End(id_, agent, start, subject, predicate, object_, content, of, origin, event or "", learned)
    return Claim(
        id=id_, agent_id=agent, content=content, asserted_from=start, asserted_until=until, asserted_trust=trust,
        subject=subject, predicate=predicate, object=object_, origin=origin, tags=tuple(json.loads(tags)),
        layer=layer, importance=importance, confidence=confidence, source_event=event or "", metadata=metadata,
        derived_from=tuple(json.loads(derived)) if derived else (), ingested_at=learned, timestamp=timestamp,
        created_at=created, access_count=used, last_accessed=last_used, embedding=embedding, embedding_model=model,
    )  # fmt: skip


def _rows(cursor: sqlite3.Cursor, sql: str) -> Iterator[tuple[Any, ...]]:
    # A cursor of its own on the same connection, so on the same snapshot.
    own = cursor.connection.cursor()
    try:
        yield from own.execute(sql)
    finally:
        own.close()


def counted(cursor: sqlite3.Cursor) -> int:
    """How many statements stand."""
    total = 0
    for sql in (
        f"SELECT count(*) FROM memories AS m WHERE {_STAY}",
        f"SELECT count(*) FROM {_MARKS}",
        f"SELECT count(*) FROM orders WHERE about <> 'erased' AND seq NOT IN {_LIFTED}",
    ):
        total += int(cursor.execute(sql).fetchone()[0])
    return total


def standing(cursor: sqlite3.Cursor) -> Iterator[Claim | End | Mark | Order]:
    """Claims and ends in the order told, then marks claim by claim, then orders in the order told.

    Marks on one claim keep their order, which is all that counts among them; so a restore may tell each claim
    together with its marks, and the next export is the same. A mark on a claim that was taken back is left out.
    """
    for row in _rows(cursor, f"SELECT {_ROW} FROM memories AS m WHERE {_STAY} ORDER BY m.n"):
        yield _told(row)
    for row in _rows(cursor, f"SELECT {_MARK} FROM {_MARKS} ORDER BY k.n, k.seq, k.k"):
        yield Mark(*row)
    for row in _rows(
        cursor, f"SELECT {_ORDER} FROM orders WHERE about <> 'erased' AND seq NOT IN {_LIFTED} ORDER BY seq, k"
    ):
        yield Order(*row)


def taken_back(cursor: sqlite3.Cursor) -> int:
    """How many claims and ends do not stand, since their decision was taken back."""
    return int(
        cursor.execute(f"SELECT count(*) FROM memories WHERE role <> 'erased' AND seq IN {_LIFTED}").fetchone()[0]
    )


def erased(cursor: sqlite3.Cursor) -> int:
    """How many memories were erased: of them there is nothing to export."""
    return int(cursor.execute("SELECT count(*) FROM memories WHERE role = 'erased'").fetchone()[0])


@dataclass(frozen=True, slots=True)
class Known:
    """A claim or an end that the store was told before."""

    told: Claim | End
    taken_back_by: int | None
    """The undo that took its decision back, where one did."""


def known(cursor: sqlite3.Cursor, ids: Iterable[str]) -> dict[str, Known]:
    """Those of the ids that the store has, whether they stand or not."""
    found: dict[str, Known] = {}
    for batch in batches(ids):
        sql = f"""SELECT (SELECT from_seq FROM lifted AS l WHERE l.seq = m.seq AND l.to_seq IS NULL), {_ROW}
            FROM memories AS m WHERE m.id IN ({holes(batch)})"""
        for by, *row in cursor.execute(sql, batch).fetchall():
            told = _told(tuple(row))
            found[told.id] = Known(told, by)
    return found


def known_marks(cursor: sqlite3.Cursor, ids: Iterable[str]) -> Iterator[Mark]:
    """Every mark on these memories."""
    for batch in batches(ids):
        sql = f"""SELECT {_MARK} FROM memories AS m CROSS JOIN marks AS k ON k.n = m.n WHERE m.id IN ({holes(batch)})"""
        for row in cursor.execute(sql, batch).fetchall():
            yield Mark(*row)


def known_orders(cursor: sqlite3.Cursor, keys: Iterable[bytes]) -> Iterator[Order]:
    """Every order under these keys."""
    for batch in batches(keys):
        for row in cursor.execute(f"SELECT {_ORDER} FROM orders WHERE key IN ({holes(batch)})", batch).fetchall():
            yield Order(*row)


def ids_of(cursor: sqlite3.Cursor, seqs: Iterable[int]) -> Iterator[str]:
    """Ids of the claims and ends that these decisions told."""
    for batch in batches(seqs):
        for row in cursor.execute(f"SELECT id FROM memories WHERE seq IN ({holes(batch)})", batch).fetchall():
            yield row[0]


def successors(cursor: sqlite3.Cursor, ids: Iterable[str]) -> dict[str, str | None]:
    """Which fact supersedes each of these."""
    found: dict[str, str | None] = {}
    for batch in batches(ids):
        sql = f"SELECT id, superseded_by FROM memories WHERE id IN ({holes(batch)})"
        found.update(cursor.execute(sql, batch).fetchall())
    return found


def store_id(cursor: sqlite3.Cursor) -> str:
    """The store's own id; empty where the file has none."""
    found = cursor.execute("SELECT value FROM meta WHERE key = 'uuid'").fetchone()
    return "" if found is None else str(found[0])
