"""Searching from the command line: hits, why they are hits, and the machine's form."""

from __future__ import annotations

from typing import Any

from cli_runs import Program


def test_a_search_shows_hits_and_explains(program: Program) -> None:
    program.add_city("Nara", "2026-01-01")
    program.add_city("Osaka", "2026-02-01")
    program.add("住在台北的朋友")
    ran = program("search", "dudu", "Osaka 朋友")
    assert ran.code == 0 and "Osaka" in ran.out and "住在台北的朋友" in ran.out and "Nara" not in ran.out
    explained = program("search", "dudu", "city", "--explain")
    assert "score " in explained.out and "words in it: city" in explained.out and "left out: 1 over" in explained.out
    assert "trust 1.000" in explained.out
    then = program("search", "dudu", "city", "--at", "2026-01-15", "--limit", "1")
    assert "Nara" in then.out and "Osaka" not in then.out
    before = program("search", "dudu", "Osaka", "--known-at", "#1")
    assert before.code == 0 and before.out == "Nothing matches.\n"
    assert program("search", "dudu", "***").out == "There is no word in it to look for.\n"
    assert program("search", "dudu", " ").out == "Type a word to look for.\n"
    assert program("search", "dudu", "city", "--layer", "procedural").out == "Nothing matches.\n"


def test_words_are_told_as_they_were_typed(program: Program) -> None:
    program.add("老闆 drinks COFFEE")
    assert program("retract", program.add_city("Nara", "2026-01-01")).code == 0
    out = program("search", "dudu", "老闆 Coffee Zürich Nara", "--explain").out
    assert "words in it: 老闆, Coffee\n" in out and "in no memory: Zürich, Nara\n" in out
    assert "left out: 1 withdrawn\n" in out


def test_a_word_that_is_there_is_in_a_memory_though_a_phrase_is_not(program: Program) -> None:
    program.add("pay iban GOOD")
    assert program("retract", program.add("a plum")).code == 0
    asked = ("search", "dudu", 'pay iban plum "nothing"', "--explain")
    assert "in no memory: plum, nothing\n" in program(*asked).out
    assert program(*asked, "--json").json["trace"]["missing"] == ["nothing", "plum"]
    then = program(*asked, "--known-at", "#2", "--json").json["trace"]
    assert then["missing"] == ["nothing"]


def test_the_machines_form_has_terms_and_trace(program: Program) -> None:
    program.add_city("Osaka", "2026-02-01")
    found: Any = program("search", "dudu", "city", "--json", "--explain").json
    [hit] = found["hits"]
    assert hit["memory"]["object"] == "Osaka" and hit["terms"]["text"] == 0.35 and hit["terms"]["vector"] is None
    assert found["trace"]["words"] == ["city"] and found["trace"]["found"] == 1
    assert program("search", "dudu", "city", "--json").json["trace"] is None


def test_only_an_agents_search_is_a_reading(program: Program) -> None:
    id_ = program.add_city("Osaka", "2026-02-01") or program("list", "dudu", "--json").json[0]["id"]
    program("search", "dudu", "city", "--explain")
    assert reads(program, id_) == 0
    program("search", "dudu", "city", "--as-agent")
    assert reads(program, id_) == 1


def test_the_machines_form_counts_the_readings_that_it_is_ranked_by(program: Program) -> None:
    program.add_city("Osaka", "2026-02-01")
    for times in range(3):
        [hit] = program("search", "dudu", "city", "--json").json["hits"]
        assert hit["memory"]["access_count"] == times and (hit["memory"]["last_accessed"] is None) == (times == 0)
        then = program("search", "dudu", "city", "--known-at", "#1", "--json").json["hits"]
        assert [each["memory"]["access_count"] for each in then] == [times]
        program("search", "dudu", "city", "--as-agent")


def reads(program: Program, id_: str) -> int:
    from memstation import open_engine

    with open_engine(program.store) as engine:
        return int(engine.reads_of([id_]).times)


def test_an_unknown_agent_and_a_wrong_limit_are_refused(program: Program) -> None:
    program.add_city("Osaka", "2026-02-01")
    assert program("search", "dud", "city").code == 1
    assert program("search", "dudu", "city", "--limit", "0").code == 1
    assert program("search", "dudu", "city", "--layer", "odd").code == 2
