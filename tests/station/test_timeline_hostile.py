"""Hostile text in every place of the Timeline drives no terminal, is not dropped, and crashes nothing (C44, C45)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from memstation.station.render.safe import safe_line
from memstation.station.screens.timeline import TimelineScreen

from station.pilots import screen_text
from station.timeline_store import BRACKETS, CONTROLS, Make, Story, hostile_story, open_room, press, write

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    story = hostile_story(tmp_path_factory.mktemp("hostile") / "agents.db")
    yield story
    story.engine.close()


def painted(app: Any) -> str:
    """What goes to the terminal as text, checked."""
    strips = app.screen._compositor.render_strips()
    text = "\n".join(strip.text for strip in strips)
    assert not CONTROL.search(text.replace("\n", "")), repr(CONTROL.search(text.replace("\n", "")))
    for strip in strips:
        for segment in strip:
            assert segment.style is None or (not segment.style.link and "@click" not in segment.style.meta), segment
    return text


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_every_place_shows_it_and_none_obeys_it(make_station: Make, story: Story, size: tuple[int, int]) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=size) as pilot:
        room = await open_room(pilot, "mallory")
        assert room.main_pane.count == len(BRACKETS) + len(CONTROLS) + 1
        for place in range(room.main_pane.count):
            painted(app)  # list, lanes, title, two lines or side pane
            row, detail = room.main_pane.selected, room._detail
            assert row is not None and detail is not None
            await press(pilot, "w")  # the sheet
            painted(app)
            shown = re.sub(r"\s", "", room.sheet.text)
            for text in (row.object, row.subject, row.predicate, detail.record.content, *detail.record.tags,
                         row.origin, detail.record.source_event):  # fmt: skip
                lines = safe_line(text).replace("↵", "")
                assert re.sub(r"\s", "", lines) in shown.replace("↵", ""), f"dropped: {text!r}"
            if place % 4 == 0:
                await press(pilot, "c")  # the dialog, its title
                painted(app)
                if not isinstance(app.screen, TimelineScreen):
                    # What is withdrawn cannot be corrected: there is no dialog, and 3 would be the room.
                    await press(pilot, "3")
                    painted(app)
                    await press(pilot, "escape", "escape")
                assert isinstance(app.screen, TimelineScreen)
                await press(pilot, "Y", "y")  # the message row
                painted(app)
            await press(pilot, "escape", "j")


async def test_hostile_names_of_agents(make_station: Make, tmp_path: Path) -> None:
    story = Story(tmp_path / "agents.db")
    agent = "[/]\x1b[2J\u202eevil"
    story.tell("2026-04-01 10:00", "user_direct", ("user", "city", "Paris"), agent=agent)
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_room(pilot, agent)
        assert "[U+001B]" in painted(app) and room.main_pane.count == 1
        await press(pilot, "plus")
        assert "[U+001B]" in painted(app)
        await press(pilot, "escape", "escape", "m")
        assert "[U+001B]" in painted(app)
        await press(pilot, "n", "c", "y")
        painted(app)
        await press(pilot, "slash")
        await write(pilot, "[/][@click=app.bell]x")
        painted(app)


async def test_a_copy_is_the_original_and_says_what_cannot_be_seen(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_room(pilot, "mallory")
        for place in range(room.main_pane.count):
            if room.main_pane.row(place).value.startswith("a\x1b[2Jb"):  # type: ignore[union-attr]
                room.main_pane.move(place)
                break
        await press(pilot, "Y")
        assert app.clipboard == "c a\x1b[2Jb\x1b[H", "the stored bytes"
        assert "cannot be seen" in screen_text(app) and "[U+001B]" in painted(app)
