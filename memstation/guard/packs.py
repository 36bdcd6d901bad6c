"""The rules' files, read and made ready when a scan first needs them. It scans nothing.

The pieces of a pack are looked for all at once; only the patterns of which all pieces occur are compiled and tried.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal, cast

from memstation.domain.findings import Severity
from memstation.guard import patterns

FAMILIES = (
    "instruction override", "system-prompt extraction", "role hijack", "tool abuse", "data exfiltration",
    "memory manipulation", "termination manipulation", "encoded payload", "hidden characters", "chat-template marker",
)  # fmt: skip
SCRIPTS: dict[str, re.Pattern[str]] = {
    "latin": re.compile(r"[a-z]"),
    "han": re.compile("[\u4e00-\u9fff]"),
    "kana": re.compile("[\u3041-\u30ff]"),
    "hangul": re.compile("[\uac00-\ud7a3]"),
    "cyrillic": re.compile("[\u0400-\u04ff]"),
    "arabic": re.compile("[\u0600-\u06ff]"),
    "devanagari": re.compile("[\u0900-\u097f]"),
    "bengali": re.compile("[\u0980-\u09ff]"),
    "thai": re.compile("[\u0e00-\u0e7f]"),
    "any": re.compile(""),
}
"""How a folded text shows that it is written in a script."""
LANGUAGES = {
    "any": "any", "en": "latin", "de": "latin", "es": "latin", "fr": "latin", "it": "latin", "pt": "latin",
    "tr": "latin", "id": "latin", "tl": "latin", "vi": "latin", "zh-Hant": "han", "zh-Hans": "han", "ja": "kana",
    "ko": "hangul", "ru": "cyrillic", "ar": "arabic", "hi": "devanagari", "bn": "bengali", "th": "thai",
}  # fmt: skip
"""The packs, each with its script. A pack is read when a text in its script is scanned."""
WITHOUT_SPACES = frozenset({"zh-Hant", "zh-Hans", "ja", "ko", "th"})


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


@dataclass(slots=True)
class Pattern:
    """One way to say it, compiled when its pieces first occur together."""

    rule: Rule
    expression: str
    pieces: frozenset[int]
    _regexp: Any = None

    def search(self, data: bytes) -> tuple[int, int] | None:
        """Where in UTF-8 bytes it matches first."""
        if self._regexp is None:
            self._regexp = patterns.compiled(self.expression)
        found = self._regexp.search(data)
        return None if found is None else found.span()


@dataclass(slots=True)
class Matcher:
    """The patterns of one pack for one kind of form, with the set of their pieces."""

    patterns: list[Pattern] = field(default_factory=list)
    _expressions: list[str] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)
    _set: Any = None

    def add(self, rule: Rule, expression: str, pieces: list[str]) -> None:
        """Add a pattern that needs these pieces, given as expressions."""
        self.patterns.append(Pattern(rule, expression, frozenset(map(self._number, pieces))))

    def _number(self, expression: str) -> int:
        if expression not in self._numbers:
            self._expressions.append(expression)
            # 0 is the empty expression, which occurs in every text.
            self._numbers[expression] = len(self._expressions)
        return self._numbers[expression]

    def candidates(self, data: bytes) -> list[Pattern]:
        """The patterns whose pieces all occur in the text, given as UTF-8 bytes."""
        if self._set is None:
            self._set = self._compiled()
        seen = self._set.Match(data)
        if len(seen) == 1:
            return []
        if not seen:
            # The set ran out of memory, else the empty expression were there: nothing is ruled out.
            return self.patterns
        found = set(seen)
        return [pattern for pattern in self.patterns if pattern.pieces <= found]

    def _compiled(self) -> Any:
        import re2

        pieces = re2.Set.SearchSet(patterns.options())
        for expression in ("", *self._expressions):
            pieces.Add(expression.encode())
        pieces.Compile()
        return pieces


@dataclass(frozen=True, slots=True)
class Pack:
    """The rules of one language."""

    language: str
    rules: tuple[Rule, ...]
    spaced: Matcher
    """For texts whose words are as the language writes them."""
    drawn: Matcher
    """For texts of which the separators between words were lost."""
    written: Matcher
    """For the text as written, unfolded."""
    reporting: Any
    """Matches words by which a text speaks of an attack, or forbids it; None where the pack has none."""


@cache
def pack(language: str) -> Pack:
    """The pack of a language.

    Raises:
        ValueError: its file is wrong; it ships with the program, so this is a fault of ours.
    """
    data = tomllib.loads((files("memstation.guard") / "rules" / f"{language}.toml").read_text(encoding="utf-8"))
    pieces: dict[str, str] = data.get("pieces", {})
    rules = tuple(_rule(entry, language) for entry in data["rules"])
    is_spaced = language not in WITHOUT_SPACES
    ready = Pack(language, rules, Matcher(), Matcher(), Matcher(), _reporting(pieces, is_spaced))
    words = patterns.Language(pieces, is_spaced)
    drawn = patterns.Language(pieces, False, 6)
    for rule in rules:
        for source in rule.patterns:
            if rule.on == "written":
                ready.written.add(rule, source, [source])
            elif language == "any":
                ready.spaced.add(rule, source, [source])
            else:
                ready.spaced.add(rule, words.expression(source), words.atoms(source))
            if language == "en" and rule.severity == "block" and len(drawn.atoms(source)) > 1:
                ready.drawn.add(rule, drawn.expression(source), drawn.atoms(source))
    return ready


def _rule(entry: dict[str, Any], language: str) -> Rule:
    severity, family = entry["severity"], entry["family"]
    if severity not in ("block", "review") or family not in FAMILIES:
        raise ValueError(f"{language}: {entry['name']}: {severity}, {family}")
    on = entry.get("on", "folded")
    several = (tuple(entry[key]) for key in ("patterns", "catches", "spares"))
    return Rule(f"{language}/{entry['name']}", family, cast(Severity, severity), language, *several, on=on)


def _reporting(pieces: dict[str, str], spaced: bool) -> Any:
    if "reporting" not in pieces:
        return None
    words = patterns.Language(pieces, spaced)
    return patterns.compiled(words.edged(words.piece("reporting")))


def packs_for(text: str) -> list[Pack]:
    """The packs for the scripts of a folded text."""
    scripts = {"any", "latin"} if text.isascii() else {name for name, shows in SCRIPTS.items() if shows.search(text)}
    return [pack(language) for language, script in LANGUAGES.items() if script in scripts]


def rules() -> list[Rule]:
    """All rules, pack by pack, for people to read."""
    return [rule for language in LANGUAGES for rule in pack(language).rules]
