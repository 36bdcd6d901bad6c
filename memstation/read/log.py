"""The Log as a list by pages, newest first, and one decision with its statements. It never writes."""

from __future__ import annotations

from dataclasses import dataclass

from memstation.read.conditions import Condition, all_of
from memstation.read.kept import Kept, keep
from memstation.read.log_filter import LogFilter, about_agent
from memstation.read.log_rows import ENTRY_SQL, from_entries
from memstation.read.querying import ask, ask_one, quick
from memstation.read.rows import PAGE, LogRow
from memstation.read.source import Anchors
from memstation.store.database import Database, Snapshot

_HOPS = f"""WITH RECURSIVE page(seq) AS (
    SELECT max(seq) FROM journal
    UNION ALL
    SELECT (SELECT seq FROM journal WHERE seq < page.seq ORDER BY seq DESC LIMIT 1 OFFSET {PAGE - 1})
    FROM page WHERE page.seq IS NOT NULL)
    SELECT seq FROM page WHERE seq IS NOT NULL"""


@dataclass(frozen=True, slots=True)
class LogQuery:
    """Which decisions are listed."""

    filter_text: str = ""
    agent_id: str | None = None
    """Only decisions about this agent, or about all; every decision when it is None."""


class LogSource:
    """The list for one query. See `source.RowSource` for what each method answers.

    Raises:
        InvalidInput: the filter cannot be read.
    """

    def __init__(self, database: Database, query: LogQuery) -> None:
        self._database = database
        self._filter = LogFilter(query.filter_text)
        self._agent_id = query.agent_id
        self._is_plain = self._filter.is_empty and query.agent_id is None
        self._kept: Kept | None = None

    def head(self) -> list[LogRow]:
        """The first page."""
        with self._database.reading() as conn:
            return self._rows(conn, self._wanted())

    def page(self, key: int) -> list[LogRow]:
        """The page from this decision on."""
        with self._database.reading() as conn:
            place = None if self._kept is None else self._kept.place(key)
            if self._kept is not None and place is not None:
                last = self._kept.page(place)
                wanted = Condition("seq BETWEEN ? AND ?", (last[-1], key))
                return self._rows(conn, all_of([wanted, self._wanted()]))
            return self._rows(conn, all_of([Condition("seq <= ?", (key,)), self._wanted()]))

    def anchors(self) -> Anchors:
        """Length and page starts."""
        with self._database.reading() as conn:
            if self._is_plain:
                keys = tuple(seq for (seq,) in quick(conn, _HOPS))
                whole = max(len(keys) - 1, 0) * PAGE
                return Anchors(whole + self._count(conn, Condition("seq <= ?", keys[-1:] or (0,))), keys)
            wanted = self._wanted()
            self._kept = keep(conn, f"SELECT seq AS n FROM journal WHERE {wanted.sql} ORDER BY seq DESC", wanted.values)
            return self._kept.anchors()

    def key(self, row: LogRow) -> int:
        """The identity of a decision: its number."""
        return row.seq

    def index_of(self, key: int) -> int | None:
        """The place of a decision; None when it is not in the list."""
        if self._kept is not None:
            return self._kept.place(key)
        with self._database.reading() as conn:
            wanted = self._wanted()
            if self._count(conn, all_of([wanted, Condition("seq = ?", (key,))])) == 0:
                return None
            return self._count(conn, all_of([wanted, Condition("seq > ?", (key,))]))

    # -- queries ------------------------------------------------------------------------------------------------

    def _wanted(self) -> Condition:
        """What is true of the entries of the list."""
        conditions = [] if self._filter.is_empty else [self._filter.condition()]
        if self._agent_id is not None:
            conditions.append(about_agent(self._agent_id)(None))
        return all_of(conditions) if conditions else Condition("seq > 0")

    def _rows(self, conn: Snapshot, wanted: Condition) -> list[LogRow]:
        sql = f"SELECT {ENTRY_SQL} FROM journal WHERE {wanted.sql} ORDER BY seq DESC LIMIT {PAGE}"
        return from_entries(conn, ask(conn, sql, wanted.values))

    def _count(self, conn: Snapshot, wanted: Condition) -> int:
        found = ask_one(conn, f"SELECT count(*) FROM journal WHERE {wanted.sql}", wanted.values)
        return 0 if found is None else int(found[0])
