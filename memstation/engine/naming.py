"""Names that are one, and what disagrees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memstation.domain.decisions import Applied
from memstation.domain.origins import OPERATOR
from memstation.engine.base import Base
from memstation.guard import shape
from memstation.ops import alias as ops
from memstation.ops import differing
from memstation.read.conflict_rows import AgentNames, Conflict, JoinPreview, NameRow


class Naming(Base):
    """Aliases and conflicts."""

    def add_alias(
        self, agent: str, canonical: str, alias: str, *, actor: str = OPERATOR, reason: str = ""
    ) -> Applied | None:
        """`alias` is another name for `canonical` from now on; None when they are one name already.

        Facts stay where they are: a join closes none. See `ops.alias.join`.
        """
        with self.ledger.writing() as writing:
            decision = ops.join(writing, agent, canonical, alias, actor=actor, reason=reason)
            return None if decision is None else writing.apply(decision)

    def remove_alias(self, agent: str, alias: str, *, actor: str = OPERATOR, reason: str = "") -> Applied:
        """A name stands alone again, with the names that were joined to it; see `ops.alias.part`."""
        return self.decide(lambda looking: ops.part(looking, agent, alias, actor=actor, reason=reason))

    def list_aliases(self, agent: str) -> list[NameRow]:
        """Every joined name of an agent, each with the title of its group, and the name that it was joined to."""
        groups = self.reader.aliases(shape.agent_of(agent))
        return [name for group in groups for name in group.names[1:]]

    def names(self, agent: str) -> AgentNames:
        """Groups of names, suggestions, conflicts."""
        return self.reader.names(shape.agent_of(agent))

    def preview_alias(self, agent: str, canonical: str, alias: str) -> JoinPreview:
        """What joining two names would make one, and which disagreements it would bring. Nothing is written.

        Raises:
            As `add_alias`.
        """
        with self.ledger.looking() as looking:
            ops.join(looking, agent, canonical, alias, actor=OPERATOR)
        return self.reader.preview_join(
            shape.agent_of(agent), ops.name_given(canonical, "name"), ops.name_given(alias, "alias")
        )

    def suggest_aliases(
        self, agent: str, pairs: Iterable[tuple[str, str]], *, actor: str = OPERATOR, reason: str = ""
    ) -> Applied | None:
        """Keep (canonical, alias) pairs for the operator to confirm; None when none is new. See `ops.alias.suggest`."""
        with self.ledger.writing() as writing:
            decision = ops.suggest(writing, agent, pairs, actor=actor, reason=reason)
            return None if decision is None else writing.apply(decision)

    def dismiss_aliases(
        self, agent: str, pairs: Sequence[tuple[str, str]], *, actor: str = OPERATOR, reason: str = ""
    ) -> Applied:
        """Suggested (canonical, alias) pairs are two names, and not suggested again; see `ops.alias.dismiss`."""
        return self.decide(lambda looking: ops.dismiss(looking, agent, pairs, actor=actor, reason=reason))

    def conflicts(self, agent: str, *, dismissed: bool = False) -> list[Conflict]:
        """What disagrees under joined names, goes to and fro, or looks alike; or those that were dismissed."""
        found = self.names(agent)
        return list(found.dismissed if dismissed else found.conflicts)

    def dismiss_conflicts(self, conflicts: Sequence[Conflict], *, actor: str = OPERATOR, reason: str = "") -> Applied:
        """They are none, and not listed until their values change; see `ops.differing.dismiss`."""
        return self.decide(lambda looking: differing.dismiss(looking, conflicts, actor=actor, reason=reason))

    def reopen_conflicts(self, conflicts: Sequence[Conflict], *, actor: str = OPERATOR, reason: str = "") -> Applied:
        """They are listed again; see `ops.differing.reopen`."""
        return self.decide(lambda looking: differing.reopen(looking, conflicts, actor=actor, reason=reason))
