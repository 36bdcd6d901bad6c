"""What the station and the demonstration are opened with. The station itself is not run here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cli_runs import Program
from memstation.demo import DEMO_NOW, LAST_VISIT


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Services that a station was run with; its engine was opened, asked and closed."""
    seen: list[Any] = []

    def run(services: Any, **_: Any) -> int:
        with services.open_engine() as engine:
            seen.append((services, engine.reader.agents(), services.state.visit(engine.uuid).seen))
        return 0

    monkeypatch.setattr("memstation.station.start.run", run)
    monkeypatch.setattr("memstation.commandline.opening.need_terminal", lambda: None)
    return seen


def test_no_command_opens_the_station(program: Program, opened: list[Any], tmp_path: Path) -> None:
    assert program().code == 0
    program.add()
    assert program("--read-only").code == 0
    first, second = opened
    assert first[0].path == program.store and first[1] == [] and not first[0].read_only
    assert second[1] == ["dudu"] and second[0].read_only
    assert first[0].state.path == program.home / "state" / "station.json"
    assert program("--store", str(tmp_path / "other.db")).code == 0 and opened[2][0].path == tmp_path / "other.db"


def test_the_demonstration_is_gone_afterwards(program: Program, opened: list[Any]) -> None:
    assert program("demo").code == 0
    ((services, agents, seen),) = opened
    assert agents == ["agnes", "dudu", "kei"] and seen == LAST_VISIT
    assert 0 <= (services.clock() - DEMO_NOW).total_seconds() < 600
    assert not services.path.exists() and not program.home.exists()


def test_the_demonstration_is_kept_in_a_new_file(program: Program, opened: list[Any], tmp_path: Path) -> None:
    keep = tmp_path / "demo.db"
    assert program("demo", "--keep", str(keep)).code == 0 and keep.exists()
    before = keep.read_bytes()
    ran = program("demo", "--keep", str(keep))
    assert ran.code == 1 and f"memstation --store {keep} opens it" in ran.err and keep.read_bytes() == before
    assert len(opened) == 1
    assert program("verify", "--store", str(keep)).code == 0


def test_bench_is_given_its_sizes(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[dict[str, Any]] = []
    monkeypatch.setattr("memstation.bench.main", lambda **more: seen.append(more) or 1)
    assert program("bench").code == 1
    assert program("bench", "--size", "10", "--size", "20", "--json", "--no-station").code == 1
    assert seen == [{"as_json": False, "station": True}, {"sizes": (10, 20), "as_json": True, "station": False}]
    assert program("bench", "--size", "0").code == 1 and len(seen) == 2
