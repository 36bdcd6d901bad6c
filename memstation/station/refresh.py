"""Notices that somebody wrote, and that time passed. It must not read more than a stamp, nor hold a read open."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from textual.message import Message

from memstation.domain.errors import MemstationError
from memstation.station.background import Background


class StoreChanged(Message, bubble=False):
    """Something was written since the last look, by us or by another process."""


class MinutePassed(Message, bubble=False):
    """The clock shows another minute: times read differently, and a start or an end may be past."""


class Watch(Background):
    """A node that looks at the store about once a second. The look is a thread's; its answer is a message."""

    _stamp: object = None
    _minute: datetime | None = None
    _failure = ""

    def begin_watch(self, seconds: float) -> None:
        """Begin to look. The engine must be open."""
        self.look()
        self.set_interval(seconds, self.look, name="watch")

    def look(self) -> None:
        """Look now."""
        now = self.now().replace(second=0, microsecond=0)
        if now != self._minute:
            if self._minute is not None:
                self.post_message(MinutePassed())
            self._minute = now
        call = self.stamp_call()
        if call is not None:
            self.in_thread("watch", call, self._looked, self._blind)

    def now(self) -> datetime:
        """The present."""
        raise NotImplementedError

    def stamp_call(self) -> partial[object] | None:
        """What to call in the thread, None while there is no engine."""
        raise NotImplementedError

    def blind(self, error: MemstationError) -> None:
        """The store could not be looked at; told once until it can be again."""

    def _looked(self, stamp: object) -> None:
        self._failure = ""
        before, self._stamp = self._stamp, stamp
        if before is not None and stamp != before:
            self.post_message(StoreChanged())

    def _blind(self, error: MemstationError) -> None:
        if str(error) != self._failure:
            self._failure = str(error)
            self.blind(error)
