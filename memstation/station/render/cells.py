"""Text measured, cut and padded in cells. It must not import textual, nor split what is drawn as one character."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from rich.cells import cell_len, split_graphemes

from memstation.station.render.safe import LINE_MARK, TAB_MARK, Safe, pieces

Run: TypeAlias = tuple[Safe, str]
"""A piece of safe text with the role that colours it ('' is plain text)."""

CUT = Safe("..")
TOKEN = "token"
"""The role of what stands for a character that cannot be shown."""


def width(text: str) -> int:
    """How many cells the text takes."""
    return len(text) if text.isascii() else cell_len(text)


def cut(text: Safe, cells: int) -> Safe:
    """The text in at most `cells` cells, ending in ``..`` where something was left out."""
    if cells <= 0:
        return Safe("")
    if width(text) <= cells:
        return text
    return Safe(beginning(text, cells - width(CUT)) + CUT) if cells > 2 else Safe("." * cells)


def beginning(text: str, cells: int) -> str:
    """The beginning of a text in at most `cells` cells; what is drawn as one character is not split."""
    if text.isascii():
        return text[:cells]
    end = used = 0
    for _, stop, size in split_graphemes(text)[0]:
        if used + size > cells:
            break
        end, used = stop, used + size
    return text[:end]


def fit(text: Safe, cells: int, *, right: bool = False) -> Safe:
    """The text cut or padded to exactly `cells` cells; `right` puts the padding before it."""
    text = cut(text, cells)
    space = " " * (cells - width(text))
    return Safe(space + text if right else text + space)


def runs(text: str | None, role: str = "", *, lines: bool = False) -> list[Run]:
    """Stored text as runs: tokens carry a role of their own, so that they cannot be mistaken for the text."""
    marks = (LINE_MARK, TAB_MARK)
    return [
        (piece, ("muted" if piece in marks else TOKEN) if token else role)
        for piece, token in pieces(text or "", lines=lines)
    ]


def runs_width(parts: Iterable[Run]) -> int:
    """How many cells the runs take together."""
    return sum(width(text) for text, _ in parts)


def fit_runs(parts: Sequence[Run], cells: int, *, right: bool = False) -> list[Run]:
    """The runs cut or padded to exactly `cells` cells, ending in ``..`` where something was left out."""
    total = runs_width(parts)
    if total <= cells:
        space: Run = (Safe(" " * (cells - total)), "")
        if not space[0]:
            return list(parts)
        return [space, *parts] if right else [*parts, space]
    if cells <= 2:
        return [(Safe("." * max(cells, 0)), "")]
    kept: list[Run] = []
    left = cells - width(CUT)
    for text, role in parts:
        size = width(text)
        if size > left:
            head = beginning(text, left)
            kept.append((Safe(head), role))
            left -= width(head)
            break
        kept.append((text, role))
        left -= size
    return [*kept, (Safe(CUT + " " * left), kept[-1][1] if kept else "")]
