"""Two texts compared word by word, ideographs one by one. Pure; it must not split what is drawn as one character."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["same", "gone", "new"]
MOST_PAIRS = 250_000
"""Pairs of words that are compared; longer texts are shown one after the other."""

_WIDE = "\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
_TOKEN = re.compile(rf"\s+|[{_WIDE}]|[^\W{_WIDE}]+|[^\w\s]+")
_JOINS = ("Mn", "Me", "Mc", "Cf", "Sk")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of one of the texts; `start` is its place in the new text (in the old one where it is gone)."""

    kind: Kind
    text: str
    start: int


def tokens(text: str) -> list[str]:
    """Words, blanks, signs; each ideograph, kana or syllable for itself. Joined, they are the text."""
    found: list[str] = []
    for token in _TOKEN.findall(text):
        if found and unicodedata.category(token[0]) in _JOINS:
            found[-1] += token
        else:
            found.append(token)
    return found


def word_diff(old: str, new: str) -> list[Piece]:
    """What is the same, gone and new, in reading order; what is gone stands before what came for it."""
    a, b = tokens(old), tokens(new)
    first = 0
    while first < min(len(a), len(b)) and a[first] == b[first]:
        first += 1
    last = 0
    while last < min(len(a), len(b)) - first and a[-1 - last] == b[-1 - last]:
        last += 1
    middle = _blocks(a[first : len(a) - last], b[first : len(b) - last])
    blocks = [(a[:first], b[:first], True), *middle, (a[len(a) - last :], b[len(b) - last :], True)]
    return list(_pieces(blocks))


Block: TypeAlias = tuple[Sequence[str], Sequence[str], bool]
"""Words of the old text, words of the new one, whether they are the same."""


def _blocks(a: Sequence[str], b: Sequence[str]) -> list[Block]:
    """The blocks of two texts; blanks between two changes belong to the changes."""
    if len(a) * len(b) > MOST_PAIRS:
        return [(a, b, False)]
    blocks: list[Block] = []
    codes = SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    for place, (tag, a0, a1, b0, b1) in enumerate(codes):
        between = 0 < place < len(codes) - 1
        same = tag == "equal" and not (between and not "".join(b[b0:b1]).strip())
        if blocks and not same and not blocks[-1][2]:
            before = blocks.pop()
            blocks.append(([*before[0], *a[a0:a1]], [*before[1], *b[b0:b1]], False))
        else:
            blocks.append((a[a0:a1], b[b0:b1], same))
    return blocks


def _pieces(blocks: Sequence[Block]) -> Iterator[Piece]:
    at_old = at_new = 0
    for a, b, same in blocks:
        old, new = "".join(a), "".join(b)
        if same:
            if new:
                yield Piece("same", new, at_new)
        else:
            if old:
                yield Piece("gone", old, at_old)
            if new:
                yield Piece("new", new, at_new)
        at_old, at_new = at_old + len(old), at_new + len(new)
