"""Taking decisions back: exact, in any order, refused where there is nothing to take back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from memstation.domain.decisions import Claim, Decision, Mark, Order, Undo
from memstation.domain.errors import Changed, MemstationError, NotFound, Refused

from engine_facts import saying, tell, timeline, value_at


def raw(memory_id: str, value: str, day: int) -> Claim:
    start = f"2026-01-{day:02d}T00:00:00.000000+00:00"
    return Claim(memory_id, "ada", f"the city is {value}", start, None, 1.0, "user", "city", value, "operator")


def test_undo_takes_a_whole_decision(engine: Any) -> None:
    empty = engine.state_digest()
    engine.store_many([saying("Nara", "2026-01-01"), saying("Osaka", "2026-02-01"), saying("x", predicate="p")])
    applied = engine.undo(1, actor="operator")
    assert applied.seq == 2
    assert engine.state_digest() == empty
    assert value_at(engine, "2026-03-01") is None
    assert list(engine.list_recent("ada", limit=5)) == []


def test_undo_of_an_undo_brings_it_back(engine: Any) -> None:
    tell(engine, "Nara", "2026-01-01")
    before, rows = engine.state_digest(), timeline(engine)
    engine.undo(1, actor="operator")
    engine.undo(2, actor="operator")
    assert (engine.state_digest(), timeline(engine)) == (before, rows)
    engine.undo(3, actor="operator")
    assert value_at(engine, "2026-02-01") is None
    engine.undo(4, actor="operator")
    assert engine.state_digest() == before


def test_a_decision_that_is_taken_back_cannot_be_taken_back_again(engine: Any) -> None:
    tell(engine, "Nara", "2026-01-01")
    engine.undo(1, actor="operator")
    digest = engine.state_digest()
    with pytest.raises(Refused):
        engine.undo(1, actor="operator")
    with pytest.raises(Refused):
        engine.preview_undo(1)
    engine.undo(2, actor="operator")
    with pytest.raises(Refused):
        engine.undo(2, actor="operator")
    engine.undo(1, actor="operator")
    assert engine.state_digest() == digest
    assert len(engine.journal()) == 4


@pytest.mark.parametrize("seq", [0, -1, 2, 10**12, "1", None, 1.5])
def test_an_unknown_decision_cannot_be_taken_back(engine: Any, seq: Any) -> None:
    tell(engine, "Nara", "2026-01-01")
    with pytest.raises(MemstationError):
        engine.undo(seq, actor="operator")
    assert len(engine.journal()) == 1


@pytest.mark.parametrize("order", list(permutations([2, 3, 4])))
def test_two_ends_and_a_retraction_taken_back_in_any_order(engine: Any, order: tuple[int, ...]) -> None:
    """The case that stored inverses get wrong: undoing the first end must not lose the second."""
    fact = tell(engine, "Nara", "2026-01-01")
    before = engine.state_digest()
    engine.end(fact.id, "2026-03-01", actor="operator")
    engine.end(fact.id, "2026-02-01", actor="operator")
    engine.retract(fact.id, actor="operator", reject=False)
    still = {2, 3, 4}
    for seq in order:
        engine.undo(seq, actor="operator")
        still.remove(seq)
        expected = None if 4 in still else "2026-02-01" if 3 in still else "2026-03-01" if 2 in still else "open"
        shown = [until or "open" for _, start, until in timeline(engine) if until != start]
        assert shown == ([] if expected is None else [expected])
    assert engine.state_digest() == before


def test_a_mark_outlives_the_undo_of_an_older_mark(engine: Any) -> None:
    engine.apply(Decision("store", "x", (raw("m_1", "Nara", 1),), "ada"))
    engine.apply(Decision("store", "x", (Mark("m_1", "withdrawn", "one"),), "ada"))
    engine.apply(Decision("store", "x", (Mark("m_1", "withdrawn", "two"),), "ada"))
    engine.undo(2, actor="operator")
    assert value_at(engine, "2026-02-01") is None
    engine.undo(3, actor="operator")
    assert value_at(engine, "2026-02-01") == "Nara"


def test_the_latest_hold_mark_that_stands_rules(engine: Any) -> None:
    engine.apply(Decision("store", "x", (raw("m_1", "Nara", 1), Mark("m_1", "held", "burst")), "ada"))
    assert value_at(engine, "2026-02-01") is None
    engine.apply(Decision("store", "x", (Mark("m_1", "released"),), "ada"))
    assert value_at(engine, "2026-02-01") == "Nara"
    engine.apply(Decision("store", "x", (Mark("m_1", "denied"),), "ada"))
    assert value_at(engine, "2026-02-01") is None
    engine.undo(2, actor="operator")
    assert value_at(engine, "2026-02-01") is None
    engine.undo(3, actor="operator")
    assert value_at(engine, "2026-02-01") is None
    assert engine.get_history("ada", "user", "city", include_held=True)[0].state == "held"
    engine.undo(4, actor="operator")
    assert value_at(engine, "2026-02-01") == "Nara"


def test_trust_is_the_latest_set_cut_by_the_lowest_cap(engine: Any) -> None:
    def trust() -> float:
        return engine.get_history("ada", "user", "city")[0].origin_trust

    engine.apply(Decision("store", "x", (raw("m_1", "Nara", 1),), "ada"))
    for kind, value, expected in [
        ("cap", 0.5, 0.5), ("trust", 0.9, 0.5), ("cap", 0.1, 0.1), ("trust", 0.05, 0.05), ("trust", 0.8, 0.1),
    ]:  # fmt: skip
        engine.apply(Decision("store", "x", (Mark("m_1", kind, "", value),), "ada"))  # type: ignore[arg-type]
        assert trust() == expected, (kind, value)
    for seq, expected in [(4, 0.5), (6, 0.05), (2, 0.05), (5, 0.9), (3, 1.0)]:
        engine.undo(seq, actor="operator")
        assert trust() == expected, seq


def test_a_release_places_the_fact_at_its_own_start(engine: Any) -> None:
    tell(engine, "Ada's", "2026-01-01")
    engine.apply(Decision("store", "x", (raw("m_bo", "Bo's", 10), Mark("m_bo", "held", "burst")), "ada"))
    tell(engine, "Cy's", "2026-01-20")
    engine.apply(Decision("store", "operator", (Mark("m_bo", "released"),), "ada"))
    assert timeline(engine) == [
        ("Ada's", "2026-01-01", "2026-01-10"),
        ("Bo's", "2026-01-10", "2026-01-20"),
        ("Cy's", "2026-01-20", None),
    ]


def test_the_preview_of_an_undo_is_what_the_undo_does(engine: Any) -> None:
    tell(engine, "Nara", "2026-01-01")
    tell(engine, "Osaka", "2026-02-01")
    before = engine.state_digest()
    effects = engine.preview_undo(2)
    assert engine.state_digest() == before and len(engine.journal()) == 2
    applied = engine.undo(2, actor="operator", expect=effects.digest)
    assert applied.effects.digest == effects.digest
    assert {c.object for c in effects.changes} == {"Nara", "Osaka"}


def test_an_undo_whose_effects_changed_is_refused_and_writes_nothing(engine: Any) -> None:
    tell(engine, "Nara", "2026-01-01")
    tell(engine, "Osaka", "2026-02-01")
    expected = engine.preview_undo(2).digest
    tell(engine, "Kyoto", "2026-03-01")
    before = engine.state_digest()
    with pytest.raises(Changed):
        engine.undo(2, actor="operator", expect=expected)
    assert engine.state_digest() == before and len(engine.journal()) == 3


def test_a_decision_whose_effects_changed_is_refused_and_writes_nothing(engine: Any) -> None:
    tell(engine, "Nara", "2026-01-01")
    decision = Decision("store", "operator", (raw("m_new", "Osaka", 15),), "ada")
    expected = engine.preview(decision).digest
    tell(engine, "Kyoto", "2026-01-20")
    before = engine.state_digest()
    with pytest.raises(Changed):
        engine.apply(decision, expect=expected)
    assert engine.state_digest() == before and len(engine.journal()) == 2
    fresh = engine.preview(decision).digest
    assert engine.apply(decision, expect=fresh).effects.digest == fresh


def test_a_decision_elsewhere_does_not_disturb_what_was_previewed(engine: Any) -> None:
    tell(engine, "Nara", "2026-01-01")
    decision = Decision("store", "operator", (raw("m_new", "Osaka", 15),), "ada")
    expected = engine.preview(decision).digest
    tell(engine, "blue", "2026-01-01", predicate="colour")
    tell(engine, "Kyoto", "2026-01-20", agent="bo")
    assert engine.apply(decision, expect=expected).seq == 4


def test_the_journal_names_each_decision_oldest_first(engine: Any, clock: Any) -> None:
    tell(engine, "Nara", "2026-01-01")
    clock.advance(hours=1)
    fact = tell(engine, "Osaka", "2026-02-01")
    engine.retract(fact.id, actor="ana", reason="made up")
    engine.undo(3, actor="ben")
    entries = engine.journal()
    assert [e.seq for e in entries] == [1, 2, 3, 4]
    assert [e.kind for e in entries] == ["store", "store", "retract", "undo"]
    assert [e.actor for e in entries[2:]] == ["ana", "ben"]
    assert entries[2].reason == "made up"
    assert (entries[1].at - entries[0].at).total_seconds() == 3600
    assert [e.seq for e in engine.journal(after=2)] == [3, 4]
    assert [e.seq for e in engine.journal(after=1, limit=2)] == [2, 3]
    assert list(engine.journal(after=4)) == []


def test_journal_time_never_goes_back(engine: Any, clock: Any) -> None:
    tell(engine, "Nara")
    clock.advance(minutes=-9)
    tell(engine, "Osaka")
    first, second = engine.journal()
    assert second.at >= first.at


def test_a_clock_far_behind_the_journal_is_used_all_the_same(engine: Any, clock: Any) -> None:
    """More than ten minutes ahead, the journal is not followed: a wrong clock must not rule for ever."""
    clock.advance(days=365)
    tell(engine, "Nara", "2026-01-01")
    clock.advance(days=-365)
    outcome = tell(engine, "Osaka")
    assert outcome.status == "superseded"
    assert value_at(engine, clock.now) == "Osaka"


def test_a_decision_stays_away_while_any_undo_of_it_stands(engine: Any) -> None:
    """Two undos can name one decision: each must be taken back before it returns."""
    tell(engine, "Nara", "2026-01-01")
    told = engine.state_digest()
    for seq in (1, 2, 1, 3):  # #2 undoes #1, #3 undoes #2, #4 undoes #1, #5 undoes #3: #2 and #4 stand
        engine.undo(seq, actor="operator")
    assert value_at(engine, "2026-02-01") is None
    engine.undo(2, actor="operator")
    assert value_at(engine, "2026-02-01") is None
    assert engine.verify().ok
    engine.undo(4, actor="operator")
    assert value_at(engine, "2026-02-01") == "Nara"
    assert engine.state_digest() == told
    assert engine.verify().ok


WRONG_STATEMENTS: dict[str, tuple[Any, ...]] = {
    "an undo of a decision to come": (Undo(9),),
    "an undo of itself": (Undo(2), raw("m_2", "Osaka", 5)),
    "an undo of no decision": (Undo(0),),
    "a mark of an unknown kind": (Mark("m_1", "doubted"),),  # type: ignore[arg-type]
    "a mark on nothing": (Mark("m_9", "withdrawn"),),
    "a trust above 1": (Mark("m_1", "trust", "", 1.5),),
    "a cap without a number": (Mark("m_1", "cap"),),
    "an order about something else": (Order("weather", "fine", "ada"),),  # type: ignore[arg-type]
    "an order with another verdict": (Order("predicate", "several", "ada", predicate="city"),),
    "an order that names nothing": (Order("predicate", "many", "ada"),),
    "an id that is taken": (raw("m_1", "Osaka", 5),),
    "one id twice": (raw("m_2", "Osaka", 5), raw("m_2", "Kobe", 6)),
    "a window that is empty": (replace(raw("m_2", "Osaka", 5), asserted_until=raw("", "", 5).asserted_from),),
    "nothing": (),
}


@pytest.mark.parametrize("case", WRONG_STATEMENTS)
def test_a_decision_with_an_impossible_statement_is_refused_whole(engine: Any, case: str) -> None:
    engine.apply(Decision("store", "x", (raw("m_1", "Nara", 1),), "ada"))
    before = engine.state_digest()
    statements = WRONG_STATEMENTS[case]
    decision = Decision("store", "x", (raw("m_good", "Kyoto", 9), *statements) if statements else (), "ada")
    for act in (engine.preview, engine.apply):
        with pytest.raises(MemstationError):
            act(decision)
    assert engine.state_digest() == before and len(engine.journal()) == 1
    tell(engine, "Kobe", "2026-02-01")
    assert engine.verify().ok


def test_an_end_can_be_withdrawn_and_not_be_judged_otherwise(engine: Any) -> None:
    """Marks judge claims; an end goes by undoing its decision, or with its source."""
    fact = tell(engine, "Nara", "2026-01-01")
    engine.end(fact.id, "2026-02-01", actor="operator")
    [end] = [i for i in stored_ids(engine) if i != fact.id]
    for kind in ("held", "denied", "trust"):
        with pytest.raises((NotFound, Refused)):
            engine.apply(Decision("store", "x", (Mark(end, kind, value=0.5),), "ada"))  # type: ignore[arg-type]
    engine.apply(Decision("purge", "operator", (Mark(end, "withdrawn", "origin_purge"),), "ada"))
    assert value_at(engine, "2026-03-01") == "Nara" and engine.verify().ok


def stored_ids(engine: Any) -> list[str]:
    with closing(sqlite3.connect(engine.path)) as connection:
        return [row[0] for row in connection.execute("SELECT id FROM memories ORDER BY n")]


def test_a_decision_of_an_unknown_kind_is_refused(engine: Any) -> None:
    with pytest.raises(MemstationError):
        engine.apply(Decision("wish", "x", (raw("m_1", "Nara", 1),), "ada"))
    assert len(engine.journal()) == 0
