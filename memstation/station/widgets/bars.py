"""The rows above and below the body: one line each, a left and a right part. They must not wrap or scroll."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from memstation.station.render.cells import Run, fit_runs, runs_width, width
from memstation.station.render.safe import Safe
from memstation.station.render.show import content

LEAST_NOTE = 10
"""Cells below which the note of a rule is left out."""
GAP = 2
"""Blanks that keep the two parts apart, at least."""


class Bar(Widget):
    """One line: `left` from the first cell but one, `right` at the end. The right part is shown in full."""

    def __init__(self, *, id: str | None = None, classes: str | None = None, inset: int = 1) -> None:
        super().__init__(id=id, classes=classes)
        self._left: Sequence[Run] = ()
        self._right: Sequence[Run] = ()
        self._inset = inset

    @property
    def text(self) -> str:
        """What it says, without the blanks."""
        return " ".join("".join(part for part, _ in side).strip() for side in (self._left, self._right)).strip()

    def put(self, left: Sequence[Run], right: Sequence[Run] = ()) -> None:
        """Show these runs."""
        if (left, right) != (self._left, self._right):
            self._left, self._right = left, right
            self.refresh()

    def render(self) -> Content:
        """The line."""
        return content(self.line(self.size.width))

    def line(self, cells: int) -> list[Run]:
        """The runs, fitted to a width."""
        inset: Run = (Safe(" " * self._inset), "")
        room = cells - self._inset * 2 - runs_width(self._right)
        if not self._right:
            return [inset, *fit_runs(self._left, cells - self._inset)]
        return [inset, *fit_runs(self._left, max(0, room - GAP)), (Safe(" " * GAP), ""), *self._right, inset]


class Rule(Bar):
    """A line across the screen with a title: ``-- title ------------ note --``. The note gives way to the title."""

    across = "-"

    def line(self, cells: int) -> list[Run]:
        """The runs on the rule."""

        def rule(count: int) -> Run:
            return (Safe(self.across * max(0, count)), "line")

        left: list[Run] = [rule(2)]
        right: list[Run] = [rule(2)]
        if self._left:
            left += [(Safe(" "), ""), *self._left, (Safe(" "), "")]
        left = fit_runs(left, min(runs_width(left), max(0, cells - 2)))
        room = cells - runs_width(left) - 6
        if self._right and room >= min(LEAST_NOTE, runs_width(self._right)):
            note = fit_runs(self._right, min(room, runs_width(self._right)))
            right = [(Safe(" "), ""), *note, (Safe(" "), ""), rule(2)]
        return [*left, rule(cells - runs_width(left) - runs_width(right)), *right]


class RoomsRow(Bar):
    """The rooms, each with its number key; ``>`` before the one that is open."""

    class Chosen(Message):
        """A room was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, inset=0)
        self._spans: list[tuple[int, int, str]] = []

    def put_rooms(self, rooms: Sequence[tuple[str, str, Safe]], here: str, right: Sequence[Run] = ()) -> None:
        """Show the rooms: (name, number key, title) each, and the name of the one that is open."""
        parts: list[Run] = []
        self._spans, at = [], 0
        for name, number, title in rooms:
            parts.append((Safe(" "), ""))
            mark = ">" if name == here else " "
            parts.append((Safe(f"{number}{mark}{title}"), "strong" if name == here else "muted"))
            start, at = at + 1, at + 1 + width(f"{number}{mark}{title}")
            self._spans.append((start, at, name))
        self.put(parts, right)

    def on_click(self, event: events.Click) -> None:
        """A click goes to the room."""
        for start, stop, name in self._spans:
            if start <= event.x < stop:
                self.post_message(self.Chosen(name))


class Footer(Bar):
    """The keys that matter here: (key, label, dim) each, at most seven. The last is never left out."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._keys: Sequence[tuple[str, Safe, bool]] = ()

    def put_keys(self, keys: Sequence[tuple[str, Safe, bool]]) -> None:
        """Show these keys."""
        if keys != self._keys:
            self._keys = keys
            self.refresh()

    @property
    def text(self) -> str:
        """What it says."""
        return "   ".join(f"{key} {label}" for key, label, _ in self._keys)

    def line(self, cells: int) -> list[Run]:
        """As many keys as there is room for."""
        keys = list(self._keys)
        for gap in (3, 2):
            if self._width(keys, gap) <= cells - 2:
                return self._runs(keys, gap)
        while len(keys) > 1 and self._width(keys, 2) > cells - 2:
            del keys[-2]
        return self._runs(keys, 2)

    @staticmethod
    def _width(keys: Sequence[tuple[str, Safe, bool]], gap: int) -> int:
        return sum(width(key) + 1 + width(label) for key, label, _ in keys) + gap * (len(keys) - 1)

    @staticmethod
    def _runs(keys: Sequence[tuple[str, Safe, bool]], gap: int) -> list[Run]:
        parts: list[Run] = [(Safe(" "), "")]
        for place, (key, label, is_dim) in enumerate(keys):
            if place:
                parts.append((Safe(" " * gap), ""))
            parts.append((Safe(key), "muted" if is_dim else "key"))
            parts.append((Safe(f" {label}"), "muted" if is_dim else ""))
        return parts
