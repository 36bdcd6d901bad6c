"""Traditional characters as their simplified ones, one by one, from OpenCC's tables. It knows no words.

Characters are taken alone, so that a text folds the same wherever it stands; a word table would fold one character
in two ways.
"""

from __future__ import annotations

from functools import cache

_BLOCKS = ((0x3400, 0x4DC0), (0x4E00, 0xA000), (0xF900, 0xFB00), (0x20000, 0x323B0))
"""The ideographs of Unicode."""


@cache
def _table() -> dict[int, str]:
    from opencc import OpenCC

    characters = [chr(code) for first, last in _BLOCKS for code in range(first, last)]
    simple = OpenCC("t2s").convert("\n".join(characters)).split("\n")
    return {ord(old): new for old, new in zip(characters, simple, strict=True) if old != new and len(new) == 1}


def simplified(text: str) -> str:
    """A text with every traditional character as its simplified one; same length, all else untouched."""
    return text if text.isascii() else text.translate(_table())
