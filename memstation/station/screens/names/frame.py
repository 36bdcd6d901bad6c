"""Names, its frame: three lists, one below the other, and a detail. It must not read anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.widget import Widget

from memstation.read.conflict_rows import Conflict, NameGroup, Suggested
from memstation.station.commands import BY_ID, shown_keys
from memstation.station.render.names_columns import conflict_columns, group_columns, suggested_columns
from memstation.station.render.names_detail import Row
from memstation.station.screens.base import RoomScreen
from memstation.station.widgets.bars import Rule
from memstation.station.widgets.columns import Column
from memstation.station.widgets.empty import Empty
from memstation.station.widgets.pane import TextPane
from memstation.station.widgets.virtual_list import VirtualList

DETAIL = 7
"""Lines of the detail where it stands below the lists, with its title."""


class NamesFrame(RoomScreen):
    """The parts, and how they share the height."""

    _last: VirtualList[Any] | None = None
    """The list that had the keys last."""

    # -- parts --------------------------------------------------------------------------------------------------

    def compose_body(self) -> ComposeResult:
        """Groups, suggestions, conflicts; the detail below or beside them."""
        with Container(id="list-and-detail"):
            with Vertical(id="list-side"):
                yield VirtualList[NameGroup](group_columns, id="groups")
                yield Rule(id="suggested-title")
                yield VirtualList[Suggested](self._suggested_columns, titled=False, id="suggested")
                yield Rule(id="conflicts-title")
                yield VirtualList[Conflict](self._conflict_columns, titled=False, id="conflicts")
                yield Empty(id="empty")
            with Vertical(id="detail-side"):
                yield Rule(id="detail-title")
                yield TextPane(id="detail")

    def on_mount(self) -> None:
        """Glyphs, and the keys to the first list."""
        for list_ in self.lists():
            list_.cursor_glyph = self.station.glyphs.cursor
            list_.is_quiet = True
        for name in ("#suggested-title", "#conflicts-title", "#detail-title"):
            self.query_one(name, Rule).across = self.station.glyphs.across
        self.main_pane.focus()

    def lists(self) -> list[VirtualList[Any]]:
        """The lists, from the top."""
        return [self.query_one(name, VirtualList) for name in ("#groups", "#suggested", "#conflicts")]

    @property
    def main_pane(self) -> VirtualList[Any]:
        """The first list that has rows."""
        lists = self.lists()
        return next((list_ for list_ in lists if list_.count), lists[0])

    def _suggested_columns(self, width: int) -> Sequence[Column[Suggested]]:
        return suggested_columns(width, self.station.glyphs)

    def _conflict_columns(self, width: int) -> Sequence[Column[Conflict]]:
        return conflict_columns(width, self.station.glyphs)

    def key_name(self, command_id: str) -> str:
        """The key that is in effect for a command."""
        return shown_keys(BY_ID[command_id], self.station.services.keymap, first=True)

    @property
    def current(self) -> VirtualList[Any]:
        """The list that has the keys, or had them last."""
        focused = self.focused
        return focused if isinstance(focused, VirtualList) else self._last or self.main_pane

    def selected(self) -> Row | None:
        """The row under the cursor of the list that has the keys."""
        row: Row | None = self.current.selected
        return row

    # -- heights ------------------------------------------------------------------------------------------------

    def share_height(self) -> None:
        """Each list gets three lines at least, and what it needs as long as there is room."""
        lists = [list_ for list_ in self.lists() if list_.count]
        if not lists:
            return
        height = self.query_one("#body", Widget).size.height - (0 if self.is_wide else DETAIL)
        wanted = [list_.count + (list_.id == "groups") for list_ in lists]
        room = max(3 * len(lists), height - sum(list_.id != "groups" for list_ in lists))
        least = [min(want, 3) for want in wanted]
        spare = max(0, room - sum(least))
        given = []
        for want, have in zip(wanted, least, strict=True):
            more = min(want - have, spare)
            spare -= more
            given.append(have + more)
        for list_, lines in zip(lists, given, strict=True):
            list_.styles.height = lines
