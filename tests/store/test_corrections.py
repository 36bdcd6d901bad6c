"""Retracting, ending and expiring, and taking each of them back."""

from __future__ import annotations

from typing import Any

import pytest
from memstation.domain.errors import InvalidInput, MemstationError, NotFound, Refused

from engine_facts import tell, timeline, value_at


def test_retracting_gives_back_the_truth_that_was_displaced(engine: Any) -> None:
    old = tell(engine, "Nara", "2026-01-01")
    lie = tell(engine, "Atlantis", "2026-02-01")
    applied = engine.retract(lie.id, actor="operator", reason="made up")
    assert value_at(engine, "2026-03-01") == "Nara"
    first, gone = engine.get_history("ada", "user", "city")
    assert (first.valid_until, first.superseded_by, first.invalidated_at) == (None, None, None)
    assert first.invalidated_by_event is None
    assert (gone.supersedes, gone.invalidated_by_event) == (None, "retracted")
    assert gone.invalidated_at == applied.at
    assert [c.id for c in applied.effects.of("came_back", "moved")] == [old.id]
    assert [c.id for c in applied.effects.of("withdrawn")] == [lie.id]


def test_retracting_a_fact_takes_its_confirmations_along(engine: Any) -> None:
    lie = tell(engine, "Atlantis", "2026-02-01")
    tell(engine, "Atlantis", "2026-03-01", id="echo", origin="channel:x")
    engine.retract(lie.id, actor="operator")
    assert value_at(engine, "2026-04-01") is None
    assert set(engine.get_by_ids("ada", [lie.id, "echo"]).missing_ids) == {lie.id, "echo"}


def test_retracting_a_confirmation_takes_that_claim_only(engine: Any) -> None:
    fact = tell(engine, "Nara", "2026-02-01")
    tell(engine, "Nara", "2026-01-01", id="early")
    assert timeline(engine) == [("Nara", "2026-01-01", None)]
    engine.retract("early", actor="operator")
    [record] = [r for r in engine.get_history("ada", "user", "city") if r.state != "withdrawn"]
    assert (record.id, record.state) == (fact.id, "current")
    assert value_at(engine, "2026-01-15") is None
    assert value_at(engine, "2026-02-01") == "Nara"


def test_a_retraction_is_taken_back_exactly(engine: Any) -> None:
    tell(engine, "Nara", "2026-01-01")
    lie = tell(engine, "Atlantis", "2026-02-01")
    tell(engine, "Atlantis", "2026-02-05", origin="user_direct")
    before, rows = engine.state_digest(), timeline(engine)
    seq = engine.retract(lie.id, actor="operator").seq
    assert engine.state_digest() != before
    engine.undo(seq, actor="operator")
    assert engine.state_digest() == before
    assert timeline(engine) == rows


def test_retracting_twice_is_refused(engine: Any) -> None:
    lie = tell(engine, "Atlantis", "2026-02-01")
    engine.retract(lie.id, actor="operator")
    with pytest.raises(MemstationError):
        engine.retract(lie.id, actor="operator")
    assert len(engine.journal()) == 2


def test_the_memory_of_another_agent_looks_like_an_unknown_one(engine: Any) -> None:
    fact = tell(engine, "Nara", "2026-02-01")
    with pytest.raises(NotFound) as foreign:
        engine.retract(fact.id, agent_id="bo", actor="operator")
    with pytest.raises(NotFound) as unknown:
        engine.retract("m_nobody", agent_id="bo", actor="operator")
    assert str(foreign.value).replace(fact.id, "ID") == str(unknown.value).replace("m_nobody", "ID")
    assert len(engine.journal()) == 1


def test_a_fact_ends_on_a_day_and_nothing_comes_back(engine: Any) -> None:
    tell(engine, "Nara", "2026-01-01")
    second = tell(engine, "Osaka", "2026-02-01")
    applied = engine.end(second.id, "2026-03-01", actor="operator")
    assert timeline(engine) == [
        ("Nara", "2026-01-01", "2026-02-01"),
        ("Osaka", "2026-02-01", "2026-03-01"),
    ]
    assert [value_at(engine, f"2026-0{m}-15") for m in (1, 2, 3)] == ["Nara", "Osaka", None]
    ended = engine.get_history("ada", "user", "city")[1]
    assert (ended.superseded_by, ended.invalidated_at) == (None, applied.at)
    assert ended.asserted_until is None


def test_an_end_survives_a_purge_of_the_founder_a_split_and_a_late_confirmation(engine: Any) -> None:
    first = tell(engine, "Nara", "2026-01-01")
    tell(engine, "Nara", "2026-02-01", origin="user_direct")
    engine.end(first.id, "2026-03-01", actor="operator")
    tell(engine, "Osaka", "2026-01-20", "2026-01-25")
    assert value_at(engine, "2026-02-15") == "Nara"
    assert value_at(engine, "2026-03-01") is None
    engine.retract(first.id, actor="operator", reject=False)
    assert value_at(engine, "2026-02-15") == "Nara"
    assert value_at(engine, "2026-03-01") is None
    tell(engine, "Nara", "2026-01-10")
    assert value_at(engine, "2026-03-01") is None


