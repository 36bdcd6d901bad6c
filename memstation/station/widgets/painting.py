"""Runs as strips in the colours of the theme, for widgets painted line by line. It must not know what they say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from memstation.station.render.cells import Run
from memstation.station.render.show import ROLES

if TYPE_CHECKING:
    from textual.scroll_view import ScrollView

    _View = ScrollView
else:
    _View = object


ROLE_CLASSES = {f"role--{role}" for role in ROLES}
"""What a painted widget must have in its COMPONENT_CLASSES: textual does not look for them in a mixin."""


class Painted(_View):
    """A mixin for line-API widgets: strips of runs."""

    _inks: dict[str, Style] | None = None
    _base: Style | None = None

    def ink(self, name: str) -> Style:
        """The style of a component class, without the widget's own."""
        if self._inks is None:
            self._inks = {}
        style = self._inks.get(name)
        if style is None:
            style = self._inks[name] = self.get_component_rich_style(name, partial=True)
        return style

    @property
    def base(self) -> Style:
        """The widget's own style. Working it out asks every rule of every ancestor, so it is kept."""
        if self._base is None:
            self._base = self.rich_style
        return self._base

    def strip(self, parts: Sequence[Run], cells: int, over: str = "") -> Strip:
        """A line of runs that take exactly `cells` cells, under the style of the component class `over`."""
        base = self.base
        top = self.ink(over) if over else Style.null()
        return Strip([Segment(text, base + self.ink(f"role--{role or 'text'}") + top) for text, role in parts], cells)

    def notify_style_update(self) -> None:
        """Forget what was painted in other colours."""
        super().notify_style_update()
        self._inks = self._base = None
        self.repaint()

    def repaint(self) -> None:
        """The colours changed."""
