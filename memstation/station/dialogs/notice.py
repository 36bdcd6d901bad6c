"""Says what went wrong, or what came out, and stays until it is dismissed. It must never show a traceback."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult

from memstation.domain.errors import MemstationError
from memstation.station.dialogs.base import Choice, Dialog
from memstation.station.render.cells import Run, runs
from memstation.station.render.effects import plain
from memstation.station.render.safe import Safe, safe_line
from memstation.station.widgets.pane import TextPane
from memstation.station.words import _


class NoticeDialog(Dialog[None]):
    """A title and lines; ``y`` copies them, escape closes."""

    def __init__(self, title: Safe, rows: Sequence[Sequence[Run]], *, is_danger: bool = False) -> None:
        super().__init__(title, is_danger=is_danger)
        self.rows = rows

    def compose_body(self) -> ComposeResult:
        """The lines."""
        yield TextPane(id="lines")

    def fill(self) -> None:
        """The lines."""
        self.query_one("#lines", TextPane).put(self.rows)

    def choices(self) -> Sequence[Choice]:
        """Close, or copy."""
        return [Choice("escape", _("Close"), "no"), Choice("y", _("Copy this text"), "yes")]

    def answered(self, answer: str) -> None:
        """Close, or copy and stay."""
        if answer == "yes":
            self.station.copy(f"{self.heading}\n{plain(self.rows)}")
        else:
            self.dismiss(None)

    def do_dialog_list(self, step: str) -> None:
        """Look through it."""
        self.query_one("#lines", TextPane).move(int(step))

    def do_dialog_page(self, step: str) -> None:
        """By pages."""
        self.query_one("#lines", TextPane).page(int(step))


class ErrorDialog(NoticeDialog):
    """An error in words: what did not happen, why, what to do."""

    def __init__(self, error: MemstationError, title: Safe | None = None) -> None:
        self.error = error
        rows: list[list[Run]] = [] if title is None else [runs(error.title, "strong")]
        rows += [runs(error.detail)] if error.detail else []
        rows += [[], [(_("Do"), "key"), (Safe("    "), ""), *runs(error.hint)]] if error.hint else []
        super().__init__(title or safe_line(error.title), rows, is_danger=True)


class CannotOpenDialog(ErrorDialog):
    """The store cannot be opened: there is nothing to do here but to read why, and to leave."""

    def __init__(self, error: MemstationError) -> None:
        super().__init__(error, _("This file cannot be opened"))

    def choices(self) -> Sequence[Choice]:
        """Leave, or copy."""
        return [Choice("escape", _("Quit"), "no"), Choice("y", _("Copy this text"), "yes")]

    def answered(self, answer: str) -> None:
        """Leave, or copy and stay."""
        if answer == "yes":
            super().answered(answer)
        else:
            self.station.exit(return_code=1)
