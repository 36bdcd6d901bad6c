"""What a first reading remembers of every row, kept by SQLite beyond a bound. It must not outlive the process.

A database without a name is a file of this process alone, which SQLite makes once its cache is full and which is
gone when it is closed. So a reading of any length takes at most `CACHE_KIB` for each of the two.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager

from memstation.domain.errors import StoreUnusable

CACHE_KIB = 32 * 1024
"""Most memory for one of these, in KiB; some 500 thousand rows fit into it."""


class Digests:
    """A digest for each key."""

    def __init__(self) -> None:
        self._connection = _scratch("CREATE TABLE digests (key BLOB PRIMARY KEY, digest BLOB NOT NULL) WITHOUT ROWID")

    def kept(self, key: bytes, digest: bytes) -> bytes | None:
        """Keep `digest` under `key`; where one is there already, keep that one and return it."""
        with _said():
            done = self._connection.execute("INSERT OR IGNORE INTO digests VALUES (?, ?)", (key, digest))
        if done.rowcount:
            return None
        return bytes(self._connection.execute("SELECT digest FROM digests WHERE key = ?", (key,)).fetchone()[0])

    def has(self, key: bytes) -> bool:
        """Whether there is a digest for it."""
        return self._connection.execute("SELECT 1 FROM digests WHERE key = ?", (key,)).fetchone() is not None


class Rowids:
    """Rowids, in the order of stored instants and, of equal ones, of the rowids. Can be gone through many times."""

    def __init__(self, keys: Iterable[tuple[str, int]]) -> None:
        """Read instants with their rowids, in any order."""
        self._connection = _scratch("CREATE TABLE rowids (at TEXT, id INTEGER, PRIMARY KEY (at, id)) WITHOUT ROWID")
        with _said():
            self._connection.executemany("INSERT INTO rowids VALUES (?, ?)", keys)

    def __iter__(self) -> Iterator[int]:
        with closing(self._connection.cursor()) as cursor:
            for (rowid,) in cursor.execute("SELECT id FROM rowids ORDER BY at, id"):
                yield rowid


@contextmanager
def _said() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreUnusable("The folder for temporary files cannot be written", "{why}", why=error) from error


def _scratch(table: str) -> sqlite3.Connection:
    connection = sqlite3.connect("", isolation_level=None)
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute(table)
    connection.execute("BEGIN")
    return connection
