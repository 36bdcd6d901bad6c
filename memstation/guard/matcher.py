"""Patterns filed under the words that they need, so that ordinary text tries few of them. It reads no file.

RE2 runs in time linear in the text, whatever the pattern: it never backtracks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any, Literal

from memstation.domain.findings import Severity
from memstation.guard import patterns
from memstation.guard.heads import MOST, WORD, Heads


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that a text may try to do."""

    name: str
    family: str
    severity: Severity
    language: str
    patterns: tuple[str, ...]
    catches: tuple[str, ...]
    spares: tuple[str, ...]
    on: Literal["folded", "written"] = "folded"
    signs: tuple[str, ...] = ()
    """Stretches of which a text must have one; none for no such need."""


@dataclass(slots=True)
class Pattern:
    """One way to say it, compiled when its parts first occur together."""

    rule: Rule
    source: str
    words: patterns.Language | None
    """How to read the source; None where it is RE2's own."""
    _regexp: Any = None

    def search(self, data: bytes) -> tuple[int, int] | None:
        """Where in UTF-8 bytes it matches first."""
        if self._regexp is None:
            self._regexp = patterns.compiled(self.expression)
        found = self._regexp.search(data)
        return None if found is None else found.span()

    @property
    def expression(self) -> str:
        """What RE2 is given."""
        return self.source if self.words is None else self.words.expression(self.source)


KNOWN_WORDS = 20_000
"""Words that a matcher keeps in mind with what they may begin."""


class _Known(dict[str, tuple[int, ...]]):
    """The parts that a word may begin, kept for the next time."""

    def __init__(self, by_head: dict[str, list[int]]) -> None:
        super().__init__()
        self._by_head = by_head

    def __missing__(self, word: str) -> tuple[int, ...]:
        heads = (word + " ", *(word[:size] for size in range(1, min(len(word), MOST) + 1)))
        found = self[word] = tuple(number for head in heads for number in self._by_head.get(head, ()))
        return found


@dataclass(slots=True)
class Matcher:
    """The patterns for one kind of text."""

    is_spaced: bool = True
    patterns: list[Pattern] = field(default_factory=list)
    _numbers: dict[Heads, int] = field(default_factory=dict)
    _by_head: dict[str, list[int]] = field(default_factory=dict)
    _by_part: dict[int, list[tuple[frozenset[int], Pattern]]] = field(default_factory=dict)
    _loose: dict[tuple[str, ...], list[Pattern]] = field(default_factory=dict)
    """Patterns that no word can rule out, under the signs of which the text must have one."""
    _any_sign: Any = None
    """Finds any sign at all; ordinary text has none."""
    _known: _Known = field(init=False)

    def __post_init__(self) -> None:
        self._known = _Known(self._by_head)

    def add(self, pattern: Pattern, parts: list[Heads | None]) -> None:
        """Add a pattern, with the heads of the parts that it needs; None for a part that cannot be ruled out."""
        self.patterns.append(pattern)
        known = sorted({part for part in parts if part is not None}, key=lambda heads: (len(heads), sorted(heads)))
        if not known:
            self._loose.setdefault(pattern.rule.signs, []).append(pattern)
            return
        numbers = [self._number(part) for part in known]
        self._by_part.setdefault(numbers[0], []).append((frozenset(numbers), pattern))

    def _number(self, part: Heads) -> int:
        number = self._numbers.setdefault(part, len(self._numbers))
        if number == len(self._numbers) - 1:
            for head in part:
                numbers = self._by_head.setdefault(head, [])
                if number not in numbers:
                    numbers.append(number)
        return number

    def candidates(self, text: str) -> list[Pattern]:
        """The patterns of which all parts may occur in a folded text."""
        seen = self._seen(text)
        found = [
            pattern
            for part in sorted(seen & self._by_part.keys())
            for needed, pattern in self._by_part[part]
            if len(needed) == 1 or needed <= seen
        ]
        if self._loose:
            if self._any_sign is None:
                signs_of_all = dict.fromkeys(sign for signs in self._loose for sign in signs)
                self._any_sign = patterns.any_of(signs_of_all)
            has_sign = self._any_sign.search(text.encode("utf-8", "replace")) is not None
            for signs, loose in self._loose.items():
                if not signs or (has_sign and any(sign in text for sign in signs)):
                    found += loose
        return found

    def _seen(self, text: str) -> set[int]:
        """The parts of which a head occurs."""
        if not self._by_head:
            return set()
        if not self.is_spaced:
            heads = {*text, *map("".join, pairwise(text))} & self._by_head.keys()
            return set(chain.from_iterable(map(self._by_head.__getitem__, heads)))
        if len(self._known) > KNOWN_WORDS:
            self._known.clear()
        return set(chain.from_iterable(map(self._known.__getitem__, set(WORD.findall(text)))))
