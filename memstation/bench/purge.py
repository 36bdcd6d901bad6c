"""The purge of a source that told much, in a large store: its preview, the act, and taking it back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from memstation.bench.measures import Measure, bar, percentile, timed
from memstation.domain.memory import MemoryEntry, TemporalMeta
from memstation.engine import MemoryEngine, open_engine

AGENT = "bench"
POISON = "channel:poisoned"
ROOTS = 500
DERIVED = 10_000
BATCH = 2_500
BAR = 1.5
"""Seconds for each of the three."""
LIVE = 500.0
"""Milliseconds within which a key is answered whatever is decided meanwhile."""


def plant(engine: MemoryEngine, roots: int, derived: int) -> list[str]:
    """A source displaces so many facts, and agents make so many memories from what it told. Returns the roots' ids."""
    for origin, word in (("user_direct", "right"), (POISON, "wrong")):
        told = engine.store_many(
            [
                (
                    MemoryEntry(AGENT, f"The owner of shelf {n} is the {word} person."),
                    TemporalMeta(f"shelf {n}", "owner", f"{word} person {n}", origin=origin),
                )
                for n in range(roots)
            ]
        )  # fmt: skip
    ids = [outcome.id for outcome in told]
    for first in range(0, derived, BATCH):
        engine.store_many(
            [
                (
                    MemoryEntry(AGENT, f"Note {n} follows from what was said of shelf {n % roots}."),
                    TemporalMeta(
                        f"note {n}", "says", f"thing {n}", origin="agent_derived", derived_from=[ids[n % roots]]
                    ),
                )
                for n in range(first, min(first + BATCH, derived))
            ]
        )  # fmt: skip
    return ids


def measure_purge(path: Path, size: int) -> Iterator[Measure]:
    """Plant a poisoned source in the store at `path`, purge it and take that back; the store is left as planted."""
    with open_engine(path) as engine:
        plant(engine, ROOTS, DERIVED)
        before = engine.state_digest()
        preview = engine.preview_purge(AGENT, POISON)
        looked = timed(lambda: engine.preview_purge(AGENT, POISON).digest)
        seqs: list[int | None] = []
        seen = preview.digest

        def act() -> None:
            seqs.append(engine.invalidate_by_origin(AGENT, POISON, expect=seen).seq)

        purged = timed(act)
        assert seqs[0] is not None and len(preview.reinstated) == ROOTS and len(preview.contaminated) == DERIVED
        undone = timed(lambda: engine.undo(int(seqs[0] or 0)))
        assert engine.state_digest() == before
    what = f"{ROOTS:,} roots, {DERIVED:,} made from them: "
    yield bar(f"{what}preview", size, looked, "s", BAR)
    yield bar(f"{what}purge", size, purged, "s", BAR)
    yield bar(f"{what}undo", size, undone, "s", BAR)


def measure_live(path: Path, size: int) -> Iterator[Measure]:
    """Walk through the Timeline while the source that `measure_purge` planted is purged and that is taken back."""
    from memstation.bench.station import keys_during

    answers = keys_during(path, "shelf", lambda: purge_and_undo(path))
    yield Measure("a line down while it is purged and undone, p50", size, percentile(answers, 0.5) * 1000, "ms")
    yield bar("the longest of them", size, max(answers) * 1000, "ms", LIVE)


def purge_and_undo(path: Path) -> None:
    """Purge the planted source, and take that back."""
    with open_engine(path) as engine:
        engine.undo(int(engine.invalidate_by_origin(AGENT, POISON).seq or 0))
