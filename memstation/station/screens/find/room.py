"""Find: searches as an agent does, says why each hit is one, shows the links around it. It must not write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical

from memstation.station.bindings import room_bindings
from memstation.station.commands import Command
from memstation.station.finding import FoundRow, Steps, steps_to
from memstation.station.render.cells import Run
from memstation.station.render.safe import Safe, safe_line
from memstation.station.render.score import (
    reading_rows,
    reading_title,
    why_rows,
    why_title,
)
from memstation.station.screens.find.linking import Linking
from memstation.station.widgets.bars import Bar, Rule
from memstation.station.widgets.empty import Empty
from memstation.station.widgets.pane import TextPane
from memstation.station.widgets.virtual_list import VirtualList
from memstation.station.words import _


class FindScreen(Linking):
    """The room Find."""

    ROOM = "find"
    SCOPE = "Find"
    BINDINGS: ClassVar[list[BindingType]] = room_bindings("Find")

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
            yield from self.compose_links()

    def on_mount(self) -> None:
        """The row of the query."""
        self.field.value = self.query_text
        self.fill_hint()

    # -- why, links ---------------------------------------------------------------------------------------------

    def do_item_why(self) -> None:
        """Show or hide why the hit is one; in its place the links may stand."""
        shell = self.query_one("#shell")
        if not self.is_wide and shell.has_class("-links"):
            shell.remove_class("-links", "-no-why")
        else:
            shell.toggle_class("-no-why")

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

    def read_detail(self, row: FoundRow) -> Steps:
        """The way to it."""
        assert self.engine is not None
        return steps_to(self.engine, row)

    def put_detail(self, row: FoundRow | None, detail: Steps | None) -> None:
        """Why; without a row there are no links either."""
        super().put_detail(row, detail)
        if row is None:
            self.clear_links()

    def detail_title(self, row: FoundRow, detail: Steps | None) -> tuple[Sequence[Run], Sequence[Run]]:
        """What the pane says."""
        if self.looked is not None and self.looked.asking.as_agent and row.hit is not None:
            return reading_title(row, self.looked)
        return why_title(row, self.key_name("item.why"))

    def detail_rows(self, row: FoundRow, detail: Steps) -> Sequence[Sequence[Run]]:
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
        if command.id.startswith("item.") and self._read_error is not None:
            return _("it cannot be read")
        if command.id.startswith("item.") and self.is_looking:
            return _("still searching")
        if command.id == "find.links" and self.main_pane.selected is None:
            return _("there is no row here")
        if command.id == "find.walk" and self.link is None:
            return _("tab goes to the links") if self.shows_links else _("the links are not shown")
        if command.id == "find.left_out" and self.moment is not None:
            return _("the past shows what held then, and nothing beside it")
        if command.id == "find.left_out" and self.is_as_agent:
            return _("the agent is not told what is left out")
        return ""

    def footer_label(self, command: Command) -> Safe:
        """What is typed here is a query; what enter does depends on the row."""
        if command.id == "list.filter":
            return _("query")
        if command.id != "item.open":
            return super().footer_label(command)
        link, row = self.link, self.main_pane.selected
        if link is not None and link.edge is None:
            return _("search for it")
        is_held = link.edge.held if link is not None and link.edge is not None else row and row.state == "held"
        return _("review") if is_held else super().footer_label(command)

    def do_item_open(self) -> None:
        """The Timeline at that fact, Review at what is held; a name is searched for."""
        row, link = self.main_pane.selected, self.link
        if link is not None:
            self.open_link(link)
        elif row is not None:
            record = row.record
            self.open_memory(record.agent_id, record.id, record.n, is_held=row.state == "held")

    @on(VirtualList.Opened, "#links")
    def _link_opened(self) -> None:
        self.do_item_open()

    def do_item_copy_id(self) -> None:
        """Copy the id; of a name the name."""
        row, link = self.main_pane.selected, self.link
        if link is not None:
            self.station.copy(link.id)
        elif row is not None:
            self.station.copy(row.record.id)

    def do_item_copy_text(self) -> None:
        """Copy the text."""
        row, link = self.main_pane.selected, self.link
        if link is not None:
            self.station.copy(link.text)
        elif row is not None:
            self.station.copy(safe_line(row.record.content))

    def show_found(self, agent_id: str, query: str) -> None:
        """What an agent's memories say of something; from another room."""
        self.query_text, self.moment, self.is_as_agent, self.with_left_out = query, None, False, False
        self.find_agent = agent_id
        if self._is_loaded:
            self.field.value = query
            self.load()
            self.keep_query()

    def on_resize(self) -> None:
        """The links come beside the hits, or go."""
        super().on_resize()
        if self.is_mounted and self.engine is not None:
            self._ask_detail()

    def step_back(self) -> bool:
        """From field or pane, from the agent's eyes, from what is left out, from the past; then the way here."""
        if super().step_back():
            return True
        if self.focused is self.links:
            if not self.walk_back():
                self.focus_main()
        elif isinstance(self.focused, TextPane):
            self.focus_main()
        elif self.is_as_agent:
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

    def place(self) -> Sequence[Run]:
        """Which hit."""
        place = super().place()
        word = _("row ") if self.with_left_out and not self.is_as_agent else _("hit ")
        return [(word, "muted"), *place] if place else place
