"""Runs the measurements and prints them. It measures nothing itself."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from memstation.bench.measures import Measure

SIZES = (10_000, 100_000)


def main(sizes: Sequence[int] = SIZES, *, as_json: bool = False, station: bool = True) -> int:
    """Measure stores of these sizes, each in a temporary folder.

    Returns:
        0 when every bar is kept, 1 otherwise.
    """
    found: list[Measure] = []
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="memstation-bench-") as folder:
            for measure in _measures(Path(folder), size, station):
                found.append(measure)
                if not as_json:
                    print(_line(measure), flush=True)
    if as_json:
        print(json.dumps([asdict(measure) for measure in found], indent=1))
    return 0 if all(measure.kept is not False for measure in found) else 1


def _measures(folder: Path, size: int, station: bool) -> Iterable[Measure]:
    from memstation.bench.store import measure_store

    yield from measure_store(folder, size, _say)
    if station:
        from memstation.bench.station import measure_station

        yield from measure_station(folder / "bench.db", size)
    if sys.stderr.isatty():
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr)


def _say(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{text:<60}", end="", file=sys.stderr, flush=True)


def _line(measure: Measure) -> str:
    verdict = {None: "", True: "kept", False: "NOT KEPT"}[measure.kept]
    return (
        f"{measure.size:>9,}  {measure.what:<48} {measure.value:>10,.3f} {measure.unit:<10} {measure.bar:<18} {verdict}"
    )
