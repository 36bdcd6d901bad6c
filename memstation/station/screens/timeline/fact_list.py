"""The Timeline's list: what is told meanwhile never moves the row under the cursor. It must not know the room."""

from __future__ import annotations

from collections.abc import Hashable

from textual.message import Message

from memstation.read.rows import FactRow
from memstation.station.services import RowSource
from memstation.station.widgets.pages import Reading
from memstation.station.widgets.virtual_list import VirtualList


class FactList(VirtualList[FactRow]):
    """Keeps the cursor's row on its line of the screen when rows come or go above it."""

    class Arrived(Message):
        """Rows came in above the first line of the screen."""

        def __init__(self, rows: int) -> None:
            super().__init__()
            self.rows = rows

    def show(self, source: RowSource[FactRow], *, find: Hashable | None = None, at_once: bool = True) -> None:
        """Show another list; until it is read, the cursor is where it is painted: on the first row of the old one."""
        super().show(source, find=find, at_once=at_once)
        if not at_once:
            self.refresh()
            self.post_message(self.Highlighted(self))

    def _take(self, reading: Reading[FactRow], first: bool) -> None:
        line, before, top = self.cursor - self.scroll_offset.y, self.cursor, self.scroll_offset.y
        super()._take(reading, first)
        if first or reading.place is None or not self.count:
            return
        wanted = max(0, self.cursor - line)
        if wanted != self.scroll_offset.y:
            self.scroll_to(y=wanted, animate=False, immediate=True)
        if top == 0 and self.cursor > before and self.scroll_offset.y:
            self.post_message(self.Arrived(self.scroll_offset.y))
