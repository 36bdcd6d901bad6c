"""An agent's facts as a list by pages, newest learned first or latest start first. It never writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from memstation.domain.instants import Clock
from memstation.read.conditions import Condition, all_of
from memstation.read.filter import TimelineFilter
from memstation.read.kept import Kept, keep
from memstation.read.listing import LIST_SQL, Lister
from memstation.read.names import teach
from memstation.read.querying import agent_named, now_of, quick, quick_one
from memstation.read.rows import PAGE, FactRow
from memstation.read.source import Anchors
from memstation.store.database import Database, Snapshot
from memstation.store.schema import SHOWN_ROLES

Order: TypeAlias = Literal["learned", "start"]

_OF_AGENT = f"agent_id = ? AND {SHOWN_ROLES}"
_HOPS = f"""WITH RECURSIVE page(n) AS (
    SELECT (SELECT n FROM memories INDEXED BY memories_learned WHERE {_OF_AGENT} ORDER BY n DESC LIMIT 1)
    UNION ALL
    SELECT (SELECT n FROM memories INDEXED BY memories_learned WHERE {_OF_AGENT} AND n < page.n
        ORDER BY n DESC LIMIT 1 OFFSET {PAGE - 1})
    FROM page WHERE page.n IS NOT NULL)
    SELECT n FROM page WHERE n IS NOT NULL"""


@dataclass(frozen=True, slots=True)
class TimelineQuery:
    """Which facts are listed, and in which order."""

    agent_id: str
    filter_text: str = ""
    order: Order = "learned"


class TimelineSource:
    """The list for one query. See `source.RowSource` for what each method answers.

    Raises:
        InvalidInput: the filter cannot be read, or names no agent.
    """

    def __init__(self, database: Database, clock: Clock, query: TimelineQuery) -> None:
        self._database = database
        self._clock = clock
        self._agent_id = agent_named(query.agent_id)
        self._order = query.order
        self._filter = TimelineFilter(query.filter_text, self._agent_id)
        self._is_plain = query.order == "learned" and self._filter.is_empty
        self._kept: Kept | None = None
        """The whole list as numbers, once its length was asked for; the plain list needs none."""

    def head(self) -> list[FactRow]:
        """The first page."""
        with self._database.reading() as conn:
            now = now_of(conn, self._clock)
            return self._rows(conn, now, self._wanted(conn, now))

    def page(self, key: int) -> list[FactRow]:
        """The page from this row on."""
        with self._database.reading() as conn:
            now = now_of(conn, self._clock)
            place = None if self._kept is None else self._kept.place(key)
            if self._kept is not None and place is not None:
                return Lister(conn, now).rows(self._kept.page(place))
            after = self._beside(conn, "<", key)
            return [] if after is None else self._rows(conn, now, all_of([self._wanted(conn, now), after]))

    def anchors(self) -> Anchors:
        """Length and page starts."""
        with self._database.reading() as conn:
            if self._is_plain:
                keys = tuple(n for (n,) in quick(conn, _HOPS, (self._agent_id, self._agent_id)))
                return Anchors(self._length(conn, keys), keys)
            sql, values = self._select("n", self._wanted(conn, now_of(conn, self._clock)))
            self._kept = keep(conn, sql, values)
            return self._kept.anchors()

    def key(self, row: FactRow) -> int:
        """The identity of a row: its `n`."""
        return row.n

    def index_of(self, key: int) -> int | None:
        """The place of a row; None when it is not in the list."""
        if self._kept is not None:
            return self._kept.place(key)
        with self._database.reading() as conn:
            wanted = self._wanted(conn, now_of(conn, self._clock))
            before = self._beside(conn, ">", key)
            if before is None or self._count(conn, all_of([wanted, Condition("n = ?", (key,))])) == 0:
                return None
            return self._count(conn, all_of([wanted, before]))

    # -- queries ------------------------------------------------------------------------------------------------

    def _wanted(self, conn: Snapshot, now: str) -> Condition:
        """What is true of the rows of the list."""
        of_agent = Condition(_OF_AGENT, (self._agent_id,))
        if self._filter.is_empty:
            return of_agent
        teach(conn)
        return all_of([of_agent, self._filter.condition(now)])

    def _beside(self, conn: Snapshot, sign: str, key: int) -> Condition | None:
        """What is true of the rows from a row on (``<``) or before it (``>``); None when the row is unknown."""
        found = quick_one(conn, "SELECT valid_from FROM memories WHERE n = ?", (key,))
        if found is None:
            return None
        on_n = f"n {sign}{'=' * (sign == '<')} ?"
        if self._order == "learned":
            return Condition(on_n, (key,))
        return Condition(f"valid_from {sign}= ? AND (valid_from {sign} ? OR {on_n})", (*found, *found, key))

    def _select(self, columns: str, wanted: Condition) -> tuple[str, tuple[object, ...]]:
        """A query for the rows wanted, in the order of the list; through the text index where that finds them all."""
        if not wanted.match:
            by = "n DESC" if self._order == "learned" else "valid_from DESC, n DESC"
            return f"SELECT {columns} FROM memories WHERE {wanted.sql} ORDER BY {by}", wanted.values
        by = "memory_text.rowid DESC" if self._order == "learned" else "valid_from DESC, n DESC"
        sql = f"""SELECT {columns} FROM memory_text CROSS JOIN memories ON memories.n = memory_text.rowid
            WHERE memory_text MATCH ? AND {wanted.sql} ORDER BY {by}"""
        return sql, (wanted.match, *wanted.values)

    def _rows(self, conn: Snapshot, now: str, wanted: Condition) -> list[FactRow]:
        lister = Lister(conn, now)
        if wanted.match and self._order == "start":
            # What is sorted should be narrow.
            sql, values = self._select("n", wanted)
            return lister.rows(n for (n,) in quick(conn, f"{sql} LIMIT {PAGE}", values))
        sql, values = self._select(LIST_SQL, wanted)
        return [lister.row(columns) for columns in quick(conn, f"{sql} LIMIT {PAGE}", values)]

    def _count(self, conn: Snapshot, wanted: Condition) -> int:
        sql, values = wanted.whole()
        found = quick_one(conn, f"SELECT count(*) FROM memories WHERE {sql}", values)
        return 0 if found is None else int(found[0])

    def _length(self, conn: Snapshot, keys: tuple[int, ...]) -> int:
        """The length of the plain list: whole pages, and what there is of the last one."""
        if not keys:
            return 0
        last = Condition(f"{_OF_AGENT} AND n <= ?", (self._agent_id, keys[-1]))
        return (len(keys) - 1) * PAGE + self._count(conn, last)
