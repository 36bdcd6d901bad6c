"""A whole list as the numbers of its rows: 8 bytes a row, and any page of it is one look-up. It never writes.

The numbers are joined in SQLite, which does not hold the interpreter, and read in one go.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence

from memstation.read.querying import quick_one
from memstation.read.rows import PAGE
from memstation.read.source import Anchors
from memstation.store.database import Snapshot


class Kept:
    """The numbers of the rows of a list, in its order, as they were when it was read."""

    def __init__(self, numbers: array[int]) -> None:
        self._numbers = numbers
        self._starts = {number: page * PAGE for page, number in enumerate(numbers[::PAGE])}

    def anchors(self) -> Anchors:
        """Length and page starts."""
        return Anchors(len(self._numbers), tuple(self._starts))

    def place(self, key: int) -> int | None:
        """The place of a row; None when it is not in the list."""
        if key in self._starts:
            return self._starts[key]
        try:
            return self._numbers.index(key)
        except ValueError:
            return None

    def page(self, place: int) -> Sequence[int]:
        """The numbers of a page's rows from a place on."""
        return self._numbers[place : place + PAGE]

    def all(self) -> array[int]:
        """The numbers of all rows."""
        return self._numbers


def keep(conn: Snapshot, sql: str, values: Sequence[object]) -> Kept:
    """Read a list: the query gives one integer a row, under the name `n`, in the order of the list."""
    return Kept(numbers(conn, sql, values))


def numbers(conn: Snapshot, sql: str, values: Sequence[object]) -> array[int]:
    """The integers that a query gives under the name `n`, in its order."""
    return array("q", json.loads(f"[{listed(conn, sql, values)}]"))


def listed(conn: Snapshot, sql: str, values: Sequence[object]) -> str:
    """The same as text, with commas between."""
    found = quick_one(conn, f"SELECT group_concat(n) FROM ({sql})", values)
    return "" if found is None else found[0] or ""
