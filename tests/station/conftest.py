"""A station on a store in memory: frozen clock, no animation, no blink, files of its own."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from memstation.config.keymap import check_keys
from memstation.config.paths import find_paths, find_themes
from memstation.config.settings import Settings
from memstation.config.state import StationState
from memstation.config.themes import load_themes
from memstation.station.app import StationApp
from memstation.station.commands import COMMANDS, DOMAINS
from memstation.station.services import Services

from station.fakes import NOW, FakeEngine
from station.quiet import no_clock as no_clock

os.environ["TEXTUAL_ANIMATIONS"] = "none"


@pytest.fixture(autouse=True)
def no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture
def make_services(tmp_path: Path) -> Callable[..., Services]:
    def make(engine: Any = None, **changes: Any) -> Services:
        settings = changes.pop("settings", Settings())
        engine = FakeEngine() if engine is None else engine
        opened = changes.pop("open_engine", lambda: engine)
        return Services(
            open_engine=opened, clock=lambda: NOW, settings=settings, themes=load_themes(find_themes()),
            keymap=check_keys(COMMANDS, settings.keys, DOMAINS),
            state=StationState(find_paths(tmp_path).station_state), path=Path("/home/ops/agents.db"), **changes,
        )  # fmt: skip

    return make


@pytest.fixture
def make_station(make_services: Callable[..., Services]) -> Callable[..., StationApp]:
    """A station, not running yet: use ``async with app.run_test(size=(80, 24)) as pilot``."""
    return lambda *args, **changes: StationApp(make_services(*args, **changes))
