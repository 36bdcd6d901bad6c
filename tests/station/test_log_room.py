"""Log: every decision can be seen and taken back, the right one and once, after showing what would change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from memstation.domain.errors import MemstationError, Refused
from memstation.station.app import StationApp
from memstation.station.dialogs.confirm import ConfirmDialog
from memstation.station.dialogs.notice import ErrorDialog, NoticeDialog
from memstation.station.screens.log import LogScreen

from station.fakes import HOSTILE, FakeEngine, entry, the_log
from station.pilots import press, screen_bytes, screen_text, settle

Make = Callable[..., StationApp]


def row_of(app: StationApp) -> Any:
    assert isinstance(app.here, LogScreen)
    return app.here.main_pane.selected


async def to_entry(pilot: Any, seq: int) -> None:
    app = pilot.app
    app.here.main_pane.go_to(seq)
    await settle(pilot)
    assert row_of(app).seq == seq


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


async def test_decisions_stand_newest_first_with_their_detail(make_station: Make, engine: FakeEngine) -> None:
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8")
        await to_entry(pilot, 408)
        shown = screen_text(app)
        assert "8>Log" in shown and "414 entries" in shown and "entry 7 of 414" in shown
        assert "retracted user deploy_owner @ops_helper, for dudu" in shown
        assert "Reason  a poisoned channel" in shown
        assert "u undo #408" in shown


async def test_z_shows_first_what_would_change_and_no_is_the_default(make_station: Make, engine: FakeEngine) -> None:
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8")
        await to_entry(pilot, 407)
        await press(pilot, "z")
        assert isinstance(app.screen, ConfirmDialog)
        shown = screen_text(app)
        assert "Take back #407?" in shown and "Vercel comes back" in shown and "has no value any more" in shown
        await press(pilot, "enter")
        assert app.screen is app.here and engine.undone == [], "enter alone never takes back"
        for key in ("z", "escape", "z", "n", "z", "z"):
            await press(pilot, key)
        assert engine.undone == [], "the verb's key is not yes"
        await press(pilot, "y")
        assert engine.undone == [(407, "operator", "d1")]
        assert "Took back #407" in screen_text(app)
        assert row_of(app).seq == 407, "the cursor stays on its row though a new one came above it"


async def test_taking_back_acts_on_the_painted_row_though_others_write(make_station: Make, engine: FakeEngine) -> None:
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8")
        await to_entry(pilot, 407)
        for seq in (415, 416, 417):
            engine.write(entry(seq))
        await press(pilot, "z")
        assert "Take back #407?" in screen_text(app)
        app.look()
        await settle(pilot)
        await press(pilot, "y")
        assert [done[0] for done in engine.undone] == [407]


async def test_twice_pressed_is_once_done(make_station: Make, engine: FakeEngine) -> None:
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8")
        await to_entry(pilot, 407)
        await pilot.press("z")
        await settle(pilot)
        await pilot.press("y", "y", "y")
        await settle(pilot)
        assert [done[0] for done in engine.undone] == [407]
        await press(pilot, "z")
        assert "was taken back already" in screen_text(app)


async def test_a_change_meanwhile_is_shown_anew(make_station: Make, engine: FakeEngine) -> None:
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8")
        await to_entry(pilot, 407)
        engine.changed_once = True
        await press(pilot, "z", "y")
        await settle(pilot)
        assert isinstance(app.screen, ConfirmDialog)
        assert "Somebody else decided meanwhile" in screen_text(app)
        assert engine.undone == []
        await press(pilot, "y")
        assert [done[0] for done in engine.undone] == [407]


async def test_u_takes_back_my_own_last_and_capital_u_brings_it_back(make_station: Make, engine: FakeEngine) -> None:
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8", "u")
        assert isinstance(app.screen, ConfirmDialog), "older than this session: it asks"
        assert "Take back #408?" in screen_text(app)
        await press(pilot, "y")
        assert [done[0] for done in engine.undone] == [408]
        await press(pilot, "U")
        assert [done[0] for done in engine.undone] == [408, 415], "of this session: at once"
        assert "Brought back" in screen_text(app)
        await press(pilot, "U")
        assert "There is no undo of yours" in screen_text(app)
        assert next(row for row in engine.log if row.seq == 408).stands


async def test_u_never_takes_back_what_others_did(make_station: Make) -> None:
    app = make_station(FakeEngine([row for row in the_log() if row.actor != "operator"]))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8", "u")
        assert "There is no decision of yours" in screen_text(app)


async def test_a_refusal_is_told_and_stays(make_station: Make, engine: FakeEngine) -> None:
    def refuse(seq: int) -> Any:
        raise Refused("It cannot be taken back", "the import is not complete\x1b[2J", "finish it first")

    engine.preview_undo = refuse  # type: ignore[method-assign]
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8", "z")
        assert isinstance(app.screen, ErrorDialog)
        shown = screen_text(app)
        assert "It cannot be taken back" in shown and "not complete[U+001B][2J" in shown and "finish it first" in shown
        await press(pilot, "q", "z", "1")
        assert isinstance(app.screen, ErrorDialog), "the room's keys do nothing under a dialog"
        await press(pilot, "escape")
        assert app.screen is app.here


async def test_read_only_says_why_and_does_nothing(make_station: Make, engine: FakeEngine) -> None:
    app = make_station(engine, read_only=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8", "z")
        assert "reading only" in screen_text(app) and "READ ONLY" in screen_text(app)
        await press(pilot, "u", "U")
        assert engine.undone == [] and app.screen is app.here


async def test_the_filter_looks_through_everything_and_escape_climbs_down(
    make_station: Make, engine: FakeEngine
) -> None:
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8", "/")
        await pilot.press(*"09:01z")
        assert isinstance(app.here, LogScreen) and app.here.is_filtering, "letters are text here"
        await press(pilot, "backspace", "enter")
        assert row_of(app).summary == "user standup_time 09:01"
        assert "filter 09:01" in screen_text(app)
        assert app.focused is app.here.main_pane
        count = app.here.main_pane.count
        assert count == len([row for row in engine.log if "09:01" in row.summary])
        await press(pilot, "/", "x")
        await press(pilot, "escape")
        assert app.here.filter_text, "the first step closes the field only"
        await press(pilot, "escape")
        assert (app.here.filter_text, app.here.main_pane.count) == ("", 414)
        await press(pilot, "escape")
        assert app.current_mode == "today"


async def test_a_filter_that_cannot_be_read_is_told_in_place(make_station: Make) -> None:
    app = make_station()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8", "/")
        await pilot.press(*"bad:x[/")
        await press(pilot, "enter")
        assert "there is no field 'bad'" in screen_text(app)
        assert app.screen is app.here


async def test_nothing_matches_is_not_nothing_there(make_station: Make) -> None:
    app = make_station()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8", "/")
        await pilot.press(*"zzz")
        await press(pilot, "enter")
        shown = screen_text(app)
        assert "Nothing matches zzz." in shown and "clear the filter" in shown
        await press(pilot, "enter")
        assert "there is no row here" in screen_text(app)
        await press(pilot, "escape")
        assert "Nothing matches" not in screen_text(app)


async def test_a_failed_read_is_a_failure(make_station: Make, engine: FakeEngine) -> None:
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        engine.reader.error = MemstationError("The file cannot be read", "input/output error")
        await press(pilot, "8")
        assert isinstance(app.screen, ErrorDialog)
        await press(pilot, "escape")
        assert "This list cannot be read." in screen_text(app)
        assert "No decision yet" not in screen_text(app)


async def test_enter_gives_the_detail_the_screen(make_station: Make) -> None:
    app = make_station()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8")
        assert isinstance(app.here, LogScreen)
        small = app.here.detail_pane.size.height
        await press(pilot, "enter")
        assert app.here.detail_pane.size.height > small
        assert app.focused is app.here.detail_pane
        await press(pilot, "escape")
        assert (app.here.detail_pane.size.height, app.focused) == (small, app.here.main_pane)


async def test_the_check_tells_what_it_found_and_remembers(make_station: Make, engine: FakeEngine) -> None:
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8", "V")
        assert "Checked: whole, unbroken. 414 entries" in screen_text(app)
        assert "checked today 09:14: whole, unbroken" in screen_text(app)
        assert app.services.state.visit(engine.uuid).head == "ab12"
        engine.report = type(engine.report)(False, 414, ("#7: the digest is wrong\x1b[2J",))
        await press(pilot, "V")
        assert isinstance(app.screen, NoticeDialog)
        assert "#7: the digest is wrong[U+001B][2J" in screen_text(app)
        await press(pilot, "escape")
        assert "BROKEN" in screen_text(app)
        assert app.services.state.visit(engine.uuid).head == "ab12", "the head of the sound log stays"


async def test_the_check_can_be_stopped(make_station: Make, engine: FakeEngine) -> None:
    engine.hold_check = True
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "8")
        await pilot.press("V")
        await pilot.pause(0.3)
        assert "Checking .. 1 of 414" in screen_text(app)
        await pilot.press("j", "j")
        assert row_of(app).seq == 412, "the room can be used meanwhile"
        await press(pilot, "escape")
        assert "was stopped" in screen_text(app)
        assert app.services.state.visit(engine.uuid).checked is None


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_hostile_text_is_shown_and_never_obeyed(make_station: Make, size: tuple[int, int]) -> None:
    app = make_station()
    rung: list[str] = []
    app.action_bell = lambda: rung.append("bell")  # type: ignore[method-assign]
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, "8")
        await to_entry(pilot, 400)
        await press(pilot, "enter")
        shown = screen_text(app)
        assert "[U+001B]]52;c;QUJD[U+0007]" in shown
        assert "[@click=app.bell]x[/]" in shown
        assert "[U+202E]evil[U+202C]" in shown
        assert "ok[U+D83D]end" in shown and "[U+009B]2J" in shown
        raw = screen_bytes(app)
        assert not any(byte < 0x20 or byte == 0x7F for byte in raw)
        assert b"\xc2\x9b" not in raw and "\u202e".encode() not in raw
        assert all(len(strip.text) and strip.cell_length == size[0] for strip in app.screen._compositor.render_strips())
        await press(pilot, "Y")
        assert "Sent to the terminal" in screen_text(app)
        assert "\x1b" not in app.clipboard
        await press(pilot, "escape", "/")
        app.here.query_one("#filter").value = HOSTILE  # type: ignore[union-attr,attr-defined]
        await press(pilot, "enter")
        assert "\x1b" not in screen_text(app)
        for x in range(0, size[0], 3):
            await pilot.click(offset=(x, 19))
        assert rung == []


async def test_the_room_opens_on_a_decision_that_is_asked_for(make_station: Make) -> None:
    app = make_station()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.open_log(seq=17)
        await settle(pilot)
        assert row_of(app).seq == 17
        await press(pilot, "1")
        app.open_log("budget_cap", 404)
        await settle(pilot)
        assert (row_of(app).seq, app.here.filter_text) == (404, "budget_cap")  # type: ignore[union-attr]


async def test_u_held_down_takes_back_one_at_a_time(make_station: Make, engine: FakeEngine) -> None:
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.session = {407, 408}
        await pilot.press("u", "u", "u")
        await settle(pilot)
        done = [seq for seq, _, _ in engine.undone]
        assert done in ([408], [408, 407]) and len(set(done)) == len(done)
        assert app.screen is app.here, "and no error"
