"""Timeline: one agent's facts, their lanes, why each is believed. It must not write but by the engine's decisions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import ClassVar, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical

from memstation.domain.errors import MemstationError
from memstation.read.rows import FactDetail, FactRow
from memstation.station.bindings import room_bindings
from memstation.station.render.cells import Run, runs
from memstation.station.render.fact_columns import fact_columns
from memstation.station.render.provenance import joined
from memstation.station.render.safe import Safe
from memstation.station.screens.timeline.deciding import Deciding
from memstation.station.screens.timeline.detail import Detailed
from memstation.station.screens.timeline.fact_list import FactList
from memstation.station.screens.timeline.showing_past import ShowingPast
from memstation.station.services import RowSource, TimelineQuery
from memstation.station.widgets.bars import Bar, Rule
from memstation.station.widgets.columns import Column
from memstation.station.widgets.empty import Empty
from memstation.station.widgets.lanes import Lanes
from memstation.station.widgets.pages import read_pages
from memstation.station.widgets.pane import TextPane
from memstation.station.words import N_, _, counted, say

_ORDERS = {"learned": N_("newest learned first"), "start": N_("latest start first")}


class TimelineScreen(ShowingPast, Deciding, Detailed):
    """The room Timeline."""

    ROOM = "timeline"
    SCOPE = "Timeline"
    BINDINGS: ClassVar[list[BindingType]] = room_bindings("Timeline")

    order: Literal["learned", "start"] = "learned"
    _agents: Sequence[str] | None = None
    _all: int | None = None
    """Facts without the filter."""
    _focus_n: int | None = None
    _above = 0
    """Facts that came in above the first line of the screen."""

    # -- parts --------------------------------------------------------------------------------------------------

    def compose_body(self) -> ComposeResult:
        """List and detail, lanes below them; the sheet in their place."""
        with Container(id="list-and-detail"):
            with Vertical(id="list-side"):
                yield FactList(self.columns, id="list")
                yield Empty(id="empty")
            with Vertical(id="detail-side"):
                yield Rule(id="detail-title")
                yield TextPane(id="detail")
        with Vertical(id="sheet-side"):
            yield Rule(id="sheet-title")
            yield TextPane(id="sheet")
        with Vertical(id="lanes-side"):
            yield Rule(id="lanes-title")
            yield Lanes(id="lanes")
            yield Bar(id="told")
            yield Bar(id="chain")

    def on_mount(self) -> None:
        """Glyphs of the other parts."""
        glyphs = self.station.glyphs
        for name in ("#lanes-title", "#sheet-title"):
            self.query_one(name, Rule).across = glyphs.across
        self.query_one("#lanes", Lanes).glyphs = glyphs

    # -- the list -----------------------------------------------------------------------------------------------

    def columns(self, width: int) -> Sequence[Column[FactRow]]:
        """State, what is said, from when, by whom."""
        sample = [row for row in map(self.main_pane.row, range(60)) if row is not None]
        return fact_columns(width, self.station.glyphs, self.station.now(), sample, source=not self.is_wide)

    def source(self) -> RowSource[FactRow]:
        """The agent's facts, filtered."""
        assert self.engine is not None and self.fact_agent is not None
        return self.engine.reader.timeline(TimelineQuery(self.fact_agent, self.filter_text, self.order))

    def load(self) -> None:
        """Find out whose facts to show, then show them."""
        assert self.engine is not None
        self.in_thread("agents", self.engine.reader.agents, self._agents_known, self.station.fail)

    def _agents_known(self, agents: Sequence[str]) -> None:
        self._agents = agents
        wanted = self.fact_agent if self.fact_agent is not None else self.station.agent_id
        self.fact_agent = wanted if wanted is not None else next(iter(agents), None)
        if self.fact_agent is None:
            self._show_no_agent()
        else:
            self.show_list(self._focus_n)

    def show_list(self, find: Hashable | None = None) -> None:
        """Read the list, the cursor on the row with this key; count it without its filter, too."""
        if self.fact_agent is not None:
            self._shown_filter, self._above = self.filter_text, 0
            super().show_list(find)
            self._count_all()

    def renew(self) -> None:
        """Read again, and keep the cursor on its fact."""
        if self.fact_agent is None:
            self.load()
            return
        super().renew()
        self._count_all()

    def _count_all(self) -> None:
        """How many facts there are without the filter; told by the list itself where there is none."""
        if self.engine is None or self.fact_agent is None or not self.filter_text:
            self.forget("count")
            return
        try:
            source = self.engine.reader.timeline(TimelineQuery(self.fact_agent))
        except MemstationError:
            return
        self.in_thread("count", lambda: read_pages(source).pages.count, self._all_counted, lambda _error: None)

    def _all_counted(self, count: int) -> None:
        self._all = count
        if self.filter_text and not self.main_pane.count:
            self.query_one("#empty", Empty).put(*self.empty_words())
        self.refresh_bars()

    @on(FactList.Counted, "#list")
    def _list_counted(self) -> None:
        if not self.filter_text and self.main_pane.is_whole:
            self._all = self.main_pane.count
        self.query_one("#shell").set_class(self.main_pane.count == 0, "-nothing")
        self._look_for_focus()
        self.call_later(self._settled)

    def _settled(self) -> None:
        self.decided = False

    @on(FactList.Arrived)
    def _arrived(self, event: FactList.Arrived) -> None:
        self._above = event.rows
        self.refresh_bars()

    @on(FactList.Lost, "#list")
    def _fact_lost(self, event: FactList.Lost) -> None:
        """What was decided here is told already."""
        if self.decided:
            event.prevent_default()

    def do_list_order(self) -> None:
        """By when it was learned, or by where it starts; the cursor stays on its fact."""
        row = self.main_pane.selected
        self.order = "start" if self.order == "learned" else "learned"
        self.show_list(None if row is None else row.n)
        self.station.say([(_("Order: "), "muted"), (_(_ORDERS[self.order]), "strong")])

    def can_filter(self) -> bool:
        """Somebody's facts are shown."""
        return super().can_filter() and self.fact_agent is not None

    def do_find_about(self) -> None:
        """Search for what the fact under the cursor is about."""
        row = self.main_pane.selected
        if row is not None and row.subject:
            self.station.open_find(row.agent_id, row.subject)

    # -- whose facts --------------------------------------------------------------------------------------------

    def agent_chosen(self, agent_id: str | None) -> None:
        """Another agent's facts. All agents at once is not a Timeline: the one shown stays."""
        if agent_id is None and self.fact_agent is not None:
            self.station.say([(say("Timeline shows one agent at a time: {agent}", agent=self.fact_agent), "muted")])
        elif agent_id != self.fact_agent:
            self.fact_agent, self._all = agent_id, None
            if self._is_loaded and self.engine is not None:
                self.load()

    def show_agent(self, agent_id: str, filter_text: str, focus_n: int | None) -> None:
        """An agent's facts, filtered, the cursor on one."""
        if agent_id != self.fact_agent:
            self.fact_agent, self._all = agent_id, None
        self.filter_text, self._focus_n = filter_text, focus_n
        self.close_sheet()
        if self._is_loaded:
            self.show_list(focus_n)
        self.refresh_bars()

    def _look_for_focus(self) -> None:
        """The memory asked for may be none of the list: evidence, which is shown with its fact."""
        wanted, self._focus_n = self._focus_n, None
        row = self.main_pane.selected
        if wanted is None or self.engine is None or (row is not None and row.n == wanted):
            return
        self.in_thread("focus", partial(self.engine.reader.fact, wanted), self._focus_found, self.station.fail)

    def _focus_found(self, detail: FactDetail | None) -> None:
        if detail is None or detail.record.agent_id != self.fact_agent:
            self.station.say([(_("That memory is not in this list."), "warning")])
        elif detail.record.asked is None:
            self.station.say([(_("That memory is not among what the filter shows."), "warning")])
        else:
            self.asked = (detail.record.n, detail.record.asked)
            self.main_pane.go_to(detail.record.n)
            self.station.say([*runs(detail.record.asked), (_(" confirms this fact."), "muted")])

    # -- rows ---------------------------------------------------------------------------------------------------

    @property
    def agent_shown(self) -> str | None:
        """Whose facts these are, also while all agents are chosen elsewhere."""
        return self.fact_agent

    def agent_name(self) -> Sequence[Run]:
        """Whose facts these are, also while all agents are chosen elsewhere."""
        return super().agent_name() if self.fact_agent is None else runs(self.fact_agent)

    def what(self) -> tuple[Sequence[Run], Sequence[Run]]:
        """Whose facts, how many, the filter; which moment."""
        if self.fact_agent is None:
            return [(_("Timeline"), "muted")], ()
        left: list[Run] = [*joined(runs(self.fact_agent, "strong"), 24), (Safe("   "), "")]
        if self._all is not None:
            left.append((counted("{n} fact", "{n} facts", self._all), ""))
        elif not self.filter_text:
            left.append((self.total_of("{total} fact", "{total} facts"), ""))
        if self.filter_text:
            left += [(_("   filter "), "muted"), *joined(runs(self.filter_text, "marked"), 40),
                     (Safe(f" ({self.total()})"), "marked"), (_("  escape clears"), "muted")]  # fmt: skip
        return left, [(_("showing: now"), "muted")]

    def place(self) -> Sequence[Run]:
        """Where the cursor is, in which order, and how many came in above what is shown."""
        place = list(super().place())
        if not place:
            return place
        place.append((Safe(f", {_(_ORDERS[self.order])}"), "muted"))
        if self._above and self.main_pane.scroll_offset.y:
            place.append((counted(", {n} new above", ", {n} new above", self._above), "key"))
        return place

    def empty_words(self) -> tuple[Safe, Sequence[Safe], Sequence[tuple[str, Safe]]]:
        """Nothing matches, or nothing was told to this agent."""
        agent = self.fact_agent or ""
        if self.filter_text:
            rest = self._all
            why = () if rest is None else (
                counted("{agent} has {n} fact without this filter.", "{agent} has {n} facts without this filter.", rest,
                        agent=agent),)  # fmt: skip
            return (say("Nothing matches {text}.", text=self.filter_text), why,
                    [("escape", _("clear the filter")), ("/", _("another filter"))])  # fmt: skip
        return (say("{agent} has no memories yet.", agent=agent),
                (_("What agents write and what you tell them stands here, newest first."),),
                [("+", _("tell it a fact")), ("@", _("another agent")), ("1", _("what is new"))])  # fmt: skip

    def _show_no_agent(self) -> None:
        """There is nobody's Timeline to show: say how to begin."""
        self.query_one("#shell").add_class("-nothing")
        self.main_pane.display = False
        empty = self.query_one("#empty", Empty)
        empty.put(
            _("No agent has told anything yet."),
            (_("The facts of an agent stand here, with who told them and what they replaced."),
             _("To begin, leave with ctrl+q and use one of these:")),
            [("memstation demo", _("  look round in a store that is made up")),
             ("memstation restore FILE", _("  bring back an older store")),
             ("memstation add", _("  tell an agent its first fact"))],
        )  # fmt: skip
        empty.display = True
        self.refresh_bars()
