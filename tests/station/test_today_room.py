"""Today: what needs the operator first, every row leads on, and what was seen is not new any more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from memstation.domain.errors import MemstationError
from memstation.read.gate_rows import Waiting
from memstation.read.rows import Overview
from memstation.station.app import StationApp
from memstation.station.dialogs.notice import ErrorDialog
from memstation.station.render.glyphs import GLYPHS
from memstation.station.render.needs import needs_of
from memstation.station.screens import today

from station.fakes import NOW, FakeEngine, entry, the_overview
from station.pilots import press, screen_text, settle

Make = Callable[..., StationApp]


async def test_the_glance(make_station: Make) -> None:
    app = make_station()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        shown = screen_text(app)
        assert "Your first visit: 61 new, 9 changed, 12 held, 2 dropped" in shown
        lines = shown.split("\n")
        assert "7 from channel:telegram/42: a burst about user" in lines[3], "what runs out first stands first"
        assert "3h 12m left" in lines[3] and "ends" in lines[4] and "today 18:00" in lines[4]
        assert "GATE  24 h: held 12, dropped 2, rejected values seen again 5" in shown
        assert "1,204" in shown and "Your last: retracted" in shown
        assert lines[23].startswith(" enter open")


async def test_every_row_leads_to_its_filter(make_station: Make, monkeypatch: Any) -> None:
    app = make_station()
    went: list[tuple[Any, ...]] = []
    monkeypatch.setattr(app, "open_timeline", lambda *where: went.append(where))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "j", "enter", "tab", "j", "enter", "tab", "enter")
        assert went == [("agnes", "", 11), ("agnes", "", None), ("dudu", "", 50)]


@pytest.mark.parametrize("has_room", [True, False])
async def test_what_is_held_leads_to_review(
    make_station: Make, monkeypatch: pytest.MonkeyPatch, has_room: bool
) -> None:
    """Where this version has no such room, its facts in the Timeline do."""
    app = make_station()
    went: list[tuple[Any, ...]] = []
    monkeypatch.setattr(today, "room", lambda name: object() if has_room and name == "review" else None)
    monkeypatch.setattr(app, "open_timeline", lambda *where: went.append(where))
    monkeypatch.setattr(app, "open_review", lambda *where: went.append(where))
    async with app.run_test(size=(80, 36)) as pilot:
        await settle(pilot)
        await press(pilot, "enter", "G", "enter")
        shown = screen_text(app)
        if has_room:
            assert went == [('agent:"dudu" source:"channel:telegram/42" reason:burst',), ("",)]
        else:
            assert went == [("dudu", "state:held", 20)] and "this row leads nowhere" in shown
        assert "4 ran out undecided" in shown and "40 from blocked sources" in shown


def test_what_waits_in_the_order_in_which_it_runs_out() -> None:
    """Blocked sources remind of nothing, whatever time they have left, and stand below what waits for ever."""
    needs = needs_of(the_overview(None), GLYPHS["fine"], NOW)
    assert [need.key[0] if isinstance(need.key, tuple) else need.key for need in needs] == [
        "held", "due", "due", "held", "held", "blocked", "lapsed",
    ]  # fmt: skip
    said = ["".join(text for text, _ in (*need.text, *need.more)) + " | " + need.when[0] for need in needs]
    assert said[0] == "7 from channel:telegram/42: a burst about user, for dudu | 3h 12m left"
    assert said[3].startswith("3 from mcp_external:webclip: text that gives orders about [U+001B]")
    assert said[4] == "2 from agent_derived: rejected before, back again, for dudu | no limit"
    assert said[5:] == ["40 from blocked sources | ", "4 ran out undecided | 03:14"]


def test_a_source_that_cannot_be_quoted_is_left_out_of_the_filter() -> None:
    overview = the_overview(None)
    group = replace(overview.waiting.groups[0], origin='channel:"x"')
    needs = needs_of(replace(overview, due=(), waiting=Waiting((group,))), GLYPHS["plain"], NOW)
    assert needs[0].review_filter == 'agent:"dudu" reason:burst'


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
    engine.reader.overview_of = lambda since: Overview(since, (), (), 0, (), 0, 0, None, None)
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        shown = screen_text(app)
        assert "Nothing is remembered in this file yet." in shown and "all commands" in shown
        await press(pilot, "enter", "j", "G", "u")
        assert "There is no decision of yours" in screen_text(app)


async def test_nothing_to_do_is_said(make_station: Make) -> None:
    engine = FakeEngine()
    engine.reader.overview_of = lambda since: replace(the_overview(since), due=(), waiting=Waiting(), held_count=0)
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
        assert row.key == ("due", 12, True)
