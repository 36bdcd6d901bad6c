"""Find, the links around a hit: a tree that can be walked, from name to name and to the memories. It must not write."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from memstation.domain.errors import MemstationError
from memstation.station.finding import FoundRow, links_around, links_of
from memstation.station.render.cells import Run, runs
from memstation.station.render.links import LinkRow, link_columns, link_notes, link_rows, links_title
from memstation.station.render.safe import safe_line
from memstation.station.render.show import content
from memstation.station.screens.find.searching import Searching
from memstation.station.widgets.bars import Rule
from memstation.station.widgets.columns import Column
from memstation.station.widgets.pages import FixedRows
from memstation.station.widgets.virtual_list import VirtualList
from memstation.station.words import _

if TYPE_CHECKING:
    from memstation.recall.exporting import Near


class Linking(Searching):
    """The pane of the links."""

    _walked: tuple[str, ...] = ()
    """Names that were gone on from, the one whose links are shown last; empty for those of the hit."""
    _notes: Sequence[Run] = ()
    _shown_links = 0
    """Goes up with whatever is shown in the pane."""

    def compose_links(self) -> ComposeResult:
        """Title, tree, what its signs mean."""
        with Vertical(id="links-side"):
            yield Rule(id="links-title")
            yield VirtualList[LinkRow](self._link_columns, titled=False, id="links")
            yield Static(id="links-notes")

    def on_mount(self) -> None:
        """Glyphs."""
        self.links.cursor_glyph = self.station.glyphs.cursor
        self.links.is_quiet = True
        self.query_one("#links-title", Rule).across = self.station.glyphs.across

    def _link_columns(self, width: int) -> Sequence[Column[LinkRow]]:
        return link_columns(width, self.station.glyphs)

    @property
    def links(self) -> VirtualList[LinkRow]:
        """The tree."""
        return self.query_one("#links", VirtualList)

    @property
    def shows_links(self) -> bool:
        """Whether the links have their place on the screen."""
        shell = self.query_one("#shell")
        return not shell.has_class("-no-links") if self.is_wide else shell.has_class("-links")

    @property
    def link(self) -> LinkRow | None:
        """The row under the cursor of the tree; None while another pane has the keys."""
        return self.links.selected if self.focused is self.links else None

    # -- reading ------------------------------------------------------------------------------------------------

    def _ask_detail(self) -> None:
        """Why at once; the links when they are there: in a large store they take longer."""
        super()._ask_detail()
        self._walked = ()
        self.ask_links()

    def ask_links(self) -> None:
        """Read the links of the hit, or of the name that was gone on from."""
        row = self.main_pane.selected
        if row is None or self.engine is None or not self.shows_links:
            return
        call = partial(links_around, self.engine, row)
        if self._walked:
            call = partial(links_of, self.engine, row.record.agent_id, self._walked[-1])
        self.in_thread("links", call, partial(self._put_links, row), self._links_failed)

    def _put_links(self, row: FoundRow, near: Near | None) -> None:
        glyphs = self.station.glyphs
        rows = link_rows(near, row.record.id, glyphs)
        self.query_one("#links-title", Rule).put(*links_title(near))
        self.links.show(FixedRows(rows, key=lambda one: one.key))
        self.links.move(next((place for place, one in enumerate(rows) if one.is_this), 0))
        if not rows and self.focused is self.links:
            self.focus_main()
        # Where the pane has just been shown, how wide it is comes with the next layout.
        self._shown_links += 1
        self.call_after_refresh(self._note, self._shown_links, near)

    def _note(self, shown: int, near: Near | None) -> None:
        if shown != self._shown_links:
            return
        on_key, cells = self.station.services.keymap.of("find.walk")[1:2], self.links.size.width - 4
        self._put_notes(link_notes(near, self.station.glyphs, "".join(on_key), cells, is_past=self.moment is not None))

    def _put_notes(self, notes: Sequence[Run]) -> None:
        """Only other words lay the pane out again."""
        if notes != self._notes:
            self._notes = notes
            self.query_one("#links-notes", Static).update(content(notes))

    def _links_failed(self, error: MemstationError) -> None:
        self._shown_links += 1
        self.query_one("#links-title", Rule).put([(_("cannot be read"), "withdrawn")])
        self.links.show(FixedRows[LinkRow](()))
        self._put_notes([*runs(error.title, "withdrawn"), (safe_line(f"  {error.detail}"), "")])

    def clear_links(self) -> None:
        """There is no row, and so there are no links."""
        self.forget("links")
        self._shown_links += 1
        self.query_one("#links-title", Rule).put(())
        self.links.show(FixedRows[LinkRow](()))
        self._put_notes(())

    @on(VirtualList.Highlighted, "#links")
    def _link_highlighted(self) -> None:
        self.refresh_place()

    # -- walking ------------------------------------------------------------------------------------------------

    def do_find_links(self) -> None:
        """Show or hide the links."""
        self.query_one("#shell").toggle_class("-no-links" if self.is_wide else "-links")
        if not self.shows_links and self.focused is self.links:
            self.focus_main()
        self._ask_detail()

    def do_find_walk(self, step: str) -> None:
        """The links of the name under the cursor, or those from before."""
        if step == "back":
            self.walk_back()
        elif self.link is not None and self.link.name is not None:
            self._walked = (*self._walked, self.link.name)
            self.ask_links()

    def walk_back(self) -> bool:
        """The links from before; whether there were any."""
        if not self._walked:
            return False
        self._walked = self._walked[:-1]
        self.ask_links()
        return True

    def open_link(self, link: LinkRow) -> None:
        """A memory opens; the name at the root, or one with more links than are shown, is searched for."""
        if link.edge is None:
            self.focus_main()
            self.search(link.name or "")
            self.keep_query()
        elif self.find_agent is not None:
            self.open_memory(self.find_agent, link.edge.memory_id, link.edge.n, is_held=link.edge.held)

    def open_memory(self, agent_id: str, memory_id: str, n: int, *, is_held: bool) -> None:
        """What is held opens in Review, where it is decided; everything else in the Timeline."""
        self.keep_query()
        if is_held:
            self.station.open_review(agent_id=agent_id, memory_id=memory_id)
        else:
            self.station.open_timeline(agent_id, "", n)
