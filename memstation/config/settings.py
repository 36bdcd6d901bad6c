"""The operator's settings from ``config.toml``. A wrong one must not stop it: it reports all and takes the defaults."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from memstation.config.problems import Problem, read_toml
from memstation.domain.guarding import DEFAULT_GUARD, GuardSettings

EMBEDDER_FORM = r"|use|model2vec:\s*\S.*"


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
    embedder: str = field(
        default="",
        metadata={
            "help": "search by meaning, too: `use`, or `model2vec:` and a folder or name; MEMSTATION_EMBEDDER goes"
            " before it",
            "form": EMBEDDER_FORM,
            "said": "use, or model2vec: and a folder or a name",
        },
    )
    keys: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict, metadata={"help": "[keys]: command id = key or list of keys"}
    )
    """As written; `keymap.check_keys` judges it."""
    knowledge_guard: GuardSettings = field(
        default=DEFAULT_GUARD, metadata={"help": "[knowledge_guard]: when a burst of writes is held for review"}
    )
    """What is wrong in it is left at its default: the gate is never off by a mistake."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings, and what was wrong with the file that they come from."""

    settings: Settings
    problems: tuple[Problem, ...]
    guard_problems: tuple[Problem, ...] = ()
    """Those of them for which the gate is at other settings than the file means to say."""


_FIELDS = {item.name: item for item in fields(Settings)}
_GUARD_FIELDS = {item.name: item for item in fields(GuardSettings)}
_GUARD = "knowledge_guard"


def load_settings(path: Path) -> Loaded:
    """Read the file; a missing one means the defaults. Wrong values are reported and left at their defaults."""
    table, problems = read_toml(path)
    # A file that cannot be read at all leaves the gate at its defaults too.
    unheard = list(problems)
    taken: dict[str, Any] = {}
    for name, value in table.items():
        where = f"{path}: {name}"
        if name == _GUARD:
            taken[name], wrong = _guard(value, where)
            problems += wrong
            unheard += wrong
            continue
        if name not in _FIELDS:
            problems.append(Problem(where, f"there is no such setting; there are {', '.join(_FIELDS)}"))
            continue
        good, why = _keys(value) if name == "keys" else _judge(_FIELDS[name], value)
        if why:
            problems.extend(Problem(where, reason) for reason in why)
        if good is not None:
            taken[name] = good
    return Loaded(Settings(**taken), tuple(problems), tuple(unheard))


def _guard(table: Any, where: str) -> tuple[GuardSettings, list[Problem]]:
    """The gate's settings: each key that is wrong is at its default, and the gate stays on."""
    if not isinstance(table, dict):
        return DEFAULT_GUARD, [Problem(where, f"must be a table: write [{_GUARD}] on a line of its own")]
    taken: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, value in table.items():
        if name not in _GUARD_FIELDS:
            why = [f"there is no such setting; there are {', '.join(_GUARD_FIELDS)}"]
        else:
            good, why = _judge(_GUARD_FIELDS[name], value)
            if good is not None:
                taken[name] = good
        problems += [Problem(f"{where}.{name}", reason) for reason in why]
    return GuardSettings(**taken), problems


def _judge(item: Field[Any], value: Any) -> tuple[Any, list[str]]:
    meta, default = item.metadata, item.default
    if isinstance(default, bool):
        return (value, []) if isinstance(value, bool) else (None, ["must be true or false"])
    if isinstance(default, int):
        low, high = meta["range"]
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            return None, [f"must be a whole number from {low} to {high}"]
        return value, []
    if isinstance(default, float):
        low, high = meta["range"]
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            return None, [f"must be a number from {low} to {high}"]
        return float(value), []
    if not isinstance(value, str):
        return None, ["must be text in quotes"]
    if "choices" in meta and value not in meta["choices"]:
        return None, [f"must be one of {', '.join(meta['choices'])}; it is {value!r}"]
    if "form" in meta and not re.fullmatch(meta["form"], value):
        return None, [f"must be {meta['said']}; it is {value!r}"]
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
