"""Find: searches as an agent does, says why each hit is one, shows the links around it. It must not write."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical

from memstation.domain.errors import MemstationError
from memstation.station.bindings import room_bindings
from memstation.station.commands import Command
from memstation.station.dialogs.past import Asked, PastDialog
from memstation.station.finding import AGENTS_OWN, Around, Asking, Finding, FoundRow, Looked, look_around
from memstation.station.moments import Moment, Question
from memstation.station.render.cells import Run, runs
from memstation.station.render.hits import agent_columns, hit_columns
from memstation.station.render.links import link_rows, links_title
from memstation.station.render.provenance import joined
from memstation.station.render.safe import Safe, safe_line
from memstation.station.render.score import (
    left_out_words,
    reading_rows,
    reading_title,
    why_rows,
    why_title,
)
from memstation.station.render.when import full
from memstation.station.screens.find.querying import Querying
from memstation.station.screens.timeline.showing_past import ask_past
from memstation.station.services import RowSource
from memstation.station.widgets.bars import Bar, Rule
from memstation.station.widgets.columns import Column
from memstation.station.widgets.empty import Empty
from memstation.station.widgets.pages import FixedRows
from memstation.station.widgets.pane import TextPane
from memstation.station.widgets.virtual_list import VirtualList
from memstation.station.words import _, counted, say


class FindScreen(Querying):
    """The room Find."""

    ROOM = "find"
    SCOPE = "Find"
    BINDINGS: ClassVar[list[BindingType]] = room_bindings("Find")

    find_agent: str | None = None
    moment: Moment | None = None
    """The moment of the past that is searched; None for now."""
    is_as_agent = False
    with_left_out = False
    looked: Looked | None = None
    """The answer that is shown."""
    _finding: Finding | None = None
    """The search that is asked for or shown."""
    _past_kept: tuple[Question, str] = ("1", "")
    _read_error: MemstationError | None = None
    _is_agentless = False

    # -- parts --------------------------------------------------------------------------------------------------

    def compose_body(self) -> ComposeResult:
        """The query; hits with what was found and why; the links."""
        yield from self.compose_query()
        with Container(id="list-and-detail"):
            with Vertical(id="hits-side"):
                with Vertical(id="list-side"):
                    yield VirtualList[FoundRow](self.columns, id="list")
                    yield Empty(id="empty")
                yield Bar(id="found", inset=3)
                with Vertical(id="detail-side"):
                    yield Rule(id="detail-title")
                    yield TextPane(id="detail")
            with Vertical(id="links-side"):
                yield Rule(id="links-title")
                yield TextPane(id="links")

    def on_mount(self) -> None:
        """Glyphs and hint."""
        self.query_one("#links-title", Rule).across = self.station.glyphs.across
        self.fill_hint()

    def columns(self, width: int) -> Sequence[Column[FoundRow]]:
        """Score, what, a bar for each term; or what the agent reads."""
        answered = None if self._finding is None else self._finding.looked
        looked = answered or self.looked
        if looked is not None and looked.asking.as_agent:
            return agent_columns(width, looked.asking.agent_id, self.station.now())
        sense = looked is not None and any(hit.terms.vector is not None for hit in looked.result)
        return hit_columns(width, self.station.glyphs, None if looked is None else looked.weights, sense=sense)

    # -- searching ----------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Find out whose memories to search, then search."""
        assert self.engine is not None
        self.in_thread("agents", self.engine.reader.agents, self._agents_known, self._cannot_read)

    def _agents_known(self, agents: Sequence[str]) -> None:
        wanted = self.find_agent if self.find_agent is not None else self.station.agent_id
        self.find_agent = wanted if wanted is not None else next(iter(agents), None)
        self._is_agentless = self.find_agent is None
        self.look()
        self.refresh_bars()

    def _cannot_read(self, error: MemstationError) -> None:
        self._read_error = error
        self.query_one("#empty", Empty).display = False
        self.station.fail(error)
        self.refresh_bars()

    def source(self) -> RowSource[FoundRow]:
        """The search; an empty list where there is nothing to search for."""
        if self.engine is None or self.find_agent is None or not self.query_text:
            self._finding = None
            return FixedRows[FoundRow](())
        asking = Asking(self.find_agent, self.query_text, self.moment, self.is_as_agent, self.with_left_out)
        self._finding = Finding(self.engine, asking)
        return self._finding

    def look(self) -> None:
        """Search, and show the hits from the best."""
        if self.engine is not None:
            self.show_list()

    def show_list(self, find: Hashable | None = None) -> None:
        """Search in a thread, the cursor on the row with this key."""
        source = self.source()
        self.main_pane.show(source, find=find, at_once=self._finding is None)

    def look_again(self) -> None:
        """The same search otherwise; the cursor stays on its memory."""
        row = self.main_pane.selected
        self.show_list(None if row is None else row.record.id)

    def renew(self) -> None:
        """Search again, and keep the cursor; find the agents again where there were none."""
        if self.find_agent is None:
            self.load()
        else:
            super().renew()

    @property
    def is_looking(self) -> bool:
        """Whether what is shown is not yet the answer to what is asked."""
        shown = None if self.looked is None else self.looked.asking
        return self._finding is not None and self._finding.asking != shown

    @on(VirtualList.Counted, "#list")
    def _answered(self) -> None:
        self._read_error = None
        self.looked = None if self._finding is None else self._finding.looked
        self.query_one("#shell").set_class(self.main_pane.count == 0, "-nothing")
        self.main_pane.relayout()
        self._fill_found()

    def _refused(self, error: MemstationError) -> None:
        """It is said in the list's place; a dialog would take the keys from somebody who types."""
        self._read_error, self.looked = error, None
        self.query_one("#shell").add_class("-nothing")
        self.put_detail(None, None)

    def _fill_found(self) -> None:
        """How many were found, what was left out."""
        bar, trace = self.query_one("#found", Bar), None if self.looked is None else self.looked.result.trace
        if self.looked is None or trace is None:
            bar.put(())
            return
        words = counted("{n} memory has a word of it", "{n} memories have a word of it", trace.found)
        left = left_out_words(trace)
        parts: list[Run] = [(words, "muted")]
        if left:
            parts.append((say("; left out {what}", what=left), "muted"))
        shows = not left or self.looked.asking.as_agent or self.moment is not None or self.with_left_out
        key: list[Run] = [(Safe(self.key_name("find.left_out")), "key"), (_(" shows them"), "muted")]
        bar.put(parts, () if shows else key)

    # -- whose, and when ----------------------------------------------------------------------------------------

    def agent_chosen(self, agent_id: str | None) -> None:
        """Another agent's memories. A search is of one agent: with all chosen, the one shown stays."""
        if agent_id is None and self.find_agent is not None:
            self.station.say([(say("Find searches one agent at a time: {agent}", agent=self.find_agent), "muted")])
        elif agent_id != self.find_agent:
            self.find_agent = agent_id
            if self._is_loaded and self.engine is not None:
                self.load()

    @property
    def agent_shown(self) -> str | None:
        """Whose memories are searched."""
        return self.find_agent

    def agent_name(self) -> Sequence[Run]:
        """Whose memories are searched."""
        return super().agent_name() if self.find_agent is None else runs(self.find_agent)

    def do_past_show(self) -> None:
        """Ask for a moment."""
        if self.engine is None or self.find_agent is None:
            return
        read = partial(ask_past, self.engine.reader, self.find_agent, self.station.now())
        dialog = PastDialog(self.find_agent, read, self._past_kept)
        self.station.push_screen(dialog, partial(self._past_asked, dialog))

    def _past_asked(self, dialog: PastDialog, asked: Asked | None) -> None:
        self._past_kept = dialog.kept
        if asked is not None:
            self.moment, self.with_left_out = asked.moment, False
            self.look_again()
            self.refresh_bars()

    # -- why, links ---------------------------------------------------------------------------------------------

    @property
    def shows_links(self) -> bool:
        """Whether the links have their place on the screen."""
        shell = self.query_one("#shell")
        return not shell.has_class("-no-links") if self.is_wide else shell.has_class("-links")

    def do_item_why(self) -> None:
        """Show or hide why the hit is one; in its place the links may stand."""
        shell = self.query_one("#shell")
        if not self.is_wide and shell.has_class("-links"):
            shell.remove_class("-links", "-no-why")
        else:
            shell.toggle_class("-no-why")

    def do_find_links(self) -> None:
        """Show or hide the links."""
        self.query_one("#shell").toggle_class("-no-links" if self.is_wide else "-links")
        self._ask_detail()

    def do_find_as_agent(self) -> None:
        """Exactly what the agent would get, and back."""
        self.is_as_agent = not self.is_as_agent
        self.look_again()
        self.refresh_bars()

    def do_find_left_out(self) -> None:
        """What has a word of the query and is no hit, and back."""
        self.with_left_out = not self.with_left_out
        self.look_again()
        self.refresh_bars()

    def read_detail(self, row: FoundRow) -> Around:
        """The links around it and the way to it."""
        assert self.engine is not None and self.looked is not None
        return look_around(self.engine, self.looked.asking.agent_id, row, with_links=self.shows_links)

    def put_detail(self, row: FoundRow | None, detail: Around | None) -> None:
        """Why, and the links."""
        super().put_detail(row, detail)
        title, pane = self.query_one("#links-title", Rule), self.query_one("#links", TextPane)
        if row is None or detail is None:
            title.put(())
            pane.put(())
            return
        title.put(*links_title(detail.near))
        cells = max(20, pane.size.width)
        is_past = self.moment is not None
        pane.put(link_rows(detail.near, row.record.id, self.station.glyphs, cells, is_past=is_past))

    def detail_title(self, row: FoundRow, detail: Around | None) -> tuple[Sequence[Run], Sequence[Run]]:
        """What the pane says."""
        if self.looked is not None and self.looked.asking.as_agent and row.hit is not None:
            return reading_title(row, self.looked)
        return why_title(row, self.key_name("item.why"))

    def detail_rows(self, row: FoundRow, detail: Around) -> Sequence[Sequence[Run]]:
        """The terms, the way, what was left out; or what the agent gets."""
        if self.looked is None:
            return ()
        cells, now = max(30, self.detail_pane.size.width), self.station.now()
        if self.looked.asking.as_agent and row.hit is not None:
            return reading_rows(row, now, cells)
        return why_rows(row, detail, self.looked, self.station.glyphs, now, cells)

    # -- verbs --------------------------------------------------------------------------------------------------

    def why_not(self, command: Command) -> str:
        """What needs an agent, a row, or the present."""
        why = super().why_not(command)
        if why:
            return why
        if command.id in ("past.show", "find.as_agent", "find.left_out") and self.find_agent is None:
            return _("there is no agent yet")
        if command.id.startswith("item.") and self.is_looking:
            return _("still searching")
        if command.id == "find.links" and self.main_pane.selected is None:
            return _("there is no row here")
        if command.id == "find.left_out" and self.moment is not None:
            return _("the past shows what held then, and nothing beside it")
        if command.id == "find.left_out" and self.is_as_agent:
            return _("the agent is not told what is left out")
        return ""

    def footer_label(self, command: Command) -> Safe:
        """What is typed here is a query."""
        return _("query") if command.id == "list.filter" else super().footer_label(command)

    def do_item_open(self) -> None:
        """The Timeline at that fact."""
        row = self.main_pane.selected
        if row is not None and self.find_agent is not None:
            self.keep_query()
            self.station.open_timeline(self.find_agent, "", row.record.n)

    def do_item_copy_id(self) -> None:
        """Copy the id."""
        row = self.main_pane.selected
        if row is not None:
            self.station.copy(row.record.id)

    def do_item_copy_text(self) -> None:
        """Copy the text."""
        row = self.main_pane.selected
        if row is not None:
            self.station.copy(safe_line(row.record.content))

    def step_back(self) -> bool:
        """From the field, from the agent's eyes, from what is left out, from the past; then the way here."""
        if super().step_back():
            return True
        if self.is_as_agent:
            self.do_find_as_agent()
        elif self.with_left_out:
            self.do_find_left_out()
        elif self.moment is not None:
            self.moment = None
            self.look_again()
            self.refresh_bars()
        else:
            return False
        return True

    # -- rows ---------------------------------------------------------------------------------------------------

    def what(self) -> tuple[Sequence[Run], Sequence[Run]]:
        """``dudu   5 hits   now``; as whom, of when; that looking is no use."""
        if self._read_error is not None:
            return [(_("Cannot be read: "), "withdrawn"), (safe_line(self._read_error.title), "")], ()
        if self.find_agent is None:
            return [(_("Find"), "muted")], ()
        left: list[Run] = [*joined(runs(self.find_agent, "strong"), 24), (Safe("   "), "")]
        if self.is_looking:
            left.append((_("searching .."), "muted"))
        elif self.looked is not None:
            left.append((counted("{n} hit", "{n} hits", self.looked.hits), ""))
        if self.is_as_agent:
            most = counted("   as the agent gets it, {n} at most", "   as the agent gets it, {n} at most", AGENTS_OWN)
            left.append((most, "marked"))
        elif self.with_left_out:
            left.append((_("   with what is left out"), "held"))
        if self.moment is not None:
            left.append((say("   as of {day}", day=full(self.moment.day)), "past"))
            return left, ()
        return left, [(_("not counted as use"), "muted")]

    def place(self) -> Sequence[Run]:
        """Which hit."""
        place = super().place()
        return [(_("hit "), "muted"), *place] if place else place

    def empty_words(self) -> tuple[Safe, Sequence[Safe], Sequence[tuple[str, Safe]]]:
        """Nothing is asked yet, or nothing matches."""
        key = self.key_name("list.filter")
        if self._is_agentless:
            return (_("No agent has told anything yet."), (_("Once one has, its memories are searched here."),),
                    [("1", _("what is new"))])  # fmt: skip
        if not self.query_text:
            why = (_("Any of the words may be there; what stands in double quotes must be, just so."),
                   _("The hits are those that the agent would get, each with how its score came about."))  # fmt: skip
            keys = [(key, _("type what to look for")), ("up", _("in the field: earlier queries"))]
            return _("Search what an agent knows."), why, [*keys, ("@", _("another agent"))]
        return self._nothing_found(key)

    def _nothing_found(self, key: str) -> tuple[Safe, Sequence[Safe], Sequence[tuple[str, Safe]]]:
        trace = None if self._finding is None or self._finding.looked is None else self._finding.looked.result.trace
        if trace is not None and not trace.words:
            return (_("There is no word in it to look for."), (_("Letters and digits of any script are words."),),
                    [(key, _("another query"))])  # fmt: skip
        why: list[Safe] = []
        left = None if trace is None else left_out_words(trace)
        if trace is not None and trace.missing:
            why.append(say("In no memory in use: {words}", words=", ".join(map(safe_line, trace.missing[:8]))))
        keys = [(key, _("another query")), ("@", _("another agent"))]
        if left:
            why.append(say("Left out: {what}", what=left))
            keys.insert(0, (self.key_name("find.left_out"), _("show what was left out")))
        return say("Nothing that {agent} would get matches.", agent=(self.find_agent or "")[:40]), why, keys
