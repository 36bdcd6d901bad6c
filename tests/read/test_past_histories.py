"""Random histories: what was recorded after every decision is what a comparison of any two moments shows."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from memstation.read.past import PastSource
from memstation.read.rows import PastMoment, PastRow
from read_stores import Store, open_store

from engine_histories import DAYS, EPOCH, Author, Seeded
from engine_oracle import Belief, History, folded, worded

INSTANTS = [EPOCH + timedelta(days=number, hours=hours) for number in range(DAYS + 3) for hours in (0, 12)]
AGENTS = ("ada", "bo")

Said = tuple[Any, ...]
"""What a belief says: id, start, end, trust."""


@dataclass
class Believed:
    """What an agent believed at a moment, by the definitions: facts by their folded names, or a note's id."""

    by_fact: dict[tuple[str, ...], dict[str, Said]]
    many: set[tuple[str, ...]]


def believed(belief: Belief, agent: str, at: datetime) -> Believed:
    instant = at.isoformat(timespec="microseconds")
    found: dict[tuple[str, ...], dict[str, Said]] = {}
    many = set()
    for key, line in belief.lines().items():
        if key[1] != agent:
            continue
        fact = key[:4]
        if key[0] == "fact" and len(key) > 4:
            many.add(fact)
        holder = line.holder_at(instant)
        if holder is None:
            continue
        stretch = next(s for s in line.stretches() if s.founder == holder.n)
        shown = belief.by_number[stretch.shown]
        value = (worded(shown.object), worded(shown.content))
        said = (shown.id, stretch.start, stretch.until, belief.shown_trust(stretch), value)
        found.setdefault(fact, {})[folded(shown.object) or folded(shown.content)] = said
    return Believed(found, many)


def compared(then: Believed, now: Believed) -> set[Said]:
    """Every row that a list of everything must have: kind, and what is said on either side."""
    rows = set()
    for fact in then.by_fact.keys() | now.by_fact.keys():
        before, after = then.by_fact.get(fact, {}), now.by_fact.get(fact, {})
        # A fact of which nothing is believed at a moment has no line there that could say whether it holds many.
        many = (fact in then.many and before) or (fact in now.many and after)
        if many:
            pairs = [(before.get(o), after.get(o)) for o in before.keys() | after.keys()]
        else:
            pairs = [(next(iter(before.values()), None), next(iter(after.values()), None))]
        for one, other in pairs:
            if one is None or other is None:
                kind = "new" if one is None else "gone"
            else:
                kind = "same" if one[3:] == other[3:] else "changed"
            rows.add((kind, one and one[:4], other and other[:4]))
    return rows


def said(fact: Any) -> Said | None:
    if fact is None:
        return None
    start, until = (
        None if m is None else m.isoformat(timespec="microseconds") for m in (fact.valid_from, fact.valid_until)
    )
    return (fact.id, start, until, fact.trust)


def listed(source: PastSource) -> list[PastRow]:
    rows = source.head()
    anchors = source.anchors()
    assert anchors.count == len(rows), "the histories are shorter than a page"
    keys = [source.key(row) for row in rows]
    assert keys == sorted(keys, reverse=True) and len({*keys}) == len(keys) and len({r.key for r in rows}) == len(rows)
    if keys:
        assert anchors.keys == (keys[0],)
        assert source.page(keys[-1]) == rows[-1:] and source.index_of(keys[-1]) == len(keys) - 1
    return rows


def shown(rows: list[PastRow]) -> set[Said]:
    return {(row.kind, said(row.then), said(row.now)) for row in rows}


def source_between(store: Store, agent: str, then: PastMoment, now: PastMoment, *, differences: bool) -> PastSource:
    return PastSource(
        store.database, store.clock, agent, lambda conn, present: (then, now), only_differences=differences
    )


