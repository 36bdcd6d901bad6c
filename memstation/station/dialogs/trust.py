"""Sets the trust of a source or of a fact, with what would change. It must not set it: the app does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from memstation.domain.decisions import Decision, Effects
from memstation.station.dialogs.base import Choice
from memstation.station.dialogs.proposal import ProposalDialog
from memstation.station.render.cells import Run
from memstation.station.render.effects import effects_counts, effects_lines
from memstation.station.render.safe import Safe
from memstation.station.render.show import content
from memstation.station.widgets.field import Field
from memstation.station.widgets.pane import TextPane
from memstation.station.words import _


@dataclass(frozen=True, slots=True)
class TrustDraft:
    """What was typed."""

    trust: str = ""
    reason: str = ""


def read_trust(text: str) -> float | None:
    """A number from 0 to 1; None where what was typed is none."""
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return None
    return number if 0 <= number <= 1 else None


class TrustDialog(ProposalDialog[TrustDraft]):
    """Returns what was proposed, None for no.

    Args:
        title: whose trust.
        about: what stands now, in a line.
        propose: makes the decision of a draft, with its effects.
        can_unset: whether nothing typed gives the trust of the class back.
        draft: what is filled in at first.
        note: what else must be known.
    """

    def __init__(
        self,
        title: Safe,
        about: Sequence[Run],
        propose: Callable[[TrustDraft], tuple[Decision, Effects]],
        *,
        can_unset: bool,
        draft: TrustDraft | None = None,
        note: Safe | None = None,
    ) -> None:
        super().__init__(title, propose, note)
        self.about, self.can_unset = about, can_unset
        self.kept = draft or TrustDraft()

    def compose_body(self) -> ComposeResult:
        """What stands now, two fields, what would change."""
        yield Static(content(self.about))
        with Horizontal(classes="line spaced"):
            yield Static(content([(_("Trust"), "muted")]), classes="label")
            yield Field(self.kept.trust, placeholder=self._empty_means(), id="trust")
        with Horizontal(classes="line"):
            yield Static(content([(_("Why"), "muted")]), classes="label")
            yield Field(self.kept.reason, placeholder=_("kept in the log"), id="reason")
        yield TextPane(id="preview", classes="spaced")

    def _empty_means(self) -> Safe:
        return _("0 to 1; empty: what its class allows") if self.can_unset else _("0 to 1; 1 is that of your own words")

    def choices(self) -> Sequence[Choice]:
        """No first."""
        return [Choice("n", _("No, keep"), "no"), Choice("y", _("Yes, set it"), "yes")]

    def footer(self) -> Sequence[tuple[str, Safe, bool]]:
        """What the keys do."""
        return [("enter", _("next field"), False), ("y", _("yes"), False), ("n", _("no"), False),
                ("escape", _("leave the field, no"), False)]  # fmt: skip

    def fill(self) -> None:
        """Say what would change, where something is filled in."""
        self.changed()

    def start(self) -> None:
        """Write."""
        self.query_one("#trust", Field).focus()

    def draft(self) -> TrustDraft:
        """What is typed."""
        self.kept = TrustDraft(*(self.query_one(name, Field).value.strip() for name in ("#trust", "#reason")))
        return self.kept

    def is_unfinished(self, draft: TrustDraft) -> Safe:
        """No number yet."""
        if not draft.trust:
            return Safe("") if self.can_unset else _("Write a number from 0 to 1.")
        return Safe("") if read_trust(draft.trust) is not None else _("That is no number from 0 to 1.")

    def effect_rows(self, draft: TrustDraft, effects: Effects) -> Sequence[Sequence[Run]]:
        """What would count for more or less."""
        counts = effects_counts(effects)
        rows = effects_lines(effects, self.station.glyphs, self.station.now())
        return [counts, *rows] if counts else rows
