"""The past of the Timeline by its keys: the dialog, the comparison, the ways out, and what is off in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from memstation.config.settings import Settings
from memstation.domain.errors import MemstationError
from memstation.station.app import StationApp
from memstation.station.dialogs.help import HelpDialog
from memstation.station.dialogs.notice import ErrorDialog
from memstation.station.dialogs.past import PastDialog
from memstation.station.screens.log import LogScreen
from memstation.station.screens.timeline import TimelineScreen
from memstation.station.screens.timeline.past import PastScreen
from memstation.station.widgets.bars import Bar, Footer
from memstation.station.widgets.empty import Empty
from memstation.station.widgets.field import Field

from station.fakes import HOSTILE, NOW
from station.past_fakes import at, belief, past_engine, the_differences
from station.pilots import press, screen_bytes, screen_text, settle
from station.timeline_store import write

Make = Callable[..., StationApp]
SIZE = (80, 24)
EARLIER = ["10:00", "@ops_helper", None, "Helix", "Pro"]


async def ask(pilot: Any, text: str = "last tue", *before: str) -> None:
    """Open dudu's Timeline, ask for a moment."""
    await settle(pilot)
    pilot.app.open_timeline("dudu")
    await settle(pilot)
    await press(pilot, "t", *before)
    await write(pilot, text)


async def go(pilot: Any, text: str = "last tue", *before: str) -> PastScreen:
    """The past of dudu at a moment."""
    await ask(pilot, text, *before)
    await press(pilot, "enter")
    await settle(pilot)
    assert isinstance(pilot.app.screen, PastScreen), screen_text(pilot.app)
    return pilot.app.screen


def values(screen: PastScreen) -> list[str | None]:
    rows = [screen.main_pane.row(place) for place in range(screen.main_pane.count)]
    return [None if row is None or row.then is None else row.then.value for row in rows]


def message(app: StationApp) -> str:
    assert app.here is not None
    return app.here.query_one("#message", Bar).text


# -- the dialog --------------------------------------------------------------------------------------------------


async def test_t_asks_and_enter_shows_only_what_differs(make_station: Make) -> None:
    """Walk 5: `t`, "last tue", `enter`."""
    app = make_station(past_engine())
    async with app.run_test(size=SIZE) as pilot:
        screen = await go(pilot)
        assert values(screen) == EARLIER
        shown = screen_text(app)
        assert "« PAST  Believed on Tue 7 Apr 2026 00:00 UTC about that moment.  Read only." in shown
        assert "5 of 8 beliefs differ" in shown and "showing: 7 Apr, differences" in shown
        assert "BELIEVED THEN" in shown and "#410 agents, 14 Apr 07:31" in shown
        assert "t to now" in screen.query_one("#footer", Footer).text


async def test_the_dialog_says_how_a_day_is_read_while_it_is_typed(make_station: Make) -> None:
    app = make_station(past_engine())
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot, "las")
        await settle(pilot)
        assert "This cannot be read as a day: las" in screen_text(app)
        await write(pilot, "t tue")
        await settle(pilot)
        assert "reads as  Tue 7 Apr 2026 00:00 UTC, decision #398" in screen_text(app)
        await press(pilot, "down")
        assert "reads as  Tue 7 Apr 2026 00:00 UTC, as known today" in screen_text(app)
        assert "> 2  What is known today about a day" in screen_text(app)
        assert isinstance(app.screen, PastDialog)


@pytest.mark.parametrize(("text", "why"), [
    ("tomorrow", "Wed 15 Apr 2026 00:00 UTC is still to come"), ("31 dec", "is before the first decision"),
    ("#9999", "There is no decision #9999"), ("soon", "This cannot be read as a day"),
])  # fmt: skip
async def test_what_is_no_moment_stays_in_the_dialog_with_the_reason(make_station: Make, text: str, why: str) -> None:
    app = make_station(past_engine())
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot, text)
        await press(pilot, "enter")
        assert isinstance(app.screen, PastDialog)
        assert why in screen_text(app)
        assert app.screen.query_one("#day", Field).value == text
        field = app.screen.query_one("#day", Field)
        field.value = "-7d"
        await press(pilot, "enter")
        assert isinstance(app.screen, PastScreen)


