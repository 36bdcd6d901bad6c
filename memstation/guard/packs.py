"""The rules' files, read and made ready when a scan first needs them. It scans nothing.

The pieces of a pack are looked for all at once; only the patterns of which all pieces occur are compiled and tried.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, cast

from memstation.domain.findings import Severity
from memstation.guard import patterns
from memstation.guard.heads import HeadReader
from memstation.guard.matcher import Matcher, Pattern, Rule

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


@dataclass(slots=True)
class Reporting:
    """The words of one language by which a text speaks of an attack, or forbids it."""

    words: patterns.Language
    is_known: bool
    _regexp: Any = None

    def occurs_in(self, text: str) -> bool:
        """Whether a folded text has one of them."""
        if not self.is_known:
            return False
        if self._regexp is None:
            self._regexp = patterns.compiled(self.words.edged(self.words.piece("reporting")))
        return self._regexp.search(text.encode("utf-8", "replace")) is not None


@dataclass(frozen=True, slots=True)
class Pack:
    """The rules of one language."""

    language: str
    rules: tuple[Rule, ...]
    pieces: dict[str, str]
    reporting: Reporting
    """Finds the words by which a text speaks of an attack, or forbids it."""

    @property
    def is_spaced(self) -> bool:
        """Whether the language puts spaces between words."""
        return self.language not in WITHOUT_SPACES


@cache
def pack(language: str) -> Pack:
    """The pack of a language.

    Raises:
        ValueError: its file is wrong; it ships with the program, so this is a fault of ours.
    """
    data = tomllib.loads((files("memstation.guard") / "rules" / f"{language}.toml").read_text(encoding="utf-8"))
    pieces: dict[str, str] = data.get("pieces", {})
    words = patterns.Language(pieces, language not in WITHOUT_SPACES)
    rules = tuple(_rule(entry, language) for entry in data["rules"])
    return Pack(language, rules, pieces, Reporting(words, "reporting" in pieces))


@cache
def matcher(script: str) -> Matcher:
    """The patterns of all packs of a script, for folded text; `any` needs no script."""
    made = Matcher(is_spaced=not any(LANGUAGES[name] == script for name in WITHOUT_SPACES))
    for language in (name for name, its in LANGUAGES.items() if its == script):
        owner = pack(language)
        words = patterns.Language(owner.pieces, owner.is_spaced)
        reader = HeadReader(owner.pieces, owner.is_spaced)
        for rule in owner.rules:
            for source in rule.patterns if rule.on == "folded" else ():
                if language == "any":
                    made.add(Pattern(rule, source, None), [])
                else:
                    made.add(Pattern(rule, source, words), [reader.heads(part) for part in patterns.parts(source)])
    return made


@cache
def written_matcher() -> Matcher:
    """The patterns for the text as written, unfolded."""
    made = Matcher()
    for rule in pack("any").rules:
        for source in rule.patterns if rule.on == "written" else ():
            made.add(Pattern(rule, source, None), [])
    return made


@cache
def drawn_matcher() -> Matcher:
    """The unmistakable English patterns, for text of which the separators between words were lost."""
    made = Matcher()
    words = patterns.Language(pack("en").pieces, False, 6)
    for rule in pack("en").rules:
        for source in rule.patterns if rule.severity == "block" else ():
            if len(patterns.parts(source)) > 1:
                made.add(Pattern(rule, source, words), [])
    return made


def matchers_for(text: str) -> list[Matcher]:
    """The matchers for the scripts of a folded text."""
    if text.isascii():
        return [matcher("any"), matcher("latin")]
    return [matcher(script) for script, shows in SCRIPTS.items() if shows.search(text)]


def _rule(entry: dict[str, Any], language: str) -> Rule:
    severity, family = entry["severity"], entry["family"]
    if severity not in ("block", "review") or family not in FAMILIES:
        raise ValueError(f"{language}: {entry['name']}: {severity}, {family}")
    on = entry.get("on", "folded")
    signs = tuple(entry.get("signs", ()))
    tried, catches, spares = (tuple(entry[key]) for key in ("patterns", "catches", "spares"))
    name = f"{language}/{entry['name']}"
    return Rule(name, family, cast(Severity, severity), language, tried, catches, spares, on, signs)


def rules() -> list[Rule]:
    """All rules, pack by pack, for people to read."""
    return [rule for language in LANGUAGES for rule in pack(language).rules]
