"""The pane that draws the lanes of a fact. It must not read anything, nor decide what is drawn: `render.lanes` does."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from textual import events
from textual.strip import Strip
from textual.widget import Widget

from memstation.read.rows import Lane
from memstation.station.render.cells import Run, fit_runs
from memstation.station.render.glyphs import PLAIN, GlyphSet
from memstation.station.render.lanes import lane_rows
from memstation.station.widgets.painting import Painted


class Lanes(Painted, Widget):
    """Axis, lanes and legend, as many as there is room for."""

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.glyphs: GlyphSet = PLAIN
        self._lanes: Sequence[Lane] = ()
        self._here: int | None = None
        self._now: datetime | None = None
        self._rows: list[list[Run]] | None = None

    def put(self, lanes: Sequence[Lane], here: int | None, now: datetime) -> None:
        """Show these lanes; the one of the fact `here` is under the cursor. None at all clears the pane."""
        if (lanes, here, now) != (self._lanes, self._here, self._now):
            self._lanes, self._here, self._now, self._rows = lanes, here, now, None
            self.refresh()

    def rows(self) -> list[list[Run]]:
        """What is drawn, line by line, in the size it has."""
        if self._rows is None:
            size = self.size
            self._rows = [] if self._now is None else lane_rows(
                self._lanes, self._here, self.glyphs, self._now, size.width, size.height
            )  # fmt: skip
        return self._rows

    @property
    def text(self) -> str:
        """What it shows, as text."""
        return "\n".join("".join(part for part, _ in row).rstrip() for row in self.rows())

    def on_resize(self, _event: events.Resize) -> None:
        """Draw for another size."""
        self._rows = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        rows, cells = self.rows(), self.size.width
        if y >= len(rows):
            return Strip.blank(cells, self.base)
        return self.strip(fit_runs(rows[y], cells), cells)
