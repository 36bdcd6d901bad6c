"""The Timeline's detail: lanes, two lines or a pane, and the sheet. What stands beside a row must be about that row."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from time import perf_counter

from textual import on

from memstation.domain.errors import MemstationError
from memstation.read.rows import FactDetail, FactRow
from memstation.station.commands import BY_ID, shown_keys
from memstation.station.render.cells import Run, runs
from memstation.station.render.facts import about
from memstation.station.render.lanes import lanes_note, lanes_title
from memstation.station.render.provenance import side_rows, two_lines
from memstation.station.render.safe import has_hidden, safe_line
from memstation.station.render.sheet import sheet_rows
from memstation.station.screens.filtered_list import FilteredList
from memstation.station.screens.list_room import DETAIL_DELAY
from memstation.station.widgets.bars import Bar, Rule
from memstation.station.widgets.lanes import Lanes
from memstation.station.widgets.pane import TextPane
from memstation.station.widgets.virtual_list import VirtualList
from memstation.station.words import _, say

AT_ONCE = 0.0025
"""Seconds that a read may take to be made while the cursor moves; a slower one is a thread's."""


SIDE = 42
"""Cells of the text beside the list."""


class Detailed(FilteredList[FactRow, FactDetail]):
    """A list of facts with the detail of the one under the cursor."""

    fact_agent: str | None = None
    """Whose facts are shown."""
    _cost = 0.0
    """Seconds that a detail took to be read, lately."""
    _row: FactRow | None = None
    """The row that the detail is about."""
    _why_first = False

    # -- reading ------------------------------------------------------------------------------------------------

    def read_detail(self, row: FactRow) -> FactDetail | None:
        """All about a fact."""
        assert self.engine is not None
        began = perf_counter()
        detail = self.engine.reader.fact(row.n)
        self._cost += (perf_counter() - began - self._cost) / 4
        return detail

    @on(VirtualList.Highlighted, "#list")
    def _fact_highlighted(self, event: VirtualList.Highlighted) -> None:
        """Read here and now while that is fast; else say so at once, and let a thread do it when the cursor rests."""
        if type(event) is not VirtualList.Highlighted:
            return  # the list's other messages are kinds of it
        event.prevent_default()
        if self._resting is not None:
            self._resting.stop()
        self.forget("detail")
        row = self.main_pane.selected
        if row is None or self.engine is None:
            self.put_detail(None, None)
        elif self._cost <= AT_ONCE:
            try:
                self.put_detail(row, self.read_detail(row))
            except MemstationError as error:
                self._put_failure(row, error)
        else:
            if self._row is None or self._row.n != row.n:
                self._put_waiting(row)
            self._resting = self.set_timer(DETAIL_DELAY, self._ask_detail)
        self.refresh_place()

    def _ask_detail(self) -> None:
        row = self.main_pane.selected
        if row is not None and self.engine is not None:
            done, failed = partial(self._take_detail, row), partial(self._put_failure, row)
            self.in_thread("detail", partial(self.read_detail, row), done, failed)

    def _take_detail(self, row: FactRow, detail: FactDetail | None) -> None:
        here = self.main_pane.selected
        if here is not None and here.n == row.n:
            self.put_detail(here, detail)

    # -- showing ------------------------------------------------------------------------------------------------

    def put_detail(self, row: FactRow | None, detail: FactDetail | None) -> None:
        """Show the detail of a row; nothing for no row."""
        if row is not None and detail is None:
            self._put_words(row, [[(_("It is not in the store any more."), "warning")]])
            return
        before, self._row, self._detail = self._row, row, detail
        lanes, title = self.query_one("#lanes", Lanes), self.query_one("#lanes-title", Rule)
        told, chain = self.query_one("#told", Bar), self.query_one("#chain", Bar)
        if row is None or detail is None:
            title.put(())
            told.put(())
            chain.put(())
            lanes.put((), None, self.station.now())
            self._put_side(())
            self.close_sheet()
            return
        now = self.station.now()
        note = lanes_note(detail.lanes, detail.lanes_left_out)
        title.put(lanes_title(row.subject, row.predicate, row.agent_id), note)
        lanes.put(detail.lanes, row.n, now)
        if self.is_wide:
            cells = self._cells("#detail", SIDE)
            rows = side_rows(row, detail, self.station.glyphs, now, cells, self._why_key())
            self._put_side(rows, home=before is None or before.n != row.n)
        else:
            first, second = two_lines(detail, now)
            told.put(first)
            chain.put(second, [(say("{key} shows why in full", key=self._why_key()), "muted")])
        if self.is_reading:
            if before is not None and before.n != row.n:
                self.close_sheet()
            else:
                self._put_sheet(home=False)

    def _put_waiting(self, row: FactRow) -> None:
        self._put_words(row, [[(_("reading .."), "muted")]])

    def _put_failure(self, row: FactRow, error: MemstationError) -> None:
        self._put_words(row, [[(safe_line(error.title), "withdrawn")], [(safe_line(error.detail), "")]])

    def _put_words(self, row: FactRow, rows: Sequence[Sequence[Run]]) -> None:
        """Words in place of a detail."""
        self._row, self._detail = row, None
        self.query_one("#lanes-title", Rule).put(lanes_title(row.subject, row.predicate, row.agent_id))
        self.query_one("#lanes", Lanes).put((), None, self.station.now())
        self.query_one("#told", Bar).put(rows[0])
        self.query_one("#chain", Bar).put(rows[1] if len(rows) > 1 else ())
        self._put_side(rows)

    def _put_side(self, rows: Sequence[Sequence[Run]], *, home: bool = True) -> None:
        if self.is_wide:
            row = self._row
            named = [] if row is None else runs(about(row), "key") or [(_("a note"), "key")]
            self.query_one("#detail-title", Rule).put(named)
            self.detail_pane.put(rows, home=home)

    def _cells(self, pane: str, otherwise: int) -> int:
        return self.query_one(pane).size.width or otherwise

    def _why_key(self) -> str:
        return shown_keys(BY_ID["item.why"], self.station.services.keymap, first=True)

    def on_resize(self) -> None:
        """What is said of a fact depends on the room there is."""
        super().on_resize()
        self.call_after_refresh(self._say_again)

    def _say_again(self) -> None:
        if self._row is not None and self._detail is not None:
            self.put_detail(self._row, self._detail)

    # -- the sheet ----------------------------------------------------------------------------------------------

    @property
    def is_reading(self) -> bool:
        """Whether the sheet is open."""
        return any(shell.has_class("-reading") for shell in self.query("#shell"))

    @property
    def sheet(self) -> TextPane:
        """The sheet."""
        return self.query_one("#sheet", TextPane)

    def do_item_open(self) -> None:
        """All about the fact, in place of the list."""
        self._open_sheet(why_first=False)

    def do_item_why(self) -> None:
        """The same, the reasons first."""
        self._open_sheet(why_first=True)

    def _open_sheet(self, *, why_first: bool) -> None:
        if self._detail is None:
            return
        self._why_first = why_first
        self.query_one("#shell").add_class("-reading")
        self.sheet.focus()
        self._put_sheet(home=True)
        self.call_after_refresh(self._put_sheet, home=True)

    def _put_sheet(self, *, home: bool) -> None:
        row, detail = self._row, self._detail
        if row is None or detail is None:
            return
        named = runs(about(row), "key") or [(_("a note"), "key")]
        note = _("why it is so") if self._why_first else _("all about it")
        hint = say("{note}, escape goes back", note=note)
        self.query_one("#sheet-title", Rule).put(named, [(hint, "muted")])
        cells = self._cells("#sheet", self.size.width - 2)
        rows = sheet_rows(row, detail, self.station.glyphs, self.station.now(), cells, why_first=self._why_first)
        self.sheet.put(rows, home=home)

    def close_sheet(self) -> bool:
        """Back to the list; whether there was a sheet to close."""
        if not self.is_reading:
            return False
        self.query_one("#shell").remove_class("-reading")
        self.focus_main()
        return True

    # -- copying ------------------------------------------------------------------------------------------------

    def do_item_copy_id(self) -> None:
        """Copy the id."""
        row = self.main_pane.selected
        if row is not None:
            self.station.copy(row.id)

    def do_item_copy_text(self) -> None:
        """Copy the text as it is stored, and warn of what cannot be seen in it."""
        row, detail = self.main_pane.selected, self._detail
        if row is None:
            return
        text = detail.record.content if detail is not None and self._row is not None and self._row.n == row.n else None
        self.station.copy(row.content if text is None else text)
        if has_hidden(row.content):
            self.station.say([(_("It has characters that cannot be seen.  "), "warning"), *self.station.message])

    # -- what a list room asks ----------------------------------------------------------------------------------

    def detail_title(self, row: FactRow, detail: FactDetail | None) -> tuple[Sequence[Run], Sequence[Run]]:
        """Subject and predicate."""
        return runs(about(row)) or [(_("a note"), "")], ()

    def detail_rows(self, row: FactRow, detail: FactDetail) -> Sequence[Sequence[Run]]:
        """The detail beside the list."""
        return side_rows(row, detail, self.station.glyphs, self.station.now(), SIDE, self._why_key())
