"""Today: what needs the operator, the agents, what changed since the last visit. It writes the state file only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widget import Widget

from memstation.domain.errors import MemstationError
from memstation.read.rows import AgentRow, ChangeRow, Overview
from memstation.station.bindings import room_bindings
from memstation.station.commands import Command
from memstation.station.own import Own, find_own
from memstation.station.render.cells import Run, runs
from memstation.station.render.facts import about, short_origin
from memstation.station.render.glyphs import done_sign
from memstation.station.render.log_words import did, summary_runs, who
from memstation.station.render.needs import Need, gate_runs, needs_of
from memstation.station.render.safe import Safe, safe_line
from memstation.station.render.spark import sparkline
from memstation.station.render.when import lately, spoken
from memstation.station.rooms import room
from memstation.station.screens.base import RoomScreen
from memstation.station.widgets.bars import Bar, Rule
from memstation.station.widgets.columns import Column
from memstation.station.widgets.empty import Empty
from memstation.station.widgets.pages import FixedRows
from memstation.station.widgets.virtual_list import VirtualList
from memstation.station.words import _, counted, say


class TodayScreen(RoomScreen):
    """The room Today."""

    ROOM = "today"
    SCOPE = "Today"
    BINDINGS: ClassVar[list[BindingType]] = room_bindings("Today")

    _overview: Overview | None = None
    _error: MemstationError | None = None

    # -- parts --------------------------------------------------------------------------------------------------

    def compose_body(self) -> ComposeResult:
        """Three lists, one below the other."""
        with Vertical(id="today"):
            yield VirtualList[Need](self._need_columns, id="needs")
            yield VirtualList[AgentRow](self._agent_columns, id="agents")
            yield Bar(id="gate")
            yield Rule(id="changes-title")
            yield VirtualList[ChangeRow](self._change_columns, titled=False, id="changes")
        yield Empty(id="empty")

    def on_mount(self) -> None:
        """Glyphs, and the keys to the first list."""
        for list_ in self._lists():
            list_.cursor_glyph = self.station.glyphs.cursor
            list_.is_quiet = True
        self.query_one("#changes-title", Rule).across = self.station.glyphs.across
        self.query_one("#today").display = False
        self.main_pane.focus()

    def _lists(self) -> list[VirtualList[Any]]:
        return [self.main_pane, self.query_one("#agents", VirtualList), self.query_one("#changes", VirtualList)]

    @property
    def main_pane(self) -> VirtualList[Need]:
        """What needs the operator."""
        return self.query_one("#needs", VirtualList)

    def _need_columns(self, width: int) -> Sequence[Column[Need]]:
        return [
            Column(_("STATE"), 11, lambda need: need.state),
            Column(
                _("NEEDS YOU NOW"), 20, lambda need: (*need.text, *need.more) if width >= 100 else need.text, flex=1
            ),
            Column(_("WHEN"), 14, lambda need: [need.when], right=True, rank=1),
        ]

    def _agent_columns(self, width: int) -> Sequence[Column[AgentRow]]:
        now, glyphs = self.station.now(), self.station.glyphs
        return [
            Column(_("AGENT"), 11 if width < 100 else 24, lambda row: runs(row.agent_id), flex=int(width < 100)),
            Column(_("facts"), 7, lambda row: [(Safe(f"{row.facts:,}"), "")], right=True),
            Column(_("new"), 6, lambda row: [_number(row.new, "added")], right=True),
            Column(_("changed"), 7, lambda row: [_number(row.changed, "changed")], right=True, rank=2),
            Column(_("held"), 5, lambda row: [_number(row.held, "held")], right=True),
            Column(_("dropped"), 7, lambda row: [_number(row.dropped, "withdrawn")], right=True, rank=2),
            Column(_("last write"), 10, lambda row: [
                (lately(row.last_write, now) if row.last_write else _("never"), "muted")], rank=1),
            Column(_("writes, 14 days"), 15, lambda row: [(sparkline(row.days, glyphs), "key")], rank=3,
                   flex=int(width >= 100)),
        ]  # fmt: skip

    def _change_columns(self, width: int) -> Sequence[Column[ChangeRow]]:
        now, glyphs = self.station.now(), self.station.glyphs

        def state(row: ChangeRow) -> list[Run]:
            sign = done_sign(glyphs, row.done, row.fact.state, row.fact.tainted)
            return [(Safe(str(sign)), sign.role)]

        return [
            Column(Safe(""), 9, lambda row: [(lately(row.at, now), "muted")]),
            Column(Safe(""), 8, lambda row: runs(row.agent_id)),
            Column(Safe(""), 11, state),
            Column(Safe(""), 20, _said, flex=1),
            Column(Safe(""), 13 if width < 100 else 24,
                   lambda row: runs(short_origin(row.fact.origin), "muted") or [(who(row.actor), "muted")], rank=1),
        ]  # fmt: skip

    # -- reading ------------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Read the overview."""
        assert self.engine is not None
        visit = self.station.services.state.visit(self.engine.uuid)
        reader, actor = self.engine.reader, self.station.station_actor()

        def read() -> tuple[Overview, Own]:
            return reader.overview(visit.seen, actor), find_own(reader, actor)

        self.in_thread("overview", read, self._take, self._fail)

    def renew(self) -> None:
        """Read it again; the lists keep their cursors."""
        self.load()

    def _take(self, read: tuple[Overview, Own]) -> None:
        is_first = self._overview is None
        (self._overview, self.station.own), self._error = read, None
        overview = self._overview
        empty = not overview.agents and overview.head is None
        self.query_one("#today").display = not empty
        words = self.query_one("#empty", Empty)
        words.display = empty
        if empty:
            words.put(_("Nothing is remembered in this file yet."),
                      (_("Here stands what needs you, what each agent knows, and what changed since your last visit."),
                       _("It fills when an agent writes, or when you bring memories in: memstation restore --help.")),
                      [(":", _("all commands")), ("?", _("keys"))])  # fmt: skip
        needs = needs_of(overview, self.station.glyphs, self.station.now())
        sources: list[FixedRows[Any]] = [
            FixedRows(needs, key=lambda need: need.key),
            FixedRows(overview.agents, key=lambda row: row.agent_id),
            FixedRows(overview.changes, key=lambda row: (row.seq, row.fact.n)),
        ]
        for list_, source in zip(self._lists(), sources, strict=True):
            if is_first:
                list_.show(source)
            else:
                list_.renew(source)
        self._share_height()
        self._tell_gate(overview)
        self._title_changes(overview)
        self.refresh_bars()

    def _fail(self, error: MemstationError) -> None:
        """A failed read looks like one: the old rows stay, and row 2 says that they are old."""
        self._error = error
        self.station.fail(error)
        self.refresh_bars()

    def _share_height(self) -> None:
        """Each list gets what it needs: what needs the operator most of all, the last one the rest."""
        if self._overview is None:
            return
        height = max(9, self.query_one("#body", Widget).size.height)
        needs, agents, _changes = self._lists()
        rows = height - 6
        wanted = len(needs_of(self._overview, self.station.glyphs, self.station.now()))
        needs.styles.height = 1 + min(max(3, rows * 3 // 7), max(1, wanted))
        agents.styles.height = 1 + min(max(3, rows // 3), max(1, len(self._overview.agents)))

    def on_resize(self) -> None:
        """Share the height anew."""
        self._share_height()

    def _tell_gate(self, overview: Overview) -> None:
        self.query_one("#gate", Bar).put([(_("GATE"), "muted"), (Safe("  "), ""), *gate_runs(overview.gate)])

    def _title_changes(self, overview: Overview) -> None:
        title: Safe = _("WHAT CHANGED WHILE YOU WERE AWAY") if overview.since else _("WHAT CHANGED LAST")
        if not overview.changes:
            title = _("NOTHING CHANGED WHILE YOU WERE AWAY")
        last = self.station.own.last
        mine: list[Run] = []
        if last is not None:
            mine = [(_("Your last: "), "muted"), (did(last), ""), (Safe(" "), ""),
                    *summary_runs(last)[:1], (Safe(f", #{last.seq}"), "muted")]  # fmt: skip
        self.query_one("#changes-title", Rule).put([(title, "muted")], mine)

    # -- rows ---------------------------------------------------------------------------------------------------

    def what(self) -> tuple[Sequence[Run], Sequence[Run]]:
        """Since when, and how much."""
        if self._error is not None:
            return [(_("Cannot be read: "), "withdrawn"), (safe_line(self._error.title), "")], ()
        overview = self._overview
        if overview is None:
            return ([(_("Reading .."), "muted")] if self.engine is not None else []), ()
        now = self.station.now()
        since = (
            say("Since your last visit, {when}: ", when=spoken(overview.since, now))
            if overview.since
            else _("Your first visit: ")
        )
        return [
            (since, "muted"),
            (counted("{n} new", "{n} new", overview.new), "strong" if overview.new else "muted"), (Safe(", "), "muted"),
            (counted("{n} changed", "{n} changed", overview.changed), "strong" if overview.changed else "muted"),
            (Safe(", "), "muted"),
            (counted("{n} held", "{n} held", overview.held_count), "held" if overview.held_count else "muted"),
            (Safe(", "), "muted"),
            (counted("{n} dropped", "{n} dropped", overview.dropped), "withdrawn" if overview.dropped else "muted"),
        ], ()  # fmt: skip

    # -- verbs --------------------------------------------------------------------------------------------------

    def why_not(self, command: Command) -> str:
        """Some rows lead nowhere."""
        why = super().why_not(command)
        if not why and command.id == "item.open" and self._review_filter() is None and not self._target():
            return _("this row leads nowhere")
        return why

    def _target(self) -> tuple[str, str, int | None] | None:
        """Agent, filter and fact that the row under the cursor leads to."""
        list_ = self.pane()
        row = list_.selected if isinstance(list_, VirtualList) else None
        if isinstance(row, Need):
            return (row.agent_id, row.filter_text, row.focus_n) if row.agent_id is not None else None
        if isinstance(row, AgentRow):
            return row.agent_id, "", None
        if isinstance(row, ChangeRow):
            return row.agent_id, "", row.fact.n
        return None

    def _review_filter(self) -> str | None:
        """The filter of Review to which the row under the cursor leads; None where it leads elsewhere."""
        row = self._row()
        return row.review_filter if isinstance(row, Need) and room("review") is not None else None

    def do_item_open(self) -> None:
        """What is held in Review; the agent, filter and fact of any other row in the Timeline."""
        row, held = self._row(), self._review_filter()
        if isinstance(row, Need) and row.names_of is not None and room("names") is not None:
            self.station.open_names(row.names_of)
            return
        if held is not None:
            self.station.open_review(held)
            return
        need = self._row()
        if isinstance(need, Need) and need.source is not None and room("sources") is not None:
            self.station.open_sources(need.source)
            return
        target = self._target()
        if target is not None:
            agent_id, filter_text, focus_n = target
            self.station.open_timeline(agent_id, filter_text, focus_n)

    @on(VirtualList.Opened)
    def _opened(self) -> None:
        self.do_item_open()

    @on(VirtualList.Highlighted)
    def _highlighted(self) -> None:
        self.refresh_bars()

    def on_descendant_focus(self) -> None:
        """What enter does depends on the list that has the keys."""
        self.refresh_bars()

    def do_item_copy_id(self) -> None:
        """Copy the id of the fact, or the agent's name."""
        row = self._row()
        if isinstance(row, ChangeRow):
            self.station.copy(row.fact.id)
        elif isinstance(row, AgentRow):
            self.station.copy(row.agent_id)

    def do_item_copy_text(self) -> None:
        """Copy the row as it is shown."""
        row = self._row()
        if isinstance(row, ChangeRow):
            self.station.copy(f"{safe_line(about(row.fact))}: {safe_line(row.fact.value)}")
        elif isinstance(row, Need):
            self.station.copy("".join(text for text, _role in (*row.text, *row.more)))

    def _row(self) -> object:
        list_ = self.pane()
        return list_.selected if isinstance(list_, VirtualList) else None

    def do_today_seen(self) -> None:
        """What changed until now is not new any more."""
        self.station.remember(seen=self.station.now())
        self.station.say([(_("Marked as seen."), "")])
        self.load()


def _number(count: int, role: str) -> Run:
    return Safe(f"{count:,}"), role if count else "muted"


def _said(row: ChangeRow) -> list[Run]:
    return [*runs(about(row.fact), "muted"), (Safe("  "), ""), *runs(row.fact.value)]
