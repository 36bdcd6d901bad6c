"""``purge``, ``block``, ``unblock``, ``trust``, ``promote``: previewed alike, refused in words, JSON for programs."""

from __future__ import annotations

from typing import Any

import pytest
from cli_runs import Program
from memstation import MemoryEntry, TemporalMeta, open_engine

POISON = "channel:telegram/42"


@pytest.fixture
def poisoned(program: Program) -> dict[str, str]:
    program.store.parent.mkdir(parents=True, exist_ok=True)

    def write(engine: Any, value: str, origin: str, predicate: str = "iban", **more: Any) -> str:
        meta = TemporalMeta("pay", predicate, value, origin=origin, **more)
        return engine.store_temporal(MemoryEntry("dudu", f"It is {value}."), meta).id

    with open_engine(program.store) as engine:
        good = write(engine, "GOOD", "user_direct", valid_from="2026-01-01")
        bad = write(engine, "BAD", POISON)
        alone = write(engine, "[red]X[/red]\x1b[31m", POISON, "other")
        derived = write(engine, "so", "agent_derived", "rule", derived_from=[bad])
        write(engine, "twin", "channel:telegram/4", "near")
    return {"good": good, "bad": bad, "alone": alone, "derived": derived}


def test_a_purge_is_looked_at_done_and_taken_back(program: Program, poisoned: dict[str, str]) -> None:
    asked = ("purge", POISON, "--agent", "dudu")
    refused = program(*asked)
    assert refused.code == 1 and "--yes" in refused.err and f"'{POISON}'" in refused.err
    looked = program(*asked, "--dry-run", "--json").json
    assert looked["dry_run"] and looked["seq"] is None and looked["effects"]["digest"]
    assert looked["withdrawn"] == [poisoned["bad"], poisoned["alone"]]
    assert looked["reinstated"] == [poisoned["good"]] and set(looked["emptied"]) == {
        poisoned["alone"],
        poisoned["derived"],
    }
    assert looked["contaminated"] == [poisoned["derived"]] and looked["rejected"] == 2
    assert looked["paths"] == {poisoned["derived"]: [poisoned["bad"], poisoned["derived"]]}
    words = program(*asked, "--dry-run").out
    assert "2 memories are withdrawn (2 current)" in words and "1 fact comes back" in words
    assert "1 made from them is held" in words and "\x1b" not in words
    done = program(*asked, "--yes", "--json", "--reason", "forged").json
    same = ("withdrawn", "reinstated", "emptied", "contaminated", "rejected", "states", "choices")
    assert [done[name] for name in same] == [looked[name] for name in same]
    assert program("at", "dudu", "pay", "iban", "2099-01-01", "--json").json[0]["id"] == poisoned["good"]
    [entry] = [row for row in program("journal", "--json").json if row["seq"] == done["seq"]]
    assert entry["kind"] == "purge" and entry["summary"] == f"{POISON}: 2 memories"
    again = program(*asked, "--yes")
    assert again.code == 1 and "0 memories" in again.err and "channel:telegram/4'" in again.err
    assert program("undo", str(done["seq"]), "--json").code == 0
    assert program("at", "dudu", "pay", "iban", "2099-01-01", "--json").json[0]["id"] == poisoned["bad"]


def test_of_several_agents_each_line_says_whose_it_is(program: Program, poisoned: dict[str, str]) -> None:
    one = program("purge", POISON, "--all-agents", "--dry-run").out
    assert "pay iban: BAD is withdrawn" in one and "dudu  " not in one
    with open_engine(program.store) as engine:
        meta = TemporalMeta("pay", "iban", "BAD", origin=POISON)
        engine.store_temporal(MemoryEntry("kei", "It is BAD."), meta)
    both = program("purge", POISON, "--all-agents", "--dry-run").out
    assert "kei  pay iban: BAD is withdrawn" in both and "dudu  pay iban: BAD is withdrawn" in both
    seq = program("purge", POISON, "--agent", "kei", "--yes", "--json").json["seq"]
    [entry] = [row for row in program("journal", "--json").json if row["seq"] == seq]
    assert entry["summary"] == f"{POISON}: 1 memory"


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        ((POISON,), 1, "--agent NAME or --all-agents"),
        ((POISON, "--agent", "dudu", "--all-agents"), 1, "--agent NAME or --all-agents"),
        ((POISON, "--agent", "dodu"), 1, "did you mean dudu"),
        (("", "--all-agents"), 1, "source is empty"),
        (("channel:telegram", "--all-agents"), 1, f"did you mean 'channel:telegram/4', '{POISON}'"),
        ((POISON, "--all-agents", "--since", "2099-01-01"), 1, "ahead"),
        ((POISON, "--all-agents", "--since", "someday"), 1, "someday"),
        ((), 2, "SOURCE"),
    ],
)
def test_what_is_refused_writes_nothing(
    program: Program, poisoned: dict[str, str], args: tuple[str, ...], code: int, words: str
) -> None:
    ran = program("purge", *args, "--yes")
    assert ran.code == code and words in ran.err, ran.err
    assert len(program("journal", "--json").json) == 5


def test_choices_of_a_purge(program: Program, poisoned: dict[str, str]) -> None:
    asked = ("purge", POISON, "--all-agents", "--no-block", "--no-reject", "--spare-derived", "--yes", "--json")
    done = program(*asked).json
    assert done["spared"] == [poisoned["derived"]] and done["effects"]["orders"] == [] and done["agent"] is None
    assert done["choices"] == {"block": False, "remember": False, "spare_derived": True}


