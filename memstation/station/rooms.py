"""The rooms there are, in one table. It must not import a room before it is opened."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from memstation.station.words import N_

if TYPE_CHECKING:
    from memstation.station.screens.base import RoomScreen


@dataclass(frozen=True, slots=True)
class Room:
    """A room: its name in code, its number key, its title, and where its screen is."""

    name: str
    number: str
    title: str
    module: str
    screen: str

    def make(self) -> RoomScreen:
        """A new screen of this room."""
        screen: RoomScreen = getattr(import_module(self.module), self.screen)()
        return screen


_ROOMS = (
    Room("today", "1", N_("Today"), "memstation.station.screens.today", "TodayScreen"),
    Room("timeline", "2", N_("Timeline"), "memstation.station.screens.timeline", "TimelineScreen"),
    Room("review", "3", N_("Review"), "memstation.station.screens.review", "ReviewScreen"),
    Room("sources", "4", N_("Sources"), "memstation.station.screens.sources", "SourcesScreen"),
    Room("names", "5", N_("Names"), "memstation.station.screens.names", "NamesScreen"),
    Room("find", "7", N_("Find"), "memstation.station.screens.find", "FindScreen"),
    Room("log", "8", N_("Log"), "memstation.station.screens.log", "LogScreen"),
)


@cache
def rooms() -> tuple[Room, ...]:
    """The rooms of this version, in the order of their numbers."""
    return tuple(room for room in _ROOMS if find_spec(room.module) is not None)


def room(name: str) -> Room | None:
    """The room of this name, None where this version has none."""
    return next((room for room in rooms() if room.name == name), None)


def load_rooms() -> None:
    """Read the code of every room, so that the first visit to one does not wait for it."""
    for one in rooms():
        import_module(one.module)
