"""The query of Find: its field, which the list follows, and what was searched for before. It must not search."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.timer import Timer
from textual.widgets import Input, Static

from memstation.station.finding import FoundRow, Steps
from memstation.station.render.safe import Safe
from memstation.station.render.show import content
from memstation.station.screens.filtering import FILTER_DELAY
from memstation.station.screens.list_room import ListRoom
from memstation.station.widgets.field import Field
from memstation.station.words import _, say

KEPT = 50
"""Queries that are remembered."""


class Querying(ListRoom[FoundRow, Steps]):
    """Row 3, and its history."""

    query_text = ""
    """What is searched for."""
    _resting_hand: Timer | None = None
    _back = 0
    """How many queries back in the history the field is; 0 for what was typed."""
    _draft = ""
    """What was typed before the history was looked through."""

    @abstractmethod
    def look(self) -> None:
        """Search for `query_text`."""

    def compose_query(self) -> ComposeResult:
        """Label, field, hint."""
        with Horizontal(id="query-row"):
            yield Static(content([(_("Query"), "key")]), id="query-label")
            yield Field(id="query")
            yield Static(id="query-hint")

    @property
    def field(self) -> Field:
        """The field."""
        return self.query_one("#query", Field)

    def fill_hint(self) -> None:
        """The keys of the row."""
        hint = say("{key} type  up earlier", key=self.key_name("list.filter"))
        self.query_one("#query-hint", Static).update(content([(hint, "muted")]))

    # -- the field ----------------------------------------------------------------------------------------------

    @property
    def is_filtering(self) -> bool:
        """Whether the field has the keys."""
        return isinstance(self.focused, Field)

    def apply_filter(self, text: str) -> None:
        """The field of this room is its query."""
        self.search(text)

    def do_list_filter(self) -> None:
        """Give the field the keys."""
        self._back = 0
        self.field.focus()
        self.field.action_end()

    def field_keys(self) -> list[tuple[str, Safe, bool]]:
        """The footer while the field has the keys."""
        return [("enter", _("to the hits"), False), ("up/down", _("earlier queries"), False),
                ("escape", _("close"), False)]  # fmt: skip

    @on(Input.Changed, "#query")
    def _query_typed(self, event: Input.Changed) -> None:
        """The list follows what is typed, once the hand rests."""
        event.stop()
        self._stop_resting()
        if event.value.strip() != self.query_text:
            self._resting_hand = self.set_timer(FILTER_DELAY, self._hand_rests)

    def _hand_rests(self) -> None:
        self._take_query(self.field.value)

    @on(Input.Submitted, "#query")
    def _query_given(self, event: Input.Submitted) -> None:
        event.stop()
        self._leave_field()
        self.keep_query()

    def _leave_field(self) -> None:
        """The keys to the list; what was typed is what it shows."""
        self._stop_resting()
        self._take_query(self.field.value)
        self.set_focus(None)
        self.focus_main()
        self.refresh_bars()

    def _stop_resting(self) -> None:
        if self._resting_hand is not None:
            self._resting_hand.stop()
            self._resting_hand = None

    def _take_query(self, text: str) -> None:
        if text.strip() != self.query_text:
            self.query_text = text.strip()
            self.station.say(())
            self.look()
            self.refresh_bars()

    def search(self, text: str) -> None:
        """Search for this text, as if it had been typed."""
        self.field.value = text
        self._stop_resting()
        self._take_query(text)

    def on_descendant_focus(self) -> None:
        """Field and list have keys of their own."""
        self.refresh_bars()

    # -- what was searched for ----------------------------------------------------------------------------------

    def queries(self) -> Sequence[str]:
        """What was searched for in this store, the newest last."""
        return () if self.engine is None else self.station.services.state.visit(self.engine.uuid).queries

    def keep_query(self) -> None:
        """Remember what is searched for."""
        if self.query_text and (not self.queries() or self.queries()[-1] != self.query_text):
            others = [text for text in self.queries() if text != self.query_text]
            self.station.remember(queries=(*others, self.query_text)[-KEPT:])

    def do_list_move(self, step: str) -> None:
        """In the field an earlier or a later query; else one line."""
        if not self.is_filtering:
            super().do_list_move(step)
            return
        if not self._back:
            self._draft = self.field.value
        earlier = [text for text in self.queries() if text != self._draft.strip()]
        self._back = min(max(self._back - int(step), 0), len(earlier))
        self.field.value = earlier[-self._back] if self._back else self._draft
        self.field.action_end()

    def step_back(self) -> bool:
        """From the field to the list first."""
        if self.is_filtering:
            self._leave_field()
            return True
        return super().step_back()
