"""Dialogs that cannot be taken back, as they look: what would go, the phrase to type, a file that would be adopted."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from memstation import open_engine
from memstation.exchange.adoption import preview_adoption
from memstation.station.app import StationApp
from memstation.station.services import Adoption

from engine_facts import tell
from station.fakes import HOSTILE, NOW
from station.pilots import press, screen_text, settle

SIZES = [(80, 24), (120, 36)]
SAMPLE = Path(__file__).parent.parent / "data" / "duduclaw.sqlite"

Make = Callable[..., StationApp]


@pytest.fixture
def people(tmp_path: Path) -> Any:
    """A person among others, with a name in two scripts and hostile words around."""
    made = count(1)
    with open_engine(tmp_path / "agents.db", clock=lambda: NOW, make_id=lambda *_: f"m_{next(made):030x}") as engine:
        tell(engine, "台北", "2026-01-01", subject="王小明", agent="dudu")
        tell(engine, "東京", "2026-02-01", subject="王小明", agent="dudu")
        lie = tell(engine, HOSTILE, "2026-02-01", subject="王小明", predicate="says", agent="dudu")
        engine.retract(lie.id, reason="王小明 never said so")
        tell(engine, "lunch with 王小明", "2026-03-01", subject="office", predicate="plans", agent="dudu")
        yield engine


async def to_the_look(app: StationApp, pilot: Any) -> None:
    await settle(pilot)
    app.choose("dudu")
    app.erase_person()
    await settle(pilot)
    await press(pilot, *"王小明", "enter")


def on_screen(app: StationApp, *says: str) -> None:
    shown = screen_text(app)
    for words in says:
        assert words in shown, f"{words!r} is not on the screen:\n{shown}"


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_what_an_erasure_would_take(snap_compare: Any, make_station: Make, people: Any, size: tuple[int, int]) -> None:
    """Every kind of thing that goes is counted, what stays is named, and yes is not the key that is pressed first."""
    app = make_station(people)

    async def look(pilot: Any) -> None:
        await to_the_look(app, pilot)
        on_screen(app, "1 of 2", "All that dudu was told about 王小明 goes, for good:", "Out of reach:")

    assert snap_compare(app, terminal_size=size, run_before=look)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_the_phrase_of_an_erasure(snap_compare: Any, make_station: Make, people: Any, size: tuple[int, int]) -> None:
    """The phrase stands there with its count; a part of it is typed, and nothing is gone."""
    app = make_station(people)

    async def look(pilot: Any) -> None:
        await to_the_look(app, pilot)
        await press(pilot, "y")
        await press(pilot, *"erase", "space", "3")
        on_screen(app, "2 of 2", people.preview_forget("dudu", "王小明").phrase)
        assert people.list_recent("dudu", 10)

    assert snap_compare(app, terminal_size=size, run_before=look)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_a_file_that_would_be_adopted(
    snap_compare: Any, make_station: Make, tmp_path: Path, size: tuple[int, int]
) -> None:
    """What the file is, that the original is kept aside, that it cannot be undone, and no is the first answer."""
    file = Path(shutil.copyfile(SAMPLE, tmp_path / "memory.db"))
    found = replace(preview_adoption(file, lambda: NOW), copy="/home/ops/memory.db.before-memstation.db")
    opened: Callable[[], Any] = lambda: open_engine(file, lambda: NOW)  # noqa: E731
    app = make_station(open_engine=opened, adoption=Adoption(lambda: found, lambda: found))

    async def look(pilot: Any) -> None:
        await settle(pilot)
        on_screen(app, "DuDuClaw, 29 columns: 20 memories of 2 agents", "This cannot be undone", "n  No, leave it")

    assert snap_compare(app, terminal_size=size, run_before=look)
