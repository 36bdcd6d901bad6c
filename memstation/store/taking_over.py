"""Makes another program's file a store of ours, in place and in one transaction. It must not read what the file tells.

The original is copied aside first, under the write lock, so that nothing can be written between copy and rebuilding.
"""

from __future__ import annotations

import filecmp
import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from urllib.parse import quote

from memstation.domain.errors import Adoptable, NotFound, Refused, Stopped, StoreUnusable
from memstation.domain.instants import Clock
from memstation.store.database import BUSY_SECONDS, told_plainly
from memstation.store.ledger import Ledger, Looking, Writing
from memstation.store.opening import declare, inspect, switch_to_wal, version_of
from memstation.store.schema import APPLICATION_ID
from memstation.store.set_aside import ADOPTED_COPY, ADOPTED_REPORT

ADOPTED_FROM = "adopted_from"
"""Key of `meta`: what the file was, as JSON."""
_PAGES = 2_000
"""Pages copied between two looks at whether to go on."""

GoOn = Callable[[], bool]


class InOneTransaction(Ledger):
    """A ledger whose decisions all belong to the transaction that is open on a cursor."""

    def __init__(self, cursor: sqlite3.Cursor, clock: Clock) -> None:
        self._cursor = cursor
        self.clock = clock

    @contextmanager
    def looking(self) -> Iterator[Looking]:
        """Reads within the transaction."""
        yield Looking(self._cursor, self.clock)

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """Writes within the transaction, which its owner ends."""
        yield Writing(self._cursor, self.clock)


@dataclass(slots=True)
class TakenOver:
    """A file under the write lock, with the copy of what it was."""

    cursor: sqlite3.Cursor
    copy: Path

    def rebuild(self) -> None:
        """Drop everything that the other program made, and make what a store of ours has."""
        _drop_all(self.cursor)
        declare(self.cursor.connection)

    def ledger(self, clock: Clock) -> Ledger:
        """A ledger that tells within the transaction."""
        return InOneTransaction(self.cursor, clock)

    @property
    def report(self) -> Path:
        """Where the report of changed answers goes: beside the copy, under its name."""
        return _report_of(self.copy)

    def remember(self, was: dict[str, object]) -> None:
        """Keep where the copy and the report are, and what the file was."""
        kept = [
            (ADOPTED_COPY, str(self.copy)),
            (ADOPTED_REPORT, str(self.report)),
            (ADOPTED_FROM, json.dumps(was, sort_keys=True)),
        ]
        self.cursor.executemany("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", kept)


@contextmanager
def taking_over(path: Path, go_on: GoOn = lambda: True) -> Iterator[TakenOver]:
    """Lock the file and copy it aside; what the block does is committed when it ends well, else nothing is changed.

    The copy goes too where nothing is changed. A process that is killed leaves the original, and perhaps a whole copy.

    Raises:
        Refused: it is a store of ours already, or the copying was stopped.
        Busy: another program holds the file.
        StoreUnusable, ReadOnlyStore: it is damaged, cannot be written, or there is no space.
    """
    path = path.resolve()
    _look(path)
    try:
        connection = sqlite3.connect(
            f"file:{quote(str(path))}?mode=rw", uri=True, timeout=BUSY_SECONDS, isolation_level=None
        )
    except sqlite3.Error as error:
        raise told_plainly(error, path) from error
    with closing(connection):
        was = None
        try:
            was = _lock(connection, path)
            with _copied(connection, path, go_on) as copy:
                cursor = connection.cursor()
                yield TakenOver(cursor, copy)
                cursor.execute("COMMIT")
        except sqlite3.Error as error:
            _give_back(connection, was)
            raise told_plainly(error, path) from error
        except BaseException:
            _give_back(connection, was)
            raise
        # The store is whole without it: a reader may stand in the way.
        with suppress(sqlite3.Error):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _look(path: Path) -> None:
    """Refuse what is no file of that system, before it is touched."""
    if not path.exists():
        raise NotFound("There is no such file", "{path}", path=path)
    try:
        inspect(path)
    except Adoptable:
        return
    if path.stat().st_size and version_of(path):
        raise _ours(path)
    raise Refused("There is nothing to adopt", "{path} is empty", "memstation --store {path} makes a store", path=path)


def _lock(connection: sqlite3.Connection, path: Path) -> str:
    """Take the write lock. Returns the journal mode that the file had."""
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA cache_size = -65536")
    connection.execute("PRAGMA recursive_triggers = ON")
    # Dropped text must not stay in free pages, where an erasure would not find it.
    connection.execute("PRAGMA secure_delete = ON")
    _refuse_ours(connection, path)
    was = str(connection.execute("PRAGMA journal_mode").fetchone()[0])
    switch_to_wal(connection)
    connection.execute("BEGIN IMMEDIATE")
    # Another process may have done it while this one waited for the lock.
    _refuse_ours(connection, path)
    return was


