"""Agents' reads are counted beside the memories: in short writes of their own, in no digest, in no journal."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from memstation import MemoryEngine, open_engine
from memstation.domain.errors import InvalidInput
from memstation.ops.reads import ENOUGH, WAIT, ReadBuffer

from engine_facts import tell

START = datetime(2026, 4, 14, 23, 30, tzinfo=UTC)


class Clock:
    now = START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def engine(tmp_path: Path, clock: Clock) -> Iterator[MemoryEngine]:
    with open_engine(tmp_path / "store.db", clock) as opened:
        yield opened


def test_what_was_read_is_written_after_a_minute_and_decides_nothing(engine: MemoryEngine, clock: Clock) -> None:
    nara, oslo = tell(engine, "Nara").id, tell(engine, "Oslo", subject="mira").id
    digest, head, stamp = engine.state_digest(), engine.head(), engine.reader.stamp()
    engine.count_reads("ada", [nara, oslo, nara])
    assert engine.reads_of([nara]).times == 0 and engine.reader.stamp() == stamp, "nothing is written at once"
    clock.now += WAIT
    engine.count_reads("ada", [nara])
    found = engine.reads_of([nara, oslo])
    assert (found.times, found.memories, found.lately, found.last) == (4, 2, 2, clock.now)
    assert found.since == datetime(2026, 4, 14, tzinfo=UTC)
    assert engine.state_digest() == digest and engine.head() == head and engine.verify().ok


def test_days_add_up(engine: MemoryEngine, clock: Clock) -> None:
    nara = tell(engine, "Nara").id
    for _ in range(3):
        engine.count_reads("ada", [nara])
        engine.write_reads()
        clock.now += timedelta(days=1)
    engine.count_reads("ada", [nara])
    engine.write_reads()
    found = engine.reads_of([nara])
    assert (found.times, found.since, found.last) == (4, datetime(2026, 4, 14, tzinfo=UTC), clock.now)
    assert engine.reader.source("operator").reads == found
    assert engine.reader.source("channel:x").reads.times == 0
    clock.now += timedelta(hours=2)
    assert engine.reads_of([nara]).lately == 0


def test_only_what_is_the_agents_own_is_counted(engine: MemoryEngine) -> None:
    nara = tell(engine, "Nara").id
    engine.count_reads("bo", [nara])
    engine.count_reads("ada", ["unknown"])
    engine.write_reads()
    assert engine.reads_of([nara, "unknown"]).times == 0
    with pytest.raises(InvalidInput):
        engine.count_reads(" ", [nara])


def test_many_are_written_before_the_minute_is_over(clock: Clock) -> None:
    buffer = ReadBuffer()
    assert not buffer.add("ada", (f"m{n}" for n in range(ENOUGH - 1)), clock.now)
    assert not buffer.add("ada", ["m0"], clock.now), "one that is there already is no other one"
    assert buffer.add("ada", ["other"], clock.now)
    assert sum(times for times, _last in buffer.take().values()) == ENOUGH + 1
    assert buffer.take() == {} and not buffer.add("ada", [], clock.now)


def test_closing_writes_what_is_left(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "closing.db"
    with open_engine(path, clock) as engine:
        nara = tell(engine, "Nara").id
        engine.count_reads("ada", [nara])
    with open_engine(path, clock, read_only=True) as engine:
        assert engine.reads_of([nara]).times == 1
        engine.count_reads("ada", [nara])
        engine.write_reads()
        assert engine.reads_of([nara]).times == 1, "a file that is only read is not written for this"


def test_a_file_that_is_taken_costs_no_count(
    engine: MemoryEngine, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memstation.store.database.BUSY_SECONDS", 0.05)
    nara = tell(engine, "Nara").id
    other = sqlite3.connect(engine.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    engine.count_reads("ada", [nara])
    clock.now += WAIT
    engine._database.close()  # the next writing connection waits no longer than is patched above
    engine.count_reads("ada", [nara])
    other.execute("ROLLBACK")
    other.close()
    engine.write_reads()
    assert engine.reads_of([nara]).times == 2


def test_an_erasure_takes_the_counts_along(engine: MemoryEngine) -> None:
    nara, oslo = tell(engine, "Nara").id, tell(engine, "Oslo", subject="mira").id
    engine.count_reads("ada", [nara, oslo])
    engine.write_reads()
    engine.forget("ada", "mira", phrase=engine.preview_forget("ada", "mira").phrase)
    with sqlite3.connect(engine.path) as raw:
        assert raw.execute("SELECT count(*) FROM reads").fetchone() == (1,)
    assert engine.verify().ok


def test_counts_of_what_is_no_memory_are_cleared_away(engine: MemoryEngine) -> None:
    tell(engine, "Nara")
    with sqlite3.connect(engine.path) as raw:
        raw.execute("INSERT INTO reads VALUES (77, '2026-04-14', 1, '2026-04-14T00:00:00.000000+00:00')")
    assert not engine.verify().ok
    assert engine.repair().requests == 1
    assert engine.verify().ok
