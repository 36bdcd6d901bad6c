"""Waiting for the write lock so that each process gets its turn. It must not write, nor wait beyond its limit.

SQLite's own waiting sleeps longer and longer, up to a tenth of a second, while a process that has just committed takes
the lock again at once: of four steady writers one may wait for more than ten seconds. Here whoever waits asks every
few milliseconds, and whoever saw others wait lately leaves them a gap after each decision. Alone, nobody waits at all.
"""

from __future__ import annotations

import random
import sqlite3
import time

_ASK_SECONDS = (0.001, 0.003)
"""Between two questions; by chance, so that two processes do not keep in step."""

_GAP_SECONDS = (0.004, 0.008)
"""Left to others before the next decision: longer than a question takes to come."""

_LATELY_SECONDS = 1.0


class Turns:
    """What one writing connection knows of others that want to write. Not for two threads at once."""

    def __init__(self) -> None:
        self._waited_at = float("-inf")

    def begin(self, cursor: sqlite3.Cursor, seconds: float) -> None:
        """Take the write lock (`BEGIN IMMEDIATE`), waiting for other processes for so many seconds at most.

        Raises:
            sqlite3.OperationalError: `SQLITE_BUSY` after that time, or another fault at once.
        """
        started = time.monotonic()
        if started - self._waited_at < _LATELY_SECONDS:
            time.sleep(random.uniform(*_GAP_SECONDS))
        cursor.execute("PRAGMA busy_timeout = 0")
        try:
            self._ask(cursor, started + seconds)
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")

    def _ask(self, cursor: sqlite3.Cursor, until: float) -> None:
        while True:
            try:
                cursor.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
            self._waited_at = time.monotonic()
            time.sleep(random.uniform(*_ASK_SECONDS))
