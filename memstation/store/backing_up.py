"""Copies a store into one new file while it is in use. It must not write over a file, nor leave half a one."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from pathlib import Path

from memstation.domain.errors import InvalidInput, Refused, StoreUnusable
from memstation.domain.heads import StoreHead
from memstation.store import journal
from memstation.store.database import told_plainly
from memstation.store.verifying import Progress

_PAGES = 1000
"""Pages a step; between two steps the source is free."""


class _Stopped(Exception):
    """The caller asked to stop."""


def back_up(source: sqlite3.Connection, target: Path, progress: Progress | None = None) -> StoreHead | None:
    """Copy the source's database to `target`, which appears whole or not at all; only its owner may read it.

    Returns:
        The head of the copy; None when `progress` (told pages done, pages in all) stopped it.

    Raises:
        Refused: there is a file already.
        InvalidInput: the file cannot be written.
        StoreUnusable: the copy is not whole.
    """
    if os.path.lexists(target):
        raise Refused("The file is there already", "{path}", "name another file", path=target)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.", suffix=".part")
        os.close(handle)
    except OSError as error:
        raise InvalidInput("The file cannot be written", "{path}: {why}", path=target, why=error.strerror) from error
    try:
        head = _copy(source, Path(name), progress)
        with open(name, "rb+") as file:
            os.fsync(file.fileno())
        os.link(name, target)
        return head
    except _Stopped:
        return None
    except FileExistsError as error:
        raise Refused("The file is there already", "{path}", "name another file", path=target) from error
    except OSError as error:
        raise InvalidInput("The file cannot be written", "{path}: {why}", path=target, why=error.strerror) from error
    finally:
        for suffix in ("", "-journal", "-wal", "-shm"):
            Path(name + suffix).unlink(missing_ok=True)


def _copy(source: sqlite3.Connection, path: Path, progress: Progress | None) -> StoreHead:
    def step(_status: int, remaining: int, total: int) -> None:
        if progress is not None and not progress(total - remaining, total):
            raise _Stopped

    copy = sqlite3.connect(path, isolation_level=None)
    try:
        source.backup(copy, pages=_PAGES, progress=step)
        copy.execute("PRAGMA journal_mode = DELETE")
        found = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise StoreUnusable("The store is damaged", "{text}", "no copy was made; memstation verify", text=found)
        return journal.newest(copy.cursor())
    except sqlite3.Error as error:
        raise told_plainly(error, path) from error
    finally:
        copy.close()
