"""Join two names: what would be one, which name stays the title; tab swaps them. It must not decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.widgets import Static

from memstation.domain.decisions import Decision, Effects
from memstation.read.conflict_rows import JoinPreview
from memstation.station.dialogs.base import Choice
from memstation.station.dialogs.proposal import INSIDE, ProposalDialog
from memstation.station.render.cells import Run, runs
from memstation.station.render.names_detail import preview_rows
from memstation.station.render.provenance import joined
from memstation.station.render.safe import Safe
from memstation.station.render.show import content
from memstation.station.widgets.pane import TextPane
from memstation.station.words import _

NAME = 26
"""Cells of a name in the line of the direction."""


@dataclass(frozen=True, slots=True)
class JoinDraft:
    """Which name joins which."""

    canonical: str
    """The name that stays."""
    alias: str

    @property
    def swapped(self) -> JoinDraft:
        """The other way round."""
        return JoinDraft(self.alias, self.canonical)


class JoinDialog(ProposalDialog[JoinDraft]):
    """Returns the join as it was shown; `previews` holds what `propose` found out of each direction."""

    def __init__(
        self,
        draft: JoinDraft,
        propose: Callable[[JoinDraft], tuple[Decision, Effects]],
        previews: dict[JoinDraft, JoinPreview],
        note: Safe | None = None,
    ) -> None:
        super().__init__(_("Join two names?"), propose, note)
        self.kept = draft
        self._previews = previews

    def compose_body(self) -> ComposeResult:
        """The direction, then what would be one."""
        yield Static(id="direction")
        yield TextPane(id="preview", classes="spaced")

    def choices(self) -> Sequence[Choice]:
        """No first."""
        return [Choice("n", _("No, keep them apart"), "no"), Choice("y", _("Yes, join"), "yes")]

    def footer(self) -> Sequence[tuple[str, Safe, bool]]:
        """Yes, no, swap."""
        return [("y", _("yes, join"), False), ("n", _("no"), False), ("tab", _("the other way round"), False),
                ("up/down", _("look through"), False), ("escape", _("no"), False)]  # fmt: skip

    def fill(self) -> None:
        """Show the direction."""
        self._turn(self.kept)

    def _turn(self, draft: JoinDraft) -> None:
        self.kept = draft
        self.query_one("#direction", Static).update(content([
            *joined(runs(draft.alias, "strong"), NAME), (Safe("  ->  "), "key"),
            *joined(runs(draft.canonical, "strong"), NAME), (_("   tab swaps them"), "muted"),
        ]))  # fmt: skip
        self.changed()

    def draft(self) -> JoinDraft:
        """The direction that is shown."""
        return self.kept

    def do_dialog_button(self, step: str) -> None:
        """The other way round."""
        self._turn(self.kept.swapped)

    def effect_rows(self, draft: JoinDraft, effects: Effects) -> Sequence[Sequence[Run]]:
        """What would be one."""
        return preview_rows(self._previews[draft], self.station.now(), INSIDE)
