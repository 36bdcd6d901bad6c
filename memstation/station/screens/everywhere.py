"""The commands that every room has, as methods: what the keys of the scope All do. They must not differ by room."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, cast

from memstation.station.commands import BY_ID, shown_keys
from memstation.station.screens.filtering import FilteringScreen

if TYPE_CHECKING:
    from memstation.station.screens.base import RoomScreen


class Everywhere(FilteringScreen, inherit_bindings=False):
    """What `RoomScreen` is built on."""

    @abstractmethod
    def step_back(self) -> bool:
        """The steps of the ladder inside this room; whether one was taken."""

    def key_name(self, command_id: str) -> str:
        """The key that is in effect for a command."""
        return shown_keys(BY_ID[command_id], self.station.services.keymap, first=True)

    def do_room_go(self, step: str) -> None:
        """Another room."""
        self.station.open_room(step)

    def do_agent_choose(self) -> None:
        """Choose the agent."""
        self.station.choose_agent()

    def do_palette_open(self) -> None:
        """All commands."""
        self.station.open_palette(cast("RoomScreen", self))

    def do_help_open(self) -> None:
        """The keys of this screen."""
        self.station.open_help(cast("RoomScreen", self))

    def do_theme_choose(self) -> None:
        """Choose the colours."""
        self.station.choose_theme()

    def do_all_erase(self) -> None:
        """Erase a person."""
        self.station.erase_person()

    def do_file_backup(self) -> None:
        """Copy the store."""
        self.station.back_up()

    def do_app_quit(self) -> None:
        """Quit."""
        self.station.exit()

    def do_view_back(self) -> None:
        """One step back: the field, the pane, the filter, the way here."""
        if not self.step_back():
            self.station.go_back()

    def do_view_up(self) -> None:
        """One level back."""
        self.do_view_back()

    def do_undo_mine(self) -> None:
        """Undo your own last decision."""
        self.station.undo_mine()

    def do_redo_mine(self) -> None:
        """Take your own last undo back."""
        self.station.redo_mine()
