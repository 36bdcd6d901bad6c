"""Helpers that wait for a station to have nothing left to do."""

from __future__ import annotations

import asyncio
from typing import Any

from memstation.station.app import StationApp
from textual.pilot import Pilot

from station.quiet import until_quiet


async def settle(pilot: Pilot[Any]) -> None:
    """Wait until threads have answered and their answers are painted."""
    await until_quiet(pilot.app)


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys one by one, each after the last has done its work."""
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


def screen_text(app: StationApp) -> str:
    """What is on the screen, line by line."""
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


def screen_bytes(app: StationApp) -> bytes:
    """What goes to the terminal for a full repaint, without the styles that textual itself writes."""
    import re

    text = "".join(segment.text for strip in app.screen._compositor.render_strips() for segment in strip)
    return re.sub("\n", "", text).encode("utf-8")


async def resize(pilot: Pilot[Any], width: int, height: int) -> None:
    """Give the terminal another size, and wait for the toolkit's timer, which gathers sizes that come in a row."""
    await pilot.resize_terminal(width, height)
    while pilot.app.size != (width, height) or pilot.app._resize_timer is not None:
        await asyncio.sleep(0.005)
    await settle(pilot)
