"""What every room's screen is: six rows, the keys of the registry, one filter. It must not know any room's data.

A room is a subclass with a `ROOM`, a `SCOPE`, `BINDINGS = room_bindings(SCOPE)` and these methods:

- `compose_body` yields what stands between the rows; `main_pane` is the list that the movement keys move when nothing
  else has the focus. A pane has `move`, `page` and `ends` (`VirtualList`, `TextPane`).
- `load` reads everything anew because the room was opened, or the agent or filter changed; `renew` because somebody
  wrote, or a minute passed: keep the cursor. Both are called only while the engine is open.
- `what` is row 2 and `place` the left of the status row; call `refresh_bars` after a change.
- `why_not` says in words why a command cannot be done now; the key then only shows that. `footer_label` says what a
  verb will hit. A command's method is ``do_<id>``, with the step when the command has several.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.widget import Widget
from textual.widgets import Input, Static

from memstation.station.background import Background
from memstation.station.commands import BY_ID, FOOTERS, ONE, Command, shown_keys
from memstation.station.render.cells import Run
from memstation.station.render.safe import Safe
from memstation.station.render.show import content
from memstation.station.render.when import clock
from memstation.station.rooms import rooms
from memstation.station.screens.everywhere import Everywhere
from memstation.station.typing_ahead import LEAST
from memstation.station.widgets.bars import Bar, Footer, RoomsRow
from memstation.station.widgets.virtual_list import VirtualList
from memstation.station.words import _, say

if TYPE_CHECKING:
    from memstation.station.services import Engine


@runtime_checkable
class Pane(Protocol):
    """What the movement keys move."""

    def move(self, step: int) -> None:
        """By lines."""

    def page(self, step: int) -> None:
        """By pages."""

    def ends(self, which: str) -> None:
        """To the ``first`` or the ``last`` line."""


class RoomScreen(Background, Everywhere, inherit_bindings=False):
    """The six rows of a room."""

    ROOM: ClassVar[str] = ""
    """Its name in `rooms`."""
    SCOPE: ClassVar[str] = ""
    """Its scope in the registry."""
    IS_VIEW: ClassVar[bool] = False
    """Whether it lies over another room's screen, and shows that room otherwise."""
    AUTO_FOCUS = ""
    """No part gets the keys by itself. None would be the toolkit's own rule: the first that can have them, which is a
    field where the list is hidden because it is empty."""
    HORIZONTAL_BREAKPOINTS: list[tuple[int, str]] | None = [  # noqa: RUF012
        (0, "-tiny"), (60, "-narrow"), (120, "-wide"),
    ]  # fmt: skip
    VERTICAL_BREAKPOINTS: list[tuple[int, str]] | None = [(0, "-flat"), (15, "-low"), (30, "-high")]  # noqa: RUF012

    _is_loaded = False
    _shown = 0
    """The station's count of changes when this room was read."""
    _told_agent: str | None = None
    """The agent chosen, as this room was told last."""

    # -- what a room says of itself -----------------------------------------------------------------------------

    def compose_body(self) -> ComposeResult:
        """What stands between the rows."""
        yield from ()

    @property
    def main_pane(self) -> Pane | None:
        """What the movement keys move when no pane has the focus."""
        return None

    def load(self) -> None:
        """Read everything anew, from the first row."""

    def renew(self) -> None:
        """Read again what is shown, and keep the cursor on its row."""

    def what(self) -> tuple[Sequence[Run], Sequence[Run]]:
        """Row 2: what is shown, left and right."""
        return (), ()

    def agent_name(self) -> Sequence[Run]:
        """Whose data are shown."""
        return self.station.agent_name()

    def place(self) -> Sequence[Run]:
        """The part of the status row that says where the cursor is."""
        return ()

    def why_not(self, command: Command) -> str:
        """Why a command cannot be done now, in words; empty when it can."""
        if self.engine is None and command.id not in _ALWAYS:
            return _("the file is not open yet")
        if command.decides and self.station.is_read_only:
            return _("this file is open for reading only")
        if command.id == "list.filter" and not self.has_filter:
            return _("there is nothing to filter here")
        if not hasattr(self, command.method):
            return _("not in this room")
        return ""

    def footer_label(self, command: Command) -> Safe:
        """What the footer calls a command; a verb may say what it will hit."""
        return command.label()

    def agent_chosen(self, agent_id: str | None) -> None:
        """Another agent is chosen, None for all. A room that shows one agent's data overrides it."""

    def called(self) -> Safe:
        """What the screen is called in its help."""
        return next((_(room.title) for room in rooms() if room.name == self.ROOM), Safe(self.SCOPE))

    def left_for(self, title: Safe) -> Sequence[Run]:
        """Another room is opened from here, the title of which is given: what to say there."""
        return ()

    def is_kept(self, before: str, *, trail: bool) -> bool:
        """Whether a view still stands when its room is opened again from another; along the way back if not `trail`."""
        return not self.IS_VIEW

    def show_agent(self, agent_id: str, filter_text: str, focus_n: int | None) -> None:
        """Timeline only: an agent's facts, filtered, the cursor on the fact with this number."""

    def counts_changed(self) -> None:
        """Another number of memories waits for review."""
        self.refresh_bars()

    def show_held(self, filter_text: str, memory_id: str | None = None) -> None:
        """Review only: what is held, filtered, the cursor on one."""

    def show_found(self, agent_id: str, query: str) -> None:
        """Find only: search an agent's memories."""

    def show_source(self, origin: str | None) -> None:
        """Sources only: the cursor on this source."""

    def show_names(self, agent_id: str) -> None:
        """Names only: the names of an agent."""

    def show_decision(self, seq: int | None, filter_text: str) -> None:
        """Log only: the decisions, filtered, the cursor on the one with this number."""

    # -- the rows -----------------------------------------------------------------------------------------------

    @property
    def engine(self) -> Engine | None:
        """The open store, None before."""
        return self.station.engine

    @property
    def is_wide(self) -> bool:
        """Whether there is room for two panes side by side."""
        return self.size.width >= 120

    def compose(self) -> ComposeResult:
        """Six rows, and what is said when they do not fit."""
        with Vertical(id="shell"):
            yield RoomsRow(id="rooms")
            yield from self.compose_what()
            with Container(id="body"):
                yield from self.compose_body()
            yield Bar(id="message")
            yield Bar(id="status")
            yield Footer(id="footer")
        columns, lines = LEAST
        yield Static(content([(say("memstation needs {c} columns and {r} rows", c=columns, r=lines), "")]),
                     id="too-small")  # fmt: skip

    def on_mount(self) -> None:
        """Dress, and read if the store is open already."""
        self.station.dress(self)
        self.ready()

    def on_screen_resume(self) -> None:
        """Back on top: look whether the store changed meanwhile."""
        self.station.dress(self)
        if self._is_loaded:
            self.catch_up()
        self.refresh_bars()

    def ready(self) -> None:
        """The store is open: read."""
        if self.engine is not None and not self._is_loaded:
            self._is_loaded = True
            self._shown = self.station.changes
            self._told_agent = self.station.agent_id
            self.load()
        self.refresh_bars()

    def catch_up(self) -> None:
        """Read again if another agent was chosen, or something changed, since this room was read."""
        if not self._is_loaded:
            return
        self.tell_agent()
        if self._shown != self.station.changes:
            self._shown = self.station.changes
            self.renew()

    def tell_agent(self) -> None:
        """Hear which agent is chosen, if it is another than this room was told last."""
        if self._is_loaded and self._told_agent != self.station.agent_id:
            self._told_agent = self.station.agent_id
            self.agent_chosen(self.station.agent_id)

    def refresh_bars(self) -> None:
        """Say again what the rows say."""
        if not self.is_mounted or not self.query("#rooms"):
            return
        right = self.station.file_name() if self.is_wide else ()
        badge = self.station.badge
        listed = [(room.name, room.number, Safe(_(room.title) + badge(room.name))) for room in rooms()]
        self.query_one("#rooms", RoomsRow).put_rooms(listed, self.ROOM, [*right, (Safe(" "), "")] if right else ())
        self.query_one("#what", Bar).put(*self.what())
        self.query_one("#message", Bar).put(self.station.message)
        self.refresh_place()

    def refresh_place(self) -> None:
        """Say again where the cursor is and what the keys do there: the part that follows the cursor."""
        self.query_one("#status", Bar).put(self._status(), [*self._modes(), (clock(self.station.now()), "muted")])
        self.query_one("#footer", Footer).put_keys(self._footer())

    def _status(self) -> list[Run]:
        bar: Run = (Safe(" | "), "line")
        parts = [*self.station.file_name()]
        if self.engine is not None:
            parts += [bar, *self.agent_name()]
        place = self.place()
        return [*parts, bar, *place] if place else parts

    def _modes(self) -> list[Run]:
        return [(_("READ ONLY"), "danger"), (Safe(" "), "")] if self.station.is_read_only else []

    def _footer(self) -> list[tuple[str, Safe, bool]]:
        if self.is_filtering:
            return self.field_keys()
        keymap = self.station.services.keymap
        entries = []
        for command_id in FOOTERS[self.SCOPE]:
            command = BY_ID[command_id]
            entries.append((
                shown_keys(command, keymap, first=True), self.footer_label(command), bool(self.why_not(command))
            ))  # fmt: skip
        return entries

    def field_keys(self) -> list[tuple[str, Safe, bool]]:
        """The footer while the field has the keys."""
        return [("enter", _("to the list"), False), ("escape", _("close"), False)]

    def on_resize(self) -> None:
        """The rows depend on the width."""
        self.refresh_bars()

    # -- keys ---------------------------------------------------------------------------------------------------

    def action_command(self, command_id: str, step: str) -> None:
        """Do what a key stands for, or say why not."""
        self.run_command(BY_ID[command_id], step)

    def run_command(self, command: Command, step: str = "") -> None:
        """Do a command, or say in the message row why it cannot be done."""
        why = self.why_not(command)
        if why:
            self.station.say([(_(command.title), "strong"), (Safe(": "), ""), (Safe(why), "warning")])
            return
        method = getattr(self, command.method)
        if command.steps == ONE:
            method()
        else:
            method(step)

    @property
    def agent_shown(self) -> str | None:
        """Whose memories the room shows; None where it shows those of all."""
        return self.station.agent_id

    def pane(self) -> Pane | None:
        """What the movement keys move now."""
        focused = self.focused
        if isinstance(focused, Pane) and not isinstance(focused, Input):
            return focused
        return self.main_pane

    def panes(self) -> list[Widget]:
        """The panes that can be seen, in order."""
        return [widget for widget in self.focus_chain if isinstance(widget, Pane) and not isinstance(widget, Input)]

    def do_list_move(self, step: str) -> None:
        """One line."""
        if (pane := self.pane()) is not None:
            pane.move(int(step))

    def do_list_page(self, step: str) -> None:
        """A page."""
        if (pane := self.pane()) is not None:
            pane.page(int(step))

    def do_list_ends(self, step: str) -> None:
        """First, last."""
        if (pane := self.pane()) is not None:
            pane.ends(step)

    def do_pane_next(self, step: str) -> None:
        """The next pane, or the one before."""
        panes = self.panes()
        if panes:
            here = next((place for place, pane in enumerate(panes) if pane is self.focused), None)
            panes[0 if here is None else (here + int(step)) % len(panes)].focus()

    def step_back(self) -> bool:
        """The steps of the ladder inside this room; whether one was taken. Extend it with what the room can close."""
        if self.is_filtering:
            self._close_filter()
            return True
        if self.filter_text:
            self.set_filter("")
            return True
        return False

    def focus_main(self) -> None:
        """Give the keys to the list."""
        pane = self.main_pane
        if isinstance(pane, VirtualList):
            pane.focus()

    @on(RoomsRow.Chosen)
    def _room_clicked(self, event: RoomsRow.Chosen) -> None:
        self.station.open_room(event.name)


_ALWAYS = frozenset({
    "room.go", "palette.open", "help.open", "view.back", "view.up", "app.quit", "pane.next", "theme.choose",
    "list.move", "list.page", "list.ends",
})  # fmt: skip
