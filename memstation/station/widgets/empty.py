"""What stands for a list without rows: what it would show, why it is empty, the next key. Never for a failure."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from memstation.station.render.cells import Run
from memstation.station.render.safe import Safe
from memstation.station.render.show import lines


class Empty(Vertical):
    """An empty state. Hidden until `put` is called and ``display`` is set."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._text = Static(markup=False)
        self.display = False
        self.text = ""

    def compose(self) -> ComposeResult:
        """The text."""
        yield self._text

    def put(self, title: Safe, why: Sequence[Safe], keys: Sequence[tuple[str, Safe]]) -> None:
        """Show a title, the reasons line by line, and the keys that lead on."""
        rows: list[list[Run]] = [[(title, "strong")], []]
        rows += [[(line, "")] for line in why]
        rows += [[]] if why else []
        rows += [[(Safe(f"{key:<8}"), "key"), (word, "")] for key, word in keys]
        self.text = "\n".join("".join(part for part, _ in row) for row in rows)
        self._text.update(lines(rows))
