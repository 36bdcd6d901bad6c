"""What is held for review, and the verdicts on it."""

from __future__ import annotations

from collections.abc import Sequence

from memstation.domain.decisions import Applied
from memstation.domain.origins import OPERATOR
from memstation.engine.base import Base
from memstation.guard import shape
from memstation.ops import review, review_card
from memstation.read.gate_rows import RejectedRow
from memstation.read.review_rows import HeldCard, HeldRow, ReviewCounts
from memstation.read.rows import LogRow


class Reviewing(Base):
    """The queue and its verdicts."""

    def queue(self, agent: str | None = None, *, lapsed: bool = False) -> list[HeldRow]:
        """What is held and waits for a person (or what ran out undecided); the weakest trust first."""
        return self.reader.queue(None if agent is None else shape.agent_of(agent), lapsed=lapsed)

    def pending(self, agent: str | None = None) -> list[HeldRow]:
        """What is held and waits for a person; the seed's name for `queue`."""
        return self.queue(agent)

    def review_counts(self, agent: str | None = None) -> ReviewCounts:
        """How many wait, by how pressing they are."""
        return self.reader.review_counts(agent)

    def held_card(self, id: str, *, actor: str = OPERATOR) -> HeldCard | None:
        """All that is shown of one held memory, with what each verdict would do; None when it is not held."""
        return review_card.card(self.ledger, self.reader, id, actor)

    def last_verdicts(self, actor: str = OPERATOR, limit: int = 10) -> list[LogRow]:
        """Somebody's newest verdicts, newest first, those taken back among them."""
        return self.reader.verdicts(actor, shape.limit_of(limit))

    def approve(
        self, ids: Sequence[str], *, actor: str = OPERATOR, raise_trust: bool = False, reason: str = ""
    ) -> Applied:
        """Held memories take their places; see `ops.review.approve`. One decision, whatever their number."""
        self.expire_due()
        return self.decide(
            lambda looking: review.approve(looking, ids, actor=actor, raise_trust=raise_trust, reason=reason)
        )

    def deny(self, ids: Sequence[str], *, actor: str = OPERATOR, reason: str = "") -> Applied:
        """Held memories are withdrawn and their values rejected; see `ops.review.deny`."""
        self.expire_due()
        return self.decide(lambda looking: review.deny(looking, ids, actor=actor, reason=reason))

    def rejected(self, agent: str | None = None) -> list[RejectedRow]:
        """The values that a person rejected, the newest first, each with how often it came again."""
        return self.reader.rejected(None if agent is None else shape.agent_of(agent))

    def lift(self, places: Sequence[tuple[int, int]], *, actor: str = OPERATOR, reason: str = "") -> Applied:
        """Rejected values, by (`seq`, `k`) of their rows, may be said again; see `ops.review.lift`."""
        return self.decide(lambda looking: review.lift(looking, places, actor=actor, reason=reason))

    def expire_due(self) -> Applied | None:
        """Let what ran out undecided lapse; None when nothing has. Safe to call again, and from several processes.

        One decision takes at most 2,000, so that no other writer waits long: call it until it gives None.
        """
        with self.ledger.looking() as looking:
            if review.lapse(looking) is None:
                return None
        with self.ledger.writing() as writing:
            decision = review.lapse(writing)
            return None if decision is None else writing.apply(decision)
