"""Review: the queue of what is held, its card, the verdicts. It must not move the list under the cursor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.timer import Timer
from textual.widgets import Input

from memstation.domain.errors import InvalidInput, MemstationError
from memstation.read.review_rows import HeldRow, ReviewCounts
from memstation.station.bindings import room_bindings
from memstation.station.commands import Command
from memstation.station.render.cells import Run, runs
from memstation.station.render.held_columns import held_columns
from memstation.station.render.held_filter import read_filter
from memstation.station.render.held_groups import Entry, Head
from memstation.station.render.provenance import joined
from memstation.station.render.safe import Safe, safe_line
from memstation.station.screens.review.held_list import HeldList
from memstation.station.screens.review.queue import Queue
from memstation.station.screens.review.strip import Strip
from memstation.station.services import Engine
from memstation.station.widgets.bars import Rule
from memstation.station.widgets.columns import Column
from memstation.station.widgets.empty import Empty
from memstation.station.widgets.pane import TextPane
from memstation.station.widgets.virtual_list import VirtualList
from memstation.station.words import _, counted, say

MOST_FATES = 50
"""Rows that somebody else decided, for which it is looked up what became of them."""
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


class ReviewScreen(Strip):
    """The room Review."""

    ROOM = "review"
    SCOPE = "Review"
    BINDINGS: ClassVar[list[BindingType]] = room_bindings("Review")

    is_read = False
    """Whether the queue was read at all."""
    _seq = 0
    """The newest decision that the list knows of."""
    _decided_seq = 0
    """The newest own verdict."""
    _error: MemstationError | None = None
    _later: Timer | None = None
    _waiting: tuple[int, int, int] = (0, 0, 0)
    _shown_filter = ""

    def __init__(self) -> None:
        super().__init__()
        self.queue = Queue()

    # -- parts --------------------------------------------------------------------------------------------------

    def compose_body(self) -> ComposeResult:
        """Queue and card, the last ten below."""
        with Container(id="list-and-detail"):
            with Vertical(id="list-side"):
                yield HeldList(self.columns, id="list")
                yield Empty(id="empty")
            with Vertical(id="detail-side"):
                yield Rule(id="detail-title")
                yield TextPane(id="detail")
        yield Rule(id="strip-title")
        yield VirtualList(self.strip_columns, titled=False, id="strip")

    def on_mount(self) -> None:
        """Glyphs, and the keys to the list."""
        glyphs = self.station.glyphs
        for list_ in (self.main_pane, self.strip):
            list_.cursor_glyph = glyphs.cursor
        self.strip.is_quiet = True
        for name in ("#detail-title", "#strip-title"):
            self.query_one(name, Rule).across = glyphs.across
        self.query_one("#shell").add_class("-no-strip")
        self.main_pane.focus()

    def columns(self, width: int) -> Sequence[Column[Entry]]:
        """State, what is said, what approving would close, the time left."""
        queue = self.queue
        return held_columns(width, self.station.glyphs, self.station.now(), queue.grouping, queue.fates, queue.skipped)

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
        self._count_lapsed()

    def renew(self) -> None:
        """Somebody wrote, or a minute passed: compare, without moving the list."""
        if self.engine is None or not self.is_read:
            # The first reading shows what is there by then; another one must not take its place.
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

    @on(VirtualList.Opened, "#list")
    def _opened(self) -> None:
        self.do_item_open()

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

    # -- filter and agent ---------------------------------------------------------------------------------------

    @on(Input.Submitted, "#filter")
    def _filter_entered(self, event: Input.Submitted) -> None:
        """A filter that cannot be read stays in its field."""
        if not self._filter_by(event.value.strip()):
            event.stop()
            event.prevent_default()

    def apply_filter(self, text: str) -> None:
        """Show only what matches."""
        self._filter_by(text)

    def _filter_by(self, text: str) -> bool:
        try:
            matches = read_filter(text) if text else None
        except InvalidInput as error:
            self.filter_text = self._shown_filter
            self.station.say([(safe_line(error.title), "warning"), (Safe(": "), ""), (safe_line(error.detail), "")])
            return False
        self.filter_text = self._shown_filter = text
        self.queue.matches = matches
        if self._is_loaded:
            self.relist()
        return True

    def show_held(self, filter_text: str) -> None:
        """What is held, filtered; from another room."""
        self.close_card()
        self._filter_by(filter_text)
        if self.query("#filter"):
            self.query_one("#filter", Input).value = filter_text

    def agent_chosen(self, agent_id: str | None) -> None:
        """Only what is held of this agent, or of all."""
        if self.engine is not None and self._is_loaded:
            self.queue.marks, self.queue.lapsed = set(), []
            self.load()

    # -- rows ---------------------------------------------------------------------------------------------------

    def step_back(self) -> bool:
        """The card, the last ten, a range; then the filter and the way here. Marks stay."""
        if self.close_card() or self.close_strip():
            return True
        if self._range_from is not None:
            self._range_from = None
            self.station.say([(_("No range."), "muted")])
            return True
        return super().step_back()

    def what(self) -> tuple[Sequence[Run], Sequence[Run]]:
        """How many wait, in how many groups, how many run out today; the order, the filter, what came in."""
        if self._error is not None:
            return [(_("Cannot be read: "), "withdrawn"), (safe_line(self._error.title), "")], ()
        if not self.is_read:
            return [(_("Review") if self.engine is None else _("Reading .."), "muted")], ()
        rows, sources, due = self._waiting
        left: list[Run] = [(counted("{n} held", "{n} held", rows), "held" if rows else "")]
        if rows:
            left.append((counted(", {n} source", ", {n} sources", sources), ""))
        elif self.queue.lapsed_count:
            left.append((counted(", {n} ran out undecided", ", {n} ran out undecided", self.queue.lapsed_count), ""))
        if due:
            left.append((counted(", {n} runs out today", ", {n} run out today", due), "warning"))
        if self.filter_text:
            left += [(_("   filter "), "muted"), *joined(runs(self.filter_text, "marked"), self.size.width // 2),
                     (_("  escape clears"), "muted")]  # fmt: skip
        else:
            left.append((Safe(f"   {self.order_words()}"), "muted"))
        right: list[Run] = []
        if self.queue.fresh:
            key = self.key_name("review.load_new")
            right = [
                (counted("{n} new: {key} shows it", "{n} new: {key} shows them", self.queue.fresh, key=key), "key")
            ]
        return left, right

    def place(self) -> Sequence[Run]:
        """Which item, how many are marked."""
        list_, marked = self.main_pane, self.queue.marked()
        if not list_.count:
            return ()
        parts: list[Run] = [(say("{n} of {all}", n=f"{list_.cursor + 1:,}", all=f"{list_.count:,}"), "muted")]
        if marked:
            parts += [(Safe(" | "), "line"), (Safe("* "), "marked"),
                      (counted("{n} marked", "{n} marked", len(marked)), "marked")]  # fmt: skip
            if outside := self.queue.outside(marked):
                parts.append((counted(", {n} hidden", ", {n} hidden", outside), "warning"))
        return parts

    def footer_label(self, command: Command) -> Safe:
        """What a verdict will hit, where it is more than what is under the cursor."""
        label = super().footer_label(command)
        if command.id not in ("review.approve", "review.deny"):
            return label
        if marked := len(self.queue.marked()):
            return say("{verb} {n} marked", verb=label, n=marked)
        return say("{verb} group", verb=label) if isinstance(self.main_pane.selected, Head) else label

    def empty_words(self) -> tuple[Safe, Sequence[Safe], Sequence[tuple[str, Safe]]]:
        """Nothing is held, or nothing matches."""
        if self.filter_text:
            rest = counted("{n} is held without this filter.", "{n} are held without this filter.",
                           len(self.queue.rows))  # fmt: skip
            return (say("Nothing held matches {text}.", text=self.filter_text), (rest,),
                    [("escape", _("clear the filter")), ("/", _("another filter"))])  # fmt: skip
        why = (_("What the gate is not sure of waits here for you: bursts, text that gives orders, rejected values."),)
        return _("Nothing is held for review."), why, [("1", _("what is new")), ("8", _("what was decided"))]
