"""Which facts an end was told about. It never writes."""

from __future__ import annotations

from memstation.read.querying import Values, ask, ask_one
from memstation.store.database import Snapshot

_ENDS = """SELECT n, line_key, asserted_from, value_digest FROM memories WHERE role = 'end'
    AND n BETWEEN (SELECT first_n FROM journal WHERE seq = ?) AND (SELECT last_n FROM journal WHERE seq = ?)
    ORDER BY n DESC LIMIT ?"""
_BEFORE = """SELECT founds, value_digest FROM memories WHERE line_key = ? AND founds IS NOT NULL
    AND asserted_from < ? ORDER BY asserted_from DESC, n DESC LIMIT 1"""


def ended_by(conn: Snapshot, seq: int, limit: int) -> list[int]:
    """Numbers of the facts on which a decision told an end, the last told first.

    Where that fact does not stand any more, it is the number of the end itself, which says the same.
    """
    return list(dict.fromkeys(_ended(conn, end) for end in ask(conn, _ENDS, (seq, seq, limit))))


def _ended(conn: Snapshot, end: Values) -> int:
    before = ask_one(conn, _BEFORE, (end.line_key, end.asserted_from))
    is_it = before is not None and before.value_digest == end.value_digest
    return int(before.founds if before is not None and is_it else end.n)
