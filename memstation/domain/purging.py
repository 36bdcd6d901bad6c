"""What the purge of a source reaches, and what it or its undo did. Plain data; nothing here reads or writes a store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

from memstation.domain.decisions import Decision, Effects, FactChange
from memstation.domain.holding import VOIDED

PURGED = "origin_purge"
"""Stamp of what a purged source told (seed 000, D1)."""

PURGE_STAMPS = (PURGED, VOIDED)
"""Reasons of the marks by which a purge withdraws: what stood, and what was never let in."""

CONTAMINATED = "contaminated"
"""Why what was made from it is held, and its trust cut."""

NOTHING = "nothing"
"""Digest of a purge that found nothing to do: no effects have it, those of a purge that only marks anew neither."""

TAINTED_CAP = 0.1
"""The most that a memory made from something purged is trusted (seed 000, D1)."""


@dataclass(frozen=True, slots=True)
class PurgeChoices:
    """What the operator chose."""

    block: bool = True
    """Hold what the source writes from now on."""
    remember: bool = True
    """Hold the purged values when anybody tells them again."""
    spare_derived: bool = False
    """Leave what was made from them in use, with its trust cut."""


@dataclass(frozen=True, slots=True)
class PurgePlan:
    """What a purge would say, and which memories it reaches. Ids each, in the order told."""

    agent_id: str | None
    """None: every agent."""
    origin: str
    since: datetime | None
    choices: PurgeChoices
    decision: Decision | None
    """None where there is nothing to purge."""
    withdrawn: tuple[str, ...] = ()
    """What the source told and what stood: facts, and what only confirmed one."""
    states: Mapping[str, int] = field(default_factory=dict)
    """How many of them were ``current``, ``scheduled``, ``closed``, or just ``evidence``."""
    agents: Mapping[str, int] = field(default_factory=dict)
    """How many of them each agent was told."""
    voided: tuple[str, ...] = ()
    """What the source told and what waits for a person."""
    already: tuple[str, ...] = ()
    """What the source told and what was withdrawn before, by a purge or otherwise: no undo of that brings it back."""
    contaminated: tuple[str, ...] = ()
    """Made from it, and held."""
    spared: tuple[str, ...] = ()
    """Made from it, and left in use with the trust cut."""
    confirmations: tuple[str, ...] = ()
    """What only echoed it (a class that is not independent), and is held."""
    rejected: int = 0
    """Distinct values that are remembered as rejected."""
    beyond: tuple[str, ...] = ()
    """Of these three what is another agent's than `agent_id`: what is poisoned is so for all."""
    came_from: Mapping[str, str] = field(default_factory=dict)
    """By id, for what was made from it or echoed it: the memory by which it was reached first."""


@dataclass(frozen=True)
class PurgeReport:
    """What a purge does (`seq` is None: would do), or what taking it back does (`is_undo`). Ids each."""

    plan: PurgePlan
    effects: Effects | None
    """None where nothing is to be done."""
    seq: int | None = None
    is_undo: bool = False

    @property
    def withdrawn(self) -> tuple[str, ...]:
        """What the source told and what stood; for an undo: what stands again."""
        return self.plan.withdrawn

    @property
    def voided(self) -> tuple[str, ...]:
        """Held memories of the source that leave the queue; for an undo: that are in it again."""
        return self.plan.voided

    @property
    def already(self) -> tuple[str, ...]:
        """What was withdrawn before, and would have come back with an undo of that; none for an undo."""
        return () if self.is_undo else self.plan.already

    @property
    def contaminated(self) -> tuple[str, ...]:
        """What was made from it and is held; for an undo: what is let go."""
        return self.plan.contaminated

    @property
    def spared(self) -> tuple[str, ...]:
        """What was made from it and stays in use, its trust cut; for an undo: what is trusted as before."""
        return self.plan.spared

    @property
    def confirmations(self) -> tuple[str, ...]:
        """What only echoed it and is held; for an undo: what is let go."""
        return self.plan.confirmations

    @property
    def beyond(self) -> tuple[str, ...]:
        """What was made from it by other agents than the purge is about; none for an undo."""
        return () if self.is_undo else self.plan.beyond

    @property
    def rejected(self) -> int:
        """Values remembered as rejected; for an undo: lifted."""
        return self.plan.rejected

    @property
    def digest(self) -> str:
        """Give it as `expect` to have done just what was previewed; `NOTHING` where there was nothing to do."""
        return NOTHING if self.effects is None else self.effects.digest

    @cached_property
    def reinstated(self) -> tuple[str, ...]:
        """Facts that are current again; for an undo: those that close again."""
        states = ("current", "closed") if self.is_undo else ("closed", "current")
        return tuple(change.id for change in self._changes if (change.state_before, change.state) == states)

    @cached_property
    def carried(self) -> tuple[str, ...]:
        """Facts that go on under another memory's id: what another source told of the same."""
        return tuple(c.id for c in self._changes if c.state_before is None and c.state in ("current", "scheduled"))

    @cached_property
    def emptied(self) -> tuple[str, ...]:
        """Facts that were current and whose subject and predicate have no value any more."""
        left = set(() if self.effects is None else self.effects.emptied)
        found: dict[tuple[str, str, str], str] = {}
        for change in self._changes if left else ():
            key = (change.agent_id, change.subject or "", change.predicate or "")
            if change.state_before == "current" and key in left:
                found.setdefault(key, change.id)
        return tuple(found.values())

    @cached_property
    def paths(self) -> Mapping[str, tuple[str, ...]]:
        """For each memory made from it or echoing it: the ids from the purged one to itself."""
        return {tainted: self.path(tainted) for tainted in self.plan.came_from}

    def path(self, memory_id: str) -> tuple[str, ...]:
        """The ids that lead from a purged memory to this one; just its own where it was told by the source."""
        chain = [memory_id]
        while (before := self.plan.came_from.get(chain[-1])) is not None:
            chain.append(before)
        return tuple(reversed(chain))

    @property
    def _changes(self) -> tuple[FactChange, ...]:
        return () if self.effects is None else self.effects.changes


def counted(values: Iterable[str]) -> dict[str, int]:
    """How often each value is there, the most frequent first."""
    return dict(Counter(values).most_common())


def taken_back(plan: PurgePlan, effects: Effects, seq: int | None = None) -> PurgeReport:
    """The report of an undo, from all that the purge marked and what taking it back does now.

    Only what changes counts: a memory that another decision withdrew meanwhile stays away.
    """
    changed = {change.id: change for change in effects.changes if change.state != "withdrawn"}

    def still(ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(memory_id for memory_id in ids if memory_id in changed)

    purged = still((*plan.withdrawn, *plan.voided))
    back = tuple(memory_id for memory_id in purged if changed[memory_id].state != "held")
    return PurgeReport(
        replace(
            plan, withdrawn=back, voided=tuple(memory_id for memory_id in purged if memory_id not in set(back)),
            states=counted(changed[memory_id].state or "evidence" for memory_id in back),
            agents=counted(changed[memory_id].agent_id for memory_id in back),
            contaminated=still(plan.contaminated), spared=still(plan.spared), confirmations=still(plan.confirmations),
            rejected=sum(1 for order in effects.orders if order.about == "rejected" and not order.rules),
        ),
        effects, seq, is_undo=True,
    )  # fmt: skip
