"""Erase a person: whom, look at what goes, type the phrase. It must not erase: the app does, given the phrase."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.widgets import Input, Static

from memstation.station.dialogs.base import Choice, Dialog
from memstation.station.dialogs.confirm import ConfirmDialog
from memstation.station.render.cells import Run, runs
from memstation.station.render.safe import Safe
from memstation.station.render.show import content
from memstation.station.widgets.field import Field
from memstation.station.words import _, say

Rows = Sequence[Sequence[Run]]


class WhomDialog(Dialog[str | None]):
    """Returns the name that was typed, None for none."""

    def __init__(self, agent_id: str) -> None:
        super().__init__(_("Erase a person's memories"), is_danger=True)
        self.agent_id = agent_id

    def compose_body(self) -> ComposeResult:
        """A field."""
        yield Static(content([(say("About whom, of what {agent} was told?", agent=self.agent_id[:60]), "")]))
        yield Field(id="whom")

    def choices(self) -> Sequence[Choice]:
        """No."""
        return [Choice("escape", _("No, keep"), "no")]

    def footer(self) -> Sequence[tuple[str, Safe, bool]]:
        """What the keys do."""
        return [("enter", _("look first"), False), ("escape", _("no"), False)]

    def start(self) -> None:
        """Write the name."""
        self.query_one("#whom", Field).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Look at what would go."""
        event.stop()
        if event.value.strip():
            self.dismiss(event.value)


class LookDialog(ConfirmDialog):
    """Step 1: what would go. Yes only leads on to the phrase.

    Args:
        narrow: what goes without the tick, line by line; None when nothing is about the name itself.
        wide: what goes with memories that only name it; None when there are none, and then no tick is offered.
    """

    def __init__(self, narrow: Rows | None, wide: Rows | None) -> None:
        self.is_wide = narrow is None
        self._narrow, self._wide = narrow, wide
        super().__init__(
            _("Erase a person: 1 of 2, look"), self._chosen(), yes=_("Yes, on to the phrase"), is_danger=True,
        )  # fmt: skip

    @property
    def has_tick(self) -> bool:
        """Whether there is something to choose."""
        return self._narrow is not None and self._wide is not None

    def compose_body(self) -> ComposeResult:
        """The tick, then the lines."""
        yield Static(id="tick")
        yield from super().compose_body()

    def fill(self) -> None:
        """The lines and the tick."""
        super().fill()
        self._show_tick()

    def footer(self) -> Sequence[tuple[str, Safe, bool]]:
        """With the tick where there is one."""
        entries = list(super().footer())
        return [*entries[:2], ("r", _("tick"), False), *entries[2:]] if self.has_tick else entries

    def do_dialog_tick(self) -> None:
        """Take memories about something else that name the person too, or leave them."""
        if self.has_tick:
            self.is_wide = not self.is_wide
            self._rows = self._chosen()
            self.fill()

    def _chosen(self) -> Rows:
        return (self._wide if self.is_wide else self._narrow) or ()

    def _show_tick(self) -> None:
        tick = self.query_one("#tick", Static)
        tick.display = self._wide is not None
        words = _("also memories about something else that name them")
        if self._narrow is None:
            words = _("Nothing is about them; these memories only name them.")
            tick.update(content([(words, "warning")]))
            return
        tick.update(content([(Safe("[x] " if self.is_wide else "[ ] "), "strong" if self.is_wide else "muted"),
                             (Safe("r"), "key"), (Safe(f"  {words}"), "" if self.is_wide else "muted")]))  # fmt: skip


class PhraseDialog(Dialog[str | None]):
    """Step 2: returns the phrase once it was typed in full and the button pressed. Enter in the field does nothing."""

    def __init__(self, phrase: str) -> None:
        super().__init__(_("Erase a person: 2 of 2, type"), is_danger=True)
        self.phrase = phrase

    def compose_body(self) -> ComposeResult:
        """The phrase and a field for it."""
        yield Static(content([(_("It cannot be taken back. Type this:"), "warning")]))
        yield Static(content(runs(self.phrase, "strong")))
        yield Field(id="phrase")
        yield Static(id="state")

    def choices(self) -> Sequence[Choice]:
        """No first."""
        return [Choice("escape", _("No, keep"), "no"), Choice("tab enter", _("Erase for good"), "yes")]

    def footer(self) -> Sequence[tuple[str, Safe, bool]]:
        """What the keys do."""
        return [("tab", _("to the button"), False), ("enter", _("press it"), False), ("escape", _("no"), False)]

    @property
    def is_typed(self) -> bool:
        """Whether the phrase stands there letter by letter."""
        return self.query_one("#phrase", Field).value == self.phrase

    def start(self) -> None:
        """Write."""
        self.query_one("#phrase", Field).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say whether it is right."""
        event.stop()
        text = _("That is the phrase: tab twice, then enter.") if self.is_typed else _("Not the phrase yet.")
        self.query_one("#state", Static).update(content([(text, "muted")]))

    def answered(self, answer: str) -> None:
        """The phrase, when it is right and the button was pressed."""
        if answer == "no":
            self.dismiss(None)
        elif self.is_typed:
            self.dismiss(self.phrase)

    def do_dialog_answer(self, answer: str) -> None:
        """Neither letter answers here: the phrase does."""
