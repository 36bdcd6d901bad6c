"""The station of `tests/station`, for pictures; and pictures on a store that a story tells."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
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

from station.conftest import make_services, make_station, no_color
from station.fakes import NOW
from station.pilots import screen_text, settle
from station.quiet import no_clock
from station.timeline_store import Story

__all__ = ["make_services", "make_station", "no_clock", "no_color"]

Tell = Callable[[Path], Story]
Act = Callable[[Any], Awaitable[None]]


@pytest.fixture
def picture(snap_compare: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., bool]:
    """Compare the picture after some acts, on a store that a story tells."""
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")

    def compare(size: tuple[int, int], tell: Tell, act: Act, says: tuple[str, ...], **settings: Any) -> bool:
        story = tell(tmp_path / "agents.db")
        chosen = Settings(**settings)
        app = StationApp(Services(
            open_engine=lambda: story.engine, clock=lambda: NOW, settings=chosen, themes=load_themes(find_themes()),
            keymap=check_keys(COMMANDS, chosen.keys, DOMAINS),
            state=StationState(find_paths(tmp_path).station_state), path=Path("/home/ops/agents.db"),
        ))  # fmt: skip

        async def before(pilot: Any) -> None:
            await act(pilot)
            await settle(pilot)
            shown = screen_text(app)
            for words in says:
                assert words in shown, f"{words!r} is not on the screen:\n{shown}"

        return bool(snap_compare(app, terminal_size=size, run_before=before))

    return compare
