"""The links in Find can be walked: to the memories, to what is held, from name to name and back; the way in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from memstation.station.app import StationApp
from memstation.station.render.links import LinkRow
from memstation.station.screens.find import FindScreen
from memstation.station.screens.names import NamesScreen
from memstation.station.screens.review import ReviewScreen
from memstation.station.screens.timeline import TimelineScreen

from station.find_store import look_for, open_find, the_knowledge
from station.pilots import press, screen_text, settle
from station.review_store import Held
from station.timeline_store import Make


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Held]:
    story = the_knowledge(tmp_path / "agents.db")
    yield story
    story.engine.close()


def message(app: StationApp) -> str:
    return "".join(part for part, _role in app.message)


def tree(room: FindScreen) -> list[LinkRow]:
    found = [room.links.row(place) for place in range(room.links.count)]
    return [row for row in found if row is not None]


def texts(room: FindScreen) -> list[str]:
    return [row.text for row in tree(room)]


def go_to(room: FindScreen, text: str) -> LinkRow:
    """The cursor of the tree on the row that says this."""
    place = next(place for place, row in enumerate(tree(room)) if text in row.text)
    room.links.move(place - room.links.cursor)
    row = room.links.selected
    assert row is not None
    return row


async def test_a_memory_in_the_tree_opens_in_the_timeline_and_a_held_one_in_review(
    make_station: Make, story: Held
) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(120, 36)) as pilot:
        room = await open_find(pilot, "deploy target")
        this = room.links.selected
        assert this is not None and this.is_this and this.key == room.main_pane.selected.record.id  # type: ignore[union-attr]
        await press(pilot, "right")
        assert "tab goes to the links" in message(app)
        await press(pilot, "tab", "tab")
        assert room.focused is room.links and room.link is this
        plan = go_to(room, "plan > paid")
        await press(pilot, "y")
        assert plan.key in message(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, TimelineScreen)
        assert app.screen.main_pane.selected is not None and app.screen.main_pane.selected.id == plan.key
        await press(pilot, "escape")
        assert app.screen is room and room.focused is room.links and room.link == plan, "back on the same row"
        heroku = go_to(room, "Heroku")
        await settle(pilot)
        assert heroku.edge is not None and heroku.edge.held and "enter review" in screen_text(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, ReviewScreen)
        item = app.screen.main_pane.item()
        assert item is not None and item.row.id == heroku.key and item.row.object == "Heroku"
        await press(pilot, "escape")
        assert app.screen is room
        await press(pilot, "escape")
        assert room.focused is room.main_pane and app.screen is room, "from the tree to the hits first"
        await press(pilot, "=", "G")
        held = room.main_pane.row(room.main_pane.count - 2)
        assert held is not None and held.state == "held"
        await press(pilot, "k", "enter")
        assert isinstance(app.screen, ReviewScreen)
        item = app.screen.main_pane.item()
        assert item is not None and item.row.id == held.record.id, "a held row of the list, too"


async def test_from_name_to_name_and_back_then_searched_for(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_find(pilot, "deploy target")
        await press(pilot, "l")
        assert "the links are not shown" in message(app)
        await press(pilot, "L", "tab")
        first = texts(room)
        assert first[0] == "user" and room.link is not None and room.link.is_this
        go_to(room, "plan > paid")
        await press(pilot, "l")
        assert texts(room) == ["paid", "< plan Cloudflare Workers", "< deploy_target user"]
        assert "LINKS AROUND paid" in screen_text(app)
        go_to(room, "< deploy_target user")
        await press(pilot, "right")
        assert texts(room) == first
        await press(pilot, "h")
        assert texts(room)[0] == "paid"
        await press(pilot, "escape")
        assert texts(room) == first and room.focused is room.links, "escape goes the same way back"
        await press(pilot, "left")
        assert texts(room) == first, "there was nothing before"
        go_to(room, "Cloudflare Workers")
        await press(pilot, "l", "g")
        assert room.link is not None and room.link.edge is None and "enter search for it" in screen_text(app)
        await press(pilot, "enter")
        assert room.query_text == "Cloudflare Workers" and room.focused is room.main_pane
        assert room.queries()[-1] == "Cloudflare Workers" and room.main_pane.count
        await look_for(pilot, "holidays")
        assert texts(room) == [] and "It names nothing" in screen_text(app)


async def test_timeline_and_names_lead_into_find(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.choose("dudu")
        await press(pilot, "2")
        timeline = app.screen
        assert isinstance(timeline, TimelineScreen)
        rows = [timeline.main_pane.row(place) for place in range(timeline.main_pane.count)]
        note = next(place for place, row in enumerate(rows) if row is not None and row.subject is None)
        boss = next(place for place, row in enumerate(rows) if row is not None and row.subject == "李老闆")
        timeline.main_pane.move(note)
        await press(pilot, "L")
        assert app.screen is timeline and "no fact about a name" in message(app)
        timeline.main_pane.move(boss - note)
        await press(pilot, "L")
        room = app.screen
        assert isinstance(room, FindScreen) and room.field.value == room.query_text == "李老闆"
        found = [room.main_pane.row(place) for place in range(room.main_pane.count)]
        assert {"vim", "台北"} <= {row.record.object for row in found if row is not None}, "under its other name, too"
        await press(pilot, "escape")
        assert app.screen is timeline
        await press(pilot, "5")
        names = app.screen
        assert isinstance(names, NamesScreen)
        await press(pilot, "L")
        assert app.screen is room and room.field.value == room.query_text == "老闆" and room.find_agent == "dudu"
        assert room.main_pane.count and room.queries()[-1] == "老闆"


async def test_review_opens_the_group_of_a_memory_that_came_in_since(make_station: Make, story: Held) -> None:
    for number in range(25):
        story.hold("2026-04-14 09:05", "channel:telegram/42", ("user", "deploy_target", f"Heroku {number}"))
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "3")
        review = app.screen
        assert isinstance(review, ReviewScreen) and review.main_pane.item() is None, "many are folded"
        late = story.hold("2026-04-14 09:06", "channel:telegram/42", ("user", "deploy_target", "Heroku late"))
        app.open_review(agent_id="dudu", memory_id=late)
        await settle(pilot)
        item = review.main_pane.item()
        assert item is not None and item.row.id == late
        story.engine.deny([late], actor="somebody else")
        app.open_review(agent_id="dudu", memory_id=late)
        await settle(pilot)
        assert "does not wait" in message(app)
