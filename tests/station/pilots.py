"""Helpers that wait for a station to have nothing left to do."""

from __future__ import annotations

import asyncio
from typing import Any

from memstation.station.app import StationApp
from memstation.station.screens.list_room import DETAIL_DELAY
from textual.pilot import Pilot


async def settle(pilot: Pilot[Any], rounds: int = 3) -> None:
    """Wait until threads have answered and their answers are painted."""
    for _ in range(rounds):
        await pilot.pause()
        await asyncio.wait_for(pilot.app.workers.wait_for_complete(), 60)
    await pilot.pause()


async def rest(pilot: Pilot[Any]) -> None:
    """Wait as long as the cursor must rest for its detail, and settle."""
    await asyncio.sleep(DETAIL_DELAY * 2)
    await settle(pilot)


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys one by one, each after the last has done its work."""
    for key in keys:
        await pilot.press(key)
        await settle(pilot, 2)


def screen_text(app: StationApp) -> str:
    """What is on the screen, line by line."""
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


def screen_bytes(app: StationApp) -> bytes:
    """What goes to the terminal for a full repaint, without the styles that textual itself writes."""
    import re

    text = "".join(segment.text for strip in app.screen._compositor.render_strips() for segment in strip)
    return re.sub("\n", "", text).encode("utf-8")
