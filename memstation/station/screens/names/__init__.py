"""The room Names, in parts. It must not be imported before the room is opened."""

from memstation.station.screens.names.room import NamesScreen

__all__ = ["NamesScreen"]
