"""Review: the queue of what is held, its card, the verdicts. It must not move the list under the cursor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.widgets import Input

from memstation.domain.errors import InvalidInput
from memstation.read.review_rows import HeldRow
from memstation.station.bindings import room_bindings
from memstation.station.commands import Command
from memstation.station.render.cells import Run, runs
from memstation.station.render.held_columns import held_columns
from memstation.station.render.held_filter import read_filter
from memstation.station.render.held_groups import Entry, Head
from memstation.station.render.provenance import joined
from memstation.station.render.purge_words import cannot_purge
from memstation.station.render.safe import Safe, safe_line
from memstation.station.screens.review.held_list import HeldList
from memstation.station.screens.review.queue import Queue
from memstation.station.screens.review.reading import MOST_READ, QueueReading
from memstation.station.widgets.bars import Rule
from memstation.station.widgets.columns import Column
from memstation.station.widgets.empty import Empty
from memstation.station.widgets.pane import TextPane
from memstation.station.widgets.virtual_list import VirtualList
from memstation.station.words import _, counted, say


class ReviewScreen(QueueReading):
    """The room Review."""

    ROOM = "review"
    SCOPE = "Review"
    BINDINGS: ClassVar[list[BindingType]] = room_bindings("Review")

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

    @on(VirtualList.Opened, "#list")
    def _opened(self) -> None:
        self.do_item_open()

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

    def show_held(self, filter_text: str, memory_id: str | None = None) -> None:
        """What is held, filtered, the cursor on one; from another room."""
        self.close_card()
        self._filter_by(filter_text)
        if self.query("#filter"):
            self.query_one("#filter", Input).value = filter_text
        self.wanted = memory_id
        if memory_id is not None and self._is_loaded:
            # Read anew: it may have come in since, and the queue may be another agent's.
            self.load()

    def agent_chosen(self, agent_id: str | None) -> None:
        """Only what is held of this agent, or of all."""
        if self.engine is not None and self._is_loaded:
            self.queue.marks, self.queue.lapsed = set(), []
            self.load()

    # -- the source of what is held -----------------------------------------------------------------------------

    def why_not(self, command: Command) -> str:
        """A group of several sources has none to purge."""
        why = super().why_not(command)
        if why or command.id != "source.purge":
            return why
        row = self._told_here()
        return _("no source is under the cursor") if row is None else cannot_purge(row.origin)

    def _told_here(self) -> HeldRow | None:
        """A memory of the source under the cursor; None where there is none, or several."""
        entry = self.main_pane.selected
        if isinstance(entry, Head):
            return entry.rows[0] if len({(row.origin, row.agent_id) for row in entry.rows}) == 1 else None
        return None if entry is None else entry.row

    def do_source_purge(self) -> None:
        """Withdraw all that this source told the agent: look, then type its name."""
        row = self._told_here()
        if row is not None and row.origin is not None:
            self.station.purge_source(row.origin, row.agent_id)

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
        if len(self.queue.rows) >= MOST_READ:
            left.append((_(" (the first; more wait)"), "warning"))
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
