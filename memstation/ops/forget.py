"""Forget a person: finds what is about them and builds the erasure. It must not write; the ledger does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memstation.domain.decisions import Decision, Erase
from memstation.domain.errors import InvalidInput, NotFound, Refused
from memstation.domain.names import fold_name
from memstation.guard import shape
from memstation.store import set_aside
from memstation.store.erasable import Erasable
from memstation.store.ledger import Ledger, Looking
from memstation.store.set_aside import CopyState
from memstation.words import N_


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What an erasure would reach."""

    agent_id: str
    about: str
    mentions: bool
    """Whether memories about something else that contain the name go, too."""
    found: Erasable
    copy: Path | None
    """The file set aside when the store was adopted."""

    @property
    def phrase(self) -> str:
        """What a person must type; a store that changes changes it. It is never translated."""
        memories = len(self.found.ids)
        word = "memory" if memories == 1 else "memories"
        also = " and where named" if self.mentions else ""
        # The order of the Log goes with what it is about even where no memory is left.
        return f"erase {memories} {word} of {self.agent_id} about {fold_name(self.about)}{also}"

    def decision(self, actor: str) -> Decision:
        """The decision that erases it."""
        found = self.found
        erase = Erase(found.ids, found.orders, found.marks, found.reasons, found.events)
        return Decision("erasure", actor, (erase,), self.agent_id)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """An erasure that was done."""

    seq: int
    forgetting: Forgetting
    copy: CopyState
    is_scrubbed: bool
    """Whether the blanked text is in no byte of the file any more. If not, the next opening finishes it."""


def forgetting(looking: Looking, agent_id: str, about: str, *, mentions: bool = False) -> Forgetting:
    """Everything of an agent about a name.

    Raises:
        InvalidInput: no name was given.
        NotFound: there is nothing to erase.
    """
    agent = shape.agent_of(agent_id)
    if not fold_name(about):
        raise InvalidInput("Nobody is named", "say about whom", "memstation forget AGENT --about NAME")
    found = looking.erasable(agent, about, mentions=mentions)
    if not (found.ids or found.orders or found.marks or found.reasons):
        one, many = (
            N_("--mentions takes the one memory that only names it"),
            N_("--mentions takes the {count} memories that only name it"),
        )
        hint = "" if not found.mentions else one if len(found.mentions) == 1 else many
        raise NotFound(
            "There is nothing to erase", "{agent} has nothing about {about!r}", hint,
            agent=agent, about=about, count=len(found.mentions),
        )  # fmt: skip
    return Forgetting(agent, about, mentions, found, looking.adopted_copy())


def forget(ledger: Ledger, agent_id: str, about: str, *, phrase: str, actor: str, mentions: bool = False) -> Forgotten:
    """Erase everything of an agent about a name, for good.

    Raises:
        Refused: the phrase is not the one that the preview shows; nothing was erased.
        NotFound: there is nothing to erase.
    """
    copy: CopyState = "none"
    with ledger.writing() as writing:
        plan = forgetting(writing, agent_id, about, mentions=mentions)
        if phrase != plan.phrase:
            raise Refused(
                "The phrase is not the right one",
                "nothing was erased",
                "--dry-run shows what would go, and the phrase to type",
            )
        applied = writing.apply(plan.decision(actor))
        if plan.copy is not None:
            # Before the commit: afterwards nothing in the store says what to look for.
            copy = set_aside.clean(plan.copy, plan.agent_id, plan.found.names, plan.found.ids, mentions)
        if (report := writing.adopted_report()) is not None:
            set_aside.clean_report(report, plan.agent_id, plan.found.names, mentions)
    return Forgotten(applied.seq, plan, copy, ledger.scrub())
