"""Find, the search itself: of whom, of when, as whom; what row 2 and an empty list say. It must not count as use."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

from textual import on

from memstation.domain.errors import MemstationError
from memstation.station.dialogs.past import Asked, PastDialog
from memstation.station.finding import AGENTS_OWN, Asking, Finding, FoundRow, Looked
from memstation.station.moments import Moment, Question
from memstation.station.render.cells import Run, runs
from memstation.station.render.hits import agent_columns, hit_columns
from memstation.station.render.provenance import joined
from memstation.station.render.safe import Safe, safe_line
from memstation.station.render.score import left_out_words, typed_words
from memstation.station.render.when import full
from memstation.station.screens.find.querying import Querying
from memstation.station.screens.timeline.showing_past import ask_past
from memstation.station.services import RowSource
from memstation.station.widgets.bars import Bar
from memstation.station.widgets.columns import Column
from memstation.station.widgets.empty import Empty
from memstation.station.widgets.pages import FixedRows
from memstation.station.widgets.virtual_list import VirtualList
from memstation.station.words import _, counted, say


class Searching(Querying):
    """Asks, and takes the answer."""

    find_agent: str | None = None
    moment: Moment | None = None
    """The moment of the past that is searched; None for now."""
    is_as_agent = False
    with_left_out = False
    _asking: Asking | None = None
    """What is asked for; None where there is nothing to search for."""
    _past_kept: tuple[Question, str] = ("1", "")
    _read_error: MemstationError | None = None
    _is_agentless = False

    def columns(self, width: int) -> Sequence[Column[FoundRow]]:
        """Score, what, a bar for each term; or what the agent reads."""
        looked = self.looked
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
            self._asking = None
            return FixedRows[FoundRow](())
        self._asking = Asking(self.find_agent, self.query_text, self.moment, self.is_as_agent, self.with_left_out)
        return Finding(self.engine, self._asking)

    def look(self) -> None:
        """Search, and show the hits from the best."""
        if self.engine is not None:
            self.show_list()

    def show_list(self, find: Hashable | None = None) -> None:
        """Search in a thread, the cursor on the row with this key."""
        source = self.source()
        self.main_pane.show(source, find=find, at_once=self._asking is None)

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
        looked = self.looked
        return self._read_error is None and self._asking != (None if looked is None else looked.asking)

    @property
    def looked(self) -> Looked | None:
        """The answer that is shown."""
        shown = self.main_pane.shown
        return shown.looked if isinstance(shown, Finding) else None

    @on(VirtualList.Counted, "#list")
    def _answered(self) -> None:
        self._read_error = None
        self.query_one("#shell").set_class(self.main_pane.count == 0, "-nothing")
        self._fill_found()

    def _refused(self, error: MemstationError) -> None:
        """It is said in the list's place; a dialog would take the keys from somebody who types."""
        self._read_error = error
        self.query_one("#shell").add_class("-nothing")
        self.put_detail(None, None)

    def _fill_found(self) -> None:
        """How many were found, what was left out."""
        bar, looked = self.query_one("#found", Bar), self.looked
        trace = None if looked is None else looked.result.trace
        if looked is None or trace is None:
            bar.put(())
            return
        words = counted("{n} has a word of it", "{n} have a word of it", trace.found)
        left = left_out_words(trace)
        parts: list[Run] = [(words, "muted")]
        if left:
            parts.append((say("; left out {what}", what=left), "muted"))
        shows = not left or looked.asking.as_agent or self.moment is not None or self.with_left_out
        key: list[Run] = [(Safe(self.key_name("find.left_out")), "key"), (_(" shows"), "muted")]
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

    # -- rows ---------------------------------------------------------------------------------------------------------

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

    def empty_words(self) -> tuple[Safe, Sequence[Safe], Sequence[tuple[str, Safe]]]:
        """Nothing is asked yet, or nothing matches."""
        key = self.key_name("list.filter")
        if self._is_agentless:
            return (_("No agent has told anything yet."), (_("Once one has, its memories are searched here."),),
                    [("1", _("what is new"))])  # fmt: skip
        if not self.query_text:
            why = (_("Any of the words may be there; what stands in double quotes must be, just so."),
                   say("Hits are ranked as for the agent; {key} shows exactly what it would get.",
                       key=self.key_name("find.as_agent")))  # fmt: skip
            keys = [(key, _("type what to look for")), ("up", _("in the field: earlier queries"))]
            return _("Search what an agent knows."), why, [*keys, ("@", _("another agent"))]
        return self._nothing_found(key)

    def _nothing_found(self, key: str) -> tuple[Safe, Sequence[Safe], Sequence[tuple[str, Safe]]]:
        trace = None if self.looked is None else self.looked.result.trace
        if trace is not None and not trace.words:
            return (_("There is no word in it to look for."), (_("Letters and digits of any script are words."),),
                    [(key, _("another query"))])  # fmt: skip
        why: list[Safe] = []
        left = None if trace is None else left_out_words(trace)
        if trace is not None and trace.missing:
            words = ", ".join(map(safe_line, typed_words(self.query_text, trace.missing)[:8]))
            why.append(say("In no memory in use: {words}", words=words))
        keys = [(key, _("another query")), ("@", _("another agent"))]
        if left:
            why.append(say("Left out: {what}", what=left))
            keys.insert(0, (self.key_name("find.left_out"), _("show what was left out")))
        return say("Nothing that {agent} would get matches.", agent=(self.find_agent or "")[:40]), why, keys
