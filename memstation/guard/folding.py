"""A text in the plain forms that rules match, each with a way back to the text as written. It judges nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from memstation.domain.findings import Form as FormName
from memstation.guard.hidden import is_hidden


@dataclass(frozen=True, slots=True)
class Folded:
    """One form of a text. `starts` and `ends` give, for each of its characters, the stretch as written."""

    text: str
    kind: FormName = "written"
    starts: Sequence[int] | None = None
    """None where every character stands for the one at its own place."""
    ends: Sequence[int] | None = None
    spaced: bool = True
    """False where the separators between words were lost."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the text as written that a non-empty stretch of this form came from."""
        if self.starts is None or self.ends is None:
            return start, end
        return min(self.starts[start:end]), max(self.ends[start:end])

    def part(self, start: int, end: int) -> Folded:
        """A stretch of this form, which leads back to the same text."""
        last = min(end, len(self.text))
        starts = self.starts if self.starts is not None else range(last)
        ends = self.ends if self.ends is not None else range(1, last + 1)
        return Folded(self.text[start:end], self.kind, starts[start:end], ends[start:end], self.spaced)

    def is_as_written(self, start: int, end: int, written: str) -> bool:
        """Whether this stretch says what is written there, letter case aside."""
        first, last = self.span(start, end)
        return self.text[start:end] == written[first:last].lower()


def rewrite(form: Folded, pattern: re.Pattern[str], change: Callable[[str], list[str] | str]) -> Folded:
    """The form with each match of a pattern changed.

    Args:
        form: the form to change.
        pattern: what to look for; matches must not be empty.
        change: what the match becomes: one text for each of its characters, or one text for the whole of it.
    """
    pieces: list[str] = []
    edits: list[tuple[int, int, list[str] | str]] = []
    last = 0
    same = True
    for match in pattern.finditer(form.text):
        old = match.group()
        new = change(old)
        joined = new if isinstance(new, str) else "".join(new)
        if joined == old:
            continue
        pieces += (form.text[last : match.start()], joined)
        edits.append((match.start(), match.end(), new))
        same = same and not isinstance(new, str) and all(len(part) == 1 for part in new)
        last = match.end()
    if not edits:
        return form
    text = "".join(pieces) + form.text[last:]
    if same:
        return Folded(text, "folded", form.starts, form.ends, form.spaced)
    starts, ends = _moved(form, edits)
    return Folded(text, "folded", starts, ends, form.spaced)


def _moved(form: Folded, edits: list[tuple[int, int, list[str] | str]]) -> tuple[list[int], list[int]]:
    """The way back after some stretches were changed."""
    size = len(form.text)
    old_starts = form.starts if form.starts is not None else range(size)
    old_ends = form.ends if form.ends is not None else range(1, size + 1)
    starts: list[int] = []
    ends: list[int] = []
    last = 0
    for begin, end, new in edits:
        starts += old_starts[last:begin]
        ends += old_ends[last:begin]
        if isinstance(new, str):
            starts += [old_starts[begin]] * len(new)
            ends += [old_ends[end - 1]] * len(new)
        else:
            for at, part in enumerate(new, begin):
                starts += [old_starts[at]] * len(part)
                ends += [old_ends[at]] * len(part)
        last = end
    return [*starts, *old_starts[last:]], [*ends, *old_ends[last:]]


_UNUSUAL = re.compile(r"[^\t\n -~]+")
_ESCAPE = re.compile(r"\x1b\[[0-9;?]{0,32}[A-Za-z]")


def plain(text: str) -> Folded:
    """NFKC, small letters, no accents, no invisible characters; quotes, dashes and spaces as their ASCII ones."""
    if text.isascii() and not _UNUSUAL.search(text):
        return Folded(text.lower())
    form = rewrite(Folded(text), _ESCAPE, lambda old: "")
    form = rewrite(form, _UNUSUAL, _fold_run)
    # What is left of the ASCII letters: one for one.
    return Folded(form.text.lower(), form.kind, form.starts, form.ends)


def _fold_run(run: str) -> list[str]:
    if unicodedata.is_normalized("NFC", run):
        return [fold_char(char) for char in run]
    parts: list[str] = []
    at = 0
    while at < len(run):
        end = at + 1
        while end < len(run) and end - at < 32 and (unicodedata.combining(run[end]) or _joins(run[end])):
            end += 1
        whole = "".join(map(fold_char, unicodedata.normalize("NFC", run[at:end])))
        # The first character stands for the whole; what follows it in the text adds nothing of its own.
        parts.append(whole)
        parts += [""] * (end - at - 1)
        at = end
    return parts


def _joins(char: str) -> bool:
    """Whether a vowel or final of a Korean syllable, written apart."""
    return "\u1160" <= char <= "\u11ff"


_BY_HAND = {"đ": "d", "ð": "d", "ł": "l", "ø": "o", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "\u0640": ""}
_STOPS = {"。": ".", "｡": ".", "।": ".", "॥": ".", "۔": ".", "؟": "?", "،": ",", "、": ",", "؛": ";", "·": " "}
_QUOTES = frozenset("‹›「」『』﹁﹂﹃﹄《》〈〉")


@cache
def fold_char(char: str) -> str:
    """What one character becomes in the plain form; nothing for an invisible one."""
    if char in "\t\n" or " " <= char <= "~":
        return char.lower()
    if char in "\r\x0b\x0c\x85\u2028\u2029":
        return "\n" if char != "\r" else " "
    if is_hidden(char):
        return ""
    return "".join(map(_fold_letter, unicodedata.normalize("NFKC", char).casefold()))


def _fold_letter(char: str) -> str:
    if char in _BY_HAND:
        return _BY_HAND[char]
    if char.isascii():
        return char.lower() if char >= " " or char in "\t\n" else ""
    code = ord(char)
    if _is_accent(code) or is_hidden(char):
        return ""
    category = unicodedata.category(char)
    if category[0] in "PSZ":
        return _fold_mark(char, category)
    apart = unicodedata.normalize("NFD", char)
    base, marks = apart[0], apart[1:]
    return base if marks and all(_is_accent(ord(mark)) for mark in marks) else char


def _is_accent(code: int) -> bool:
    """Latin, Greek and Cyrillic accents, Arabic vowel signs, the Indic dot below."""
    return 0x300 <= code <= 0x36F or 0x64B <= code <= 0x65F or code in (0x670, 0x93C, 0x9BC)


def _fold_mark(char: str, category: str) -> str:
    if char in _STOPS:
        return _STOPS[char]
    if char in _QUOTES or category in ("Pi", "Pf"):
        return "'" if char in "‘’‚‛" else '"'
    if char == "„":
        return '"'
    return "-" if category == "Pd" or char in "−⁃" else " "
