"""The SQLite file of the seed's system, read by column name. It must not touch the file, nor judge what is in it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from memstation.domain.errors import InvalidInput, NotFound, Refused
from memstation.store.lines import batches, holes
from memstation.store.schema import APPLICATION_ID

Row = dict[str, Any]

NEEDED = ("id", "agent_id", "content", "timestamp")
"""Columns that every version of that system had."""
_BESIDE = ("-wal", "-journal")


class SeedFile:
    """The open file, on one snapshot."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.path = path
        self._connection = connection
        self._columns = {row[1] for row in self._all("PRAGMA table_info(memories)")}

    def check(self) -> None:
        """Refuse a file that is not one of that system.

        Raises:
            InvalidInput: says what it is instead.
        """
        if self._all("PRAGMA application_id")[0][0] == APPLICATION_ID:
            raise InvalidInput("This is a store of memstation", "{path}", "open it with --store", path=self.path)
        missing = [name for name in NEEDED if name not in self._columns]
        if missing:
            raise InvalidInput(
                "This is not a file of that system",
                "{path} has no memories with {column!r}",
                path=self.path,
                column=missing[0],
            )

    def order_keys(self) -> Iterator[Row]:
        """What orders the memories, and their rowids."""
        names = [name for name in ("id", "ingested_at", "created_at", "timestamp") if name in self._columns]
        for row in self._rows(f"SELECT rowid, {', '.join(names)} FROM memories ORDER BY rowid"):
            yield dict(zip(("rowid", *names), row, strict=True))

    def memories(self, rowids: Iterable[int]) -> Iterator[Row]:
        """The memories in the order given, each with the columns that this file has."""
        names = sorted(self._columns)
        chosen = ", ".join(f'"{name}"' for name in names)
        for batch in batches(rowids):
            sql = f"SELECT rowid, {chosen} FROM memories WHERE rowid IN ({holes(batch)})"
            found = {row[0]: dict(zip(names, row[1:], strict=True)) for row in self._all(sql, batch)}
            yield from (found[rowid] for rowid in batch)

    def by_ids(self, ids: Iterable[str]) -> Iterator[Row]:
        """The memories with these ids: what decides which of them answers, and the words of the answer."""
        wanted = (
            "id", "agent_id", "subject", "predicate", "object", "content", "timestamp", "valid_from", "valid_until",
            "superseded_by", "quarantined", "invalidated_by_event",
        )  # fmt: skip
        names = [name for name in wanted if name in self._columns]
        for batch in batches(ids):
            sql = f"SELECT {', '.join(names)} FROM memories WHERE id IN ({holes(batch)})"
            yield from (dict(zip(names, row, strict=True)) for row in self._all(sql, batch))

    def aliases(self) -> Iterator[Row]:
        """The names joined, oldest first."""
        if self.has("entity_alias"):
            names = ("agent_id", "canonical", "alias", "created_at")
            for row in self._rows(f"SELECT {', '.join(names)} FROM entity_alias ORDER BY created_at, agent_id, alias"):
                yield dict(zip(names, row, strict=True))

    def has(self, table: str) -> bool:
        """Whether there is such a table."""
        return bool(self._all("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [table]))

    def count(self, table: str) -> int:
        """How many rows a table has; 0 where there is none."""
        return int(self._all(f'SELECT count(*) FROM "{table}"')[0][0]) if self.has(table) else 0

    def ownerless(self) -> int:
        """How many memories belong to no agent."""
        return int(self._all("SELECT count(*) FROM memories WHERE agent_id IS NULL OR trim(agent_id) = ''")[0][0])

    @property
    def columns(self) -> int:
        """How many columns its memories have."""
        return len(self._columns)

    def tally(self, where: str) -> int:
        """How many memories are `quarantined`, or were taken out (`invalidated_by_event`); 0 without the column."""
        sql = {
            "quarantined": "quarantined <> 0",
            "invalidated_by_event": "invalidated_by_event IN ('origin_purge', 'quarantine_reject')",
        }
        return (
            int(self._all(f"SELECT count(*) FROM memories WHERE {sql[where]}")[0][0]) if where in self._columns else 0
        )

    def agents(self) -> int:
        """How many agents have memories."""
        return int(self._all("SELECT count(DISTINCT agent_id) FROM memories WHERE trim(agent_id) <> ''")[0][0])

    def tables(self) -> list[str]:
        """Names of its tables, without those that SQLite keeps for itself and for text search."""
        found = self._all("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        virtual = [name for name, sql in found if (sql or "").upper().startswith("CREATE VIRTUAL")]
        return sorted(
            name for name, _ in found
            if not name.startswith("sqlite_") and not any(name == v or name.startswith(f"{v}_") for v in virtual)
        )  # fmt: skip

    def _all(self, sql: str, values: Iterable[object] = ()) -> list[Any]:
        return list(self._rows(sql, values))

    def _rows(self, sql: str, values: Iterable[object] = ()) -> Iterator[Any]:
        try:
            with closing(self._connection.cursor()) as cursor:
                yield from cursor.execute(sql, tuple(values))
        except sqlite3.Error as error:
            raise InvalidInput("The file cannot be read", "{path}: {why}", path=self.path, why=error) from error


@contextmanager
def open_seed_file(path: Path) -> Iterator[SeedFile]:
    """Open the file for reading, for the time of the block.

    A write-ahead file beside it holds its newest rows, and reading it would write to both: then a copy is read.

    Raises:
        NotFound: there is no such file.
        InvalidInput: it is a folder, or no database.
        Refused: the other program writes to it.
    """
    _inspect(path)
    with ExitStack() as stack:
        target, mode = path, "mode=ro&immutable=1"
        if any(_size(path, suffix) for suffix in _BESIDE):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="memstation-")))
            target, mode = _copy(path, folder), "mode=rw"
        try:
            connection = sqlite3.connect(f"file:{quote(str(target))}?{mode}", uri=True, isolation_level=None)
        except sqlite3.Error as error:
            raise InvalidInput("The file cannot be read", "{path}: {why}", path=path, why=error) from error
        stack.callback(connection.close)
        connection.text_factory = _text
        try:
            connection.execute("BEGIN")
        except sqlite3.Error as error:
            raise InvalidInput("The file cannot be read", "{path}: {why}", path=path, why=error) from error
        yield SeedFile(connection, path)


