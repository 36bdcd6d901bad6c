"""Erases a person from the copy set aside at adoption, a file of the seed's system. It reads no store of ours."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import Any, Literal, TypeAlias

from memstation.domain.errors import Refused
from memstation.domain.mentions import is_named, strings_of
from memstation.domain.names import fold_name

ADOPTED_COPY = "adopted_copy"
"""Key in `meta`: where the copy is."""
ADOPTED_REPORT = "adopted_report"
"""Key in `meta`: where the report of changed answers is; it repeats values of the file."""

CopyState: TypeAlias = Literal["none", "missing", "cleaned"]

_TABLES = {
    "memories": (("subject",), ("content", "object", "tags", "source_event", "metadata", "predicate", "subject")),
    "key_facts": ((), ("fact",)),
    "entity_alias": (("canonical", "alias"), ()),
    "entity_embedding": (("entity",), ()),
}
"""By table: columns that name somebody, and columns whose text may."""
_INDEXES = {"memories_fts": "content", "key_facts_fts": "fact"}


def clean(path: Path, agent_id: str, names: tuple[str, ...], ids: Collection[str], mentions: bool) -> CopyState:
    """Delete an agent's memories and names from the copy, and write the file anew.

    Raises:
        Refused: the copy is there and cannot be changed.
    """
    if not path.is_file():
        return "missing"
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("BEGIN IMMEDIATE")
            for table in _TABLES:
                _delete(connection, table, agent_id, names, frozenset(ids), mentions)
            for table in _INDEXES:
                _rebuild(connection, table)
            connection.execute("COMMIT")
            connection.execute("VACUUM")
    except sqlite3.Error as error:
        raise Refused(
            "The copy set aside cannot be changed",
            "{path}: {why}",
            "nothing was erased; make it writable or delete it, then try again",
            path=path,
            why=error,
        ) from error
    for suffix in ("-wal", "-shm"):
        if os.path.exists(f"{path}{suffix}"):
            os.unlink(f"{path}{suffix}")
    return "cleaned"


def clean_report(path: Path, agent_id: str, names: tuple[str, ...], mentions: bool) -> None:
    """Take an agent's lines that name somebody, whole, out of the report of changed answers, if it is still there.

    Raises:
        Refused: the report cannot be changed.
    """
    try:
        if not path.is_file():
            return
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [line for line in lines if not _speaks_of(json.loads(line), agent_id, names, mentions)]
        if len(kept) < len(lines):
            whole = "".join(kept).encode()
            with path.open("r+b") as file:
                # In its place, and over what was there: a new file would leave the old one's bytes on the disk.
                file.write(whole + bytes(max(0, path.stat().st_size - len(whole))))
                file.flush()
                os.fsync(file.fileno())
                file.truncate(len(whole))
                os.fsync(file.fileno())
    except (OSError, ValueError, KeyError) as error:
        raise Refused(
            "The report of the adoption cannot be changed",
            "{path}: {why}",
            "nothing was erased; make it writable or delete it, then try again",
            path=path,
            why=error,
        ) from error


def _speaks_of(answer: dict[str, Any], agent_id: str, names: tuple[str, ...], mentions: bool) -> bool:
    if answer["agent_id"] != agent_id:
        return False
    values = "\n".join(str(answer[name] or "") for name in ("predicate", "old", "new"))
    return fold_name(answer["subject"]) in names or (mentions and is_named(values, names))


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    return {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}


def _delete(
    connection: sqlite3.Connection,
    table: str,
    agent_id: str,
    names: tuple[str, ...],
    ids: frozenset[str],
    mentions: bool,
) -> None:
    there = _columns(connection, table)
    if "agent_id" not in there:
        return
    naming, texts = ([name for name in columns if name in there] for columns in _TABLES[table])
    # The key facts of that system have no subject: those that name somebody are about them.
    reads = mentions or not naming
    identity = "id" if "id" in there else "''"
    chosen = ", ".join([f"rowid, {identity}", *naming, *texts])
    gone = []
    for rowid, own, *values in connection.execute(f"SELECT {chosen} FROM {table} WHERE agent_id = ?", (agent_id,)):
        subjects, words = values[: len(naming)], [strings_of(str(text)) for text in values[len(naming) :] if text]
        is_about = any(text is not None and fold_name(str(text)) in names for text in subjects)
        if own in ids or is_about or (reads and is_named("\n".join(words), names)):
            gone.append((rowid,))
            _delete_from_index(connection, table, rowid, own)
    connection.executemany(f"DELETE FROM {table} WHERE rowid = ?", gone)


def _delete_from_index(connection: sqlite3.Connection, table: str, rowid: int, own: str) -> None:
    index = f"{table}_fts"
    there = _columns(connection, index) if index in _INDEXES else set()
    if "memory_id" in there:
        connection.execute(f"DELETE FROM {index} WHERE memory_id = ?", (own,))
    elif there:
        connection.execute(f"DELETE FROM {index} WHERE rowid = ?", (rowid,))


def _rebuild(connection: sqlite3.Connection, index: str) -> None:
    if _columns(connection, index):
        connection.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")
        connection.execute(f"INSERT INTO {index} ({index}) VALUES ('optimize')")
