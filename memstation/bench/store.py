"""The store against raw SQLite: writes and reads, interleaved, so that a disk that slows down slows both."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from memstation.bench.measures import Measure, bar, percentile, timed
from memstation.domain.memory import MemoryEntry, TemporalMeta
from memstation.engine import MemoryEngine, open_engine

AGENT = "bench"
BATCH = 1_000
HOT_BATCH = 10_000
SINGLE_WRITES = 400
BATCHES = 10
READS = 2_000
START = datetime(2020, 1, 1, tzinfo=UTC)

Say = Callable[[str], None]
Item = tuple[MemoryEntry, TemporalMeta]

_INSERT = "INSERT INTO raw (agent, content, subject, predicate, object) VALUES (?, ?, ?, ?, ?)"


def fact(key: int, version: int) -> Item:
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


def change(number: int) -> Item:
    """The `number`-th change of one and the same fact."""
    entry = MemoryEntry(AGENT, f"The queue held {number} jobs when it was looked at.", layer="semantic")
    meta = TemporalMeta("queue", "length", str(number), START + timedelta(minutes=number), origin="operator")
    return entry, meta


def keys_of(size: int) -> int:
    """How many facts a store of `size` memories is about: four in five memories are about something new."""
    return max(1, size * 4 // 5)


def fill(engine: MemoryEngine, size: int, say: Say) -> None:
    """Tell `size` facts in batches."""
    keys = keys_of(size)
    _load(
        engine, size, BATCH, say, lambda i: fact(i, 0) if i < keys else fact((i * 7919) % keys, 1 + i // size)
    )  # fmt: skip


def fill_one(engine: MemoryEngine, size: int, say: Say) -> None:
    """Change one fact `size` times."""
    _load(engine, size, HOT_BATCH, say, change)


def _load(engine: MemoryEngine, size: int, batch: int, say: Say, item: Callable[[int], Item]) -> None:
    for first in range(0, size, batch):
        last = min(first + batch, size)
        engine.store_many([item(i) for i in range(first, last)], actor="operator")
        say(f"filling: {last:,} of {size:,}")


@contextmanager
def raw_twin(folder: Path) -> Iterator[sqlite3.Connection]:
    """A plain table in a file beside the store, with the same pragmas."""
    connection = sqlite3.connect(folder / "raw.db", isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA wal_autocheckpoint = 8000")
        connection.execute(
            """CREATE TABLE IF NOT EXISTS raw (
                n INTEGER PRIMARY KEY, agent TEXT, content TEXT, subject TEXT, predicate TEXT, object TEXT)"""
        )
        yield connection
    finally:
        connection.close()


def _raw_values(item: Item) -> tuple[object, ...]:
    entry, meta = item
    return AGENT, entry.content, meta.subject, meta.predicate, meta.object


@dataclass(frozen=True)
class Writer:
    """A store that takes single writes, and what it is told next."""

    engine: MemoryEngine
    item: Callable[[int], Item]


def at_random(size: int) -> Callable[[int], Item]:
    """Changes of facts picked at random in a store of `size`."""
    chance = random.Random(size)
    return lambda turn: fact(chance.randrange(keys_of(size)), 3 + turn)


def single_writes(writers: Sequence[Writer], folder: Path) -> list[list[float]]:
    """Seconds of single writes: those of a raw row a transaction first, then each store's, one after the other."""
    taken: list[list[float]] = [[] for _ in range(len(writers) + 1)]
    with raw_twin(folder) as raw:
        for turn in range(SINGLE_WRITES):
            values = _raw_values(fact(turn, 0))
            taken[0].append(timed(partial(raw.execute, _INSERT, values)))
            for place, writer in enumerate(writers, 1):
                item = writer.item(turn)
                taken[place].append(timed(partial(writer.engine.store_temporal, *item, actor="operator")))
    return taken


