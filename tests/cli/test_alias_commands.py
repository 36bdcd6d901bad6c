"""``memstation alias`` and ``memstation conflicts``: the same effects as the room, by hand or by script."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runs import Program


@pytest.fixture
def two(program: Program) -> Program:
    """Two names with facts that disagree."""
    for subject, value in (("老闆", "Helix"), ("李老闆", "vim")):
        program.add(value, "--subject", subject, "--predicate", "editor", "--object", value, "--from", "2026-01-01")
    return program


def groups(program: Program) -> dict[str, list[str]]:
    found = program("alias", "list", "--json").json
    return {each["names"][0]["name"]: [name["name"] for name in each["names"][1:]]
            for agent in found for each in agent["groups"]}  # fmt: skip


def test_join_shows_what_would_be_one_and_part_takes_it_back(two: Program) -> None:
    assert two("alias", "list").lines == ["No names are joined."]
    ran = two("alias", "join", "dudu", "李老闆", "老闆", "--dry-run")
    assert ran.code == 0 and "2 facts found together" in ran.out and "nothing is closed by joining" in ran.out
    assert "Helix | vim" in ran.out or "vim | Helix" in ran.out
    assert groups(two) == {}
    ran = two("alias", "join", "dudu", "李老闆", "老闆", "--reason", "the same person", "--json")
    assert (ran.json["kind"], ran.json["effects"]["orders"][0]["verdict"]) == ("join", "joined")
    assert groups(two) == {"老闆": ["李老闆"]}
    assert two("alias", "join", "dudu", "李老闆", "老闆").lines == ["They are one name already; nothing was written."]
    assert two("alias", "join", "dudu", "老闆", "李老闆").code == 1
    assert "李老闆 -> 老闆" in two("journal").lines[0]
    assert two("alias", "part", "dudu", "李老闆").code == 0 and groups(two) == {}
    assert two("alias", "part", "dudu", "李老闆").code == 1


def test_moving_a_name_asks_first(program: Program) -> None:
    program.add()
    program("alias", "join", "dudu", "p", "q")
    ran = program("alias", "join", "dudu", "p", "r")
    assert ran.code == 1 and "'p' stands under q" in ran.err.replace("p stands", "'p' stands")
    assert groups(program) == {"q": ["p"]}
    assert program("alias", "join", "dudu", "p", "r", "--yes").code == 0 and groups(program) == {"r": ["p"]}


def test_a_list_comes_in_as_suggestions(two: Program, tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    path.write_text("canonical,alias\n老闆,zhixu\nnobody,no one\n老闆, 老闆\n", encoding="utf-8")
    assert two("alias", "import", "dudu", str(path), "--dry-run").code == 0
    ran = two("alias", "import", "dudu", str(path))
    assert ran.code == 0 and "zhixu may be one name with 老闆" in ran.out and "nobody" not in ran.out
    assert groups(two) == {}
    [agent] = two("alias", "list", "--json").json
    assert [(row["alias"], row["canonical"], row["reason"]) for row in agent["suggested"]] == [
        ("zhixu", "老闆", "import names.csv")
    ]
    assert "zhixu -> 老闆" in two("alias", "list").out
    assert "Nothing new" in two("alias", "import", "dudu", str(path)).out
    assert "no one" in two("alias", "import", "dudu", str(path), "--all").out
    assert two("alias", "dismiss", "dudu", "no one", "nobody").code == 0
    assert two("alias", "join", "dudu", "zhixu", "老闆").code == 0
    assert two("alias", "list", "--json").json[0]["suggested"] == [] and groups(two) == {"老闆": ["zhixu"]}
    assert two("alias", "suggest", "dudu", "nobody", "no one", "--json").json["seq"] is None
    assert two("alias", "import", "nobody", str(path)).code == 1
    path.write_text("canonical,alias\nsomebody,else\n", encoding="utf-8")
    assert "--all suggests them anyway" in two("alias", "import", "dudu", str(path)).err


def test_a_list_that_cannot_be_read_suggests_nothing(two: Program, tmp_path: Path) -> None:
    path = tmp_path / "names.jsonl"
    path.write_text('{"canonical": "老闆", "alias": "zhixu"}\n{"canonical": "x"}\n', encoding="utf-8")
    ran = two("alias", "import", "dudu", str(path))
    assert ran.code == 1 and "line 2" in ran.err
    assert two("alias", "list", "--json").json[0]["suggested"] == []


@pytest.mark.parametrize("way", ["--retract", "--end", "--many"])
def test_a_conflict_is_settled(two: Program, way: str) -> None:
    assert two("conflicts").lines == ["Nothing is in conflict."]
    two("alias", "join", "dudu", "李老闆", "老闆")
    [found] = two("conflicts", "--agent", "dudu", "--json").json
    ran = two("conflicts")
    assert found["name"] in ran.out and all(side["id"] in ran.out for side in found["sides"])
    vim = next(side["id"] for side in found["sides"] if side["value"] == "vim")
    more = {"--retract": [vim], "--end": [vim, "--on", "2026-02-01"], "--many": []}[way]
    assert two("conflicts", "settle", found["name"], way, *more, "--dry-run").code == 0
    assert len(two("conflicts", "--json").json) == 1
    if way == "--end":
        assert two("conflicts", "settle", found["name"], "--end", vim, "--on", "1 feb 2026", "--dry-run").code == 0
        assert two("conflicts", "settle", found["name"], "--end", vim, "--on", "one day").code == 1
    assert two("conflicts", "settle", found["name"][:4], way, *more).code == 0
    assert two("conflicts", "--json").json == []


def test_wrong_ways_to_settle(two: Program) -> None:
    two("alias", "join", "dudu", "李老闆", "老闆")
    [found] = two("conflicts", "--json").json
    name, vim = found["name"], found["sides"][0]["id"]
    for wrong in (
        [name], [name, "--many", "--join"], [name, "--end", vim], [name, "--join"], [name, "--retract", "m_x"],
        ["ffff", "--many"], ["", "--many"],
    ):  # fmt: skip
        ran = two("conflicts", "settle", *wrong)
        assert ran.code == 1 and ran.err, wrong
    assert len(two("conflicts", "--json").json) == 1


def test_dismissed_and_reopened(two: Program) -> None:
    two("alias", "join", "dudu", "李老闆", "老闆")
    [found] = two("conflicts", "--json").json
    assert two("conflicts", "dismiss", found["name"], "--reason", "two desks").code == 0
    assert two("conflicts", "--json").json == []
    assert found["name"] in two("conflicts", "--dismissed").out
    assert two("conflicts", "dismiss", found["name"]).code == 1
    assert two("conflicts", "reopen", found["name"]).code == 0
    assert len(two("conflicts", "--json").json) == 1
    assert two("conflicts", "--dismissed").lines == ["No conflict is dismissed."]


def test_names_that_look_alike_are_joined(program: Program) -> None:
    for subject in ("annelise", "anneliese"):
        program.add("x", "--subject", subject, "--predicate", subject, "--object", "x")
    ran = program("conflicts")
    assert "alike" in ran.out and "differ in one letter" in ran.out
    [found] = program("conflicts", "--json").json
    assert program("conflicts", "settle", found["name"], "--many").code == 1
    assert program("conflicts", "settle", found["name"], "--join").code == 0
    assert groups(program) == {found["names"][0]: [found["names"][1]]}
    assert program("conflicts", "--json").json == []


def test_the_same_conflict_of_two_agents_is_settled_for_one(two: Program) -> None:
    for subject, value in (("老闆", "Helix"), ("李老闆", "vim")):
        two.add(value, "--subject", subject, "--predicate", "editor", "--object", value, agent="bo")
    for agent in ("dudu", "bo"):
        two("alias", "join", agent, "李老闆", "老闆")
    name = two("conflicts", "--json").json[0]["name"]
    assert [each["name"] for each in two("conflicts", "--json").json] == [name, name]
    ran = two("conflicts", "settle", name, "--many")
    assert ran.code == 1 and "--agent NAME" in ran.err
    assert two("conflicts", "--agent", "bo", "dismiss", name).code == 0
    assert [each["agent_id"] for each in two("conflicts", "--json").json] == ["dudu"]
    assert two("conflicts", "reopen", name, "--agent", "dudu").code == 1
    assert two("conflicts", "reopen", name, "--agent", "bo").code == 0
    assert two("conflicts", "settle", name, "--agent", "bo", "--many").code == 0
    assert [each["agent_id"] for each in two("conflicts", "--json").json] == ["dudu"]
    assert two("conflicts", "settle", name, "--agent", "nobody", "--many").code == 1
