"""Marks, skips and folds of the queue: what the operator puts aside or together. It must not decide anything."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from itertools import chain, islice

from memstation.read.review_rows import HeldRow
from memstation.station.render.held_groups import GROUPINGS, Entry, Head, Item, key_of
from memstation.station.render.safe import Safe
from memstation.station.screens.review.card import Carded
from memstation.station.words import N_, _, counted, say

ORDERS = {
    "source": N_("by source, weakest trust first"), "subject": N_("by subject, weakest trust first"),
    "time": N_("by time left"),
}  # fmt: skip


class Marking(Carded):
    """What verbs act on, and how the list stands."""

    _range_from: Hashable | None = None
    """The entry where a range begins."""

    @abstractmethod
    def relist(self, place: int | None = None) -> None:
        """Show the queue as it is now, the cursor on its entry or at a place."""

    def targets(self) -> Sequence[HeldRow]:
        """What a verb acts on: the marks; else the group or the memory under the cursor, as far as it waits."""
        marked = self.queue.marked()
        entry = self.main_pane.selected
        if marked or entry is None:
            return marked
        if isinstance(entry, Head):
            return [] if entry.lane == "lapsed" else self.queue.of(entry)
        return [entry.row] if entry.lane != "lapsed" and self.queue.is_open(entry.row) else []

    def is_many(self) -> bool:
        """Whether a verb asks because it acts on marks or a group."""
        return bool(self.queue.marks) or isinstance(self.main_pane.selected, Head)

    def _rows_of(self, entry: Entry) -> list[HeldRow]:
        if entry.lane == "lapsed":
            return []
        return self.queue.of(entry) if isinstance(entry, Head) else [entry.row] if self.queue.is_open(entry.row) else []

    # -- marks --------------------------------------------------------------------------------------------------

    def do_mark_toggle(self) -> None:
        """Mark or unmark what is under the cursor, a whole group on its head, and go on."""
        entry = self.main_pane.selected
        if entry is None:
            return
        ids = {row.id for row in self._rows_of(entry)}
        if ids:
            self.queue.marks = self.queue.marks - ids if ids <= self.queue.marks else self.queue.marks | ids
        self._range_from = None
        self.main_pane.move(1)
        self._marks_changed()

    def do_mark_range(self) -> None:
        """The first time it notes where the range begins, the second time it marks up to the cursor."""
        entry = self.main_pane.selected
        if entry is None:
            return
        if self._range_from is None:
            self._range_from = key_of(entry)
            key = self.key_name("mark.range")
            self.station.say([(say("A range begins here; {key} again marks up to the cursor.", key=key), "muted")])
            return
        listed = self.main_pane.entries
        begin, self._range_from = listed.index_of(self._range_from), None
        here = self.main_pane.cursor
        first, last = sorted((here if begin is None else begin, here))
        self.queue.marks |= {
            row.id for entry in listed.all[first : last + 1] if isinstance(entry, Item) for row in self._rows_of(entry)
        }
        self._marks_changed()

    def do_mark_all(self) -> None:
        """Mark all that the filter shows now and that waits, blocked sources aside; or take every mark away."""
        if self.queue.marks:
            self.queue.marks = set()
        else:
            rows = (row for entry in self.main_pane.entries.all if entry.lane in ("waiting", "skipped")
                    for row in self._rows_of(entry))  # fmt: skip
            self.queue.marks = {row.id for row in rows}
        self._marks_changed()

    def _marks_changed(self) -> None:
        count = len(self.queue.marks)
        self.show_marks()
        words = counted("{n} marked", "{n} marked", count) if count else _("Nothing is marked.")
        self.station.say([(words, "marked" if count else "muted")])
        self.say_card_again()

    def show_marks(self) -> None:
        """Paint the marks; a folded group shows one when all in it are marked."""
        if not self.queue.marks and not self.main_pane.marks:
            return
        marks: set[Hashable] = set(self.queue.marks)
        for entry in self.main_pane.entries.all:
            if isinstance(entry, Head) and entry.rows and all(row.id in self.queue.marks for row in entry.rows):
                marks.add(key_of(entry))
        if marks != self.main_pane.marks:
            self.main_pane.marks = frozenset(marks)
            self.main_pane.relayout()

    # -- going on -----------------------------------------------------------------------------------------------

    def do_list_next(self, step: str) -> None:
        """The next memory that is neither decided nor skipped, or the one before."""
        listed, way = self.main_pane.entries.all, int(step)
        place = self.main_pane.cursor + way
        while 0 <= place < len(listed):
            entry = listed[place]
            if isinstance(entry, Item) and entry.lane == "waiting" and self.queue.is_undecided(entry.row):
                self.main_pane.move(place - self.main_pane.cursor)
                return
            place += way
        self.station.say([(_("There is no undecided one further on.") if way > 0 else
                           _("There is no undecided one before."), "muted")])  # fmt: skip

    def next_after(self, gone: set[str]) -> Hashable | None:
        """The entry where the cursor goes when these are decided: the next undecided memory, or a folded group."""
        listed, here = self.main_pane.entries.all, self.main_pane.cursor
        for entry in chain(islice(listed, here, None), reversed(listed[:here])):
            if entry.lane != "waiting":
                continue
            if isinstance(entry, Head):
                if not entry.is_open and any(row.id not in gone for row in self.queue.of(entry)):
                    return key_of(entry)
            elif entry.row.id not in gone and self.queue.is_undecided(entry.row):
                return key_of(entry)
        return None

    def do_review_skip(self) -> None:
        """To the end of the list until the program ends; skipped ones come back to their places."""
        rows = self.targets()
        ids = {row.id for row in rows}
        back = ids <= self.queue.skipped
        target = None if back else self.next_after(ids)
        listed = self.queue.skip(ids, self.main_pane.entries)
        self.go_on()
        self.main_pane.put(listed, None if target is None else listed.index_of(target))
        self.show_marks()
        words = (counted("{n} is back in its place.", "{n} are back in their places.", len(ids)) if back else
                 counted("{n} skipped: it stands at the end, and its time goes on.",
                         "{n} skipped: they stand at the end, and their time goes on.", len(ids)))  # fmt: skip
        self.station.say([(words, "muted")])

    # -- folds and groupings ------------------------------------------------------------------------------------

    def do_list_fold(self, step: str) -> None:
        """Fold the group of the cursor, with the cursor on its head; or unfold the one under it."""
        entry = self.main_pane.selected
        if entry is None:
            return
        key = entry.key if isinstance(entry, Head) else entry.group
        if key is None or (isinstance(entry, Item) and step == "unfold"):
            return
        self.queue.opened[key] = step == "unfold"
        if key == "lapsed" and step == "unfold":
            self.read_lapsed()
        listed = self.queue.listed()
        self.main_pane.put(listed, listed.index_of(("head", key)))
        self.show_marks()

    @abstractmethod
    def read_lapsed(self) -> None:
        """Read what ran out; it is not read before it is asked for."""

    def do_list_order(self) -> None:
        """By source, by subject, by time left, in turn; the cursor stays on its memory."""
        turn = (GROUPINGS.index(self.queue.grouping) + 1) % len(GROUPINGS)
        self.queue.grouping = GROUPINGS[turn]
        self.relist()
        self.station.say([(_("Order: "), "muted"), (self.order_words(), "strong")])

    def order_words(self) -> Safe:
        """The order in words."""
        return _(ORDERS[self.queue.grouping])
