"""A list of any length, painted line by line. It must not hold a widget a row, nor let the cursor change its row.

Give it columns and a `RowSource` (`show`), and refresh it with a new source (`renew`). The cursor is on a row, by key:
when rows come or go above it, it moves along. Keys are the screen's: it calls `move`, `page` and `ends`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from textual import events
from textual.cache import LRUCache
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memstation.domain.errors import MemstationError
from memstation.station.background import Background
from memstation.station.render.cells import Run, fit, fit_runs
from memstation.station.render.safe import Safe, safe_line
from memstation.station.services import RowSource
from memstation.station.widgets.columns import GUTTER, MARGIN, Column, laid_out, shared_widths, titles
from memstation.station.widgets.pages import Pages, Reading, read_pages
from memstation.station.widgets.painting import Painted
from memstation.station.words import _

R = TypeVar("R")
Layout = Callable[[int], Sequence[Column[R]]]
"""The columns for a width in cells."""


class VirtualList(Background, Painted, ScrollView, Generic[R], can_focus=True, inherit_bindings=False):
    """A virtual list over pages of a source."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    VirtualList {
        scrollbar-size: 0 0;
    }
    """

    class Highlighted(Message):
        """The cursor is on another row, or the row under it was read anew."""

        def __init__(self, list_: VirtualList[Any]) -> None:
            super().__init__()
            self.list = list_

        @property
        def control(self) -> VirtualList[Any]:
            """The list."""
            return self.list

    class Opened(Highlighted):
        """The row under the cursor was clicked twice."""

    class Counted(Highlighted):
        """The list was read: its length and rows are known."""

    class Lost(Highlighted):
        """The row under the cursor is no longer in the list; the cursor is on the one that took its place."""

    class Failed(Message):
        """The list, or a page of it, cannot be read."""

        def __init__(self, list_: VirtualList[Any], error: MemstationError) -> None:
            super().__init__()
            self.list, self.error = list_, error

        @property
        def control(self) -> VirtualList[Any]:
            """The list."""
            return self.list

    def __init__(self, layout: Layout[R], *, titled: bool = True, id: str | None = None) -> None:
        super().__init__(id=id)
        self._layout_for = layout
        self._titled = titled
        self._pages: Pages[R] | None = None
        self._error: MemstationError | None = None
        self._source: RowSource[R] | None = None
        self._cursor = 0
        self._key: Hashable | None = None
        self._wants_end = False
        self._is_failing = False
        self._columns: Sequence[Column[R]] = ()
        self._widths: Sequence[int] = ()
        self._strips: LRUCache[tuple[Hashable, str], Strip] = LRUCache(1024)
        self.cursor_glyph = ">"
        self.is_quiet = False
        """Shows no cursor while another pane has the keys."""
        self.leads = False
        """Shows its cursor in full though a field has the keys: the field's up and down move it."""
        self.marks: frozenset[Hashable] = frozenset()

    # -- what is shown ------------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """Rows in all; at least these while `is_whole` is not true."""
        return self._pages.count if self._pages else 0

    @property
    def is_whole(self) -> bool:
        """Whether the length is known."""
        return self._pages is not None and self._pages.is_whole

    @property
    def shown(self) -> RowSource[R] | None:
        """The source of the rows that are shown; a newer one may be on its way."""
        return self._pages.source if self._pages else None

    @property
    def error(self) -> MemstationError | None:
        """Why the list cannot be read; a list with an error is not an empty list."""
        return self._error

    @property
    def cursor(self) -> int:
        """The place of the cursor, from 0."""
        return self._cursor

    @property
    def selected(self) -> R | None:
        """The row under the cursor, as it is painted: what a verb acts on. None where there is none."""
        return self._pages.row(self._cursor) if self._pages else None

    def row(self, index: int) -> R | None:
        """The row at a place, None where there is none."""
        return self._pages.row(index) if self._pages else None

    def key_of(self, row: R) -> Hashable | None:
        """The identity of a row of this list."""
        return self._pages.source.key(row) if self._pages else None

    def clear(self) -> None:
        """Show nothing, as before the first `show`."""
        self.forget("list")
        self._pages, self._error, self._source, self._key, self._cursor = None, None, None, None, 0
        self._settle()

    def show(self, source: RowSource[R], *, find: Hashable | None = None, at_once: bool = True) -> None:
        """Show another list from its first row, or from the row with the key `find`.

        `at_once` reads the first page here and now (1 to 2 ms); else the thread does, as for a filter that has to
        look through everything.
        """
        self._source, self._error, self._wants_end, self._is_failing = source, None, False, False
        self._key, self._cursor = find, 0
        head: Sequence[R] | None = None
        if at_once:
            try:
                head = source.head()
            except MemstationError as error:
                self._fail(error)
                return
            self._pages = Pages(source, head)
            self._settle()
            self.scroll_to(y=0, animate=False, immediate=True)
            if find is None:
                self._point(0)
            if self._pages.is_whole and find is None:
                self.post_message(self.Counted(self))
                return
        self.in_thread("list", partial(read_pages, source, find, head), partial(self._take, first=True), self._fail)

    def renew(self, source: RowSource[R]) -> None:
        """Read the list again, in a thread, and keep the cursor on its row."""
        self._source = source
        self.in_thread("list", partial(read_pages, source, self._key), partial(self._take, first=False), self._fail)

    def go_to(self, key: Hashable) -> None:
        """Put the cursor on the row with this key, where it is in the list."""
        if self._source is not None:
            find = self._source.index_of
            self.in_thread("find", partial(find, key), self._found, self._fail)

    def _found(self, place: int | None) -> None:
        if place is not None:
            self._go(place)

    def _take(self, reading: Reading[R], first: bool) -> None:
        """Put what the thread read on the screen, the cursor's row where it was on it."""
        offset = self._cursor - self.scroll_offset.y
        at_top = self.scroll_offset.y == 0
        key = self._key
        self._pages, self._error, self._is_failing = reading.pages, None, False
        self._settle()
        last = max(0, self.count - 1)
        lost = reading.place is None and key is not None and not first
        place = min(self._cursor, last) if reading.place is None else reading.place
        if self._wants_end:
            place, self._wants_end = last, False
        elif not (at_top and place < self._lines):
            self.scroll_to(y=max(0, place - offset), animate=False, immediate=True)
        self._point(place)
        self.post_message(self.Counted(self))
        if lost and self.count:
            self.post_message(self.Lost(self))

    def _fail(self, error: MemstationError) -> None:
        self._error, self._is_failing = error, True
        self._settle()
        self.post_message(self.Failed(self, error))

    # -- the cursor ---------------------------------------------------------------------------------------------

    def move(self, step: int) -> None:
        """The cursor some rows down, or up where `step` is below 0."""
        self._go(self._cursor + step)

    def page(self, step: int) -> None:
        """The cursor a page down, or up where `step` is below 0."""
        self._go(self._cursor + step * max(1, self._lines - 1))

    def ends(self, which: str) -> None:
        """The cursor to the ``first`` or the ``last`` row."""
        self._wants_end = which == "last" and not self.is_whole
        self._go(0 if which == "first" else self.count - 1)

    def _go(self, place: int) -> None:
        if self.count:
            self._point(max(0, min(place, self.count - 1)))

    def _point(self, place: int) -> None:
        """Put the cursor on a row that is in the list, and show it."""
        before, self._cursor = self._cursor, place
        row = self._pages.row(place) if self._pages else None
        self._key = self._pages.source.key(row) if self._pages and row is not None else None
        top = self.scroll_offset.y
        if place < top:
            self.scroll_to(y=place, animate=False, immediate=True)
        elif place >= top + self._lines:
            self.scroll_to(y=place - self._lines + 1, animate=False, immediate=True)
        for line in {before, place}:
            self.refresh_line(line + self._titled)
        self.post_message(self.Highlighted(self))

    @property
    def _lines(self) -> int:
        """Rows that fit on the screen."""
        return max(1, self.size.height - self._titled)

    # -- painting -----------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Take in a new length, width or set of rows."""
        self._strips.clear()
        cells = max(1, self.size.width - GUTTER - MARGIN)
        self._columns = self._layout_for(cells)
        self._widths = shared_widths(self._columns, cells)
        # One screen more than there are rows would scroll past the end: titles stay while rows scroll.
        self.virtual_size = Size(self.size.width, self.extent())
        self.refresh()

    def extent(self) -> int:
        """Lines that can be scrolled through. Another number lays the whole screen out again."""
        return self.count + self._titled

    def on_resize(self, _event: events.Resize) -> None:
        """Lay the columns out again, and keep the cursor in sight."""
        self._settle()
        top = self.scroll_offset.y
        if self._cursor >= top + self._lines:
            self.scroll_to(y=self._cursor - self._lines + 1, animate=False, immediate=True)

    def repaint(self) -> None:
        """The colours changed."""
        self._strips.clear()

    def relayout(self) -> None:
        """Paint every row anew: what the columns show of a row has changed (another moment, other marks)."""
        self._settle()

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        cells = self.size.width
        if self._titled and y == 0:
            text = fit(Safe(" " * GUTTER + titles(self._columns, self._widths)), cells)
            return self.strip([(text, "muted")], cells, "over--titles")
        if self._error is not None:
            return self._error_line(y - self._titled, cells)
        place = self.scroll_offset.y + y - self._titled
        row = self._pages.row(place) if self._pages else None
        if self._pages and self._pages.error is not None and not self._is_failing:
            self._is_failing = True
            self.call_later(self._fail, self._pages.error)
        if self._pages is None or row is None:
            return Strip.blank(cells, self.base)
        key, here = self._pages.source.key(row), ""
        if place == self._cursor:
            here = self._cursor_style()
        strip = self._strips.get((key, here))
        if strip is None:
            strip = self._strips[key, here] = self._row_strip(row, key, here, cells)
        return strip

    def _cursor_style(self) -> str:
        if self.has_focus or self.leads:
            return "over--cursor"
        return "" if self.is_quiet else "over--cursor-away"

    def _row_strip(self, row: R, key: Hashable, here: str, cells: int) -> Strip:
        gutter = (self.cursor_glyph if here else " ") + ("*" if key in self.marks else " ") + " "
        parts: list[Run] = [(Safe(gutter), "marked" if key in self.marks else "")]
        parts.extend(laid_out(self._columns, self._widths, row))
        return self.strip(fit_runs(parts, cells), cells, here)

    def _error_line(self, line: int, cells: int) -> Strip:
        assert self._error is not None
        words = [_("This list cannot be read."), self._error.title, self._error.detail, self._error.hint]
        text = safe_line(words[line]) if line < len(words) else Safe("")
        parts: list[Run] = [(Safe(" " * GUTTER), ""), (text, "withdrawn" if line == 0 else "")]
        return self.strip(fit_runs(parts, cells), cells)

    def on_focus(self) -> None:
        """The cursor row is painted stronger in the pane that has the keys."""
        self.refresh_line(self._cursor + self._titled)

    on_blur = on_focus

    # -- the mouse ----------------------------------------------------------------------------------------------

    def on_click(self, event: events.Click) -> None:
        """A click puts the cursor on a row; a second one opens it."""
        place = self.scroll_offset.y + event.y - self._titled
        if event.y >= self._titled and 0 <= place < self.count:
            self._point(place)
            if event.chain == 2:
                self.post_message(self.Opened(self))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel moves the cursor, so that a verb never acts on a row out of sight."""
        event.stop()
        event.prevent_default()
        self.move(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel moves the cursor."""
        event.stop()
        event.prevent_default()
        self.move(-3)
