"""Themes from TOML files: the colours of each role, as data. It must not import textual."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memstation.config.problems import Problem, read_toml

SURFACES = ("background", "panel", "cursor")
TEXT_ROLES = (
    "text", "muted", "key", "current", "scheduled", "closed", "held", "withdrawn", "tainted",
    "added", "removed", "marked",
)  # fmt: skip
ROLES = (*TEXT_ROLES, "line")
PAIRS = ("past", "danger")
WEIGHTS = ("bold", "italic", "underline", "strike", "reverse", "dim")

_HEX = re.compile(r"#[0-9A-Fa-f]{6}")


@dataclass(frozen=True, slots=True)
class Ink:
    """A colour (``#RRGGBB``) and the weights that go with it, for terminals without colour."""

    color: str
    weights: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """Text on a background of its own."""

    text: str
    background: str


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of the station."""

    name: str
    dark: bool
    surfaces: Mapping[str, str]
    roles: Mapping[str, Ink]
    pairs: Mapping[str, Pair]
    cursor_text: str | None = None
    """The colour of all text on the cursor row, where the roles' own would not be read on it."""


@dataclass(frozen=True, slots=True)
class Themes:
    """The themes found, by name, and what was wrong with those that were not taken."""

    by_name: Mapping[str, Theme]
    problems: tuple[Problem, ...] = ()


def load_themes(*folders: Path) -> Themes:
    """Read every ``*.toml`` of the folders; of two themes with one name the later folder's is taken."""
    found: dict[str, Theme] = {}
    problems: list[Problem] = []
    for folder in folders:
        for path in sorted(folder.glob("*.toml")) if folder.is_dir() else ():
            theme, why = read_theme(path)
            problems.extend(why)
            if theme is not None:
                found[theme.name] = theme
    return Themes(found, tuple(problems))


def read_theme(path: Path) -> tuple[Theme | None, list[Problem]]:
    """The theme of one file, named after the file; None and every reason when it cannot be used."""
    table, problems = read_toml(path)
    if problems:
        return None, problems
    wrong: list[str] = []
    surfaces = {name: _color(table, "surfaces", name, wrong) for name in SURFACES}
    roles = {name: _ink(table, name, wrong) for name in ROLES}
    pairs = {name: _pair(table, name, wrong) for name in PAIRS}
    cursor_text = table.get("cursor_text")
    if cursor_text is not None and not _is_hex(cursor_text):
        wrong.append('cursor_text: must be a colour such as "#1A2B3C"')
    dark = table.get("dark", True)
    if not isinstance(dark, bool):
        wrong.append("dark: must be true or false")
    if wrong:
        return None, [Problem(str(path), reason) for reason in wrong]
    return Theme(path.stem, dark, surfaces, roles, pairs, cursor_text), []


def _is_hex(value: Any) -> bool:
    return isinstance(value, str) and _HEX.fullmatch(value) is not None


def _section(table: Mapping[str, Any], section: str) -> Mapping[str, Any]:
    value = table.get(section)
    return value if isinstance(value, dict) else {}


def _color(table: Mapping[str, Any], section: str, name: str, wrong: list[str]) -> str:
    value = _section(table, section).get(name)
    if not _is_hex(value):
        wrong.append(f'{section}.{name}: must be a colour such as "#1A2B3C"')
        return "#000000"
    return str(value)


def _ink(table: Mapping[str, Any], name: str, wrong: list[str]) -> Ink:
    value = _section(table, "roles").get(name)
    words = value.split() if isinstance(value, str) else []
    if not words or not _is_hex(words[0]) or any(word not in WEIGHTS for word in words[1:]):
        wrong.append(f'roles.{name}: must be a colour, then any of {", ".join(WEIGHTS)}: "#1A2B3C bold"')
        return Ink("#000000")
    return Ink(words[0], tuple(words[1:]))


def _pair(table: Mapping[str, Any], name: str, wrong: list[str]) -> Pair:
    words = str(_section(table, "pairs").get(name, "")).split()
    if len(words) != 3 or words[1] != "on" or not (_is_hex(words[0]) and _is_hex(words[2])):
        wrong.append(f'pairs.{name}: must be two colours: "#FFFFFF on #1A2B3C"')
        return Pair("#000000", "#FFFFFF")
    return Pair(words[0], words[2])


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
