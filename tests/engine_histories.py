"""Random histories of decisions: made on purpose from tiny alphabets, so that ties and overlaps are common.

`Seeded` gives the same history for the same seed; `Drawn` lets hypothesis choose, and so shrink.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeVar

from hypothesis import strategies as st
from memstation.domain.decisions import Claim, Decision, End, Mark, Order, Statement, Undo

from engine_oracle import History

Item = TypeVar("Item")

AGENTS = ("ada", "ada", "ada", "ada", "ada", "bo")
SUBJECTS = ("user", "user", "user", "User ", "acct")
PREDICATES = ("city", "city", "city", "tag")
OBJECTS = ("A", "A", "A", "A", "B", "B", "C", None)
WORDINGS = ("said so", "said so", "said so", "said so", "said so", "said  so", "Said so")
ORIGINS = ("operator", "channel:x", "channel:y", "user_direct", "import:old", "agent_derived", None)
TRUSTS = (0.1, 0.3, 0.5, 0.7, 1.0)
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = 9


class Dice(Protocol):
    """What a history is made with."""

    def below(self, limit: int) -> int: ...

    def pick(self, items: Sequence[Item]) -> Item: ...


class Seeded:
    """Dice that fall the same way for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def below(self, limit: int) -> int:
        return self._random.randrange(limit)

    def pick(self, items: Sequence[Item]) -> Item:
        return self._random.choice(items)


class Drawn:
    """Dice that hypothesis throws."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data

    def below(self, limit: int) -> int:
        return self._data.draw(st.integers(0, limit - 1))

    def pick(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]


def day(number: int) -> str:
    """The stored text of a day's first instant."""
    return (EPOCH + timedelta(days=number)).isoformat(timespec="microseconds")


class Author:
    """Writes one random decision after another, each sound after those told so far."""

    def __init__(self, dice: Dice, history: History) -> None:
        self.dice = dice
        self.history = history
        self.ids = 0
        self.claims: list[Claim] = []
        self.marked: Claim | None = None

    def decision(self) -> Decision:
        if self.history.decisions and self.dice.below(3) == 0:
            undo = self.undo()
            if undo is not None:
                return undo
        makers: list[Callable[[], Statement]] = [self.claim] * 6 + [
            self.end,
            self.mark,
            self.mark,
            self.order,
        ]
        statements = [self.dice.pick(makers)() for _ in range(self.dice.pick([1, 1, 1, 2, 4]))]
        return Decision("store", "operator", tuple(statements), self.dice.pick(AGENTS), "because")

    def undo(self) -> Decision | None:
        """Takes back one decision that stands, sometimes two; undos as often as others."""
        standing = [(seq, decision.kind == "undo") for seq, _, decision in self.history.standing()]
        undos = [seq for seq, is_undo in standing if is_undo]
        others = [seq for seq, is_undo in standing if not is_undo]
        chosen = set()
        for _ in range(self.dice.pick([1, 1, 1, 2])):
            pool = undos if undos and (self.dice.below(2) or not others) else others
            if pool:
                chosen.add(self.dice.pick(pool[-5:]))
        if not chosen:
            return None
        statements: list[Statement] = [Undo(seq) for seq in sorted(chosen)]
        if self.dice.below(8) == 0:
            statements.insert(self.dice.below(2), self.dice.pick((self.claim, self.mark))())
        return Decision("undo", "operator", tuple(statements), "", "a mistake")

    def new_id(self) -> str:
        self.ids += 1
        return f"m_{self.ids:04d}"

    def claim(self) -> Claim:
        start = self.dice.below(DAYS)
        length = self.dice.pick([None, None, None, 1, 2, 4])
        thing = self.dice.pick(OBJECTS)
        is_note = self.dice.below(20) == 0
        claim = Claim(
            id=self.new_id(),
            agent_id=self.dice.pick(AGENTS),
            content=self.dice.pick(WORDINGS),
            asserted_from=day(start),
            asserted_until=None if length is None else day(start + length),
            asserted_trust=self.dice.pick(TRUSTS),
            subject=None if is_note else self.dice.pick(SUBJECTS),
            predicate=self.dice.pick(PREDICATES),
            object=thing,
            origin=self.dice.pick(ORIGINS),
            importance=float(self.dice.below(10)),
            source_event=f"event {self.ids}",
        )
        self.claims.append(claim)
        return claim

    def end(self) -> Statement:
        if not self.claims:
            return self.claim()
        of = self.dice.pick(self.claims)
        return End(
            id=self.new_id(),
            agent_id=of.agent_id,
            at=day(self.dice.below(DAYS)),
            subject=of.subject,
            predicate=of.predicate,
            object=of.object,
            content=of.content,
            of=of.id,
            origin="operator",
            source_event="no longer",
        )

    def mark(self) -> Statement:
        if not self.claims:
            return self.claim()
        if self.marked is None or self.dice.below(2):
            self.marked = self.dice.pick(self.claims[-6:])
        of = self.marked
        kind = self.dice.pick(("withdrawn", "held", "held", "released", "released", "denied", "lapsed", "trust", "cap"))
        value = self.dice.pick(TRUSTS) if kind in ("trust", "cap") else None
        reason = {"held": "burst", "withdrawn": "retracted"}.get(kind, "")
        return Mark(of.id, kind, reason, value)  # type: ignore[arg-type]

    def order(self) -> Order:
        agent = self.dice.pick((*AGENTS, "*", "*"))
        about = self.dice.pick(("predicate", "predicate", "predicate", "alias", "rejected", "origin", "trust"))
        if about == "predicate":
            who = self.dice.pick(("ada", "ada", "*", "bo"))
            return Order("predicate", self.dice.pick(("many", "one")), who, predicate="city")
        if about == "alias":
            verdict = self.dice.pick(("joined", "parted"))
            return Order("alias", verdict, self.dice.pick(AGENTS), subject="the user", value="user")
        if about == "rejected":
            verdict = self.dice.pick(("rejected", "lifted"))
            who = self.dice.pick(AGENTS)
            return Order("rejected", verdict, who, "user", "city", self.dice.pick(("A", "B")))
        if about == "origin":
            return Order("origin", self.dice.pick(("blocked", "unblocked")), agent, value="channel:x")
        if self.dice.below(2):
            return Order("origin_trust", "set", agent, value="channel:y", number=self.dice.pick(TRUSTS))
        return Order("origin_trust", "unset", agent, value="channel:y")
