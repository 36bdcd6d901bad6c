"""Find: searches as an agent does, says why each hit is one, shows the links around it. It must not write."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical

from memstation.domain.errors import MemstationError
from memstation.station.bindings import room_bindings
from memstation.station.commands import Command
from memstation.station.finding import FoundRow, Steps, links_around, steps_to
from memstation.station.render.cells import Run, runs
from memstation.station.render.links import link_rows, links_title
from memstation.station.render.safe import Safe, safe_line
from memstation.station.render.score import (
    reading_rows,
    reading_title,
    why_rows,
    why_title,
)
from memstation.station.screens.find.searching import Searching
from memstation.station.widgets.bars import Bar, Rule
from memstation.station.widgets.empty import Empty
from memstation.station.widgets.pane import TextPane
from memstation.station.widgets.virtual_list import VirtualList
from memstation.station.words import _

if TYPE_CHECKING:
    from memstation.recall.exporting import Near


class FindScreen(Searching):
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
            with Vertical(id="links-side"):
                yield Rule(id="links-title")
                yield TextPane(id="links")

    def on_mount(self) -> None:
        """Glyphs and hint."""
        self.query_one("#links-title", Rule).across = self.station.glyphs.across
        self.fill_hint()

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
        if not self.shows_links and self.focused is self.query_one("#links"):
            self.focus_main()
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

    def _ask_detail(self) -> None:
        """Why at once; the links when they are there: in a large store they take longer."""
        super()._ask_detail()
        row = self.main_pane.selected
        if row is not None and self.engine is not None and self.shows_links:
            self.in_thread(
                "links", partial(links_around, self.engine, row), partial(self._put_links, row), self._links_failed
            )  # fmt: skip

    def read_detail(self, row: FoundRow) -> Steps:
        """The way to it."""
        assert self.engine is not None
        return steps_to(self.engine, row)

    def put_detail(self, row: FoundRow | None, detail: Steps | None) -> None:
        """Why; without a row there are no links either."""
        super().put_detail(row, detail)
        if row is None:
            self.forget("links")
            self.query_one("#links-title", Rule).put(())
            self.query_one("#links", TextPane).put(())

    def _put_links(self, row: FoundRow, near: Near | None) -> None:
        pane, is_past = self.query_one("#links", TextPane), self.moment is not None
        self.query_one("#links-title", Rule).put(*links_title(near))
        cells = max(20, pane.size.width)
        pane.put(link_rows(near, row.record.id, self.station.glyphs, cells, is_past=is_past))

    def _links_failed(self, error: MemstationError) -> None:
        self.query_one("#links-title", Rule).put([(_("cannot be read"), "withdrawn")])
        self.query_one("#links", TextPane).put([runs(error.title, "withdrawn"), runs(error.detail)])

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
        if row is not None:
            self.keep_query()
            self.station.open_timeline(row.record.agent_id, "", row.record.n)

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

    def on_resize(self) -> None:
        """The links come beside the hits, or go; they are cut to their width."""
        super().on_resize()
        if self.is_mounted and self.engine is not None:
            self._ask_detail()

    def step_back(self) -> bool:
        """From field or pane, from the agent's eyes, from what is left out, from the past; then the way here."""
        if super().step_back():
            return True
        if isinstance(self.focused, TextPane):
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
