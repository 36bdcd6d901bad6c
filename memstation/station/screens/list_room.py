"""A room with one long list and the detail of the row under the cursor. It must not know what the rows are.

A subclass says `columns` (for a width), `source` (the list, filtered), `read_detail` (called in a thread),
`detail_title` and `detail_rows` (what it says), `empty_words`. The detail stands below the list, or beside it from 120
columns on; enter gives it the keys and most of the screen.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.timer import Timer

from memstation.domain.errors import InvalidInput, MemstationError
from memstation.station.commands import Command
from memstation.station.render.cells import Run
from memstation.station.render.safe import Safe, safe_line
from memstation.station.screens.base import RoomScreen
from memstation.station.services import RowSource
from memstation.station.widgets.bars import Rule
from memstation.station.widgets.columns import Column
from memstation.station.widgets.empty import Empty
from memstation.station.widgets.pane import TextPane
from memstation.station.widgets.virtual_list import VirtualList
from memstation.station.words import _, counted, say

R = TypeVar("R")
D = TypeVar("D")
DETAIL_DELAY = 0.06
"""Seconds the cursor must rest before the detail is read: a held key passes over rows."""


class ListRoom(RoomScreen, Generic[R, D]):
    """The frame of Timeline and Log."""

    _detail: D | None = None
    _detail_key: Hashable | None = None
    _resting: Timer | None = None

    # -- what a room says ---------------------------------------------------------------------------------------

    @abstractmethod
    def columns(self, width: int) -> Sequence[Column[R]]:
        """The columns of the list for a width in cells."""

    @abstractmethod
    def source(self) -> RowSource[R]:
        """The list, as filtered. Raises InvalidInput for a filter that cannot be read."""

    @abstractmethod
    def read_detail(self, row: R) -> D | None:
        """All about a row, read in a thread; None when it is gone."""

    @abstractmethod
    def detail_title(self, row: R, detail: D | None) -> tuple[Sequence[Run], Sequence[Run]]:
        """Title and note of the detail."""

    @abstractmethod
    def detail_rows(self, row: R, detail: D) -> Sequence[Sequence[Run]]:
        """The lines of the detail."""

    def empty_words(self) -> tuple[Safe, Sequence[Safe], Sequence[tuple[str, Safe]]]:
        """What an empty list would show: title, why, keys that lead on."""
        return _("Nothing is here yet."), (), ()

    # -- parts --------------------------------------------------------------------------------------------------

    def compose_body(self) -> ComposeResult:
        """List and detail."""
        with Container(id="list-and-detail"):
            with Vertical(id="list-side"):
                yield VirtualList[R](self.columns, id="list")
                yield Empty(id="empty")
            with Vertical(id="detail-side"):
                yield Rule(id="detail-title")
                yield TextPane(id="detail")

    @property
    def main_pane(self) -> VirtualList[R]:
        """The list."""
        return self.query_one("#list", VirtualList)

    @property
    def detail_pane(self) -> TextPane:
        """The detail."""
        return self.query_one("#detail", TextPane)

    def on_mount(self) -> None:
        """Glyphs, and the keys to the list."""
        self.main_pane.cursor_glyph = self.station.glyphs.cursor
        self.query_one("#detail-title", Rule).across = self.station.glyphs.across
        self.main_pane.focus()

    # -- reading ------------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Read the list from its first row."""
        self.show_list()

    def show_list(self, find: Hashable | None = None) -> None:
        """Read the list from its first row, or with the cursor on the row with this key."""
        try:
            source = self.source()
        except MemstationError as error:
            self._refused(error)
            return
        self.main_pane.show(source, find=find, at_once=not self.filter_text)

    def renew(self) -> None:
        """Read the list again, and keep the cursor on its row."""
        try:
            self.main_pane.renew(self.source())
        except MemstationError as error:
            self._refused(error)

    def apply_filter(self, text: str) -> None:
        """Show only what matches."""
        self.show_list()

    def _refused(self, error: MemstationError) -> None:
        """A filter that cannot be read is told in the message row; anything else stays until dismissed."""
        if isinstance(error, InvalidInput) and self.filter_text:
            self.station.say([(safe_line(error.title), "warning"), (Safe(": "), ""), (safe_line(error.detail), "")])
        else:
            self.station.fail(error)

    @on(VirtualList.Counted, "#list")
    def _counted(self) -> None:
        is_empty = self.main_pane.count == 0
        empty = self.query_one("#empty", Empty)
        if is_empty:
            empty.put(*self.empty_words())
        empty.display = is_empty
        self.main_pane.display = not is_empty
        if is_empty:
            self.put_detail(None, None)
        elif self.focused is None:
            self.focus_main()
        self.refresh_bars()

    @on(VirtualList.Failed, "#list")
    def _failed(self, event: VirtualList.Failed) -> None:
        self.query_one("#empty", Empty).display = False
        self.main_pane.display = True
        self._refused(event.error)
        self.refresh_bars()

    @on(VirtualList.Lost, "#list")
    def _lost(self) -> None:
        self.station.say([(_("The row under the cursor is not in this list any more."), "warning")])

    # -- the detail ---------------------------------------------------------------------------------------------

    @on(VirtualList.Highlighted, "#list")
    def _highlighted(self) -> None:
        self.refresh_place()
        if self._resting is not None:
            self._resting.stop()
        self._resting = self.set_timer(DETAIL_DELAY, self._ask_detail)

    def _ask_detail(self) -> None:
        row = self.main_pane.selected
        if row is None:
            self.put_detail(None, None)
        elif self.engine is not None:
            self.in_thread(
                "detail", partial(self.read_detail, row), partial(self.put_detail, row), self._detail_failed
            )  # fmt: skip

    def _detail_failed(self, error: MemstationError) -> None:
        self.query_one("#detail-title", Rule).put([(_("cannot be read"), "withdrawn")])
        self.detail_pane.put([[(safe_line(error.title), "withdrawn")], [(safe_line(error.detail), "")]])

    def put_detail(self, row: R | None, detail: D | None) -> None:
        """Show the detail of a row; nothing for no row."""
        self._detail = detail
        title = self.query_one("#detail-title", Rule)
        if row is None:
            title.put(())
            self.detail_pane.put(())
            return
        title.put(*self.detail_title(row, detail))
        key = self.main_pane.key_of(row)
        home = key != self._detail_key
        self._detail_key = key
        gone: list[list[Run]] = [[(_("It is not in the store any more."), "warning")]]
        self.detail_pane.put(gone if detail is None else self.detail_rows(row, detail), home=home)

    def why_not(self, command: Command) -> str:
        """What acts on a row needs one."""
        why = super().why_not(command)
        if not why and command.id.startswith("item.") and self.main_pane.selected is None:
            return _("there is no row here")
        return why

    def do_item_open(self) -> None:
        """Give the detail the keys, and room to be read."""
        if self.main_pane.selected is not None:
            self.query_one("#shell").add_class("-reading")
            self.detail_pane.focus()

    @on(VirtualList.Opened, "#list")
    def _opened(self) -> None:
        self.do_item_open()

    def step_back(self) -> bool:
        """From the detail to the list first."""
        if self.query_one("#shell").has_class("-reading"):
            self.query_one("#shell").remove_class("-reading")
            self.focus_main()
            return True
        return super().step_back()

    # -- rows ---------------------------------------------------------------------------------------------------

    def place(self) -> Sequence[Run]:
        """Where the cursor is in the list."""
        list_ = self.main_pane
        if not list_.count:
            return ()
        total = f"{list_.count:,}" if list_.is_whole else f"{list_.count:,}+"
        return [(say("{n} of {all}", n=f"{list_.cursor + 1:,}", all=total), "muted")]

    def total(self) -> str:
        """How long the list is, as text."""
        return f"{self.main_pane.count:,}" + ("" if self.main_pane.is_whole else "+")

    def total_of(self, one: str, many: str) -> Safe:
        """How long the list is, with the word for one or for many; ``{total}`` is the length."""
        return counted(one, many, self.main_pane.count, total=self.total())

    def detail(self) -> Any:
        """The detail shown."""
        return self._detail
