"""The write gate: what it adds to a write, and how fast foreign memories come in through it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from memstation.bench.measures import Measure, bar, percentile, timed
from memstation.bench.store import AGENT, fill
from memstation.domain.decisions import Claim
from memstation.domain.guarding import DEFAULT_GUARD
from memstation.domain.instants import to_text
from memstation.domain.memory import MemoryEntry, TemporalMeta
from memstation.engine import MemoryEngine, open_engine
from memstation.exchange.importing import import_foreign
from memstation.exchange.jsonlines import Told
from memstation.exchange.report import LeftOut
from memstation.ops import gate

WRITES = 400
FILLED = 5_000
IMPORTED = 20_000
START = datetime(2024, 1, 1, tzinfo=UTC)
_WORDS = """
    the team agreed that deploys go out on Tuesday after the checks are green and someone is there to watch them
    build cache staging budget review handover latency queue owner window region release rollback metrics ticket
""".split()  # noqa: SIM905 - words read better than a list of them


def text(chance: random.Random, characters: int = 300) -> str:
    """Plain words of about this length."""
    words: list[str] = []
    while sum(map(len, words)) + len(words) < characters:
        words.append(chance.choice(_WORDS))
    return " ".join(words)[:characters]


def measure_gate(folder: Path, size: int) -> Iterator[Measure]:
    """What the gate adds to single writes of 300 characters, and imports, each in a store of its own."""
    with open_engine(folder / "gate.db") as engine:
        fill(engine, FILLED, lambda _: None)
        yield from _added(engine, size)
    for file in folder.glob("gate.db*"):
        file.unlink()
    seconds = _imported(folder)
    speed = IMPORTED / seconds
    yield Measure("imported through the gate", size, speed, "/s", "at least 2,000/s", speed >= 2_000)


def _added(engine: MemoryEngine, size: int) -> Iterator[Measure]:
    chance = random.Random(size)
    scans, judged, whole = [], [], []
    for turn in range(WRITES):
        said, subject = text(chance), f"topic {chance.randrange(10_000)}"
        claim = Claim(f"c{turn}", AGENT, said, to_text(START), subject=subject, predicate="note", object=said[:40],
                      origin="agent_derived")  # fmt: skip
        scans.append(timed(partial(gate.scanned, claim)))
        scan = gate.scanned(claim)
        with engine.ledger.writing() as writing:
            judged.append(timed(lambda: gate.admit(writing, [claim], [scan], DEFAULT_GUARD).note(writing)))  # noqa: B023
        meta = TemporalMeta(subject, "note", said[:40], origin="agent_derived")
        whole.append(timed(partial(engine.store_temporal, MemoryEntry(AGENT, said), meta)))
    added = percentile(scans, 0.5) + percentile(judged, 0.5)
    yield bar("the gate adds to a write of 300 characters, p50", size, added * 1000, "ms", 0.3)
    yield Measure("of that the injection scan, p50", size, percentile(scans, 0.5) * 1000, "ms")
    yield Measure("a whole write of 300 characters, p50", size, percentile(whole, 0.5) * 1000, "ms")


class _Foreign:
    """A source of plain claims, as a file would tell them."""

    name = "foreign"
    repaired = 0

    def left_out(self) -> LeftOut:
        """Nothing."""
        return ()

    def statements(self) -> Iterator[tuple[str, Told]]:
        """The same claims each time."""
        chance = random.Random(1)
        for number in range(IMPORTED):
            said = text(chance, 120)
            start = to_text(START + timedelta(minutes=number))
            yield (
                f"line {number}",
                Claim(f"f{number}", AGENT, said, start, subject=f"thing {number % (IMPORTED * 4 // 5)}",
                      predicate="state", object=said[:30], origin="agent_derived"),
            )  # fmt: skip


def _imported(folder: Path) -> float:
    path = folder / "imported.db"
    with open_engine(path) as engine:
        seconds = timed(partial(import_foreign, engine.ledger, _Foreign(), "bench"))
    for file in folder.glob("imported.db*"):
        file.unlink()
    return seconds