@pytest.mark.parametrize("at", ["2026-01-31", "2026-02-01", "2026-03-01", "2026-03-02"])
def test_an_end_outside_the_window_is_refused(engine: Any, at: str) -> None:
    fact = tell(engine, "Osaka", "2026-02-01", "2026-03-01")
    before = engine.state_digest()
    with pytest.raises((InvalidInput, Refused)):
        engine.end(fact.id, at, actor="operator")
    assert engine.state_digest() == before and len(engine.journal()) == 1


def test_an_end_is_taken_back_exactly(engine: Any) -> None:
    fact = tell(engine, "Osaka", "2026-02-01")
    tell(engine, "Osaka", "2026-04-01")
    before = engine.state_digest()
    seq = engine.end(fact.id, "2026-03-01", actor="operator").seq
    assert value_at(engine, "2026-05-01") is None
    engine.undo(seq, actor="operator")
    assert engine.state_digest() == before
    assert value_at(engine, "2026-05-01") == "Osaka"


def test_a_note_can_end(engine: Any, clock: Any) -> None:
    note = tell(engine, None, "2026-01-01", subject=None, content="the lift is broken")
    engine.end(note.id, "2026-02-01", actor="operator")
    assert list(engine.list_recent("ada", limit=5)) == []
    [record] = engine.get_by_ids("ada", [note.id]).memories
    assert record.valid_until is not None and record.valid_until.month == 2


def test_expiring_a_subject_ends_what_holds_now_and_keeps_the_rest(engine: Any, clock: Any) -> None:
    tell(engine, "Nara", "2026-01-01")
    tell(engine, "Osaka", "2026-02-01")
    tell(engine, "blue", "2026-01-01", predicate="colour")
    tell(engine, "x", "2026-01-01", subject="someone else")
    tell(engine, "x", "2026-01-01", agent="bo")
    before = engine.state_digest()
    assert engine.expire_by_subject("ada", "user", reason="auto_page_removed") == 2
    assert timeline(engine) == [
        ("Nara", "2026-01-01", "2026-02-01"),
        ("Osaka", "2026-02-01", "2026-09-01"),
    ]
    assert [r.invalidated_by_event for r in engine.get_history("ada", "user", "colour")] == ["auto_page_removed"]
    assert engine.get_history("ada", "user", "city")[1].invalidated_at == clock.now
    assert [r.object for r in engine.list_recent("ada", limit=5)] == ["x"]
    assert value_at(engine, clock.now, agent="bo") == "x"
    engine.undo(engine.journal()[-1].seq, actor="operator")
    assert engine.state_digest() == before


def test_another_spelling_of_a_subject_is_another_page(engine: Any) -> None:
    page = tell(engine, "a", "2026-01-01", subject="page/1", predicate="documented_in", origin="import:wiki").id
    tell(engine, "mira", "2026-01-01", subject="PAGE/1", predicate="owner", origin="user_direct")
    tell(engine, "mira", "2026-01-01", subject=" page/1", predicate="reader", origin="user_direct")
    assert engine.expire_by_subject("ada", "page/1", reason="removed") == 1
    assert {record.subject for record in engine.list_recent("ada", limit=5)} == {"PAGE/1", " page/1"}
    [gone] = engine.get_by_ids("ada", [page]).memories
    assert gone.state == "closed"
    before = len(engine.journal())
    for blank in ("", "  ", "\u3000\n"):
        with pytest.raises(InvalidInput, match="subject is empty"):
            engine.expire_by_subject("ada", blank, reason="x")
    assert len(engine.journal()) == before


def test_a_retracted_value_is_rejected_unless_that_is_declined(engine: Any) -> None:
    """The order shows in the state: the same retraction with and without it differ."""
    tell(engine, "Nara", "2026-01-01")
    lie = tell(engine, "Atlantis", "2026-02-01")
    plain = engine.state_digest()
    seq = engine.retract(lie.id, actor="operator", reject=False).seq
    without = engine.state_digest()
    engine.undo(seq, actor="operator")
    assert engine.state_digest() == plain
    applied = engine.retract(lie.id, actor="operator")
    assert engine.state_digest() != without
    assert applied.effects.orders


def test_expiring_a_subject_that_says_nothing_writes_nothing(engine: Any) -> None:
    tell(engine, "Nara", "2026-01-01", "2026-02-01")
    for subject in ("user", "nobody", "use", "user%"):
        assert engine.expire_by_subject("ada", subject, reason="x") == 0
    assert len(engine.journal()) == 1


