"""Keys that come in faster than the station can follow, and keys where nothing can be shown."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from memstation.domain.errors import StoreUnusable
from memstation.station.app import StationApp
from memstation.station.dialogs.notice import ErrorDialog
from memstation.station.dialogs.pick import PickDialog
from memstation.station.dialogs.purge import PurgeDialog
from memstation.station.dialogs.purge_name import NameDialog
from memstation.station.screens.find import FindScreen
from memstation.station.widgets.field import Field
from textual import events
from textual.keys import _character_to_key

from station.pilots import press, resize, screen_text, settle
from station.review_store import Held
from station.sources_store import POISON, open_sources, the_sources

Make = Callable[..., StationApp]


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Held]:
    story = the_sources(tmp_path / "agents.db")
    yield story
    story.engine.close()


def hurry(app: StationApp, *keys: str) -> None:
    """Put keys in, all before the first has done anything."""
    for key in keys:
        name = _character_to_key(key) if len(key) == 1 else key
        app.post_message(events.Key(name, key if len(key) == 1 else None))


async def test_keys_typed_behind_a_rooms_number_are_for_that_room(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        hurry(app, "7", "slash", *"office", "enter", "down")
        await settle(pilot)
        room = app.here
        assert isinstance(room, FindScreen) and room.query_text == "office" and room.focused is room.main_pane
        hurry(app, "4", "5", "8", "3")
        await settle(pilot)
        assert app.current_mode == "review"


async def test_the_letters_of_a_filter_are_never_verbs(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    held = story.engine.head()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "3")
        hurry(app, "slash", *"adversary", "enter", "slash", "end", "s")
        await settle(pilot)
        assert app.screen.query_one("#filter", Field).value == "adversarys" and story.engine.head() == held


async def test_the_letters_of_a_name_wait_for_the_dialog_that_is_read_for(
    make_station: Make, story: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, may_go, read = make_station(story.engine), threading.Event(), story.engine.reader.agents
    seq = story.engine.head().seq

    def slow() -> Sequence[str]:
        may_go.wait(30)
        return read()

    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "3")
        monkeypatch.setattr(story.engine.reader, "agents", slow)
        hurry(app, "@", *"dudu")
        await asyncio.sleep(0)
        may_go.set()
        await settle(pilot)
        assert isinstance(app.screen, PickDialog) and app.screen.query_one(Field).value == "dudu"
        assert app.screen.shown.selected.value == "dudu" and story.engine.head().seq == seq  # type: ignore[union-attr]


@pytest.mark.parametrize("leaves", [False, True])
async def test_nobody_has_to_wait_for_a_dialog(
    make_station: Make, story: Held, monkeypatch: pytest.MonkeyPatch, leaves: bool
) -> None:
    app, may_go, read = make_station(story.engine), threading.Event(), story.engine.reader.agents

    def slow() -> Sequence[str]:
        may_go.wait(30)
        return read()

    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "3")
        monkeypatch.setattr(story.engine.reader, "agents", slow)
        hurry(app, "@", "d", "ctrl+q" if leaves else "escape", *([] if leaves else ["4"]))
        for _ in range(500):
            await asyncio.sleep(0.01)
            if not app.is_running or app.current_mode == "sources":
                break
        assert not app.is_running if leaves else app.current_mode == "sources"
        may_go.set()
        if not leaves:
            await settle(pilot)
            assert not isinstance(app.screen, PickDialog)


async def test_keys_go_on_after_a_read_that_failed(
    make_station: Make, story: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> Sequence[str]:
        raise StoreUnusable("The file is damaged", "page 7")

    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "3")
        monkeypatch.setattr(story.engine.reader, "agents", broken)
        hurry(app, "@", "escape", "4")
        await settle(pilot)
        assert app.current_mode == "sources" and not isinstance(app.screen, ErrorDialog)


async def test_keys_go_on_after_what_they_went_to_is_gone(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_sources(pilot)
        hurry(app, "P", "escape", "?", "escape", ":", *"log", "enter", "escape", "1")
        await settle(pilot)
        assert app.current_mode == "today" and app.screen is app.here


async def test_a_purge_is_never_typed_ahead_of_what_it_shows(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    seq = story.engine.head().seq
    async with app.run_test(size=(80, 24)) as pilot:
        await open_sources(pilot)
        hurry(app, "P", "c", "c", *POISON, "tab", "enter")
        await settle(pilot)
        assert not isinstance(app.screen, NameDialog) and story.engine.head().seq == seq


@pytest.mark.parametrize("size", [(59, 24), (80, 14), (20, 5)])
async def test_nothing_is_decided_where_nothing_is_shown(
    make_station: Make, story: Held, size: tuple[int, int]
) -> None:
    app, seq = make_station(story.engine), story.engine.head().seq
    async with app.run_test(size=(80, 24)) as pilot:
        await open_sources(pilot)
        await press(pilot, "P")
        await resize(pilot, *size)
        assert "memstation" in screen_text(app) and "Purge" not in screen_text(app) and "──" not in screen_text(app)
        await press(pilot, "c", "escape", "b")
        await resize(pilot, 80, 24)
        dialog = app.screen
        assert isinstance(dialog, PurgeDialog) and dialog.draft.choices.block, "as it was left"
        assert "Go on: type its name" in screen_text(app)
        await press(pilot, "escape", "slash", "x")
        await resize(pilot, *size)
        await press(pilot, "y", "escape", "P", "B", "3", "colon", "at")
        assert app.current_mode == "sources" and app.screen is app.here
        await resize(pilot, 80, 24)
        assert app.screen.query_one("#filter", Field).value == "x" and story.engine.head().seq == seq


async def test_leaving_works_where_nothing_is_shown(make_station: Make, story: Held) -> None:
    app: Any = make_station(story.engine)
    async with app.run_test(size=(40, 10)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+q")
        await settle(pilot)
        assert not app.is_running or app._exit


async def test_a_dialog_that_comes_where_nothing_is_shown_waits(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(50, 24)) as pilot:
        await settle(pilot)
        app.fail(StoreUnusable("The file is damaged", "page 7"))
        await settle(pilot)
        assert "page 7" not in screen_text(app)
        await press(pilot, "escape", "enter")
        await resize(pilot, 80, 24)
        assert isinstance(app.screen, ErrorDialog) and "page 7" in screen_text(app)


async def test_the_agent_of_all_is_picked_by_name(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        hurry(app, "5", "@", *"agnes")
        await settle(pilot)
        assert isinstance(app.screen, PickDialog) and app.screen.shown.selected.value == "agnes"  # type: ignore[union-attr]
