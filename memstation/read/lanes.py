"""The time axis of a fact: each of its segments, and the claims of it that are held or withdrawn. It never writes."""

from __future__ import annotations

from dataclasses import dataclass

from memstation.domain.instants import from_text
from memstation.read.evidence import newest, span_of
from memstation.read.querying import Columns, quick, quick_one
from memstation.read.records import moment, state_at
from memstation.read.rows import Lane
from memstation.store.database import Snapshot
from memstation.store.schema import SHOWN_ROLES

MOST_LANES = 500
SHOWN_STARTS = 50
"""Confirmations of a lane whose starts are shown."""

_COLUMNS = """n, id, role, object, substr(content, 1, 2000) AS content, valid_from, valid_until, asserted_from,
    asserted_until, origin, origin_trust, line_key"""
_BEFORE = f"""SELECT {_COLUMNS} FROM memories INDEXED BY memories_fact WHERE fact_key = ? AND {SHOWN_ROLES}
    AND (asserted_from, n) < (?, ?) ORDER BY asserted_from DESC, n DESC LIMIT ?"""
_FROM = f"""SELECT {_COLUMNS} FROM memories INDEXED BY memories_fact WHERE fact_key = ? AND {SHOWN_ROLES}
    AND (asserted_from, n) >= (?, ?) ORDER BY asserted_from, n LIMIT ?"""
_COUNT = f"SELECT count(*) FROM memories INDEXED BY memories_fact WHERE fact_key = ? AND {SHOWN_ROLES}"
_BY_ID = f"SELECT {_COLUMNS} FROM memories WHERE id = ?"


@dataclass(frozen=True, slots=True)
class Lanes:
    """Lanes, oldest start first, and how many more there are."""

    lanes: tuple[Lane, ...]
    left_out: int


def lanes_around(conn: Snapshot, fact: bytes, asserted_from: str, n: int, now: str) -> Lanes:
    """The lanes of a fact that lie nearest to one of its claims, half of them before it."""
    before = quick(conn, _BEFORE, (fact, asserted_from, n, MOST_LANES + 1))
    after = quick(conn, _FROM, (fact, asserted_from, n, MOST_LANES + 1))
    half = MOST_LANES // 2
    kept_before = before[: max(half, MOST_LANES - len(after))]
    kept = [*kept_before, *after[: MOST_LANES - len(kept_before)]]
    left_out = 0
    if len(before) + len(after) > len(kept):
        found = quick_one(conn, _COUNT, (fact,))
        left_out = (0 if found is None else int(found[0])) - len(kept)
    lanes = [_lane(conn, row, now) for row in kept]
    return Lanes(tuple(sorted(lanes, key=lambda lane: (lane.start, lane.n))), left_out)


def lane_of(conn: Snapshot, memory_id: str | None, now: str) -> Lane | None:
    """The lane of the memory with this id."""
    row = None if memory_id is None else quick_one(conn, _BY_ID, (memory_id,))
    return None if row is None else _lane(conn, row, now)


def _lane(conn: Snapshot, row: Columns, now: str) -> Lane:
    n, id_, role, object_, content, valid_from, valid_until, asserted_from, asserted_until, origin, trust, line = row
    # The window of what is withdrawn is empty; the axis shows what it claimed.
    start, until = (asserted_from, asserted_until) if role == "withdrawn" else (valid_from, valid_until)
    span = span_of(conn, line, valid_from, n) if role == "fact" else None
    confirmed = () if span is None else tuple(c.said_from for c in reversed(newest(conn, span, SHOWN_STARTS)))
    return Lane(
        n=n,
        id=id_,
        state=state_at(role, valid_from, valid_until, now),
        value=object_ or content,
        start=from_text(start),
        until=moment(until),
        confirmed=confirmed,
        trust=trust,
        origin=origin,
    )
