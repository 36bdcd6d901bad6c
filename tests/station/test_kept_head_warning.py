"""The station says when the file is not the one that was seen, and keeps the newest head while it is open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from memstation.config.paths import find_paths
from memstation.domain.heads import StoreHead
from memstation.engine import open_engine
from memstation.station.app import StationApp
from memstation.station.dialogs.notice import ErrorDialog
from memstation.station.start import gather
from pilots import screen_text, settle

from engine_facts import tell


@pytest.mark.parametrize("is_other", [True, False])
async def test_an_old_file_is_told_until_dismissed(tmp_path: Path, clock: Any, is_other: bool) -> None:
    path = tmp_path / "memories.db"
    with open_engine(path, clock) as engine:
        tell(engine, "Taipei", "2026-01-01")
        uuid, head = engine.uuid, engine.head()
    services = gather(lambda: open_engine(path, clock), path, find_paths(tmp_path / "home"), clock)
    assert services.heads is not None
    other = StoreHead(7, "ff" * 32)
    if is_other:
        services.heads.accept(uuid, other)
    app = StationApp(services)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, ErrorDialog) == is_other
        if is_other:
            assert "ends at #1" in screen_text(app) and "#7" in screen_text(app)
    assert services.heads.load(uuid) == (other if is_other else head)
