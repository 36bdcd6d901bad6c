"""Conflicts: joined names whose facts disagree, names that look alike, values that go to and fro. It never writes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from memstation.domain.aliases import Aliases
from memstation.domain.instants import from_text, to_text
from memstation.domain.names import fact_key, fold_name, is_blank
from memstation.domain.origins import OPERATOR
from memstation.read import alike, naming
from memstation.read.conflict_rows import (
    AgentNames,
    Conflict,
    JoinPreview,
    NameGroup,
    NameRow,
    NamesDue,
    Side,
    conflict_key,
)
from memstation.read.naming import Census, Joins
from memstation.read.predicates import ManyRules
from memstation.read.querying import IN_LIST, in_list, quick
from memstation.read.records import moment
from memstation.store.database import Snapshot
from memstation.store.schema import SHOWN_ROLES

WINDOW = timedelta(days=30)
"""In which a value must go to and fro to be told."""
FLAPS = 4
"""Values in a row, of only two kinds in turn, that are told: A, B, A, B."""
SHOWN_LINES = 20_000
"""Properties that changed often enough to be looked at."""
MOST_TURNS = 100
"""Changes of one property that are counted."""
SHOWN_SIDES = 20
"""Facts of one disagreement."""
SHOWN_PAIRS = 1_000
"""Pairs of names that look alike."""
_CHARS = 200

_SIDE = (
    f"n, id, subject, predicate, object, substr(content, 1, {_CHARS}), valid_from, valid_until, origin, origin_trust"
)
_SIDES = f"SELECT {_SIDE} FROM memories WHERE n IN {IN_LIST} ORDER BY valid_from DESC, n DESC"
_HOLDS = f"""SELECT {_SIDE} FROM memories INDEXED BY memories_fact WHERE fact_key = ? AND role = 'fact'
    AND valid_from <= ? AND (valid_until IS NULL OR valid_until > ?)"""
_RECENT = """role = 'fact' AND valid_from > ? AND valid_from <= ?
    AND (valid_until IS NULL OR valid_until > valid_from)"""
_SEVERAL = f"""SELECT line_key FROM memories INDEXED BY memories_page
    WHERE agent_id = ? AND {SHOWN_ROLES} AND subject IS NOT NULL AND predicate IS NOT NULL AND {_RECENT}
    GROUP BY line_key HAVING count(*) >= {FLAPS} LIMIT {SHOWN_LINES}"""
_TURNS = f"""SELECT n, object_key, valid_from FROM memories INDEXED BY memories_line
    WHERE line_key = ? AND stands = 1 AND {_RECENT} ORDER BY valid_from DESC, n DESC LIMIT {MOST_TURNS}"""
_DISMISSED = """SELECT value FROM orders INDEXED BY orders_ruling
    WHERE about = 'conflict' AND agent_id = ? AND rules = 1 AND verdict = 'dismissed'"""


def names_of(conn: Snapshot, agent_id: str, now: str) -> AgentNames:
    """All about the names of an agent at `now` (stored text): groups, suggestions, conflicts."""
    joined = naming.joins(conn, agent_id)
    waiting = naming.suggested(conn, agent_id, joined)
    wanted = {name for members in joined.names.groups() for name in members}
    wanted |= {name for row in waiting for side in (row.alias, row.canonical) for name in joined.names.together(side)}
    counted = naming.census(conn, agent_id, wanted, now)
    found = disagreements(conn, agent_id, joined.names, counted, now)
    found += flapping(conn, agent_id, now)
    found += _alike(conn, agent_id, joined.names, counted)
    off = _dismissed(conn, agent_id)
    open_ = tuple(conflict for conflict in found if conflict.key not in off)
    return AgentNames(
        agent_id,
        naming.groups(agent_id, joined, counted, open_),
        naming.with_facts(conn, waiting, joined, counted),
        open_,
        tuple(conflict.marked(True) for conflict in found if conflict.key in off),
        is_partial=len(counted.counts) > alike.MOST,
    )


def disagreements(conn: Snapshot, agent_id: str, names: Aliases, counted: Census, now: str) -> list[Conflict]:
    """Facts under joined names that say different things of one property, the newest first."""
    found = []
    many = ManyRules(conn)
    for members in names.groups():
        held = sorted((name for name in members if counted.numbers.get(name)), key=counted.counts.__getitem__)
        if len(held) < 2:
            continue
        *few, most = held
        told: defaultdict[str, list[Side]] = defaultdict(list)
        for side in _sides(conn, [n for name in few for n in counted.numbers[name]]):
            if side.predicate and not many.holds_many(agent_id, side.predicate):
                told[fold_name(side.predicate)].append(side)
        for predicate, sides in told.items():
            # Of the name with the most facts only those are looked up that can disagree.
            key = fact_key(agent_id, most, predicate)
            sides += [_side(row) for row in quick(conn, _HOLDS, (key, now, now))]
            sides.sort(key=lambda side: (side.valid_from, side.n), reverse=True)
        found += [_disagreement(agent_id, sides) for sides in told.values() if _differ(sides)]
    return sorted(found, key=lambda conflict: (conflict.sides[0].valid_from, conflict.sides[0].n), reverse=True)


def _differ(sides: Sequence[Side]) -> bool:
    return len({fold_name(side.name) for side in sides}) > 1 and len({fold_name(side.value) for side in sides}) > 1


def _disagreement(agent_id: str, sides: Sequence[Side]) -> Conflict:
    shown = tuple(sides[:SHOWN_SIDES])
    names = tuple(dict.fromkeys(side.name for side in shown))
    values = tuple(f"{side.name}\n{side.value}" for side in sides)
    return Conflict(
        "disagree", agent_id, conflict_key("disagree", names, sides[0].predicate, values), names, sides[0].predicate,
        shown,
    )  # fmt: skip


def flapping(conn: Snapshot, agent_id: str, now: str) -> list[Conflict]:
    """Values that went to and fro between two in the last days, the newest first."""
    since = to_text(from_text(now) - WINDOW)
    found = []
    for (line,) in quick(conn, _SEVERAL, (agent_id, since, now)):
        told = quick(conn, _TURNS, (line, since, now))
        turns = _in_turn([value for _, value, _ in told])
        if turns < FLAPS:
            continue
        sides = _sides(conn, [n for n, _, _ in told[:2]])
        names, predicate = (sides[0].name,), sides[0].predicate
        values = tuple(side.value for side in sides)
        days = (from_text(told[0][2]) - from_text(told[turns - 1][2])).days + 1
        key = conflict_key("flaps", names, predicate, values)
        found.append(Conflict("flaps", agent_id, key, names, predicate, tuple(sides), times=turns, days=days))
    return sorted(found, key=lambda conflict: (conflict.sides[0].valid_from, conflict.sides[0].n), reverse=True)


def _in_turn(values: Sequence[bytes]) -> int:
    """How many of the newest values, which come first, are two in turn."""
    turns = 1
    while turns < len(values) and values[turns] != values[turns - 1]:
        if turns > 1 and values[turns] != values[turns - 2]:
            break
        turns += 1
    return turns


def _alike(conn: Snapshot, agent_id: str, names: Aliases, counted: Census) -> list[Conflict]:
    pairs = [pair for pair in alike.alike(counted.counts) if not names.are_one(pair[0], pair[1])]
    pairs.sort(key=lambda pair: max(counted.newest[pair[0]], counted.newest[pair[1]]), reverse=True)
    pairs = pairs[:SHOWN_PAIRS]
    wanted = [counted.newest[name] for one, other, _ in pairs for name in (one, other)]
    by_n = {side.n: side for side in _sides(conn, wanted)}
    found = []
    for one, other, how in pairs:
        sides = tuple(_counted(by_n[counted.newest[name]], counted.counts[name]) for name in (one, other))
        key = conflict_key("alike", (one, other), None, ())
        spelled = (counted.spelled[one], counted.spelled[other])
        found.append(Conflict("alike", agent_id, key, spelled, None, sides, likeness=how))
    return found


def _counted(side: Side, facts: int) -> Side:
    return replace(side, facts=facts)


def joined_groups(conn: Snapshot, agent_id: str, now: str) -> tuple[NameGroup, ...]:
    """The groups of names of an agent, without their conflicts."""
    joined = naming.joins(conn, agent_id)
    return naming.groups(agent_id, joined, naming.census(conn, agent_id, (), now), ()) if joined.names else ()


def preview_join(conn: Snapshot, agent_id: str, canonical: str, alias: str, now: str) -> JoinPreview:
    """What would be one if `alias` joined `canonical` now, and which disagreements that would bring."""
    joined = naming.joins(conn, agent_id)
    after = joined.names.joined(alias, canonical)
    members = after.together(alias)
    counted = naming.census(conn, agent_id, members, now)
    link = joined.names.link_of(alias)
    rows = tuple(naming.name_row(name, Joins(after, joined.links), counted) for name in members)
    before = {conflict.key for conflict in disagreements(conn, agent_id, joined.names, counted, now)}
    told = disagreements(conn, agent_id, after.only(members), counted, now)
    return JoinPreview(
        agent_id, rows[0].name, rows, None if link is None else link.canonical,
        tuple(conflict for conflict in told if conflict.key not in before),
    )  # fmt: skip


def names_due(conn: Snapshot, agent_id: str, seen: int, now: str, *, looks: bool = True) -> NamesDue:
    """What Today says about the names of an agent; next to nothing to do where none is joined or suggested.

    Args:
        conn: a reading connection.
        agent_id: whose names.
        seen: the newest decision that the last visit saw.
        now: the present as stored text.
        looks: whether disagreements are looked for, which takes one pass over the agent's facts.
    """
    joined = naming.joins(conn, agent_id)
    waiting = len(naming.suggested(conn, agent_id, joined))
    if not joined.names:
        return NamesDue(agent_id, waiting)
    found: list[Conflict] = []
    if looks:
        every = [name for members in joined.names.groups() for name in members]
        off = _dismissed(conn, agent_id)
        counted = naming.census(conn, agent_id, every, now)
        found = [each for each in disagreements(conn, agent_id, joined.names, counted, now) if each.key not in off]
    rows = tuple(
        NameRow(
            link.alias,
            0,
            link.canonical,
            joined.names.spelled(joined.names.title(link.alias)),
            link.seq,
            from_text(at),
            actor,
        )
        for link, at, actor in joined.links.values()
        if link.seq > seen and actor != OPERATOR
    )
    return NamesDue(agent_id, waiting, rows, tuple(found))


def _dismissed(conn: Snapshot, agent_id: str) -> set[str]:
    return {value for (value,) in quick(conn, _DISMISSED, (agent_id,))}


def _sides(conn: Snapshot, numbers: Iterable[int]) -> list[Side]:
    return [_side(row) for row in quick(conn, _SIDES, (in_list(numbers),))]


def _side(row: Sequence[Any]) -> Side:
    n, id_, subject, predicate, object_, content, start, until, origin, trust = row
    value = content if is_blank(object_) else object_
    return Side(subject or "", n, id_, predicate, value, from_text(start), moment(until), origin, trust)
