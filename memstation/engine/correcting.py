"""The operator's decisions on facts, and taking a decision back."""

from __future__ import annotations

from memstation.domain.decisions import Applied, Effects
from memstation.domain.instants import InstantLike
from memstation.domain.origins import OPERATOR
from memstation.engine.base import Base
from memstation.guard import shape
from memstation.ops import correct, forget
from memstation.store.purging import Source


class Correcting(Base):
    """Changes of mind, each one decision."""

    def retract(
        self,
        id: str,
        *,
        agent_id: str | None = None,
        actor: str = OPERATOR,
        reason: str = "",
        reject: bool = True,
    ) -> Applied:
        """It was never true; see `ops.correct.never_true`."""
        return self.decide(
            lambda looking: correct.never_true(
                looking, id, actor=actor, agent_id=agent_id, reason=reason, reject=reject
            )
        )

    def made_from(self, id: str) -> list[Source]:
        """What a memory was made from: where that is wrong, it is the place to correct."""
        with self.ledger.looking() as looking:
            return correct.made_from(looking, id)

    def end(
        self,
        id: str,
        at: InstantLike,
        *,
        agent_id: str | None = None,
        actor: str = OPERATOR,
        reason: str = "",
    ) -> Applied:
        """It stopped being true at an instant; see `ops.correct.stopped_being_true`."""
        return self.decide(
            lambda looking: correct.stopped_being_true(
                looking, id, at, self._make_id, actor=actor, agent_id=agent_id, reason=reason
            )
        )

    def correct_value(
        self,
        id: str,
        *,
        object: str | None,
        content: str | None = None,
        agent_id: str | None = None,
        actor: str = OPERATOR,
        reason: str = "",
    ) -> Applied:
        """The value is wrong; see `ops.correct.value_is`."""
        return self.decide(
            lambda looking: correct.value_is(
                looking,
                id,
                self._make_id,
                actor=actor,
                object=object,
                content=content,
                agent_id=agent_id,
                reason=reason,
            )
        )

    def expire_by_subject(self, agent: str, subject: str, *, reason: str, actor: str = OPERATOR) -> int:
        """End every fact about a subject, spelled just so, now, stamped with `reason`. Returns how many.

        Raises:
            InvalidInput: the subject is blank.
        """
        with self.ledger.writing() as writing:
            decision = correct.expired(
                writing, shape.agent_of(agent), subject, self._make_id, actor=actor, reason=reason
            )
            if decision is None:
                return 0
            effects = writing.apply(decision).effects
            return len(effects.of("closed", "withdrawn", "moved"))

    def set_predicate(
        self, agent: str, predicate: str, rule: str, *, actor: str = OPERATOR, reason: str = ""
    ) -> Applied:
        """Say whether a predicate holds `one` value or `many`, for an agent or for all (`*`)."""
        return self.decide(lambda looking: correct.holds(looking, agent, predicate, rule, actor=actor, reason=reason))

    def preview_undo(self, seq: int) -> Effects:
        """What taking a decision back would do now."""
        return self.ledger.preview(self.ledger.undoing(seq, OPERATOR))

    def undo(self, seq: int, *, actor: str = OPERATOR, reason: str = "", expect: str | None = None) -> Applied:
        """Take a whole decision back (an undo too).

        Raises:
            NotFound: no such decision.
            Refused: it has been taken back already, cannot be, or would bring back a value that was rejected since.
        """
        return self.ledger.undo(seq, actor, reason, expect)

    def preview_forget(self, agent: str, about: str, *, mentions: bool = False) -> forget.Forgetting:
        """What an erasure of a person would reach; nothing is written. Its `phrase` is what `forget` wants."""
        with self.ledger.looking() as looking:
            return forget.forgetting(looking, agent, about, mentions=mentions)

    def forget(
        self, agent: str, about: str, *, phrase: str, mentions: bool = False, actor: str = OPERATOR
    ) -> forget.Forgotten:
        """Erase a person for good; see `ops.forget.forget`. It cannot be taken back."""
        return forget.forget(self.ledger, agent, about, phrase=phrase, actor=actor, mentions=mentions)
