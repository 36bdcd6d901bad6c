"""Writes what stands in a store to a file of JSON lines. It must not change the store, nor leave half a file.

The whole export is one read transaction, so that it is one state of the store however long it takes; writers go on
meanwhile, and the write-ahead file grows by what they write until it is done.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from memstation.domain.errors import MemstationError
from memstation.exchange.jsonlines import header, line_of
from memstation.exchange.report import ExportReport, Progress
from memstation.exchange.stored import counted, erased, standing, store_id, taken_back
from memstation.exchange.whole_file import write_whole
from memstation.store import journal
from memstation.store.ledger import Ledger

_EVERY = 1_000
"""Statements between two calls of `progress`."""


def export(
    ledger: Ledger, path: Path, *, store: Path, force: bool = False, progress: Progress | None = None
) -> ExportReport | None:
    """Export to a file, which appears whole or not at all. None when `progress` stopped it.

    Args:
        ledger: of the store.
        path: the file to write; only its owner may read it.
        store: the store's own file, which is never written over.
        force: write over a file that is there.
        progress: see `report.Progress`.

    Raises:
        Refused: the file is there already, or is the store itself.
        InvalidInput: it cannot be written.
    """
    return write_whole(path, lambda write: export_to(ledger, write, progress), store=store, force=force)


def export_to(ledger: Ledger, write: Callable[[str], object], progress: Progress | None = None) -> ExportReport | None:
    """Export to whatever takes text, line by line. None when `progress` stopped it."""
    done = 0
    with ledger.looking() as looking:
        total = counted(looking.cursor) if progress is not None else 0
        left = (("memories taken back", taken_back(looking.cursor)), ("memories erased", erased(looking.cursor)))
        write(header(store_id(looking.cursor), journal.newest(looking.cursor)) + "\n")
        for told in standing(looking.cursor):
            try:
                write(line_of(told) + "\n")
            except ValueError as error:
                raise MemstationError(
                    "The store is damaged", "{what} cannot be written: {why}", what=repr(told)[:60], why=error
                ) from error
            done += 1
            if progress is not None and done % _EVERY == 0 and not progress(done, total):
                return None
    return ExportReport(done, tuple((what, count) for what, count in left if count))
