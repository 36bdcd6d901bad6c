"""While others write, the cursor stays on its fact and that fact on its line; a verb acts on what is painted (C48)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from memstation.domain.decisions import Decision, Mark
from memstation.station.dialogs.correct import CorrectDialog

from station.fakes import NOW
from station.pilots import screen_text
from station.timeline_store import Make, Story, open_room, press, put_cursor, settle, the_story


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    story = the_story(tmp_path / "agents.db")
    yield story
    story.engine.close()


async def look(pilot: Any) -> None:
    """Let the station see what was written."""
    pilot.app.look()
    await settle(pilot)
    await settle(pilot)


def line_of(pilot: Any) -> int:
    list_ = pilot.app.here.main_pane
    return int(list_.cursor - list_.scroll_offset.y)


async def test_new_facts_above_move_neither_cursor_nor_row(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_room(pilot)
        await look(pilot)
        await put_cursor(pilot, "09:30")
        row, line = room.main_pane.selected, line_of(pilot)
        assert row is not None
        for minute in (10, 11, 12):
            story.tell(f"2026-04-14 09:{minute}", "channel:line/7", ("user", f"new_{minute}", "x"))
        story.now = NOW
        await look(pilot)
        assert room.main_pane.selected.n == row.n and line_of(pilot) == line  # type: ignore[union-attr]
        assert "3 new above" in screen_text(app) and "new_12" not in screen_text(app)
        await press(pilot, "c")
        assert isinstance(app.screen, CorrectDialog) and app.screen.detail.record.n == row.n
        assert "= 09:30" in screen_text(app), "the dialog names what it is about"
        await press(pilot, "escape", "g")
        assert "new_12" in screen_text(app) and "new above" not in screen_text(app)


async def test_a_decision_taken_while_the_dialog_is_open_is_about_its_own_fact(
    make_station: Make, story: Story
) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_room(pilot)
        await put_cursor(pilot, "09:30")
        await press(pilot, "c")
        story.tell("2026-04-14 09:13", "channel:line/7", ("user", "other", "x"))
        story.now = NOW
        await look(pilot)
        await press(pilot, "y")
        assert story.engine.get_at("dudu", "user", "standup_time", NOW).object == "10:00"
        assert story.engine.get_at("dudu", "user", "other", NOW).object == "x", "nothing else was touched"


async def test_a_fact_that_left_the_list_is_told_and_the_cursor_stays_near(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_room(pilot, "dudu", "state:current", None)
        await look(pilot)
        await put_cursor(pilot, "日本語")
        place = room.main_pane.cursor
        gone = room.main_pane.selected
        assert gone is not None
        story.engine.apply(Decision("retract", "agent:x", (Mark(gone.id, "withdrawn", "retracted"),), "dudu"))
        await look(pilot)
        assert "not in this list any more" in "".join(part for part, _role in app.message)
        assert abs(room.main_pane.cursor - place) <= 1 and room.main_pane.selected.n != gone.n  # type: ignore[union-attr]
        assert room._row is not None and room._row.n == room.main_pane.selected.n  # type: ignore[union-attr]


async def test_what_is_read_in_the_sheet_stays_the_same_fact(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_room(pilot)
        await look(pilot)
        await put_cursor(pilot, "Cloudflare Workers")
        await press(pilot, "enter", "j")
        scrolled = room.sheet.scroll_offset.y
        said = "The team moved deploys from Vercel to Cloudflare Workers."
        story.tell("2026-04-14 09:13", "user_direct", ("user", "deploy_target", "Cloudflare Workers"), said)
        story.now = NOW
        await look(pilot)
        assert room.is_reading and "Confirmed  3 times" in room.sheet.text, "read anew"
        assert room.sheet.scroll_offset.y == scrolled, "and where it was"


async def test_equal_names_of_two_agents_are_two_facts(make_station: Make, story: Story) -> None:
    story.tell("2026-04-14 09:10", "user_direct", ("user", "deploy_target", "Cloudflare Workers"), agent="agnes")
    story.now = NOW
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_room(pilot, "agnes")
        await press(pilot, "c", "y")
        assert story.engine.get_at("agnes", "user", "deploy_target", NOW) is None
        assert story.engine.get_at("dudu", "user", "deploy_target", NOW).object == "Cloudflare Workers"
