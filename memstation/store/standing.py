"""Which decisions stand, and what changes when some are taken back. It never writes.

A decision stands unless a standing undo names it; undos are decisions too, and name only earlier ones.
"""

from __future__ import annotations

import heapq
import sqlite3
from collections.abc import Iterable

from memstation.store.lines import batches, holes


def lifted_now(cursor: sqlite3.Cursor, seqs: Iterable[int]) -> dict[int, str]:
    """Those of the decisions that do not stand now, with the time since when."""
    found: dict[int, str] = {}
    for batch in batches(set(seqs)):
        sql = f"""SELECT l.seq, j.at FROM lifted AS l CROSS JOIN journal AS j ON j.seq = l.from_seq
            WHERE l.to_seq IS NULL AND l.seq IN ({holes(batch)})"""
        found.update(cursor.execute(sql, batch).fetchall())
    return found


def undoers(cursor: sqlite3.Cursor, seq: int) -> list[int]:
    """The undos that name a decision, standing or not, oldest first."""
    return [row[0] for row in cursor.execute("SELECT seq FROM undoes WHERE target = ? ORDER BY seq", (seq,))]


def targets(cursor: sqlite3.Cursor, seq: int) -> list[int]:
    """The decisions that an undo names."""
    return [row[0] for row in cursor.execute("SELECT target FROM undoes WHERE seq = ? ORDER BY target", (seq,))]


def flips(cursor: sqlite3.Cursor, named: Iterable[int]) -> dict[int, bool]:
    """What a new undo that names these decisions makes of every decision that it reaches.

    Returns:
        Each decision that changes, and whether it stands afterwards.
    """
    direct = set(named)
    changed: dict[int, bool] = {}
    stood: dict[int, bool] = {}

    def stands_now(seq: int) -> bool:
        if seq not in stood:
            stood[seq] = not lifted_now(cursor, [seq])
        return stood[seq]

    queue = [-seq for seq in direct]
    heapq.heapify(queue)
    seen: set[int] = set()
    while queue:
        # Highest first: whoever can name this one has been settled.
        seq = -heapq.heappop(queue)
        if seq in seen:
            continue
        seen.add(seq)
        stands = seq not in direct and not any(
            changed.get(undoer, stands_now(undoer)) for undoer in undoers(cursor, seq)
        )
        if stands != stands_now(seq):
            changed[seq] = stands
            for target in targets(cursor, seq):
                heapq.heappush(queue, -target)
    return changed
