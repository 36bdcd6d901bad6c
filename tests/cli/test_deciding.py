"""Commands that decide: each can be tried dry, says what it does in words, and is taken back by undo."""

from __future__ import annotations

from datetime import datetime, time, timedelta

import pytest
from cli_runs import Program


def seqs(program: Program) -> list[int]:
    return [row["seq"] for row in program("journal", "--json").json]


def test_add_tells_the_operators_own(program: Program) -> None:
    ran = program(
        "add", "dudu", "Lives in Taipei", "--subject", "user", "--predicate", "city", "--object", "Taipei",
        "--from", "2026-01-01", "--trust", "0.8", "--tag", "a,b", "--tag", "c", "--importance", "7", "--json",
    )  # fmt: skip
    assert ran.json["status"] == "stored" and ran.json["seq"] == 1
    (row,) = program("history", "dudu", "user", "city", "--json").json
    assert (row["origin"], row["origin_trust"], row["tags"], row["importance"]) == ("operator", 0.8, ["a,b", "c"], 7.0)
    ran = program("add", "dudu", "Lives in Oslo", "--subject", "user", "--predicate", "city", "--object", "Oslo",
                  "--from", "2026-02-01", "--until", "2026-03-01")  # fmt: skip
    assert ran.code == 0
    assert "in place of what held before" in ran.out or "as history" in ran.out
    assert "ends " in ran.out and "nothing holds from 2026-03-01 on" in ran.out


@pytest.mark.parametrize(
    "args",
    [
        ("--from", "2026-02-01", "--until", "2026-02-01"), ("--from", "2026-02-01", "--until", "2026-01-01"),
        ("--from", "soon"), ("--trust", "2"), ("--importance", "11"), ("--layer", "deep"),
    ],
)  # fmt: skip
def test_add_refuses_what_cannot_be_taken(program: Program, args: tuple[str, ...]) -> None:
    ran = program("add", "dudu", "x", *args)
    assert ran.code == 1 and ran.err.startswith("memstation: ") and ran.err.count("\n") == 1
    assert program("journal", "--json").json == []


def test_retract_brings_back_what_was_displaced(program: Program) -> None:
    program.add_city("Taipei", "2026-01-01")
    oslo = program.add_city("Oslo", "2026-03-01")
    dry = program("retract", oslo, "--dry-run")
    assert dry.code == 0 and dry.lines[0] == "This would happen (nothing was written):"
    assert "user city: Oslo is withdrawn" in dry.out and "user city: Taipei comes back" in dry.out
    assert seqs(program) == [2, 1]
    ran = program("retract", oslo, "--reason", "a joke")
    assert ran.lines[0] == "#3 retracted" and ran.lines[1:] == dry.lines[1:]
    assert ran.err == "memstation undo 3 takes it back\n"
    assert program("journal", "--json").json[0]["reason"] == "a joke"
    assert [row["state"] for row in program("list", "dudu", "--json").json] == ["withdrawn", "current"]


def test_no_reject_does_not_remember_the_value(program: Program) -> None:
    ran = program("retract", program.add_city("Oslo", "2026-03-01"), "--no-reject", "--json")
    assert ran.json["seq"] == 2 and ran.json["effects"]["orders"] == []
    ran = program("retract", program.add_city("Bern", "2026-03-01"), "--json")
    assert [order["about"] for order in ran.json["effects"]["orders"]] == ["rejected"]


def test_end_on_a_day(program: Program) -> None:
    oslo = program.add_city("Oslo", "2026-01-01")
    dry = program("end", oslo, "2026-06-30", "--dry-run", "--json").json
    assert dry["seq"] is None and dry["dry_run"] is True
    ran = program("end", oslo, "2026-06-30", "--json").json
    assert ran["seq"] == 2 and ran["effects"]["gaps"] == [["dudu", "user", "city", "2026-06-30T00:00:00+00:00"]]
    assert program("list", "dudu").lines[0] == "○ closed     2026-01-01 to 2026-06-30  user city: Oslo"
    for day in ("2025-01-01", "2026-12-31", "soon"):
        assert program("end", oslo, day).code == 1


def test_days_are_read_as_in_the_dialogs(program: Program) -> None:
    oslo = program.add_city("Oslo", "-7d")
    [told] = program("list", "dudu", "--json").json
    ran = program("end", oslo, "yesterday", "--dry-run", "--json").json
    gone = datetime.fromisoformat(ran["effects"]["gaps"][0][3])
    assert gone - datetime.fromisoformat(told["valid_from"]) == timedelta(days=6)
    assert gone.time() == time(0) and program("end", oslo, "yester").code == 1


def test_predicate_holds_many(program: Program) -> None:
    program.add_city("Taipei", "2026-01-01")
    program.add_city("Oslo", "2026-03-01")
    assert program("predicate", "dudu", "city", "many", "--dry-run").code == 0
    assert seqs(program) == [2, 1]
    ran = program("predicate", "dudu", "city", "many")
    assert "user city: Taipei comes back" in ran.out
    assert program("predicate", "dudu", "city", "many").err.startswith("memstation: It is so already")
    found = program("at", "dudu", "user", "city", "2026-04-01", "--json").json
    assert [row["object"] for row in found] == ["Oslo", "Taipei"]
    assert program("predicate", "*", "city", "one").code == 1 or seqs(program)[0] == 4
    assert program("predicate", "dudu", "city", "some").code == 2


def test_undo_and_undo_of_the_undo(program: Program) -> None:
    program.add_city("Taipei", "2026-01-01")
    program.add_city("Oslo", "2026-03-01")
    dry = program("undo", "2", "--dry-run")
    assert "user city: Taipei comes back" in dry.out and seqs(program) == [2, 1]
    assert program("undo", "#2").lines[0] == "#3 took back"
    again = program("undo", "2")
    assert again.code == 1 and again.err == (
        "memstation: It has been taken back already: #2, by #3 (to bring it back, undo #3)\n"
    )
    assert program("undo", "3", "--json").json["effects"]["changes"]
    assert [row["state"] for row in program("list", "dudu", "--json").json] == ["current", "closed"]


@pytest.mark.parametrize("args", [("retract", "nope"), ("end", "nope", "2026-01-01"), ("undo", "77"), ("undo", "-x")])
def test_what_is_not_there_is_refused(program: Program, args: tuple[str, ...]) -> None:
    program.add()
    ran = program(*args)
    assert ran.code == (2 if args[-1] == "-x" else 1) and ran.out == "" and ran.err.count("\n") == 1
    assert seqs(program) == [1]


def test_read_only_decides_nothing_but_still_previews(program: Program) -> None:
    memory = program.add_city("Taipei", "2026-01-01")
    for args in (("add", "dudu", "x"), ("retract", memory), ("undo", "1"), ("reindex",)):
        ran = program("--read-only", *args)
        assert ran.code == 1 and "read-only" in ran.err
    assert program("--read-only", "retract", memory, "--dry-run").code == 0
    assert program("--read-only", "list", "dudu").code == 0
    assert seqs(program) == [1]