def _inspect(path: Path) -> None:
    if path.is_dir():
        raise InvalidInput("This is a folder", "{path}", "name a file in it", path=path)
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except FileNotFoundError as error:
        raise NotFound("There is no such file", "{path}", path=path) from error
    except OSError as error:
        raise InvalidInput("The file cannot be read", "{path}: {why}", path=path, why=error.strerror) from error
    if head != b"SQLite format 3\0":
        hint = "for an export of memstation: memstation restore FILE" if head.startswith(b"{") else ""
        raise InvalidInput("This is not a database", "{path}", hint, path=path)


def _copy(path: Path, folder: Path) -> Path:
    """Copy the file and what lies beside it, and make sure that nobody wrote meanwhile."""
    before = _state(path)
    for suffix in ("", *_BESIDE):
        if os.path.exists(f"{path}{suffix}"):
            shutil.copyfile(f"{path}{suffix}", folder / f"copy.db{suffix}")
    if _state(path) != before:
        raise Refused("The file is being written", "{path}", "stop the other program, then restore again", path=path)
    return folder / "copy.db"


def _state(path: Path) -> list[tuple[int, int]]:
    found = []
    for suffix in ("", *_BESIDE):
        try:
            status = os.stat(f"{path}{suffix}")
        except FileNotFoundError:
            continue
        found.append((status.st_size, status.st_mtime_ns))
    return found


def _size(path: Path, suffix: str) -> int:
    try:
        return os.path.getsize(f"{path}{suffix}")
    except OSError:
        return 0


def _text(raw: bytes) -> str:
    # What is not UTF-8 shows up as U+FFFD, and is counted as repaired.
    return raw.decode("utf-8", "replace")
