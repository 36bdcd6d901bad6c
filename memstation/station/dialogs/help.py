"""The keys of the screen, from the registry, searched by typing. It must show the keys in effect, not the defaults."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import on
from textual.app import ComposeResult
from textual.widgets import Input

from memstation.config.keymap import Keymap
from memstation.station.commands import COMMANDS, Command, commands_of, shown_keys
from memstation.station.dialogs.base import Choice, Dialog
from memstation.station.render.cells import Run, fit
from memstation.station.render.safe import Safe
from memstation.station.render.wrapping import wrap_runs
from memstation.station.widgets.bars import Bar
from memstation.station.widgets.field import Field
from memstation.station.widgets.pane import TextPane
from memstation.station.words import N_, _, say

KEYS = 25
"""Cells for the keys."""
_GROUPS = (("decide", N_("DO")), ("back", N_("TAKE BACK")), ("move", N_("MOVE")), ("always", N_("ALWAYS")))


def help_rows(room: str, keymap: Keymap, why_not: Callable[[Command], str], find: str = "") -> list[list[Run]]:
    """The keys in groups, one command a line; a dim one says why. `find` leaves those that have its words."""
    words = find.casefold().split()
    rows: list[list[Run]] = []
    for group, title in _GROUPS:
        lines: list[list[Run]] = []
        for command in commands_of(room):
            keys = shown_keys(command, keymap)
            said = f"{keys} {_(command.title)} {_(command.help)}".casefold()
            if command.group == group and keys and all(word in said for word in words):
                lines += _lines(command, Safe(keys), why_not(command))
        if lines:
            rows += [[], [(_(title), "muted")], *lines] if rows else [[(_(title), "muted")], *lines]
    return rows or [[(_("No key here has these words."), "muted")]]


def _lines(command: Command, keys: Safe, why: str) -> list[list[Run]]:
    is_dim = bool(why)
    line: list[Run] = [(fit(keys, KEYS), "muted" if is_dim else "key"), (_(command.title), "muted" if is_dim else "")]
    more = say("dim here: {why}", why=why) if why else _(command.help)
    rest = wrap_runs([(Safe(" " * KEYS), ""), (more, "muted")], 76, KEYS) if more else []
    return [line, *rest]


class HelpDialog(Dialog[None]):
    """The keys of a room."""

    def __init__(self, room: str, title: Safe, keymap: Keymap, why_not: Callable[[Command], str]) -> None:
        super().__init__(say("Keys in {room}", room=title))
        self._room, self._keymap, self._why_not = room, keymap, why_not

    def compose_body(self) -> ComposeResult:
        """Field, keys."""
        yield Field(placeholder=_("type to find a key"), id="find")
        yield TextPane(id="keys", classes="spaced")
        yield Bar(id="hint", classes="spaced", inset=0)

    def choices(self) -> Sequence[Choice]:
        """None."""
        return []

    def start(self) -> None:
        """The field has the focus."""
        self.query_one(Field).focus()
        self.pane.styles.max_height = max(4, self.app.size.height - 8)
        changed = say("changed by you: {n} of {all}", n=len(self._keymap.changed), all=len(COMMANDS))
        self.query_one("#hint", Bar).put((), [(changed, "muted")])
        self._narrow("")

    def footer(self) -> Sequence[tuple[str, Safe, bool]]:
        """Up, down, escape."""
        return [("up/down", _("look through"), False), ("escape", _("close"), False)]

    @property
    def pane(self) -> TextPane:
        """The keys."""
        return self.query_one("#keys", TextPane)

    def _narrow(self, text: str) -> None:
        self.pane.put(help_rows(self._room, self._keymap, self._why_not, text))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._narrow(event.value)

    def do_dialog_list(self, step: str) -> None:
        """Look through them."""
        self.pane.move(int(step))

    def do_dialog_page(self, step: str) -> None:
        """By pages."""
        self.pane.page(int(step))

    def do_dialog_answer(self, answer: str) -> None:
        """Y and n are letters here."""
