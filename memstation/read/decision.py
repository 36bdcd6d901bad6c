"""One decision with the statements that carry its number. It never writes."""

from __future__ import annotations

from memstation.read.detail import mark_words
from memstation.read.ends import ended_by
from memstation.read.events import events_of
from memstation.read.listing import LIST_SQL, Lister
from memstation.read.log_rows import log_rows
from memstation.read.querying import ask, quick
from memstation.read.rows import LogDetail
from memstation.read.summaries import order_words
from memstation.store.database import Snapshot

SHOWN = 50
"""Statements of each kind that are shown."""

_TOLD = f"""SELECT {LIST_SQL} FROM memories WHERE role NOT IN ('end', 'erased')
    AND n BETWEEN (SELECT first_n FROM journal WHERE seq = ?) AND (SELECT last_n FROM journal WHERE seq = ?)
    ORDER BY n LIMIT {SHOWN}"""
_ERASED = """SELECT count(*) FROM memories WHERE role = 'erased'
    AND n BETWEEN (SELECT first_n FROM journal WHERE seq = ?) AND (SELECT last_n FROM journal WHERE seq = ?)"""
_MARKS = f"SELECT n, kind, reason FROM marks WHERE seq = ? ORDER BY k LIMIT {SHOWN}"
_ORDERS = f"""SELECT about, verdict, subject, predicate, value, number FROM orders WHERE seq = ?
    ORDER BY k LIMIT {SHOWN}"""


def log_detail(conn: Snapshot, seq: int, now: str) -> LogDetail | None:
    """What is shown of a decision; None when there is no such number."""
    rows = log_rows(conn, [seq])
    if not rows:
        return None
    lister = Lister(conn, now)
    marks = ask(conn, _MARKS, (seq,))
    marked = {row.n: row for row in lister.rows(mark.n for mark in marks)}
    return LogDetail(
        row=rows[0],
        told=tuple(lister.row(values) for values in quick(conn, _TOLD, (seq, seq))),
        marks=tuple((mark_words(mark.kind, mark.reason), marked[mark.n]) for mark in marks if mark.n in marked),
        orders=tuple(order_words(order) for order in ask(conn, _ORDERS, (seq,))),
        ended=tuple(lister.rows(ended_by(conn, seq, SHOWN))),
        events=tuple(events_of(conn, [seq], SHOWN)),
        erased=int(quick(conn, _ERASED, (seq, seq))[0][0]),
    )
