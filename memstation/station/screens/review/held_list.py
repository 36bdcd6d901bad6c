"""The Review room's list: what is held, in groups. It takes what is in memory already, and must not read."""

from __future__ import annotations

from memstation.station.render.held_groups import Entries, Entry, Item, key_of
from memstation.station.widgets.pages import Reading, read_pages
from memstation.station.widgets.virtual_list import VirtualList


class HeldList(VirtualList[Entry]):
    """Shows entries at once, with the cursor where it is told."""

    entries = Entries()

    def put(self, listed: Entries, place: int | None = None) -> None:
        """Show these entries; the cursor stays on its entry, or goes to `place` (to its place, where it is gone)."""
        self.forget("list")
        self.entries = self._source = listed
        if place is None and self._key is not None:
            place = listed.index_of(self._key)
        if place is None:
            place = self.cursor
        reading = read_pages(listed)
        self._take(Reading(reading.pages, max(0, min(place, len(listed.all) - 1))), first=False)
        end = max(0, self.count - self._lines)
        if self.scroll_offset.y > end:
            self.scroll_to(y=end, animate=False, immediate=True)

    def extent(self) -> int:
        """Never fewer than there were, or each verdict would lay the screen out again."""
        return max(super().extent(), self.virtual_size.height)

    def fail(self, error: Exception) -> None:
        """The list cannot be read: say so in its place."""
        self._fail(error)  # type: ignore[arg-type]

    def item(self) -> Item | None:
        """The memory under the cursor."""
        entry = self.selected
        return entry if isinstance(entry, Item) else None

    def go_to_entry(self, entry: Entry) -> None:
        """Put the cursor on an entry."""
        place = self.entries.index_of(key_of(entry))
        if place is not None:
            self.move(place - self.cursor)
