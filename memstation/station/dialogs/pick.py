"""Chooses one of a list by typing a part of it. It must not act on what is not in the list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.widgets import Input

from memstation.station.dialogs.base import Choice, Dialog
from memstation.station.render.cells import Run
from memstation.station.render.safe import Safe
from memstation.station.widgets.bars import Bar
from memstation.station.widgets.columns import Column
from memstation.station.widgets.field import Field
from memstation.station.widgets.pages import FixedRows
from memstation.station.widgets.virtual_list import VirtualList
from memstation.station.words import _, say

LINES = 12
_NOWHERE = object()


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to choose: what comes back, what is searched, what is shown."""

    value: Any
    words: str
    cells: tuple[tuple[Run, ...], ...]
    """One entry a column."""


class PickDialog(Dialog[Option | None]):
    """Returns the option that was chosen, None for none."""

    def __init__(
        self, title: Safe, options: Sequence[Option], *, widths: Sequence[int] = (70,), at: Any = _NOWHERE
    ) -> None:
        super().__init__(title)
        self.options, self._widths, self._at = options, widths, at

    def compose_body(self) -> ComposeResult:
        """Field, list, hint."""
        yield Field(id="find")
        yield VirtualList[Option](self._columns, titled=False, id="options")
        yield Bar(id="hint", classes="spaced", inset=0)

    def _columns(self, _width: int) -> list[Column[Option]]:
        def cell(place: int, option: Option) -> Sequence[Run]:
            return option.cells[place]

        return [
            Column(Safe(""), cells, partial(cell, place), flex=int(place == 0))
            for place, cells in enumerate(self._widths)
        ]

    def choices(self) -> Sequence[Choice]:
        """None: the list is the choice."""
        return []

    @property
    def shown(self) -> VirtualList[Option]:
        """The options that are left."""
        return self.query_one("#options", VirtualList)

    def start(self) -> None:
        """The field has the focus."""
        self.shown.leads = True
        self.shown.cursor_glyph = self.station.glyphs.cursor
        lines = max(3, min(LINES, len(self.options), self.app.size.height - 8))
        self.shown.styles.height = lines
        self.query_one(Field).focus()
        self._narrow("")
        place = next((place for place, option in enumerate(self.options) if option.value == self._at), 0)
        self.call_after_refresh(self.shown.move, place)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._narrow(event.value)

    def matching(self, text: str) -> Sequence[Option]:
        """The options that have every word that was typed."""
        words = text.casefold().split()
        return [option for option in self.options if all(word in option.words.casefold() for word in words)]

    def _narrow(self, text: str) -> None:
        left = self.matching(text)
        self.shown.show(FixedRows(left, key=id))
        count = say("{n} of {all}", n=f"{len(left):,}", all=f"{len(self.options):,}")
        self.query_one("#hint", Bar).put((), [(count, "muted")])

    def footer(self) -> Sequence[tuple[str, Safe, bool]]:
        """Up, down, enter, escape."""
        return [("up/down", _("choose"), False), ("enter", self.verb(), False), ("escape", _("close"), False)]

    def verb(self) -> Safe:
        """What enter does."""
        return _("choose")

    @on(Input.Submitted)
    def _chosen(self, event: Input.Submitted) -> None:
        event.stop()
        self._take()

    @on(VirtualList.Opened)
    def _clicked(self) -> None:
        self._take()

    def _take(self) -> None:
        option = self.shown.selected
        if option is not None and self.is_armed:
            self.dismiss(option)

    def do_dialog_press(self) -> None:
        """Enter on the list."""
        self._take()

    def do_dialog_list(self, step: str) -> None:
        """Another option."""
        self.shown.move(int(step))

    def do_dialog_page(self, step: str) -> None:
        """By pages."""
        self.shown.page(int(step))

    def do_dialog_answer(self, answer: str) -> None:
        """Y and n are letters here."""
