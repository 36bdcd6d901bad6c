"""Runs broken into lines of a width, with a hanging indent. It must not import textual, nor lose more than blanks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memstation.station.render.cells import Run, beginning, width
from memstation.station.render.safe import Safe


def wrap_runs(parts: Sequence[Run], cells: int, hang: int = 0) -> list[list[Run]]:
    """The runs in lines of at most `cells` cells; lines after the first begin with `hang` blanks.

    Line breaks in the text lay out. Words break where they are longer than a line, wide letters anywhere.
    """
    cells = max(cells, hang + 2, 2)
    lines: list[list[Run]] = [[]]
    left = cells

    def new_line() -> None:
        nonlocal left
        lines.append([(Safe(" " * hang), "")] if hang else [])
        left = cells - hang

    for text, role in parts:
        for piece in _pieces(text):
            if piece == "\n":
                new_line()
                continue
            size = width(piece)
            if size > left and piece.isspace():
                new_line()
                continue
            if size > left and size <= cells - hang and left < cells - hang:
                new_line()
            while size > left:
                head = beginning(piece, left)
                if head:
                    _add(lines[-1], head, role)
                    piece = piece[len(head) :]
                    size = width(piece)
                elif left >= cells - hang:
                    _add(lines[-1], piece, role)
                    piece, size = "", 0
                if piece:
                    new_line()
            if piece:
                _add(lines[-1], piece, role)
                left -= size
    return lines


def _add(line: list[Run], text: str, role: str) -> None:
    if line and line[-1][1] == role:
        line[-1] = (Safe(line[-1][0] + text), role)
    else:
        line.append((Safe(text), role))


def _pieces(text: str) -> Iterator[str]:
    """Words, the blanks between them, and line breaks; wide letters one by one."""
    word = ""
    for char in text:
        if char == "\n":
            if word:
                yield word
            yield char
            word = ""
        elif ((char == " ") != word.endswith(" ") and word) or (_is_wide(char) and word and _is_wide(word[-1])):
            yield word
            word = char
        else:
            word += char
    if word:
        yield word


def _is_wide(char: str) -> bool:
    """Whether a line may break on either side of it: ideographs and kana, but not emoji, which join."""
    return "\u3000" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7a3" or "\uff00" <= char <= "\uffef"


def labelled(label: Safe, parts: Sequence[Run], cells: int, hang: int) -> list[list[Run]]:
    """``Told by    you, trust 1.0``: the label in a column of `hang` cells, what it says wrapped beside it."""
    space = " " * max(1, hang - width(label))
    return wrap_runs([(Safe(label + space), "muted"), *parts], cells, hang)