async def test_an_empty_day_shows_examples_and_nothing_else(make_station: Make) -> None:
    app = make_station(past_engine())
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot, "")
        await press(pilot, "enter")
        assert isinstance(app.screen, PastDialog)
        assert "last tue, -7d, 2026-04-07 18:00, end of march, #408 (just before it)" in screen_text(app)


async def test_the_three_questions_by_arrows_and_by_digits(make_station: Make) -> None:
    engine = past_engine()
    app = make_station(engine)
    async with app.run_test(size=SIZE) as pilot:
        screen = await go(pilot, "-7d", "down", "down", "down")
        assert (screen.moment.question, screen.moment.day) == ("3", at(7))
        assert "What dudu believed on Tue 7 Apr 2026 00:00 UTC about now." in screen_text(app)
        assert (engine.reader.queries[-1].at, engine.reader.queries[-1].known_at) == (None, at(7))
        await press(pilot, "t", "t")
        assert isinstance(app.screen, PastDialog) and app.screen.kept == ("3", "-7d")
        await press(pilot, "1")
        assert app.screen.query_one("#day", Field).value == "1", "a digit is a letter in the field, and replaces"
        app.screen.query_one("#day", Field).value = "yesterday"
        await press(pilot, "tab", "2", "tab", "enter")
        await settle(pilot)
        assert isinstance(app.screen, PastScreen) and app.screen.moment.question == "2"
        assert "HELD THEN" in screen_text(app) and "HOLDS NOW" in screen_text(app)
        assert "Known today about Mon 13 Apr 2026 00:00 UTC." in screen_text(app)


async def test_a_decision_is_a_moment(make_station: Make) -> None:
    engine = past_engine()
    app = make_station(engine)
    async with app.run_test(size=(120, 36)) as pilot:
        await ask(pilot, "#408")
        await settle(pilot)
        assert "reads as  Mon 13 Apr 2026 18:01 UTC, just before decision #408" in screen_text(app)
        await press(pilot, "enter")
        assert engine.reader.queries[-1].known_at == 407 and engine.reader.queries[-1].at == at(13, 18, 1)
        assert (
            "What dudu believed just before #408 (13 Apr 18:01 UTC) about that same moment.  Read only."
            in screen_text(app)
        )
        assert "showing: before #408, differences" in screen_text(app)


async def test_enter_pressed_before_the_day_was_read_waits_for_it(make_station: Make) -> None:
    engine = past_engine()
    app = make_station(engine)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot, "")
        engine.reader.go.clear()
        await pilot.press("-", "7", "d", "enter")
        assert isinstance(app.screen, PastDialog)
        engine.reader.go.set()
        await settle(pilot)
        assert isinstance(app.screen, PastScreen)


async def test_escape_closes_the_dialog_and_keeps_what_was_written(make_station: Make) -> None:
    app = make_station(past_engine())
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot, "-7d")
        await press(pilot, "escape")
        assert isinstance(app.screen, TimelineScreen)
        await press(pilot, "t")
        assert isinstance(app.screen, PastDialog) and app.screen.query_one("#day", Field).value == "-7d"
        await write(pilot, "-8d")
        await press(pilot, "enter")
        assert isinstance(app.screen, PastScreen) and app.screen.moment.day == at(6)


async def test_a_failed_read_in_the_dialog_is_told_there(make_station: Make) -> None:
    engine = past_engine()
    app = make_station(engine)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot, "")
        engine.reader.error = MemstationError("The file cannot be read", "disk I/O error")
        await write(pilot, "-7d")
        await press(pilot, "enter")
        assert isinstance(app.screen, PastDialog)
        assert "The file cannot be read: disk I/O error" in screen_text(app)
        engine.reader.error = None


