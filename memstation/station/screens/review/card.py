"""The card beside the queue: read in a thread when the cursor rests. What is painted is what a verdict acts on."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from time import perf_counter

from textual import on
from textual.timer import Timer

from memstation.domain.errors import MemstationError
from memstation.read.review_rows import HeldCard, HeldRow
from memstation.station.render.cells import Run, runs
from memstation.station.render.held_card import CardLook, Looked, card_rows
from memstation.station.render.held_groups import Head, Item, key_of
from memstation.station.render.held_head import head_rows
from memstation.station.render.safe import Safe, has_hidden, safe_line
from memstation.station.screens.base import RoomScreen
from memstation.station.screens.list_room import DETAIL_DELAY
from memstation.station.screens.review.card_reading import read_card
from memstation.station.screens.review.held_list import HeldList
from memstation.station.screens.review.queue import Queue
from memstation.station.widgets.bars import Rule
from memstation.station.widgets.pane import TextPane
from memstation.station.widgets.virtual_list import VirtualList
from memstation.station.words import _, counted


class Carded(RoomScreen):
    """The list with the card of what is under its cursor."""

    queue: Queue
    _looked: Looked | None = None
    _shown_key: Hashable | None = None
    """The entry that the card is about."""
    _painted: Hashable | None = None
    """The entry whose card is on the screen in full."""
    _put = 0
    """Counts what was put beside the list: only the newest can have been painted."""
    _resting: Timer | None = None
    _moved = 0.0
    _why_first = False
    _cells = 0
    """The width for which the card was laid out."""

    @property
    def main_pane(self) -> HeldList:
        """The queue."""
        return self.query_one("#list", HeldList)

    @property
    def card_pane(self) -> TextPane:
        """The card."""
        return self.query_one("#detail", TextPane)

    @property
    def card(self) -> HeldCard | None:
        """The card that is painted, about the memory under the cursor, while it waits; None before."""
        entry = self.main_pane.selected
        looked = self._looked
        if looked is None or entry is None or self._painted != key_of(entry) or looked.card.row.status != "pending":
            return None
        return looked.card

    @property
    def is_painted(self) -> bool:
        """Whether what is under the cursor is painted in full."""
        entry = self.main_pane.selected
        return entry is not None and self._painted == key_of(entry)

    # -- reading ------------------------------------------------------------------------------------------------

    @on(VirtualList.Highlighted, "#list")
    def _entry_highlighted(self, event: VirtualList.Highlighted) -> None:
        if type(event) is not VirtualList.Highlighted:
            return  # the list's other messages are kinds of it
        self.show_card()
        self.refresh_place()

    def show_card(self, *, again: bool = False) -> None:
        """Show the card of what is under the cursor; read it again though it is shown already, when asked."""
        entry = self.main_pane.selected
        if entry is None:
            self._clear(None)
            self._put_title((), ())
            self.card_pane.put(())
            return
        key = key_of(entry)
        if isinstance(entry, Head):
            self.forget("card")
            self._looked = None
            self._put_rows(key, self._head_rows(entry))
            self._put_title(*self._head_title(entry))
            return
        is_other = key != self._shown_key
        if not is_other and not again and self._looked is not None:
            return
        if is_other:
            self._clear(key)
            self._put_title(*self._title(entry))
            self.card_pane.put([[(_("reading .."), "muted")]])
        self._ask_soon()

    def show_card_anew(self) -> None:
        """The card is not right any more, by a verdict of ours: no key acts on it until it is read again."""
        self._clear(self._shown_key)
        self.go_on()
        self.show_card(again=True)

    def go_on(self) -> None:
        """The next card is read at once: it is a verdict that moves the cursor, not a held key."""
        self._moved = 0.0

    def _clear(self, key: Hashable | None) -> None:
        """What stands beside the list is about this entry from now on, and says nothing of it yet."""
        self._shown_key, self._looked, self._painted = key, None, None
        self._put += 1

    def _ask_soon(self) -> None:
        """At once where the cursor stood still before; a held key passes over rows."""
        if self._resting is not None:
            self._resting.stop()
        self.forget("card")
        now = perf_counter()
        before, self._moved = self._moved, now
        if now - before > DETAIL_DELAY:
            self._ask_card()
        else:
            self._resting = self.set_timer(DETAIL_DELAY, self._ask_card)

    def _ask_card(self) -> None:
        item = self.main_pane.item()
        if item is not None and self.engine is not None:
            call = partial(read_card, self.engine, item.row.id)
            self.in_thread("card", call, partial(self._take_card, item.row), partial(self._card_failed, item.row))

    def _take_card(self, row: HeldRow, looked: Looked | None) -> None:
        item = self.main_pane.item()
        if item is None or item.row.id != row.id:
            return
        if looked is None:
            self._clear(row.id)
            self.card_pane.put([[(_("It is not in the store any more."), "warning")]])
            return
        if looked.card.row.status != "pending" and item.lane != "lapsed":
            self.queue.fates[row.id] = looked.card.row
            self.main_pane.relayout()
        home = self._looked is None
        self._looked = looked
        self._put_title(*self._title(item))
        self._put_rows(row.id, self._card_rows(looked), home=home)
        self.refresh_place()

    def _card_failed(self, row: HeldRow, error: MemstationError) -> None:
        item = self.main_pane.item()
        if item is not None and item.row.id == row.id:
            self._clear(row.id)
            self.card_pane.put([[(_("This cannot be read."), "withdrawn")], [(safe_line(error.title), "")],
                                [(safe_line(error.detail), "muted")]])  # fmt: skip

    # -- showing ------------------------------------------------------------------------------------------------

    def _put_rows(self, key: Hashable, rows: Sequence[Sequence[Run]], *, home: bool = True) -> None:
        self._shown_key = key
        self._cells = self.card_pane.size.width
        self.card_pane.put([*self._marked_rows(), *rows], home=home)
        self._put += 1
        self.call_after_refresh(self._was_painted, self._put)

    def _was_painted(self, number: int) -> None:
        if self._put != number:
            return
        self._painted = self._shown_key
        if self.card_pane.size.width != self._cells:
            self.say_card_again()  # laid out for a pane that was not laid out itself

    def _marked_rows(self) -> list[list[Run]]:
        marked = len(self.queue.marked())
        if not marked:
            return []
        words = counted("{n} marked: {a} and {d} act on it, and ask first",
                        "{n} marked: {a} and {d} act on these, and ask first", marked,
                        a=self.key_name("review.approve"), d=self.key_name("review.deny"))  # fmt: skip
        return [[(Safe("* "), "marked"), (words, "marked")]]

    def _card_rows(self, looked: Looked) -> Sequence[Sequence[Run]]:
        cells = max(30, self.card_pane.size.width)
        look = CardLook(self.station.glyphs, self.station.now(), cells, self.is_wide,
                        self.key_name("review.hold_burst"), self.key_name("review.restore"))  # fmt: skip
        return card_rows(looked, look, why_first=self._why_first)

    def _head_rows(self, head: Head) -> Sequence[Sequence[Run]]:
        keys = self.key_name("review.approve"), self.key_name("review.deny")
        cells = max(30, self.card_pane.size.width)
        return head_rows(head, self.station.now(), cells, keys)

    def _title(self, item: Item) -> tuple[list[Run], list[Run]]:
        row = item.row
        about = " ".join(name for name in (row.subject, row.predicate) if name)
        named = runs(about, "key") or [(_("a note"), "key")]
        return [*runs(row.agent_id), (Safe(": "), "muted"), *named], self._place_of(item)

    def _head_title(self, head: Head) -> tuple[list[Run], list[Run]]:
        words = _("a group") if head.lane == "waiting" else _("put aside")
        return [(words, "key")], [(counted("{n} memory", "{n} memories", head.count), "muted")]

    def _place_of(self, item: Item) -> list[Run]:
        return []

    def _put_title(self, left: Sequence[Run], right: Sequence[Run]) -> None:
        self.query_one("#detail-title", Rule).put(left, right)

    def say_card_again(self) -> None:
        """Lay the card out again: another width, another time, other marks."""
        entry = self.main_pane.selected
        if isinstance(entry, Head):
            self._put_rows(key_of(entry), self._head_rows(entry), home=False)
        elif self._looked is not None and entry is not None and key_of(entry) == self._shown_key:
            self._put_rows(key_of(entry), self._card_rows(self._looked), home=False)

    def on_resize(self) -> None:
        """What is said depends on the room there is."""
        super().on_resize()
        self.call_after_refresh(self.say_card_again)

    # -- reading the card in full -------------------------------------------------------------------------------

    @property
    def is_reading(self) -> bool:
        """Whether the card has most of the screen."""
        return any(shell.has_class("-reading") for shell in self.query("#shell"))

    def do_item_open(self) -> None:
        """A head folds or unfolds; a memory's card gets the keys, and room to be read."""
        entry = self.main_pane.selected
        if isinstance(entry, Head):
            self.do_list_fold("fold" if entry.is_open else "unfold")
        elif entry is not None:
            self._read(why_first=False)

    def do_item_why(self) -> None:
        """The card in full, beginning with why it is held."""
        if self.main_pane.item() is not None:
            self._read(why_first=True)

    def _read(self, *, why_first: bool) -> None:
        self._why_first = why_first
        self.query_one("#shell").add_class("-reading")
        self.card_pane.focus()
        self.call_after_refresh(self.say_card_again)
        self.card_pane.ends("first")

    def close_card(self) -> bool:
        """Back to the list; whether there was something to close."""
        if not self.is_reading:
            return False
        self._why_first = False
        self.query_one("#shell").remove_class("-reading")
        self.focus_main()
        self.call_after_refresh(self.say_card_again)
        return True

    def do_list_fold(self, step: str) -> None:
        """Fold or unfold a group. The room does it."""
        raise NotImplementedError

    # -- copying ------------------------------------------------------------------------------------------------

    def do_item_copy_id(self) -> None:
        """Copy the id."""
        item = self.main_pane.item()
        if item is not None:
            self.station.copy(item.row.id)

    def do_item_copy_text(self) -> None:
        """Copy the text as it is stored, and warn of what cannot be seen in it."""
        item, looked = self.main_pane.item(), self._looked
        if item is None:
            return
        text = looked.card.record.content if looked is not None and looked.card.row.id == item.row.id else ""
        self.station.copy(text or item.row.content)
        if has_hidden(text or item.row.content):
            self.station.say([(_("It has characters that cannot be seen.  "), "warning"), *self.station.message])
