"""The questions that the station, the engine and the command line ask of a store. It never writes.

Each call is one short read on one snapshot; nothing is kept open between calls. Calls may come from several threads.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from datetime import datetime

from memstation.domain.instants import Clock, InstantLike
from memstation.domain.memory import BatchFetch, FactRecord
from memstation.read import agents, belief, decision, detail, facts, overview
from memstation.read.log import LogQuery, LogSource
from memstation.read.log_rows import ENTRY_SQL, from_entries
from memstation.read.querying import ask, ask_one, now_of
from memstation.read.rows import FactDetail, LogDetail, LogRow, Overview
from memstation.read.timeline import TimelineQuery, TimelineSource
from memstation.store.database import Database

_JOURNAL = f"SELECT {ENTRY_SQL} FROM journal WHERE seq > ? ORDER BY seq LIMIT ?"


class Reader:
    """Answers questions about one store. Every method raises MemstationError when the store cannot be read."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    # -- for people ---------------------------------------------------------------------------------------------

    def agents(self) -> list[str]:
        """Every agent that has memories, by name."""
        with self._database.reading() as conn:
            return agents.agent_names(conn)

    def nearest_agent(self, name: str) -> str | None:
        """The agent whose name is most like this one; None when none is."""
        return agents.nearest(name, self.agents())

    def overview(self, since: datetime | None, me: str) -> Overview:
        """What Today shows: `since` is the last visit (None on the first), `me` the operator's actor."""
        with self._database.reading() as conn:
            return overview.overview(conn, since, me, now_of(conn, self._clock))

    def timeline(self, query: TimelineQuery) -> TimelineSource:
        """An agent's facts, by pages.

        Raises:
            InvalidInput: the filter cannot be read.
        """
        return TimelineSource(self._database, self._clock, query)

    def fact(self, n: int) -> FactDetail | None:
        """All about one fact; None when it is none."""
        with self._database.reading() as conn:
            return detail.fact_detail(conn, n, now_of(conn, self._clock))

    def n_of(self, memory_id: str) -> int | None:
        """The number of the fact with this id (of the fact that it confirms, for evidence); None when there is none."""
        with self._database.reading() as conn:
            return detail.n_of(conn, memory_id)

    def log(self, query: LogQuery) -> LogSource:
        """Decisions, newest first, by pages.

        Raises:
            InvalidInput: the filter cannot be read.
        """
        return LogSource(self._database, query)

    def decision(self, seq: int) -> LogDetail | None:
        """All about one decision; None when there is no such number."""
        with self._database.reading() as conn:
            return decision.log_detail(conn, seq, now_of(conn, self._clock))

    def head(self) -> LogRow | None:
        """The newest decision."""
        with self._database.reading() as conn:
            return overview.head(conn)

    def stamp(self) -> Hashable:
        """Equal to the last one while nothing was written. Cheap enough for once a second."""
        version = self._database.data_version()
        with self._database.reading() as conn:
            newest = ask_one(conn, "SELECT max(seq) FROM journal")
        return version, None if newest is None else newest[0]

    def store_uuid(self) -> str:
        """The store's own name, whatever its file is called."""
        with self._database.reading() as conn:
            found = ask_one(conn, "SELECT value FROM meta WHERE key = 'uuid'")
        return "" if found is None else str(found[0])

    # -- for agents and the API ---------------------------------------------------------------------------------

    def get_at(
        self,
        agent_id: str,
        subject: str,
        predicate: str,
        at: InstantLike,
        known_at: InstantLike | int | None = None,
        object: str | None = None,
    ) -> FactRecord | None:
        """What held at an instant, as known now, or as believed at `known_at`; see `facts.get_at`."""
        with self._database.reading() as conn:
            if known_at is None:
                now = now_of(conn, self._clock)
                return facts.get_at(conn, agent_id, subject, predicate, at, now, object)
            seq = belief.resolve_known_at(conn, known_at)
            return belief.get_known(conn, agent_id, subject, predicate, at, seq, object)

    def holding_at(
        self,
        agent_id: str,
        subject: str,
        predicate: str,
        at: InstantLike,
        known_at: InstantLike | int | None = None,
    ) -> list[FactRecord]:
        """All values that held at an instant, latest start first."""
        with self._database.reading() as conn:
            if known_at is None:
                return facts.holding_at(conn, agent_id, subject, predicate, at, now_of(conn, self._clock))
            seq = belief.resolve_known_at(conn, known_at)
            return belief.known_at(conn, agent_id, subject, predicate, at, seq)

    def get_history(self, agent_id: str, subject: str, predicate: str, include_held: bool = False) -> list[FactRecord]:
        """The chain of a fact, oldest first; held ones only when asked for."""
        with self._database.reading() as conn:
            return facts.get_history(conn, agent_id, subject, predicate, now_of(conn, self._clock), include_held)

    def get_by_ids(self, agent_id: str, ids: Sequence[str]) -> BatchFetch:
        """Facts by id; see `facts.get_by_ids`."""
        facts.check_ids(ids)
        with self._database.reading() as conn:
            return facts.get_by_ids(conn, agent_id, ids, now_of(conn, self._clock))

    def list_recent(self, agent_id: str, limit: int) -> list[FactRecord]:
        """Current facts, newest learned first."""
        with self._database.reading() as conn:
            return facts.list_recent(conn, agent_id, limit, now_of(conn, self._clock))

    def journal(self, after: int = 0, limit: int = 100) -> list[LogRow]:
        """Decisions after a number, oldest first."""
        with self._database.reading() as conn:
            return from_entries(conn, ask(conn, _JOURNAL, (after, limit)))