async def test_no_agent_no_past(make_station: Make) -> None:
    engine = past_engine()
    engine.reader.agents = lambda: []
    app = make_station(engine)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "2", "t")
        assert isinstance(app.screen, TimelineScreen)
        assert "there is no agent yet" in message(app)


# -- the comparison ----------------------------------------------------------------------------------------------


async def test_equals_shows_all_and_keeps_the_cursor(make_station: Make) -> None:
    app = make_station(past_engine())
    async with app.run_test(size=SIZE) as pilot:
        screen = await go(pilot)
        await press(pilot, "down", "down")
        assert "= all" in screen.query_one("#footer", Footer).text
        await press(pilot, "=")
        assert screen.main_pane.count == 8 and screen.main_pane.cursor == 2
        assert "showing: 7 Apr, all" in screen_text(app) and "= same" in screen_text(app)
        assert "= differences" in screen.query_one("#footer", Footer).text
        await press(pilot, "G", "=")
        assert screen.main_pane.count == 5
        assert message(app) == "", "that the row is not among the differences is no news"


async def test_a_day_back_and_on_keeps_the_cursor_and_stops_at_both_ends(make_station: Make) -> None:
    engine = past_engine()
    app = make_station(engine)
    async with app.run_test(size=SIZE) as pilot:
        screen = await go(pilot, "yesterday")
        await press(pilot, "down", ",")
        assert screen.moment.day == at(12) and screen.main_pane.cursor == 1
        assert "showing: 12 Apr" in screen_text(app) and "Sun 12 Apr 2026" in screen_text(app)
        await press(pilot, ".", ".")
        assert screen.moment.day == at(14)
        await press(pilot, ".")
        assert screen.moment.day == at(14)
        assert "A day on: Wed 15 Apr 2026 00:00 UTC is still to come" in message(app)
        for _ in range(3):
            await pilot.press(",")
        await settle(pilot)
        assert screen.moment.day == at(11), "no press is lost while a comparison is read"


async def test_a_day_back_ends_before_the_first_decision(make_station: Make) -> None:
    app = make_station(past_engine())
    async with app.run_test(size=SIZE) as pilot:
        screen = await go(pilot, "2026-01-02")
        await press(pilot, ",")
        assert screen.moment.day == at(2, month=1)
        assert "is before the first decision" in message(app)


async def test_the_detail_says_then_now_why_and_follows_the_cursor(make_station: Make) -> None:
    app = make_station(past_engine())
    async with app.run_test(size=SIZE) as pilot:
        screen = await go(pilot)
        await press(pilot, "down")
        await settle(pilot)
        shown = screen_text(app)
        assert "user deploy_owner" in shown and "nothing: withdrawn, it was never true" in shown
        assert "w opens #408" in shown
        await press(pilot, "enter")
        assert screen.query_one("#shell").has_class("-reading") and screen.focused is screen.detail_pane
        await press(pilot, "escape")
        assert not screen.query_one("#shell").has_class("-reading") and app.screen is screen


async def test_enter_in_the_detail_opens_the_decision_and_going_back_keeps_the_cursor(make_station: Make) -> None:
    app = make_station(past_engine())
    async with app.run_test(size=SIZE) as pilot:
        screen = await go(pilot)
        await press(pilot, "down", "enter", "enter")
        assert isinstance(app.screen, LogScreen)
        await settle(pilot)
        assert app.screen.main_pane.selected.seq == 408
        assert "escape goes back to the past of dudu" in screen_text(app)
        await press(pilot, "escape")
        assert app.screen is screen and screen.main_pane.cursor == 1
        await press(pilot, "escape", "w")
        assert isinstance(app.screen, LogScreen)
        await press(pilot, "2")
        assert app.screen is screen


async def test_a_way_back_over_several_rooms_finds_the_past(make_station: Make) -> None:
    app = make_station(past_engine())
    async with app.run_test(size=SIZE) as pilot:
        screen = await go(pilot)
        await press(pilot, "w", "1", "escape")
        assert isinstance(app.screen, LogScreen)
        await press(pilot, "escape")
        assert app.screen is screen
        await press(pilot, "w", "1", "2")
        assert isinstance(app.screen, TimelineScreen), "from a third room the Timeline shows now"


