"""Reading what was believed at a moment beside what is believed now. A comparison may take long: a thread makes it."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

from textual import on

from memstation.domain.errors import MemstationError
from memstation.read.rows import PastDetail, PastMoment, PastRow
from memstation.station.dialogs.past import Asked
from memstation.station.screens.filtered_list import FilteredList
from memstation.station.services import PastQuery, RowSource
from memstation.station.widgets.pages import read_pages
from memstation.station.widgets.virtual_list import VirtualList


class Comparing(FilteredList[PastRow, PastDetail]):
    """The list of the past, and its counts."""

    def __init__(self, agent_id: str, asked: Asked) -> None:
        super().__init__()
        self.agent = agent_id
        self.moment = asked.moment
        self.only_differences = True
        self.is_followed = False
        """Whether a decision was followed into the Log: then coming back finds the past as it was."""
        self._first = asked.first
        self._known: PastMoment | None = asked.known
        self._is_reading = False
        """Whether the list is still that of another comparison, or none yet."""
        self._is_other = False
        """Whether what is being read is another comparison, not the same one anew."""
        self._asks: PastQuery | None = None
        self._listed: PastQuery | None = None
        """What the list was read with."""
        self._counts: dict[bool, int] = {}
        """How many rows there are without the filter: only the differences (True), all (False)."""

    # -- reading ------------------------------------------------------------------------------------------------

    def query_of(self, text: str, *, only: bool) -> PastQuery:
        """What is asked of the reader."""
        return self.moment.query(self.agent, text, only_differences=only)

    def source(self) -> RowSource[PastRow]:
        """The beliefs of then, filtered."""
        assert self.engine is not None
        return self.engine.reader.past(self.query_of(self.filter_text, only=self.only_differences))

    def show_list(self, find: Hashable | None = None) -> None:
        """Read the list in a thread: a comparison may take longer than a key may."""
        try:
            source = self.source()
        except MemstationError as error:
            self._refused(error)
            return
        self._shown_filter = self.filter_text
        self._begin()
        self.main_pane.show(source, find=find, at_once=False)

    def renew(self) -> None:
        """Read the comparison again, and keep the cursor on its row."""
        self._begin()
        super().renew()

    def _again(self) -> None:
        """Read another comparison, the cursor on the same belief where it is in it; until then the old one stands."""
        self._is_other = True
        self.station.say([])
        self.renew()
        self.refresh_bars()

    def _begin(self) -> None:
        assert self.engine is not None
        self._is_reading = True
        self._asks = self.query_of("", only=False)
        call = partial(self.engine.reader.past_moment, self._asks)
        self.in_thread("moment", call, self._moment_known, lambda _error: None)

    @on(VirtualList.Lost, "#list")
    def _belief_lost(self, event: VirtualList.Lost) -> None:
        """Another comparison need not have the row: that is no news."""
        if self._is_other:
            event.prevent_default()

    @on(VirtualList.Failed, "#list")
    def _comparison_failed(self) -> None:
        self._is_reading = False

    def _count(self) -> None:
        """How many rows the other list has, and both without the filter: read after the one that is shown."""
        assert self.engine is not None
        for only in (True, False):
            if self.filter_text or only != self.only_differences:
                try:
                    source = self.engine.reader.past(self.query_of("", only=only))
                except MemstationError:
                    continue
                call, done = partial(_length, source), partial(self._counted_all, only)
                self.in_thread(f"count {only}", call, done, lambda _error: None)

    def _moment_known(self, known: PastMoment) -> None:
        self._known = known
        self.refresh_bars()

    def _counted_all(self, only: bool, count: int) -> None:
        self._counts[only] = count
        self.refresh_bars()

    @on(VirtualList.Counted, "#list")
    def _list_counted(self) -> None:
        self._is_reading, self._listed = False, self._asks
        self.call_later(self._settled)
        if not self.filter_text and self.main_pane.is_whole:
            self._counts[self.only_differences] = self.main_pane.count
        self.query_one("#shell").set_class(self.main_pane.count == 0, "-nothing")
        if self.main_pane.is_whole:
            self._count()

    def _settled(self) -> None:
        self._is_other = False

    def read_detail(self, row: PastRow) -> PastDetail | None:
        """All about one belief."""
        assert self.engine is not None
        query = self._listed
        return None if query is None else self.engine.reader.past_detail(query.agent_id, row.key, query)


def _length(source: RowSource[PastRow]) -> int:
    """How long a list is. Called in a thread."""
    return read_pages(source).pages.count