def batches(engine: MemoryEngine, folder: Path, size: int) -> Iterator[Measure]:
    """Batches of a thousand, half of them new facts and half changes, each beside as many raw rows in one go."""
    chance = random.Random(size)
    ours, theirs = [], []
    with raw_twin(folder) as raw:
        for turn in range(BATCHES):
            new = [fact(2 * size + turn * BATCH + i, 0) for i in range(BATCH // 2)]
            old = [fact(chance.randrange(keys_of(size)), 1000 + turn) for _ in range(BATCH // 2)]
            items = new + old
            ours.append(timed(partial(engine.store_many, items, actor="operator")))
            rows = [_raw_values(item) for item in items]
            theirs.append(timed(partial(_raw_batch, raw, rows)))
    least = 5_000 if size >= 1_000_000 else 8_000
    speed = BATCH / percentile(ours, 0.5)
    yield Measure(f"store_many, {BATCH:,} a batch", size, speed, "/s", f"at least {least:,}/s", speed >= least)
    yield Measure("a batch, p50 against raw rows", size, percentile(ours, 0.5) / percentile(theirs, 0.5), "x")


def _raw_batch(raw: sqlite3.Connection, rows: list[tuple[object, ...]]) -> None:
    raw.execute("BEGIN IMMEDIATE")
    raw.executemany(_INSERT, rows)
    raw.execute("COMMIT")


def point_reads(engine: MemoryEngine, size: int) -> Iterator[Measure]:
    """What held at an instant, of facts picked at random: as known now, and as believed at some decision."""
    chance = random.Random(size)
    at = START + timedelta(days=2)
    newest = engine.reader.head()
    assert newest is not None
    now, then = [], []
    for _ in range(READS):
        subject = f"service {chance.randrange(keys_of(size))}"
        known = chance.randint(1, newest.seq)
        now.append(timed(partial(engine.get_at, AGENT, subject, "latency_budget", at)))
        then.append(timed(partial(engine.get_at, AGENT, subject, "latency_budget", at, known_at=known)))
    yield bar("get_at, p50", size, percentile(now, 0.5) * 1000, "ms", 0.15)
    yield bar("get_at, p95", size, percentile(now, 0.95) * 1000, "ms", 0.5)
    yield bar("get_at as believed once, p50", size, percentile(then, 0.5) * 1000, "ms", 0.5)


def source_reads(engine: MemoryEngine, size: int) -> Iterator[Measure]:
    """Every source with its counts: one look at an index of the whole store."""
    taken = [timed(engine.sources) for _ in range(3)]
    yield bar("sources, counted", size, min(taken) * 1000, "ms", 100 + size / 1_000)


def hot_reads(engine: MemoryEngine, changes: int, size: int) -> Iterator[Measure]:
    """What held at an instant, of one fact that changed very often."""
    chance = random.Random(size)
    taken = []
    for _ in range(READS):
        at = START + timedelta(minutes=chance.randrange(changes), seconds=30)
        taken.append(timed(partial(engine.get_at, AGENT, "queue", "length", at)))
    yield bar(f"get_at of a fact with {changes:,} changes, p50", size, percentile(taken, 0.5) * 1000, "ms", 0.2)


def measure_store(folder: Path, size: int, say: Say, smallest: Path | None = None) -> Iterator[Measure]:
    """Fill a store in `folder` and measure it; it stays there as ``bench.db``.

    Args:
        folder: where the files go.
        size: memories in the store, and changes of the one fact in the store beside it.
        say: told how far the filling is.
        smallest: a smaller store of this kind, written to in between, to hold single writes against.
    """
    path, hot = folder / "bench.db", folder / "hot.db"
    with open_engine(path) as engine, open_engine(hot) as one:
        seconds = timed(lambda: fill(engine, size, say))
        yield Measure("filled from nothing", size, size / seconds, "/s")
        yield bar("size on disk", size, _disk(path) / size, "B a memory", 1024)
        fill_one(one, size, say)
        yield from point_reads(engine, size)
        yield from source_reads(engine, size)
        yield from hot_reads(one, size, size)
        yield from batches(engine, folder, size)
        yield from _singles(engine, one, folder, size, smallest)


def _singles(
    engine: MemoryEngine, one: MemoryEngine, folder: Path, size: int, smallest: Path | None
) -> Iterator[Measure]:
    writers = [Writer(engine, at_random(size)), Writer(one, lambda turn: change(size + turn))]
    if smallest is None:
        raw, ours, hot = single_writes(writers, folder)
    else:
        with open_engine(smallest) as small:
            raw, ours, hot, least = single_writes([*writers, Writer(small, at_random(BATCH))], folder)
        yield bar(
            "single write, p50 against the smallest store", size,
            percentile(ours, 0.5) / percentile(least, 0.5), "x", 1.4,
        )  # fmt: skip
        yield bar(
            "the last of so many changes, p50 against it", size,
            percentile(hot, 0.5) / percentile(least, 0.5), "x", 1.4,
        )  # fmt: skip
    ratio = percentile(ours, 0.5) / percentile(raw, 0.5)
    if smallest is None:
        yield bar("single write, p50 against a raw one-row insert", size, ratio, "x", 4)
    else:
        yield Measure("single write, p50 against a raw one-row insert", size, ratio, "x")
    for what, values in (("single write", ours), ("change of the one fact", hot), ("raw one-row insert", raw)):
        yield Measure(f"{what}, p50", size, percentile(values, 0.5) * 1000, "ms")
    yield Measure("single write, p95", size, percentile(ours, 0.95) * 1000, "ms")


def _disk(path: Path) -> int:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return path.stat().st_size
