"""Commands about the past: diff, the moments of list, history and at, and what is typed wrongly."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runs import Program


def seqs(program: Program) -> list[int]:
    return [row["seq"] for row in program("journal", "--json").json]


@pytest.fixture
def moved(program: Program) -> Program:
    """A city that was replaced (#2), a plan told after it (#3), and another agent's city (#4)."""
    program.add_city("Taipei", "2026-01-01")
    program.add_city("Oslo", "2026-03-01")
    program.add("Has plan pro", "--subject", "user", "--predicate", "plan", "--object", "pro", "--from", "2026-01-01")
    program.add_city("Bergen", "2026-01-01", agent="agnes")
    assert seqs(program) == [4, 3, 2, 1]
    return program


def test_a_difference_is_a_row_with_its_decision(moved: Program) -> None:
    ran = moved("diff", "dudu", "#2")
    assert ran.code == 0 and ran.err == ""
    rows = [line.split() for line in ran.lines]
    assert rows[0][:7] == ["+", "new", "user", "plan", "nothing", "→", "pro"] and rows[0][-2:] == ["#3", "operator"]
    assert rows[1][:7] == ["~", "changed", "user", "city", "Taipei", "→", "Oslo"] and rows[1][-2:] == ["#2", "operator"]
    assert ran.lines[2:] == ["1 changed, 0 gone, 1 new"]
    assert "Bergen" not in ran.out


def test_two_past_moments_are_compared(moved: Program) -> None:
    ran = moved("diff", "dudu", "#2", "#2")
    assert [line.split()[1] for line in ran.lines[:-1]] == ["changed"] and "Oslo" in ran.lines[0]
    assert moved("diff", "dudu", "#1", "#1", "--json").json[0]["kind"] == "new"


def test_differences_as_json_have_both_beliefs_and_the_cause(moved: Program) -> None:
    plan, city = moved("diff", "dudu", "#2", "--json").json
    assert (plan["kind"], plan["then"], plan["now"]["object"]) == ("new", None, "pro")
    assert (city["kind"], city["then"]["object"], city["now"]["object"]) == ("changed", "Taipei", "Oslo")
    assert city["cause"]["seq"] == 2 and city["since"] == city["cause"]["at"]
    assert len(city["key"]) == 32


def test_a_filter_and_nothing_that_differs(moved: Program) -> None:
    assert [row["predicate"] for row in moved("diff", "dudu", "#2", "--filter", "says:plan", "--json").json] == ["plan"]
    assert moved("diff", "dudu", "#2", "--filter", "says:x").lines == ["Nothing matches that differs."]
    ran = moved("diff", "dudu", "now")
    assert (ran.code, ran.lines) == (0, ["Nothing differs."])


@pytest.mark.parametrize("then", ["-7d", "last tue", "3 days ago", "2026-04-07 18:00", "yesterday"])
def test_a_day_is_read_as_the_station_reads_it(moved: Program, then: str) -> None:
    ran = moved("diff", "dudu", then, "--json")
    assert ran.code == 0 and {row["kind"] for row in ran.json} == {"new"}


@pytest.mark.parametrize(("args", "says"), [
    (("dudu", "someday"), "cannot be read as a day"), (("dudu", "#99"), "no such decision"),
    (("dudu", "#x"), "not the number"), (("dudu", "#0"), "no such decision"), (("dudu", "9999-01-01"), "not come yet"),
    (("dudu", "#3", "#1"), "not the earlier one"), (("dudu", "#1", "--filter", "state:held"), "state:"),
    (("dudu", "#1", "--filter", "colour:red"), "colour:"), (("dodu", "#1"), "dudu"), (("dudu", "2026-04"), "day"),
    (("dudu", ""), "day"),
])  # fmt: skip
def test_what_cannot_be_compared_is_refused_in_a_line(moved: Program, args: tuple[str, ...], says: str) -> None:
    ran = moved("diff", *args)
    assert ran.code == 1 and ran.out == "" and says in ran.err and len(ran.err.splitlines()) == 1


def test_a_wrong_use_is_told_apart(moved: Program) -> None:
    assert moved("diff", "dudu").code == 2
    assert moved("diff").code == 2
    assert moved("diff", "dudu", "#1", "#2", "#3").code == 2


def test_a_list_is_asked_about_a_moment(moved: Program) -> None:
    def values(*args: str) -> list[str]:
        ran = moved("list", "dudu", *args, "--json")
        assert ran.code == 0, ran.err
        return [row["object"] for row in ran.json]

    assert values("--at", "2026-02-01") == ["pro", "Taipei"]
    assert values("--known-at", "#1") == ["Taipei"]
    assert values("--known-at", "#2") == ["Oslo"]
    assert values("--at", "2026-02-01", "--known-at", "#2") == ["Taipei"]
    assert values("--at", "2025-01-01") == [] and values("--known-at", "-7d") == []
    assert values("says:plan", "--at", "2026-02-01") == ["pro"]
    assert moved("list", "dudu", "--at", "2026-02-01", "--limit", "1").err.strip() == "1 of 2 shown (--limit)"
    assert moved("list", "dudu", "--known-at", "#1").lines[0] == "● current    from 2026-01-01  user city: Taipei"


def test_a_history_is_shown_as_it_was_known(moved: Program) -> None:
    first = moved("history", "dudu", "user", "city", "--json").json[0]["id"]
    assert moved("retract", first).code == 0

    def states(*args: str) -> list[tuple[str, str]]:
        return [(r["object"], r["state"]) for r in moved("history", "dudu", "user", "city", *args, "--json").json]

    assert states("--known-at", "#1") == [("Taipei", "current")]
    assert states("--known-at", "#2") == [("Taipei", "closed"), ("Oslo", "current")]
    assert states("--known-at", "#5") == states() == [("Taipei", "withdrawn"), ("Oslo", "current")]
    assert moved("history", "dudu", "user", "city", "--known-at", "-7d").code == 1


def test_what_held_is_asked_by_days_too(moved: Program) -> None:
    assert moved("at", "dudu", "user", "city", "2026-02-01", "--known-at", "#2", "--json").json[0]["object"] == "Taipei"
    assert moved("at", "dudu", "user", "city", "now", "--known-at", "now", "--json").json[0]["object"] == "Oslo"
    assert moved("at", "dudu", "user", "city", "now", "--known-at", "yesterday").code == 1


@pytest.mark.parametrize("command", [
    ("list", "dudu"), ("history", "dudu", "user", "city"), ("at", "dudu", "user", "city", "now"), ("report", "dudu"),
])  # fmt: skip
@pytest.mark.parametrize("known", ["someday", "#99", "#x", "9999-01-01", ""])
def test_a_wrong_moment_is_refused_everywhere(moved: Program, command: tuple[str, ...], known: str) -> None:
    ran = moved(*command, "--known-at", known)
    assert ran.code == 1 and ran.out == "" and len(ran.err.splitlines()) == 1


def test_a_list_of_the_past_has_one_order(moved: Program) -> None:
    assert moved("list", "dudu", "--at", "2026-02-01", "--order", "start").code == 1


def test_a_long_text_is_listed_whole_whatever_it_is_today(program: Program, tmp_path: Path) -> None:
    text = "long " * 1000
    memory_id = program.add(text.strip())
    assert program("retract", memory_id).code == 0
    (row,) = program("list", "dudu", "--known-at", "#1", "--json").json
    assert row["content"] == text.strip()
