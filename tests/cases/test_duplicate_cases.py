"""Cases of area 2: the same thing told again (each from a public bug report)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from engine_facts import saying, tell, timeline, value_at


def cat(engine: Any, number: int, day: int) -> Any:
    return tell(
        engine,
        "tuna",
        f"2026-01-{day:02d}",
        subject="cat",
        predicate="food",
        content="Cat eats tuna",
        source_event=f"e{number}",
    )


def test_c13_saying_it_again_is_evidence_not_another_fact(engine: Any) -> None:
    """C13: 25 calls, one id; the newest 20 confirmations are shown, all are counted."""
    outcomes = [cat(engine, number, number + 1) for number in range(25)]
    assert {o.id for o in outcomes} == {outcomes[0].id}
    assert [o.status for o in outcomes] == ["stored"] + ["reaffirmed"] * 24
    assert all(o.closed == () for o in outcomes)
    [record] = engine.get_history("ada", "cat", "food")
    assert record.valid_until is None
    assert record.access_count == 24
    assert [c.source_event for c in record.reaffirmed_by] == [f"e{n}" for n in range(24, 4, -1)]
    assert (record.supersedes, record.superseded_by) == (None, None)
    assert [r.id for r in engine.list_recent("ada", limit=100)] == [record.id]


def test_c13_in_one_batch_it_is_the_same(engine: Any) -> None:
    """C13: all at once, at one instant: still one fact."""
    outcomes = engine.store_many([saying("tuna", "2026-01-01", source_event=f"e{n}") for n in range(25)])
    assert len({o.id for o in outcomes}) == 1
    [record] = engine.get_history("ada", "user", "city")
    assert len(record.reaffirmed_by) == 20


def test_c13_each_repeat_can_be_taken_back(engine: Any) -> None:
    """C13: a confirmation is a decision like any other."""
    cat(engine, 0, 5)
    digest = engine.state_digest()
    for number in range(1, 6):
        cat(engine, number, 5 + number)
    for seq in (4, 2, 6, 3, 5):
        engine.undo(seq, actor="operator")
    history = engine.get_history("ada", "cat", "food")
    [record] = [r for r in history if r.state != "withdrawn"]
    assert record.reaffirmed_by == ()
    assert engine.state_digest() == digest


def shift(engine: Any, since: str, until: str) -> Any:
    return tell(engine, "night", since, until, subject="dana", predicate="shift", content="Dana works at night")


def test_c14_the_same_sentence_about_two_periods_is_two_facts(engine: Any) -> None:
    """C14.1, C14.2: each period answers for itself, and the time between for neither."""
    january = shift(engine, "2026-01-01", "2026-02-01")
    june = shift(engine, "2026-06-01", "2026-07-01")
    assert january.id != june.id and june.closed == ()

    def working(at: str) -> str | None:
        return value_at(engine, at, subject="dana", predicate="shift")

    assert [working(f"2026-{d}") for d in ("01-15", "04-15", "06-15")] == ["night", None, "night"]


def test_c14_a_closed_period_is_never_stretched(engine: Any) -> None:
    """C14.3: another stated end at the same start is another fact, which holds as the later told."""
    january = shift(engine, "2026-01-01", "2026-02-01")
    shift(engine, "2026-06-01", "2026-07-01")
    longer = shift(engine, "2026-01-01", "2026-03-01")
    assert longer.id != january.id
    assert timeline(engine, subject="dana", predicate="shift") == [
        ("night", "2026-01-01", "2026-01-01"),
        ("night", "2026-01-01", "2026-03-01"),
        ("night", "2026-06-01", "2026-07-01"),
    ]
    first = engine.get_history("ada", "dana", "shift")[0]
    assert first.id == january.id
    assert first.asserted_until == datetime(2026, 2, 1, tzinfo=UTC)


def test_c14_the_same_period_told_twice_is_one_fact(engine: Any) -> None:
    """C14: with the same stated end it confirms."""
    first = shift(engine, "2026-01-01", "2026-02-01")
    again = shift(engine, "2026-01-10", "2026-02-01")
    assert (again.id, again.status) == (first.id, "reaffirmed")
    assert len(engine.get_history("ada", "dana", "shift")) == 1
