"""Runs as strips in the colours of the theme, for widgets painted line by line. It must not know what they say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from memstation.station.render.cells import Run

if TYPE_CHECKING:
    from textual.scroll_view import ScrollView

    from memstation.station.app import StationApp

    _View = ScrollView
else:
    _View = object


class Painted(_View):
    """A mixin for line-API widgets: strips of runs."""

    _inks: Mapping[str, Style] | None = None
    _base: Style | None = None

    @property
    def inks(self) -> Mapping[str, Style]:
        """The styles by role, and those that lie over a line; see `colours.painted_styles`."""
        if self._inks is None:
            self._inks = cast("StationApp", self.app).painted_styles
        return self._inks

    @property
    def base(self) -> Style:
        """The widget's own style. Working it out asks every rule of every ancestor, so it is kept."""
        if self._base is None:
            self._base = self.rich_style
        return self._base

    def strip(self, parts: Sequence[Run], cells: int, over: str = "") -> Strip:
        """A line of runs that take exactly `cells` cells, under a style that lies over the whole of it."""
        base, inks = self.base, self.inks
        top = inks[over] if over else Style.null()
        return Strip([Segment(text, base + inks[role or "text"] + top) for text, role in parts], cells)

    def notify_style_update(self) -> None:
        """Forget what was painted in other colours."""
        super().notify_style_update()
        self._inks = self._base = None
        self.repaint()

    def repaint(self) -> None:
        """The colours changed."""
