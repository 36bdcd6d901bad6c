"""memstation forget: a preview with a phrase, the phrase exactly, and then nothing is left."""

from __future__ import annotations

import pytest
from cli_runs import Program
from memstation import open_engine
from memstation.config.paths import find_paths
from memstation.config.state import StationState


@pytest.fixture
def told(program: Program) -> Program:
    program.add("Mira lives in Zanzibar", "--subject", "Mira", "--predicate", "city", "--object", "Zanzibar")
    program.add("Mira eats parrotfish", "--subject", "mira", "--predicate", "eats", "--object", "parrotfish")
    program.add("met with Mira", "--subject", "team", "--predicate", "met", "--object", "someone")
    return program


def test_the_preview_shows_the_phrase_and_writes_nothing(told: Program) -> None:
    ran = told("forget", "dudu", "--about", "MIRA", "--dry-run")
    assert ran.code == 0, ran.err
    assert ran.lines[-1] == "erase 2 memories of dudu about mira"
    assert "1 memory about something else names it and stays" in ran.out
    assert "backups and exports" in ran.out
    assert b"Zanzibar" in b"".join(file.read_bytes() for file in told.store.parent.glob(told.store.name + "*"))


@pytest.mark.parametrize(
    "phrase", [(), ("--yes", ""), ("--yes", "yes"), ("--yes", "erase 1 memory of dudu about mira")]
)
def test_without_the_phrase_nothing_goes(told: Program, phrase: tuple[str, ...]) -> None:
    ran = told("forget", "dudu", "--about", "mira", *phrase)
    assert ran.code == 1
    assert "nothing was erased" in ran.err
    assert "--dry-run" in ran.err
    assert len(told("list", "dudu", "--json").json) > 0
    assert told("forget", "dudu", "--about", "mira", "--dry-run", "--json").json["memories"] == 2


def test_with_the_phrase_it_goes(told: Program) -> None:
    phrase = told("forget", "dudu", "--about", "mira", "--dry-run", "--json").json["phrase"]
    state = StationState(find_paths(told.home).station_state)
    with open_engine(told.store) as engine:
        state.keep(engine.uuid, agent_id="dudu", queries=("mira",))
    ran = told("forget", "dudu", "--about", "mira", "--yes", phrase, "--json")
    assert ran.code == 0, ran.err
    assert b"mira" not in state.path.read_bytes() and b"dudu" in state.path.read_bytes()
    assert ran.json["scrubbed"] is True
    assert ran.json["memories"] == 2
    bodies = b"".join(file.read_bytes() for file in told.store.parent.glob(told.store.name + "*"))
    assert b"Zanzibar" not in bodies
    assert b"parrotfish" not in bodies
    assert b"met with Mira" in bodies
    assert told("verify").code == 0
    assert told("forget", "dudu", "--about", "mira", "--dry-run").code == 1
    log = told("journal", "--json").json
    assert log[-1]["kind"] == "erasure" or log[0]["kind"] == "erasure"
