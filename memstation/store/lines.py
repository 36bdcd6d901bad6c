"""Reads of one line of facts, by text SQL on the ledger's cursor. It never writes.

What it sees is the layout before a decision; `placing` adds what the decision changes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from memstation.store.rows import ROW_SQL, Position, Row, read_row

Item = TypeVar("Item")

_LAST = 1 << 62
"""Larger than any `n`."""

_FOUNDER = f"""SELECT {ROW_SQL} FROM memories WHERE line_key = ? AND founds IS NOT NULL
    AND (asserted_from, n) < (?, ?) ORDER BY asserted_from DESC, n DESC LIMIT 1"""
_NEXT_FOUNDER = f"""SELECT {ROW_SQL} FROM memories WHERE line_key = ? AND founds IS NOT NULL
    AND (asserted_from, n) >= (?, ?) ORDER BY asserted_from, n LIMIT 1"""
_ENDS = f"""SELECT {ROW_SQL} FROM memories INDEXED BY memories_ends WHERE line_key = ? AND stands = 1 AND role = 'end'
    AND (asserted_from, n) >= (?, ?) AND (asserted_from, n) < (?, ?) ORDER BY asserted_from, n"""
_STREAM = f"""SELECT {ROW_SQL} FROM memories WHERE line_key = ? AND stands = 1 AND asserted_from >= ?
    ORDER BY asserted_from, role <> 'end', n"""
_MEMBERS = """SELECT n, asserted_trust, origin FROM memories WHERE line_key = ? AND stands = 1
    AND role IN ('fact', 'confirms') AND (asserted_from, n) >= (?, ?) AND (asserted_from, n) < (?, ?)"""


_LAST_FOUNDERS = """WITH asked (line, start) AS (VALUES {rows}) SELECT line, (
        SELECT n FROM memories WHERE line_key = line AND founds IS NOT NULL
        ORDER BY asserted_from DESC, n DESC LIMIT 1)
    FROM asked
    WHERE NOT EXISTS (SELECT 1 FROM memories WHERE line_key = line AND stands = 1 AND asserted_from > start)"""
_WITHOUT_ENDS = """ AND NOT EXISTS (SELECT 1 FROM memories INDEXED BY memories_ends
    WHERE line_key = line AND stands = 1 AND role = 'end')"""


@dataclass(frozen=True, slots=True)
class Member:
    """What a segment needs to know of a member that was not walked over again."""

    n: int
    asserted_trust: float
    origin: str | None


def batches(items: Iterable[Item], size: int = 500) -> Iterator[list[Item]]:
    """Lists of at most `size` items, for `IN (...)`."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def holes(items: Sequence[object]) -> str:
    """The question marks for so many parameters."""
    return ",".join("?" * len(items))


def _claims_from(position: Position) -> tuple[str, int]:
    """The bound of claims at or after a position."""
    start, is_claim, n = position
    return (start, n if is_claim else -1)


def _ends_from(position: Position) -> tuple[str, int]:
    """The bound of ends at or after a position: those of its instant come before its claims."""
    start, is_claim, n = position
    return (start, _LAST if is_claim else n)


class Lines:
    """Reads lines and keeps the rows it read, so that each is read once in a decision."""

    def __init__(self, cursor: sqlite3.Cursor, *, has_ends: bool = True) -> None:
        self._cursor = cursor
        self._rows: dict[int, Row] = {}
        self._has_ends = has_ends

    def keep(self, row: Row) -> Row:
        """The row kept for this `n`, so that a row told by the decision itself is found too."""
        return self._rows.setdefault(row.n, row)

    def row(self, n: int) -> Row:
        """The row with this `n`."""
        if n not in self._rows:
            self.load([n])
        return self._rows[n]

    def load(self, ns: Iterable[int]) -> list[Row]:
        """The rows with these numbers, in the order given; unknown ones are left out."""
        wanted = list(ns)
        unread = [n for n in wanted if n not in self._rows]
        for batch in batches(unread) if unread else ():
            sql = f"SELECT {ROW_SQL} FROM memories WHERE n IN ({holes(batch)})"
            for values in self._cursor.execute(sql, batch).fetchall():
                self.keep(read_row(values))
        return [self._rows[n] for n in wanted if n in self._rows]

    def founder_before(self, line: bytes, position: Position) -> Row | None:
        """The last row before a position that starts a segment."""
        found = self._cursor.execute(_FOUNDER, (line, *_claims_from(position))).fetchone()
        return None if found is None else self.keep(read_row(found))

    def last_founders(self, asked: Sequence[tuple[bytes, str]]) -> dict[bytes, int | None]:
        """Those of the lines on which nothing stands after an instant, and no end does: `n` of the last founder."""
        sql = _LAST_FOUNDERS.format(rows=", ".join(["(?, ?)"] * len(asked)))
        sql += _WITHOUT_ENDS if self._has_ends else ""
        return dict(self._cursor.execute(sql, [value for pair in asked for value in pair]).fetchall())

    def standing(self, asked: Iterable[bytes]) -> dict[bytes, int]:
        """How many claims and ends stand on each of these lines; those with none are left out."""
        found: dict[bytes, int] = {}
        for batch in batches(asked):
            sql = f"""SELECT line_key, count(*) FROM memories WHERE line_key IN ({holes(batch)}) AND stands = 1
                GROUP BY line_key"""
            found.update(self._cursor.execute(sql, batch).fetchall())
        return found

    def founder_from(self, line: bytes, position: Position) -> Row | None:
        """The first row at or after a position that starts a segment."""
        found = self._cursor.execute(_NEXT_FOUNDER, (line, *_claims_from(position))).fetchone()
        return None if found is None else self.keep(read_row(found))

    def ends(self, line: bytes, low: Position, high: Position | None) -> list[Row]:
        """The ends that stand from one position to before another, in order."""
        if not self._has_ends:
            return []
        bound = ("~", _LAST) if high is None else _ends_from(high)
        found = self._cursor.execute(_ENDS, (line, *_ends_from(low), *bound)).fetchall()
        return [self.keep(read_row(values)) for values in found]

    def stream(self, line: bytes, position: Position) -> Generator[Row, None, None]:
        """What stands from a position on, in the order of the walk."""
        cursor = self._cursor.connection.cursor()
        try:
            for values in cursor.execute(_STREAM, (line, position[0])):
                row = self.keep(read_row(values))
                if row.position >= position:
                    yield row
        finally:
            cursor.close()

    def members(self, line: bytes, low: Position, high: Position | None) -> list[Member]:
        """The members of segments between two positions."""
        bound = ("~", _LAST) if high is None else _claims_from(high)
        found = self._cursor.execute(_MEMBERS, (line, *_claims_from(low), *bound)).fetchall()
        return [Member(*values) for values in found]
