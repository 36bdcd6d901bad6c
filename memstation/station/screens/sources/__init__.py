"""The room Sources, a module a concern. It must not be imported before the room is opened."""

from memstation.station.screens.sources.room import SourcesScreen

__all__ = ["SourcesScreen"]
