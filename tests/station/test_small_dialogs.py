"""Dialogs on the smallest screen: what can be pressed is on it, and the rest can be reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from memstation.station.app import StationApp
from memstation.station.dialogs.base import Choice, Dialog
from memstation.station.dialogs.notice import NoticeDialog
from memstation.station.render.safe import Safe

from station.pilots import press, resize, screen_text, settle
from station.review_store import Held
from station.sources_store import open_sources, the_sources

Make = Callable[..., StationApp]


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Held]:
    story = the_sources(tmp_path / "agents.db")
    yield story
    story.engine.close()


def cut_off(app: StationApp) -> list[str]:
    """The choices of the dialog that are not wholly on the screen."""
    assert isinstance(app.screen, Dialog)
    inside = app.screen.box.content_region
    return [choice.label for choice in app.screen.query(Choice) if not inside.contains_region(choice.region)]


async def test_every_choice_is_on_the_smallest_screen(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(60, 15)) as pilot:
        await open_sources(pilot)
        for room, keys in (("4", "PTB"), ("2", "c+TPt"), ("3", "ad"), ("1", "u?:@")):
            await press(pilot, room)
            for key in keys:
                await press(pilot, {"+": "plus", "?": "question_mark", ":": "colon", "@": "at"}.get(key, key))
                await settle(pilot)
                if isinstance(app.screen, Dialog):
                    assert cut_off(app) == [], (room, key)
                while isinstance(app.screen, Dialog):
                    await press(pilot, "escape")


async def test_what_does_not_fit_is_reached_by_pages(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(60, 15)) as pilot:
        await open_sources(pilot)
        await press(pilot, "P")
        await settle(pilot)
        shown = screen_text(app)
        assert "Undo takes back" not in shown and "more: pgup pgdn" in shown
        await press(pilot, "pagedown", "pagedown")
        shown = screen_text(app)
        assert "Undo takes back" in shown and "6 times together" in " ".join(shown.replace("│", " ").split())
        assert "more: pgup" not in shown and "Go on: type its name" in shown
        await press(pilot, "pageup", "pageup")
        assert "Withdraw everything that" in screen_text(app)
        await resize(pilot, 80, 24)
        shown = screen_text(app)
        assert "Withdraw everything that" in shown and "Undo takes back" in shown and "more: pgup" not in shown


async def test_a_long_notice_keeps_its_choices(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(60, 15)) as pilot:
        await settle(pilot)
        app.push_screen(NoticeDialog(Safe("Many"), [[(Safe(f"line {place}"), "")] for place in range(40)]))
        await settle(pilot)
        assert cut_off(app) == [] and "line 39" not in screen_text(app)
        await press(pilot, *["pagedown"] * 9)
        assert "line 39" in screen_text(app) and cut_off(app) == []
