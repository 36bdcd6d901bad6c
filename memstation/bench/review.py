"""The Review room on a queue of 5,000: how soon it opens, and what a hundred verdicts by keys take."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from memstation.bench.measures import Measure, bar, percentile
from memstation.bench.station import SIZE, painted, send, until
from memstation.bench.store import AGENT
from memstation.config.paths import find_paths
from memstation.domain.memory import MemoryEntry, TemporalMeta
from memstation.engine import MemoryEngine, open_engine, system_clock
from memstation.station.app import StationApp
from memstation.station.start import gather

HELD = 5_000
BATCH = 500
VERDICTS = 100
KEYS = "adadsdad+d"
"""Approve, deny, skip, more time: mixed as in a day's work."""


def hold(engine: MemoryEngine, count: int) -> None:
    """Hold so many memories of many sources: each would replace a fact of the operator."""
    for first in range(0, count, BATCH):
        numbers = range(first, min(first + BATCH, count))
        for origin, word in (("operator", "is"), ("channel", "was")):
            engine.store_many(
                [
                    (
                        MemoryEntry(AGENT, f"The owner of box {n} {word} person {n % 97}."),
                        TemporalMeta(
                            f"box {n}", "owner", f"person {n % 97} {word}",
                            origin=origin if origin == "operator" else f"channel:{n % 40}",
                        ),
                    )
                    for n in numbers
                ]
            )  # fmt: skip


def measure_review(folder: Path, size: int) -> Iterator[Measure]:
    """Fill a queue in `folder` and work some of it off."""
    path = folder / "review.db"
    with open_engine(path) as engine:
        hold(engine, HELD)
        assert len(engine.queue()) == HELD
    with tempfile.TemporaryDirectory(prefix="memstation-home-") as home:
        services = gather(lambda: open_engine(path), path, find_paths(home), system_clock)
        app = StationApp(services)
        app.is_alone = True
        yield from asyncio.run(_work(app, size))
    for file in folder.glob("review.db*"):
        file.unlink()


async def _work(app: StationApp, size: int) -> list[Measure]:
    async with app.run_test(size=SIZE) as pilot:
        await until(lambda: app.engine is not None)
        await pilot.pause()
        start = time.perf_counter()
        app.open_room("review")
        # What is painted is looked at once the queue is read: looking costs as much as painting.
        await until(lambda: bool(getattr(app.here, "is_read", False)))
        await until(lambda: "person" in painted(app))
        opened = time.perf_counter() - start
        await app.workers.wait_for_complete()
        await pilot.press("o", "o", "g")
        await app.workers.wait_for_complete()
        waits, whole = await _verdicts(app)
    return [
        bar(f"Review opens on {HELD:,} held", size, opened, "s", 0.5),
        bar(f"{VERDICTS} mixed verdicts by keys", size, whole, "s", 60),
        bar("a verdict's key to its words on the screen, p95", size, percentile(waits, 0.95) * 1000, "ms", 100),
        Measure("the same, p50", size, percentile(waits, 0.5) * 1000, "ms"),
    ]


async def _verdicts(app: StationApp) -> tuple[list[float], float]:
    """Seconds from each key to what it did being said; and of all of it, cards read in between included."""
    room = app.here
    assert room is not None
    waits: list[float] = []
    begun = time.perf_counter()
    for turn in range(VERDICTS):
        await until(lambda: bool(getattr(room, "is_painted", False)) and not getattr(room, "is_deciding", False))
        key, said, start = KEYS[turn % len(KEYS)], app.message, time.perf_counter()
        send(app, {"+": "plus"}.get(key, key))
        await until(lambda said=said: app.message != said or app.screen is not room)  # type: ignore[misc]
        if app.screen is not room:
            # It asks first: it would replace a fact of full trust.
            await until(lambda: bool(getattr(app.screen, "is_armed", True) and getattr(app.screen, "ready", True)))
            said, start = app.message, time.perf_counter()
            send(app, "y")
            await until(lambda said=said: app.message != said and app.screen is room)  # type: ignore[misc]
        waits.append(time.perf_counter() - start)
    return waits, time.perf_counter() - begun
