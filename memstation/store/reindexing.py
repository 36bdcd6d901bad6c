"""Builds the text index anew from the rows. What was told is not touched."""

from __future__ import annotations

import sqlite3

from memstation.store import text_index
from memstation.store.rows import ROW_SQL, read_row

_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_ERROR", "SQLITE_NOTADB")
"""What SQLite answers about an index that it cannot drop; a busy file or a full disk is none of it."""


def reindex(cursor: sqlite3.Cursor) -> int:
    """Make the index anew and fill it, inside the caller's transaction. Returns how many rows are in it.

    It is made anew, not emptied: whatever was done to it is gone.
    """
    try:
        cursor.execute("DROP TABLE IF EXISTS memory_text")
    except sqlite3.DatabaseError as error:
        if not (error.sqlite_errorname or "").startswith(_DAMAGED):
            raise
        _forget(cursor)
    cursor.execute(text_index.CREATE)
    roles = ", ".join(f"'{role}'" for role in sorted(text_index.INDEXED_ROLES))
    source = cursor.connection.cursor()
    source.execute(f"SELECT {ROW_SQL} FROM memories WHERE role IN ({roles}) ORDER BY n")
    count = 0
    while batch := source.fetchmany(1000):
        rows = [read_row(values) for values in batch]
        text_index.add(cursor, [(row, row.before.role) for row in rows if row.before is not None])
        count += len(batch)
    text_index.optimize(cursor)
    return count


def _forget(cursor: sqlite3.Cursor) -> None:
    """Take away an index that is too damaged for SQLite to drop: its name first, then the tables beneath it."""
    cursor.execute("PRAGMA writable_schema = ON")
    try:
        cursor.execute("DELETE FROM sqlite_master WHERE name = 'memory_text'")
    finally:
        # Reads the schema anew as well.
        cursor.execute("PRAGMA writable_schema = RESET")
    names = cursor.execute("SELECT name FROM sqlite_master WHERE name LIKE 'memory\\_text\\_%' ESCAPE '\\'").fetchall()
    for (name,) in names:
        cursor.execute(f'DROP TABLE "{name}"')
