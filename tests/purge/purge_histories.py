"""Random histories with several sources and memories made from others, and what a purge must make of them.

What is purged, tainted and supported is computed here from the definitions, by brute force over the whole history.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memstation.domain.decisions import Claim, Decision, End, Mark, Statement

from engine_histories import Author, Dice
from engine_oracle import Belief, History

SOURCES = ("channel:x", "channel:y", "user_direct", "agent_derived", "tool_echo:t", "operator")
INDEPENDENT = ("operator", "user_direct", "import", "channel", "mcp_external")


class SourcedAuthor(Author):
    """Claims that cite earlier ones, and ends told by any source."""

    def __init__(self, dice: Dice, history: History) -> None:
        super().__init__(dice, history)
        self.ends: list[End] = []

    def claim(self) -> Claim:
        claim = replace(super().claim(), origin=self.dice.pick(SOURCES))
        earlier = [c for c in self.claims[:-1] if c.agent_id == claim.agent_id or self.dice.below(3) == 0][-8:]
        if earlier and self.dice.below(5) < 2:
            cited = {self.dice.pick(earlier).id for _ in range(self.dice.pick((1, 1, 2)))}
            claim = replace(claim, derived_from=tuple(sorted(cited)))
        self.claims[-1] = claim
        return claim

    def end(self) -> Statement:
        statement = super().end()
        if isinstance(statement, End):
            statement = replace(statement, origin=self.dice.pick(SOURCES))
            self.ends.append(statement)
        return statement


def head(origin: str | None) -> str:
    return (origin or "unattributed").split(":")[0]


def without(history: History, origin: str) -> History:
    """The history that there would be had a source never told anything."""
    gone = {s.id for _, _, d in history.decisions for s in d.statements if told_by(s, origin)}
    kept = History()
    for seq, at, decision in history.decisions:
        left = tuple(s for s in decision.statements if getattr(s, "id", None) not in gone)
        kept.tell(seq, at, replace(decision, statements=left))
    return kept


def told_by(statement: Statement, origin: str) -> bool:
    return isinstance(statement, Claim | End) and statement.origin == origin


def marked(history: History, *marks: Mark) -> History:
    """The history with one more decision."""
    seq, at, _ = history.decisions[-1]
    return History([*history.decisions, (seq + 1, at, Decision("hold", "operator", marks))])


class Tainted:
    """What the purge of a source reaches, by the definitions."""

    def __init__(self, history: History, origin: str) -> None:
        claims = [s for _, _, d in history.decisions for s in d.statements if isinstance(s, Claim)]
        self.all = {claim.id: claim for claim in claims}
        self.purged = {claim.id for claim in claims if claim.origin == origin}
        belief = history.belief()
        self.rows: dict[str, Any] = belief.rows()
        self.together = segments(belief)
        self.supported: set[str] = set()
        tainted = self._closure(lambda _: True, set(self.all))
        while True:
            self.tainted, self.supported = tainted, self._supported(tainted)
            tainted = self._closure(lambda n: n in self.purged or n not in self.supported, tainted)
            if tainted == self.tainted:
                break
        cites = {c for c in self.tainted if self.cited(c) & (self.purged | self.tainted)}
        self.echoes = self.tainted - cites
        self.derived = cites
        self.held = {c for c in cites if c not in self.supported}

    def cited(self, claim: str) -> set[str]:
        return {s for s in self.all[claim].derived_from if s in self.all}

    def echoes_of(self, claim: str) -> set[str]:
        others = self.together.get(claim, set()) - {claim} - self.purged
        return {o for o in others if head(self.all[o].origin) not in INDEPENDENT}

    def _closure(self, is_gone: Any, within: set[str]) -> set[str]:
        """What is reached, of what was reached before: an echo that turned out to be supported stays out."""
        found: set[str] = set()
        while True:
            reached = self.purged | found
            more = {c for c in self.all if self.cited(c) & reached and self.all[c].origin != "operator"}
            for claim in reached:
                if is_gone(claim):
                    more |= {e for e in self.echoes_of(claim) if e not in self.supported}
            more = (more & within) - self.purged
            if more <= found:
                return found
            found |= more

    def _supported(self, tainted: set[str]) -> set[str]:
        def stands(claim: str) -> bool:
            others = self.together.get(claim, set()) - self.purged - tainted
            return any(head(self.all[o].origin) in INDEPENDENT for o in others)

        good = {c for c in tainted if stands(c) or any(map(stands, self.cited(c)))}
        while more := {c for c in tainted if self.cited(c) & good} - good:
            good |= more
        return good


def segments(belief: Belief) -> dict[str, set[str]]:
    """By id of each claim that is part of a fact: the ids of all of that fact."""
    found: dict[str, set[str]] = {}
    for line in belief.lines().values():
        for stretch in line.stretches():
            ids = {belief.by_number[n].id for n in stretch.members}
            found |= {member: ids for member in ids}
    return found
