"""A list that tries its filter before it takes it: what cannot be read stays in its field. It knows no rows."""

from __future__ import annotations

from typing import TypeVar

from textual import on
from textual.widgets import Input

from memstation.domain.errors import MemstationError
from memstation.station.render.safe import Safe, safe_line
from memstation.station.screens.list_room import ListRoom

R = TypeVar("R")
D = TypeVar("D")


class FilteredList(ListRoom[R, D]):
    """The filter of Timeline and its past."""

    _shown_filter = ""
    """The filter of the list that is shown."""

    def can_filter(self) -> bool:
        """Whether there is a list to filter."""
        return self.engine is not None

    @on(Input.Submitted, "#filter")
    def _filter_entered(self, event: Input.Submitted) -> None:
        """A filter that cannot be read stays in its field."""
        if not self._filter_by(event.value.strip()):
            event.stop()
            event.prevent_default()

    def apply_filter(self, text: str) -> None:
        """Show only what matches."""
        self._filter_by(text)

    def _filter_by(self, text: str) -> bool:
        """Filter, where the text can be read; else say why, and leave the list as it is."""
        if not self.can_filter() or text == self._shown_filter:
            self.filter_text = self._shown_filter
            return True
        row = self.main_pane.selected
        self.filter_text = text
        try:
            self.source()
        except MemstationError as error:
            self.filter_text = self._shown_filter
            self.station.say([(safe_line(error.title), "warning"), (Safe(": "), ""), (safe_line(error.detail), ""),
                              (Safe("  "), ""), (safe_line(error.hint), "muted")])  # fmt: skip
            return False
        self.station.say([])
        self.show_list(None if row is None or text else self.main_pane.key_of(row))
        return True
