"""All commands, found by typing. It must not offer what this version lacks; what cannot be done here says why."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memstation.config.keymap import Keymap
from memstation.station.commands import COMMANDS, Command, commands_of, shown_keys
from memstation.station.dialogs.pick import Option, PickDialog
from memstation.station.render.cells import Run
from memstation.station.render.safe import Safe
from memstation.station.rooms import rooms
from memstation.station.words import N_, _, say

DANGER_WORDS = {"-": "", "0": N_("undo"), "0/1": N_("undo"), "1": N_("asks"), "2": N_("typed name")}


def palette_options(room: str, keymap: Keymap, why_not: Callable[[Command], str]) -> list[Option]:
    """Every command of the palette: those of this room first, then rooms to go to, then what is not here, with why."""
    here = sorted((command for command in commands_of(room) if command.palette), key=_nearest)
    able = [command for command in here if not why_not(command)]
    goes = [
        _option((target.name, "room.go"), say("Go to {room}", room=_(target.title)), Safe(target.number), Safe(""))
        for target in rooms()
    ]
    unable = [command for command in COMMANDS if command.palette and command not in able and command.scope != "Dialog"]
    return [
        *(_option(("", command.id), _(command.title), Safe(shown_keys(command, keymap)),
                  _(DANGER_WORDS[command.danger])) for command in able),
        *goes,
        *(_option(None, _(command.title), Safe(shown_keys(command, keymap, first=True)),
                  _why(command, room, why_not), dim=True) for command in unable),
    ]  # fmt: skip


def _why(command: Command, room: str, why_not: Callable[[Command], str]) -> Safe:
    """Where a command is, or why it cannot be done here."""
    if command not in commands_of(room):
        return say("in {room}", room=_(command.scope))
    return Safe(why_not(command))


def _nearest(command: Command) -> int:
    """What belongs to the room comes before what a list has, and that before what is everywhere."""
    return {"List": 1, "All": 2}.get(command.scope, 0)


def _option(value: tuple[str, str] | None, title: Safe, keys: Safe, note: Safe, dim: bool = False) -> Option:
    role = "muted" if dim else ""
    cells: tuple[tuple[Run, ...], ...] = (
        ((Safe(f"- {title}" if dim else title), role),),
        ((keys, "muted" if dim else "key"),),
        ((note, "muted"),),
    )
    return Option(value, f"{title} {note}", cells)


class PaletteDialog(PickDialog):
    """Returns the option chosen; its value is (step, command id)."""

    def __init__(self, options: Sequence[Option]) -> None:
        super().__init__(_("Commands"), options, widths=(30, 12, 28))

    def verb(self) -> Safe:
        """What enter does."""
        return _("run")

    def _take(self) -> None:
        option = self.shown.selected
        if option is not None and option.value is not None:
            super()._take()
