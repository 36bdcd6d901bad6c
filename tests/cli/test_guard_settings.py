"""The gate's settings reach every store that a command opens; where they are wrong it stays on, and a write says so."""

from __future__ import annotations

import pytest
from cli_runs import Program
from memstation.commandline.session import Session


def configure(program: Program, text: str) -> None:
    path = Session(program.home).paths.settings
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_the_settings_reach_the_store(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(program, "[knowledge_guard]\nmax_per_subject = 2\nover_operator = false\n")
    with Session(program.home).engine(None, create=True) as engine:
        assert (engine.guard.max_per_subject, engine.guard.over_operator, engine.guard.window_secs) == (2, False, 3600)


@pytest.mark.parametrize(
    "text", ["[knowledge_guard]\nmax_per_subject = 0\n", "knowledge_guard = 0\n", "[knowledge_guard"]
)
def test_a_write_past_wrong_settings_says_so_on_one_line(program: Program, text: str) -> None:
    configure(program, text)
    ran = program("add", "dudu", "x")
    assert ran.code == 0 and ran.err.count("\n") == 1
    assert ran.err.startswith("memstation: the gate's settings were not taken; its defaults were in force: ")
    for reading in (("list", "dudu"), ("review", "list"), ("undo", "1", "--dry-run"), ("review", "expire")):
        assert program(*reading).err == ""
    assert "not taken" in program("undo", "1", "--json").err


def test_other_mistakes_in_the_file_are_no_matter_of_the_gate(program: Program) -> None:
    configure(program, "theme = 3\n[knowledge_guard]\nwindow_secs = 60\n")
    assert program("add", "dudu", "x").err == ""


def test_the_station_opens_its_store_with_them(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    from memstation.commandline import opening

    configure(program, "[knowledge_guard]\nmax_per_subject = 2\nwindow_secs = true\n")
    seen = {}

    def run(services: object) -> int:
        with services.open_engine() as engine:  # type: ignore[attr-defined]
            seen["guard"] = engine.guard
        seen["problems"] = [str(problem) for problem in services.problems]  # type: ignore[attr-defined]
        return 0

    monkeypatch.setattr(opening, "need_terminal", lambda: None)
    monkeypatch.setattr("memstation.station.start.run", run)
    assert opening.open_station(Session(program.home)) == 0
    assert (seen["guard"].max_per_subject, seen["guard"].window_secs) == (2, 3600)
    (problem,) = seen["problems"]
    assert "knowledge_guard.window_secs: must be a whole number" in problem


def test_c31_a_malformed_section_leaves_the_burst_guard_on(program: Program) -> None:
    """C31, 5: the fifth new value is held whatever stands in the file."""
    configure(program, "[knowledge_guard]\nenabled = 'no'\nmax_per_subject = -3\nwindow_secs = {}\n")
    assert held_by(program) == ["stored"] * 4 + ["held"]
    assert len(program("review", "list", "--json").json) == 1


def held_by(program: Program) -> list[str]:
    from memstation import MemoryEntry, TemporalMeta

    with Session(program.home).engine(None, create=True) as engine:
        return [
            engine.store_temporal(
                MemoryEntry("dudu", f"says {n}"), TemporalMeta("user", f"p{n}", f"v{n}", origin="channel:irc/9")
            ).status
            for n in range(5)
        ]
