"""A pane of laid-out text that scrolls. It takes content that is safe already, and must not read anything itself."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from memstation.station.render.cells import Run
from memstation.station.render.show import lines


class TextPane(VerticalScroll, can_focus=True, inherit_bindings=False):
    """Text that may be longer than its place. Keys are the screen's: it calls `move`, `page` and `ends`."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._text = Static(markup=False)
        self.rows: Sequence[Sequence[Run]] = ()

    def compose(self) -> ComposeResult:
        """The text."""
        yield self._text

    @property
    def text(self) -> str:
        """What it says, line by line."""
        return "\n".join("".join(part for part, _ in row).rstrip() for row in self.rows)

    def put(self, rows: Sequence[Sequence[Run]], *, home: bool = True) -> None:
        """Show lines of runs; from the top unless `home` is False."""
        self.rows = rows
        self._text.update(lines(rows) if rows else Content(""))
        if home:
            self.scroll_home(animate=False)

    def move(self, step: int) -> None:
        """Scroll by lines."""
        self.scroll_relative(y=step, animate=False)

    def page(self, step: int) -> None:
        """Scroll by pages."""
        self.scroll_relative(y=step * max(1, self.size.height - 1), animate=False)

    def ends(self, which: str) -> None:
        """Scroll to the ``first`` or the ``last`` line."""
        if which == "first":
            self.scroll_home(animate=False)
        else:
            self.scroll_end(animate=False)
