"""Whether a text names somebody: whole words, as far as a script has them. It must not know where the text is from."""

from __future__ import annotations

import json
import unicodedata
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator

from memstation.domain.names import fold_name

_JOINED = (
    "CJK ", "IDEOGRAPHIC ", "HIRAGANA ", "KATAKANA", "BOPOMOFO ", "HANGUL ", "THAI ", "LAO ", "KHMER ", "MYANMAR ",
    "TIBETAN ", "YI ", "JAVANESE ", "BALINESE ", "TAI ", "NEW TAI ",
)  # fmt: skip
"""Beginnings of the names of characters whose words stand without space, or with particles that join them."""
_STACKING = frozenset("\u1039\u17d2\u1a60")
"""Marks of Burmese, Khmer and Tai Tham under which the next character stands."""


def is_named(text: str, names: Iterable[str]) -> bool:
    """Whether a text has one of these folded names as whole words, in any spelling.

    ``ann`` is named in "Ann's plan" and in "ask_ann", not in "planning". Where a script parts no words, the name is
    found wherever it stands: 小明 in 陳小明說.
    """
    folded = fold_name(text)
    return any(_stands_alone(folded, name) for name in names)


def names_in(folded: str, known: Container[str], longest: int) -> list[str]:
    """The known names that a folded text has as whole words by `is_named`, each once, in the order of the text.

    A name that stands only inside a longer one is not meant: York is none in New York. Names of more characters than
    `longest` are not looked for.
    """
    edges = [at for at in range(len(folded) + 1) if not _is_within(folded, at)]
    found: dict[str, None] = {}
    reached = 0
    for place, start in enumerate(edges):
        for end in reversed(edges[place + 1 : bisect_right(edges, start + longest)]):
            if end <= reached:
                break
            if folded[start:end] in known:
                found[folded[start:end]] = None
                reached = end
                break
    return list(found)


def _is_within(text: str, at: int) -> bool:
    """Whether a place between two characters is inside a word."""
    return 0 < at < len(text) and _joins(text[at - 1], text[at])


def strings_of(text: str | None) -> str:
    """The strings of a text in JSON, one a line; a text that is no JSON as it is. Escapes hide no word's edge."""
    try:
        return "\n".join(_strings(json.loads(text or "null")))
    except (ValueError, RecursionError):
        return text or ""


def _stands_alone(text: str, name: str) -> bool:
    at = text.find(name)
    while at >= 0 and name:
        end = at + len(name)
        is_within = (at > 0 and _joins(text[at - 1], name[0])) or (end < len(text) and _joins(name[-1], text[end]))
        if not is_within:
            return True
        at = text.find(name, at + 1)
    return False


def _joins(left: str, right: str) -> bool:
    """Whether two characters, side by side, are of one word of a script that parts its words, or of one sign."""
    if _is_of_a_word(left) and _is_of_a_word(right):
        return True
    if left.isascii() and right.isascii():
        return False
    # A mark belongs to what it stands on, and what is stacked to what it is stacked under.
    is_mark = unicodedata.category(right).startswith("M")
    return (left in _STACKING and right.isalnum()) or (is_mark and _is_of_a_sign(left))


def _is_of_a_sign(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char).startswith("M")


def _is_of_a_word(char: str) -> bool:
    if char.isascii():
        return char.isalnum()
    if not char.isalnum() and not unicodedata.category(char).startswith("M"):
        return False
    return not unicodedata.name(char, "").startswith(_JOINED)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif value is not None:
        yield json.dumps(value)
