"""Purge a source, steps after the look: type its name; what was done. They must not purge: the app does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from textual.app import ComposeResult
from textual.widgets import Input, Static

from memstation.domain.errors import MemstationError
from memstation.domain.purging import PurgeReport
from memstation.station.dialogs.base import Choice, Dialog
from memstation.station.dialogs.notice import NoticeDialog
from memstation.station.render.cells import Run
from memstation.station.render.purge_words import (
    listed,
    missing_words,
    only_lasts,
    report_lines,
    report_text,
    short_runs,
)
from memstation.station.render.safe import Safe, safe_line
from memstation.station.render.show import content
from memstation.station.widgets.field import Field
from memstation.station.widgets.pane import TextPane
from memstation.station.words import _, counted, say

Rows = Sequence[Sequence[Run]]


class NameDialog(Dialog[bool]):
    """Returns whether the name was typed and the button pressed. Enter in the field does nothing.

    A name with characters that cannot be typed is typed as it is shown.
    """

    def __init__(self, origin: str, report: PurgeReport, others: Sequence[str]) -> None:
        super().__init__(_("Purge a source: 2 of 2, type"), is_danger=True)
        self.origin, self.report, self.others = origin, report, others

    def compose_body(self) -> ComposeResult:
        """The scope, a field, what is missing."""
        yield Static(content(short_runs(self.origin, self.report)))
        yield Static(content([(_("Type the source, letter by letter:"), "")]), classes="spaced")
        yield Field(id="name")
        yield Static(id="state")

    def choices(self) -> Sequence[Choice]:
        """No first."""
        if only_lasts(self.report):
            verb = counted("Keep {n} memory away", "Keep {n} memories away", len(self.report.already))
        else:
            count = len(self.report.withdrawn) + len(self.report.voided)
            verb = counted("Purge {n} memory", "Purge {n} memories", count)
        return [Choice("escape", _("No, keep"), "no"), Choice("tab enter", verb, "yes")]

    def footer(self) -> Sequence[tuple[str, Safe, bool]]:
        """What the keys do."""
        return [("tab", _("to the button"), False), ("enter", _("press it"), False), ("escape", _("no"), False)]

    @property
    def wanted(self) -> Safe:
        """What must be typed."""
        return safe_line(self.origin)

    @property
    def is_typed(self) -> bool:
        """Whether the name stands there letter by letter."""
        return self.query_one("#name", Field).value == self.wanted

    def fill(self) -> None:
        """Nothing is typed yet."""
        self._show()

    def start(self) -> None:
        """Write."""
        self.query_one("#name", Field).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say what is missing."""
        event.stop()
        self._show()

    def _show(self) -> None:
        typed = self.query_one("#name", Field).value
        words = missing_words(typed, self.wanted, [safe_line(name) for name in self.others])
        self.query_one("#state", Static).update(content([(words, "current" if self.is_typed else "warning")]))
        for choice in self.query(Choice):
            choice.set_class(choice.answer == "yes" and not self.is_typed, "-dim")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in the field never decides."""
        event.stop()

    def do_dialog_button(self, step: str) -> None:
        """From the field to the button, once the name is right; else in turn."""
        if step == "1" and isinstance(self.focused, Field) and self.is_typed:
            next(choice for choice in self.query(Choice) if choice.answer == "yes").focus()
        else:
            super().do_dialog_button(step)

    def answered(self, answer: str) -> None:
        """Yes, when the name is right and the button was pressed."""
        if answer == "no":
            self.dismiss(False)
        elif self.is_typed:
            self.dismiss(True)

    def do_dialog_answer(self, answer: str) -> None:
        """Neither letter answers here: the name does."""


class PurgedDialog(NoticeDialog):
    """What a purge did, with the way back: `z` begins to take it back, `l` lists what came back, `w` keeps a report."""

    def __init__(self, origin: str, report: PurgeReport, rows: Rows) -> None:
        whom = report.plan.agent_id if report.plan.agent_id is not None else _("all agents")
        super().__init__(say("Done: purged {origin} for {whom}", origin=origin[:40], whom=whom[:24]), rows)
        self.report = report
        self._is_writing = False
        self.wants_back = False
        """Whether it was left by `z`."""

    def choices(self) -> Sequence[Choice]:
        """Close, or take back."""
        return [Choice("escape", _("Close"), "no"), Choice("z", _("Take all of this back .."), "back")]

    def footer(self) -> Sequence[tuple[str, Safe, bool]]:
        """What the keys do."""
        kept = [("w", _("report to a file"), False)] if self.station.services.write_report is not None else []
        return [("z", _("take it back, looks first"), False), ("l", _("what came back"), False), *kept,
                ("y", _("copy"), False), ("escape", _("close"), False)]  # fmt: skip

    def answered(self, answer: str) -> None:
        """Close; copy; or close to take it back."""
        if answer == "back":
            self.wants_back = True
            self.dismiss(None)
        else:
            super().answered(answer)

    def do_dialog_back(self) -> None:
        """Take it back: what would change is shown first."""
        if self.is_armed:
            self.answered("back")

    def do_purge_report(self) -> None:
        """Write a report of all that it changed to a new file; the dialog says which."""
        write = self.station.services.write_report
        if write is None or self._is_writing:
            return
        self._is_writing = True
        now = self.station.now()
        text = partial(report_text, self.heading, self.rows, self.report, self.station.glyphs, now)
        name = f"purge-{self.report.seq}"
        self.station.in_thread("report", lambda: write(name, now, text()), self._written, self._not_written)

    def _written(self, file: Path) -> None:
        self._is_writing = False
        self._say([(say("The report is in {file}", file=safe_line(str(file))), "current")])

    def _not_written(self, error: MemstationError) -> None:
        self._is_writing = False
        self.station.fail(error)

    def _say(self, row: Sequence[Run]) -> None:
        self.query_one("#lines", TextPane).put([*self.rows, [], row])

    def do_purge_list(self) -> None:
        """What came back, one by one."""
        lines = {line.name: line for line in report_lines(self.report)}
        line = lines.get("reinstated") or next(iter(lines.values()))
        rows = listed(line, self.report, self.station.glyphs, self.station.now())
        self.station.push_screen(NoticeDialog(Safe("".join(text for text, _role in line.text)), rows))
