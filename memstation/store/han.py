"""Traditional characters as their simplified ones, one by one, from OpenCC's tables. It knows no words.

Characters are taken alone, so that a text folds the same wherever it stands; a word table would fold one character
in two ways.
"""

from __future__ import annotations

from functools import cache

_BLOCKS = ((0x3400, 0x4DC0), (0x4E00, 0xA000), (0xF900, 0xFB00), (0x20000, 0x323B0))
"""The ideographs of Unicode."""


class _Table(dict[int, str]):
    """What each character becomes, asked of OpenCC when it is first seen: all of them at once take long."""

    def __init__(self) -> None:
        from opencc import OpenCC

        super().__init__()
        self._convert = OpenCC("t2s").convert

    def __missing__(self, code: int) -> str:
        char = chr(code)
        new = self._convert(char) if any(first <= code < last for first, last in _BLOCKS) else char
        self[code] = char = new if len(new) == 1 else char
        return char


@cache
def _table() -> _Table:
    return _Table()


def simplified(text: str) -> str:
    """A text with every traditional character as its simplified one; same length, all else untouched."""
    return text if text.isascii() else text.translate(_table())
