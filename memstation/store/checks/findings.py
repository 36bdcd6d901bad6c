"""What the parts of a check share: reading rows, collecting problems, stopping. It judges nothing itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from memstation.words import N_, told

Progress = Callable[[int, int], bool]
"""Told (entries done, entries in all); answers False to stop."""

Area = Literal["shape", "told", "derived", "head"]
"""The file and its tables; what was told, and the chain; what is computed from it; a head kept outside the file."""

MOST_PROBLEMS = 100
A_FEW = 5
"""How many of one kind are named one by one."""

MALFORMED = (TypeError, ValueError, KeyError, AttributeError, OverflowError, RecursionError, AssertionError)
"""What code made for sound values raises on a value that was put in from outside."""

_OF_THE_FILE = ("SQLITE_ERROR", "SQLITE_CORRUPT", "SQLITE_SCHEMA", "SQLITE_MISMATCH")
"""Errors that say what is wrong with the file; others (busy, no memory, a failing disk) are no finding."""


class Stopped(Exception):
    """The caller asked to stop."""


def is_undecodable(error: sqlite3.Error) -> bool:
    """Whether a text in the file is not UTF-8."""
    return str(error).startswith("Could not decode to UTF-8")


class Findings:
    """Problems found so far, on one snapshot."""

    def __init__(self, cursor: sqlite3.Cursor, progress: Progress | None) -> None:
        self.cursor = cursor
        self.problems: list[str] = []
        self.areas: list[Area] = []
        """What each problem is of."""
        self.area: Area = "shape"
        """What is being looked at."""
        self.entries = 0
        """Journal entries looked at."""
        self.total = 0
        self._progress = progress

    def rows(self, sql: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, on a cursor of its own."""
        return self.cursor.connection.cursor().execute(sql, values)

    def say(self, problem: str, **values: object) -> None:
        """Add a problem, in the reader's language; beyond `MOST_PROBLEMS` it is dropped."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(told(problem, **values))
            self.areas.append(self.area)

    def go_on(self) -> None:
        """Ask whether to go on.

        Raises:
            Stopped: not.
        """
        if self._progress is not None and not self._progress(self.entries, self.total):
            raise Stopped

    @contextmanager
    def part(self, what: str) -> Iterator[None]:
        """A part of the check: what cannot be read at all is a problem, and the next part goes on."""
        try:
            yield
        except sqlite3.Error as error:
            name = getattr(error, "sqlite_errorname", None) or ""
            if name == "SQLITE_INTERRUPT":
                raise Stopped from error
            if is_undecodable(error) or not name.startswith(_OF_THE_FILE):
                raise
            self.say(N_("{what} cannot be read: {why}"), what=what, why=error)
        except MALFORMED as error:
            self.say(N_("{what} cannot be read: {why}"), what=what, why=repr(error)[:120])
