"""What an agent believed at a moment, beside what it believes at another, as a list by pages. It never writes.

Only facts that were spoken of since, or that cross a boundary between the two moments, are laid out anew. The others
are believed as they are stored; a list of everything merges both, page by page.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from heapq import merge
from threading import Lock
from typing import TypeAlias

from memstation.domain.instants import Clock, InstantLike, from_text
from memstation.read.comparing import FACTS_AT_ONCE, compared
from memstation.read.conditions import Condition, all_of
from memstation.read.kept import Kept, numbers
from memstation.read.moments import head_of, moment_at
from memstation.read.names import teach
from memstation.read.past_filter import PastFilter
from memstation.read.past_rows import Rows
from memstation.read.querying import IN_LIST, agent_named, in_list, now_of
from memstation.read.rows import PAGE, PastMoment, PastRow
from memstation.read.source import Anchors
from memstation.read.touched import Touched, touched, untouched
from memstation.store.database import Database, Snapshot
from memstation.store.lines import batches

Moments: TypeAlias = Callable[[Snapshot, datetime], tuple[PastMoment, PastMoment]]
"""The two moments of a comparison, the earlier first, once the present is known."""


@dataclass(frozen=True, slots=True)
class PastQuery:
    """What is compared with the present: the beliefs of an agent at a point on both clocks.

    - a day on both: what it believed that day about that day;
    - `at` a day, `known_at` None: what is known today about that day;
    - `at` None, `known_at` a day: what it believed that day about now.
    """

    agent_id: str
    at: InstantLike | None
    """World time; None means now."""
    known_at: InstantLike | int | None
    """Belief time: an instant, or the number of the newest decision that is believed; None means all of them."""
    filter_text: str = ""
    """The Timeline's filter, without ``state:``; it is enough that either belief matches."""
    only_differences: bool = True


def moments_of(query: PastQuery) -> Moments:
    """The point asked for, and the present. Any object with the fields of a query will do."""

    def moments(conn: Snapshot, now: datetime) -> tuple[PastMoment, PastMoment]:
        return moment_at(conn, query.at, query.known_at, now), moment_at(conn, None, None, now)

    return moments


@dataclass(slots=True)
class _Looked:
    """A comparison once it was made: what was looked at, and which of it is listed."""

    then: PastMoment
    now: PastMoment
    touched: Touched
    listed: array[int]
    """The rows of what was looked at, by the number of the belief that is shown, highest first."""
    rest: Condition | None
    """What is true of the stored rows that are listed beside them; None where only differences are."""
    kept: Kept | None = field(default=None)


