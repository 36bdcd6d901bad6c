"""The room Find: what an agent would be told, and why. It must not count its looking as use."""

from memstation.station.screens.find.room import FindScreen

__all__ = ["FindScreen"]
