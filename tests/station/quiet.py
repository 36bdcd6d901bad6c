"""When a station has nothing left to do: no message waits, no callback, no thread, no short timer.

The toolkit's own pilot takes a process that does not run for one that is idle, which on a busy machine is wrong.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from textual import app as textual_app
from textual import pilot as textual_pilot
from textual._context import active_app
from textual.app import App
from textual.message_pump import MessagePump

SOON = 0.5
"""Seconds of a timer that is waited for."""
MOST = 60.0
"""Seconds after which a station that never comes to rest fails its test."""


def _is_idle(pump: MessagePump) -> bool:
    """Whether a widget waits for its next message and has none."""
    if not pump._running or pump._closed:
        return True
    queue = pump._message_queue
    # Somebody waits at an empty queue: whatever came before is done, its handler too.
    return (
        queue.empty()
        and pump._pending_message is None
        and not pump._next_callbacks
        and bool(queue.ready_event._waiters)
    )


def _is_painted(app: App[Any]) -> bool:
    if not app.is_running or not app.screen_stack:
        return True
    screen = app.screen
    if screen._callbacks or screen._layout_required or screen._repaint_required or screen._dirty_widgets:
        screen._on_timer_update()
        return False
    return True


def _is_timed(pump: MessagePump) -> bool:
    """Whether something happens soon by itself, as when a cursor has rested for long enough."""
    return any(
        timer._repeat is not None and timer._interval <= SOON and timer._active.is_set()
        for timer in pump._timers if timer._task is not None and not timer._task.done()
    )  # fmt: skip


def _works(app: App[Any]) -> bool:
    return any(worker.is_running or worker.state.name == "PENDING" for worker in app.workers)


async def until_quiet(app: App[Any], *, threads: bool = True) -> None:
    """Wait until every message is handled and painted; with `threads`, also until no thread and no timer works."""
    loop = asyncio.get_running_loop()
    last = loop.time() + MOST
    calm = 0
    while calm < 4:
        await asyncio.sleep(0)
        if not app.is_running:
            return
        if loop.time() > last:
            raise TimeoutError("the station never came to rest")
        if threads and (_works(app) or any(map(_is_timed, (app, *app._registry)))):
            calm = 0
            await asyncio.sleep(0.001)
        elif all(map(_is_idle, (app, *app._registry))) and _is_painted(app):
            calm += 1
        else:
            calm = 0


async def _instead_of_the_clock(min_sleep: float = 0, max_sleep: float = 1) -> None:
    """What the toolkit's pilot waits for after a key and in a pause."""
    await until_quiet(active_app.get(), threads=False)


@pytest.fixture(autouse=True)
def no_clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The pilot of the toolkit waits for what is left to do, not for the processor to look idle."""
    for module in (textual_app, textual_pilot):
        monkeypatch.setattr(module, "wait_for_idle", _instead_of_the_clock)
    yield
