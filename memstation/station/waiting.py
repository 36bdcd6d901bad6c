"""What waits for review, counted for every room's badge; lets lapse what ran out. It must not decide otherwise."""

from __future__ import annotations

from dataclasses import replace

from memstation.domain.decisions import Applied
from memstation.domain.errors import MemstationError
from memstation.read.review_rows import ReviewCounts
from memstation.station.background import Background
from memstation.station.render.cells import Run
from memstation.station.render.safe import Safe
from memstation.station.services import Engine
from memstation.station.words import _, counted


class Waiting(Background):
    """The part of the app that knows how many wait."""

    engine: Engine | None
    review_counts: ReviewCounts | None = None
    """Of all agents, as last read."""

    def count_waiting(self) -> None:
        """Count again, in a thread."""
        if self.engine is not None:
            self.in_thread("waiting", self.engine.review_counts, self._counted, self._uncounted)

    def _counted(self, counts: ReviewCounts) -> None:
        if counts != self.review_counts:
            self.review_counts = counts
            self.show_waiting()

    def _uncounted(self, _error: MemstationError) -> None:
        """Better no badge than a wrong one; the room that cannot be read says why."""
        self.review_counts = None
        self.show_waiting()

    def fewer_wait(self, count: int) -> None:
        """So many were decided here: say it at once; it is counted again with the next look."""
        if self.review_counts is not None:
            self.review_counts = replace(self.review_counts, waiting=max(0, self.review_counts.waiting - count))

    def badge(self, room: str) -> Safe:
        """What stands behind the title of a room: how many wait in Review."""
        waiting = self.review_counts.waiting if room == "review" and self.review_counts is not None else 0
        return Safe(f" {short_count(waiting)}") if waiting else Safe("")

    def let_lapse(self) -> None:
        """Let lapse what has run out, when this station may write."""
        if self.engine is not None and not self.is_read_only:
            self.in_thread("lapse", self.engine.expire_due, self._lapsed, self.blind)

    def _lapsed(self, applied: Applied | None) -> None:
        if applied is None:
            return
        count = applied.effects.counts.get("withdrawn", 0)
        words = counted("{n} memory ran out undecided", "{n} memories ran out undecided", count)
        self.say([(words, "warning"), (Safe(f", #{applied.seq}"), "key"),
                  (_("; Review keeps what ran out, and can bring it back"), "muted")])  # fmt: skip
        self.wrote()
        self.let_lapse()  # a flood lapses in parts

    # -- what the app gives -------------------------------------------------------------------------------------

    @property
    def is_read_only(self) -> bool:
        """Whether nothing may be written."""
        raise NotImplementedError

    def show_waiting(self) -> None:
        """The counts are other ones: say them again."""
        raise NotImplementedError

    def say(self, parts: list[Run]) -> None:
        """Say what just happened, in the message row."""
        raise NotImplementedError

    def blind(self, error: MemstationError) -> None:
        """The store could not be looked at."""
        raise NotImplementedError

    def wrote(self) -> None:
        """We wrote: look at once."""
        raise NotImplementedError


def short_count(count: int) -> Safe:
    """``12``, ``999``, ``2k`` for thousands."""
    return Safe(str(count) if count < 1_000 else f"{count // 1_000}k")
