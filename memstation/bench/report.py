"""Runs the measurements and prints them. It measures nothing itself."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from memstation.bench.measures import Measure, machine

SIZES = (10_000, 100_000)


def main(sizes: Sequence[int] = SIZES, *, as_json: bool = False, station: bool = True) -> int:
    """Measure stores of these sizes, smallest first, in a temporary folder.

    Returns:
        0 when every bar is kept, 1 otherwise.
    """
    with tempfile.TemporaryDirectory(prefix="memstation-bench-") as folder:
        return told(_measures(Path(folder), sorted(sizes), station), as_json=as_json)


def told(measures: Iterable[Measure], *, as_json: bool) -> int:
    """Print measures as they come, or all as JSON at the end. Returns 0 when every bar is kept, 1 otherwise."""
    found: list[Measure] = []
    for measure in measures:
        found.append(measure)
        if not as_json:
            print(_line(measure), flush=True)
    if as_json:
        print(json.dumps([asdict(measure) for measure in found], indent=1))
    return 0 if all(measure.kept is not False for measure in found) else 1


def _measures(folder: Path, sizes: Sequence[int], station: bool) -> Iterable[Measure]:
    from memstation.bench.profile import measure_profile
    from memstation.bench.purge import measure_live, measure_purge
    from memstation.bench.searching import measure_pagerank, measure_search
    from memstation.bench.store import measure_store

    smallest: Path | None = None
    for size in sizes:
        mine = folder / str(size)
        mine.mkdir(exist_ok=True)
        yield machine(size)
        yield from measure_store(mine, size, _say, smallest)
        yield from measure_profile(mine / "bench.db", size)
        yield from measure_search(mine, size)
        yield from measure_pagerank(size)
        if smallest is None:
            from memstation.bench.gate import measure_gate

            yield from measure_gate(mine, size)
        if station:
            from memstation.bench.cold import measure_cold
            from memstation.bench.station import measure_station

            yield machine(size)
            yield from measure_cold(mine / "bench.db", size)
            yield from measure_station(mine / "bench.db", size)
            if smallest is None:
                from memstation.bench.review import measure_review

                yield from measure_review(mine, size)
        yield from measure_purge(mine / "bench.db", size)
        if station:
            yield from measure_live(mine / "bench.db", size)
        if smallest is None:
            smallest = mine / "bench.db"
        else:
            for file in mine.iterdir():
                file.unlink()
    if sys.stderr.isatty():
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr)


def _say(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{text:<60}", end="", file=sys.stderr, flush=True)


def _line(measure: Measure) -> str:
    verdict = {None: "", True: "kept", False: "NOT KEPT"}[measure.kept]
    return (
        f"{measure.size:>9,}  {measure.what:<52} {measure.value:>10,.3f} {measure.unit:<10} {measure.bar:<18} {verdict}"
    )
