"""Reads of the journal that the ledger needs, by text SQL on its cursor. It never writes."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from memstation.domain.heads import StoreHead
from memstation.store.digests import FIRST

ENTRY_SQL = "seq, at, actor, agent_id, kind, reason, counts, first_n, last_n, part_of"
"""The columns that an entry's hash covers, in order."""

UNFINISHED = "unfinished"
"""Stands among the counts of a part of a group that further parts are to follow."""


@dataclass(frozen=True, slots=True)
class Head:
    """The newest entry, or what stands for it in an empty journal; and what a decision must know of the store."""

    seq: int
    at: str | None
    hash: bytes
    last_n: int
    """The highest `n`."""
    has_rules: bool = False
    """Whether any order about a predicate rules: without one every predicate holds one value."""
    has_trusts: bool = False
    """Whether any order about an origin's trust rules."""
    has_ends: bool = False
    """Whether any end stands: most stores have few, and a look per line is saved without one."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A journal entry."""

    seq: int
    at: str
    actor: str
    agent_id: str
    kind: str
    reason: str
    counts: str
    first_n: int | None
    last_n: int | None
    part_of: int | None


_HEAD = """SELECT seq, at, hash, coalesce((SELECT max(n) FROM memories), 0),
    EXISTS (SELECT 1 FROM orders WHERE about = 'predicate' AND rules = 1),
    EXISTS (SELECT 1 FROM orders WHERE about = 'origin_trust' AND rules = 1),
    EXISTS (SELECT 1 FROM memories INDEXED BY memories_ends WHERE stands = 1 AND role = 'end')
    FROM journal ORDER BY seq DESC LIMIT 1"""


def head(cursor: sqlite3.Cursor) -> Head:
    """The newest entry, and what a decision must know of the store."""
    found = cursor.execute(_HEAD).fetchone()
    return Head(0, None, FIRST, 0) if found is None else Head(*found)


_TOO_LARGE = 2**63
"""The first number that SQLite cannot hold."""


def entry(cursor: sqlite3.Cursor, seq: int) -> Entry | None:
    """One entry; None when there is no such number."""
    if isinstance(seq, int) and not 0 < seq < _TOO_LARGE:
        return None
    found = cursor.execute(f"SELECT {ENTRY_SQL} FROM journal WHERE seq = ?", (seq,)).fetchone()
    return None if found is None else Entry(*found)


def parts(cursor: sqlite3.Cursor, seq: int) -> list[int]:
    """The numbers of the decision's group, itself among them; just itself where it is no part of one."""
    found = cursor.execute("SELECT part_of FROM journal WHERE seq = ?", (seq,)).fetchone()
    first = found[0] if found is not None and found[0] is not None else seq
    others = cursor.execute("SELECT seq FROM journal WHERE part_of = ? ORDER BY seq", (first,)).fetchall()
    return sorted({seq, first, *(row[0] for row in others)})


_STOPPED = f"""SELECT part_of FROM journal AS j
    WHERE kind = 'restore' AND part_of IS NOT NULL AND actor = ? AND reason = ?
      AND seq = (SELECT max(seq) FROM journal WHERE part_of = j.part_of)
      AND instr(counts, '"{UNFINISHED}"') > 0
      AND seq NOT IN (SELECT seq FROM lifted WHERE to_seq IS NULL)
    ORDER BY seq DESC"""


def stopped_restores(cursor: sqlite3.Cursor, actor: str, reason: str) -> list[int]:
    """The groups, by the number of their first part, that stand and were stopped before their last; newest first."""
    return [int(row[0]) for row in cursor.execute(_STOPPED, (actor, reason)).fetchall()]


def last_at_or_before(cursor: sqlite3.Cursor, at: str) -> int:
    """The newest decision that had been taken at an instant; 0 before the first."""
    found = cursor.execute("SELECT max(seq) FROM journal WHERE at <= ?", (at,)).fetchone()
    return found[0] or 0


def newest(cursor: sqlite3.Cursor) -> StoreHead:
    """The newest entry by number and hash; number 0 for an empty journal."""
    found = cursor.execute("SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1").fetchone()
    return StoreHead(0, FIRST.hex()) if found is None else StoreHead(int(found[0]), bytes(found[1]).hex())


def hash_of(cursor: sqlite3.Cursor, seq: int) -> str | None:
    """The hash of an entry, in hex; None when there is no such number."""
    found = cursor.execute("SELECT hash FROM journal WHERE seq = ?", (seq,)).fetchone()
    return None if found is None else bytes(found[0]).hex()
