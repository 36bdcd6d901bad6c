"""``memstation rejected``: which values are held when they come again, how often they did, and how one is lifted."""

from __future__ import annotations

from cli_runs import Program
from test_review_commands import burst, held, told


def rejected(program: Program, *args: str) -> list[tuple[str, int]]:
    return [(row["value"], row["hits"]) for row in program("rejected", "list", *args, "--json").json]


def test_a_denied_value_is_listed_with_how_often_it_came_again(program: Program) -> None:
    ids = burst(program, 6)
    assert program("rejected", "list").lines == ["No value is rejected."]
    assert program("review", "deny", *ids[4:]).code == 0
    assert rejected(program) == [("v4", 0), ("v5", 0)]
    told(program, "V4", origin="channel:line/1", predicate="p_v4")
    told(program, "V4", origin="channel:line/1", predicate="p_v4")
    told(program, "v4", origin="channel:line/2")
    assert rejected(program) == [("v4", 3), ("v5", 0)]
    ran = program("rejected", "list")
    assert "denied by you" in ran.lines[1] and "user p_v4" in ran.lines[1] and "3, last " in ran.lines[1]
    assert rejected(program, "--agent", "agnes") == []


def test_denying_it_again_goes_on_counting(program: Program) -> None:
    ids = burst(program, 6)
    program("review", "deny", *ids[4:])
    again = told(program, "v4", origin="channel:line/1")
    assert held(program, "--reason-code", "rejected_before") == again
    program("review", "deny", *again)
    assert rejected(program) == [("v4", 1), ("v5", 0)]
    told(program, "v4", origin="channel:line/1")
    assert rejected(program) == [("v4", 2), ("v5", 0)]


def test_lift_by_name_and_all_of_a_decision(program: Program) -> None:
    ids = burst(program)
    program("review", "deny", *ids[4:])
    first, second, _ = program("rejected", "list", "--json").json
    assert program("rejected", "lift", f"{first['seq']}.{first['k']}", "--dry-run").code == 0
    assert len(rejected(program)) == 3
    ran = program("rejected", "lift", f"#{first['seq']}.{first['k']}", "--reason", "a mistake")
    assert ran.code == 0 and "v4 is no longer rejected" in ran.out
    assert [value for value, _ in rejected(program)] == ["v5", "v6"]
    (again,) = told(program, "v4", origin="channel:line/1")
    assert again not in held(program)
    assert program("rejected", "lift", str(second["seq"])).code == 0 and rejected(program) == []
    assert program("undo", str(program("journal", "--json").json[0]["seq"])).code == 0
    assert [value for value, _ in rejected(program)] == ["v5", "v6"]


def test_what_is_not_rejected_cannot_be_lifted(program: Program) -> None:
    ids = burst(program, 6)
    program("review", "deny", ids[4])
    (row,) = program("rejected", "list", "--json").json
    name = f"{row['seq']}.{row['k']}"
    assert program("rejected", "lift", name).code == 0
    for wrong in (name, str(row["seq"]), "1", "1.0", "999.1", "x", "1.x", "1.", "#"):
        ran = program("rejected", "lift", wrong)
        assert ran.code == 1 and ran.err.startswith("memstation: ") and ran.err.count("\n") == 1, wrong
    assert program("rejected", "lift").code == 2


def test_a_retracted_value_is_rejected_too_and_seen_under_a_joined_name(program: Program) -> None:
    from memstation import open_engine
    from memstation.domain.decisions import Decision, Order

    city = program.add_city("Oslo", "2026-01-01")
    program("retract", city)
    with open_engine(program.store) as engine:
        engine.apply(Decision("store", "operator", (Order("alias", "joined", "dudu", "the user", value="user"),)))
    told(program, "Oslo", subject="the user", predicate="city")
    assert rejected(program) == [("Oslo", 1)]
    assert "retracted by you" in program("rejected", "list").out
