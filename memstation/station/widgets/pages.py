"""A long list by pages: which rows are known, and reading the ones that are looked at. It must not draw."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from memstation.domain.errors import MemstationError
from memstation.read.rows import PAGE
from memstation.station.services import RowSource

R = TypeVar("R")
KEPT = 64
"""Pages held at a time: 12,800 rows, whatever the length of the list."""


@dataclass(frozen=True, slots=True)
class Spine:
    """How long a list is, and the key at the start of each page."""

    count: int
    keys: tuple[Any, ...]


class Pages(Generic[R]):
    """The rows of a source as far as they are known. Reading a page takes 1 to 2 ms and may be done while painting."""

    def __init__(self, source: RowSource[R], head: Sequence[R], spine: Spine | None = None) -> None:
        self.source = source
        self.error: MemstationError | None = None
        """Why a page could not be read, until one can."""
        self._spine = spine
        self._pages: OrderedDict[int, Sequence[R]] = OrderedDict({0: head})
        if spine is None and len(head) < PAGE:
            self._spine = Spine(len(head), (source.key(head[0]),) if head else ())

    @property
    def is_whole(self) -> bool:
        """Whether the length is known; else the rows known are only the first page."""
        return self._spine is not None

    @property
    def count(self) -> int:
        """Rows in all, or at least these while it is not whole."""
        return self._spine.count if self._spine else len(self._pages[0])

    def row(self, index: int) -> R | None:
        """The row at a place; None outside the list, or where it cannot be read."""
        if not 0 <= index < self.count:
            return None
        number, offset = divmod(index, PAGE)
        page = self._pages.get(number)
        if page is None:
            page = self._read(number)
        else:
            self._pages.move_to_end(number)
        return page[offset] if page is not None and offset < len(page) else None

    def _read(self, number: int) -> Sequence[R] | None:
        assert self._spine is not None
        if number >= len(self._spine.keys):
            return None
        try:
            page = self.source.page(self._spine.keys[number])
        except MemstationError as error:
            self.error = error
            return None
        self.error = None
        self._pages[number] = page
        while len(self._pages) > KEPT:
            self._pages.popitem(last=False)
        return page


@dataclass(frozen=True, slots=True)
class Reading(Generic[R]):
    """A list as a thread read it: its pages, and where the row that had the cursor is now."""

    pages: Pages[R]
    place: int | None


def read_pages(source: RowSource[R], find: Hashable | None = None, head: Sequence[R] | None = None) -> Reading[R]:
    """Read a list's head, length and page starts, and find a row by its key. May take a while: call it in a thread.

    Raises:
        MemstationError: the list cannot be read.
    """
    head = source.head() if head is None else head
    if len(head) < PAGE:
        pages = Pages(source, head)
    else:
        anchors = source.anchors()
        pages = Pages(source, head, Spine(anchors.count, tuple(anchors.keys)))
    return Reading(pages, None if find is None else source.index_of(find))


class FixedRows(Generic[R]):
    """A short list that is in memory already, in the shape of a source."""

    def __init__(self, rows: Sequence[R], key: Any = None) -> None:
        self._rows = list(rows)
        self._key = key or (lambda row: row)

    def head(self) -> list[R]:
        """The first page."""
        return self._rows[:PAGE]

    def anchors(self) -> Spine:
        """Length and page starts."""
        return Spine(len(self._rows), tuple(self.key(row) for row in self._rows[::PAGE]))

    def page(self, key: Any) -> list[R]:
        """The page from this key on."""
        start = self.index_of(key) or 0
        return self._rows[start : start + PAGE]

    def key(self, row: R) -> Hashable:
        """The identity of a row."""
        found: Hashable = self._key(row)
        return found

    def index_of(self, key: Any) -> int | None:
        """The place of a row; None when it is not in the list."""
        return next((place for place, row in enumerate(self._rows) if self.key(row) == key), None)
