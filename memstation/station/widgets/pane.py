"""A pane of laid-out text that scrolls. It takes runs that are safe already, and must not read anything itself."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memstation.station.render.cells import Run, fit_runs
from memstation.station.render.wrapping import wrap_runs
from memstation.station.widgets.painting import Painted


class TextPane(Painted, ScrollView, can_focus=True, inherit_bindings=False):
    """Text that may be longer than its place. Keys are the screen's: it calls `move`, `page` and `ends`.

    It wraps its lines itself: new text in it lays nothing else out, so it can follow a cursor.
    """

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.rows: Sequence[Sequence[Run]] = ()
        self._lines: list[list[Run]] = []
        self._width = 0

    @property
    def text(self) -> str:
        """What it says, line by line."""
        return "\n".join("".join(part for part, _ in row).rstrip() for row in self.rows)

    def put(self, rows: Sequence[Sequence[Run]], *, home: bool = True) -> None:
        """Show lines of runs; from the top unless `home` is False."""
        self.rows = rows
        self._flow(self.size.width)
        if home:
            self.scroll_to(y=0, animate=False, immediate=True)
        self.refresh(layout=self.styles.height is not None and self.styles.height.is_auto)

    def _flow(self, cells: int) -> None:
        """Wrap the rows to a width."""
        self._width = max(1, cells)
        self._lines = [line for row in self.rows for line in wrap_runs(row, self._width)]
        # Never less than the pane: another height lays the whole screen out again.
        self.virtual_size = Size(self._width, max(len(self._lines), self.size.height))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The lines that the text takes at a width."""
        if width != self._width:
            self._flow(width)
        return len(self._lines)

    def on_resize(self, _event: events.Resize) -> None:
        """Wrap anew."""
        if (self.size.width, max(len(self._lines), self.size.height)) != (self._width, self.virtual_size.height):
            self._flow(self.size.width)
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        place, cells = self.scroll_offset.y + y, self.size.width
        if place >= len(self._lines):
            return Strip.blank(cells, self.base)
        return self.strip(fit_runs(self._lines[place], cells), cells)

    def move(self, step: int) -> None:
        """Scroll by lines."""
        self.scroll_to(y=self.scroll_offset.y + step, animate=False, immediate=True)

    def page(self, step: int) -> None:
        """Scroll by pages."""
        self.move(step * max(1, self.size.height - 1))

    def ends(self, which: str) -> None:
        """Scroll to the ``first`` or the ``last`` line."""
        self.scroll_to(y=0 if which == "first" else len(self._lines), animate=False, immediate=True)
