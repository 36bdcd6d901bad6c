"""Finds a memory and the segment that it stands for, by text SQL on the ledger's cursor. It never writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from memstation.domain.purging import PURGE_STAMPS, TAINTED_CAP
from memstation.store.lines import Lines, batches, holes
from memstation.store.rows import ROW_SQL, Row, read_row
from memstation.store.schema import SHOWN_ROLES

PURGED_SQL = f"role = 'withdrawn' AND coalesce(invalidated_by_event, '') IN {PURGE_STAMPS!r}"
"""Whether the purge of its source withdrew a memory."""


@dataclass(frozen=True, slots=True)
class Found:
    """A memory that was asked for, and the fact that it is part of."""

    asked: Row
    shown: Row
    """The row that stands for the fact; the asked one where it is no part of a fact."""
    members: tuple[Row, ...]
    """All claims of the segment; just the asked one where it is no part of a fact."""
    founder: Row


def find(cursor: sqlite3.Cursor, memory_id: str, agent_id: str | None = None) -> Found | None:
    """The memory with this id; None when it is unknown, another agent's, or an end."""
    sql = f"SELECT {ROW_SQL} FROM memories WHERE id = ? AND role NOT IN ('end', 'erased')"
    values = cursor.execute(sql, (memory_id,)).fetchone()
    row = None if values is None else read_row(values)
    if row is None or (agent_id is not None and row.agent_id != agent_id):
        return None
    assert row.before is not None
    if row.before.role not in ("fact", "confirms"):
        return Found(row, row, (row,), row)
    lines = Lines(cursor)
    line, after = row.before.line_key, (row.asserted_from, True, row.n + 1)
    founder = lines.founder_before(line, after)
    following = lines.founder_from(line, after)
    assert founder is not None and founder.before is not None and founder.before.founds is not None
    members = lines.members(line, founder.position, None if following is None else following.position)
    rows = lines.load(member.n for member in members)
    return Found(row, lines.row(founder.before.founds), tuple(rows), founder)


def rows(cursor: sqlite3.Cursor, ids: Iterable[str]) -> dict[str, Row]:
    """Memories by id; unknown ones, ends and what was erased are left out."""
    found: dict[str, Row] = {}
    for batch in batches(ids):
        sql = f"SELECT {ROW_SQL} FROM memories WHERE id IN ({holes(batch)}) AND role NOT IN ('end', 'erased')"
        found.update((row.id, row) for row in map(read_row, cursor.execute(sql, batch).fetchall()))
    return found


def numbered(cursor: sqlite3.Cursor, ns: Iterable[int]) -> list[Row]:
    """Memories by `n`, in order."""
    found: list[Row] = []
    for batch in batches(ns):
        sql = f"SELECT {ROW_SQL} FROM memories WHERE n IN ({holes(batch)}) ORDER BY n"
        found += map(read_row, cursor.execute(sql, batch).fetchall())
    return found


def current_about(cursor: sqlite3.Cursor, agent_id: str, subject: str, now: str) -> list[Row]:
    """The facts of an agent about a subject, spelled just so, that hold now or will."""
    sql = f"""SELECT {ROW_SQL} FROM memories INDEXED BY memories_learned
        WHERE agent_id = ? AND {SHOWN_ROLES} AND role = 'fact' AND subject = ?
        AND (valid_until IS NULL OR valid_until > ?) ORDER BY n"""
    return [read_row(values) for values in cursor.execute(sql, (agent_id, subject, now)).fetchall()]


def trusts(cursor: sqlite3.Cursor, agent_id: str, ids: Iterable[str]) -> dict[str, float]:
    """The trust of an agent's memories by id; unknown ones, and another agent's, are left out.

    What a purge withdrew counts for no more than what was made from it.
    """
    found: dict[str, float] = {}
    for batch in batches(ids):
        sql = f"""SELECT id, iif({PURGED_SQL}, min(origin_trust, {TAINTED_CAP}), origin_trust) FROM memories
            WHERE agent_id = ? AND role <> 'erased'
            AND id IN ({holes(batch)})"""
        found.update(cursor.execute(sql, (agent_id, *batch)).fetchall())
    return found
