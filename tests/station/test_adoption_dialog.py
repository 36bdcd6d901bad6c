"""The station offers to adopt a file of the seed's system: No is first, and leaves the file as it is."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from memstation import open_engine
from memstation.exchange.adoption import adopt, preview_adoption
from memstation.station.app import StationApp
from memstation.station.dialogs.confirm import ConfirmDialog
from memstation.station.dialogs.notice import CannotOpenDialog
from memstation.station.services import Adoption

from station.fakes import NOW
from station.pilots import press, screen_text, settle

SAMPLE = Path(__file__).parent.parent / "data" / "duduclaw.sqlite"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return Path(shutil.copyfile(SAMPLE, tmp_path / "memory.db"))


@pytest.fixture
def station(file: Path, make_station: Callable[..., StationApp]) -> StationApp:
    adoption = Adoption(lambda: preview_adoption(file, lambda: NOW), lambda: adopt(file, lambda: NOW))
    opened: Callable[[], Any] = lambda: open_engine(file, lambda: NOW)  # noqa: E731
    return make_station(open_engine=opened, adoption=adoption)


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_no_leaves_the_file(station: StationApp, file: Path, size: tuple[int, int]) -> None:
    before = file.read_bytes()
    async with station.run_test(size=size) as pilot:
        await settle(pilot)
        assert isinstance(station.screen, ConfirmDialog)
        shown = screen_text(station)
        assert "Adopt this file of another program?" in shown
        assert "DuDuClaw, 29 columns: 20 memories of 2 agents" in shown
        assert "This cannot be undone, but the copy stays." in shown
        assert "n  No, leave it" in shown and "y  Yes, adopt it" in shown
        await press(pilot, "enter")
        assert isinstance(station.screen, CannotOpenDialog)
        assert "memstation adopt" in screen_text(station)
    assert file.read_bytes() == before and [item.name for item in file.parent.glob("memory.db*")] == ["memory.db"]


async def test_yes_adopts_and_opens(station: StationApp, file: Path) -> None:
    async with station.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "y")
        await settle(pilot)
        assert station.engine is not None and station.engine.reader.agents()
        assert not isinstance(station.screen, ConfirmDialog | CannotOpenDialog)
    assert file.with_name("memory.db.before-memstation.db").exists()
