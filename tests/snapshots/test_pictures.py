"""What the rooms and dialogs look like. Look at the picture before a snapshot is updated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from memstation.config.settings import Settings
from memstation.domain.errors import StoreUnusable
from memstation.station.app import StationApp
from textual.pilot import Pilot

from station.fakes import FakeEngine
from station.pilots import press, settle

Make = Callable[..., StationApp]
SMALL, LARGE = (80, 24), (120, 36)


def keys(*pressed: str) -> Callable[[Pilot[Any]], Any]:
    """Press keys, and wait until nothing moves."""

    async def run(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        await press(pilot, *pressed)
        await settle(pilot)

    return run


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80", "120"])
def test_today(snap_compare: Any, make_station: Make, size: tuple[int, int]) -> None:
    """What runs out first stands first; each list has its titles; nothing is cut without two dots."""
    assert snap_compare(make_station(), terminal_size=size, run_before=keys())


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80", "120"])
def test_log(snap_compare: Any, make_station: Make, size: tuple[int, int]) -> None:
    """The detail stands below the list, or beside it; a decision taken back says so in words."""
    assert snap_compare(make_station(), terminal_size=size, run_before=keys("8", *"jjjjjjjjjj"))


@pytest.mark.parametrize("theme", ["light", "contrast", "mono"])
def test_log_in_other_colours(snap_compare: Any, make_station: Make, theme: str) -> None:
    """The cursor row and every role can be told apart."""
    app = make_station(settings=Settings(theme=theme, glyphs="plain"))
    assert snap_compare(app, terminal_size=SMALL, run_before=keys("8", *"jjjjjj"))


def test_hostile_detail(snap_compare: Any, make_station: Make) -> None:
    """Every hidden character is a token that cannot be mistaken for the text; the frame is whole."""
    assert snap_compare(make_station(), terminal_size=SMALL, run_before=keys("8", *"jjjjjjjjjjjjjj", "enter"))


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80", "120"])
def test_taking_back_asks(snap_compare: Any, make_station: Make, size: tuple[int, int]) -> None:
    """No has the focus; what would change is told line by line; the footer has the dialog's keys."""
    app = make_station(settings=Settings(glyphs="plain"))
    assert snap_compare(app, terminal_size=size, run_before=keys("8", *"jjjjjj", "z"))


def test_help(snap_compare: Any, make_station: Make) -> None:
    """Keys in groups, with what is dim and why."""
    assert snap_compare(make_station(read_only=True), terminal_size=LARGE, run_before=keys("8", "?"))


def test_palette(snap_compare: Any, make_station: Make) -> None:
    """What can be done here comes first, with its key and whether it asks."""
    assert snap_compare(make_station(), terminal_size=SMALL, run_before=keys("8", ":"))


def test_empty_because_of_the_filter(snap_compare: Any, make_station: Make) -> None:
    """It says what was looked for and how to get back."""
    assert snap_compare(make_station(), terminal_size=SMALL, run_before=keys("8", "/", *"zz", "enter"))


def test_cannot_open(snap_compare: Any, make_station: Make) -> None:
    """What is wrong with the file, and what to do; no traceback."""

    def refuse() -> FakeEngine:
        raise StoreUnusable(
            "It is newer than this program", "/home/ops/agents.db: file 7, program 6", "pip install -U memstation"
        )

    assert snap_compare(make_station(open_engine=refuse), terminal_size=SMALL, run_before=keys())
