"""The room Review. It must not decide but what was shown."""

from memstation.station.screens.review.room import ReviewScreen

__all__ = ["ReviewScreen"]
