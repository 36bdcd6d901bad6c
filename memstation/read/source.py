"""What a list of any length answers: pages from a key on, its length, the place of a row. It must not query."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Protocol, TypeVar

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Anchors:
    """How long a list is, and the key of the first row of each of its pages."""

    count: int
    keys: tuple[int, ...]


class RowSource(Protocol[R]):
    """A list read by pages. Each call is a short read of its own, safe in any thread.

    A key is a row's identity, an integer that never changes: a row is found again wherever it has gone.
    Every method that reads raises MemstationError when the store cannot be read.
    """

    def head(self) -> list[R]:
        """The first page: at most `rows.PAGE` rows."""

    def anchors(self) -> Anchors:
        """Length and page starts. Long lists take a while, in SQLite and not in Python."""

    def page(self, key: int) -> list[R]:
        """The page from this row on."""

    def key(self, row: R) -> Hashable:
        """The identity of a row."""

    def index_of(self, key: int) -> int | None:
        """The place of a row; None when it is not in the list."""
