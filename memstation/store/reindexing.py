"""Builds the text index anew from the rows. What was told is not touched."""

from __future__ import annotations

import sqlite3

from memstation.store import text_index
from memstation.store.rows import ROW_SQL, read_row


def reindex(cursor: sqlite3.Cursor) -> int:
    """Empty the index and fill it again, inside the caller's transaction. Returns how many rows are in it."""
    cursor.execute("INSERT INTO memory_text (memory_text) VALUES ('delete-all')")
    roles = ", ".join(f"'{role}'" for role in sorted(text_index.INDEXED_ROLES))
    source = cursor.connection.cursor()
    source.execute(f"SELECT {ROW_SQL} FROM memories WHERE role IN ({roles}) ORDER BY n")
    count = 0
    while batch := source.fetchmany(1000):
        text_index.add(cursor, [read_row(values) for values in batch])
        count += len(batch)
    text_index.optimize(cursor)
    return count
