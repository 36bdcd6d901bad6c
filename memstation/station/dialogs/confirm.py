"""Asks before something is done, with all that would change. Yes is never the verb's key, and never has the focus."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.widgets import Static

from memstation.station.dialogs.base import Choice, Dialog
from memstation.station.render.cells import Run
from memstation.station.render.safe import Safe
from memstation.station.render.show import content
from memstation.station.widgets.pane import TextPane
from memstation.station.words import _


class ConfirmDialog(Dialog[bool]):
    """Returns whether the answer was yes.

    Args:
        title: the question.
        rows: what would change, line by line (`render.effects`); scrolls when it is long.
        summary: the counts, above the lines.
        note: what else must be known, such as that somebody decided meanwhile.
        yes: what yes does, in words: ``Yes, take back``.
        no: what no does.
    """

    def __init__(
        self,
        title: Safe,
        rows: Sequence[Sequence[Run]],
        *,
        summary: Sequence[Run] = (),
        note: Safe | None = None,
        yes: Safe,
        no: Safe | None = None,
        is_danger: bool = False,
    ) -> None:
        super().__init__(title, is_danger=is_danger)
        self._rows, self._summary, self._note = rows, summary, note
        self._yes, self._no = yes, no or _("No, keep")

    def compose_body(self) -> ComposeResult:
        """Note, counts, lines."""
        if self._note:
            yield Static(content([(self._note, "warning")]))
        if self._summary:
            yield Static(content(self._summary))
        yield TextPane(id="preview", classes="spaced" if self._summary or self._note else None)

    def fill(self) -> None:
        """The lines."""
        self.preview.put(self._rows)

    @property
    def preview(self) -> TextPane:
        """The lines of what would change."""
        return self.query_one("#preview", TextPane)

    def choices(self) -> Sequence[Choice]:
        """No first."""
        return [Choice("n", self._no, "no"), Choice("y", self._yes, "yes")]

    def footer(self) -> Sequence[tuple[str, Safe, bool]]:
        """Yes, no, look through."""
        return [("y", self._yes, False), ("n", self._no, False), ("up/down", _("look through"), False),
                ("escape", _("no"), False)]  # fmt: skip

    def answered(self, answer: str) -> None:
        """Yes or no."""
        self.dismiss(answer == "yes")

    def do_dialog_list(self, step: str) -> None:
        """Look through what would change."""
        self.preview.move(int(step))

    def do_dialog_page(self, step: str) -> None:
        """By pages."""
        self.preview.page(int(step))
