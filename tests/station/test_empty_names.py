"""Names of a store in which nobody has told anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from memstation.station.app import StationApp

from station.pilots import press, screen_text, settle
from station.timeline_store import Story

Make = Callable[..., StationApp]


async def test_names_of_an_empty_store_say_that_there_is_no_agent(make_station: Make, tmp_path: Path) -> None:
    story = Story(tmp_path / "agents.db")
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "5")
        text = screen_text(app)
        assert "Reading" not in text and "No agent has told anything yet" in text
        assert "Joining names closes no fact" not in text, "nobody has a name to join"
        await press(pilot, "plus")
        assert "there is no agent yet" in screen_text(app)
        story.tell("2026-04-13 09:00", "user_direct", ("会議室", "floor", "五階"), agent="kei")
        app.look()
        await settle(pilot)
        await settle(pilot)
        text = screen_text(app)
        assert "kei" in text and "No names are joined" in text and "Joining names closes no fact" in text
    story.engine.close()
