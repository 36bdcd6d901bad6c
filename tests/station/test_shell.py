"""The shell: opening, rooms and the way back, palette, help, agents, size, colours, keys of one's own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from memstation.config.problems import Problem
from memstation.config.settings import Settings
from memstation.domain.errors import StoreUnusable
from memstation.station.app import StationApp
from memstation.station.dialogs.help import HelpDialog
from memstation.station.dialogs.notice import CannotOpenDialog, NoticeDialog
from memstation.station.dialogs.palette import PaletteDialog
from memstation.station.dialogs.pick import PickDialog

from station.fakes import NOW, FakeEngine, entry
from station.pilots import press, resize, screen_text, settle

Make = Callable[..., StationApp]


async def test_something_is_painted_before_the_store_is_open(make_station: Make) -> None:
    go = threading.Event()

    def slowly() -> FakeEngine:
        go.wait(5)
        return FakeEngine()

    app = make_station(open_engine=slowly)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        shown = screen_text(app)
        assert "1>Today" in shown and "Opening agents.db .." in shown
        await pilot.press("u")
        await pilot.pause()
        assert "the file is not open yet" in screen_text(app)
        go.set()
        await settle(pilot)
        assert "61 new" in screen_text(app)


async def test_a_file_that_cannot_be_opened_is_told(make_station: Make) -> None:
    def refuse() -> FakeEngine:
        raise StoreUnusable("It is newer than this program", "/home/ops/agents.db: file 7, program 6", "upgrade")

    app = make_station(open_engine=refuse)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, CannotOpenDialog)
        shown = screen_text(app)
        assert "This file cannot be opened" in shown and "file 7, program 6" in shown and "Do    upgrade" in shown
        await press(pilot, "escape")
    assert app.return_code == 1


async def test_a_fault_of_ours_is_told_in_words_too(make_station: Make) -> None:
    def crash() -> FakeEngine:
        raise ZeroDivisionError("secret detail [/]")

    app = make_station(open_engine=crash)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        shown = screen_text(app)
        assert "Something went wrong inside memstation" in shown and "Traceback" not in shown


async def test_faults_in_settings_are_told_once_all_together(make_station: Make) -> None:
    problems = [Problem("/c/config.toml: theme", "no [/] \x1b"), Problem("/c/config.toml: keys", "clash")]
    app = make_station(problems=problems)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, NoticeDialog)
        shown = screen_text(app)
        assert "no [/] [U+001B]" in shown and "clash" in shown
        await press(pilot, "escape")
        assert app.screen is app.here


async def test_the_way_back(make_station: Make) -> None:
    app = make_station()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8", "j", "1", "8")
        assert app.current_mode == "log"
        assert app.here is not None and app.here.main_pane.cursor == 1, "a room keeps its place"  # type: ignore[attr-defined]
        await press(pilot, "q")
        assert app.current_mode == "today"
        await press(pilot, "escape")
        assert "ctrl+q quits" in screen_text(app)
        assert app.return_code is None


async def test_a_room_that_this_version_lacks(make_station: Make) -> None:
    app = make_station()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert app.open_room("mistakes") is None
        await settle(pilot)
        assert "does not have that room yet" in screen_text(app)
        assert "Mistakes" not in screen_text(app).split("\n")[0]


async def test_the_palette_runs_what_is_chosen_and_says_what_cannot_be(make_station: Make) -> None:
    engine = FakeEngine()
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8", ":")
        assert isinstance(app.screen, PaletteDialog)
        await pilot.press(*"check")
        await press(pilot, "enter")
        assert "Checked: whole" in screen_text(app)
        await press(pilot, "ctrl+p")
        await pilot.press(*"seen")
        await press(pilot, "enter")
        assert isinstance(app.screen, PaletteDialog), "what is not here cannot be run"
        assert "in Today" in screen_text(app)
        await press(pilot, "escape", ":")
        await pilot.press(*"today")
        await press(pilot, "enter")
        assert app.current_mode == "today"


async def test_help_is_searched_by_typing(make_station: Make) -> None:
    app = make_station()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8", "?")
        assert isinstance(app.screen, HelpDialog)
        await pilot.press(*"last dec")
        await settle(pilot)
        shown = screen_text(app)
        assert "Undo your last decision" in shown and "Check the whole log" not in shown
        await press(pilot, "escape")
        assert app.screen is app.here
        assert app.focused is app.here.main_pane  # type: ignore[union-attr]


async def test_the_agent_is_chosen_and_remembered(make_station: Make) -> None:
    engine = FakeEngine()
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8", "@")
        assert isinstance(app.screen, PickDialog)
        await pilot.press(*"agn")
        await press(pilot, "enter")
        assert app.agent_id == "agnes" and "| agnes" in screen_text(app)
        assert app.services.state.visit(engine.uuid).agent_id == "agnes"
        await press(pilot, "@")
        assert app.screen.shown.selected.value == "agnes", "the list opens at the agent that is chosen"  # type: ignore[attr-defined]
        await press(pilot, "up", "up", "up", "enter")
        assert app.agent_id is None


async def test_others_write_and_minutes_pass(make_station: Make, make_services: Any) -> None:
    engine = FakeEngine()
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8")
        engine.write(entry(415, summary="newest [/]"))
        app.look()
        await settle(pilot)
        assert "newest [/]" in screen_text(app) and "415 entries" in screen_text(app)
        app.services.clock = lambda: NOW.replace(minute=15)
        app.look()
        await settle(pilot)
        assert "09:15 UTC" in screen_text(app)


async def test_keys_of_ones_own(make_station: Make) -> None:
    settings = Settings(keys={"log.verify": ("x",), "list.move": ("up", "down", "p", "f")})
    app = make_station(settings=settings)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8", "f", "f", "p")
        assert app.here.main_pane.cursor == 1  # type: ignore[union-attr]
        assert "x check" in screen_text(app)
        await press(pilot, "V")
        assert "Checked" not in screen_text(app)
        await press(pilot, "x")
        assert "Checked" in screen_text(app)


@pytest.mark.parametrize("size", [(59, 24), (80, 14)])
async def test_too_small_is_said(make_station: Make, size: tuple[int, int]) -> None:
    app = make_station()
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert "memstation needs 60 columns and 15 rows" in screen_text(app)
        await resize(pilot, 80, 24)
        await settle(pilot)
        assert "NEEDS YOU NOW" in screen_text(app)


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (100, 30), (120, 36), (200, 60)])
async def test_rows_at_every_size(make_station: Make, size: tuple[int, int]) -> None:
    app = make_station()
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        for key in ("8", "1"):
            await press(pilot, key)
            lines = screen_text(app).split("\n")
            assert "Today" in lines[0] and "UTC" in lines[-2] and "? keys" in lines[-1]
            assert all(strip.cell_length == size[0] for strip in app.screen._compositor.render_strips())


@pytest.mark.parametrize("theme", ["dark", "light", "contrast", "mono"])
async def test_themes_colour_every_role(make_station: Make, theme: str) -> None:
    app = make_station(settings=Settings(theme=theme))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8")
        assert app.theme == theme
        cursor = app.screen._compositor.render_strips()[3]
        surfaces = app.services.themes.by_name[theme].surfaces
        assert {segment.style.bgcolor.name.upper() for segment in cursor if segment.style} == {surfaces["cursor"]}  # type: ignore[union-attr]


async def test_a_theme_is_chosen_while_it_runs(make_station: Make) -> None:
    app = make_station()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, ":")
        await pilot.press(*"colours")
        await press(pilot, "enter")
        await pilot.press(*"mono")
        await press(pilot, "enter")
        assert app.theme == "mono"
        assert app.here is not None and app.here.has_class("-cursor-text")


async def test_no_color_sends_no_colour(make_station: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = make_station()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8")
        strips = app.screen._compositor.render_strips()
        styles = {segment.style for strip in strips for segment in strip if segment.style}
        assert {style.color.name for style in styles if style.color} <= {"default"}
        assert {style.bgcolor.name for style in styles if style.bgcolor} <= {"default"}
        assert any(segment.style and segment.style.reverse for segment in strips[3]), "the cursor can be seen"


async def test_ctrl_c_does_not_quit_and_ctrl_q_does_from_anywhere(make_station: Make) -> None:
    engine = FakeEngine()
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+c")
        assert "ctrl+q quits" in screen_text(app)
        await press(pilot, "?", "ctrl+q")
    assert engine.closed
