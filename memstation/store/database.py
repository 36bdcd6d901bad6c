"""Connections to the store's file: short readers, one writer at a time. It knows SQLite, and no table.

Readers go through SQLAlchemy's pool. The writer is one kept connection under a lock, opened `BEGIN IMMEDIATE`, so that
two processes wait for each other instead of failing.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from memstation.domain.errors import Busy, MemstationError, ReadOnlyStore, StoreUnusable

BUSY_SECONDS = 5.0
"""How long a writer waits for another process."""

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
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return StoreUnusable(
            "The store is damaged",
            "{path}: {text}",
            "nothing was changed in it; restore a backup",
            path=path,
            text=text,
        )
    if name.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return StoreUnusable("The store cannot be read or written", "{path}: {text}", path=path, text=text)
    return StoreUnusable("The store refused", "{path}: {text}", path=path, text=text)


class Database:
    """One file, opened. Closing it closes every connection."""

    def __init__(self, path: Path, *, read_only: bool) -> None:
        self.path = path
        self.read_only = read_only
        self._lock = threading.RLock()
        self._writer: sqlite3.Connection | None = None
        self._watcher: sqlite3.Connection | None = None
        self._readers = self._make_readers()

    def _connect(self, cache_kib: int, *, read_only: bool) -> sqlite3.Connection:
        mode = "ro" if read_only else "rw"
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

    def _make_readers(self) -> Engine:
        engine = create_engine(
            "sqlite://",
            creator=lambda: self._connect(_READER_CACHE_KIB, read_only=True),
            poolclass=QueuePool,
            pool_size=4,
            max_overflow=12,
        )

        @event.listens_for(engine, "begin")
        def begin(connection: Connection) -> None:
            connection.exec_driver_sql("BEGIN")

        return engine

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection on one snapshot, for the time of the block. Keep it short.

        Raises:
            MemstationError: the file cannot be read.
        """
        from sqlalchemy.exc import DBAPIError

        try:
            with self._readers.connect() as connection:
                yield connection
        except DBAPIError as error:
            if isinstance(error.orig, sqlite3.Error):
                raise told_plainly(error.orig, self.path) from error
            raise
        except sqlite3.Error as error:
            raise told_plainly(error, self.path) from error

    @contextmanager
    def reading_cursor(self) -> Iterator[sqlite3.Cursor]:
        """A plain cursor on one snapshot, for what the ledger reads."""
        with self.reading() as connection:
            # SQLAlchemy begins with its first statement; a cursor beside it would read without a transaction.
            connection.exec_driver_sql("SELECT 1")
            raw: Any = connection.connection.cursor()
            try:
                yield raw
            finally:
                raw.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Cursor]:
        """A cursor inside one transaction that holds the write lock; committed when the block ends well.

        Raises:
            Busy: another process holds the lock for too long.
            ReadOnlyStore: the store was opened for reading only.
        """
        if self.read_only:
            raise ReadOnlyStore("The store is read-only", str(self.path), "nothing was written")
        with self._lock:
            try:
                cursor = self._open_writer().cursor()
                cursor.execute("BEGIN IMMEDIATE")
            except sqlite3.Error as error:
                raise told_plainly(error, self.path) from error
            try:
                yield cursor
                cursor.execute("COMMIT")
            except sqlite3.Error as error:
                self._roll_back(cursor)
                raise told_plainly(error, self.path) from error
            except BaseException:
                self._roll_back(cursor)
                raise
            finally:
                cursor.close()

    @staticmethod
    def _roll_back(cursor: sqlite3.Cursor) -> None:
        if cursor.connection.in_transaction:
            cursor.connection.rollback()

    def _open_writer(self) -> sqlite3.Connection:
        if self._writer is None:
            self._writer = self._connect(_WRITER_CACHE_KIB, read_only=False)
            self._writer.execute("PRAGMA synchronous = FULL")
            self._writer.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
            self._writer.execute(f"PRAGMA journal_size_limit = {_WAL_LIMIT}")
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
        with self._lock:
            try:
                if self._watcher is None:
                    self._watcher = self._connect(256, read_only=True)
                return int(self._watcher.execute("PRAGMA data_version").fetchone()[0])
            except sqlite3.Error as error:
                raise told_plainly(error, self.path) from error

    def close(self) -> None:
        """Close every connection. Safe to call twice."""
        with self._lock:
            for connection in (self._writer, self._watcher):
                if connection is not None:
                    connection.close()
            self._writer = self._watcher = None
        self._readers.dispose()
