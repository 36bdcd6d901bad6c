"""What waits for a person, in groups and counts: a glance, without what a verdict would do. It never writes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, TypeAlias

from memstation.read.gate_rows import HeldGroup, Waiting
from memstation.read.querying import quick
from memstation.read.records import moment
from memstation.store.database import Snapshot

BLOCKED = "blocked_origin"
MOST = 20_000
"""Held memories that are looked at."""

_WAITING = f"""SELECT m.agent_id, m.origin, m.subject, a.n, a.deadline,
        (SELECT reason FROM marks WHERE n = a.n AND kind = 'held' AND stands = 1 ORDER BY seq DESC, k DESC LIMIT 1)
    FROM approvals AS a INDEXED BY approvals_due CROSS JOIN memories AS m ON m.n = a.n
    WHERE a.status = 'pending' AND (a.deadline IS NULL OR a.deadline > ?)
    ORDER BY a.deadline IS NULL, a.deadline, a.n LIMIT {MOST}"""
_OVERDUE = """SELECT count(*), max(deadline) FROM approvals INDEXED BY approvals_due
    WHERE status = 'pending' AND deadline <= ?"""
_LAPSED = """SELECT count(DISTINCT a.n), max(l.at) FROM approvals AS a INDEXED BY approvals_lapsed
    CROSS JOIN marks AS l ON l.n = a.n
    WHERE a.status = 'lapsed' AND l.kind = 'lapsed' AND l.stands = 1 AND l.seq > ?"""

Row: TypeAlias = tuple[Any, ...]


def waiting(conn: Snapshot, seen: int, now: str) -> Waiting:
    """What waits at `now` (stored text), what runs out first before the rest; and what ran out after decision `seen`.

    What has run out and did not lapse yet waits no more: nobody can decide it.
    """
    groups: defaultdict[tuple[str, str | None, str], list[Row]] = defaultdict(list)
    blocked: list[Row] = []
    for row in quick(conn, _WAITING, (now,)):
        agent, origin, *_, reason = row
        if reason == BLOCKED:
            blocked.append(row)
        else:
            groups[agent, origin, reason or ""].append(row)
    ((lapsed, lapsed_at),) = quick(conn, _LAPSED, (seen,))
    ((overdue, overdue_at),) = quick(conn, _OVERDUE, (now,))
    at = max(lapsed_at or "", overdue_at or "")
    return Waiting(
        groups=tuple(_group(rows) for rows in groups.values()),
        blocked=_group(blocked) if blocked else None,
        lapsed=lapsed + overdue,
        lapsed_at=moment(at) if at else None,
    )


def _group(rows: Sequence[Row]) -> HeldGroup:
    agent, origin, subject, n, deadline, reason = rows[0]
    return HeldGroup(
        agent_id=agent,
        origin=origin,
        reason=reason or "",
        count=len(rows),
        subject=subject if all(row[2] == subject for row in rows) else None,
        deadline=moment(deadline),
        n=n,
    )
