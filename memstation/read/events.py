"""What the gate noted, from the table of events: of one decision, of a page of them, of a day. It never writes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from memstation.domain.instants import from_text, to_text
from memstation.read.gate_rows import EventRow, GateCounts
from memstation.read.querying import IN_LIST, in_list, quick, quick_one
from memstation.store.database import Snapshot

HOURS = 24
"""How far back Today counts."""
_NEVER = 1 << 62
"""A decision that is never reached."""

_OF = f"""SELECT e.seq, e.kind, e.agent_id, e.origin, e.detail, m.id FROM events AS e
    LEFT JOIN memories AS m ON m.n = e.n AND m.role <> 'erased'
    WHERE e.seq IN {IN_LIST} ORDER BY e.seq, e.k LIMIT ?"""
_DROPS = f"""SELECT seq, count(*), min(k) FROM events INDEXED BY events_dropped
    WHERE n IS NULL AND seq IN {IN_LIST} GROUP BY seq"""
_ONE = "SELECT kind, agent_id, origin, detail FROM events WHERE seq = ? AND k = ?"
_FIRST = "SELECT seq FROM journal WHERE at > ? ORDER BY at, seq LIMIT 1"
_SAYS_AGAIN = "json_valid(e.detail) AND json_extract(e.detail, '$.rejected_seq') IS NOT NULL"
_NOTED = f"""SELECT count(*) - sum(e.n IS NULL), sum(e.n IS NULL),
    sum(CASE WHEN e.n IS NOT NULL AND {_SAYS_AGAIN} THEN 1 + coalesce(a.hits, 0) ELSE 0 END)
    FROM events AS e LEFT JOIN approvals AS a ON a.n = e.n WHERE e.seq >= ?"""
_HIT = f"""SELECT count(*) FROM approvals AS a INDEXED BY approvals_due WHERE a.status = 'pending' AND a.hit_at > ?
    AND EXISTS (SELECT 1 FROM events AS e INDEXED BY events_held WHERE e.n = a.n AND e.seq < ? AND {_SAYS_AGAIN})"""
_DROPPED_FROM = """SELECT origin, agent_id, count(*) FROM events INDEXED BY events_dropped
    WHERE n IS NULL AND seq > ? AND origin IS NOT NULL
    GROUP BY origin, agent_id ORDER BY count(*) DESC, origin LIMIT ?"""
_DROPPED = """SELECT agent_id, count(*) FROM events INDEXED BY events_dropped
    WHERE n IS NULL AND seq > ? GROUP BY agent_id"""


def events_of(conn: Snapshot, seqs: Iterable[int], limit: int) -> list[EventRow]:
    """What the gate noted with these decisions, in the order told, the first `limit`."""
    found = quick(conn, _OF, (in_list(seqs), limit))
    return [event_row(kind, agent, origin, detail, id_) for _seq, kind, agent, origin, detail, id_ in found]


def drops_of(conn: Snapshot, seqs: Iterable[int]) -> dict[int, tuple[int, EventRow]]:
    """By decision: how many memories it dropped, and the first of them."""
    found: dict[int, tuple[int, EventRow]] = {}
    for seq, times, k in quick(conn, _DROPS, (in_list(seqs),)):
        noted = quick_one(conn, _ONE, (seq, k))
        if noted is not None:
            found[seq] = (times, event_row(*noted))
    return found


def event_row(kind: str, agent_id: str, origin: str | None, detail: str, memory_id: str | None = None) -> EventRow:
    """An event of the store; what is missing in its detail, or was erased, is left empty."""
    try:
        said = json.loads(detail)
    except ValueError:
        said = {}
    told: dict[str, Any] = said if isinstance(said, dict) else {}
    return EventRow(
        kind=kind,
        agent_id=agent_id,
        origin=origin,
        memory_id=memory_id,
        reason=str(told.get("reason", "")),
        also=_texts(told.get("also")),
        rules=_texts(told.get("rules")),
        excerpt=str(told.get("excerpt", "")),
        where=str(told.get("where", "")),
        count=_number(told.get("count")),
        limit=_number(told.get("limit")),
        rejected_seq=_number(told.get("rejected_seq")),
    )


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None


def gate_counts(conn: Snapshot, now: str) -> GateCounts:
    """What the gate did in the last `HOURS` hours.

    Of what was held before that and said again since, only that it was is known, not how often: it counts once.
    """
    try:
        since = to_text(from_text(now) - timedelta(hours=HOURS))
    except OverflowError:
        # The first day has none before it.
        since = ""
    first = quick_one(conn, _FIRST, (since,))
    start = _NEVER if first is None else first[0]
    held, dropped, again = quick(conn, _NOTED, (start,))[0]
    ((older,),) = quick(conn, _HIT, (since, start))
    return GateCounts(HOURS, held or 0, dropped or 0, (again or 0) + older)


def dropped_since(conn: Snapshot, seen: int) -> dict[str, int]:
    """By agent: memories that were dropped after a decision."""
    return dict(quick(conn, _DROPPED, (seen,)))


def dropped_from(conn: Snapshot, seen: int, most: int) -> list[tuple[str, str, int]]:
    """(source, agent, how many) of what was dropped after a decision, the most first."""
    return [(str(origin), str(agent), int(times)) for origin, agent, times in quick(conn, _DROPPED_FROM, (seen, most))]
