"""Erasing from the station: whom, look, type; Enter alone never does it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from memstation import open_engine
from memstation.station.app import StationApp

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
        assert "erase 2 memories of ada about mira" in text
        await press(pilot, "y")
        assert "2 of 2" in screen_text(app)
        phrase = engine.preview_forget("ada", "mira").phrase
        for letter in phrase[:-1]:
            await pilot.press("space" if letter == " " else letter)
        await press(pilot, "enter", "tab", "tab", "enter")
        assert "2 of 2" in screen_text(app)
        assert engine.list_recent("ada", 10)
        await press(pilot, "shift+tab", "shift+tab", phrase[-1], "enter")
        assert engine.list_recent("ada", 10), "enter in the field must not erase"
        await press(pilot, "tab", "tab", "enter")
        assert engine.list_recent("ada", 10) == []
        assert "erased 2 memories of ada" in screen_text(app)


async def test_escape_keeps_everything(make_station: Callable[..., StationApp], engine: Any) -> None:
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_the_look(app, pilot)
        await press(pilot, "y", "escape")
        assert "Nothing was erased" in screen_text(app)
        assert len(engine.list_recent("ada", 10)) == 2