class PastSource:
    """The list of one comparison, newest learned first. See `source.RowSource` for what each method answers.

    The comparison is made once, by the first call that reads; a new source sees what was decided since.

    Raises:
        InvalidInput: the filter cannot be read, or names no agent. Where the moments are no moments, the first
            reading call raises it.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        agent_id: str,
        moments: Moments,
        filter_text: str = "",
        *,
        only_differences: bool = True,
    ) -> None:
        self._database = database
        self._clock = clock
        self._agent_id = agent_named(agent_id)
        self._moments = moments
        self._filter = PastFilter(filter_text, self._agent_id)
        self._only_differences = only_differences
        self._lock = Lock()
        self._looked: _Looked | None = None

    @property
    def moment(self) -> PastMoment:
        """The earlier moment, as it was resolved."""
        with self._database.reading() as conn:
            return self._look(conn).then

    def head(self) -> list[PastRow]:
        """The first page."""
        with self._database.reading() as conn:
            return self._page(conn, None)

    def page(self, key: int) -> list[PastRow]:
        """The page from this row on."""
        with self._database.reading() as conn:
            return self._page(conn, key)

    def anchors(self) -> Anchors:
        """Length and page starts."""
        with self._database.reading() as conn:
            return self._kept(conn).anchors()

    def key(self, row: PastRow) -> int:
        """The identity of a row: the `n` of the belief that is shown, now's or else then's."""
        fact = row.now if row.now is not None else row.then
        assert fact is not None
        return fact.n

    def index_of(self, key: int) -> int | None:
        """The place of a row; None when it is not in the list."""
        with self._database.reading() as conn:
            return self._kept(conn).place(key)

    def at_once(self, conn: Snapshot) -> tuple[PastMoment, Touched, array[int]]:
        """The earlier moment, what was looked at, and the whole list as numbers, on a snapshot of the caller's."""
        looked = self._look(conn)
        return looked.then, looked.touched, self._kept(conn).all()

    # -- queries ------------------------------------------------------------------------------------------------

    def _look(self, conn: Snapshot) -> _Looked:
        with self._lock:
            if self._looked is None:
                self._looked = self._compare(conn)
            return self._looked

    def _compare(self, conn: Snapshot) -> _Looked:
        teach(conn)
        then, now = self._moments(conn, from_text(now_of(conn, self._clock)))
        found = touched(conn, self._agent_id, then, now, head_of(conn))
        listed = self._of_alone(conn, found.alone)
        for facts, stored in ((found.walked, False), (found.stored, True)):
            for batch in batches(facts, FACTS_AT_ONCE):
                pairs = compared(conn, batch, then, now, stored=stored)
                wanted = [pair for pair in pairs if not (self._only_differences and pair.kind == "same")]
                listed.extend(pair.shown.n for pair in self._filter.passing(conn, wanted))
        rest = None
        if not self._only_differences:
            rest = all_of([untouched(self._agent_id, then, now, found), self._filter.stored()])
        return _Looked(then, now, found, array("q", sorted(listed, reverse=True)), rest)

    def _of_alone(self, conn: Snapshot, alone: array[int]) -> array[int]:
        """Those of the rows that the filter lets through."""
        if self._filter.is_empty or not alone:
            return array("q", alone)
        wanted = all_of([Condition(f"n IN {IN_LIST}", (in_list(alone),)), self._filter.stored()])
        sql, values = wanted.whole()
        return numbers(conn, f"SELECT n FROM memories WHERE {sql}", values)

    def _kept(self, conn: Snapshot) -> Kept:
        looked = self._look(conn)
        if looked.kept is None:
            rest = array("q") if looked.rest is None else numbers(conn, *_select(looked.rest))
            looked.kept = Kept(array("q", merge(looked.listed, rest, reverse=True)) if rest else looked.listed)
        return looked.kept

    def _page(self, conn: Snapshot, key: int | None) -> list[PastRow]:
        """The page from a row on, or the first."""
        looked = self._look(conn)
        place = 0 if key is None else bisect_left(looked.listed, -key, key=lambda n: -n)
        mine = looked.listed[place : place + PAGE]
        rest: array[int] = array("q")
        if looked.rest is not None:
            teach(conn)
            after = looked.rest if key is None else all_of([looked.rest, Condition("n <= ?", (key,))])
            rest = numbers(conn, *_select(after, PAGE))
        ns = list(merge(mine, rest, reverse=True))[:PAGE]
        own = set(mine)
        rows = Rows(conn, looked.then, looked.now)
        found = {**rows.of([n for n in ns if n in own]), **rows.alike([n for n in ns if n not in own])}
        return [found[n] for n in ns if n in found]


def _select(wanted: Condition, limit: int | None = None) -> tuple[str, tuple[object, ...]]:
    """A query for the stored rows wanted, newest learned first; through the text index where that finds them all."""
    cut = "" if limit is None else f" LIMIT {limit}"
    if not wanted.match:
        return (
            f"SELECT n FROM memories INDEXED BY memories_learned WHERE {wanted.sql} ORDER BY n DESC{cut}",
            wanted.values,
        )
    sql = f"""SELECT n FROM memory_text CROSS JOIN memories ON memories.n = memory_text.rowid
        WHERE memory_text MATCH ? AND {wanted.sql} ORDER BY memory_text.rowid DESC{cut}"""
    return sql, (wanted.match, *wanted.values)
