"""Connections to the store's file: short readers, one writer at a time. It knows SQLite, and no table.

Readers come from SQLAlchemy's pool. The writer is one kept connection under a lock, opened `BEGIN IMMEDIATE`, so that
two processes wait for each other instead of failing.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeAlias, cast
from urllib.parse import quote

from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import PoolProxiedConnection, QueuePool

from memstation.domain.errors import Busy, MemstationError, ReadOnlyStore, StoreUnusable
from memstation.store.waiting import Turns

Snapshot: TypeAlias = PoolProxiedConnection
"""A pooled connection of the driver inside one read transaction."""

BUSY_SECONDS = 5.0
"""How long a writer waits for another process; see `store.waiting`."""

_WRITER_CACHE_KIB = 64 * 1024
_READER_CACHE_KIB = 8 * 1024
_CHECKPOINT_PAGES = 8000
_WAL_LIMIT = 64 * 1024 * 1024


def told_plainly(error: sqlite3.Error, path: Path) -> MemstationError:
    """An error of SQLite in words that an operator can act on."""
    text = str(error)
    name = getattr(error, "sqlite_errorname", "") or ""
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return Busy(
            "The store is busy",
            "another process held {path} for more than {busy_seconds:.0f} seconds",
            "nothing was written; try again",
            path=path,
            busy_seconds=BUSY_SECONDS,
        )
    if name.startswith("SQLITE_READONLY"):
        return ReadOnlyStore("The store is read-only", str(path), "nothing was written")
    if name.startswith("SQLITE_FULL"):
        return StoreUnusable("The disk is full", str(path), "nothing was written; free some space, then try again")
    if name == "SQLITE_CORRUPT_VTAB":
        return StoreUnusable(
            "The text index is damaged", "{path}: {text}", "memstation reindex builds it anew", path=path, text=text
        )
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return StoreUnusable(
            "The store is damaged",
            "{path}: {text}",
            "nothing was changed in it; restore a backup",
            path=path,
            text=text,
        )
    if name.startswith("SQLITE_CANTOPEN"):
        return StoreUnusable(
            "The store cannot be opened",
            "{path}: {text}",
            "a log lies beside it that cannot be read here, or none can be made: copy the file and its -wal elsewhere",
            path=path,
            text=text,
        )
    if name.startswith(("SQLITE_IOERR", "SQLITE_PERM")):
        return StoreUnusable("The store cannot be read or written", "{path}: {text}", path=path, text=text)
    return StoreUnusable("The store refused", "{path}: {text}", path=path, text=text)


class Database:
    """One file, opened. Closing it closes every connection."""

    def __init__(self, path: Path, *, read_only: bool) -> None:
        self.path = path
        self.read_only = read_only
        self._process = os.getpid()
        self._still = False
        self._lock = threading.RLock()
        self._writer: sqlite3.Connection | None = None
        self._turns = Turns()
        # A lock of its own: whoever looks for changes does not wait for a writer that waits for another process.
        self._watch_lock = threading.Lock()
        self._watcher: sqlite3.Connection | None = None
        self._readers = QueuePool(self._connect_reader, pool_size=4, max_overflow=12)

    def _check_process(self) -> None:
        # SQLite's locks belong to the process that took them: a forked child that went on would damage the file.
        if os.getpid() != self._process:
            raise StoreUnusable(
                "The store was opened by another process",
                "{path} was open when this process was forked from it",
                "open the store after the fork, or start the process afresh; nothing was written",
                path=self.path,
            )

    def _connect(self, cache_kib: int, *, read_only: bool) -> sqlite3.Connection:
        mode = "ro" if read_only else "rw"
        if self.read_only and self._lies_still():
            mode += "&immutable=1"
            self._still = True
        connection = sqlite3.connect(
            f"file:{quote(str(self.path))}?mode={mode}",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
        )
        connection.execute(f"PRAGMA cache_size = -{cache_kib}")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA recursive_triggers = ON")
        return connection

    def _lies_still(self) -> bool:
        """Whether the file has no log, and none may be made beside it: SQLite reads it only as one that never changes.

        A log that this user made beside a file of somebody else's would keep its owner from writing.
        """
        can_make = os.access(self.path.parent, os.W_OK) and os.access(self.path, os.W_OK)
        return not can_make and not self.path.with_name(f"{self.path.name}-wal").exists()

    def _look_again(self) -> None:
        """Let connections go that take the file for one that never changes, once somebody has begun to write to it."""
        if self._still and not self._lies_still():
            with self._watch_lock:
                if self._still:
                    self._still = False
                    self._readers.dispose()
                    self._readers = self._readers.recreate()
                    if self._watcher is not None:
                        self._watcher.close()
                        self._watcher = None

    def _connect_reader(self) -> DBAPIConnection:
        return cast(DBAPIConnection, self._connect(_READER_CACHE_KIB, read_only=True))

    @contextmanager
    def reading(self) -> Iterator[Snapshot]:
        """A connection on one snapshot, for the time of the block. Keep it short.

        Raises:
            MemstationError: the file cannot be read.
        """
        # The pool alone: an engine's own connection, its events and its transaction cost more than a point read.
        self._check_process()
        self._look_again()
        try:
            connection = self._readers.connect()
            try:
                connection.cursor().execute("BEGIN")
                yield connection
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise told_plainly(error, self.path) from error

    @contextmanager
    def reading_cursor(self) -> Iterator[sqlite3.Cursor]:
        """A plain cursor on one snapshot, for what the ledger reads."""
        with self.reading() as connection:
            cursor = connection.cursor()
            assert isinstance(cursor, sqlite3.Cursor)
            try:
                yield cursor
            finally:
                cursor.close()

    @contextmanager
    def reading_alone(self) -> Iterator[sqlite3.Connection]:
        """A reading connection of its own, outside any transaction."""
        try:
            connection = self._connect(_READER_CACHE_KIB, read_only=True)
        except sqlite3.Error as error:
            raise told_plainly(error, self.path) from error
        try:
            yield connection
        finally:
            connection.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Cursor]:
        """A cursor inside one transaction that holds the write lock; committed when the block ends well.

        Raises:
            Busy: another process holds the lock for too long.
            ReadOnlyStore: the store was opened for reading only.
        """
        self._check_process()
        if self.read_only:
            raise ReadOnlyStore("The store is read-only", str(self.path), "nothing was written")
        with self._lock:
            try:
                cursor = self._open_writer().cursor()
            except sqlite3.Error as error:
                raise told_plainly(error, self.path) from error
            try:
                self._turns.begin(cursor, BUSY_SECONDS)
                yield cursor
                cursor.execute("COMMIT")
            except sqlite3.Error as error:
                self._roll_back(cursor)
                raise told_plainly(error, self.path) from error
            except BaseException:
                self._roll_back(cursor)
                raise
            cursor.close()

    def _roll_back(self, cursor: sqlite3.Cursor) -> None:
        """Take back what the writer has not committed; where that fails, let the connection go, which takes it back."""
        with suppress(sqlite3.Error):
            cursor.close()
        writer = self._writer
        if writer is None or not writer.in_transaction:
            # SQLite has rolled back by itself: a full disk or a failed read or write may end the transaction.
            return
        try:
            writer.rollback()
        except sqlite3.Error:
            self._writer = None
            writer.close()

    def _open_writer(self) -> sqlite3.Connection:
        if self._writer is None:
            writer = self._connect(_WRITER_CACHE_KIB, read_only=False)
            try:
                writer.execute("PRAGMA synchronous = FULL")
                writer.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
                writer.execute(f"PRAGMA journal_size_limit = {_WAL_LIMIT}")
            except BaseException:
                # Half set up it would commit without the promise that what it says is on the disk.
                writer.close()
                raise
            self._writer = writer
        return self._writer

    @contextmanager
    def alone(self) -> Iterator[sqlite3.Connection]:
        """The writer's connection outside any transaction, for what SQLite does in none."""
        with self._lock:
            try:
                yield self._open_writer()
            except sqlite3.Error as error:
                raise told_plainly(error, self.path) from error

    def data_version(self) -> int:
        """A number that moves when another connection commits. Cheap; holds no transaction."""
        self._check_process()
        self._look_again()
        with self._watch_lock:
            try:
                if self._watcher is None:
                    self._watcher = self._connect(256, read_only=True)
                return int(self._watcher.execute("PRAGMA data_version").fetchone()[0])
            except sqlite3.Error as error:
                raise told_plainly(error, self.path) from error

    def close(self) -> None:
        """Close every connection. Safe to call twice; nothing in a forked child, where they are the parent's."""
        if os.getpid() != self._process:
            return
        with self._lock, self._watch_lock:
            # The writer last: only a connection that may write empties the log into the file and takes it away.
            self._readers.dispose()
            for connection in (self._watcher, self._writer):
                if connection is not None:
                    connection.close()
            self._writer = self._watcher = None
