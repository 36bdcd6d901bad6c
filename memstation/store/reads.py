"""Counts of agents' reads, in a short transaction of their own. They are no statements, and must decide nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Read:
    """Which memory an agent read, on which day (UTC)."""

    agent_id: str
    id: str
    day: str
    """As in ``2026-04-14``."""


_ADD = """INSERT INTO reads (n, day, times, last_at)
    SELECT n, ?, ?, ? FROM memories WHERE id = ? AND agent_id = ? AND role <> 'erased'
    ON CONFLICT (n, day) DO UPDATE SET times = times + excluded.times, last_at = max(last_at, excluded.last_at)"""


def add(cursor: sqlite3.Cursor, counted: Mapping[Read, tuple[int, str]]) -> None:
    """Add to the counts.

    Args:
        cursor: the writer's, in a transaction.
        counted: how often, and the instant of the last reading as stored text. Unknown ids, and memories of other
            agents, are left out.
    """
    cursor.executemany(_ADD, [
        (read.day, times, last, read.id, read.agent_id) for read, (times, last) in counted.items()
    ])  # fmt: skip
