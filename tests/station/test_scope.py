"""Whose memories the rooms show: an agent that is chosen in one room is the one of every room."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from memstation.station.app import StationApp
from memstation.station.widgets.field import Field

from station.pilots import press, screen_text, settle
from station.review_store import Held
from station.sources_store import LINE, NEAR, at, names, open_sources, the_sources

Make = Callable[..., StationApp]


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Held]:
    story = the_sources(tmp_path / "agents.db")
    yield story
    story.engine.close()


async def test_a_room_left_for_an_agents_timeline_shows_that_agent(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        sources = await open_sources(pilot)
        assert len(names(sources)) == 8 and app.agent_id is None
        await press(pilot, "8")
        assert "agnes" in screen_text(app), "the log of all agents"
        await press(pilot, "3", "4")
        await at(pilot, NEAR)
        await press(pilot, "enter")
        assert app.agent_id == "dudu" and app.here is not sources
        await press(pilot, "4")
        told = names(sources)
        assert "| dudu |" in screen_text(app) and told == [row.origin for row in story.engine.reader.sources("dudu")]
        assert len(told) < 8
        log = app.open_room("log")
        await settle(pilot)
        decided = [log.main_pane.row(place) for place in range(log.main_pane.count)]  # type: ignore[union-attr]
        assert {row.agent_id for row in decided} <= {"dudu", None}  # type: ignore[union-attr]


async def test_names_and_find_follow_too(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "5", "7", "3", "4")
        app.open_timeline("dudu")
        await settle(pilot)
        for room in ("5", "7", "3", "4"):
            await press(pilot, room)
            assert app.here is not None and app.here.agent_shown == "dudu", room
        app.open_names("agnes")
        await settle(pilot)
        for room in ("7", "3", "4", "2"):
            await press(pilot, room)
            assert app.here is not None and app.here.agent_shown == "agnes", room
            assert "| agnes" in screen_text(app)


async def test_what_another_room_says_of_a_choice_is_not_said_here(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.open_timeline("dudu")
        await press(pilot, "5", "4", "@", *"all", "enter")
        assert app.agent_id is None and "one agent at a time" not in screen_text(app)
        await press(pilot, "2")
        assert "| dudu" in screen_text(app)


async def test_find_leaves_the_keys_to_the_rooms(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for way in (("7", "4", "7", "5"), ("7", "5", "escape", "7", "5")):
            await press(pilot, *way)
            assert app.current_mode == "names", way
            assert app._screen_stacks["find"][0].query_one("#query", Field).value == ""
        await press(pilot, "7", "slash", "o", "f", "f", "enter", "4", "7", "slash", "end")
        field = app.screen.focused
        assert isinstance(field, Field) and field.value == "off"


async def test_a_field_that_is_left_by_the_mouse_gives_the_keys_back(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for room, text in (("7", "office"), ("4", "line")):
            await press(pilot, room, "slash", *text)
            app.open_room("today")
            await settle(pilot)
            await press(pilot, room)
            assert not isinstance(app.screen.focused, Field), room
            await press(pilot, "2")
            assert app.current_mode == "timeline", room


async def test_what_is_purged_is_what_the_list_counts(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(120, 36)) as pilot:
        sources = await open_sources(pilot)
        app.open_timeline("agnes")
        await press(pilot, "4")
        await at(pilot, LINE)
        row = sources.main_pane.selected
        assert row is not None and [share.agent_id for share in row.agents] == ["agnes"]
        await press(pilot, "P")
        assert app.screen.looked.report.plan.agent_id == "agnes"  # type: ignore[attr-defined]
        assert len(app.screen.looked.report.withdrawn) == row.facts == 1  # type: ignore[attr-defined]
