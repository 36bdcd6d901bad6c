"""Draws the pictures of the README from the demonstration store: `python screenshots/take.py`. Same every time."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

# isort: split
# Textual decides on colours when it is imported.
os.environ.pop("NO_COLOR", None)
os.environ["TZ"] = "UTC"

from memstation.config.paths import find_paths
from memstation.demo import DEMO_NOW, LAST_VISIT, build_demo
from memstation.engine import open_engine
from memstation.station.app import StationApp
from memstation.station.start import gather
from textual.pilot import Pilot

HERE = Path(__file__).parent
THEMES = ("dark", "light", "contrast", "mono")
LATIN = (
    "about:user,team says:deploy_target,ci_provider,standup_time,prefers_editor,on_call,prod_branch,trial_plan,"
    "invoice_day"
)
"""Facts in Latin letters: an SVG squeezes wide characters."""

Scene = Callable[[StationApp, Pilot[None]], Awaitable[None]]


async def today(app: StationApp, pilot: Pilot[None]) -> None:
    """What changed, and what needs the operator."""
    await pilot.press("1")


async def timeline(app: StationApp, pilot: Pilot[None]) -> None:
    """A chain on its time axis."""
    with open_engine(app.services.path, lambda: DEMO_NOW) as engine:
        fact = engine.get_at("dudu", "user", "deploy_target", DEMO_NOW)
        assert fact is not None
        app.open_timeline("dudu", LATIN, fact.n)


async def correct(app: StationApp, pilot: Pilot[None]) -> None:
    """Three ways to be wrong, with what each would change."""
    await timeline(app, pilot)
    await settled(app, pilot)
    await pilot.press("c")


async def review(app: StationApp, pilot: Pilot[None]) -> None:
    """What a flood would replace, beside what holds now."""
    app.open_review("source:channel:telegram/42")
    await settled(app, pilot)
    await pilot.press("G", "k")


async def sources(app: StationApp, pilot: Pilot[None]) -> None:
    """Who told what, and what a purge of the worst of them would do."""
    await pilot.press("4")
    await settled(app, pilot)
    await pilot.press("P")


async def log(app: StationApp, pilot: Pilot[None]) -> None:
    """Every decision."""
    await pilot.press("8")


async def settled(app: StationApp, pilot: Pilot[None]) -> None:
    """Until everything asked for is on the screen."""
    for _ in range(4):
        await pilot.pause()
        await app.workers.wait_for_complete()
    await pilot.pause()


async def take(scene: Scene, store: Path, theme: str, size: tuple[int, int]) -> None:
    """Draw one picture."""
    with tempfile.TemporaryDirectory() as home:
        paths = find_paths(home)
        paths.settings.parent.mkdir(parents=True)
        paths.settings.write_text(f'theme = "{theme}"\n', encoding="utf-8")
        services = gather(lambda: open_engine(store, lambda: DEMO_NOW), store, paths, lambda: DEMO_NOW)
        with open_engine(store, lambda: DEMO_NOW) as engine:
            services.state.keep(engine.uuid, seen=LAST_VISIT)
        app = StationApp(services)
        async with app.run_test(size=size) as pilot:
            await settled(app, pilot)
            await scene(app, pilot)
            await settled(app, pilot)
            name = f"{scene.__name__}-{theme}-{size[0]}x{size[1]}.svg"
            (HERE / name).write_text(app.export_screenshot(title="memstation"), encoding="utf-8")
            print(name)


async def main() -> None:
    """Draw every room at 120x36 in the dark theme, the Timeline in all of them, and the rooms at 80x24."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "demo.db"
        build_demo(store)
        for scene in (today, timeline, correct, review, sources, log):
            await take(scene, store, "dark", (120, 36))
            await take(scene, store, "dark", (80, 24))
        for theme in THEMES[1:]:
            await take(timeline, store, theme, (120, 36))


if __name__ == "__main__":
    asyncio.run(main())
