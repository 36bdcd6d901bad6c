"""``memstation sources``: the rows of the room, for a person and for a program."""

from __future__ import annotations

import pytest
from cli_runs import Program
from memstation import open_engine

from station.sources_store import HOSTILE, LINE, POISON, odd_sources, the_sources


@pytest.fixture
def told(program: Program) -> Program:
    program.store.parent.mkdir(parents=True, exist_ok=True)
    the_sources(program.store).engine.close()
    return program


def test_sources_are_listed_the_weakest_first(told: Program) -> None:
    ran = told("sources")
    assert ran.code == 0 and ran.lines[0].split() == [
        "source", "facts", "held", "withdrawn", "trust", "bursts", "drops", "last",
    ]  # fmt: skip
    assert ran.lines[1].split() == [POISON, "4", "1", "0", "0.3", "0", "0", "2026-04-14", "09:02"]
    assert any(line.startswith("operator (you)") for line in ran.lines)


def test_a_program_gets_each_source_whole(told: Program) -> None:
    rows = {row["origin"]: row for row in told("sources", "--json").json}
    assert (rows[POISON]["facts"], rows[POISON]["class"], rows[POISON]["ceiling"]) == (4, "channel", 0.3)
    assert [share["agent_id"] for share in rows[LINE]["agents"]] == ["agnes", "dudu"]
    told("block", POISON, "--all-agents")
    assert next(row for row in told("sources", "--json").json if row["origin"] == POISON)["blocked_for"] == ["*"]
    assert "blocked" in told("sources").lines[1]


def test_only_what_an_agent_was_told(told: Program) -> None:
    rows = told("sources", "--agent", "agnes", "--json").json
    assert {row["origin"]: row["facts"] for row in rows}[POISON] == 1 and len(rows) == 3
    missing = told("sources", "--agent", "agnse")
    assert missing.code == 1 and "agnes" in missing.err


def test_names_are_shown_safely_and_an_empty_store_says_so(program: Program) -> None:
    program.store.parent.mkdir(parents=True, exist_ok=True)
    open_engine(program.store).close()
    assert program("sources").out == "Nobody has told anything yet.\n"
    odd_sources(program.store).engine.close()
    ran = program("sources")
    assert HOSTILE not in ran.out and "channel:tele[U+200B]gram/[U+202E]24" in ran.out
    assert any(row["origin"] == HOSTILE for row in program("sources", "--json").json)


@pytest.mark.parametrize("columns", [30, 40])
def test_a_narrow_terminal_shows_all_of_each_source(told: Program, columns: int) -> None:
    lines = told("sources", columns=columns).lines
    assert lines[0] == f"0.3  {POISON}" and all(len(line) <= columns for line in lines)
    said = " ".join(line.strip() for line in lines[1 : next(at for at in range(1, 9) if lines[at][0] != " ")])
    assert said == "4 facts, 1 held, last 2026-04-14 09:02"
    assert len([line for line in lines if line[0] != " "]) == len(told("sources", "--json").json)
    for wider in (66, 80):
        lines = told("sources", columns=wider).lines
        assert lines[0].split()[0] == "source" and lines[0].split()[-2:] == ["trust", "last"]
        assert all("2026-" in line and len(line) <= wider for line in lines[1:])
