"""The names of an agent: groups, suggestions, and how many facts hold about each. It never writes.

One pass over the facts that hold counts them by name; what is shown of single facts is looked up by number after it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from memstation.domain.aliases import Aliases, Link
from memstation.domain.instants import from_text
from memstation.domain.names import fold_name
from memstation.read.conflict_rows import Conflict, NameGroup, NameRow, Suggested
from memstation.read.querying import IN_LIST, in_list, quick
from memstation.store.database import Snapshot
from memstation.store.schema import SHOWN_ROLES

_LINKS = """SELECT o.subject, o.value, o.seq, o.at, j.actor FROM orders AS o INDEXED BY orders_ruling
    CROSS JOIN journal AS j ON j.seq = o.seq
    WHERE o.about = 'alias' AND o.agent_id = ? AND o.rules = 1 AND o.verdict = 'joined' ORDER BY o.seq, o.k"""
_SUGGESTED = """SELECT o.subject, o.value, o.seq, o.at, j.actor, j.reason
    FROM orders AS o INDEXED BY orders_ruling CROSS JOIN journal AS j ON j.seq = o.seq
    WHERE o.about = 'suggestion' AND o.agent_id = ? AND o.rules = 1 AND o.verdict = 'suggested'
    ORDER BY o.seq DESC, o.k"""
_NAMED = """SELECT agent_id FROM orders INDEXED BY orders_ruling
    WHERE rules = 1 AND about IN ('alias', 'suggestion') AND verdict IN ('joined', 'suggested')
    GROUP BY agent_id ORDER BY count(*) DESC, agent_id LIMIT 1"""
_HOLDING = f"""memories INDEXED BY memories_page WHERE agent_id = ? AND {SHOWN_ROLES} AND role = 'fact'
    AND valid_from <= ? AND (valid_until IS NULL OR valid_until > ?) AND subject IS NOT NULL"""
_SUBJECTS = f"SELECT subject, n FROM {_HOLDING}"
_KNOWN = f"""SELECT DISTINCT {{0}} FROM memories INDEXED BY memories_learned
    WHERE agent_id = ? AND {SHOWN_ROLES} AND role = 'fact' AND {{0}} IS NOT NULL"""
_VALUES = f"SELECT subject, predicate, object_key FROM memories WHERE n IN {IN_LIST}"


@dataclass(frozen=True, slots=True)
class Joins:
    """The standing joins of an agent: the groups they make, and what is known of each."""

    names: Aliases
    links: Mapping[str, tuple[Link, str, str]] = field(default_factory=dict)
    """By folded alias: the join, its time as stored text, who decided."""


def joins(conn: Snapshot, agent_id: str) -> Joins:
    """The standing joins of an agent."""
    links: dict[str, tuple[Link, str, str]] = {}
    for alias, canonical, seq, at, actor in quick(conn, _LINKS, (agent_id,)):
        links[fold_name(alias or "")] = Link(alias or "", canonical or "", seq), at, actor
    return Joins(Aliases(link for link, _, _ in links.values()), links)


@dataclass(slots=True)
class Census:
    """How many facts hold about each name now, and which ones do about those that were asked for."""

    counts: dict[str, int] = field(default_factory=dict)
    newest: dict[str, int] = field(default_factory=dict)
    """By folded name: `n` of the fact told last."""
    spelled: dict[str, str] = field(default_factory=dict)
    """By folded name: as its first fact spells it."""
    numbers: dict[str, list[int]] = field(default_factory=dict)
    """By folded name, of the wanted ones: `n` of every fact."""


def census(conn: Snapshot, agent_id: str, wanted: Iterable[str], now: str) -> Census:
    """Count the facts that hold at `now` (stored text) by the folded name that they are about."""
    by_spelling: defaultdict[str, list[int]] = defaultdict(list)
    for subject, n in quick(conn, _SUBJECTS, (agent_id, now, now)):
        by_spelling[subject].append(n)
    found, asked = Census(), set(wanted)
    for spelling, numbers in by_spelling.items():
        name = fold_name(spelling)
        if not name:
            continue
        found.counts[name] = found.counts.get(name, 0) + len(numbers)
        found.newest[name] = max(found.newest.get(name, 0), *numbers)
        found.spelled.setdefault(name, spelling)
        if name in asked:
            found.numbers.setdefault(name, []).extend(numbers)
    return found


def known_names(conn: Snapshot, agent_id: str) -> dict[str, str]:
    """Every name that facts of an agent are about, then what they have as values: by folded name, as it is spelled."""
    found: dict[str, str] = {}
    for column in ("subject", "object"):
        told = {fold_name(text): text for (text,) in quick(conn, _KNOWN.format(column), (agent_id,))}
        for name in sorted(told):
            if name:
                found.setdefault(name, told[name])
    return found


def named_agent(conn: Snapshot) -> str | None:
    """The agent with the most joins and suggestions that stand; None where none has any."""
    found = quick(conn, _NAMED)
    return None if not found else str(found[0][0])


def groups(agent_id: str, joined: Joins, counted: Census, conflicts: Iterable[Conflict]) -> tuple[NameGroup, ...]:
    """Every group of names, the one with the most facts first."""
    times: defaultdict[str, int] = defaultdict(int)
    for conflict in conflicts:
        if conflict.kind == "disagree":
            times[joined.names.title(conflict.names[0])] += 1
    found = [
        NameGroup(agent_id, tuple(name_row(name, joined, counted) for name in members), times[members[0]])
        for members in joined.names.groups()
    ]
    return tuple(sorted(found, key=lambda group: (-group.facts, group.title)))


def name_row(name: str, joined: Joins, counted: Census) -> NameRow:
    """One folded name of a group."""
    spelled = joined.names.spelled(name)
    title = joined.names.spelled(joined.names.title(name))
    shown = counted.spelled.get(name, spelled) if spelled == name else spelled
    row = NameRow(shown, counted.counts.get(name, 0), title=title)
    if name not in joined.links or joined.names.title(name) == name:
        return row
    link, at, actor = joined.links[name]
    return replace(row, under=link.canonical, seq=link.seq, at=from_text(at), actor=actor)


def suggested(conn: Snapshot, agent_id: str, joined: Joins) -> list[Suggested]:
    """What waits for a person, the newest first, without counts of facts; what is one name by now is left out."""
    rows = [
        Suggested(agent_id, alias or "", canonical or "", seq, from_text(at), actor, reason, 0, 0)
        for alias, canonical, seq, at, actor, reason in quick(conn, _SUGGESTED, (agent_id,))
    ]
    return [row for row in rows if not joined.names.are_one(row.alias, row.canonical)]


def with_facts(conn: Snapshot, rows: Iterable[Suggested], joined: Joins, counted: Census) -> tuple[Suggested, ...]:
    """Suggestions with the number of facts about either name, and of those that both have."""
    told = []
    for row in rows:
        sides = [
            [n for name in joined.names.together(side) for n in counted.numbers.get(name, ())]
            for side in (row.alias, row.canonical)
        ]
        said = [
            {(fold_name(predicate or ""), value) for _, predicate, value in quick(conn, _VALUES, (in_list(side),))}
            if side else set()
            for side in sides
        ]  # fmt: skip
        told.append(replace(row, shared=len(said[0] & said[1]), facts=sum(map(len, sides))))
    return tuple(told)
