"""Reading the queue: whole when the room opens, compared when somebody wrote. It must not move the cursor."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from textual.timer import Timer

from memstation.domain.errors import MemstationError
from memstation.read.review_rows import HeldRow, ReviewCounts
from memstation.station.render.held_groups import Head
from memstation.station.render.safe import Safe
from memstation.station.screens.review.strip import Strip
from memstation.station.services import Engine
from memstation.station.widgets.empty import Empty
from memstation.station.words import _, counted

MOST_FATES = 50
"""Rows that somebody else decided, for which it is looked up what became of them."""
MOST_READ = 20_000
"""Memories that the engine reads of a queue at once, the weakest trust first."""
AFTER = 1.0
"""Seconds after the last own verdict until the queue is compared with the store again."""


@dataclass(frozen=True, slots=True)
class QueueRead:
    """The queue as a thread read it."""

    seq: int
    """The newest decision when it was read."""
    rows: list[HeldRow]
    fates: dict[str, HeldRow]


def read_queue(engine: Engine, agent: str | None, shown: Sequence[str] = ()) -> QueueRead:
    """What waits now, and what became of those shown ones that do not. Call it in a thread.

    Raises:
        MemstationError: it cannot be read.
    """
    seq, rows = engine.head().seq, engine.queue(agent)
    now = {row.id for row in rows}
    fates: dict[str, HeldRow] = {}
    for memory_id in [memory_id for memory_id in shown if memory_id not in now][:MOST_FATES]:
        parts = engine.reader.held(memory_id)
        if parts is not None:
            fates[memory_id] = parts.row
    return QueueRead(seq, rows, fates)


class QueueReading(Strip):
    """The queue as it was read, and what came since."""

    is_read = False
    """Whether the queue was read at all."""
    _seq = 0
    """The newest decision that the list knows of."""
    _decided_seq = 0
    """The newest own verdict."""
    wanted: str | None = None
    """The memory that the cursor is to go to once the queue is read."""
    _error: MemstationError | None = None
    _later: Timer | None = None
    _waiting: tuple[int, int, int] = (0, 0, 0)

    @abstractmethod
    def empty_words(self) -> tuple[Safe, Sequence[Safe], Sequence[tuple[str, Safe]]]:
        """What an empty list would show: title, why, keys that lead on."""

    # -- reading ------------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Read everything, the cursor on the first."""
        assert self.engine is not None
        call = partial(read_queue, self.engine, self.station.agent_id)
        self.in_thread("queue", call, partial(self._take, first=True), self._failed)
        self.read_strip()

    def _take(self, read: QueueRead, first: bool = False) -> None:
        """Show what was read, and nothing else."""
        self._error, self.is_read, self._seq = None, True, read.seq
        self.queue.take(read.rows)
        if first:
            self.queue.lapsed_count = 0
        self.relist(0 if first else None)
        self._point_at_wanted()
        self._count_lapsed()

    def _point_at_wanted(self) -> None:
        """The cursor on the memory that was asked for, its group unfolded."""
        wanted, self.wanted = self.wanted, None
        if wanted is None:
            return
        entries = self.main_pane.entries
        head = next((entry for entry in entries.all if isinstance(entry, Head) and not entry.is_open
                     and any(row.id == wanted for row in entry.rows)), None)  # fmt: skip
        if head is not None:
            self.queue.opened[head.key] = True
            entries = self.queue.listed()
        place = entries.index_of(wanted)
        if place is None:
            self.station.say([(_("It does not wait for a verdict any more."), "warning")])
        else:
            self.relist(place)

    def renew(self) -> None:
        """Somebody wrote, or a minute passed: compare, without moving the list."""
        if self.engine is None:
            return
        if not self.is_read:
            # The first reading shows what is there by then; another one must not take its place, unless it failed.
            if self._error is not None:
                self.load()
            return
        call = partial(self._read_if_changed, self.engine, self.station.agent_id, self._seq, tuple(self.queue.rows))
        self.in_thread("queue", call, self._compare, self._failed)

    @staticmethod
    def _read_if_changed(engine: Engine, agent: str | None, known: int, shown: Sequence[str]) -> QueueRead | None:
        return None if engine.head().seq == known else read_queue(engine, agent, shown)

    def _compare(self, read: QueueRead | None) -> None:
        if read is not None and read.seq < self._decided_seq:
            self._look_later()  # it was read before the last verdict, and would bring back what that took out
            return
        if read is None:
            self.main_pane.relayout()
            self.refresh_bars()
            return
        self._error, self._seq = None, read.seq
        self.queue.compare(read.rows, read.fates, self.station.session)
        self.relist()
        self.show_card(again=True)
        self.read_strip()
        self._count_lapsed()

    # -- what ran out -------------------------------------------------------------------------------------------

    def counts_changed(self) -> None:
        """How many ran out may have changed, too."""
        super().counts_changed()
        if self.is_read and self.station.agent_id is None:
            self._count_lapsed()

    def _count_lapsed(self) -> None:
        """How many ran out: the station counts those of all agents anyway."""
        assert self.engine is not None
        if self.station.agent_id is None:
            if self.station.review_counts is not None:
                self._put_counts(self.station.review_counts)
        else:
            call = partial(self.engine.review_counts, self.station.agent_id)
            self.in_thread("counts", call, self._put_counts, self.station.fail)

    def _put_counts(self, counts: ReviewCounts) -> None:
        if counts.lapsed != self.queue.lapsed_count:
            self.queue.lapsed_count = counts.lapsed
            self.relist()
            if self.queue.opened.get("lapsed"):
                self.read_lapsed()

    def _failed(self, error: MemstationError) -> None:
        """A failed read is told in place of the list; it never looks like an empty one."""
        self._error = error
        self.query_one("#empty", Empty).display = False
        self.main_pane.display = True
        if not self.queue.rows:
            self.main_pane.fail(error)
        self.station.fail(error)
        self.refresh_bars()

    def read_lapsed(self) -> None:
        """Read what ran out."""
        assert self.engine is not None
        call = partial(self.engine.queue, self.station.agent_id, lapsed=True)
        self.in_thread("lapsed", call, self._put_lapsed, self.station.fail)

    def _put_lapsed(self, rows: list[HeldRow]) -> None:
        self.queue.lapsed, self.queue.lapsed_count = rows, len(rows)
        self.relist()

    def relist(self, place: int | None = None) -> None:
        """Show the queue as it is now, the cursor on its entry or at a place."""
        listed = self.queue.listed()
        self._waiting = self.queue.waiting(self.station.now())
        is_empty = not listed.all
        empty = self.query_one("#empty", Empty)
        if is_empty:
            empty.put(*self.empty_words())
        empty.display = is_empty
        self.main_pane.display = not is_empty
        self.query_one("#shell").set_class(is_empty, "-nothing")
        self.main_pane.put(listed, place)
        self.show_marks()
        if not is_empty and self.focused is None:
            self.focus_main()
        self.refresh_bars()

    def after_decision(self, seq: int, *, at_once: bool) -> None:
        """Where the list is right already, what approving changed of other rows is compared when the hand rests."""
        self._decided_seq = seq
        if seq == self._seq + 1:
            self._seq = seq
        self._waiting = self.queue.waiting(self.station.now())
        if not self.main_pane.entries.all:
            self.relist()
        self.refresh_bars()
        self.read_strip()
        if at_once:
            self.look_again()
        else:
            self._look_later()

    def _look_later(self) -> None:
        if self._later is not None:
            self._later.stop()
        self._later = self.set_timer(AFTER, self.look_again)

    def look_again(self) -> None:
        """Compare with the store, whatever is known of it, and read the card again."""
        self._seq = -1
        self.renew()

    def do_review_load_new(self) -> None:
        """Show what came in; what was decided elsewhere goes."""
        assert self.engine is not None
        call = partial(read_queue, self.engine, self.station.agent_id)
        self.in_thread("queue", call, self._take_new, self._failed)

    def _take_new(self, read: QueueRead) -> None:
        before = set(self.queue.rows)
        self._take(read)
        came = len(self.queue.rows.keys() - before)
        words = counted("{n} new", "{n} new", came) if came else _("Nothing new came in.")
        self.station.say([(words, "strong" if came else "muted")])