async def test_a_difference_that_time_made_has_no_decision_to_open(make_station: Make) -> None:
    app = make_station(past_engine())
    async with app.run_test(size=SIZE) as pilot:
        screen = await go(pilot)
        await press(pilot, "G")
        await settle(pilot)
        assert "time passed: it ended by its own date" in screen_text(app)
        await press(pilot, "w")
        assert app.screen is screen and "no decision did it: time passed" in message(app)
        await press(pilot, "=", "G", "enter", "enter")
        assert app.screen is screen and "nothing changed it" in message(app)


async def test_the_verbs_are_off_and_say_why(make_station: Make) -> None:
    engine = past_engine()
    app = make_station(engine)
    async with app.run_test(size=SIZE) as pilot:
        screen = await go(pilot)
        for key, title in (("c", "Correct .."), ("+", "Tell the agent a fact"), ("m", "Holds many values / one"),
                           ("u", "Undo your last decision"), ("U", "Do it again")):  # fmt: skip
            await press(pilot, key)
            assert app.screen is screen
            assert message(app) == f"{title}: the past can only be read; t goes back to now"
        dim = {key for key, _label, is_dim in screen.query_one("#footer", Footer)._keys if is_dim}
        assert dim == {"c"}
        assert engine.undone == [] and engine.writes == 0


async def test_the_reason_names_the_key_in_effect(make_station: Make) -> None:
    app = make_station(past_engine(), settings=Settings(keys={"past.leave": ("b",)}))
    async with app.run_test(size=SIZE) as pilot:
        await go(pilot)
        await press(pilot, "c")
        assert message(app).endswith("b goes back to now")
        await press(pilot, "b")
        assert isinstance(app.screen, TimelineScreen)


async def test_help_shows_the_keys_of_the_past(make_station: Make) -> None:
    app = make_station(past_engine())
    async with app.run_test(size=(120, 36)) as pilot:
        await go(pilot)
        await press(pilot, "?")
        assert isinstance(app.screen, HelpDialog)
        text = app.screen.pane.text
        assert "Back to now" in text and "Only differences / all" in text and "A day back" in text
        assert "dim here: the past can only be read; t goes back to now" in " ".join(text.split())
        assert "Keys in Timeline, the past" in screen_text(app) and "Show the past" not in text


# -- ways out ----------------------------------------------------------------------------------------------------


async def test_t_and_the_ladder_go_back_to_now(make_station: Make) -> None:
    app = make_station(past_engine())
    async with app.run_test(size=SIZE) as pilot:
        await go(pilot)
        await press(pilot, "t")
        assert isinstance(app.screen, TimelineScreen) and message(app) == "Timeline shows now."
        assert "showing: now" in screen_text(app)
        screen = await go(pilot)
        await press(pilot, "/")
        await write(pilot, "owner")
        await press(pilot, "enter", "enter")
        await press(pilot, "escape")
        assert app.screen is screen and screen.filter_text == "owner", "the detail first"
        await press(pilot, "escape")
        assert app.screen is screen and screen.filter_text == "", "then the filter"
        await press(pilot, "escape")
        assert isinstance(app.screen, TimelineScreen), "then the past"


async def test_another_room_shows_now_and_says_so(make_station: Make) -> None:
    app = make_station(past_engine())
    async with app.run_test(size=SIZE) as pilot:
        await go(pilot)
        await press(pilot, "8")
        assert message(app) == "Log shows now."
        await press(pilot, "escape")
        assert isinstance(app.screen, TimelineScreen)
        await go(pilot)
        await press(pilot, "1")
        assert message(app) == "Today shows now."
        await press(pilot, "2")
        assert isinstance(app.screen, TimelineScreen)


