"""Today: what needs the operator first, every row leads on, and what was seen is not new any more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

from memstation.domain.errors import MemstationError
from memstation.read.rows import Overview
from memstation.station.app import StationApp
from memstation.station.dialogs.notice import ErrorDialog

from station.fakes import NOW, FakeEngine, entry, the_overview
from station.pilots import press, screen_text, settle

Make = Callable[..., StationApp]


async def test_the_glance(make_station: Make) -> None:
    app = make_station()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        shown = screen_text(app)
        assert "Your first visit: 61 new, 9 changed, 12 held" in shown
        lines = shown.split("\n")
        assert "ends" in lines[3] and "today 18:00" in lines[3], "what runs out first stands first"
        assert "7 from channel:telegram/42" in shown and "4 more" in shown
        assert "1,204" in shown and "Your last: retracted" in shown
        assert lines[23].startswith(" enter open")


async def test_every_row_leads_to_its_filter(make_station: Make, monkeypatch: Any) -> None:
    app = make_station()
    went: list[tuple[Any, ...]] = []
    monkeypatch.setattr(app, "open_timeline", lambda *where: went.append(where))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "enter", "j", "j", "enter", "tab", "j", "enter", "tab", "enter")
        assert went == [
            ("agnes", "", 11), ("dudu", "state:held", 20), ("agnes", "", None), ("dudu", "", 50),
        ]  # fmt: skip


async def test_marked_as_seen_is_remembered(make_station: Make) -> None:
    engine = FakeEngine()
    asked: list[datetime | None] = []

    def overview(since: datetime | None) -> Overview:
        asked.append(since)
        return replace(the_overview(since), **({"new": 0, "changed": 0, "changes": ()} if since else {}))

    engine.reader.overview_of = overview
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, ".")
        shown = screen_text(app)
        assert "Marked as seen." in shown
        assert "Since your last visit, today 09:14: 0 new, 0 changed" in shown
        assert "NOTHING CHANGED WHILE YOU WERE AWAY" in shown
        assert asked == [None, NOW]
        assert app.services.state.visit(engine.uuid).seen == NOW


async def test_an_empty_store_says_what_would_stand_here(make_station: Make) -> None:
    engine = FakeEngine([])
    engine.reader.overview_of = lambda since: Overview(since, (), (), (), 0, (), 0, 0, None, None)
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        shown = screen_text(app)
        assert "Nothing is remembered in this file yet." in shown and "all commands" in shown
        await press(pilot, "enter", "j", "G", "u")
        assert "There is no decision of yours" in screen_text(app)


async def test_nothing_to_do_is_said(make_station: Make) -> None:
    engine = FakeEngine()
    engine.reader.overview_of = lambda since: replace(the_overview(since), due=(), held=(), held_count=0)
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Nothing: no memory is held" in screen_text(app)
        await press(pilot, "enter")
        assert "this row leads nowhere" in screen_text(app)


async def test_a_failed_read_is_told_and_old_rows_are_called_old(make_station: Make) -> None:
    engine = FakeEngine()
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        engine.reader.error = MemstationError("The file cannot be read", "input/output error")
        app.changes += 1
        assert app.here is not None
        app.here.catch_up()
        await settle(pilot)
        assert isinstance(app.screen, ErrorDialog)
        await press(pilot, "escape")
        assert "Cannot be read: The file cannot be read" in screen_text(app)
        engine.reader.error = None
        engine.write(entry(415))
        app.look()
        await settle(pilot)
        assert "61 new" in screen_text(app)


async def test_panes_go_round(make_station: Make) -> None:
    app = make_station()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        seen = []
        for _ in range(4):
            seen.append(app.focused.id if app.focused else None)
            await press(pilot, "tab")
        assert seen == ["needs", "agents", "changes", "needs"]
        await press(pilot, "shift+tab")
        assert app.focused is not None and app.focused.id == "needs"


async def test_another_process_writes_and_the_cursor_stays(make_station: Make) -> None:
    engine = FakeEngine()
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "j", "j")
        engine.reader.overview_of = lambda since: replace(the_overview(since), due=the_overview(since).due[1:], new=62)
        engine.write(entry(415))
        app.look()
        await settle(pilot)
        assert "62 new" in screen_text(app)
        row = app.screen.query_one("#needs").selected  # type: ignore[attr-defined]
        assert row.key == ("held", "dudu", "channel:telegram/42")
