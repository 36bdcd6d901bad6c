"""Reads of the journal that the ledger needs, by text SQL on its cursor. It never writes."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from memstation.store.digests import FIRST

ENTRY_SQL = "seq, at, actor, agent_id, kind, reason, counts, first_n, last_n, part_of"
"""The columns that an entry's hash covers, in order."""


@dataclass(frozen=True, slots=True)
class Head:
    """The newest entry, or what stands for it in an empty journal; and the highest `n`."""

    seq: int
    at: str | None
    hash: bytes
    last_n: int


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


def head(cursor: sqlite3.Cursor) -> Head:
    """The newest entry and the highest `n`."""
    sql = "SELECT seq, at, hash, (SELECT max(n) FROM memories) FROM journal ORDER BY seq DESC LIMIT 1"
    found = cursor.execute(sql).fetchone()
    return Head(0, None, FIRST, 0) if found is None else Head(found[0], found[1], found[2], found[3] or 0)


def entry(cursor: sqlite3.Cursor, seq: int) -> Entry | None:
    """One entry; None when there is no such number."""
    found = cursor.execute(f"SELECT {ENTRY_SQL} FROM journal WHERE seq = ?", (seq,)).fetchone()
    return None if found is None else Entry(*found)


def parts(cursor: sqlite3.Cursor, seq: int) -> list[int]:
    """The numbers of the decision's group, itself among them; just itself where it is no part of one."""
    found = cursor.execute("SELECT part_of FROM journal WHERE seq = ?", (seq,)).fetchone()
    first = found[0] if found is not None and found[0] is not None else seq
    others = cursor.execute("SELECT seq FROM journal WHERE part_of = ? ORDER BY seq", (first,)).fetchall()
    return sorted({seq, first, *(row[0] for row in others)})


def last_at_or_before(cursor: sqlite3.Cursor, at: str) -> int:
    """The newest decision that had been taken at an instant; 0 before the first."""
    found = cursor.execute("SELECT max(seq) FROM journal WHERE at <= ?", (at,)).fetchone()
    return found[0] or 0
