"""Who writes here, and how much each has: counts by index. It never writes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import get_close_matches

from memstation.domain.instants import from_text, to_text
from memstation.read.querying import ask, ask_one
from memstation.store.database import Snapshot
from memstation.store.schema import SHOWN_ROLES

DAYS = 14
"""Days of writes that are counted."""

_NAMES = f"""SELECT agent_id FROM agents WHERE EXISTS (
    SELECT 1 FROM memories INDEXED BY memories_learned WHERE memories.agent_id = agents.agent_id AND {SHOWN_ROLES})
    ORDER BY agent_id"""
_SHOWN = f"SELECT count(*) FROM memories INDEXED BY memories_learned WHERE agent_id = ? AND {SHOWN_ROLES} AND n > ?"
_HELD = "SELECT count(*) FROM memories INDEXED BY memories_held WHERE agent_id = ? AND quarantined = 1 AND n > ?"
_OVER = """SELECT count(*) FROM memories INDEXED BY memories_boundary
    WHERE agent_id = ? AND valid_until IS NOT NULL AND role = 'fact' AND valid_until <= ?"""
_AHEAD = f"""SELECT count(*) FROM memories INDEXED BY memories_page
    WHERE agent_id = ? AND {SHOWN_ROLES} AND valid_from > ? AND role = 'fact'"""
_WITHDRAWN = """SELECT agent_id, n FROM memories WHERE role = 'withdrawn' AND n IN (
    SELECT n FROM marks WHERE stands = 1 AND kind IN ('withdrawn', 'denied', 'lapsed')
    UNION SELECT m.n FROM lifted CROSS JOIN journal ON journal.seq = lifted.seq
        CROSS JOIN memories AS m ON m.n BETWEEN journal.first_n AND journal.last_n
        WHERE lifted.to_seq IS NULL)"""
"""There is no index by role: what is withdrawn is found through what withdrew it."""

_WRITES = """SELECT agent_id, substr(at, 1, 10) AS day, sum(last_n - first_n + 1) AS writes, max(at) AS at
    FROM journal WHERE at >= ? AND first_n IS NOT NULL AND agent_id <> '' GROUP BY agent_id, day"""
_MIXED = """SELECT m.agent_id, substr(j.at, 1, 10) AS day, count(*) AS writes, max(j.at) AS at
    FROM journal AS j CROSS JOIN memories AS m ON m.n BETWEEN j.first_n AND j.last_n
    WHERE j.at >= ? AND j.first_n IS NOT NULL AND j.agent_id = '' GROUP BY m.agent_id, day"""
_LAST = f"""SELECT at FROM journal WHERE seq = (SELECT seq FROM memories INDEXED BY memories_learned
    WHERE agent_id = ? AND {SHOWN_ROLES} ORDER BY n DESC LIMIT 1)"""


def agent_names(conn: Snapshot) -> list[str]:
    """Every agent that has memories, by name."""
    return [row.agent_id for row in ask(conn, _NAMES)]


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like this one; None when none is."""
    by_lower = {other.lower(): other for other in known}
    like = get_close_matches(name.strip().lower(), by_lower, n=1, cutoff=0.5)
    return by_lower[like[0]] if like else None


@dataclass(frozen=True, slots=True)
class Counts:
    """How many memories an agent has."""

    current: int
    held: int
    new: int
    """Facts that it was told after a moment."""


def counts(conn: Snapshot, agents: Iterable[str], after_n: int, now: str) -> dict[str, Counts]:
    """What each agent has now, and how much of it was told after the row `after_n`."""
    withdrawn: dict[str, list[int]] = defaultdict(list)
    for row in ask(conn, _WITHDRAWN):
        withdrawn[row.agent_id].append(row.n)

    def count(sql: str, *values: object) -> int:
        found = ask_one(conn, sql, values)
        return 0 if found is None else int(found[0])

    def facts(agent: str, after: int) -> int:
        gone = sum(n > after for n in withdrawn[agent])
        return count(_SHOWN, agent, after) - count(_HELD, agent, after) - gone

    found = {}
    for agent in agents:
        every = facts(agent, 0)
        found[agent] = Counts(
            current=every - count(_OVER, agent, now) - count(_AHEAD, agent, now),
            held=count(_HELD, agent, 0),
            new=facts(agent, after_n) if after_n else every,
        )
    return found


@dataclass(frozen=True, slots=True)
class Writes:
    """When an agent wrote."""

    last: datetime | None
    days: tuple[int, ...]
    """Memories told on each of the last `DAYS` days (UTC), oldest first."""


def writes(conn: Snapshot, agents: Iterable[str], now: str) -> dict[str, Writes]:
    """When each agent wrote, evidence and ends counted."""
    today = from_text(now).replace(hour=0, minute=0, second=0, microsecond=0)
    days = [today - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    since = to_text(days[0])
    told: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    last: dict[str, str] = {}
    for row in (*ask(conn, _WRITES, (since,)), *ask(conn, _MIXED, (since,))):
        told[row.agent_id][row.day] += row.writes
        last[row.agent_id] = max(last.get(row.agent_id, ""), row.at)
    names = [to_text(day)[:10] for day in days]
    return {agent: Writes(_last(conn, agent, last), tuple(told[agent][name] for name in names)) for agent in agents}


def _last(conn: Snapshot, agent: str, known: Mapping[str, str]) -> datetime | None:
    if agent in known:
        return from_text(known[agent])
    found = ask_one(conn, _LAST, (agent,))
    return None if found is None else from_text(found[0])
