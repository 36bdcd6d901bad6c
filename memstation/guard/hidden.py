"""Characters that a reader cannot see: which they are, what they are called, how often they occur."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

_TAGS = (0xE0000, 0xE007F)
_SELECTORS = ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u2800\u3164\uffa0")
_VISIBLE = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
_MAYBE = re.compile(r"[^\t\n -~\u00a1-\u00ac\u00ae-\u0250\u3001-\u3163\u3400-\u9fff\uac00-\ud7a3\uff01-\uff9f]")
_JOINERS = "\u200c\u200d"
_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a]{2,6}\U000e007f")
_NONE: Mapping[str, int] = MappingProxyType({})


def is_hidden(char: str) -> bool:
    """Whether the character shows nothing of its own: format, control, filler, selector, private use."""
    code = ord(char)
    if char in "\t\n\r\x0b\x0c\x85\u2028\u2029":
        return False
    if char in _FILLERS or any(low <= code <= high for low, high in _SELECTORS):
        return True
    category = unicodedata.category(char)
    return category in ("Cc", "Co", "Cs") or (category == "Cf" and char not in _VISIBLE)


def name_of(char: str) -> str:
    """The character's Unicode name; one name for all tags and for all selectors, ``U+001B`` where it has none."""
    code = ord(char)
    if _TAGS[0] <= code <= _TAGS[1]:
        return "TAG CHARACTER"
    if any(low <= code <= high for low, high in _SELECTORS):
        return "VARIATION SELECTOR"
    return unicodedata.name(char, f"U+{code:04X}")


def hidden_in(text: str) -> Mapping[str, int]:
    """How often each hidden character occurs where it does no honest work, by name, in order of name."""
    if _MAYBE.search(text) is None:
        return _NONE
    flags = [match.span() for match in _FLAG.finditer(text)] if "\U0001f3f4" in text else []
    inside = {at for start, end in flags for at in range(start, end)}
    counts = Counter(
        name_of(match.group())
        for match in _MAYBE.finditer(text)
        if is_hidden(match.group()) and match.start() not in inside and not _at_home(text, match.start())
    )
    return MappingProxyType(dict(sorted(counts.items()))) if counts else _NONE


def _at_home(text: str, at: int) -> bool:
    """Whether a joiner or selector does its work here: in an emoji, or between letters of a script that joins."""
    char = text[at]
    before = text[at - 1] if at else ""
    after = text[at + 1 : at + 2]
    if char == "\ufeff":
        return at == 0
    if char in _JOINERS:
        return _joins(before) and (_joins(after) or not after or not after.isascii())
    if "\ufe00" <= char <= "\ufe0f":
        return bool(before) and (before in "#*0123456789" or not before.isalnum()) and not is_hidden(before)
    if "\U000e0100" <= char <= "\U000e01ef":
        return bool(before) and "\u3400" <= before <= "\U0003ffff" and not _is_selector(before)
    return False


def _is_selector(char: str) -> bool:
    return any(low <= ord(char) <= high for low, high in _SELECTORS)


def _joins(char: str) -> bool:
    """Whether the character may stand beside a joiner: an emoji or its selector, a letter of Arabic or India."""
    return bool(char) and (
        "\u0600" <= char <= "\u109f" or "\u1780" <= char <= "\u18af" or char == "\ufe0f"
        or "\u2190" <= char <= "\u2bff" or "\U0001f000" <= char <= "\U0001faff" or "\ufb50" <= char <= "\ufeff"
    )  # fmt: skip
