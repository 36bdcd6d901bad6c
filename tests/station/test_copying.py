"""A backup from the station: in the background, and the message row says what came of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from memstation import open_engine
from memstation.station.app import StationApp

from engine_facts import tell
from station.fakes import NOW
from station.pilots import screen_text, settle


async def test_the_message_row_says_what_came_of_it(make_station: Callable[..., StationApp], tmp_path: Path) -> None:
    with open_engine(tmp_path / "memories.db", clock=lambda: NOW) as engine:
        tell(engine, "Zanzibar", "2026-01-01")
        app = make_station(engine)
        app.services.new_backup = lambda store, at: tmp_path / "copies" / "copy.db"
        async with app.run_test(size=(120, 36)) as pilot:
            await settle(pilot)
            app.back_up()
            await settle(pilot)
            assert "copied up to #1" in screen_text(app)
            with open_engine(tmp_path / "copies" / "copy.db", clock=lambda: NOW, read_only=True) as copy:
                assert copy.head() == engine.head()
            app.back_up()
            await settle(pilot)
            assert "there already" in screen_text(app)