def _refuse_ours(connection: sqlite3.Connection, path: Path) -> None:
    if _is_ours(connection):
        raise _ours(path)


def _ours(path: Path) -> Refused:
    return Refused("It is a memstation store already", "{path}", "nothing was changed; open it with --store", path=path)


def _give_back(connection: sqlite3.Connection, was: str | None) -> None:
    """Roll back, and turn the write-ahead log off where it was off. Best effort: the content is whole either way."""
    with suppress(sqlite3.Error):
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if not _is_ours(connection) and was in ("delete", "truncate", "persist"):
            connection.execute(f"PRAGMA journal_mode = {was}")


# -- the copy ---------------------------------------------------------------------------------------------------------


def _report_of(copy: Path) -> Path:
    return copy.with_name(copy.name.removesuffix(".db") + ".report.jsonl")


def _is_ours(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID)


def next_copy(path: Path) -> Path:
    """Where the copy will go: a name that is free, beside the file."""
    names = (path.with_name(f"{path.name}.before-memstation{f'-{k}' if k > 1 else ''}.db") for k in count(1))
    return next(name for name in names if not os.path.lexists(name))


@contextmanager
def _copied(connection: sqlite3.Connection, path: Path, go_on: GoOn) -> Iterator[Path]:
    """The copy, whole and on the disk; it goes again where the block fails."""
    part = path.with_name(f"{path.name}.before-memstation.part")
    try:
        # Under the lock no other process makes one: what lies there is the half of a process that died.
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        _fill(connection, path, part, go_on)
        copy, is_new = _placed(path, part)
    except OSError as error:
        raise StoreUnusable(
            "The copy cannot be made", "{path}: {why}", "nothing was changed", path=part, why=error.strerror
        ) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    try:
        yield copy
    except BaseException:
        # SQLite rolls back by itself on a full disk, so a transaction that is open is no measure of what was done.
        with suppress(sqlite3.Error):
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        if not _is_ours(connection):
            _report_of(copy).unlink(missing_ok=True)
            if is_new:
                copy.unlink(missing_ok=True)
        raise


def _fill(connection: sqlite3.Connection, path: Path, part: Path, go_on: GoOn) -> None:
    """Copy page by page, and check what came out. The lock is held by `connection`, which may not be copied from."""

    def look(_status: int, _remaining: int, _total: int) -> None:
        if not go_on():
            raise Stopped("It was stopped", "{path}", "nothing was changed", path=path)

    reading = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    with closing(reading), closing(sqlite3.connect(part, isolation_level=None)) as target:
        reading.backup(target, pages=_PAGES, progress=look)
        target.execute("PRAGMA journal_mode = DELETE")
        found = target.execute("PRAGMA integrity_check(1)").fetchone()[0]
        counts = {db.execute("SELECT count(*) FROM memories").fetchone()[0] for db in (connection, target)}
    if found != "ok" or len(counts) != 1:
        raise StoreUnusable(
            "The file is damaged", "{path}: {why}", "nothing was changed in it; restore a backup", path=path, why=found
        )
    _sync(part)


def _placed(path: Path, part: Path) -> tuple[Path, bool]:
    """Give the copy its name, or take the same copy that a process made which died after it."""
    copy = next_copy(path)
    for other in sorted(path.parent.glob(f"{_plain(path.name)}.before-memstation*.db")):
        if other.is_file() and not other.is_symlink() and filecmp.cmp(other, part, shallow=False):
            part.unlink()
            return other, False
    try:
        # A hard link refuses a name that is taken, which a rename would not.
        os.link(part, copy)
    except FileExistsError:
        raise
    except OSError:
        part.rename(copy)
    _sync(path.parent)
    return copy, True


def _plain(name: str) -> str:
    """A name as a pattern that matches only itself."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# -- what the other program made --------------------------------------------------------------------------------------


def _drop_all(cursor: sqlite3.Cursor) -> None:
    """Drop triggers and views, then virtual tables with their shadows, then all other tables with their indexes."""
    for kind in ("trigger", "view"):
        for (name,) in cursor.execute("SELECT name FROM sqlite_master WHERE type = ?", (kind,)).fetchall():
            cursor.execute(f"DROP {kind} {_quoted(name)}")
    for sql in ("AND sql LIKE 'CREATE VIRTUAL%'", ""):
        while found := cursor.execute(
            f"SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' {sql} LIMIT 1"
        ).fetchone():
            cursor.execute(f"DROP TABLE {_quoted(found[0])}")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
