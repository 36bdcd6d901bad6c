"""The registry's commands as textual bindings. It must hold no key of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.binding import Binding, BindingType

from memstation.config.keymap import Keymap
from memstation.station.commands import COMMANDS, Command, commands_of


def binding_id(command: Command, step: str) -> str:
    """The name under which textual's keymap finds the keys of one step of a command."""
    return f"{command.id}:{step}" if step else command.id


def room_bindings(room: str) -> list[BindingType]:
    """The bindings of a room's screen; each runs ``command(id, step)`` on it."""
    return list(_bindings(commands_of(room)))


def dialog_bindings(*ids: str) -> list[BindingType]:
    """The bindings of a dialog, for the commands it has."""
    return list(_bindings(command for command in COMMANDS if command.id in ids))


def _bindings(commands: Iterable[Command]) -> Iterable[Binding]:
    for command in commands:
        for step, keys in by_step(command, command.keys).items():
            for key in keys:
                yield Binding(
                    _named(key),
                    f"command('{command.id}', '{step}')",
                    command.title,
                    show=False,
                    id=binding_id(command, step),
                )


def _named(key: str) -> str:
    """The key by a name that can stand in a list of keys, where a comma divides them."""
    return "comma" if key == "," else key


def by_step(command: Command, keys: Sequence[str]) -> dict[str, list[str]]:
    """The keys of each step; keys are given to the steps in turn."""
    shared: dict[str, list[str]] = {step: [] for step in command.steps}
    for place, key in enumerate(keys):
        shared[command.steps[place % len(command.steps)]].append(key)
    return shared


def textual_keymap(keymap: Keymap) -> dict[str, str]:
    """The operator's changes in textual's form."""
    return {
        binding_id(command, step): ",".join(map(_named, keys))
        for command in COMMANDS
        if command.id in keymap.changed
        for step, keys in by_step(command, keymap.of(command.id)).items()
    }
