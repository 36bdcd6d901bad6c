"""Verdicts on what is held: approve, deny, edit, more time, running out, bringing back; cases C60 and C62."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from memstation.domain.errors import Changed, InvalidInput, NotFound, Refused
from memstation.domain.guarding import GuardSettings
from memstation.ops import review

from gate_writes import POISON, answers, burst, decide, held, waiting, write


def current(engine: Any, predicate: str = "city") -> str | None:
    record = engine.get_at("ada", "user", predicate, engine.clock())
    return None if record is None else record.object


def test_a_released_memory_takes_its_place_by_the_walk(engine: Any, clock: Any) -> None:
    """C62, 1 and 2."""
    write(engine, "Ada", "owner", origin="operator", valid_from="2026-01-01")
    bo = write(engine, "Bo", "owner", valid_from="2026-02-01")
    write(engine, "Cy", "owner", origin="operator", valid_from="2026-03-01")
    engine.approve([bo.id])
    rows = [
        (r.object, str(r.valid_from)[:7], str(r.valid_until)[:7]) for r in engine.get_history("ada", "user", "owner")
    ]
    assert rows == [("Ada", "2026-01", "2026-02"), ("Bo", "2026-02", "2026-03"), ("Cy", "2026-03", "None")]


def test_a_released_twin_confirms(engine: Any) -> None:
    """C62, 3."""
    burst(engine, 4)
    twin = write(engine, "Nara")
    write(engine, "Nara", origin="user_direct")
    applied = engine.approve([twin.id])
    assert [r.object for r in engine.get_history("ada", "user", "city")] == ["Nara"]
    assert applied.effects.counts == {"released": 1} or "confirms" in applied.effects.counts


def test_some_of_a_batch(engine: Any) -> None:
    """C62, 4."""
    ids = [outcome.id for outcome in burst(engine, 10)[4:]]
    seq = engine.approve(ids[:2]).seq
    assert waiting(engine) == ids[2:]
    engine.approve(ids[2:])
    assert waiting(engine) == []
    engine.undo(seq)
    assert waiting(engine) == ids[:2]


def test_denied_is_withdrawn_and_not_read_by_agents(engine: Any) -> None:
    """C62, 5."""
    row = held(engine)
    engine.deny([row.id], reason="nonsense")
    assert answers(engine)[0][1] == "Nara" and len(answers(engine)) == 1
    assert engine.get_by_ids("ada", [row.id]).missing_ids == (row.id,)
    [record] = [r for r in engine.get_history("ada", "user", "city", include_held=True) if r.id == row.id]
    assert (record.state, record.invalidated_by_event) == ("withdrawn", "quarantine_reject")
    assert record.origin_trust <= 0.1
    assert write(engine, "Osaka").status == "held"


def test_raised_trust_keeps_the_origin(engine: Any) -> None:
    row = held(engine)
    decide(engine, review.approve, [row.id], raise_trust=True)
    [record] = engine.get_by_ids("ada", [row.id]).memories
    assert (record.origin_trust, record.origin, record.object) == (1.0, POISON, "Osaka")


def test_an_edited_memory_is_the_operators_own(engine: Any) -> None:
    row = held(engine)
    decide(engine, review.edit, row.id, engine_ids(engine), object="Kyoto", content="lives in Kyoto")
    [record] = engine.list_recent("ada")
    assert (record.object, record.origin, record.origin_trust) == ("Kyoto", "operator", 1.0)
    assert record.derived_from == (row.id,) and record.valid_from == row.valid_from
    assert write(engine, "Kyoto", content="lives in Kyoto").status == "reaffirmed"
    assert engine.reader.held(row.id).row.status == "edited"
    # Replaced, not rejected: saying it again waits like the first time.
    assert engine.reader.held(write(engine, "Osaka", origin="tool_echo").id).row.reason == "over_operator"
    with pytest.raises(InvalidInput):
        decide(
            engine, review.edit, held_again(engine).id, engine_ids(engine), object="Kobe", content="the city is Kobe"
        )


def held_again(engine: Any) -> Any:
    outcome = write(engine, "Kobe")
    return engine.reader.held(outcome.id).row


def engine_ids(engine: Any) -> Any:
    return lambda now: engine.new_id()


def test_every_verdict_is_taken_back_exactly(engine: Any, clock: Any) -> None:
    rows = [held(engine, predicate=f"p{n}") for n in range(3)]
    ids = [row.id for row in rows]
    before = engine.state_digest()
    for act in (
        lambda: engine.approve(ids),
        lambda: engine.deny(ids),
        lambda: decide(engine, review.edit, ids[0], engine_ids(engine), object="Kyoto"),
        lambda: decide(engine, review.approve, ids, raise_trust=True),
        lambda: decide(engine, review.extend, ids),
    ):
        seq = act().seq
        engine.undo(seq)
        assert engine.state_digest() == before
        assert waiting(engine) == ids
    assert engine.verify().ok


def test_what_is_decided_says_by_whom(engine: Any) -> None:
    row = held(engine)
    engine.approve([row.id], actor="kim")
    for verb in (engine.approve, engine.deny):
        with pytest.raises(Refused, match="approved by kim"):
            verb([row.id])
    engine.retract(row.id)
    with pytest.raises(Refused):
        engine.approve([row.id])
    with pytest.raises(NotFound):
        engine.approve(["unknown"])
    with pytest.raises(Refused, match="never held"):
        engine.deny([engine.list_recent("ada")[0].id])


def test_one_that_cannot_be_decided_stops_the_batch(engine: Any) -> None:
    ids = [outcome.id for outcome in burst(engine, 7)[4:]]
    engine.deny(ids[:1])
    with pytest.raises(Refused):
        engine.approve(ids)
    assert waiting(engine) == ids[1:]


def test_another_version_is_refused(engine: Any) -> None:
    row = held(engine)
    engine.approve([row.id])
    decide(engine, review.hold, [row.id])
    with pytest.raises(Changed):
        decide(engine, review.approve, [row.id], seen={row.id: row.version})
    [now] = engine.queue()
    decide(engine, review.approve, [row.id], seen={row.id: now.version})


def test_a_denial_that_was_overtaken_by_an_approval_is_not_taken(engine: Any) -> None:
    """What it would do was worked out while the memory was held; now it would take a fact out of use."""
    [row] = [held(engine)]
    denial, effects = engine.propose(lambda looking: review.deny(looking, [row.id], actor="operator"))
    engine.approve([row.id])
    with pytest.raises(Changed):
        engine.apply(denial, effects.digest)
    assert current(engine) == "Osaka"


# -- time -----------------------------------------------------------------------------------------------------------


def test_equality_is_expired_and_no_sweep_is_needed(engine: Any, clock: Any) -> None:
    """C60, 1."""
    first, second = held(engine), held(engine, predicate="mood")
    clock.now = first.deadline - timedelta(milliseconds=1)
    engine.approve([first.id])
    clock.now = second.deadline
    assert waiting(engine) == []
    with pytest.raises(Refused, match="ran out"):
        decide(engine, review.approve, [second.id])
    with pytest.raises(Refused, match="lapsed by ttl"):
        engine.approve([second.id])
    [record] = [r for r in engine.get_history("ada", "user", "mood", include_held=True) if r.id == second.id]
    assert (record.invalidated_by_event, record.origin_trust <= 0.1) == ("quarantine_reject", True)


def test_a_flood_lapses_in_parts(engine: Any, clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "LAPSED_AT_ONCE", 2)
    ids = [outcome.id for outcome in burst(engine, 9)[4:]]
    clock.now += timedelta(hours=24)
    parts = list(iter(engine.expire_due, None))
    assert [part.effects.counts for part in parts] == [{"withdrawn": 2}, {"withdrawn": 2}, {"withdrawn": 1}]
    assert {row.id for row in engine.queue(lapsed=True)} == set(ids) and engine.verify().ok


def test_what_is_over_stays_over_when_the_clock_goes_back(engine: Any, clock: Any) -> None:
    """C60, 3."""
    row = held(engine)
    clock.now = row.deadline
    engine.expire_due()
    clock.now -= timedelta(hours=1)
    with pytest.raises(Refused):
        engine.approve([row.id])
    assert waiting(engine) == []


def test_the_sweep_is_one_decision_and_nothing_the_second_time(engine: Any, clock: Any) -> None:
    ids = [outcome.id for outcome in burst(engine, 7)[4:]]
    clock.now += timedelta(hours=24)
    applied = engine.expire_due()
    assert (engine.journal(after=applied.seq - 1)[0].actor, applied.effects.counts) == ("ttl", {"withdrawn": 3})
    assert engine.expire_due() is None
    assert [row.id for row in engine.queue(lapsed=True)] == ids[::-1]
    # Nobody denied it: it may be said again.
    assert write(engine, "v4", "p4", origin="tool_echo").status == "stored"
    decide(engine, review.bring_back, ids[:1])
    [row] = engine.queue()
    assert row.deadline == clock.now + timedelta(hours=24)
    engine.approve(ids[:1])
    assert engine.verify().ok


def test_an_undone_verdict_gives_back_the_time_that_was_left(engine: Any, clock: Any) -> None:
    row = held(engine)
    clock.now += timedelta(hours=10)
    seq = engine.approve([row.id]).seq
    clock.now += timedelta(days=9)
    engine.undo(seq)
    [back] = engine.queue()
    assert back.deadline == clock.now + timedelta(hours=14)
    clock.now += timedelta(hours=14)
    seq = engine.expire_due().seq
    engine.undo(seq)
    [back] = engine.queue()
    assert back.deadline == clock.now + timedelta(hours=1)


def test_more_time_is_added_to_what_is_left(engine: Any, clock: Any) -> None:
    row = held(engine)
    seq = decide(engine, review.extend, [row.id]).seq
    [more] = engine.queue()
    assert more.deadline == row.deadline + timedelta(hours=24)
    engine.undo(seq)
    [back] = engine.queue()
    assert back.deadline == row.deadline


def test_more_time_does_not_hold_what_is_not_held(engine: Any) -> None:
    """An undone hold is undone, whatever time it was given meanwhile."""
    fact = write(engine, "Nara")
    before = engine.state_digest()
    seq = decide(engine, review.hold, [fact.id]).seq
    decide(engine, review.extend, [fact.id])
    undone = engine.undo(seq).seq
    assert engine.state_digest() == before and engine.queue() == []
    engine.undo(undone)
    [back] = engine.queue()
    assert back.id == fact.id and engine.verify().ok


def test_earlier_ones_of_a_burst_are_held_with_the_denial(make_engine: Any) -> None:
    engine = make_engine(guard=GuardSettings(over_operator=False))
    write(engine, "true", "p1", origin="user_direct", valid_from="2026-01-01")
    outcomes = burst(engine, 6)
    assert current(engine, "p1") == "v1"
    card = engine.held_card(outcomes[-1].id)
    earlier = [fact.id for fact in card.why.earlier]
    assert len(earlier) == 4
    seq = decide(engine, review.deny, [o.id for o in outcomes[4:]], also_hold=earlier).seq
    assert current(engine, "p1") == "true" and set(waiting(engine)) == set(earlier)
    engine.undo(seq)
    assert current(engine, "p1") == "v1"


def test_holding_leaves_what_others_say_of_it_in_use(engine: Any) -> None:
    fact = write(engine, "Nara")
    write(engine, "Nara", origin="user_direct")
    decide(engine, review.hold, [fact.id])
    assert current(engine) == "Nara"
    assert engine.get_at("ada", "user", "city", engine.clock()).origin == "user_direct"
