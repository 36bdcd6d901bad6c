"""The list: any length at the cost of a screen, and a cursor that stays on its row whatever comes or goes."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, ClassVar

from memstation.domain.errors import MemstationError
from memstation.read.rows import PAGE
from memstation.station.render.safe import Safe
from memstation.station.widgets.columns import Column, shared_widths
from memstation.station.widgets.pages import KEPT, FixedRows, Pages, read_pages
from memstation.station.widgets.virtual_list import VirtualList
from rich.style import Style
from textual.app import App, ComposeResult

from station.fakes import ListSource
from station.pilots import settle


def number(row: int) -> int:
    return row


def column(width: int, flex: int = 0, rank: int = 0) -> Column[int]:
    return Column(Safe("N"), width, lambda row: [(Safe(str(row)), "")], flex=flex, rank=rank)


class Lists(App[None]):
    """One list."""

    painted_styles: ClassVar[dict[str, Style]] = defaultdict(Style)

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def compose(self) -> ComposeResult:
        yield VirtualList[int](lambda _width: [column(8)], id="list")

    @property
    def list(self) -> VirtualList[int]:
        return self.query_one(VirtualList)

    def on_virtual_list_lost(self) -> None:
        self.seen.append("lost")

    def on_virtual_list_failed(self) -> None:
        self.seen.append("failed")


def rows_on_screen(app: Lists) -> list[str]:
    return [strip.text.strip() for strip in app.screen._compositor.render_strips()][1:]


async def test_first_page_is_there_at_once_and_the_end_when_it_is_known() -> None:
    app = Lists()
    async with app.run_test(size=(40, 11)) as pilot:
        app.list.show(ListSource(range(1000), number, delay=0.2))
        assert (app.list.count, app.list.is_whole) == (PAGE, False)
        app.list.ends("last")
        await settle(pilot)
        assert (app.list.count, app.list.is_whole, app.list.selected) == (1000, True, 999)
        assert rows_on_screen(app)[-1].endswith("999")


async def test_a_million_rows_keep_few_pages() -> None:
    class Million(ListSource):
        def __init__(self) -> None:
            super().__init__([], number)

        def head(self) -> list[Any]:
            return list(range(PAGE))

        def anchors(self) -> Any:
            return type("Anchors", (), {"count": 1_000_000, "keys": tuple(range(0, 1_000_000, PAGE))})

        def page(self, key: int) -> list[Any]:
            return list(range(key, key + PAGE))

    app = Lists()
    async with app.run_test(size=(40, 11)) as pilot:
        app.list.show(Million())
        await settle(pilot)
        for place in range(0, 1_000_000, 7919):
            app.list.move(place - app.list.cursor)
            assert app.list.selected == place
        assert app.list._pages is not None and len(app.list._pages._pages) <= KEPT
        await pilot.pause()
        assert rows_on_screen(app)[-1].endswith(str(app.list.cursor))


async def test_the_cursor_follows_its_row_when_rows_come_above() -> None:
    app = Lists()
    async with app.run_test(size=(40, 11)) as pilot:
        app.list.show(ListSource(range(100, 600), number))
        await settle(pilot)
        app.list.move(50)
        await pilot.pause()
        line = rows_on_screen(app).index(f">  {150}")
        app.list.renew(ListSource(range(90, 600), number))
        await settle(pilot)
        assert (app.list.selected, app.list.cursor) == (150, 60)
        assert rows_on_screen(app).index(f">  {150}") == line, "and stays on its line of the screen"
        assert app.seen == []


async def test_at_the_top_what_is_new_comes_into_sight() -> None:
    app = Lists()
    async with app.run_test(size=(40, 11)) as pilot:
        app.list.show(ListSource(range(100, 130), number))
        await settle(pilot)
        app.list.renew(ListSource(range(98, 130), number))
        await settle(pilot)
        assert app.list.selected == 100
        assert rows_on_screen(app)[0] == "98"


async def test_a_row_that_is_gone_is_told_and_the_cursor_stays_near() -> None:
    app = Lists()
    async with app.run_test(size=(40, 11)) as pilot:
        app.list.show(ListSource(range(30), number))
        await settle(pilot)
        app.list.move(10)
        app.list.renew(ListSource([row for row in range(30) if row != 10], number))
        await settle(pilot)
        assert (app.seen, app.list.selected) == (["lost"], 11)
        app.list.renew(ListSource([], number))
        await settle(pilot)
        assert (app.list.count, app.list.selected) == (0, None)


async def test_a_failed_read_is_no_empty_list() -> None:
    app = Lists()
    async with app.run_test(size=(60, 11)) as pilot:
        source = ListSource(range(1000), number)
        app.list.show(source)
        await settle(pilot)
        source.error = MemstationError("The disk is gone", "input/output error")
        app.list.move(700)
        await settle(pilot)
        assert app.seen == ["failed"]
        assert "This list cannot be read." in rows_on_screen(app)[0]
        source.error = None
        app.list.renew(source)
        await settle(pilot)
        assert app.list.error is None and app.list.count == 1000


async def test_a_late_answer_is_dropped() -> None:
    app = Lists()
    async with app.run_test(size=(40, 11)) as pilot:
        app.list.show(ListSource(range(1000), number, delay=0.3))
        app.list.show(ListSource(range(5000, 5300), number))
        await settle(pilot)
        assert (app.list.count, app.list.selected) == (300, 5000)


async def test_find_puts_the_cursor_on_a_row_far_away() -> None:
    app = Lists()
    async with app.run_test(size=(40, 11)) as pilot:
        app.list.show(ListSource(range(1000), number), find=777)
        await settle(pilot)
        assert app.list.selected == 777
        app.list.go_to(3)
        await settle(pilot)
        assert app.list.selected == 3
        app.list.go_to(-1)
        await settle(pilot)
        assert app.list.selected == 3


async def test_mouse_moves_the_cursor_and_opens() -> None:
    app = Lists()
    opened: list[Any] = []
    async with app.run_test(size=(40, 11)) as pilot:
        app.on_virtual_list_opened = lambda event: opened.append(event.list.selected)  # type: ignore[attr-defined]
        app.list.show(ListSource(range(100), number))
        await settle(pilot)
        await pilot.click(VirtualList, offset=(5, 4))
        assert app.list.selected == 3
        await pilot.click(VirtualList, offset=(5, 0))
        assert app.list.selected == 3, "the titles are no row"
        await pilot._post_mouse_events([__import__("textual.events", fromlist=["x"]).MouseScrollDown], VirtualList)
        assert app.list.selected == 6, "the wheel takes the cursor along"


def test_pages_read_only_what_is_looked_at() -> None:
    source = ListSource(range(2000), number)
    pages: Pages[int] = read_pages(source).pages
    assert [pages.row(place) for place in (0, 199, 1999, 2000, -1)] == [0, 199, 1999, None, None]
    assert source.pages_read == 1


def test_fixed_rows_are_a_source() -> None:
    rows = FixedRows(range(500), key=number)
    pages: Pages[int] = read_pages(rows).pages
    assert (pages.count, pages.row(499), rows.index_of(500)) == (500, 499, None)


def test_widths_fill_the_line_and_the_least_important_goes_first() -> None:
    columns = [column(10), column(10, flex=1), column(10, flex=3), column(20, rank=1)]
    assert shared_widths(columns, 80) == [10, 16, 31, 20]
    assert sum(shared_widths(columns, 80)) + 3 == 80
    assert shared_widths(columns, 40) == [10, 12, 16, 0]
    assert shared_widths([column(10)], 4) == [4]


async def test_a_list_with_the_focus_leaves_the_keys_to_its_screen() -> None:
    """The arrows that a scroll view binds would move the rows under a cursor that stays."""
    app = Lists()
    async with app.run_test(size=(40, 11)) as pilot:
        app.list.show(ListSource(range(1000), number))
        app.list.focus()
        await settle(pilot)
        before = rows_on_screen(app)
        await pilot.press("down", "down", "pagedown", "end")
        await settle(pilot)
        assert rows_on_screen(app) == before
        app.list.move(1)
        await settle(pilot)
        assert app.list.cursor == 1
