"""The columns of a list: how their widths are shared out, and a row laid out in them. It must not import textual."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from memstation.station.render.cells import Run, fit, fit_runs
from memstation.station.render.safe import Safe

R = TypeVar("R")
GUTTER = 3
"""Cursor, mark, space."""
MARGIN = 1
"""Blank at the end of a row."""


@dataclass(frozen=True, slots=True)
class Column(Generic[R]):
    """One column: its title, its least width in cells, what it shows of a row, and how it grows."""

    title: Safe
    width: int
    cell: Callable[[R], Sequence[Run]]
    flex: int = 0
    """Its share of the width that is left; 0 keeps it as it is."""
    right: bool = False
    rank: int = 0
    """Columns of the highest rank go first when there is no room for all."""


def shared_widths(columns: Sequence[Column[R]], total: int) -> list[int]:
    """The width of each column, 0 for one that has no room. One cell lies between two columns."""
    shown = list(range(len(columns)))
    while len(shown) > 1 and _needed(columns, shown) > total:
        shown.remove(max(shown, key=lambda place: (columns[place].rank, place)))
    spare = max(0, total - _needed(columns, shown))
    shares = sum(columns[place].flex for place in shown)
    widths = [0] * len(columns)
    for place in shown:
        column = columns[place]
        grown = spare * column.flex // shares if shares else 0
        widths[place] = column.width + grown
    left = total - sum(widths) - max(0, len(shown) - 1)
    growing = [place for place in shown if columns[place].flex] or shown[-1:]
    widths[growing[-1]] = max(1, widths[growing[-1]] + left)
    return widths


def _needed(columns: Sequence[Column[R]], shown: Sequence[int]) -> int:
    return sum(columns[place].width for place in shown) + max(0, len(shown) - 1)


def laid_out(columns: Sequence[Column[R]], widths: Sequence[int], row: R) -> list[Run]:
    """The cells of a row, cut and padded to the widths, with one blank between them."""
    parts: list[Run] = []
    for column, cells in zip(columns, widths, strict=True):
        if cells:
            if parts:
                parts.append((Safe(" "), ""))
            parts.extend(fit_runs(column.cell(row), cells, right=column.right))
    return parts


def titles(columns: Sequence[Column[R]], widths: Sequence[int]) -> Safe:
    """The line of the columns' titles."""
    return Safe(" ".join(
        fit(column.title, cells, right=column.right)
        for column, cells in zip(columns, widths, strict=True) if cells
    ))  # fmt: skip
