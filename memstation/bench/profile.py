"""Where the time of a single write goes, as shares of the whole. The profiler slows Python more than SQLite."""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memstation.bench.measures import Measure
from memstation.bench.store import at_random
from memstation.engine import open_engine

WRITES = 400

PARTS: dict[str, tuple[str, str]] = {
    "the gate: shape, trust": ("remember.py", "_prepare"),
    "keys and digests of what is told": ("plan.py", "_append"),
    "placing": ("plan.py", "_place_touched"),
    "effects": ("effects.py", "effects_of"),
    "writing rows and their indexes": ("writing.py", "_write_rows"),
    "the text index": ("writing.py", "_write_index"),
    "the journal entry": ("writing.py", "_write_entry"),
}
"""What a part is called: the function (file, name) in which it happens."""


def measure_profile(path: Path, size: int) -> Iterator[Measure]:
    """Profile single writes into the store at `path`, and share out the time among the parts of a write."""
    item = at_random(size)
    profile = cProfile.Profile()
    with open_engine(path) as engine:
        engine.store_temporal(*item(10_000), actor="operator")
        profile.enable()
        for turn in range(WRITES):
            engine.store_temporal(*item(10_001 + turn), actor="operator")
        profile.disable()
    stats = pstats.Stats(profile)
    whole = _cumulative(stats, "telling.py", "store_temporal")
    left = 100.0
    for what, (file, name) in PARTS.items():
        share = 100 * _cumulative(stats, file, name) / whole
        left -= share
        yield Measure(f"of a write: {what}", size, share, "%")
    locking = 100 * _executed_by(stats, "database.py", "writing") / whole
    yield Measure("of a write: taking the lock, committing", size, locking, "%")
    yield Measure("of a write: all the rest", size, left - locking, "%")


def _cumulative(stats: pstats.Stats, file: str, name: str) -> float:
    """Seconds in a function, with what it calls."""
    entries: dict[Any, Any] = stats.stats  # type: ignore[attr-defined]
    total = 0.0
    for (path, _, function), entry in entries.items():
        if function == name and Path(path).name == file:
            total += entry[3]
    return total


def _executed_by(stats: pstats.Stats, file: str, name: str) -> float:
    """Seconds in SQLite, as called by one function itself."""
    total = 0.0
    for (_, _, function), (*_, callers) in stats.stats.items():  # type: ignore[attr-defined]
        if "sqlite3.Cursor" in function:
            total += sum(
                timing[3] for (path, _, by), timing in callers.items() if by == name and Path(path).name == file
            )
    return total
