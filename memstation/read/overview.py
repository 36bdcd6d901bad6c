"""What Today shows: what changed since the last visit, what waits, what is due, what agents have. It never writes."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

from memstation.domain.instants import from_text, to_text
from memstation.read.agents import agent_names, counts, writes
from memstation.read.changes import changes_since
from memstation.read.conflict_rows import NamesDue
from memstation.read.conflicts import names_due
from memstation.read.events import dropped_from, dropped_since, gate_counts
from memstation.read.listing import LIST_SQL, Lister
from memstation.read.log_rows import ENTRY_SQL, from_entries
from memstation.read.querying import ask, ask_one, quick
from memstation.read.rows import AgentRow, DueRow, LogRow, Overview
from memstation.read.waiting import waiting
from memstation.store.database import Snapshot
from memstation.store.schema import SHOWN_ROLES

SHOWN_DUE = 100
SHOWN_DROPS = 3
LOOKED_BACK = 100_000
"""Decisions among which somebody's own newest one is looked for: there is no index by actor."""

MOST_COMPARED = 50_000
"""Facts of an agent up to which joined names that disagree are told here; beyond, their room finds them."""

AHEAD = timedelta(days=1)
"""How far ahead a start or an end is worth telling."""

_CHANGED = ("closed", "moved", "came_back", "released", "withdrawn", "trust")
"""Kinds of change, in the journal's counts, of facts that were there before."""

_SEEN = "SELECT max(seq) AS seq FROM journal WHERE at <= ?"
_LAST_N = "SELECT last_n FROM journal WHERE seq <= ? AND last_n IS NOT NULL ORDER BY seq DESC LIMIT 1"
_COUNTS = "SELECT agent_id, counts, count(*) AS times FROM journal WHERE seq > ? GROUP BY agent_id, counts"
_ENDS = f"""SELECT {LIST_SQL} FROM memories INDEXED BY memories_boundary
    WHERE agent_id = ? AND valid_until IS NOT NULL AND role = 'fact' AND valid_until > ? AND valid_until <= ?
    AND superseded_by IS NULL AND valid_from <= ? ORDER BY valid_until LIMIT {SHOWN_DUE}"""
_STARTS = f"""SELECT {LIST_SQL} FROM memories INDEXED BY memories_page
    WHERE agent_id = ? AND {SHOWN_ROLES} AND valid_from > ? AND valid_from <= ? AND role = 'fact'
    AND (valid_until IS NULL OR valid_until > valid_from) ORDER BY valid_from LIMIT {SHOWN_DUE}"""
_HEAD = f"SELECT {ENTRY_SQL} FROM journal ORDER BY seq DESC LIMIT 1"
_MINE = f"""SELECT {ENTRY_SQL} FROM journal
    WHERE seq > (SELECT max(seq) FROM journal) - {LOOKED_BACK} AND actor = ?
    AND seq NOT IN (SELECT seq FROM lifted WHERE to_seq IS NULL) ORDER BY seq DESC LIMIT 1"""


def overview(conn: Snapshot, since: datetime | None, me: str, now: str) -> Overview:
    """What Today shows.

    Args:
        conn: a reading connection.
        since: the last visit; None on the first, to which everything is new and nothing has changed.
        me: the actor whose own newest decision is wanted.
        now: the present as stored text.
    """
    seen = _seen(conn, since)
    names = agent_names(conn)
    have = counts(conn, names, _last_n(conn, seen), now)
    wrote = writes(conn, names, now)
    changed = {} if since is None else _changed(conn, seen)
    dropped = dropped_since(conn, seen)
    rows = [
        AgentRow(
            agent_id=name,
            facts=have[name].current,
            new=have[name].new,
            changed=changed.get(name, 0),
            held=have[name].held,
            last_write=wrote[name].last,
            days=wrote[name].days,
            dropped=dropped.get(name, 0),
        )
        for name in names
    ]
    lister = Lister(conn, now)
    return Overview(
        since=since,
        agents=tuple(sorted(rows, key=lambda row: (-row.facts, row.agent_id))),
        due=_due(conn, lister, names, now),
        held_count=sum(row.held for row in rows),
        changes=changes_since(conn, lister, seen),
        new=sum(row.new for row in rows),
        changed=sum(changed.values()),
        head=head(conn),
        mine=_first(conn, _MINE, (me,)),
        waiting=waiting(conn, seen, now),
        gate=gate_counts(conn, now),
        dropped=sum(dropped.values()),
        names=_names(conn, rows, seen, now),
        dropped_from=() if since is None else tuple(dropped_from(conn, seen, SHOWN_DROPS)),
    )


def _names(conn: Snapshot, agents: Sequence[AgentRow], seen: int, now: str) -> tuple[NamesDue, ...]:
    found = [names_due(conn, row.agent_id, seen, now, looks=row.facts <= MOST_COMPARED) for row in agents]
    return tuple(due for due in found if due.suggested or due.joined or due.conflicts)


def head(conn: Snapshot) -> LogRow | None:
    """The newest decision."""
    return _first(conn, _HEAD, ())


def _first(conn: Snapshot, sql: str, values: Sequence[object]) -> LogRow | None:
    rows = from_entries(conn, ask(conn, sql, values))
    return rows[0] if rows else None


def _seen(conn: Snapshot, since: datetime | None) -> int:
    """The newest decision that the last visit saw."""
    found = None if since is None else ask_one(conn, _SEEN, (to_text(since),))
    return 0 if found is None else found.seq or 0


def _last_n(conn: Snapshot, seen: int) -> int:
    found = ask_one(conn, _LAST_N, (seen,))
    return 0 if found is None else int(found[0])


def _changed(conn: Snapshot, seen: int) -> dict[str, int]:
    """Changes of facts that were there before, by the agent that decisions name."""
    changed: dict[str, int] = defaultdict(int)
    for row in ask(conn, _COUNTS, (seen,)):
        told = json.loads(row.counts)
        changed[row.agent_id] += row.times * sum(int(told.get(kind, 0)) for kind in _CHANGED)
    return changed


def _due(conn: Snapshot, lister: Lister, agents: Sequence[str], now: str) -> tuple[DueRow, ...]:
    """What starts or ends within a day, soonest first. An end where another value takes over is that one's start."""
    until = to_text(from_text(now) + AHEAD)
    due: list[DueRow] = []
    for agent in agents:
        for fact in map(lister.row, quick(conn, _ENDS, (agent, now, until, now))):
            due += [DueRow(fact, fact.valid_until, starts=False)] if fact.valid_until is not None else []
        for fact in map(lister.row, quick(conn, _STARTS, (agent, now, until))):
            due.append(DueRow(fact, fact.valid_from, starts=True))
    return tuple(sorted(due, key=lambda row: (row.at, row.fact.n))[:SHOWN_DUE])
