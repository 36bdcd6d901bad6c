"""The Sources room: who is listed and what is said of each, where it leads, and the orders that can be given."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from memstation.domain.errors import StoreUnusable
from memstation.station.app import StationApp
from memstation.station.dialogs.confirm import ConfirmDialog
from memstation.station.dialogs.pick import PickDialog
from memstation.station.dialogs.trust import TrustDialog, read_trust
from memstation.station.screens.sources import SourcesScreen
from memstation.station.screens.timeline import TimelineScreen

from station.fakes import NOW
from station.pilots import press, screen_text
from station.review_store import Held
from station.sources_store import CJK, LINE, NEAR, POISON, WEB, at, keys, names, open_sources, the_sources
from station.timeline_store import Make, settle, write


def message(app: StationApp) -> str:
    return "".join(part for part, _role in app.message)


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Held]:
    story = the_sources(tmp_path / "agents.db")
    yield story
    story.engine.close()


async def test_the_weakest_is_first_and_all_is_said_of_it(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_sources(pilot)
        assert names(room)[:2] == [POISON, "agent_derived"] and names(room)[-2:] == ["operator", "user_direct"]
        assert names(room).count(WEB) == 1, "a source of which nothing was kept is there, too"
        shown = screen_text(app)
        assert "8 sources, 13 facts" in shown and "weakest trust first" in shown
        assert "1 of agnes, 3 of dudu" in shown and "2 memories were made from them" in shown
        assert "at most 0.3 by itself" in shown and "last today 09:02" in shown
        assert "6 times since 14 Apr" in shown, "what agents read of it"
        await at(pilot, "operator")
        await press(pilot, "B")
        assert "that is you" in message(app) and app.screen is room
        await keys(pilot, "o")
        assert names(room)[0] == WEB or names(room)[0] == POISON
        assert room.main_pane.selected.origin == "operator", "the cursor stays on its source"  # type: ignore[union-attr]
        await keys(pilot, "o")
        assert "most facts first" in message(app) and names(room)[0] == POISON


async def test_what_was_dropped_leads_from_today_to_its_source(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    app.services.state.keep(story.engine.uuid, seen=NOW.replace(hour=8))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert f"1 from {WEB}: dropped by the gate" in screen_text(app)
        app.here.main_pane.ends("last")  # type: ignore[union-attr]
        await keys(pilot, "enter")
        assert isinstance(app.here, SourcesScreen) and app.here.main_pane.selected.origin == WEB
        assert "1 dropped: orders.ignore" in screen_text(app)


async def test_the_filter_takes_words_and_signs(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(120, 36)) as pilot:
        room = await open_sources(pilot)
        for text, found in (("telegram", [POISON, NEAR]), ("is:held", [POISON]), ("is:dropped", [WEB]),
                            ("class:channel -telegram", [CJK, LINE]), ("老闆", [CJK])):  # fmt: skip
            room.set_filter(text)
            await settle(pilot)
            assert names(room) == found, text
        room.set_filter("nobody")
        await settle(pilot)
        assert "No source matches nobody." in screen_text(app) and "8 sources without this filter" in screen_text(app)
        room.set_filter("is:odd")
        await settle(pilot)
        assert "does not take odd" in message(app)
        room.set_filter("")
        app.choose("agnes")
        room.agent_chosen("agnes")
        await settle(pilot)
        assert names(room) == [POISON, CJK, LINE] and "3 sources, 3 facts" in screen_text(app), "whose sources"


async def test_enter_leads_to_its_facts(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_sources(pilot)
        await at(pilot, NEAR)
        await keys(pilot, "enter")
        assert isinstance(app.here, TimelineScreen) and app.here.fact_agent == "dudu"
        assert app.here.main_pane.count == 1 and NEAR in screen_text(app)
        await keys(pilot, "escape", "escape")
        assert app.agent_id == "dudu", "the agent that was shown is the one of every room"
        await keys(pilot, "@", *"all", "enter")
        await at(pilot, LINE)
        await press(pilot, "enter")
        assert isinstance(app.screen, PickDialog), "it told two agents something: whose?"
        await keys(pilot, "enter")
        assert isinstance(app.here, TimelineScreen) and app.here.fact_agent == "agnes"
        assert "台北" in screen_text(app)


async def test_a_source_is_blocked_and_let_write_again(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    digest = story.engine.state_digest()
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_sources(pilot)
        await press(pilot, "B")
        assert isinstance(app.screen, ConfirmDialog) and f"Block {POISON} for all agents?" in screen_text(app)
        await press(pilot, "enter")
        assert "Nothing was changed." in message(app) and story.engine.state_digest() == digest
        await keys(pilot, "B", "y")
        assert "Blocked" in message(app) and "blocked" in screen_text(app) and "1 blocked" in screen_text(app)
        assert room.main_pane.selected.blocked_for == ("*",)  # type: ignore[union-attr]
        await press(pilot, "B")
        assert "write again" in screen_text(app)
        await keys(pilot, "y")
        assert room.main_pane.selected.blocked_for == ()  # type: ignore[union-attr]
        await keys(pilot, "u")
        await keys(pilot, "u")
        assert story.engine.state_digest() == digest


async def test_the_trust_of_a_source_and_of_a_fact_is_set(make_station: Make, story: Held) -> None:
    app = make_station(story.engine)
    digest = story.engine.state_digest()
    async with app.run_test(size=(80, 24)) as pilot:
        room = await open_sources(pilot)
        await press(pilot, "T")
        assert isinstance(app.screen, TrustDialog)
        await write(pilot, "nine")
        assert "no number from 0 to 1" in screen_text(app)
        app.screen.query_one("#trust").value = "0.1"  # type: ignore[attr-defined]
        await settle(pilot)
        await pilot.pause(0.3)
        await settle(pilot)
        assert "trust 0.3 to 0.1" in screen_text(app)
        await press(pilot, "enter", "enter", "y")
        await keys(pilot)
        assert "Trust set" in message(app) and room.main_pane.selected.trust_set == 0.1  # type: ignore[union-attr]
        assert "set to 0.1" in screen_text(app)
        await keys(pilot, "u")
        assert story.engine.state_digest() == digest
        app.open_timeline("dudu", "says:lunch")
        await settle(pilot)
        await press(pilot, "T")
        app.screen.query_one("#trust").value = "1"  # type: ignore[attr-defined]
        await pilot.pause(0.3)
        await press(pilot, "enter", "enter", "y")
        record = story.engine.get_at("dudu", "user", "lunch", "2026-04-14")
        assert record is not None and (record.origin_trust, record.origin) == (1.0, NEAR), "who told it stays known"


def test_trust_is_a_number_from_0_to_1() -> None:
    assert [read_trust(text) for text in ("0", "1", "0,5", ".25", "1.1", "-1", "nan", "", "x")] == [
        0.0, 1.0, 0.5, 0.25, None, None, None, None, None,
    ]  # fmt: skip


async def test_a_failed_read_does_not_look_like_an_empty_list(
    make_station: Make, story: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise StoreUnusable("The file is damaged", "page 7")

    monkeypatch.setattr(story.engine.reader, "sources", broken)
    app = make_station(story.engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await keys(pilot, "4")
        assert "The file is damaged" in screen_text(app)
        await keys(pilot, "escape")
        assert "Nobody has told anything yet" not in screen_text(app)