def test_block_trust_and_promote(program: Program, poisoned: dict[str, str]) -> None:
    source = ("--source", POISON, "--agent", "dudu")
    assert program("trust", "0.8", *source, "--dry-run", "--json").json["effects"]["orders"][0]["number"] == 0.8
    changed = program("trust", "0.8", *source, "--json").json["effects"]["changes"]
    assert {(change["kind"], change["trust"]) for change in changed} == {("trust", 0.8)} and len(changed) == 2
    assert program("trust", "class", *source).code == 0
    assert "already" in program("trust", "class", *source).err
    assert program("trust", "0.2", poisoned["good"]).code == 0
    promoted = program("promote", poisoned["good"], "--reason", "checked", "--json").json
    assert promoted["kind"] == "promote" and promoted["effects"]["changes"][0]["trust"] == 1.0
    assert program("block", POISON, "--all-agents", "--dry-run").code == 0
    assert program("block", POISON, "--all-agents", "--json").json["kind"] == "block"
    assert program("block", POISON, "--all-agents").code == 1
    assert program("unblock", POISON, "--all-agents").code == 0


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("much", "m_1"), "not a number"), (("2", "--source", POISON, "--all-agents"), "out of range"),
        (("0.5",), "not clear what"), (("0.5", "m_1", "--source", POISON), "not clear what"),
        (("0.5", "--source", POISON), "--agent NAME"), (("0.5", "m_1"), "not here"), (("class", "m_1"), "not a number"),
        (("0.5", "m_1", "--agent", "dudu"), "not clear what"),
    ],
)  # fmt: skip
def test_trust_that_is_refused(program: Program, poisoned: dict[str, str], args: tuple[str, ...], words: str) -> None:
    ran = program("trust", *args)
    assert ran.code == 1 and words in ran.err, ran.err


@pytest.mark.parametrize("verb", [("retract",), ("end", "2099-01-01")])
def test_what_is_made_from_others_points_to_them(
    program: Program, poisoned: dict[str, str], verb: tuple[str, ...]
) -> None:
    asked = (verb[0], poisoned["derived"], *verb[1:], "--dry-run")
    assert f"made from {poisoned['bad']} ({POISON}): pay iban BAD" in program(*asked).out
    looked = program(*asked, "--json").json
    assert [source["id"] for source in looked["made_from"]] == [poisoned["bad"]] and looked["dry_run"]
    assert program(verb[0], poisoned["bad"], *verb[1:], "--dry-run", "--json").json["made_from"] == []


def test_what_was_retracted_before_is_counted_and_what_was_made_from_it_is_held(
    program: Program, poisoned: dict[str, str]
) -> None:
    for memory in ("bad", "alone"):
        assert program("retract", poisoned[memory]).code == 0
    asked = ("purge", POISON, "--agent", "dudu")
    words = program(*asked, "--dry-run").out
    assert "2 that were withdrawn before stay away" in words and "1 made from them is held" in words
    done = program(*asked, "--yes", "--json").json
    assert done["withdrawn"] == [] and done["already"] == [poisoned["bad"], poisoned["alone"]]
    assert done["contaminated"] == [poisoned["derived"]]
    assert program(*asked, "--yes").code == 1


def test_what_stands_again_comes_back_whether_it_held_will_hold_or_has_held(program: Program) -> None:
    program.store.parent.mkdir(parents=True, exist_ok=True)
    with open_engine(program.store) as engine:
        for value, since, until in (("past", "2020-01-01", "2020-02-01"), ("ahead", "2099-01-01", None)):
            meta = TemporalMeta("pay", value, value, origin=POISON, valid_from=since, valid_until=until)
            engine.store_temporal(MemoryEntry("dudu", value), meta)
        seq = engine.invalidate_by_origin("dudu", POISON).seq
    words = program("undo", str(seq), "--dry-run").out
    assert "past comes back (1 Jan 2020 to 1 Feb 2020)" in words and "ahead comes back (1 Jan 2099, no end)" in words
    assert "changes its dates" not in words


def test_a_small_change_of_trust_is_told(program: Program, poisoned: dict[str, str]) -> None:
    assert "trust 0.3 to 0.28" in program("trust", "0.28", poisoned["bad"], "--dry-run").out


def test_a_refusal_says_whose_in_words(program: Program, poisoned: dict[str, str]) -> None:
    for act in (("block", POISON), ("trust", "0.2", "--source", POISON), ("trust", "class", "--source", POISON)):
        assert program(*act, "--all-agents").code == 0
        assert program(*act, "--all-agents").err.rstrip().endswith("for all agents"), act
        assert program(*act, "--agent", "dudu").err.rstrip().endswith("for dudu") or act[0] == "trust", act
    assert "has the trust of its class" in program("trust", "class", "--source", POISON, "--agent", "dudu").err
    assert program("predicate", "*", "city", "many").code == 0
    assert program("predicate", "*", "city", "many").err.rstrip().endswith("for all agents")


def test_nothing_since_a_day_points_to_no_other_source(program: Program, clock: Any) -> None:
    program.store.parent.mkdir(parents=True, exist_ok=True)
    with open_engine(program.store, clock=lambda: clock.now.replace(year=2020)) as engine:
        for origin in (POISON, "channel:telegram/4"):
            engine.store_temporal(MemoryEntry("dudu", origin), TemporalMeta("pay", origin, "x", origin=origin))
    ran = program("purge", POISON, "--all-agents", "--since", "2021-01-01", "--yes")
    assert ran.code == 1 and "nothing since 2021-01-01" in ran.err and "did you mean" not in ran.err
    assert len(program("sources", "--json").json) == 2
