"""The confirmations of a fact: the claims of its segment that are not shown. It never writes.

A segment's members are the claims on its line from the one that starts it to before the one that starts the next.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from memstation.domain.instants import from_text
from memstation.domain.memory import Confirmation
from memstation.read.querying import Columns, quick, quick_one
from memstation.store.database import Snapshot

SHOWN_CONFIRMATIONS = 20
"""How many confirmations a record carries: the newest by the start that they state."""

Span: TypeAlias = tuple[bytes, str, int, str, int]
"""Line, and positions (start, n) of the founder and of the next one."""

_END = ("~", 1 << 62)
"""After every position."""

_COLUMNS = "id, source_event, origin, ingested_at, asserted_from"
_FOUNDERS = """SELECT asserted_from, n, founds FROM memories
    WHERE line_key = ? AND founds IS NOT NULL AND asserted_from >= ? ORDER BY asserted_from, n LIMIT ? OFFSET ?"""
_IN_SPAN = """FROM memories WHERE line_key = ? AND stands = 1 AND role = 'confirms'
    AND (asserted_from, n) >= (?, ?) AND (asserted_from, n) < (?, ?)"""
_NEWEST = f"SELECT {_COLUMNS} {_IN_SPAN} ORDER BY asserted_from DESC, n DESC LIMIT ?"
_COUNT = f"SELECT count(*) {_IN_SPAN}"
_MEMBERS = f"""SELECT {_COLUMNS}, founds, line_key, role FROM memories
    WHERE fact_key = ? AND stands = 1 AND role IN ('fact', 'confirms') ORDER BY asserted_from, n"""
_FIRST = """SELECT founds FROM memories WHERE line_key = ? AND stands = 1 AND asserted_from >= ?
    ORDER BY asserted_from, n LIMIT 2"""
_FACT_OF = """SELECT founds FROM memories WHERE line_key = ? AND founds IS NOT NULL
    AND (asserted_from, n) <= (?, ?) ORDER BY asserted_from DESC, n DESC LIMIT 1"""


def confirmation_of(row: Sequence[Any]) -> Confirmation:
    """Make a confirmation from id, source event, origin, when it was learned, and its start."""
    return Confirmation(row[0], row[1] or "", row[2], from_text(row[3]), from_text(row[4]))


def span_of(conn: Snapshot, line: bytes, valid_from: str, n: int) -> Span | None:
    """Where the segment lies whose shown row is `n`; None when the row stands for no segment."""
    low: tuple[str, int] | None = None
    # Nearly always it is the first of two; where several claims start at one instant, it is further on.
    place, size = 0, 2
    while True:
        founders = quick(conn, _FOUNDERS, (line, valid_from, size, place))
        for start, founder, shown in founders:
            if low is not None:
                return (line, *low, start, founder)
            if shown == n:
                low = (start, founder)
            elif start > valid_from:
                return None
        if len(founders) < size:
            return None if low is None else (line, *low, *_END)
        place, size = place + size, 16 * size


def newest(conn: Snapshot, span: Span, limit: int = SHOWN_CONFIRMATIONS) -> tuple[Confirmation, ...]:
    """The confirmations of a segment that state the latest starts, latest first."""
    return tuple(map(confirmation_of, quick(conn, _NEWEST, (*span, limit))))


def count_of(conn: Snapshot, span: Span) -> int:
    """How many confirmations a segment has."""
    found = quick_one(conn, _COUNT, span)
    return 0 if found is None else int(found[0])


def confirmations(conn: Snapshot, line: bytes, valid_from: str, n: int) -> tuple[Confirmation, ...]:
    """The confirmations to show with the fact `n`."""
    first = quick(conn, _FIRST, (line, valid_from))
    if first and first[0][0] == n and (len(first) == 1 or first[1][0] is not None):
        # Nearly always: the fact is followed by another one, or by nothing.
        return ()
    span = span_of(conn, line, valid_from, n)
    return () if span is None else newest(conn, span)


def of_facts(conn: Snapshot, fact_keys: Iterable[bytes]) -> dict[int, tuple[Confirmation, ...]]:
    """The confirmations to show with every fact under some keys, by the fact's `n`: one pass over each key."""
    told: dict[int, deque[Columns]] = defaultdict(lambda: deque(maxlen=SHOWN_CONFIRMATIONS))
    for key in fact_keys:
        shown: dict[bytes, int] = {}
        for *columns, founds, line, role in quick(conn, _MEMBERS, (key,)):
            if founds is not None:
                shown[line] = founds
            if role == "confirms" and line in shown:
                told[shown[line]].appendleft(tuple(columns))
    return {n: tuple(map(confirmation_of, rows)) for n, rows in told.items()}


def fact_behind(conn: Snapshot, line: bytes, asserted_from: str, n: int) -> int | None:
    """`n` of the fact that a confirming row at this place confirms."""
    found = quick_one(conn, _FACT_OF, (line, asserted_from, n))
    return None if found is None else int(found[0])
