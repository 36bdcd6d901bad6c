"""What can be done about a source: purge, block, trust it. It holds no rule of its own."""

from __future__ import annotations

from collections.abc import Sequence

from memstation.domain.decisions import EVERY_AGENT, Applied
from memstation.domain.instants import InstantLike
from memstation.domain.origins import OPERATOR
from memstation.domain.purging import NOTHING, PurgeChoices, PurgePlan, PurgeReport, taken_back
from memstation.engine.base import Base
from memstation.guard import shape
from memstation.ops import block, purge
from memstation.ops import trust as trusts
from memstation.store.ledger import Looking, changed
from memstation.store.purging import has_told


class Purging(Base):
    """What can be done about a source."""

    def preview_purge(
        self,
        agent: str | None,
        origin: str,
        since: InstantLike | None = None,
        *,
        choices: PurgeChoices | None = None,
        reason: str = "",
    ) -> PurgeReport:
        """What `invalidate_by_origin` would do now; nothing is written, and no lock is taken."""
        with self.ledger.looking() as looking:
            plan = self._planned(looking, agent, origin, since, choices, OPERATOR, reason)
            return PurgeReport(plan, None if plan.decision is None else looking.preview(plan.decision))

    def invalidate_by_origin(
        self,
        agent: str | None,
        origin: str,
        since: InstantLike | None = None,
        *,
        choices: PurgeChoices | None = None,
        actor: str = OPERATOR,
        reason: str = "",
        expect: str | None = None,
    ) -> PurgeReport:
        """Withdraw what an origin told, and hold what was made from it; see `ops.purge.planned`.

        Args:
            agent: whose memories; None (or ``*``) for every agent's.
            origin: compared exactly, never as a part.
            since: only what was learned at or after this instant (an aware datetime or ISO text).
            choices: block, remember, spare; see `PurgeChoices`.
            actor: who decides.
            reason: why, for the log.
            expect: `PurgeReport.digest` of a preview.

        Returns:
            What it did; with nothing to withdraw all is empty, `seq` is None, and nothing was written.

        Raises:
            InvalidInput: the origin is blank, or `since` lies ahead.
            Changed: the effects are not those that were previewed.
        """
        with self.ledger.writing() as writing:
            plan = self._planned(writing, agent, origin, since, choices, actor, reason)
            if plan.decision is None:
                if expect not in (None, NOTHING):
                    raise changed()
                return PurgeReport(plan, None)
            applied = writing.apply(plan.decision, expect)
        return PurgeReport(plan, applied.effects, applied.seq)

    def preview_undo_purge(self, seq: int) -> PurgeReport:
        """What taking a purge back would do now: the same counts, as far as nothing else was decided since.

        Raises:
            NotFound: no such decision.
            Refused: it is no purge, or has been taken back already.
        """
        with self.ledger.looking() as looking:
            plan = purge.marked(looking, seq)
        return taken_back(plan, self.ledger.preview(self.ledger.undoing(seq, OPERATOR)))

    def undo_purge(
        self, seq: int, *, actor: str = OPERATOR, reason: str = "", expect: str | None = None
    ) -> PurgeReport:
        """Take a purge back, and say what that did; `undo` does the same without a report."""
        with self.ledger.looking() as looking:
            plan = purge.marked(looking, seq)
        applied = self.ledger.undo(seq, actor, reason, expect)
        return taken_back(plan, applied.effects, applied.seq)

    def near_origins(self, origin: str) -> tuple[str, ...]:
        """Other sources with a name that can be mistaken for this one; the nearest first, three at most."""
        with self.ledger.looking() as looking:
            return purge.near(looking, origin)

    def has_told(self, agent: str | None, origin: str) -> bool:
        """Whether a source has told an agent (None, ``*``: any) anything yet: an order about it may be a slip."""
        with self.ledger.looking() as looking:
            return has_told(looking.cursor, origin, _everybody(agent))

    def block_origin(self, agent: str | None, origin: str, *, actor: str = OPERATOR, reason: str = "") -> Applied:
        """Hold what an origin writes from now on, for an agent or for all (None, ``*``); see `ops.block.blocking`."""
        return self._block(agent, origin, "blocked", actor, reason)

    def unblock_origin(self, agent: str | None, origin: str, *, actor: str = OPERATOR, reason: str = "") -> Applied:
        """Let an origin write again; see `ops.block.blocking`."""
        return self._block(agent, origin, "unblocked", actor, reason)

    def _block(self, agent: str | None, origin: str, verdict: str, actor: str, reason: str) -> Applied:
        who, why = _everybody(agent) or EVERY_AGENT, shape.repaired(reason)
        return self.decide(lambda looking: block.blocking(looking, who, origin, verdict, actor=actor, reason=why))

    def set_trust(self, ids: Sequence[str], trust: float, *, actor: str = OPERATOR, reason: str = "") -> Applied:
        """Have memories count for so much, 0 to 1; see `ops.trust.of_memories`."""
        why = shape.repaired(reason)
        return self.decide(lambda looking: trusts.of_memories(looking, ids, trust, actor=actor, reason=why))

    def promote(self, ids: Sequence[str], *, actor: str = OPERATOR, reason: str = "") -> Applied:
        """Have memories count for as much as what a person tells (1.0); their origins stay."""
        why = shape.repaired(reason)
        return self.decide(
            lambda looking: trusts.of_memories(looking, ids, trusts.CURATED, actor=actor, reason=why, kind="promote")
        )

    def set_origin_trust(
        self, agent: str | None, origin: str, trust: float | None, *, actor: str = OPERATOR, reason: str = ""
    ) -> Applied:
        """Have an origin count for so much, for an agent or for all; None: for what its class allows again.

        See `ops.trust.of_origin`.
        """
        who, why = _everybody(agent) or EVERY_AGENT, shape.repaired(reason)
        return self.decide(lambda looking: trusts.of_origin(looking, who, origin, trust, actor=actor, reason=why))

    def _planned(
        self,
        looking: Looking,
        agent: str | None,
        origin: str,
        since: InstantLike | None,
        choices: PurgeChoices | None,
        actor: str,
        reason: str,
    ) -> PurgePlan:
        return purge.planned(
            looking, origin, agent_id=_everybody(agent), actor=actor, since=since, choices=choices,
            reason=shape.repaired(reason),
        )  # fmt: skip


def _everybody(agent: str | None) -> str | None:
    """The agent; None for all of them."""
    return None if agent is None or agent == EVERY_AGENT else shape.agent_of(agent)
