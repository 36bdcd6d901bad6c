"""What else is held: rejected values, blocked origins, what would replace the operator's facts."""

from __future__ import annotations

from typing import Any

import pytest
from memstation.domain.decisions import Decision, Order
from memstation.domain.errors import Refused
from memstation.domain.guarding import GuardSettings
from memstation.ops import review

from gate_writes import POISON, held, waiting, write


def reason_of(engine: Any, outcome: Any) -> tuple[str, tuple[str, ...]]:
    assert outcome.status == "held", outcome
    why = engine.held_card(outcome.id).why
    return why.reason, why.also


def test_what_would_replace_the_operators_fact_is_held(engine: Any, make_engine: Any) -> None:
    write(engine, "Nara", origin="operator", valid_from="2026-01-01")
    assert reason_of(engine, write(engine, "Osaka")) == ("over_operator", ())
    assert write(engine, "Nara").status == "reaffirmed"
    assert write(engine, "Kobe", valid_from="2025-01-01").status == "historical"
    assert engine.get_at("ada", "user", "city", "2026-08-01").object == "Nara"
    free = make_engine("free", guard=GuardSettings(over_operator=False))
    write(free, "Nara", origin="operator")
    assert write(free, "Osaka").status == "superseded"


def test_a_fact_that_the_operator_confirmed_is_the_operators(engine: Any) -> None:
    write(engine, "Nara", valid_from="2026-01-01")
    write(engine, "Nara", origin="operator", valid_from="2026-02-01")
    assert reason_of(engine, write(engine, "Osaka"))[0] == "over_operator"


def test_a_value_of_many_replaces_nothing(engine: Any) -> None:
    engine.set_predicate("ada", "speaks", "many")
    write(engine, "ja", "speaks", origin="operator")
    assert write(engine, "en", "speaks").status == "stored"


@pytest.mark.parametrize("how", ["denied", "retracted"])
def test_a_rejected_value_is_held_from_any_source(engine: Any, how: str) -> None:
    if how == "denied":
        engine.deny([held(engine).id])
    else:
        engine.retract(write(engine, "Osaka").id)
    again = write(engine, " OSAKA", origin="channel:other")
    assert reason_of(engine, again)[0] == "rejected_before"
    [row] = engine.queue()
    assert row.deadline is None
    assert engine.held_card(row.id).why.rejected_by.kind in ("deny", "retract")
    assert write(engine, "osaka", origin="operator").status != "held"


def test_invisible_characters_make_no_other_value(engine: Any) -> None:
    engine.retract(write(engine, "Osaka").id)
    for value, subject, predicate in (
        ("Osa\u200bka", "user", "city"), ("Osaka", "us\u2060er", "city"), ("Osaka", "user", "ci\u00adty"),
        ("O\ufe0fsaka\u200d", "u\u200bser", "city"),
    ):  # fmt: skip
        assert reason_of(engine, write(engine, value, predicate, subject=subject))[0] == "rejected_before"


def test_a_rejected_value_is_known_under_every_name_of_its_subject(engine: Any) -> None:
    engine.retract(write(engine, "yes", "vip", subject="老闆").id)
    assert write(engine, "yes", "vip", subject="王老闆").status == "stored"
    engine.apply(Decision("predicate", "operator", (Order("alias", "joined", "ada", "李老闆", value="老闆"),), "ada"))
    assert reason_of(engine, write(engine, "yes", "vip", subject="李老闆", origin="tool_echo"))[0] == "rejected_before"


def test_what_a_person_let_in_after_all_is_confirmed_not_held(engine: Any) -> None:
    engine.retract(write(engine, "Osaka").id)
    engine.approve([write(engine, "Osaka").id])
    assert write(engine, "Osaka", origin="channel:other").status == "reaffirmed"


def test_a_lifted_value_may_be_said_again(engine: Any) -> None:
    seq = engine.retract(write(engine, "Osaka").id).seq
    engine.decide(lambda looking: review.lift(looking, [(seq, 1)], actor="operator"))
    assert write(engine, "Osaka").status == "stored"
    with pytest.raises(Refused):
        engine.decide(lambda looking: review.lift(looking, [(seq, 1)], actor="operator"))


@pytest.mark.parametrize("agent", ["ada", "*"])
def test_a_blocked_origin_is_held(engine: Any, agent: str) -> None:
    engine.apply(Decision("predicate", "operator", (Order("origin", "blocked", agent, value=POISON),), ""))
    assert reason_of(engine, write(engine, "Osaka"))[0] == "blocked_origin"
    assert write(engine, "Nara", origin="channel:telegram/4").status == "stored"
    assert engine.review_counts().blocked == 1
    assert engine.review_counts().waiting == 0


def test_the_first_reason_stands_first_and_the_others_are_named(engine: Any) -> None:
    write(engine, "Nara", origin="operator")
    engine.retract(write(engine, "Osaka", id="lie").id)
    engine.apply(Decision("predicate", "operator", (Order("origin", "blocked", "*", value="channel:q"),), ""))
    outcome = write(engine, "Osaka", origin="channel:q")
    assert reason_of(engine, outcome) == ("rejected_before", ("blocked_origin", "over_operator"))


def test_identical_ones_in_one_batch_wait_once(engine: Any) -> None:
    from memstation import MemoryEntry, TemporalMeta

    write(engine, "Nara", origin="operator")
    meta = TemporalMeta(subject="user", predicate="city", object="Osaka", origin=POISON)
    first, second = engine.store_many([(MemoryEntry("ada", "x"), meta), (MemoryEntry("ada", "x"), meta)])
    assert first.id == second.id and waiting(engine) == [first.id]
