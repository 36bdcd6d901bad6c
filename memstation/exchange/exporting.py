"""Writes what stands in a store to a file of JSON lines. It must not change the store, nor leave half a file.

The whole export is one read transaction, so that it is one state of the store however long it takes; writers go on
meanwhile, and the write-ahead file grows by what they write until it is done.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from memstation.domain.errors import InvalidInput, MemstationError, Refused
from memstation.exchange.jsonlines import header, line_of
from memstation.exchange.report import ExportReport, Progress
from memstation.exchange.stored import counted, erased, standing, taken_back
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
    if _is_store(path, store):
        raise Refused("This is the store itself", "{path}", "name another file", path=path)
    if path.is_dir():
        raise InvalidInput("This is a folder", "{path}", "name a file in it", path=path)
    if os.path.lexists(path) and not force:
        raise Refused("The file is there already", "{path}", "--force writes over it", path=path)
    try:
        return _to_file(ledger, path, force, progress)
    except FileExistsError as error:
        raise Refused("The file is there already", "{path}", "--force writes over it", path=path) from error
    except OSError as error:
        raise InvalidInput(
            "The file cannot be written", "{path}: {why}", path=path, why=error.strerror or error
        ) from error


def _to_file(ledger: Ledger, path: Path, force: bool, progress: Progress | None) -> ExportReport | None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            report = export_to(ledger, file.write, progress)
            file.flush()
            os.fsync(file.fileno())
        if report is None:
            return None
        if force:
            os.replace(name, path)
        else:
            _put(name, path)
        return report
    finally:
        Path(name).unlink(missing_ok=True)


def _put(name: str, path: Path) -> None:
    """Give the file its name, and never write over one that came meanwhile."""
    try:
        os.link(name, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        os.replace(name, path)


def export_to(ledger: Ledger, write: Callable[[str], object], progress: Progress | None = None) -> ExportReport | None:
    """Export to whatever takes text, line by line. None when `progress` stopped it."""
    done = 0
    with ledger.looking() as looking:
        total = counted(looking.cursor) if progress is not None else 0
        left = (("memories taken back", taken_back(looking.cursor)), ("memories erased", erased(looking.cursor)))
        write(header() + "\n")
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


def _is_store(path: Path, store: Path) -> bool:
    names = [Path(f"{store}{suffix}") for suffix in ("", "-wal", "-shm")]
    return any(path.absolute() == name.absolute() or (path.exists() and name.exists() and path.samefile(name))
               for name in names)  # fmt: skip
