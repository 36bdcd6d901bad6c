"""Timeline: list, lanes and detail are about the row under the cursor; filter, order, agent, sheet, copies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from memstation.station.app import StationApp
from memstation.station.screens.timeline import TimelineScreen
from memstation.station.widgets.empty import Empty
from memstation.station.widgets.lanes import Lanes

from station.pilots import resize, screen_text
from station.timeline_store import Make, Story, open_room, press, put_cursor, settle, the_story, write


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    story = the_story(tmp_path / "agents.db")
    yield story
    story.engine.close()


def message(app: StationApp) -> str:
    return "".join(part for part, _role in app.message)


def lanes(room: TimelineScreen) -> str:
    return room.query_one("#lanes", Lanes).text


async def test_rows_lanes_and_two_lines_at_80(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_room(pilot)
        await put_cursor(pilot, "Cloudflare Workers")
        shown = screen_text(app)
        lines = shown.splitlines()
        assert lines[2].split() == ["STATE", "ABOUT", "SAYS", "VALUE", "FROM", "SOURCE", "TR"]
        assert "speaks (many)" in shown and "日本語" in shown and "telegram/42" in shown
        assert "✗ withdrawn" in shown and "! tainted" in shown and "▲ held" in shown and "◇ scheduled" in shown
        assert lines[12].startswith("── user deploy_target, as dudu believes it ─")
        assert lines[12].endswith("2 values, 1 waits ──") and "│now" in lines[13]
        assert "told by you 3 Mar 10:02, confirmed 20 Mar, 12 Apr by line" in lines[19]
        assert "It replaced Vercel (1 Jan to 3 Mar)." in lines[20] and "w shows why in full" in lines[20]
        assert "newest learned first" in lines[22] and lines[23].strip().startswith("enter open   w why   c correct")
        assert lanes(room).splitlines()[2].startswith("❯● Cloudflare Workers")


async def test_list_detail_and_lanes_at_120(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(120, 36)) as pilot:
        await open_room(pilot)
        await put_cursor(pilot, "Cloudflare Workers")
        shown = screen_text(app)
        for words in ("Told by    you, trust 1.0", "Learned    3 Mar 10:02, from cli", "Confirmed  12 Apr 16:40 by",
                      "Replaced   Vercel, 1 Jan to 3 Mar", "Waiting    Heroku, from", "Made from  nothing: first-hand",
                      "Leads to   nothing", "until (not included)"):  # fmt: skip
            assert words in shown, words
        assert shown.splitlines()[23].startswith("── user deploy_target, as dudu believes it ─")


async def test_a_note_shows_its_content_in_the_room_of_all_three(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_room(pilot)
        await press(pilot, "G")
        assert "note   The printer jams; tray two works." in screen_text(app)
        await put_cursor(pilot, "The printer jams; tray two works.")
        assert "a note, as dudu believes it" in screen_text(app)


async def test_the_detail_is_never_about_another_row(
    make_station: Make, story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(120, 36)) as pilot:
        room = await open_room(pilot)
        for slow in (False, True):
            monkeypatch.setattr("memstation.station.screens.timeline.detail.AT_ONCE", -1.0 if slow else 1.0)
            await press(pilot, "g")
            for _ in range(room.main_pane.count - 1):
                await pilot.press("j")
                row = room.main_pane.selected
                assert room._row is not None and row is not None and room._row.n == row.n
                assert room._detail is None or room._detail.record.n == row.n
                title = "".join(part for part, _role in room.query_one("#lanes-title")._left)  # type: ignore[attr-defined]
                assert (row.predicate or "a note") in title
            await settle(pilot)
            assert room._detail is not None and room._detail.record.n == room.main_pane.selected.n  # type: ignore[union-attr]


async def test_enter_opens_all_about_it_and_escape_keeps_the_cursor(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_room(pilot)
        await put_cursor(pilot, "Cloudflare Workers")
        place = room.main_pane.cursor
        await press(pilot, "enter")
        assert room.is_reading
        text = room.sheet.text
        for words in ("State      ● current", "Value      Cloudflare Workers", "In words   The team moved deploys from",
                      "Holds      Tue 3 Mar 2026 00:00 UTC, no end", "Kept as    episodic",
                      "Told by    you, trust 1.0", "Decision   #", "Confirmed  2 times", "12 Apr 16:40 by",
                      "Replaced   Vercel, 1 Jan to 3 Mar", "Waiting    Heroku", "Made from  nothing"):  # fmt: skip
            assert words in text, words
        assert "WHAT IT SAYS" in screen_text(app) and room.main_pane.selected.value == "Cloudflare Workers"  # type: ignore[union-attr]
        await press(pilot, "j", "j")
        assert room.sheet.scroll_offset.y > 0 and room.main_pane.cursor == place, "the keys scroll the sheet"
        await press(pilot, "escape")
        assert not room.is_reading and room.main_pane.cursor == place and app.focused is room.main_pane


async def test_w_puts_the_reasons_first(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_room(pilot)
        await put_cursor(pilot, "owner is @ops_helper")
        await press(pilot, "w")
        assert room.sheet.text.startswith("WHY IT IS BELIEVED")
        assert "Judged     trust lowered" in room.sheet.text and "told with" in room.sheet.text
        assert "user deploy_owner: @ops_helper  withdrawn" in room.sheet.text, "its source with the source's state"
        await press(pilot, "escape")
        await put_cursor(pilot, "@ops_helper")
        await press(pilot, "w")
        assert room.sheet.text.startswith("WHY IT IS NOT IN USE") and "it was never true" in room.sheet.text
        assert "user release_note: owner is @ops_helper  tainted" in room.sheet.text, "what was made from it"


async def test_y_copies_the_id_and_Y_the_text(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_room(pilot)
        await put_cursor(pilot, "Cloudflare Workers")
        await press(pilot, "y")
        assert app.clipboard == room.main_pane.selected.id and "Sent to the terminal" in message(app)  # type: ignore[union-attr]
        await press(pilot, "Y")
        assert app.clipboard == "The team moved deploys from Vercel to Cloudflare Workers."


async def test_the_filter_follows_what_is_typed_and_escape_clears_it(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_room(pilot)
        total = room.main_pane.count
        await press(pilot, "slash")
        await write(pilot, "about:user says:speaks")
        await pilot.pause(0.3)
        await settle(pilot)
        assert room.main_pane.count == 2, "before enter"
        await press(pilot, "enter")
        shown = screen_text(app)
        assert f"{total} facts   filter about:user says:speaks (2)" in shown
        await press(pilot, "escape")
        assert (
            room.filter_text == ""
            and room.main_pane.count == total
            and "filter" not in screen_text(app).splitlines()[1]
        )


@pytest.mark.parametrize(
    "text", ["[", "[/]", "trust:", 'about:"', "state:x", "nosuch:y", "trust:>", "-", '"', "about:,"]
)
async def test_half_a_term_says_why_and_keeps_the_list(make_station: Make, story: Story, text: str) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_room(pilot)
        total = room.main_pane.count
        await press(pilot, "slash")
        await write(pilot, text)
        await pilot.pause(0.3)
        await settle(pilot)
        assert room.main_pane.error is None
        was_read = room.filter_text == text
        assert was_read or (message(app) and room.main_pane.count == total)
        await press(pilot, "enter")
        assert room.is_filtering is not was_read, "what cannot be read stays in its field"
        await press(pilot, "escape", "escape")
        assert room.filter_text == "" and room.main_pane.count == total and not room.is_filtering


async def test_nothing_matches_says_how_many_there_are(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_room(pilot)
        total = room.main_pane.count
        await press(pilot, "slash")
        await write(pilot, "zzz[")
        await press(pilot, "enter")
        await settle(pilot)
        shown = screen_text(app)
        assert "Nothing matches zzz[." in shown and f"dudu has {total} facts without this filter." in shown
        assert "as dudu believes it" not in shown, "no detail beside no row"
        await press(pilot, "c")
        assert "no fact is under the cursor" in message(app)
        await press(pilot, "escape", "j")
        assert room.main_pane.count == total and room.main_pane.cursor == 1, "the list has its keys again"


async def test_an_agent_without_memories_and_a_store_without_agents(
    make_station: Make, story: Story, tmp_path: Path
) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_room(pilot, "nobody")
        assert "nobody has no memories yet." in screen_text(app) and room.query_one("#empty", Empty).display
    app = make_station(Story(tmp_path / "empty.db").engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "2")
        shown = screen_text(app)
        for words in ("No agent has told anything yet.", "memstation demo", "memstation restore", "memstation add"):
            assert words in shown
        await press(pilot, "plus", "c", "w", "enter", "m", "o", "y", "slash", "escape")


async def test_all_agents_shows_the_first_and_says_whose_facts_they_are(make_station: Make, story: Story) -> None:
    story.tell("2026-04-14 09:10", "user_direct", ("office", "lunch", "12:00"), agent="agnes")
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "2")
        shown = screen_text(app)
        assert " agnes   1 fact" in shown and "| agnes |" in shown
        app.choose("dudu")
        app.here.agent_chosen("dudu")  # type: ignore[union-attr]
        await settle(pilot)
        assert "| dudu |" in screen_text(app) and "office" in screen_text(app)
        app.here.agent_chosen(None)  # type: ignore[union-attr]
        assert "one agent at a time" in message(app)


async def test_o_turns_the_order_and_keeps_the_fact(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_room(pilot)
        await put_cursor(pilot, "東京")
        assert room.main_pane.cursor > 0
        await press(pilot, "o")
        assert room.main_pane.selected.value == "東京" and room.main_pane.cursor == 0, "it starts last"  # type: ignore[union-attr]
        assert "latest start first" in screen_text(app)


async def test_other_rooms_open_a_filter_and_a_fact(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_room(pilot, "dudu", "state:held", None)
        assert room.main_pane.count == 1 and room.main_pane.selected.value == "Heroku"  # type: ignore[union-attr]
        wanted = story.engine.get_at("dudu", "user", "ci", "2026-01-01") is None
        assert wanted
        await open_room(pilot, "dudu", "", 1)
        assert room.filter_text == "" and room.main_pane.selected.value == "Vercel"  # type: ignore[union-attr]
        await open_room(pilot, "dudu", "", 3)  # confirms Vercel
        assert room.main_pane.selected.n == 1 and "confirms this fact" in message(app)  # type: ignore[union-attr]
        await open_room(pilot, "dudu", "state:held", 1)
        assert "not among what the filter shows" in message(app)
        await open_room(pilot, "dudu", "", 999)
        assert "not in this list" in message(app)


async def test_a_wider_terminal_shows_the_same_fact(make_station: Make, story: Story) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_room(pilot)
        await put_cursor(pilot, "Cloudflare Workers")
        await resize(pilot, 120, 36)
        await settle(pilot)
        assert "Told by    you, trust 1.0" in screen_text(app)
        assert room.main_pane.selected.value == "Cloudflare Workers"  # type: ignore[union-attr]
        await resize(pilot, 80, 24)
        await settle(pilot)
        assert "told by you 3 Mar" in screen_text(app)
