"""The burst: durable, by agent, origin and subject; case C31."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from typing import Any

import pytest
from memstation import MemoryEntry, TemporalMeta, open_engine
from memstation.domain.guarding import GuardSettings

from gate_writes import POISON, burst, waiting, write


def statuses(outcomes: list[Any]) -> list[str]:
    return [outcome.status for outcome in outcomes]


def test_the_fifth_value_within_the_window_is_held(engine: Any, clock: Any) -> None:
    start = clock.now
    for seconds, expected in ((0, "stored"), (600, "stored"), (1200, "stored"), (1800, "stored"), (2400, "held")):
        clock.now = start + timedelta(seconds=seconds)
        assert write(engine, f"v{seconds}", f"p{seconds}").status == expected
    [row] = engine.queue()
    card = engine.held_card(row.id)
    assert (row.reason, card.why.count, card.why.limit, card.why.window_seconds) == ("burst", 5, 5, 3600)
    assert [fact.value for fact in card.why.earlier] == ["v0", "v600", "v1200", "v1800"]


def test_at_the_end_of_the_window_the_first_no_longer_counts(engine: Any, clock: Any) -> None:
    start = clock.now
    for seconds in (0, 600, 1200, 1800, 3600):
        clock.now = start + timedelta(seconds=seconds)
        assert write(engine, f"v{seconds}", f"p{seconds}").status == "stored"


def test_spellings_of_a_subject_are_one(engine: Any) -> None:
    names = ("Boss", "bo\u200bss", "boss ", "ｂｏｓｓ", "BOSS")
    outcomes = [write(engine, f"v{n}", f"p{n}", subject=name) for n, name in enumerate(names)]
    assert statuses(outcomes) == ["stored"] * 4 + ["held"]


def test_other_origins_and_other_agents_count_for_themselves(engine: Any) -> None:
    assert "held" not in statuses([write(engine, f"v{n}", f"p{n}", origin=f"channel:{n}") for n in range(6)])
    assert "held" not in statuses([write(engine, f"v{n}", f"p{n}", agent=f"agent {n}") for n in range(6)])
    assert "held" not in statuses([write(engine, f"v{n}", f"p{n}", subject=f"subject {n}") for n in range(6)])


@pytest.mark.parametrize("size", [5, 20])
def test_a_batch_that_reaches_the_limit_is_held_whole(engine: Any, size: int) -> None:
    meta = [TemporalMeta(subject="user", predicate=f"p{n}", object=f"v{n}", origin=POISON) for n in range(size)]
    outcomes = engine.store_many([(MemoryEntry("ada", f"says {n}"), one) for n, one in enumerate(meta)])
    assert statuses(outcomes) == ["held"] * size
    assert len({outcome.seq for outcome in outcomes}) == 1
    assert waiting(engine) == [outcome.id for outcome in outcomes]


def test_confirmations_twins_and_the_operators_words_do_not_count(engine: Any) -> None:
    write(engine, "v0", "p0")
    for _ in range(6):
        assert write(engine, "v0", "p0").status == "reaffirmed"
    for n in range(9):
        assert write(engine, f"mine {n}", f"q{n}", origin="operator").status == "stored"
    assert statuses(burst(engine, 4)) == ["reaffirmed", "stored", "stored", "stored"]
    assert write(engine, "v4", "p4").status == "held"
    assert write(engine, "v4", "p4").status == "held"
    [row] = engine.queue()
    assert row.hits == 1


def test_notes_without_a_subject_are_no_burst(engine: Any) -> None:
    notes = [engine.store_temporal(MemoryEntry("ada", f"note {n}"), TemporalMeta(origin=POISON)) for n in range(9)]
    assert set(statuses(notes)) == {"stored"}


def test_the_window_outlives_the_process(make_engine: Any, tmp_path: Any, clock: Any) -> None:
    with open_engine(tmp_path / "a.db", clock=clock) as first:
        burst(first, 4)
    with open_engine(tmp_path / "a.db", clock=clock) as second:
        assert write(second, "v4", "p4").status == "held"


def test_what_no_longer_counts_is_cleared_away(engine: Any, clock: Any) -> None:
    for n in range(30):
        write(engine, f"v{n}", subject=f"subject {n}")
    clock.now += timedelta(hours=2)
    for n in range(3):
        write(engine, f"w{n}", subject="other")
    with sqlite3.connect(engine.path) as raw:
        assert raw.execute("SELECT count(*) FROM guard_window").fetchone()[0] == 3


def test_settings(make_engine: Any) -> None:
    off = make_engine("off", guard=GuardSettings(enabled=False))
    assert "held" not in statuses(burst(off, 9))
    two = make_engine("two", guard=GuardSettings(max_per_subject=2))
    assert statuses(burst(two, 3)) == ["stored", "held", "held"]


def test_what_waits_is_not_let_in_by_saying_it_again_later(engine: Any, clock: Any) -> None:
    outcome = burst(engine, 5)[-1]
    clock.now += timedelta(hours=2)
    again = write(engine, "v4", "p4")
    assert (again.status, again.id) == ("held", outcome.id)
    assert write(engine, "v4", "p4", origin="user_direct").status == "stored"
