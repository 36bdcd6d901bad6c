"""Copies a store into one new file while it is in use. It must not write over a file, nor leave half a one.

The whole copy is one read transaction of the source: it ends however fast others write, and their log grows by what
they write until it is done.
"""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

from memstation.domain.errors import InvalidInput, Refused, StoreUnusable
from memstation.domain.heads import StoreHead
from memstation.store import journal
from memstation.store.database import told_plainly
from memstation.store.verifying import Progress
from memstation.store.whole import part_beside, put_in_place

HEAD_SUFFIX = ".head.json"
_PAGES = 1000
"""Pages between two calls of `progress`."""


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
        with part_beside(target) as part:
            os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            head = _copy(source, part, progress)
            with part.open("rb+") as file:
                os.fsync(file.fileno())
            put_in_place(part, target)
            return head
    except _Stopped:
        return None
    except FileExistsError as error:
        raise Refused("The file is there already", "{path}", "name another file", path=target) from error
    except OSError as error:
        raise InvalidInput("The file cannot be written", "{path}: {why}", path=target, why=error.strerror) from error


def _copy(source: sqlite3.Connection, path: Path, progress: Progress | None) -> StoreHead:
    def step(_status: int, remaining: int, total: int) -> None:
        if progress is not None and not progress(total - remaining, total):
            raise _Stopped

    copy = sqlite3.connect(path, isolation_level=None)
    try:
        # Without a snapshot of its own every commit of another process would begin the copy anew.
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
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
        if source.in_transaction:
            source.rollback()


def note_head(target: Path, uuid: str, head: StoreHead) -> Path | None:
    """Note a copy's head in a small file beside it. Gives the file; None where it cannot be written, or is there."""
    beside = target.with_name(target.name + HEAD_SUFFIX)
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump({"store": uuid, "seq": head.seq, "hash": head.hash}, file)
            file.write("\n")
    except OSError:
        return None
    return beside


def noted_head(target: Path) -> tuple[str, StoreHead] | None:
    """The store's id and the head that are noted beside a copy; None where nothing is that can be read."""
    try:
        table = json.loads(target.with_name(target.name + HEAD_SUFFIX).read_text(encoding="utf-8"))
        return str(table["store"]), StoreHead(int(table["seq"]), str(table["hash"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None
