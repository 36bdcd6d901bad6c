"""What the engine's reads answer: windows, limits, scope, fetch by ids."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from memstation import MemoryEntry
from memstation.domain.decisions import Claim, Decision, Mark
from memstation.domain.errors import InvalidInput, MemstationError

from engine_facts import saying, tell, timeline, value_at


def jan(day: int) -> datetime:
    return datetime(2026, 1, day, tzinfo=UTC)


def hold(engine: Any, memory_id: str, value: str, start: str = "2026-02-01") -> None:
    """Tell a claim that is held at once, as the gate does."""
    at = f"{start}T00:00:00.000000+00:00"
    claim = Claim(memory_id, "ada", f"the city is {value}", at, None, 0.3, "user", "city", value, "channel:x")
    engine.apply(Decision("store", "channel:x", (claim, Mark(memory_id, "held", "burst")), "ada"))


def ids(found: Any) -> list[str]:
    return [record.id for record in found.memories]


def test_get_at_is_half_open(engine: Any) -> None:
    tell(engine, "Nara", "2026-01-10", "2026-01-20")
    asked = ["2026-01-09T23:59:59.999999Z", "2026-01-10", "2026-01-19T23:59:59.999999Z", "2026-01-20"]
    assert [value_at(engine, at) for at in asked] == [None, "Nara", "Nara", None]


@pytest.mark.parametrize("at", ["someday", "", 7, None])
def test_get_at_refuses_what_is_not_a_time(engine: Any, at: Any) -> None:
    tell(engine, "Nara")
    with pytest.raises(InvalidInput):
        engine.get_at("ada", "user", "city", at)


def test_an_unknown_agent_or_name_is_empty(engine: Any) -> None:
    tell(engine, "Nara")
    assert engine.get_history("nobody", "user", "city") == []
    assert engine.get_history("ada", "user", "shoe size") == []
    assert engine.get_at("nobody", "user", "city", jan(1)) is None
    assert engine.holding_at("nobody", "user", "city", jan(1)) == []
    assert list(engine.list_recent("nobody", limit=5)) == []
    assert engine.get_by_ids("nobody", ["x"]).missing_ids == ("x",)


def test_a_predicate_that_holds_many_values_gives_them_all(engine: Any) -> None:
    engine.set_predicate("ada", "speaks", "many", actor="operator")
    tell(engine, "ja", "2026-01-01", predicate="speaks")
    tell(engine, "en", "2026-01-05", predicate="Speaks")
    tell(engine, "fr", "2026-01-03", "2026-01-10", predicate="speaks")

    def holding(at: datetime) -> set[str]:
        return {r.object for r in engine.holding_at("ada", "user", "speaks", at)}

    assert holding(jan(2)) == {"ja"}
    assert holding(jan(6)) == {"ja", "en", "fr"}
    assert holding(jan(10)) == {"ja", "en"}
    assert engine.get_at("ada", "user", "speaks", jan(6)).object == "en"
    assert engine.get_at("ada", "user", "speaks", jan(6), object="FR ").object == "fr"
    assert engine.get_at("ada", "user", "speaks", jan(10), object="fr") is None
    assert engine.get_at("ada", "user", "speaks", jan(6), object="de") is None
    assert [r.object for r in engine.get_history("ada", "user", "speaks")] == ["ja", "fr", "en"]


def test_on_a_predicate_with_one_value_holding_at_gives_that(engine: Any) -> None:
    tell(engine, "Nara", "2026-01-01", "2026-01-05")
    assert [r.object for r in engine.holding_at("ada", "user", "city", jan(2))] == ["Nara"]
    assert engine.holding_at("ada", "user", "city", jan(5)) == []


def test_marking_a_predicate_many_brings_closed_siblings_back_and_one_closes_them_again(engine: Any) -> None:
    tell(engine, "ja", "2026-01-01")
    tell(engine, "en", "2026-01-05")
    before, digest = timeline(engine), engine.state_digest()
    engine.set_predicate("ada", " CITY", "many", actor="operator")
    assert timeline(engine) == [("ja", "2026-01-01", None), ("en", "2026-01-05", None)]
    engine.set_predicate("ada", "city", "one", actor="operator")
    assert timeline(engine) == before
    engine.undo(4, actor="operator")
    engine.undo(3, actor="operator")
    assert engine.state_digest() == digest


def test_a_rule_for_all_agents_and_one_for_an_agent(engine: Any) -> None:
    for agent in ("ada", "bo"):
        tell(engine, "ja", "2026-01-01", agent=agent)
        tell(engine, "en", "2026-01-05", agent=agent)
    engine.set_predicate("*", "city", "many", actor="operator")
    assert [len(engine.holding_at(a, "user", "city", jan(9))) for a in ("ada", "bo")] == [2, 2]
    engine.set_predicate("bo", "city", "one", actor="operator")
    assert [len(engine.holding_at(a, "user", "city", jan(9))) for a in ("ada", "bo")] == [2, 1]
    engine.set_predicate("*", "city", "one", actor="operator")
    engine.set_predicate("bo", "city", "many", actor="operator")
    assert [len(engine.holding_at(a, "user", "city", jan(9))) for a in ("ada", "bo")] == [1, 2]


@pytest.mark.parametrize("verdict", ["several", "", None, "ONE"])
def test_an_unknown_predicate_rule_is_refused(engine: Any, verdict: Any) -> None:
    with pytest.raises(InvalidInput):
        engine.set_predicate("ada", "city", verdict, actor="operator")
    assert len(engine.journal()) == 0


def test_the_history_is_told_oldest_first_without_evidence(engine: Any) -> None:
    tell(engine, "Nara", "2026-01-10")
    tell(engine, "Nara", "2026-01-12")
    tell(engine, "Osaka", "2026-01-05")
    tell(engine, "Kyoto", "2026-01-20")
    assert timeline(engine) == [
        ("Osaka", "2026-01-05", "2026-01-10"),
        ("Nara", "2026-01-10", "2026-01-20"),
        ("Kyoto", "2026-01-20", None),
    ]


def test_held_memories_are_in_no_read_but_the_one_that_asks_for_them(engine: Any) -> None:
    fact = tell(engine, "Nara", "2026-01-01")
    hold(engine, "m_held", "Osaka")
    assert timeline(engine) == [("Nara", "2026-01-01", None)]
    assert value_at(engine, "2026-03-01") == "Nara"
    assert [r.id for r in engine.list_recent("ada", limit=10)] == [fact.id]
    assert engine.get_by_ids("ada", ["m_held"]).missing_ids == ("m_held",)
    everything = engine.get_history("ada", "user", "city", include_held=True)
    assert [(r.id, r.quarantined, r.state) for r in everything] == [
        (fact.id, False, "current"),
        ("m_held", True, "held"),
    ]


def test_withdrawn_memories_stay_in_the_history_and_leave_the_answers(engine: Any) -> None:
    old = tell(engine, "Nara", "2026-01-01")
    lie = tell(engine, "Atlantis", "2026-02-01")
    engine.retract(lie.id, actor="operator", reason="made up")
    history = engine.get_history("ada", "user", "city")
    assert [(r.id, r.state) for r in history] == [(old.id, "current"), (lie.id, "withdrawn")]
    assert history[1].valid_from == history[1].valid_until
    assert value_at(engine, "2026-03-01") == "Nara"
    assert engine.get_by_ids("ada", [lie.id, old.id]).missing_ids == (lie.id,)


def test_closed_facts_are_fetched_and_not_listed(engine: Any) -> None:
    old = tell(engine, "Nara", "2026-01-01")
    new = tell(engine, "Osaka", "2026-02-01")
    later = tell(engine, "Kyoto", "2026-12-01")
    assert [r.id for r in engine.list_recent("ada", limit=10)] == [new.id]
    assert ids(engine.get_by_ids("ada", [old.id, new.id, later.id])) == [old.id, new.id, later.id]


def test_the_newest_come_first(engine: Any, clock: Any) -> None:
    told = []
    for number in range(5):
        told.append(engine.store_temporal(MemoryEntry("ada", f"note {number}")).id)
        clock.advance(seconds=1)
    assert [r.id for r in engine.list_recent("ada", limit=3)] == told[:-4:-1]
    assert [r.id for r in engine.list_recent("ada", limit=1000)] == told[::-1]


@pytest.mark.parametrize("limit", [0, -1, 1001, 10**9, "7", 1.5, True])
def test_limits_are_1_to_1000(engine: Any, limit: Any) -> None:
    tell(engine, "Nara")
    with pytest.raises(InvalidInput):
        engine.list_recent("ada", limit=limit)
    with pytest.raises(InvalidInput):
        engine.journal(limit=limit)


@pytest.mark.parametrize("limit", [1, 1000])
def test_both_ends_of_the_limits_are_taken(engine: Any, limit: int) -> None:
    engine.store_many([saying(str(n), "2026-01-01", predicate=f"p{n}") for n in range(3)])
    assert len(engine.list_recent("ada", limit=limit)) == min(limit, 3)
    assert len(engine.journal(limit=limit)) == 1


# Fetch by ids.


def test_each_distinct_id_is_answered_once_in_the_order_of_the_request(engine: Any) -> None:
    a, b, c = (tell(engine, "x", predicate=p).id for p in "abc")
    foreign = tell(engine, "x", agent="bo").id
    found = engine.get_by_ids("ada", [c, "nope", a, c, foreign, "nope", b])
    assert ids(found) == [c, a, b]
    assert found.missing_ids == ("nope", foreign)
    assert (found.total_found, found.total_missing) == (3, 2)


def test_foreign_unknown_held_and_withdrawn_are_missing_alike(engine: Any) -> None:
    foreign = tell(engine, "x", agent="bo").id
    gone = tell(engine, "x").id
    engine.retract(gone, actor="operator")
    hold(engine, "m_held", "Osaka")
    asked = [foreign, "unknown", gone, "m_held"]
    found = engine.get_by_ids("ada", asked)
    assert found.memories == () and found.missing_ids == tuple(asked)


def test_a_hundred_ids_are_taken_and_a_hundred_and_one_refused(engine: Any) -> None:
    told = [o.id for o in engine.store_many([saying("x", predicate=f"p{n}") for n in range(60)])]
    unknown = [f"unknown {n}" for n in range(40)]
    found = engine.get_by_ids("ada", [*unknown, *told])
    assert ids(found) == told and list(found.missing_ids) == unknown
    with pytest.raises(InvalidInput, match="100"):
        engine.get_by_ids("ada", [*unknown, *told, told[0]])
    with pytest.raises(InvalidInput, match="100"):
        engine.get_by_ids("ada", [told[0]] * 101)


def test_the_cap_is_checked_before_the_database_is_touched(engine: Any) -> None:
    engine.close()
    with pytest.raises(InvalidInput, match="100"):
        engine.get_by_ids("ada", ["m_1"] * 101)


def test_no_ids_is_an_empty_answer(engine: Any) -> None:
    found = engine.get_by_ids("ada", [])
    assert (found.memories, found.missing_ids) == ((), ())


def test_ids_are_compared_exactly(engine: Any) -> None:
    told = tell(engine, "x", id="m_Abcdefgh1").id
    asked = ["", "%", "_________%", told[:8], told.lower(), told.upper(), "m\u005fAbcdefgh1 "]
    found = engine.get_by_ids("ada", asked)
    assert found.memories == ()
    assert list(found.missing_ids) == asked


@pytest.mark.parametrize("wrong", ["m_1", None, [5], ["m_1", None], [b"m_1"], {"m_1": 1}])
def test_ids_of_another_type_are_an_argument_error(engine: Any, wrong: Any) -> None:
    with pytest.raises(InvalidInput):
        engine.get_by_ids("ada", wrong)


def test_the_id_of_a_confirmation_gives_the_fact_and_says_so(engine: Any) -> None:
    fact = tell(engine, "Nara", "2026-01-01")
    tell(engine, "Nara", "2026-02-01", id="evidence")
    found = engine.get_by_ids("ada", ["evidence"])
    assert [(r.id, r.asked) for r in found.memories] == [(fact.id, "evidence")]
    assert found.missing_ids == ()
    assert engine.get_by_ids("ada", [fact.id]).memories[0].asked is None


def test_evidence_of_a_closed_fact_gives_that_fact(engine: Any) -> None:
    first = tell(engine, "Nara", "2026-01-01")
    tell(engine, "Nara", "2026-01-02", id="evidence")
    tell(engine, "Osaka", "2026-02-01")
    tell(engine, "Nara", "2026-03-01")
    assert ids(engine.get_by_ids("ada", ["evidence"])) == [first.id]


def test_an_id_that_was_split_off_stands_for_itself(engine: Any) -> None:
    first = tell(engine, "Nara", "2026-01-01")
    tell(engine, "Nara", "2026-03-01", id="evidence")
    tell(engine, "Osaka", "2026-02-01")
    [record] = engine.get_by_ids("ada", ["evidence"]).memories
    assert (record.id, record.asked, record.valid_from) == (
        "evidence",
        None,
        datetime(2026, 3, 1, tzinfo=UTC),
    )
    assert ids(engine.get_by_ids("ada", [first.id])) == [first.id]


def test_every_error_is_of_the_one_tree(engine: Any) -> None:
    for wrong in (
        lambda: engine.get_by_ids("ada", [5]),
        lambda: engine.list_recent("ada", limit=0),
        lambda: engine.undo(99, actor="operator"),
        lambda: engine.retract("nobody", actor="operator"),
        lambda: engine.end("nobody", "2026-01-01", actor="operator"),
    ):
        with pytest.raises(MemstationError) as caught:
            wrong()
        assert caught.value.title and "Traceback" not in str(caught.value)