class Told:
    """A store with a random history, and what was believed after each of its decisions."""

    def __init__(self, store: Store, seed: int, steps: int) -> None:
        self.store = store
        self.history = History()
        dice = Seeded(seed)
        author = Author(dice, self.history)
        store.now = EPOCH + timedelta(days=4)
        for _ in range(steps):
            decision = author.decision()
            store.advance(minutes=dice.below(3))
            applied = store.ledger.apply(decision)
            self.history.tell(applied.seq, applied.at, decision)
        self.head = len(self.history.decisions)
        self._beliefs: dict[int, Belief] = {}

    def belief(self, seq: int) -> Belief:
        if seq not in self._beliefs:
            self._beliefs[seq] = self.history.belief(seq)
        return self._beliefs[seq]

    def expected(self, agent: str, then: PastMoment, now: PastMoment) -> set[Said]:
        return compared(*(believed(self.belief(m.seq), agent, m.at) for m in (then, now)))

    def answer(self, agent: str, row: PastRow, seq: int, at: datetime) -> Said | None:
        """What was believed of what a row is about: value and trust."""
        found = believed(self.belief(seq), agent, at)
        fact = ("note", agent, (row.then or row.now).id)  # type: ignore[union-attr]
        if fact not in found.by_fact:
            fact = ("fact", agent, folded(row.subject), folded(row.predicate))
        facts = found.by_fact.get(fact, {})
        if ":" in row.key:
            side = row.now or row.then
            facts = {o: s for o, s in facts.items() if side and o == (folded(side.object) or folded(side.content))}
        return tuple(sorted(((s[3:]) for s in facts.values()), key=repr))

    def check_cause(self, agent: str, row: PastRow, then: PastMoment, now: PastMoment) -> None:
        """The newest decision before which something else was believed about now; else time alone."""
        final = self.answer(agent, row, now.seq, now.at)
        expected = None
        for seq in range(now.seq, then.seq, -1):
            if self.answer(agent, row, seq - 1, now.at) != final:
                expected = seq
                break
        assert (None if row.cause is None else row.cause.seq) == expected, f"{row}"
        if expected is not None:
            assert row.cause is not None and row.since == row.cause.at
            return
        assert row.since is not None and min(then.at, now.at) < row.since <= max(then.at, now.at)
        just_before = row.since - timedelta(microseconds=1)
        answers = [self.answer(agent, row, then.seq, at) for at in (just_before, row.since)]
        if then.at < now.at:
            assert answers[1] == final and answers[0] != final
        else:
            assert answers[0] == final and answers[1] != final


def moments(dice: random.Random, head: int) -> tuple[PastMoment, PastMoment]:
    first, second = sorted((dice.randrange(head + 1), dice.choice([head, head, dice.randrange(head + 1)])))
    at, later = dice.choice(INSTANTS), dice.choice(INSTANTS)
    if dice.randrange(3) == 0:
        later = at
    return PastMoment(at, first, at), PastMoment(later, second, later)


def check(path: Path, seed: int, steps: int, pairs: int) -> None:
    dice = random.Random(seed)
    with open_store(path) as store:
        told = Told(store, seed, steps)
        for _ in range(pairs):
            agent = dice.choice(("ada", "ada", "bo"))
            then, now = moments(dice, told.head)
            expected = told.expected(agent, then, now)
            everything = listed(source_between(store, agent, then, now, differences=False))
            assert shown(everything) == expected, f"{agent} {then} {now}"
            differences = listed(source_between(store, agent, then, now, differences=True))
            assert differences == [row for row in everything if row.kind != "same"]
            for row in everything:
                assert row.agent_id == agent
                if row.kind == "same":
                    assert row.cause is None and row.since is None
                else:
                    told.check_cause(agent, row, then, now)


@pytest.mark.parametrize("seed", range(6))
def test_any_two_moments_compare_as_they_were_believed(tmp_path: Path, seed: int) -> None:
    check(tmp_path / "store.db", seed, steps=40, pairs=30)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_any_two_moments_of_long_histories_compare_as_they_were_believed(tmp_path: Path, seed: int) -> None:
    check(tmp_path / "store.db", seed, steps=120, pairs=40)
