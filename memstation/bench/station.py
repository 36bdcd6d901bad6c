"""The station on a large store, without a terminal: how soon the Timeline opens, and what a key costs."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich.segment import Segment
from textual import events
from textual.app import App, ComposeResult
from textual.geometry import Size
from textual.pilot import Pilot
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memstation.bench.measures import Measure, bar, percentile
from memstation.bench.store import AGENT
from memstation.config.paths import find_paths
from memstation.engine import open_engine, system_clock
from memstation.station.app import StationApp
from memstation.station.start import gather

KEYS = {"down": "a line down", "pagedown": "a page down"}
PRESSES = 150
REST = 0.1
"""Seconds between two keys."""
SIZE = (120, 36)
PATIENCE = 30.0
"""Seconds after which a screen that does not come is given up."""


def measure_station(path: Path, size: int) -> Iterator[Measure]:
    """Open the Timeline of the store at `path` and walk through it."""
    with tempfile.TemporaryDirectory(prefix="memstation-home-") as home:
        services = gather(lambda: open_engine(path), path, find_paths(home), system_clock)
        app = StationApp(services)
        app.is_alone = True
        yield from asyncio.run(_walk(app, size))


def keys_during(path: Path, word: str, work: Callable[[], object]) -> list[float]:
    """Seconds of wall time from each key to its paint, a line down in the Timeline, while a thread does other work.

    `word` is in the rows of the Timeline.
    """
    with tempfile.TemporaryDirectory(prefix="memstation-home-") as home:
        services = gather(lambda: open_engine(path), path, find_paths(home), system_clock)
        app = StationApp(services)
        app.is_alone = True
        return asyncio.run(_walk_during(app, word, work))


async def _walk_during(app: StationApp, word: str, work: Callable[[], object]) -> list[float]:
    async with app.run_test(size=SIZE) as pilot:
        await _open_timeline(app, pilot, word)
        pane = app.here.main_pane if app.here is not None else None
        paints = _Paints(app)
        waits: list[float] = []
        working = asyncio.create_task(asyncio.to_thread(work))
        while not waits or not working.done():
            before, painted, start = getattr(pane, "cursor", 0), paints.count, time.perf_counter()
            send(app, "down")
            await until(lambda b=before, p=painted: getattr(pane, "cursor", 0) != b and paints.count > p)  # type: ignore[misc]
            waits.append(time.perf_counter() - start)
            await asyncio.sleep(REST)
        await working
    return waits


async def _open_timeline(app: StationApp, pilot: Pilot[Any], word: str) -> float:
    """Open the Timeline. Returns the seconds until rows with a word are painted."""
    await until(lambda: app.engine is not None)
    await pilot.pause()
    start = time.perf_counter()
    app.open_timeline(AGENT)
    await until(lambda: word in painted(app))
    opened = time.perf_counter() - start
    await app.workers.wait_for_complete()
    return opened


async def _walk(app: StationApp, size: int) -> list[Measure]:
    async with app.run_test(size=SIZE) as pilot:
        opened = await _open_timeline(app, pilot, "service")
        pane = app.here.main_pane if app.here is not None else None
        costs = await _keys(app, lambda: getattr(pane, "cursor", 0))
    return [
        bar("Timeline opens", size, opened, "s", 0.5),
        *(
            bar(f"key to paint, {what}, CPU p95", size, percentile(costs[key], 0.95) * 1000, "ms", 16)
            for key, what in KEYS.items()
        ),
        *await _bare(size, percentile(costs["down"], 0.5)),
    ]


async def _keys(app: App[None], place: Callable[[], int]) -> dict[str, list[float]]:
    """CPU seconds, of all threads, from each key to the first paint after it has moved the cursor."""
    paints = _Paints(app)
    costs: dict[str, list[float]] = {}
    for key in KEYS:
        costs[key] = []
        for _ in range(PRESSES):
            before, painted, start = place(), paints.count, time.process_time()
            send(app, key)
            await until(lambda b=before, p=painted: place() != b and paints.count > p)  # type: ignore[misc]
            costs[key].append(time.process_time() - start)
            # A person looks: what is read for the row under the cursor comes meanwhile, and is not the key's.
            await asyncio.sleep(REST)
    return costs


class _Paints:
    """Counts what goes to the terminal."""

    def __init__(self, app: App[None]) -> None:
        self.count = 0
        show = app._display

        def counted(*args: Any, **named: Any) -> None:
            self.count += 1
            show(*args, **named)

        app._display = counted  # type: ignore[method-assign]


def send(app: App[None], key: str) -> None:
    """A key as the terminal's driver sends it."""
    event = events.Key(key, None)
    event.set_sender(app)
    assert app._driver is not None
    app._driver.send_message(event)


class _Bare(App[None]):
    """A plain list of the toolkit's, as long as ours: what a line down costs on this machine without a station."""

    class Rows(ScrollView, can_focus=True):
        """Lines of numbers."""

        def on_mount(self) -> None:
            """As long as a store."""
            self.virtual_size = Size(100, 100_000)

        def render_line(self, y: int) -> Strip:
            """One line."""
            return Strip([Segment(f"{self.scroll_offset.y + y:>9} a row of a plain list".ljust(self.size.width))])

    def compose(self) -> ComposeResult:
        """Just the list."""
        yield self.Rows()


async def _bare(size: int, ours: float) -> list[Measure]:
    app = _Bare()
    async with app.run_test(size=SIZE) as pilot:
        rows = app.query_one(_Bare.Rows)
        rows.focus()
        rows.show_vertical_scrollbar = False
        await pilot.pause()
        costs = await _keys(app, lambda: rows.scroll_offset.y)
    plain = percentile(costs["down"], 0.5)
    return [
        Measure("a line down in a plain list of the toolkit, CPU p50", size, plain * 1000, "ms"),
        Measure("a line down, p50 against that", size, ours / plain, "x"),
    ]


async def until(done: Callable[[], bool]) -> None:
    """Wait until something is so; TimeoutError when it never is."""
    deadline = time.perf_counter() + PATIENCE
    while not done():
        if time.perf_counter() > deadline:
            raise TimeoutError("the station did not come up")
        await asyncio.sleep(0.002)


def painted(app: StationApp) -> str:
    """What stands on the screen."""
    return "\n".join("".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips())
