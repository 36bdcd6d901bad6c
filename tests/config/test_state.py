"""What the station remembers: by store, atomically, and never a reason not to start."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from memstation.config.state import StationState, Visit

SEEN = datetime(2026, 4, 13, 18, 2, tzinfo=UTC)


def test_what_is_kept_comes_back_by_store(tmp_path: Path) -> None:
    path = tmp_path / "state" / "station.json"
    state = StationState(path)
    assert state.visit("a") == Visit()
    state.keep("a", seen=SEEN, agent_id="dudu")
    state.keep("b", checked=SEEN, whole=False, head="ab")
    state.keep("a", agent_id=None, queries=("deploy", "老闆\ud83d"))
    again = StationState(path)
    assert state.visit("a") == again.visit("a") == Visit(seen=SEEN, queries=("deploy", "老闆\ud83d"))
    assert again.visit("b") == Visit(checked=SEEN, whole=False, head="ab")
    assert [item.name for item in path.parent.iterdir()] == ["station.json"], "no temporary file is left"


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"a": 3}', '{"a": {"seen": "yesterday", "agent_id": 7, "queries": 3}}', "\x00"]
)
def test_a_broken_file_is_no_reason_not_to_start(tmp_path: Path, text: str) -> None:
    path = tmp_path / "station.json"
    path.write_text(text)
    state = StationState(path)
    assert state.visit("a").seen is None
    state.keep("a", seen=SEEN)
    assert StationState(path).visit("a").seen == SEEN


def test_hostile_names_survive(tmp_path: Path) -> None:
    path = tmp_path / "station.json"
    StationState(path).keep("a", agent_id="x\ud83d\x1b[2J")
    assert StationState(path).visit("a").agent_id == "x\ud83d\x1b[2J"
