"""Erasing from the station: whom, look, type; Enter alone never does it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from memstation import open_engine
from memstation.station.app import StationApp
from memstation.station.own import Own
from memstation.station.render.glyphs import PLAIN
from memstation.station.render.log_detail import decision_rows

from engine_facts import tell
from station.fakes import NOW
from station.pilots import press, screen_text, settle

SIZES = [(80, 24), (120, 36)]


@pytest.fixture
def engine(tmp_path: Path) -> Any:
    with open_engine(tmp_path / "memories.db", clock=lambda: NOW) as engine:
        tell(engine, "Zanzibar", "2026-01-01", subject="Mira")
        tell(engine, "parrots", "2026-01-01", subject="mira", predicate="likes")
        yield engine


async def to_the_look(app: StationApp, pilot: Any) -> None:
    await settle(pilot)
    app.choose("ada")
    app.erase_person()
    await settle(pilot)
    await press(pilot, *"mira", "enter")


@pytest.mark.parametrize("size", SIZES)
async def test_look_then_type_then_it_is_gone(
    make_station: Callable[..., StationApp], engine: Any, size: tuple[int, int]
) -> None:
    app = make_station(engine)
    async with app.run_test(size=size) as pilot:
        await to_the_look(app, pilot)
        text = screen_text(app)
        assert "1 of 2" in text
        assert "All that ada was told about mira goes, for good:" in text
        await press(pilot, "y")
        assert "2 of 2" in screen_text(app)
        phrase = engine.preview_forget("ada", "mira").phrase
        assert phrase == "erase 2 memories of ada about mira" and phrase in screen_text(app)
        for letter in phrase[:-1]:
            await pilot.press("space" if letter == " " else letter)
        await press(pilot, "enter", "tab", "tab", "enter")
        assert "2 of 2" in screen_text(app)
        assert engine.list_recent("ada", 10)
        await press(pilot, "shift+tab", "shift+tab", phrase[-1], "enter")
        assert engine.list_recent("ada", 10), "enter in the field must not erase"
        app.remember(queries=("mira",))
        await press(pilot, "tab", "tab", "enter")
        assert app.services.state.visit(engine.uuid).queries == (), "what was searched for may name the person"
        assert engine.list_recent("ada", 10) == []
        assert "erased 2 memories of ada" in screen_text(app)


async def test_escape_keeps_everything(make_station: Callable[..., StationApp], engine: Any) -> None:
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_the_look(app, pilot)
        await press(pilot, "y", "escape")
        assert "Nothing was erased" in screen_text(app)
        assert len(engine.list_recent("ada", 10)) == 2


@pytest.mark.parametrize("size", SIZES)
async def test_the_tick_takes_what_only_names_them(
    make_station: Callable[..., StationApp], engine: Any, size: tuple[int, int]
) -> None:
    tell(engine, "seen with Mira", "2026-01-02", subject="office")
    app = make_station(engine)
    async with app.run_test(size=size) as pilot:
        await to_the_look(app, pilot)
        assert "[ ] r  also memories about something else that name them" in screen_text(app)
        assert "names it and stays" in screen_text(app) and "--mentions" not in screen_text(app)
        await press(pilot, "r")
        assert "[x] r" in screen_text(app) and "names it and stays" not in screen_text(app)
        await press(pilot, "r", "y")
        assert engine.preview_forget("ada", "mira").phrase in screen_text(app)
        await press(pilot, "escape")
        app.erase_person()
        await settle(pilot)
        await press(pilot, *"mira", "enter", "r", "y")
        phrase = engine.preview_forget("ada", "mira", mentions=True).phrase
        assert phrase == "erase 3 memories of ada about mira and where named"
        for letter in phrase:
            await pilot.press("space" if letter == " " else letter)
        await press(pilot, "tab", "tab", "enter")
        assert engine.list_recent("ada", 10) == []


async def test_one_who_is_only_named_is_found(make_station: Callable[..., StationApp], engine: Any) -> None:
    tell(engine, "seen with Otto", "2026-01-02", subject="office")
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.choose("ada")
        app.erase_person()
        await settle(pilot)
        await press(pilot, *"otto", "enter")
        assert "Nothing is about them; these memories only name them." in screen_text(app)
        await press(pilot, "r", "y")
        assert "erase 1 memory of ada about otto and where named" in screen_text(app)


async def test_one_who_is_not_there_is_said(make_station: Callable[..., StationApp], engine: Any) -> None:
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.choose("ada")
        app.erase_person()
        await settle(pilot)
        await press(pilot, *"nobody", "enter")
        assert "There is nothing to erase" in screen_text(app)


def test_the_log_says_of_an_old_decision_what_was_erased(engine: Any) -> None:
    tell(engine, "parrots", "2026-01-01", subject="otto")
    engine.forget("ada", "mira", phrase=engine.preview_forget("ada", "mira").phrase)
    before, other = engine.reader.decision(1), engine.reader.decision(3)
    said = "\n".join("".join(part for part, _role in row) for row in decision_rows(before, PLAIN, NOW, Own()))
    assert before.erased == 1 and "1 memory that it told was erased since" in said and "more" not in said
    assert other.erased == 0 and len(other.told) == 1