def test_expiring_ends_a_fact_that_was_told_this_very_instant(engine: Any, clock: Any) -> None:
    tell(engine, "Nara")
    assert engine.expire_by_subject("ada", "user", reason="x") == 1
    clock.advance(seconds=1)
    assert value_at(engine, clock.now) is None
    assert list(engine.list_recent("ada", limit=5)) == []


def test_the_id_of_a_confirmation_ends_the_fact(engine: Any) -> None:
    fact = tell(engine, "Nara", "2026-01-01")
    tell(engine, "Nara", "2026-02-01", id="evidence")
    engine.end("evidence", "2026-03-01", actor="operator")
    [record] = engine.get_history("ada", "user", "city")
    assert (record.id, record.valid_until is not None and record.valid_until.month) == (fact.id, 3)


def test_retracting_what_came_in_between_joins_the_two_sides(engine: Any) -> None:
    """A, B, A: without B the second A is evidence for the first, and its id still answers."""
    first = tell(engine, "Nara", "2026-01-01")
    between = tell(engine, "Atlantis", "2026-02-01")
    third = tell(engine, "Nara", "2026-03-01")
    before = engine.state_digest()
    seq = engine.retract(between.id, actor="operator").seq
    [record] = [r for r in engine.get_history("ada", "user", "city") if r.state != "withdrawn"]
    assert (record.id, record.valid_until) == (first.id, None)
    [found] = engine.get_by_ids("ada", [third.id]).memories
    assert (found.id, found.asked) == (first.id, third.id)
    engine.undo(seq, actor="operator")
    assert engine.state_digest() == before
    [found] = engine.get_by_ids("ada", [third.id]).memories
    assert (found.id, found.asked) == (third.id, None)


def test_a_corrected_value_takes_the_window_and_the_operators_trust(engine: Any) -> None:
    tell(engine, "Nara", "2026-01-01", origin="user_direct")
    wrong = tell(engine, "Osaca", "2026-02-01", origin="channel:x")
    tell(engine, "Kyoto", "2026-03-01")
    before, rows = engine.state_digest(), timeline(engine)
    applied = engine.correct_value(wrong.id, object="Osaka", content="lives in Osaka", actor="operator")
    standing = [r for r in engine.get_history("ada", "user", "city") if r.state != "withdrawn"]
    assert [r.object for r in standing] == ["Nara", "Osaka", "Kyoto"]
    assert [r.valid_until for r in standing[:-1]] == [r.valid_from for r in standing[1:]]
    assert (standing[1].origin, standing[1].origin_trust) == ("operator", 1.0)
    assert value_at(engine, "2026-02-15") == "Osaka"
    engine.undo(applied.seq, actor="operator")
    assert engine.state_digest() == before
    assert [r for r in timeline(engine) if r[1] != r[2]] == rows


def test_correcting_the_value_of_an_ended_fact_does_not_bring_it_back(engine: Any) -> None:
    """It stopped being true in March, and it was Kobe all along: then Kobe stopped in March."""
    wrong = tell(engine, "Osaka", "2026-02-01")
    engine.end(wrong.id, "2026-03-01", actor="operator")
    engine.correct_value(wrong.id, object="Kobe", actor="operator")
    assert value_at(engine, "2026-02-15") == "Kobe"
    assert value_at(engine, "2026-03-15") is None


def test_correcting_a_bounded_value_keeps_its_bounds(engine: Any) -> None:
    wrong = tell(engine, "Osaka", "2026-02-01", "2026-03-01")
    engine.correct_value(wrong.id, object="Kobe", actor="operator")
    assert value_at(engine, "2026-02-15") == "Kobe"
    assert value_at(engine, "2026-03-01") is None


def test_correcting_takes_the_confirmations_of_the_wrong_value_along(engine: Any) -> None:
    wrong = tell(engine, "Osaka", "2026-02-01")
    tell(engine, "Osaka", "2026-03-01", origin="channel:x")
    engine.correct_value(wrong.id, object="Kobe", actor="operator")
    assert value_at(engine, "2026-02-15") == value_at(engine, "2026-04-01") == "Kobe"


def test_correcting_to_the_same_value_is_refused(engine: Any) -> None:
    fact = tell(engine, "Osaka", "2026-02-01", content="Osaka")
    with pytest.raises(InvalidInput):
        engine.correct_value(fact.id, object="Osaka", actor="operator")
    assert len(engine.journal()) == 1


def test_a_value_that_holds_at_no_instant_is_not_corrected_into_power(engine: Any) -> None:
    """Both from the same start, the later told holds: a correction of the other would be told later still."""
    loser = tell(engine, "Nara", "2026-01-01")
    tell(engine, "Osaka", "2026-01-01")
    before = engine.state_digest()
    with pytest.raises(Refused, match="no instant"):
        engine.correct_value(loser.id, object="Kobe", actor="operator")
    assert engine.state_digest() == before
