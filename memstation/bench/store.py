"""The store against raw SQLite: writes and reads, interleaved, so that a disk that slows down slows both."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memstation.bench.measures import Measure, bar, percentile, timed
from memstation.domain.memory import MemoryEntry, TemporalMeta
from memstation.engine import MemoryEngine, open_engine

AGENT = "bench"
BATCH = 1_000
SINGLE_WRITES = 400
READS = 2_000
START = datetime(2020, 1, 1, tzinfo=UTC)

Say = Callable[[str], None]


def fact(key: int, version: int) -> tuple[MemoryEntry, TemporalMeta]:
    """A fact of about 90 characters, like those that agents write."""
    entry = MemoryEntry(
        AGENT,
        f"The latency budget of service {key} was set to {version * 7 + key % 90} ms by its owner.",
        layer="semantic",
    )
    meta = TemporalMeta(
        subject=f"service {key}",
        predicate="latency_budget",
        object=f"{version * 7 + key % 90} ms",
        origin="operator",
        valid_from=START + timedelta(days=version, minutes=key % 1000),
    )
    return entry, meta


def fill(engine: MemoryEngine, size: int, say: Say) -> float:
    """Tell `size` facts in batches, four in five about something new. Returns memories a second."""
    keys = max(1, size * 4 // 5)

    def load() -> None:
        batch = []
        for i in range(size):
            batch.append(fact(i, 0) if i < keys else fact((i * 7919) % keys, 1 + i // size))
            if len(batch) == BATCH:
                engine.store_many(batch, actor="operator")
                batch.clear()
                say(f"filling: {i + 1:,} of {size:,}")
        if batch:
            engine.store_many(batch, actor="operator")

    return size / timed(load)


@contextmanager
def raw_twin(folder: Path) -> Iterator[sqlite3.Connection]:
    """A plain table in a file beside the store, with the same pragmas."""
    connection = sqlite3.connect(folder / "raw.db", isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA wal_autocheckpoint = 8000")
        connection.execute(
            """CREATE TABLE raw (
                n INTEGER PRIMARY KEY, agent TEXT, content TEXT, subject TEXT, predicate TEXT, object TEXT)"""
        )
        yield connection
    finally:
        connection.close()


def single_writes(engine: MemoryEngine, folder: Path, size: int) -> Iterator[Measure]:
    """One fact a transaction, each beside one raw row a transaction."""
    chance = random.Random(size)
    ours, theirs = [], []
    with raw_twin(folder) as raw:
        for turn in range(SINGLE_WRITES):
            entry, meta = fact(chance.randrange(max(1, size * 4 // 5)), 3 + turn)
            values = (AGENT, entry.content, meta.subject, meta.predicate, meta.object)
            ours.append(timed(lambda e=entry, m=meta: engine.store_temporal(e, m, actor="operator")))  # type: ignore[misc]
            theirs.append(
                timed(
                    lambda v=values: raw.execute(  # type: ignore[misc]
                        "INSERT INTO raw (agent, content, subject, predicate, object) VALUES (?, ?, ?, ?, ?)", v
                    )
                )
            )
    ratio = percentile(ours, 0.5) / percentile(theirs, 0.5)
    yield bar("single write, p50 against a raw one-row insert", size, ratio, "x", 4)
    yield Measure("single write, p50", size, percentile(ours, 0.5) * 1000, "ms")
    yield Measure("single write, p95", size, percentile(ours, 0.95) * 1000, "ms")
    yield Measure("raw one-row insert, p50", size, percentile(theirs, 0.5) * 1000, "ms")


def point_reads(engine: MemoryEngine, size: int) -> Iterator[Measure]:
    """What held at an instant, of facts picked at random."""
    chance = random.Random(size)
    taken = []
    for _ in range(READS):
        subject, at = f"service {chance.randrange(max(1, size * 4 // 5))}", START + timedelta(days=2)
        taken.append(timed(lambda s=subject, a=at: engine.get_at(AGENT, s, "latency_budget", a)))  # type: ignore[misc]
    yield bar("get_at, p50", size, percentile(taken, 0.5) * 1000, "ms", 0.15)
    yield bar("get_at, p95", size, percentile(taken, 0.95) * 1000, "ms", 0.5)


def measure_store(folder: Path, size: int, say: Say) -> Iterator[Measure]:
    """Fill a store in `folder` and measure it; it stays there as ``bench.db``."""
    path = folder / "bench.db"
    with open_engine(path) as engine:
        speed = fill(engine, size, say)
        yield Measure(f"store_many, {BATCH:,} a batch", size, speed, "/s")
        yield Measure("size on disk", size, _disk(path) / size, "B a memory")
        yield from single_writes(engine, folder, size)
        yield from point_reads(engine, size)


def _disk(path: Path) -> int:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return path.stat().st_size