async def test_a_fact_opened_from_elsewhere_is_shown_as_it_is_now(make_station: Make) -> None:
    app = make_station(past_engine())
    async with app.run_test(size=SIZE) as pilot:
        await go(pilot)
        await press(pilot, "w")
        app.open_timeline("kei", "about:会議室")
        await settle(pilot)
        assert isinstance(app.screen, TimelineScreen)
        assert (app.screen.fact_agent, app.screen.filter_text) == ("kei", "about:会議室")


async def test_another_agent_at_the_same_moment(make_station: Make) -> None:
    engine = past_engine()
    app = make_station(engine)
    async with app.run_test(size=SIZE) as pilot:
        screen = await go(pilot)
        await press(pilot, "@")
        await write(pilot, "kei")
        await press(pilot, "enter")
        assert app.screen is screen and screen.agent == "kei" and screen.moment.day == at(7)
        assert {query.agent_id for query in engine.reader.queries[-2:]} == {"kei"}
        assert "Believed on Tue 7 Apr 2026" in screen_text(app).replace("What kei believed", "Believed")
        await press(pilot, "@")
        await write(pilot, "all agents")
        await press(pilot, "enter")
        assert screen.agent == "kei" and "one agent at a time" in message(app)
        await press(pilot, "t")
        assert isinstance(app.screen, TimelineScreen) and app.screen.fact_agent == "kei"


# -- filter, refresh, failures -----------------------------------------------------------------------------------


async def test_the_filter_narrows_and_a_refused_one_stays_in_its_field(make_station: Make) -> None:
    app = make_station(past_engine())
    async with app.run_test(size=SIZE) as pilot:
        screen = await go(pilot)
        await press(pilot, "/")
        await write(pilot, "bad:x")
        await press(pilot, "enter")
        assert screen.is_filtering and "This filter cannot be read" in message(app)
        assert screen.main_pane.count == 5
        screen.query_one("#filter", Field).value = "standup"
        await press(pilot, "enter")
        assert not screen.is_filtering and values(screen) == ["10:00"]
        assert "filter standup (1)  escape clears" in screen_text(app)


async def test_what_another_process_writes_refreshes_and_keeps_the_cursor(make_station: Make) -> None:
    engine = past_engine()
    app = make_station(engine)
    async with app.run_test(size=SIZE) as pilot:
        screen = await go(pilot)
        await press(pilot, "down", "down")
        key = screen.main_pane.selected.key
        engine.reader.rows.insert(0, belief(99, "office", "changed", "台北", "東京", since=at(14)))
        engine.writes += 1
        app.look()
        await settle(pilot)
        assert screen.main_pane.count == 6 and screen.main_pane.selected.key == key
        assert "6 of 9 beliefs differ" in screen_text(app)
        engine.reader.rows = [row for row in engine.reader.rows if row.key != key]
        engine.writes += 1
        app.look()
        await settle(pilot)
        assert "not in this list any more" in message(app)


async def test_a_failed_read_is_no_empty_list(make_station: Make) -> None:
    engine = past_engine()
    engine.reader.past_error = MemstationError("The file cannot be read", "disk I/O error")
    app = make_station(engine)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await press(pilot, "enter")
        await settle(pilot)
        assert isinstance(app.screen, ErrorDialog)
        await press(pilot, "escape")
        screen = app.screen
        assert isinstance(screen, PastScreen)
        assert not screen.query_one("#empty", Empty).display
        assert "cannot be read" in screen_text(app) and "Nothing differs" not in screen_text(app)
        engine.reader.past_error = None
        await press(pilot, "=")
        assert screen.main_pane.count == 8 and "cannot be read" not in screen_text(app)


async def test_a_failed_detail_is_told_in_its_place(make_station: Make) -> None:
    engine = past_engine()
    app = make_station(engine)
    async with app.run_test(size=SIZE) as pilot:
        await go(pilot)
        engine.reader.error = MemstationError("The file cannot be read", "disk I/O error")
        await press(pilot, "down")
        await settle(pilot)
        assert "cannot be read" in screen_text(app) and "disk I/O error" in screen_text(app)
        engine.reader.error = None


