"""All that is shown of one source beside its row: its newest facts, bursts, drops, orders. It never writes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from difflib import SequenceMatcher

from memstation.domain.decisions import EVERY_AGENT
from memstation.domain.instants import from_text
from memstation.domain.names import fold_name, visible
from memstation.read.events import event_row
from memstation.read.listing import LIST_SQL, Lister
from memstation.read.log_rows import log_rows
from memstation.read.querying import IN_LIST, in_list, quick, quick_one
from memstation.read.reads import reads_of_origin
from memstation.read.rows import FactRow, LogRow
from memstation.read.source_rows import SourceDetail
from memstation.read.sources import first_seq, origins
from memstation.store.database import Snapshot
from memstation.store.schema import SHOWN_ROLES

NEWEST = 20
"""Facts that the detail of a source lists."""
MOST_NEAR = 3
MOST_DROPS = 200
_ALIKE = 0.88

_AGENTS = "SELECT DISTINCT agent_id FROM memories INDEXED BY memories_origin WHERE origin IS ?"
_FIRST = f"""SELECT at FROM journal WHERE seq = (SELECT seq FROM memories WHERE n = (
    SELECT min(n) FROM memories INDEXED BY memories_origin
    WHERE origin IS ? AND agent_id IN {IN_LIST} AND role <> 'erased'))"""
_MADE = f"""SELECT count(DISTINCT d.child_n) FROM memories AS m INDEXED BY memories_origin
    CROSS JOIN derived AS d ON d.parent_n = m.n WHERE m.origin IS ? AND m.agent_id IN {IN_LIST}"""
_NEWEST = f"""SELECT {LIST_SQL} FROM memories WHERE n IN (
    SELECT n FROM memories INDEXED BY memories_origin WHERE origin IS ? AND agent_id IN {IN_LIST} AND {SHOWN_ROLES}
    ORDER BY n DESC LIMIT {NEWEST}) ORDER BY n DESC"""
_BURSTS = f"""SELECT DISTINCT substr(j.at, 1, 10) FROM events AS e CROSS JOIN memories AS m ON m.n = e.n
    CROSS JOIN journal AS j ON j.seq = e.seq
    WHERE e.seq >= ? AND e.n IS NOT NULL AND m.origin IS ? AND m.agent_id IN {IN_LIST}
    AND json_valid(e.detail) AND json_extract(e.detail, '$.reason') = 'burst' ORDER BY 1 DESC"""
_DROPS = f"""SELECT kind, agent_id, origin, detail FROM events INDEXED BY events_dropped
    WHERE n IS NULL AND seq >= ? AND origin IS ? AND detail <> '{{}}' AND (? IS NULL OR agent_id = ?)
    ORDER BY seq DESC LIMIT {MOST_DROPS}"""
_RULING = f"""SELECT max(seq) FROM orders INDEXED BY orders_ruling
    WHERE about = ? AND verdict = ? AND rules = 1 AND value = ? AND agent_id IN {IN_LIST}"""


def source_detail(conn: Snapshot, origin: str | None, agent_id: str | None, now: str) -> SourceDetail:
    """All about one source, as far as one agent was told by it, or all of them."""
    agents = [agent_id] if agent_id is not None else [str(name) for (name,) in quick(conn, _AGENTS, (origin,))]
    told = (origin, in_list(agents))
    since = first_seq(conn, now)
    first = quick_one(conn, _FIRST, told)
    made = quick_one(conn, _MADE, told)
    lister = Lister(conn, now)
    drops = quick(conn, _DROPS, (since, origin, agent_id, agent_id))
    return SourceDetail(
        origin=origin,
        first=None if first is None else from_text(first[0]),
        made_from=0 if made is None else made[0],
        bursts=tuple(_day(day) for (day,) in quick(conn, _BURSTS, (since, *told))),
        rules=tuple(dict.fromkeys(rule for values in drops for rule in event_row(*values).rules)),
        newest=tuple(_newest(conn, lister, told)),
        reads=reads_of_origin(conn, origin, agent_id, now),
        near=near_named(origin, origins(conn)) if origin is not None else (),
        blocked_by=_ruling(conn, "origin", "blocked", origin, agents),
        trust_by=_ruling(conn, "origin_trust", "set", origin, agents),
    )


def near_named(name: str, others: Iterable[str], most: int = MOST_NEAR) -> tuple[str, ...]:
    """Other names that look nearly like this one, the nearest first: those that are easily taken for it."""
    folded = _looks(name)
    found: list[tuple[float, str]] = []
    for other in others:
        if other == name or abs(len(other) - len(name)) > 3:
            continue
        alike = SequenceMatcher(None, folded, _looks(other))
        if alike.quick_ratio() >= _ALIKE and (ratio := alike.ratio()) >= _ALIKE:
            found.append((-ratio, other))
    return tuple(other for _ratio, other in sorted(found)[:most])


def _looks(name: str) -> str:
    return fold_name(visible(name))


def _newest(conn: Snapshot, lister: Lister, told: tuple[object, ...]) -> list[FactRow]:
    return [lister.row(values) for values in quick(conn, _NEWEST, told)]


def _day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _ruling(conn: Snapshot, about: str, verdict: str, origin: str | None, agents: Iterable[str]) -> LogRow | None:
    """The newest decision of those that rule about the source."""
    if origin is None:
        return None
    found = quick_one(conn, _RULING, (about, verdict, origin, in_list([*agents, EVERY_AGENT])))
    rows = [] if found is None or found[0] is None else log_rows(conn, [found[0]])
    return rows[0] if rows else None
