"""Belief time: what was answered then is answered again, for every decision since."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from memstation.domain.errors import InvalidInput

from engine_checks import Store, new_store
from engine_facts import tell, timeline, value_at
from engine_histories import DAYS, EPOCH, Seeded

QUESTIONS = [
    (agent, "user", predicate, EPOCH + timedelta(days=day, hours=hours))
    for agent in ("ada", "bo")
    for predicate in ("city", "tag")
    for day in range(0, DAYS + 3, 2)
    for hours in (0, 12)
]


def said(record: Any) -> tuple[object, ...] | None:
    """What an answer says: the fact, its window, its trust, its links and its stamps."""
    if record is None:
        return None
    return (
        record.id, record.object, record.content, record.valid_from, record.valid_until, record.origin_trust,
        record.supersedes, record.superseded_by, record.invalidated_by_event, record.invalidated_at,
        record.quarantined, record.role,
    )  # fmt: skip


def answers(store: Store, asked: list[Any], known_at: Any = None) -> list[tuple[object, ...]]:
    """One answer of each kind to every question."""
    engine = store.engine
    return [
        (
            said(engine.get_at(*question, known_at=known_at)),
            tuple(sorted(said(r) or () for r in engine.holding_at(*question, known_at=known_at))),
        )
        for question in asked
    ]


def check_beliefs(seed: int, steps: int, ask_every: int, asked: list[Any]) -> None:
    """Tell a history, note the answers on the way, and ask for them again at its end."""
    with new_store() as store:
        noted: list[tuple[int, datetime, list[tuple[object, ...]]]] = []
        for step, (_, applied) in enumerate(store.tell_random(Seeded(seed), steps)):
            if step % ask_every == 0:
                noted.append((applied.seq, applied.at, answers(store, asked)))
        times = {entry.seq: entry.at for entry in _whole_journal(store)}
        for seq, at, then in noted:
            assert times[seq] == at
            assert answers(store, asked, known_at=seq) == then, f"after decision {seq}"
            last_at_that_time = max(s for s, moment in times.items() if moment <= at)
            if last_at_that_time == seq:
                assert answers(store, asked, known_at=at) == then, f"at {at}"


def _whole_journal(store: Store) -> list[Any]:
    entries: list[Any] = []
    while page := store.engine.journal(after=entries[-1].seq if entries else 0, limit=1000):
        entries.extend(page)
    return entries


def test_answers_are_given_again() -> None:
    check_beliefs(seed=1, steps=40, ask_every=3, asked=QUESTIONS)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 5))
def test_answers_of_300_decisions_are_given_again(seed: int) -> None:
    check_beliefs(seed, steps=300, ask_every=1, asked=QUESTIONS[seed % 3 :: 3])


@pytest.mark.parametrize("seed", [11, 12])
def test_belief_equals_the_oracle_at_every_decision(seed: int) -> None:
    with new_store() as store:
        for _ in store.tell_random(Seeded(seed), 30):
            pass
        for seq, _, _ in store.history.decisions:
            belief = store.history.belief(known=seq)
            rows = belief.rows()
            for agent, subject, predicate, at in QUESTIONS[::2]:
                stored = at.isoformat(timespec="microseconds")
                found = store.engine.holding_at(agent, subject, predicate, at, known_at=seq)
                assert {r.id for r in found} == belief.holding_at(agent, subject, predicate, stored)
                for record in found:
                    row = rows[record.id]
                    assert record.origin_trust == row.trust
                    assert record.valid_from.isoformat(timespec="microseconds") == row.valid_from


def test_a_purged_lie_is_gone_now_and_still_there_then(engine: Any, clock: Any) -> None:
    tell(engine, "Nara", "2026-01-01")
    clock.advance(days=1)
    lie = tell(engine, "Atlantis", "2026-02-01")
    believed = clock.now
    clock.advance(days=1)
    engine.retract(lie.id, actor="operator")
    assert value_at(engine, "2026-03-01") == "Nara"
    assert value_at(engine, "2026-03-01", known_at=believed) == "Atlantis"
    assert value_at(engine, "2026-03-01", known_at=2) == "Atlantis"
    assert value_at(engine, "2026-03-01", known_at=1) == "Nara"
    assert value_at(engine, "2026-03-01", known_at=believed - timedelta(microseconds=1)) == "Nara"
    assert value_at(engine, "2026-03-01", known_at=0) is None
    assert value_at(engine, "2026-03-01", known_at="2025-01-01") is None
    with pytest.raises(InvalidInput):
        engine.get_at("ada", "user", "city", "2026-03-01", known_at=4)
    assert value_at(engine, "2026-03-01", known_at="2099-01-01") == "Nara"


def test_a_decision_taken_back_is_still_believed_then(engine: Any, clock: Any) -> None:
    tell(engine, "Nara", "2026-01-01")
    engine.undo(1, actor="operator")
    engine.undo(2, actor="operator")
    engine.undo(3, actor="operator")
    assert [value_at(engine, "2026-02-01", known_at=seq) for seq in (0, 1, 2, 3, 4)] == [
        None, "Nara", None, "Nara", None,
    ]  # fmt: skip


def test_two_decisions_of_one_instant_are_both_known_at_it(engine: Any, clock: Any) -> None:
    tell(engine, "Nara", "2026-01-01")
    tell(engine, "Osaka", "2026-01-01")
    assert value_at(engine, "2026-02-01", known_at=clock.now) == "Osaka"
    assert value_at(engine, "2026-02-01", known_at=1) == "Nara"


def test_a_rule_belongs_to_its_time(engine: Any) -> None:
    tell(engine, "ja", "2026-01-01")
    tell(engine, "en", "2026-01-05")
    engine.set_predicate("ada", "city", "many", actor="operator")

    def holding(seq: int) -> list[str]:
        found = engine.holding_at("ada", "user", "city", "2026-02-01", known_at=seq)
        return sorted(r.object for r in found)

    assert [holding(seq) for seq in (1, 2, 3)] == [["ja"], ["en"], ["en", "ja"]]


@pytest.mark.parametrize("known_at", ["someday", 1.5, -1, True, []])
def test_what_is_no_time_and_no_number_is_refused(engine: Any, known_at: Any) -> None:
    tell(engine, "Nara", "2026-01-01")
    with pytest.raises(InvalidInput):
        engine.get_at("ada", "user", "city", datetime(2026, 2, 1, tzinfo=UTC), known_at=known_at)
    assert timeline(engine) == [("Nara", "2026-01-01", None)]
