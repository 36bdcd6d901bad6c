"""Values that a person rejected: by which decision, and how often each came again. It never writes."""

from __future__ import annotations

from collections import defaultdict
from typing import TypeAlias

from memstation.domain.instants import from_text
from memstation.domain.names import fold_name, is_blank
from memstation.read.gate_rows import RejectedRow
from memstation.read.querying import IN_LIST, in_list, quick
from memstation.store.database import Snapshot

MOST = 20_000
"""Rejected values that are read at once, the newest first."""

_RULING = f"""SELECT o.seq, o.k, o.key, o.agent_id, o.subject, o.predicate, o.value, o.at, j.actor, j.kind, j.reason
    FROM orders AS o INDEXED BY orders_ruling CROSS JOIN journal AS j ON j.seq = o.seq
    WHERE o.about = 'rejected' AND o.rules = 1 AND o.verdict = 'rejected' AND o.agent_id = ?
    ORDER BY o.seq DESC, o.k LIMIT {MOST}"""
_AGENTS = "SELECT DISTINCT agent_id FROM orders WHERE about = 'rejected' AND rules = 1"
_AGAIN = """SELECT json_extract(e.detail, '$.rejected_seq') AS by, m.agent_id, m.predicate, m.object, m.content, j.at,
        a.hits, a.hit_at
    FROM events AS e INDEXED BY events_held CROSS JOIN memories AS m ON m.n = e.n
    CROSS JOIN journal AS j ON j.seq = e.seq LEFT JOIN approvals AS a ON a.n = e.n
    WHERE e.n IS NOT NULL AND json_valid(e.detail) AND by IS NOT NULL AND (? IS NULL OR m.agent_id = ?)"""
_ORDERS = f"""SELECT seq, agent_id, predicate, value, key FROM orders
    WHERE seq IN {IN_LIST} AND about = 'rejected' AND verdict = 'rejected'"""

Said: TypeAlias = tuple[int, str, str, str]
"""A decision that rejects, an agent, a predicate and a value: not the subject, which may come under a joined name."""


def rejected(conn: Snapshot, agent_id: str | None = None) -> list[RejectedRow]:
    """The values that are rejected now, the newest first; of one agent, or of all.

    Each with the number of times that it came again since it was rejected first, and was held for it.
    """
    agents = [agent_id] if agent_id is not None else [str(name) for (name,) in quick(conn, _AGENTS)]
    found = [values for agent in agents for values in quick(conn, _RULING, (agent,))]
    again = _again(conn, agent_id) if found else {}
    rows = []
    for seq, k, key, agent, subject, predicate, value, at, actor, kind, reason in found:
        hits, last = again.get(key, (0, ""))
        rows.append(
            RejectedRow(
                seq=seq, k=k, agent_id=agent, subject=subject, predicate=predicate, value=value or "",
                at=from_text(at), actor=actor, kind=kind, reason=reason, hits=hits,
                last_seen=from_text(last) if last else None,
            )
        )  # fmt: skip
    return sorted(rows, key=lambda row: (-row.seq, row.k))[:MOST]


def _again(conn: Snapshot, agent_id: str | None) -> dict[bytes, tuple[int, str]]:
    """By the key of the order that rejects it: how often a value came again, and when last."""
    seen = quick(conn, _AGAIN, (agent_id, agent_id))
    orders = quick(conn, _ORDERS, (in_list({values[0] for values in seen}),))
    keys = {_said(seq, agent, predicate, value): key for seq, agent, predicate, value, key in orders}
    counts: defaultdict[bytes, int] = defaultdict(int)
    last: defaultdict[bytes, str] = defaultdict(str)
    for seq, agent, predicate, object_, content, at, hits, hit_at in seen:
        key = keys.get(_said(seq, agent, predicate, content if is_blank(object_) else object_))
        if key is not None:
            counts[key] += 1 + (hits or 0)
            last[key] = max(last[key], at, hit_at or "")
    return {key: (times, last[key]) for key, times in counts.items()}


def _said(seq: int, agent_id: str, predicate: str | None, value: str | None) -> Said:
    return seq, agent_id, fold_name(predicate or ""), fold_name(value or "")
