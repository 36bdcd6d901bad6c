"""Stored text as text that is safe to show. It must not import textual, and never drops or reorders a character.

Characters that a terminal obeys, or that a reader cannot see, become tokens such as ``[U+001B]``; a run of the same
one becomes ``[U+200B x3]``. Ordinary letters of any script, emoji families, keycaps and flags stay as they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NewType

Safe = NewType("Safe", str)
"""Text that came through this door (or was never stored): no control, bidirectional or invisible character."""

LINE_MARK = "↵"
"""Stands for a line break where only one line can be shown. Neutral width: one cell in every terminal."""
TAB_MARK = "⇥"
MARKS_IN_A_ROW = 8
"""Combining marks that may sit on one letter; more would spill over the lines above and below."""

_ZWNJ, _ZWJ, _VS15, _VS16, _KEYCAP = "\u200c", "\u200d", "\ufe0e", "\ufe0f", "\u20e3"
_VIRAMA = 9
_VISIBLE_FORMAT = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
# Letters and marks by category, yet nothing to see: fillers, joiner, blank pattern, vowel signs without a shape.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_FLAG = "\U0001f3f4"
_FLAG_TAGS = tuple(
    "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f" for region in ("gbeng", "gbsct", "gbwls")
)
# A whole text of these needs no look at its characters.
_PLAIN = re.compile(
    r"[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u3001-\u3029\u3041-\u3163\u4e00-\u9fff\uff01-\uff9f]*"
)


def _is_pictograph(char: str) -> bool:
    code = ord(char)
    return (
        0x1F000 <= code <= 0x1FAFF
        or 0x2190 <= code <= 0x21FF
        or 0x2300 <= code <= 0x27BF
        or 0x2900 <= code <= 0x2BFF
        or char in "\u00a9\u00ae\u203c\u2049\u2122\u2139\u3030\u303d\u3297\u3299"
    )


def _is_arabic(char: str) -> bool:
    return unicodedata.name(char, "").startswith(("ARABIC LETTER", "SYRIAC LETTER", "NKO LETTER", "MONGOLIAN LETTER"))


def _is_ideograph(char: str) -> bool:
    code = ord(char)
    return 0x3400 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or 0x20000 <= code <= 0x3FFFF


def _base(text: str, index: int) -> str:
    """The character before `index` that a joiner joins, past a selector or a skin tone."""
    index -= 1
    while index > 0 and (text[index] == _VS16 or 0x1F3FB <= ord(text[index]) <= 0x1F3FF):
        index -= 1
    return text[index] if index >= 0 else ""


def _joiner_is_at_home(text: str, index: int) -> bool:
    """Whether a ZWJ or ZWNJ does its work here: in an emoji, after a virama, between Arabic letters (RFC 5892)."""
    before = text[index - 1] if index else ""
    after = text[index + 1] if index + 1 < len(text) else ""
    if not before or not after:
        return False
    if unicodedata.combining(before) == _VIRAMA:
        return True
    if text[index] == _ZWJ:
        base = _base(text, index)
        return bool(base) and _is_pictograph(base) and _is_pictograph(after)
    return _is_arabic(before) and _is_arabic(after)


def _selector_is_at_home(text: str, index: int) -> bool:
    """Whether a variation selector shapes the character before it, which it may do once."""
    before = text[index - 1] if index else ""
    if not before:
        return False
    if text[index] in (_VS15, _VS16):
        if before in "#*0123456789":
            return text[index + 1 : index + 2] == _KEYCAP
        return _is_pictograph(before)
    return 0xE0100 <= ord(text[index]) <= 0xE010F and _is_ideograph(before)


def _is_hidden(text: str, index: int, marks: int) -> bool:
    """Whether the character at `index` must be shown as a token. `marks` counts the combining marks before it."""
    char = text[index]
    code = ord(char)
    category = unicodedata.category(char)
    if category in ("Cc", "Cs", "Co", "Zl", "Zp") or char in _INVISIBLE:
        return True
    if char in (_ZWJ, _ZWNJ):
        return not _joiner_is_at_home(text, index)
    if 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF:
        return not _selector_is_at_home(text, index)
    if category == "Cf":
        return char not in _VISIBLE_FORMAT
    if category == "Cn":  # newer letters and emoji than this Python knows may pass; what can never be one may not
        return (
            0xFDD0 <= code <= 0xFDEF
            or code & 0xFFFE == 0xFFFE
            or code == 0x2065
            or 0xFFF0 <= code <= 0xFFF8
            or (0xE0000 <= code <= 0xE0FFF)
        )
    if category in ("Mn", "Me"):
        return marks >= MARKS_IN_A_ROW or index == 0 or text[index - 1] in "\n\r\t"
    return False


def _token(char: str, times: int) -> str:
    return f"[U+{ord(char):04X}]" if times == 1 else f"[U+{ord(char):04X} x{times}]"


def _flag_length(text: str, index: int) -> int:
    if text[index - 1 : index] == _FLAG:
        for tags in _FLAG_TAGS:
            if text.startswith(tags, index):
                return len(tags)
    return 0


def pieces(text: str, *, lines: bool = False) -> Iterator[tuple[Safe, bool]]:
    """The text in pieces, each with whether it is a token in place of what cannot be shown.

    Args:
        text: stored text.
        lines: whether line breaks lay out; else each becomes a visible mark.
    """
    if _PLAIN.fullmatch(text):
        if text:
            yield Safe(text), False
        return
    start, index, marks, size = 0, 0, 0, len(text)
    while index < size:
        char = text[index]
        shown, end = "", index + 1
        if char == "\n" or (char == "\r" and text[index + 1 : index + 2] == "\n"):
            end = index + (2 if char == "\r" else 1)
            shown = "\n" if lines else LINE_MARK
        elif char == "\t":
            shown = TAB_MARK
        elif "\U000e0020" <= char <= "\U000e007f" and (flag := _flag_length(text, index)):
            index += flag
            continue
        elif _is_hidden(text, index, marks):
            while end < size and text[end] == char and _is_hidden(text, end, marks):
                end += 1
            shown = _token(char, end - index)
        if shown:
            if start < index:
                yield Safe(text[start:index]), False
            yield Safe(shown), shown != "\n"
            start = end
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        index = end
    if start < size:
        yield Safe(text[start:]), False


def safe_line(text: str | None) -> Safe:
    """The text for a place of one line: a line break becomes a visible mark. Empty for None."""
    return Safe("".join(piece for piece, _ in pieces(text))) if text else Safe("")


def safe_block(text: str | None) -> Safe:
    """The text for a place of many lines: line breaks lay out, everything else hidden is visible. Empty for None."""
    return Safe("".join(piece for piece, _ in pieces(text, lines=True))) if text else Safe("")


def has_hidden(text: str | None) -> bool:
    """Whether the text holds something that is shown as a token (line breaks and tabs aside)."""
    return any(token and piece[0] == "[" for piece, token in pieces(text or ""))


def typed(text: str) -> Safe:
    """Text that came from the keyboard or a paste, for a field of one line: what cannot be shown becomes U+FFFD."""
    return Safe("".join((" " if piece in (LINE_MARK, TAB_MARK) else "\ufffd") if token else piece
                        for piece, token in pieces(text)))  # fmt: skip
