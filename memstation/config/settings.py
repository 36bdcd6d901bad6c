"""The operator's settings from ``config.toml``. A wrong one must not stop it: it reports all and takes the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from memstation.config.problems import Problem, read_toml


@dataclass(frozen=True, slots=True)
class Settings:
    """What an operator can choose. Each field is a key of the file; `choices` tells what it may be."""

    theme: str = field(default="dark", metadata={"help": "name of a theme: dark, light, contrast, mono or your own"})
    glyphs: str = field(
        default="fine",
        metadata={
            "help": "plain has no character that some terminals draw two cells wide",
            "choices": ("fine", "plain"),
        },
    )
    mouse: bool = field(default=True, metadata={"help": "false leaves the mouse to the terminal, to select text"})
    clipboard: str = field(
        default="osc52",
        metadata={"help": "how y and Y copy: through the terminal, or not at all", "choices": ("osc52", "off")},
    )
    refresh_seconds: float = field(
        default=1.0, metadata={"help": "how often the station looks for writes of others", "range": (0.2, 60.0)}
    )
    keys: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict, metadata={"help": "[keys]: command id = key or list of keys"}
    )
    """As written; `keymap.check_keys` judges it."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings, and what was wrong with the file that they come from."""

    settings: Settings
    problems: tuple[Problem, ...]


_FIELDS = {item.name: item for item in fields(Settings)}


def load_settings(path: Path) -> Loaded:
    """Read the file; a missing one means the defaults. Wrong values are reported and left at their defaults."""
    table, problems = read_toml(path)
    taken: dict[str, Any] = {}
    for name, value in table.items():
        where = f"{path}: {name}"
        if name not in _FIELDS:
            problems.append(Problem(where, f"there is no such setting; there are {', '.join(_FIELDS)}"))
            continue
        good, why = _keys(value) if name == "keys" else _judge(name, value)
        if why:
            problems.extend(Problem(where, reason) for reason in why)
        if good is not None:
            taken[name] = good
    return Loaded(Settings(**taken), tuple(problems))


def _judge(name: str, value: Any) -> tuple[Any, list[str]]:
    meta = _FIELDS[name].metadata
    default = _FIELDS[name].default
    if isinstance(default, bool):
        return (value, []) if isinstance(value, bool) else (None, ["must be true or false"])
    if isinstance(default, float):
        low, high = meta["range"]
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            return None, [f"must be a number from {low} to {high}"]
        return float(value), []
    if not isinstance(value, str):
        return None, ["must be text in quotes"]
    if "choices" in meta and value not in meta["choices"]:
        return None, [f"must be one of {', '.join(meta['choices'])}; it is {value!r}"]
    return value, []


def _keys(value: Any) -> tuple[dict[str, tuple[str, ...]] | None, list[str]]:
    if not isinstance(value, dict):
        return None, ["must be a table: write [keys] on a line of its own"]
    good: dict[str, tuple[str, ...]] = {}
    why: list[str] = []
    for command, given in _flat(value):
        listed = [given] if isinstance(given, str) else given
        if isinstance(listed, list) and all(isinstance(key, str) for key in listed):
            good[command] = tuple(listed)
        else:
            why.append(f"{command}: must be a key or a list of keys in quotes")
    return good, why


def _flat(table: Mapping[str, Any], before: str = "") -> list[tuple[str, Any]]:
    """``undo.mine = "u"`` without quotes round the id is a table in TOML: both ways of writing mean the same."""
    flat: list[tuple[str, Any]] = []
    for name, value in table.items():
        if isinstance(value, dict):
            flat.extend(_flat(value, f"{before}{name}."))
        else:
            flat.append((before + name, value))
    return flat
