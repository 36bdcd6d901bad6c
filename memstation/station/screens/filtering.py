"""A screen with a filter: a field in row 2 that the list follows. It must not know what is filtered."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import TYPE_CHECKING, cast

from textual import on
from textual.containers import Horizontal
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Input, Static

from memstation.station.render.cells import Run
from memstation.station.render.safe import Safe
from memstation.station.render.show import content
from memstation.station.widgets.bars import Bar
from memstation.station.widgets.field import Field
from memstation.station.words import _

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from memstation.station.app import StationApp

FILTER_DELAY = 0.2
"""Seconds without a key after which the list follows the filter's field."""


class FilteringScreen(Screen[None], inherit_bindings=False):
    """Row 2 and its field."""

    filter_text = ""
    """The filter in force."""
    _typing: Timer | None = None

    @property
    def station(self) -> StationApp:
        """The app."""
        return cast("StationApp", self.app)

    def compose_what(self) -> ComposeResult:
        """Row 2: what is shown, or the field."""
        with Horizontal(id="what-row"):
            yield Bar(id="what")
            yield Static(content([(_("Filter"), "key")]), id="filter-label")
            yield Field(id="filter")

    @abstractmethod
    def refresh_bars(self) -> None:
        """Say again what the rows say."""

    @abstractmethod
    def focus_main(self) -> None:
        """Give the keys to the list."""

    def apply_filter(self, text: str) -> None:
        """Show only what matches. A room with a filter overrides it."""

    @property
    def has_filter(self) -> bool:
        """Whether this room can be filtered."""
        return type(self).apply_filter is not FilteringScreen.apply_filter

    @property
    def is_filtering(self) -> bool:
        """Whether the filter's field is open."""
        return self.query_one("#what-row").has_class("-filtering")

    def do_list_filter(self) -> None:
        """Open the filter's field."""
        self.query_one("#what-row").add_class("-filtering")
        field = self.query_one("#filter", Field)
        if self.filter_text:
            field.value = self.filter_text
        field.focus()
        self.refresh_bars()

    @on(Input.Changed, "#filter")
    def _filter_typed(self, event: Input.Changed) -> None:
        """The list follows what is typed, once the hand rests."""
        event.stop()
        if self._typing is not None:
            self._typing.stop()
        if self.is_filtering:
            self._typing = self.set_timer(FILTER_DELAY, partial(self.set_filter, event.value.strip(), keep=True))

    @on(Input.Submitted, "#filter")
    def _filter_given(self, event: Input.Submitted) -> None:
        event.stop()
        self._close_filter()
        self.set_filter(event.value.strip())

    def _close_filter(self) -> None:
        """Close the field; what was typed stays in it."""
        if self._typing is not None:
            self._typing.stop()
        self.query_one("#what-row").remove_class("-filtering")
        self.focus_main()
        self.refresh_bars()

    def set_filter(self, text: str, *, keep: bool = False) -> None:
        """Filter by this text, '' for everything. `keep` leaves the field as it is: somebody is typing in it."""
        if text != self.filter_text:
            self.filter_text = text
            if not keep:
                self.query_one("#filter", Field).value = text
            self.station.say(())
            self.apply_filter(text)
            self.refresh_bars()

    def filter_chip(self) -> list[Run]:
        """``filter user (38)  escape clears``, or that there is none."""
        if not self.filter_text:
            return [(_("filter none"), "muted")]
        return [(_("filter "), "muted"), (Safe(self.filter_text), "marked"), (_("  escape clears"), "muted")]
