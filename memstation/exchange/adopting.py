"""Restores the file of the seed's system, and says which chains came out otherwise. It must not touch that file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from memstation.domain.origins import OPERATOR
from memstation.exchange.duduclaw import SeedMemories
from memstation.exchange.duduclaw_file import open_seed_file
from memstation.exchange.report import Progress, RestoreReport
from memstation.exchange.restoring import restore
from memstation.exchange.stored import successors
from memstation.store.ledger import Ledger
from memstation.store.lines import batches


def restore_duduclaw(
    ledger: Ledger, path: Path, progress: Progress | None = None, *, actor: str = OPERATOR, owner: str | None = None
) -> RestoreReport:
    """Tell the store what a file of the seed's system holds; see `restore`.

    Raises:
        InvalidInput, NotFound, Refused: the file, or a memory in it, cannot be read; nothing was written.
    """
    with open_seed_file(path) as file:
        source = SeedMemories(file, owner=owner)
        report = restore(ledger, source, progress, actor=actor)
        return report if report.stopped else _compared(ledger, source, report)


def _compared(ledger: Ledger, source: SeedMemories, report: RestoreReport) -> RestoreReport:
    """The report with how each chain of the file came out."""
    same = 0
    other: list[tuple[str, str | None, str | None]] = []
    for batch in batches(source.successors()):
        with ledger.looking() as looking:
            here = successors(looking.cursor, [memory_id for memory_id, _ in batch])
        for memory_id, there in batch:
            if there != here.get(memory_id):
                other.append((memory_id, there, here.get(memory_id)))
            elif there is not None:
                same += 1
    return replace(report, same_links=same, other_links=tuple(other))
