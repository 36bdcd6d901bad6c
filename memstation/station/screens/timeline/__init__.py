"""Timeline, the room of one agent's facts. Its parts must not be imported but through `TimelineScreen`."""

from memstation.station.screens.timeline.room import TimelineScreen

__all__ = ["TimelineScreen"]
