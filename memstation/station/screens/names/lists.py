"""Names, what is shown: three lists and the detail of the row under the cursor. It must not decide."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from textual import on

from memstation.domain.errors import MemstationError
from memstation.domain.names import fold_name
from memstation.read.conflict_rows import AgentNames, NameGroup
from memstation.station.render.cells import Run, runs
from memstation.station.render.names_columns import title_runs
from memstation.station.render.names_detail import detail_rows, detail_title
from memstation.station.render.safe import Safe, safe_line
from memstation.station.screens.names.frame import NamesFrame
from memstation.station.widgets.bars import Rule
from memstation.station.widgets.empty import Empty
from memstation.station.widgets.pages import FixedRows
from memstation.station.widgets.pane import TextPane
from memstation.station.widgets.virtual_list import VirtualList
from memstation.station.words import _, counted, say

SIDE_CELLS = 49
"""Cells of the detail where it stands beside the lists."""


class NamesLists(NamesFrame):
    """The lists of an agent's names."""

    names: AgentNames | None = None
    names_agent: str | None = None
    _error: MemstationError | None = None
    _is_agentless = False
    """Whether it was read, and there is no agent."""
    _is_reading = False
    _is_old = False
    """Whether somebody wrote while it was being read."""

    # -- reading ------------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Find out whose names to show, then show them."""
        self._read()

    def renew(self) -> None:
        """Read again; the lists keep their cursors. One reading at a time: in a large store it takes a second."""
        if self._is_reading:
            self._is_old = True
        else:
            self._read()

    def _read(self) -> None:
        assert self.engine is not None
        self._is_reading, self._is_old = True, False
        reader, wanted = self.engine.reader, self.names_agent or self.station.agent_id

        def read() -> AgentNames | None:
            agent = wanted or reader.named_agent() or next(iter(reader.agents()), None)
            return None if agent is None else reader.names(agent)

        self.in_thread("names", read, self._take, self._failed)

    def _take(self, names: AgentNames | None) -> None:
        self._is_reading = False
        self._show(names)
        if self._is_old:
            self._read()

    def _show(self, names: AgentNames | None) -> None:
        first = self.names is None or names is None or self.names.agent_id != names.agent_id
        self.names, self._error, self._is_agentless = names, None, names is None
        self.names_agent = None if names is None else names.agent_id
        parts: list[FixedRows[Any]] = [
            FixedRows(() if names is None else names.groups, key=group_key),
            FixedRows(() if names is None else names.suggested, key=lambda row: (row.alias, row.canonical)),
            FixedRows(() if names is None else names.conflicts, key=lambda row: row.key),
        ]
        for list_, part in zip(self.lists(), parts, strict=True):
            if first:
                list_.show(part)
            else:
                list_.renew(part)
        self._title_lists()
        self.share_height()
        self.refresh_bars()

    def _failed(self, error: MemstationError) -> None:
        """A failed read looks like one: the old rows stay, and row 2 says that they are old."""
        self._error, self._is_reading = error, False
        self.query_one("#empty", Empty).display = False
        self.query_one("#detail-title", Rule).put([(_("cannot be read"), "withdrawn")])
        self.query_one("#detail", TextPane).put([runs(error.title, "withdrawn"), runs(error.detail)])
        self.station.fail(error)
        self.refresh_bars()

    def _title_lists(self) -> None:
        names = self.names
        suggested = 0 if names is None else len(names.suggested)
        conflicts = 0 if names is None else len(names.conflicts)
        note = say("{a} joins, {d} never again", a=self.key_name("names.accept"), d=self.key_name("names.dismiss"))
        self.query_one("#suggested-title", Rule).put(*title_runs(_("SUGGESTED"), suggested, note))
        note = say("{key} settles", key=self.key_name("item.open"))
        self.query_one("#conflicts-title", Rule).put(*title_runs(_("CONFLICTS"), conflicts, note))

    @on(VirtualList.Counted)
    def _counted(self) -> None:
        if self.names is None and self._error is not None:
            return
        lists = self.lists()
        is_empty = not any(list_.count for list_ in lists)
        empty = self.query_one("#empty", Empty)
        if is_empty and self.engine is not None:
            empty.put(*self.empty_words())
        empty.display = is_empty
        self.query_one("#shell").set_class(is_empty, "-nothing")
        for list_, title in zip(lists, (None, "#suggested-title", "#conflicts-title"), strict=True):
            list_.display = bool(list_.count)
            if title is not None:
                self.query_one(title).display = bool(list_.count)
        self.share_height()
        focused = self.focused
        if focused is None or not focused.display:
            self.main_pane.focus()
        self.put_detail()
        self.refresh_bars()

    # -- the detail ---------------------------------------------------------------------------------------------

    @on(VirtualList.Highlighted)
    def _highlighted(self) -> None:
        self.put_detail()
        self.refresh_place()

    def on_descendant_focus(self) -> None:
        """The detail is that of the list that has the keys."""
        if isinstance(self.focused, VirtualList):
            self._last = self.focused
        for list_ in self.lists():
            list_.relayout()
        self.put_detail()
        self.refresh_bars()

    def put_detail(self) -> None:
        """Show what there is to say of the row under the cursor."""
        row, title = self.selected(), self.query_one("#detail-title", Rule)
        pane = self.query_one("#detail", TextPane)
        if row is None or self.names is None:
            title.put(())
            pane.put(())
            return
        cells = SIDE_CELLS if self.is_wide else self.size.width - 2
        title.put(*detail_title(row))
        pane.put(detail_rows(row, self.names, self.station.now(), self.key_name, cells))

    def on_resize(self) -> None:
        """Share the height anew."""
        self.share_height()
        self.put_detail()
        super().on_resize()

    # -- moving -------------------------------------------------------------------------------------------------

    def do_list_move(self, step: str) -> None:
        """One line; from the end of a list on into the next."""
        pane = self.pane()
        shown = [list_ for list_ in self.lists() if list_.count]
        if isinstance(pane, VirtualList) and pane in shown:
            place = shown.index(pane) + int(step)
            at_end = pane.cursor == (pane.count - 1 if step == "1" else 0)
            if at_end and 0 <= place < len(shown):
                shown[place].ends("first" if step == "1" else "last")
                # At once: a verb that follows must act on the row that the cursor is on now.
                self.set_focus(shown[place])
                return
        super().do_list_move(step)

    # -- whose names --------------------------------------------------------------------------------------------

    def agent_chosen(self, agent_id: str | None) -> None:
        """Another agent's names. Those of all agents at once would be nobody's: the one shown stays."""
        if agent_id is None and self.names_agent is not None:
            self.station.say([(say("Names shows one agent at a time: {agent}", agent=self.names_agent), "muted")])
        elif agent_id is not None:
            self.show_names(agent_id)

    def show_names(self, agent_id: str) -> None:
        """The names of an agent."""
        if agent_id != self.names_agent:
            self.names_agent = agent_id
            if self._is_loaded:
                self._read()

    def agent_name(self) -> Sequence[Run]:
        """Whose names are shown."""
        return runs(self.names_agent) if self.names_agent is not None else super().agent_name()

    @property
    def agent_shown(self) -> str | None:
        """Whose names are shown."""
        return self.names_agent

    # -- rows ---------------------------------------------------------------------------------------------------

    def what(self) -> tuple[Sequence[Run], Sequence[Run]]:
        """``dudu   5 names with others joined, 2 suggested, 3 conflicts``."""
        if self._error is not None:
            return [(_("Cannot be read: "), "withdrawn"), (safe_line(self._error.title), "")], ()
        names = self.names
        if names is None:
            is_reading = self.engine is not None and not self._is_agentless
            return [(_("Reading ..") if is_reading else _("Names"), "muted")], ()
        left: list[Run] = [*runs(names.agent_id, "strong"), (Safe("   "), "")]
        joined, waits, wrong = len(names.groups), len(names.suggested), len(names.conflicts)
        left += [
            (counted("{n} name with others joined", "{n} names with others joined", joined), "" if joined else "muted"),
            (counted(", {n} suggested", ", {n} suggested", waits), "held" if waits else "muted"),
            (counted(", {n} conflict", ", {n} conflicts", wrong), "changed" if wrong else "muted"),
        ]
        if names.is_partial:
            left.append((_(" (too many names to compare all)"), "warning"))
        off = len(names.dismissed)
        return left, [(counted("{n} dismissed", "{n} dismissed", off), "muted")] if off else ()

    def place(self) -> Sequence[Run]:
        """Where the cursor is in its list."""
        list_ = self.current
        if not list_.count:
            return ()
        words = {"groups": _("name"), "suggested": _("suggestion"), "conflicts": _("conflict")}
        return [(say("{what} {n} of {all}", what=words[list_.id or "groups"], n=f"{list_.cursor + 1:,}",
                     all=f"{list_.count:,}"), "muted")]  # fmt: skip

    def empty_words(self) -> tuple[Safe, Sequence[Safe], Sequence[tuple[str, Safe]]]:
        """No name is joined, and nothing is in conflict; or there is nobody yet who has names."""
        if self._is_agentless:
            return (_("No agent has told anything yet."), (_("Once one has, the names that it uses stand here."),),
                    [("1", _("what is new"))])  # fmt: skip
        why = (_("Here stand the names that mean the same, what might, and what disagrees because of it."),
               _("Joining names closes no fact: search and the graph find them together."))  # fmt: skip
        return _("No names are joined."), why, [
            (self.key_name("names.join"), _("join a name")), ("@", _("another agent"))
        ]  # fmt: skip


def group_key(group: NameGroup) -> Hashable:
    """A group is the same one as long as its title is."""
    return fold_name(group.title)
