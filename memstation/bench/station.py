"""The station on a large store, without a terminal: how soon the Timeline opens, and what a key costs."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from textual.pilot import Pilot

from memstation.bench.measures import Measure, bar, percentile
from memstation.bench.store import AGENT
from memstation.config.paths import find_paths
from memstation.engine import open_engine, system_clock
from memstation.station.app import StationApp
from memstation.station.start import gather

KEYS = 200
SIZE = (120, 36)
PATIENCE = 30.0
"""Seconds after which a screen that does not come is given up."""


def measure_station(path: Path, size: int) -> Iterator[Measure]:
    """Open the Timeline of the store at `path` and walk through it."""
    with tempfile.TemporaryDirectory(prefix="memstation-home-") as home:
        services = gather(lambda: open_engine(path), path, find_paths(home), system_clock)
        yield from asyncio.run(_walk(StationApp(services), size))


async def _walk(app: StationApp, size: int) -> list[Measure]:
    async with app.run_test(size=SIZE) as pilot:
        await _until(lambda: app.engine is not None)
        await pilot.pause()
        start = time.perf_counter()
        app.open_timeline(AGENT)
        await _until(lambda: "service" in _painted(app))
        opened = time.perf_counter() - start
        await app.workers.wait_for_complete()
        costs = {key: [await _cost(pilot, key) for _ in range(KEYS)] for key in ("down", "pagedown")}
        ends = [await _cost(pilot, key) for _ in range(20) for key in ("G", "g")]
    return [
        bar("Timeline opens", size, opened, "s", 0.5),
        bar("key to paint, a line down, CPU p95", size, percentile(costs["down"], 0.95) * 1000, "ms", 16),
        bar("key to paint, a page down, CPU p95", size, percentile(costs["pagedown"], 0.95) * 1000, "ms", 16),
        Measure("key to paint, last and first row, CPU p95", size, percentile(ends, 0.95) * 1000, "ms"),
    ]


async def _cost(pilot: Pilot[None], key: str) -> float:
    """Seconds of CPU, of all threads, from a key to the screen at rest again."""
    start = time.process_time()
    await pilot.press(key)
    return time.process_time() - start


async def _until(done: Callable[[], bool]) -> None:
    deadline = time.perf_counter() + PATIENCE
    while not done():
        if time.perf_counter() > deadline:
            raise TimeoutError("the station did not come up")
        await asyncio.sleep(0.002)


def _painted(app: StationApp) -> str:
    """What stands on the screen."""
    return "\n".join("".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips())
