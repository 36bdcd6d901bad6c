"""Takes what an erasure blanked out of the file's free bytes. It changes nothing that the store says."""

from __future__ import annotations

import sqlite3

from memstation.store.erasing import SCRUB_DUE


def is_due(connection: sqlite3.Connection) -> bool:
    """Whether an erasure left something to scrub."""
    return connection.execute("SELECT 1 FROM meta WHERE key = ?", (SCRUB_DUE,)).fetchone() is not None


def scrub(connection: sqlite3.Connection) -> bool:
    """Write the whole file anew and empty the write-ahead log.

    Args:
        connection: the writer's, outside any transaction.

    Returns:
        Whether all of it is done: a process that reads, or writes, holds it up, and the next opening finishes it.
    """
    try:
        if not _empty_log(connection):
            return False
        # Freed bytes inside pages keep old text, and so do pages that were split: only a new file has neither.
        connection.execute("VACUUM")
        if not _empty_log(connection):
            return False
        connection.execute("DELETE FROM meta WHERE key = ?", (SCRUB_DUE,))
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return False
        raise
    return True


def _empty_log(connection: sqlite3.Connection) -> bool:
    return not connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
