"""Who tells what is known: sources, each with what stands of it, what the gate saw, and what was ordered. Never writes.

One look at an index by source answers for all of them: what is counted here is counted in SQLite.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from memstation.domain.decisions import EVERY_AGENT
from memstation.domain.instants import from_text, to_text
from memstation.read.agents import DAYS
from memstation.read.querying import quick, quick_one
from memstation.read.source_rows import AgentShare, SourceRow
from memstation.store.database import Snapshot

_SAME = "origin IS s.origin AND agent_id = s.agent_id AND role = s.role AND origin_trust = s.origin_trust"
_SHARES = f"""WITH shares AS MATERIALIZED (
        SELECT origin, agent_id, role, origin_trust, count(*) AS many FROM memories INDEXED BY memories_origin
        GROUP BY origin, agent_id, role, origin_trust),
    ending AS MATERIALIZED (
        SELECT s.*, (SELECT n FROM memories INDEXED BY memories_origin WHERE {_SAME} ORDER BY n DESC LIMIT 1) AS last
        FROM shares AS s WHERE role <> 'erased')
    SELECT origin, agent_id, role, origin_trust, many, last,
        CASE WHEN last >= ? THEN (
            SELECT json_group_array((SELECT count(*) FROM memories INDEXED BY memories_origin
                WHERE {_SAME} AND n >= d.value ->> 0 AND n < d.value ->> 1)) FROM json_each(?) AS d) END
    FROM ending AS s"""
"""A row for each source, agent, role and trust: how many, the newest, and how many on each day."""

_FROM = "SELECT first_n FROM journal WHERE at >= ? AND first_n IS NOT NULL ORDER BY at, seq LIMIT 1"
_AT = "SELECT at FROM journal WHERE seq = (SELECT seq FROM memories WHERE n = ?)"
_SINCE = "SELECT seq FROM journal WHERE at >= ? ORDER BY at, seq LIMIT 1"
_DROPS = """SELECT origin, agent_id, count(*) FROM events INDEXED BY events_dropped
    WHERE n IS NULL AND seq >= ? AND detail <> '{}' GROUP BY origin, agent_id"""
_BURSTS = """SELECT DISTINCT m.origin, m.agent_id, lower(m.subject), substr(j.at, 1, 10)
    FROM events AS e CROSS JOIN memories AS m ON m.n = e.n CROSS JOIN journal AS j ON j.seq = e.seq
    WHERE e.seq >= ? AND e.n IS NOT NULL AND json_valid(e.detail)
    AND json_extract(e.detail, '$.reason') = 'burst'"""
_ORDERS = """SELECT about, agent_id, value, number FROM orders INDEXED BY orders_ruling
    WHERE about IN ('origin', 'origin_trust') AND rules = 1 AND verdict IN ('blocked', 'set')"""
_NAMES = """WITH RECURSIVE names(name) AS (
    SELECT min(origin) FROM memories INDEXED BY memories_origin
    UNION ALL SELECT (SELECT min(origin) FROM memories INDEXED BY memories_origin WHERE origin > name)
    FROM names WHERE name IS NOT NULL) SELECT name FROM names WHERE name IS NOT NULL"""

NEVER = 1 << 62
"""A number that no memory and no decision reaches."""


@dataclass
class _Share:
    """What one agent was told by a source, while it is being counted."""

    roles: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    trusts: list[float] = field(default_factory=list)
    last: int = 0
    days: list[int] = field(default_factory=lambda: [0] * DAYS)
    bursts: int = 0
    dropped: int = 0


Shares = dict[str | None, dict[str, _Share]]
"""By source and agent."""


def sources(conn: Snapshot, agent_id: str | None, now: str) -> list[SourceRow]:
    """Every source of an agent, or of all agents; the weakest trust first, of equals the one that wrote last.

    A source is listed too when all it told was dropped, or when it is only blocked or given a trust.
    """
    shares: Shares = defaultdict(lambda: defaultdict(_Share))
    _count(conn, shares, now)
    _note(conn, shares, first_seq(conn, now))
    orders = _orders(conn)
    for about in orders.values():
        for ordered, agents in about.items():
            for agent in agents:
                if agent == EVERY_AGENT:
                    shares.setdefault(ordered, defaultdict(_Share))
                else:
                    shares[ordered].setdefault(agent, _Share())
    rows = []
    for origin, by_agent in shares.items():
        of = {agent: share for agent, share in by_agent.items() if agent_id is None or agent == agent_id}
        if of or not by_agent:
            rows.append(_row(conn, origin, of, orders, agent_id))
    return sorted(rows, key=weakest_first)


def weakest_first(row: SourceRow) -> tuple[float, float, str]:
    """The order of sources."""
    return row.weight, -row.last.timestamp() if row.last else 0.0, row.origin or ""


def origins(conn: Snapshot) -> list[str]:
    """The names of all sources that told something."""
    return [name for (name,) in quick(conn, _NAMES)]


def day_starts(now: str) -> list[str]:
    """The first instants of the last `DAYS` days (UTC), oldest first."""
    today = from_text(now).replace(hour=0, minute=0, second=0, microsecond=0)
    return [to_text(today - timedelta(days=back)) for back in range(DAYS - 1, -1, -1)]


def first_seq(conn: Snapshot, now: str) -> int:
    """The first decision of the last `DAYS` days; one that is never reached where there is none."""
    found = quick_one(conn, _SINCE, (day_starts(now)[0],))
    return NEVER if found is None else int(found[0])


def _count(conn: Snapshot, shares: Shares, now: str) -> None:
    firsts = [quick_one(conn, _FROM, (day,)) for day in day_starts(now)]
    starts = [NEVER if first is None else first[0] for first in firsts]
    spans = json.dumps([[start, stop] for start, stop in zip(starts, [*starts[1:], NEVER], strict=True)])
    for origin, agent, role, trust, many, last, days in quick(conn, _SHARES, (starts[0], spans)):
        share = shares[origin][agent]
        share.roles[role] += many
        share.last = max(share.last, last)
        if role == "fact":
            share.trusts.append(trust)
        if days is not None:
            share.days = [a + b for a, b in zip(share.days, json.loads(days), strict=True)]


def _note(conn: Snapshot, shares: Shares, since: int) -> None:
    for origin, agent, dropped in quick(conn, _DROPS, (since,)):
        shares[origin][agent].dropped += dropped
    for origin, agent, _subject, _day in quick(conn, _BURSTS, (since,)):
        shares[origin][agent].bursts += 1


Orders = Mapping[str, Mapping[str, Mapping[str, float | None]]]
"""By what it is about (``origin`` is a block), source and agent (``*`` for all): the trust, for ``origin_trust``."""


def _orders(conn: Snapshot) -> Orders:
    found: dict[str, dict[str, dict[str, float | None]]] = {"origin": {}, "origin_trust": {}}
    for about, agent, origin, number in quick(conn, _ORDERS):
        found[about].setdefault(origin, {})[agent] = number
    return found


def _row(
    conn: Snapshot, origin: str | None, of: Mapping[str, _Share], orders: Orders, agent_id: str | None
) -> SourceRow:
    last = max((share.last for share in of.values()), default=0)
    at = quick_one(conn, _AT, (last,)) if last else None
    trusts = [trust for share in of.values() for trust in share.trusts]
    blocked, given = (orders[about].get(origin or "", {}) for about in ("origin", "origin_trust"))
    if agent_id is not None:
        # A block for all holds for each; of trusts the agent's own goes before the one for all.
        blocked = {agent: blocked[agent] for agent in (agent_id, EVERY_AGENT) if agent in blocked}
        given = {agent: given[agent] for agent in [agent_id, EVERY_AGENT] if agent in given}
        given = dict(list(given.items())[:1])

    def count(role: str) -> int:
        return sum(share.roles[role] for share in of.values())

    return SourceRow(
        origin=origin,
        agents=tuple(
            AgentShare(agent, share.roles["fact"], share.roles["held"], share.roles["withdrawn"])
            for agent, share in sorted(of.items())
        ),
        facts=count("fact"),
        held=count("held"),
        withdrawn=count("withdrawn"),
        confirms=count("confirms"),
        lowest=min(trusts, default=None),
        highest=max(trusts, default=None),
        last=None if at is None else from_text(at[0]),
        days=tuple(map(sum, zip(*(share.days for share in of.values()), strict=True))) or (0,) * DAYS,
        bursts=sum(share.bursts for share in of.values()),
        dropped=sum(share.dropped for share in of.values()),
        blocked_for=tuple(sorted(blocked)),
        trust_set=min((trust for trust in given.values() if trust is not None), default=None),
        trust_for=tuple(sorted(given)),
    )  # fmt: skip
