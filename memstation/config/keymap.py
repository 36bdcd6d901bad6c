"""The operator's keys against the commands there are. It must not import textual; it reports every fault at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from memstation.config.problems import Problem

NAMED_KEYS = frozenset({
    "enter", "escape", "space", "tab", "shift+tab", "backspace", "delete", "insert",
    "up", "down", "left", "right", "home", "end", "pageup", "pagedown",
}) | {f"f{number}" for number in range(1, 13)}  # fmt: skip
_MEANT = {
    "esc": "escape", "return": "enter", "pgup": "pageup", "pgdn": "pagedown", "pgdown": "pagedown",
    "page_up": "pageup", "page_down": "pagedown", "del": "delete", "backtab": "shift+tab",
}  # fmt: skip
_CTRL = re.compile(r"ctrl\+([a-z])")
# What a terminal sends for these is another key, or nothing that reaches a program.
_IMPOSSIBLE = {
    "ctrl+i": "a terminal sends tab for it",
    "ctrl+m": "a terminal sends enter for it",
    "ctrl+j": "a terminal sends enter for it",
    "ctrl+h": "a terminal sends backspace for it",
    "ctrl+s": "a terminal may stop its output on it",
    "ctrl+z": "a terminal may suspend the program on it",
}


class Bindable(Protocol):
    """What the check needs to know of a command."""

    @property
    def id(self) -> str:
        """The name in ``[keys]``."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The default keys, one for each step in turn."""

    @property
    def steps(self) -> tuple[str, ...]:
        """What its keys do in turn, such as up and down; one entry for most."""

    @property
    def scope(self) -> str:
        """Where it applies."""

    @property
    def decides(self) -> bool:
        """Whether it writes."""


@dataclass(frozen=True, slots=True)
class Keymap:
    """The keys in effect, by command id, and what was not taken."""

    keys: Mapping[str, tuple[str, ...]]
    changed: frozenset[str] = frozenset()
    """Commands whose keys the operator chose."""
    problems: tuple[Problem, ...] = ()

    def of(self, command_id: str) -> tuple[str, ...]:
        """The keys of a command, none for a command of the palette only."""
        return self.keys.get(command_id, ())


def default_keymap(commands: Iterable[Bindable]) -> Keymap:
    """The keys as the commands bring them."""
    return Keymap({command.id: command.keys for command in commands})


def check_keys(
    commands: Sequence[Bindable],
    chosen: Mapping[str, tuple[str, ...]],
    domains: Mapping[str, tuple[str, ...]],
    where: str = "keys",
) -> Keymap:
    """The keymap with the operator's choices, those with a fault left at their defaults.

    Args:
        commands: every command.
        chosen: command id to keys, as written in the settings.
        domains: scopes that are live together, and ids of single commands of others, by the name of the room.
        where: the file, for the report.
    """
    by_id = {command.id: command for command in commands}
    problems: list[Problem] = []
    taken: dict[str, tuple[str, ...]] = {}
    for command_id, keys in chosen.items():
        why = _faults(by_id.get(command_id), command_id, keys, by_id)
        problems.extend(Problem(f"{where}: {command_id}", reason) for reason in why)
        if not why:
            taken[command_id] = tuple(_spell(key) for key in keys)
    while clashes := _clashes(commands, taken, domains):
        for command_id, reason in clashes.items():
            problems.append(Problem(f"{where}: {command_id}", reason))
            taken.pop(command_id, None)
    merged = {command.id: taken.get(command.id, command.keys) for command in commands}
    return Keymap(merged, frozenset(taken), tuple(problems))


def _spell(key: str) -> str:
    return key if len(key) == 1 else key.lower()


def _faults(
    command: Bindable | None, command_id: str, keys: tuple[str, ...], known: Mapping[str, Bindable]
) -> list[str]:
    if command is None:
        near = _nearest(command_id, known)
        return [f"there is no command of this name{f'; did you mean {near}?' if near else ''}"]
    why = [reason for key in keys if (reason := impossible(key))]
    if not keys:
        why.append("no key is given; leave the line out to keep the default")
    elif len(keys) % len(command.steps):
        count = len(command.steps)
        keys_now = " ".join(command.keys)
        why.append(f"does {count} things in turn (by default {keys_now}): give {count} keys, or {2 * count}")
    if len(set(keys)) < len(keys):
        why.append("one key is given twice")
    return why


def _nearest(name: str, known: Mapping[str, Bindable]) -> str:
    import difflib

    return next(iter(difflib.get_close_matches(name, known, 1)), "")


def impossible(key: str) -> str:
    """Why this cannot be a key; empty when it can."""
    name = _spell(key)
    if name in _IMPOSSIBLE:
        return f"{key} cannot be used: {_IMPOSSIBLE[name]}"
    if name in _MEANT:
        return f"there is no key {key!r}; write {_MEANT[name]!r}"
    if len(name) == 1 and name.isprintable() and not name.isspace():
        return ""
    if name in NAMED_KEYS or _CTRL.fullmatch(name):
        return ""
    return f"{key!r} is no key that every terminal can send; use a letter, a digit, a sign, or a name such as enter"


def _clashes(
    commands: Sequence[Bindable], taken: Mapping[str, tuple[str, ...]], domains: Mapping[str, tuple[str, ...]]
) -> dict[str, str]:
    """Why a chosen key cannot stand, by the command that it was chosen for."""
    found: dict[str, str] = {}
    for room, scopes in domains.items():
        owner: dict[str, Bindable] = {}
        live = [command for command in commands if command.scope in scopes or command.id in scopes]
        for command in sorted(live, key=lambda item: item.id in taken):
            for key in taken.get(command.id, command.keys):
                other = owner.setdefault(key, command)
                if other is not command and command.id in taken:
                    found.setdefault(command.id, f"{key} is already {other.id} in {room}")
        for key, command in owner.items():
            bare = _CTRL.fullmatch(key)
            victim = owner.get(bare[1]) if bare else None
            if command.id in taken and victim is not None and victim.decides:
                found.setdefault(
                    command.id, f"{key} is one slip from {bare[1] if bare else ''}, which is {victim.id} and decides"
                )
    return found
