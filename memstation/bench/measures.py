"""How a measurement is taken and kept. It knows nothing of stores or screens."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of the report."""

    what: str
    size: int
    """Memories in the store."""
    value: float
    unit: str
    bar: str = ""
    """What it is held against, in words; empty when it is only told."""
    kept: bool | None = None
    """Whether it is within the bar."""


def bar(what: str, size: int, value: float, unit: str, most: float) -> Measure:
    """A measure that must not pass a bar."""
    return Measure(what, size, value, unit, f"at most {most:g} {unit}".strip(), value <= most)


def percentile(values: list[float], share: float) -> float:
    """The value below which this share of the values lies; 0.5 is the median."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def timed(run: Callable[[], object]) -> float:
    """Seconds of wall time that a call takes."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def machine(size: int) -> Measure:
    """How fast this machine runs Python at this moment: other figures in seconds go up and down with it."""

    def loop() -> None:
        total = 0
        for number in range(1_000_000):
            total += number * number

    return Measure(
        "a million turns of a plain loop, of this moment", size, min(timed(loop) for _ in range(3)) * 1000, "ms"
    )
