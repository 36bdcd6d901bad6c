"""Sources: who tells what is known, and what to do about one. It must not write but through the app's own dialogs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import ClassVar, Literal

from textual.binding import BindingType
from textual.timer import Timer

from memstation.domain.errors import MemstationError
from memstation.domain.origins import OPERATOR
from memstation.read.source_rows import SourceDetail, SourceRow
from memstation.station.bindings import room_bindings
from memstation.station.commands import Command
from memstation.station.dialogs.pick import Option, PickDialog
from memstation.station.render.cells import Run, runs
from memstation.station.render.purge_words import cannot_purge
from memstation.station.render.safe import Safe
from memstation.station.render.source_filter import read_filter
from memstation.station.render.sources import source_columns, source_lines, source_title
from memstation.station.screens.list_room import ListRoom
from memstation.station.services import RowSource
from memstation.station.widgets.columns import Column
from memstation.station.widgets.empty import Empty
from memstation.station.widgets.pages import FixedRows
from memstation.station.words import N_, _, counted, say

Order = Literal["trust", "newest", "facts"]
_ORDERS: dict[Order, str] = {
    "trust": N_("weakest trust first"), "newest": N_("last to write first"), "facts": N_("most facts first"),
}  # fmt: skip
MANY = 100_000
"""Memories from which on the sources are not counted anew with each write."""
REST = 2.0
"""Seconds for which they are not, for each million."""


def key_of(row: SourceRow) -> Hashable:
    """The identity of a source in the list, also where nobody is named."""
    return (row.origin,)


class SourcesScreen(ListRoom[SourceRow, SourceDetail]):
    """The room Sources."""

    ROOM = "sources"
    SCOPE = "Sources"
    BINDINGS: ClassVar[list[BindingType]] = room_bindings("Sources")

    order: Order = "trust"
    rows: Sequence[SourceRow] | None = None
    """Every source, as read last; None before that."""
    _wanted: Hashable | None = None
    """The source that the room was opened for."""
    _rest: Timer | None = None
    _is_stale = False
    """Whether somebody wrote while the reading rests."""

    # -- the list -----------------------------------------------------------------------------------------------

    def columns(self, width: int) -> Sequence[Column[SourceRow]]:
        """Who, how much, with which trust, when."""
        return source_columns(width, self.station.glyphs, self.station.now())

    def source(self) -> RowSource[SourceRow]:
        """What was read, filtered and in order."""
        matches = read_filter(self.filter_text)
        rows = [row for row in self.rows or () if matches(row)]
        if self.order == "newest":
            rows.sort(key=lambda row: -row.last.timestamp() if row.last else 0.0)
        elif self.order == "facts":
            rows.sort(key=lambda row: -row.facts)
        return FixedRows(rows, key=key_of)

    def load(self) -> None:
        """Read all sources, and show them from the first."""
        self._read(first=True)

    def renew(self) -> None:
        """Read them again, and keep the cursor on its source; where there is much to count, not all the time."""
        if self._rest is None:
            self._read(first=self.rows is None)
        else:
            self._is_stale = True

    def _read(self, *, first: bool) -> None:
        assert self.engine is not None
        call = partial(self.engine.reader.sources, self.station.agent_id)
        self.in_thread("sources", call, partial(self._take, first), self._cannot_read)

    def _take(self, first: bool, rows: Sequence[SourceRow]) -> None:
        self.rows = rows
        many = sum(row.facts + row.confirms + row.held + row.withdrawn for row in rows)
        if many > MANY and self._rest is None:
            self._rest = self.set_timer(REST * many / 1_000_000, self._rested)
        if first:
            wanted, self._wanted = self._wanted, None
            self.show_list(wanted)
        else:
            super().renew()

    def _rested(self) -> None:
        self._rest = None
        if self._is_stale:
            self._is_stale = False
            self.renew()

    def _cannot_read(self, error: MemstationError) -> None:
        """A failed read never looks like an empty list."""
        if self.rows is None:
            self.query_one("#empty", Empty).display = False
        self.station.fail(error)

    def do_list_order(self) -> None:
        """Another order; the cursor stays on its source."""
        row = self.main_pane.selected
        orders = list(_ORDERS)
        self.order = orders[(orders.index(self.order) + 1) % len(orders)]
        self.show_list(None if row is None else key_of(row))
        self.station.say([(_("Order: "), "muted"), (_(_ORDERS[self.order]), "strong")])

    def agent_chosen(self, agent_id: str | None) -> None:
        """Who told this agent something, or any agent."""
        if self.engine is not None and self._is_loaded:
            self.load()

    def show_source(self, origin: str | None) -> None:
        """All sources, the cursor on one."""
        self.filter_text, self._wanted = "", (origin,)
        if self._is_loaded:
            self.load()
        self.refresh_bars()

    # -- the detail ---------------------------------------------------------------------------------------------

    def read_detail(self, row: SourceRow) -> SourceDetail | None:
        """All about a source."""
        assert self.engine is not None
        return self.engine.reader.source(row.origin, self.station.agent_id)

    def detail_title(self, row: SourceRow, detail: SourceDetail | None) -> tuple[Sequence[Run], Sequence[Run]]:
        """Its name, and since when it writes."""
        return source_title(row, detail, self.station.now())

    def detail_rows(self, row: SourceRow, detail: SourceDetail) -> Sequence[Sequence[Run]]:
        """Facts, trust, bursts, reads, the block; its newest facts."""
        cells = max(30, self.detail_pane.size.width - 2)
        key = self.key_name("source.purge")
        return source_lines(row, detail, self.station.glyphs, self.station.now(), cells, key)

    # -- verbs --------------------------------------------------------------------------------------------------

    def why_not(self, command: Command) -> str:
        """What acts on a source needs one with a name; your own words are not purged as a source."""
        why = super().why_not(command)
        if why or not command.id.startswith("source."):
            return why
        row = self.main_pane.selected
        if row is None:
            return _("no source is under the cursor")
        if not row.origin:
            return cannot_purge(row.origin)
        if row.origin == OPERATOR and command.id != "source.purge":
            return _("that is you")
        return ""

    def do_item_open(self) -> None:
        """Its facts, newest first, in the Timeline of the agent; which one is asked where it told several."""
        row = self.main_pane.selected
        if row is None or row.origin is None:
            return
        told = [share for share in row.agents if share.facts or share.held or share.withdrawn]
        if not told:
            self.station.say([(_("Nothing of it was kept."), "muted")])
        elif len(told) == 1:
            self._open_timeline(row, Option(told[0].agent_id, "", ()))
        else:
            options = [
                Option(share.agent_id, share.agent_id,
                       (tuple(runs(share.agent_id)), ((counted("{n} fact", "{n} facts", share.facts), "muted"),)))
                for share in told
            ]  # fmt: skip
            dialog = PickDialog(_("Whose facts?"), options, widths=(50, 18))
            self.station.push_screen(dialog, partial(self._open_timeline, row))

    def _open_timeline(self, row: SourceRow, option: Option | None) -> None:
        if option is not None:
            self.station.open_timeline(option.value, f'source:"{row.origin}"')

    def do_source_purge(self) -> None:
        """Withdraw what the source told: look, then type its name."""
        row = self.main_pane.selected
        if row is not None and row.origin:
            self.station.purge_source(row.origin, self.station.agent_id)

    def do_source_block(self) -> None:
        """Hold what it writes from now on, or let it write again."""
        row = self.main_pane.selected
        if row is not None and row.origin:
            self.station.block_source(row, self.station.agent_id)

    def do_source_trust(self) -> None:
        """Set its trust."""
        row = self.main_pane.selected
        if row is not None and row.origin:
            self.station.trust_source(row, self.station.agent_id)

    def do_item_copy_id(self) -> None:
        """Copy its name."""
        row = self.main_pane.selected
        if row is not None and row.origin:
            self.station.copy(row.origin)

    def do_item_copy_text(self) -> None:
        """Copy the detail as it is shown."""
        if self.detail_pane.rows:
            self.station.copy(self.detail_pane.text)

    # -- rows ---------------------------------------------------------------------------------------------------

    def what(self) -> tuple[Sequence[Run], Sequence[Run]]:
        """How many sources and facts, in which order, the filter."""
        if self.rows is None:
            return [(_("Sources") if self.engine is None else _("Reading .."), "muted")], ()
        facts = sum(row.facts for row in self.rows)
        left: list[Run] = [
            (counted("{n} source, ", "{n} sources, ", len(self.rows)), ""),
            (counted("{n} fact", "{n} facts", facts), ""),
        ]
        if blocked := sum(bool(row.blocked_for) for row in self.rows):
            left.append((counted(", {n} blocked", ", {n} blocked", blocked), "withdrawn"))
        left.append((Safe(f"   {_(_ORDERS[self.order])}"), "muted"))
        return left, self._legend()

    def _legend(self) -> list[Run]:
        """The filter; else what a column means that has no room for its title."""
        if self.filter_text:
            return self.filter_chip()
        return [] if self.is_wide else [(_("B/D: bursts, dropped"), "muted")]

    def place(self) -> Sequence[Run]:
        """Which source."""
        place = super().place()
        return [(_("source "), "muted"), *place] if place else place

    def empty_words(self) -> tuple[Safe, Sequence[Safe], Sequence[tuple[str, Safe]]]:
        """Nothing was told, or nothing matches."""
        if self.filter_text:
            count = len(self.rows or ())
            rest = counted("There is {n} source without this filter.", "There are {n} sources without this filter.",
                           count)  # fmt: skip
            return (say("No source matches {text}.", text=self.filter_text), (rest,),
                    [("escape", _("clear the filter")), ("/", _("another filter"))])  # fmt: skip
        why = (_("Everybody who tells an agent something stands here: channels, tools, imports, you."),
               _("From here what one of them told can be withdrawn, and given back."))  # fmt: skip
        return _("Nobody has told anything yet."), why, [("1", _("what is new")), ("8", _("what was decided"))]