@pytest.mark.parametrize(("rows", "same", "keys", "words"), [
    ([], 3, (), "Nothing differs: what dudu believed then is what it believes now."),
    ([], 0, ("=",), "dudu believed nothing then, and believes nothing now."),
])  # fmt: skip
async def test_what_is_empty_says_why_and_the_next_key(
    make_station: Make, rows: list[Any], same: int, keys: tuple[str, ...], words: str
) -> None:
    app = make_station(past_engine(rows, same))
    async with app.run_test(size=SIZE) as pilot:
        screen = await go(pilot)
        await press(pilot, *keys)
        assert words in screen_text(app)
        assert "back to now" in screen.query_one("#empty", Empty).text
        assert not screen.main_pane.display and not screen.query_one("#detail-side").display
        await press(pilot, "=")
        assert screen.main_pane.display is (same > 0)


async def test_an_empty_filter_result_says_that_only_differences_were_looked_through(make_station: Make) -> None:
    app = make_station(past_engine())
    async with app.run_test(size=SIZE) as pilot:
        screen = await go(pilot)
        await press(pilot, "/")
        await write(pilot, "fact_1")
        await press(pilot, "enter")
        assert "Nothing that differs matches fact_1." in screen_text(app)
        await press(pilot, "=")
        assert screen.main_pane.count == 1


async def test_a_slow_comparison_says_that_it_is_read(make_station: Make) -> None:
    engine = past_engine()
    app = make_station(engine)
    async with app.run_test(size=SIZE) as pilot:
        screen = await go(pilot)
        engine.reader.go.clear()
        await pilot.press(",")
        await pilot.pause()
        assert "reading .." in screen.query_one("#what", Bar).text
        engine.reader.go.set()
        await settle(pilot)
        assert "5 of 8 beliefs differ" in screen.query_one("#what", Bar).text


async def test_a_hundred_thousand_rows_are_read_by_the_page(make_station: Make) -> None:
    first = the_differences()[0]
    rows = [replace(first, key=f"k{n}", then=replace(first.then, n=n), now=replace(first.now, n=200_000 + n))
            for n in range(100_000)]  # type: ignore[type-var] # fmt: skip
    engine = past_engine(rows, 0)
    app = make_station(engine)
    async with app.run_test(size=SIZE) as pilot:
        screen = await go(pilot)
        assert screen.main_pane.count == 100_000
        await press(pilot, "G")
        assert screen.main_pane.cursor == 99_999
        await press(pilot, "g", "pagedown", "=")
        assert screen.main_pane.count == 100_000 and "1,000 of" not in screen_text(app)
        assert max(source.pages_read for source in engine.reader.sources) <= 2, (
            "one page for the end, one for the start"
        )


async def test_hostile_text_reaches_the_terminal_as_tokens(make_station: Make) -> None:
    rows = [belief(n, HOSTILE, kind, HOSTILE, f"{HOSTILE}{n}", subject=HOSTILE, agent_id=HOSTILE, since=at(14),
                   cause=None) for n, kind in enumerate(("changed", "gone", "new", "same"), 1)]  # fmt: skip
    app = make_station(past_engine(rows))
    for size in (SIZE, (120, 36)):
        app = make_station(past_engine(rows))
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            app.open_timeline(HOSTILE)
            await settle(pilot)
            await press(pilot, "t")
            await write(pilot, "-7d")
            await press(pilot, "enter", "enter")
            assert isinstance(app.screen, PastScreen)
            sent = screen_bytes(app).decode("utf-8")
            assert not any(char in sent for char in "\x1b\x07\u202e\u200b\r\t\x9b")


async def test_the_past_of_a_file_that_is_read_only(make_station: Make) -> None:
    app = make_station(past_engine(), read_only=True)
    async with app.run_test(size=SIZE) as pilot:
        await go(pilot)
        await press(pilot, "c")
        assert "the past can only be read" in message(app)
        assert "READ ONLY" in screen_text(app)


async def test_the_clock_of_the_fakes_is_that_of_the_days() -> None:
    assert at(14, 9, 14) == NOW
