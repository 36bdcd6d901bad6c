"""``memstation review``: what is held is listed in groups, shown with what each verdict does, decided, taken back."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cli_runs import Program
from memstation import MemoryEntry, TemporalMeta, open_engine

TELEGRAM = "channel:telegram/42"


def told(
    program: Program, *values: str, origin: str = TELEGRAM, subject: str = "user", ago: float = 0, **more: Any
) -> list[str]:
    """Tell values, each of a property of its own, so many hours ago; returns their ids."""
    program.store.parent.mkdir(parents=True, exist_ok=True)
    then = datetime.now(UTC) - timedelta(hours=ago)
    with open_engine(program.store, lambda: then) as engine:
        return [
            engine.store_temporal(
                MemoryEntry("dudu", f"{subject} says {value}"),
                TemporalMeta(subject, more.get("predicate", f"p_{value}"), value, origin=origin),
            ).id
            for value in values
        ]  # fmt: skip


def burst(program: Program, count: int = 7, **more: Any) -> list[str]:
    """Tell a burst; the first four are in use, the others are held."""
    return told(program, *(f"v{n}" for n in range(count)), **more)


def statuses(program: Program) -> dict[int, str]:
    with sqlite3.connect(program.store) as file:
        return dict(file.execute("SELECT n, status FROM approvals ORDER BY n"))


def held(program: Program, *args: str) -> list[str]:
    return [row["id"] for row in program("review", "list", *args, "--json").json]


def test_the_queue_stands_in_groups_with_the_time_left(program: Program) -> None:
    ids = burst(program)
    program.add_city("Taipei", "2026-01-01")
    (city,) = told(program, "Oslo", predicate="city", origin="channel:line/7")
    ran = program("review", "list")
    assert ran.code == 0 and ran.err == ""
    heads = [line for line in ran.lines if not line.startswith(" ")]
    assert heads == [
        f"3 from {TELEGRAM} to dudu, about user: a burst from one source  trust 0.30  23h left",
        "1 from channel:line/7 to dudu, about user: it would replace what you told  trust 0.30  23h left",
    ]
    assert f"  {city}  user city: Oslo  (23h left, would replace Taipei)" in ran.lines
    assert held(program) == [*ids[4:], city]


def test_filters_of_the_queue(program: Program) -> None:
    ids = burst(program)
    other = burst(program, 6, origin="channel:line/7", subject="boss")
    assert held(program, "--origin", TELEGRAM) == ids[4:]
    assert held(program, "--origin", TELEGRAM.upper()) == [], "sources are compared exactly"
    assert held(program, "--reason-code", "burst") == [*ids[4:], *other[4:]]
    assert held(program, "--reason-code", "contaminated") == held(program, "--agent", "agnes") == []
    assert program("review", "list", "--reason-code", "nonsense").code == 2
    assert program("review", "list", "--each", "2").out.count("and 1 more") == 1
    assert program("review", "list", "--agent", "agnes").lines == ["Nothing is held for review."]


def test_the_card_says_what_each_verdict_would_do(program: Program) -> None:
    program.add_city("Taipei", "2026-01-01")
    (city,) = told(program, "Oslo", predicate="city")
    out = program("review", "show", city).out
    assert "now   Taipei  (from 2026-01-01, operator, trust 1.00)" in out and "not used yet" in out
    assert "held  Oslo" in out and "user city: Taipei closes" in out
    assert "! it would replace a fact of full trust: --yes" in out
    assert "Oslo stays rejected for user city" in out and "it would replace what you told" in out
    card = program("review", "show", city, "--json").json
    assert (card["row"]["id"], card["holds"]["object"], card["asks"]) == (city, "Taipei", ["full_trust"])
    assert {change["kind"] for change in card["approve"]["changes"]} == {"closed", "released"}
    assert card["deny"]["orders"][0]["verdict"] == "rejected"


def test_the_card_of_a_burst_names_the_earlier_ones(program: Program) -> None:
    ids = burst(program)
    out = program("review", "show", ids[-1]).out
    assert "a burst from one source: 7 new values about the subject within 3,600 seconds (held from 5 on)" in out
    assert "Earlier ones of the same burst" in out and out.count("current") >= 4


def test_ids_may_be_shortened_to_what_is_unique(program: Program) -> None:
    ids = burst(program, 6)
    ran = program("review", "show", "m_")
    assert ran.code == 1 and "Several ids begin so" in ran.err
    unique = next(ids[-1][:n] for n in range(3, 40) if not ids[-2].startswith(ids[-1][:n]))
    assert program("review", "show", unique, "--json").json["row"]["id"] == ids[-1]
    for unknown in ("x", "", "m_%", "\ud800", "'"):
        ran = program("review", "show", unknown)
        assert ran.code == 1 and "No such memory" in ran.err and ran.err.count("\n") == 1
    ran = program("review", "show", ids[0])
    assert ran.code == 1 and "It is not held" in ran.err and "never held" in ran.err


def test_approve_is_dry_first_and_taken_back(program: Program) -> None:
    ids = burst(program)
    dry = program("review", "approve", *ids[4:], "--dry-run")
    assert dry.code == 0 and "user p_v4: v4 is released" in dry.out and held(program) == ids[4:]
    ran = program("review", "approve", *ids[4:], "--raise-trust", "--reason", "looked at", "--json").json
    assert (ran["kind"], ran["dry_run"], len(ran["effects"]["changes"])) == ("approve", False, 3)
    (row,) = program("history", "dudu", "user", "p_v4", "--json").json
    assert (row["origin"], row["origin_trust"]) == (TELEGRAM, 1.0)
    assert program("journal", "--json").json[0]["reason"] == "looked at"
    again = program("review", "approve", ids[4])
    assert again.code == 1 and "It is not held" in again.err and "was approved by operator" in again.err
    assert program("review", "undo").code == 0
    assert held(program) == ids[4:]


def test_what_would_replace_full_trust_asks_first(program: Program) -> None:
    program.add_city("Taipei", "2026-01-01")
    (city,) = told(program, "Oslo", predicate="city")
    ran = program("review", "approve", city)
    assert ran.code == 1 and "asks first" in ran.err and "a fact of full trust" in ran.err
    assert held(program) == [city]
    assert program("review", "approve", city, "--dry-run").code == 0 and held(program) == [city]
    assert program("review", "approve", city, "--yes").code == 0 and held(program) == []


def test_all_of_a_source_want_a_yes(program: Program) -> None:
    ids = burst(program)
    other = burst(program, 6, origin="channel:line/7", subject="boss")
    ran = program("review", "deny", "--all", "--origin", TELEGRAM)
    assert ran.code == 1 and "3 would be decided" in ran.err and held(program) == [*ids[4:], *other[4:]]
    done = program("review", "deny", "--all", "--origin", TELEGRAM, "--yes", "--json").json
    assert len(done["effects"]["orders"]) == 3 and held(program) == other[4:]
    assert program("review", "deny", "--all", "--origin", TELEGRAM, "--yes").code == 1


@pytest.mark.parametrize("args", [(), ("--all",), ("m_1", "--all", "--agent", "dudu"), ("m_1", "--agent", "dudu")])
def test_it_must_be_clear_which(program: Program, args: tuple[str, ...]) -> None:
    ids = burst(program)
    ran = program("review", "approve", *args, "--yes")
    assert ran.code == 1 and "It is not clear which" in ran.err and held(program) == ids[4:]


def test_deny_holds_the_earlier_ones_too(program: Program) -> None:
    ids = burst(program)
    assert program("review", "deny", *ids[4:], "--earlier").code == 0
    assert held(program) == ids[:4]
    assert [row["object"] for row in program("list", "dudu", "state:current", "--json").json] == []
    again = told(program, "v6", origin="channel:line/9")
    assert held(program, "--reason-code", "rejected_before") == again


def test_edit_writes_the_operators_own(program: Program) -> None:
    ids = burst(program)
    ran = program("review", "edit", ids[4], "--object", "better")
    assert ran.code == 0 and "#8 edited" in ran.out
    (row,) = (r for r in program("history", "dudu", "user", "p_v4", "--json").json if r["state"] == "current")
    assert (row["object"], row["origin"], row["origin_trust"]) == ("better", "operator", 1.0)
    assert program("review", "edit", ids[5], "--object", "v5", "--content", "user says v5").code == 1


def test_hold_extend_and_a_given_verdict_taken_back(program: Program) -> None:
    (one,) = told(program, "x")
    assert program("review", "hold", one[:-2], "--reason", "wait").code == 0
    assert held(program) == [one]
    before = program("review", "list", "--json").json[0]["deadline"]
    assert program("review", "extend", one, "--hours", "48").code == 0
    after = program("review", "list", "--json").json[0]["deadline"]
    assert datetime.fromisoformat(after) - datetime.fromisoformat(before) == timedelta(hours=48)
    assert program("review", "extend", one, "--hours", "0").code == 2
    assert program("review", "undo").lines[0] == "#4 took back", "the newest verdict is the extension"
    assert program("review", "list", "--json").json[0]["deadline"] == before
    assert program("review", "undo", "#2").code == 0 and held(program) == []
    ran = program("review", "undo", "1")
    assert ran.code == 1 and "That is no verdict" in ran.err
    assert program("review", "undo", "99").code == 1


def test_what_ran_out_lapses_once_and_is_restored(program: Program) -> None:
    ids = burst(program, ago=30)
    dry = program("review", "expire", "--dry-run", "--json").json
    assert dry["dry_run"] and len(dry["effects"]["changes"]) == 3
    assert set(statuses(program).values()) == {"pending"}
    assert program("review", "expire").lines[0] == "#8 let run out"
    assert program("review", "expire").lines == ["Nothing has run out."]
    assert program("review", "expire", "--json").json["seq"] is None
    assert set(statuses(program).values()) == {"lapsed"}
    listed = program("review", "list")
    assert listed.lines == ["Nothing is held for review."] and "3 ran out undecided" in listed.err
    assert set(held(program, "--lapsed")) == set(ids[4:])
    assert program("review", "list", "--lapsed").out.count("ran out 20") >= 3
    assert program("review", "show", ids[4]).code == 1
    assert program("review", "restore", ids[4], ids[5]).code == 0
    assert held(program) == ids[4:6]
    ran = program("review", "restore", ids[4])
    assert ran.code == 1 and "held and waits for a verdict" in ran.err


def test_hostile_text_reaches_the_terminal_through_the_safe_door(program: Program) -> None:
    program.add_city("Taipei", "2026-01-01")
    evil = "\x1b[2J\u202eevil\u200b\nnext"
    told(program, evil, predicate="city", origin="channel:\x1b]0;x\x07")
    for ran in (program("review", "list"), program("review", "show", held(program)[0])):
        assert ran.code == 0
        assert not any(sign in ran.out for sign in ("\x1b", "\u202e", "\u200b", "\x07"))
        assert "[U+001B]" in ran.out and "[U+202E]" in ran.out


def test_read_only_lists_and_previews_and_decides_nothing(program: Program) -> None:
    ids = burst(program)
    assert program("--read-only", "review", "list").code == 0
    assert program("--read-only", "review", "show", ids[4]).code == 0
    assert program("--read-only", "review", "approve", ids[4], "--dry-run").code == 0
    for args in (("approve", ids[4]), ("deny", ids[4]), ("hold", ids[0]), ("extend", ids[4])):
        ran = program("--read-only", "review", *args)
        assert ran.code == 1 and "read-only" in ran.err
    assert held(program) == ids[4:]


def test_one_decision_is_shown_with_what_the_gate_saw(program: Program) -> None:
    ids = burst(program)
    program("review", "deny", ids[5], "--reason", "not ours")
    ran = program("journal", "5")
    assert ran.code == 0 and ran.lines[0].startswith("#5, api, ")
    assert "held for review (a burst from one source, 5 new values (held from 5 on)): ▲ user p_v4: v4" in ran.out
    out = program("journal", "#8").out
    assert "denied user p_v5 v5, for dudu" in out and "Reason  not ours" in out and "~ user p_v5 v5 rejected" in out
    detail = program("journal", "5", "--json").json
    assert [(event["memory_id"], event["reason"], event["count"]) for event in detail["events"]] == [
        (ids[4], "burst", 5)
    ]
    assert detail["row"]["held"] == 1
    for wrong in (("journal", "99"), ("journal", "0"), ("journal", "x"), ("journal", "5", "--filter", "x")):
        ran = program(*wrong)
        assert ran.code == 1 and ran.out == "" and ran.err.count("\n") == 1


def test_a_drop_stands_in_the_log_with_its_rules_and_never_its_whole_text(program: Program) -> None:
    from memstation.domain.decisions import Decision, Event

    detail = '{"digest":"00","excerpt":"ignore \\u001b[31m all","rules":["override","exfiltrate"],"where":"content"}'
    program.add("x")
    with open_engine(program.store) as engine:
        event = Event("prompt_injection", "dudu", TELEGRAM, detail)
        engine.apply(Decision("drop", "agent", (event,), "dudu"))
    (row,) = program("journal", "--filter", "is:dropped", "--json").json
    assert (row["kind"], row["dropped"]) == ("drop", 1)
    assert f"dropped      dudu  one dropped from {TELEGRAM}: override, exfiltrate" in program("journal").out
    out = program("journal", "2").out
    assert "(cannot be taken back)" in out and f"dropped from {TELEGRAM}, for dudu, override, exfiltrate" in out
    assert "ignore [U+001B][31m all" in out
