"""The Review room on a real store: what it shows, what its keys decide, and that each can be taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from memstation.station.app import StationApp

from station.pilots import screen_text
from station.review_store import Held, at, open_review, the_queue, values
from station.timeline_store import Make


def message(app: StationApp) -> str:
    return "".join(part for part, _role in app.message)


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Held]:
    story = the_queue(tmp_path / "agents.db")
    yield story
    story.engine.close()


async def test_the_queue_stands_in_groups_the_weakest_source_first(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_review(pilot)
        print(screen_text(app))
        print(values(room))
        room = await at(pilot, "Heroku")
        print(screen_text(app))
        assert 0
