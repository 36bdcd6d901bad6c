"""The digest of what carries a decision's number, read from the store. It never writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from memstation.store.digests import decision_digest
from memstation.store.rules import ORDER_SQL

_MARKS = "SELECT n, k, kind, value, reason, at FROM marks INDEXED BY marks_seq WHERE seq = ? ORDER BY n, k"
_ORDERS = f"SELECT {ORDER_SQL} FROM orders WHERE seq = ? ORDER BY k"
_TARGETS = "SELECT target FROM undoes WHERE seq = ? ORDER BY target"
EVENT_SQL = "k, kind, agent_id, origin, n, detail"
"""The columns of an event that a digest covers, after its number."""
_EVENTS = f"SELECT {EVENT_SQL} FROM events WHERE seq = ? ORDER BY k"
_ERASED = "SELECT target, digest FROM erased WHERE seq = ? ORDER BY target"


def digest_of(cursor: sqlite3.Cursor, seq: int, salt: bytes, rows: Iterable[tuple[bytes, bool]]) -> bytes:
    """The digest of what carries `seq` now, over the given rows (digest, whether it is an end; by `n`)."""
    return decision_digest(
        rows,
        _rows(cursor, _MARKS, seq),
        _rows(cursor, _ORDERS, seq),
        (int(row[0]) for row in _rows(cursor, _TARGETS, seq)),
        salt=salt,
        erased=((int(target), bytes(digest)) for target, digest in _rows(cursor, _ERASED, seq)),
        events=_rows(cursor, _EVENTS, seq),
    )


def _rows(cursor: sqlite3.Cursor, sql: str, seq: int) -> Iterator[tuple[Any, ...]]:
    yield from cursor.connection.cursor().execute(sql, (seq,))
