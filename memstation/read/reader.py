"""The questions that the station, the engine and the command line ask of a store. It never writes.

Each call is one short read on one snapshot; nothing is kept open between calls. Calls may come from several threads.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from memstation.domain.errors import InvalidInput
from memstation.domain.instants import Clock, InstantLike, from_text, to_text
from memstation.domain.memory import BatchFetch, FactRecord
from memstation.guard.shape import repaired
from memstation.read import (
    agents,
    belief,
    decision,
    detail,
    facts,
    ids,
    overview,
    reads,
    rejected,
    review,
    source_detail,
    sources,
    withdrawals,
)
from memstation.read.believing import Believing
from memstation.read.gate_rows import RejectedRow
from memstation.read.log import LogQuery, LogSource
from memstation.read.log_rows import ENTRY_SQL, from_entries
from memstation.read.moments import moment_at, resolve_moment
from memstation.read.names_reader import NamesReader
from memstation.read.past import PastQuery, PastSource, moments_of
from memstation.read.past_rows import Rows
from memstation.read.querying import agent_named, ask, ask_one, now_of
from memstation.read.review import HeldParts
from memstation.read.review_rows import HeldRow, ReviewCounts
from memstation.read.rows import FactDetail, LogDetail, LogRow, Overview, PastDetail, PastMoment, ReadCount
from memstation.read.source_rows import SourceDetail, SourceRow
from memstation.read.summary import Summary, summary
from memstation.read.timeline import TimelineQuery, TimelineSource
from memstation.store.database import Database, Snapshot

_JOURNAL = f"SELECT {ENTRY_SQL} FROM journal WHERE seq > ? ORDER BY seq LIMIT ?"


class Reader(NamesReader):
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

    def withdrawn_by(self, records: Sequence[FactRecord]) -> dict[str, int]:
        """By id, the number of the decision that withdrew each; see `withdrawals.withdrawn_by`."""
        with self._database.reading() as conn:
            return withdrawals.withdrawn_by(conn, records)

    def content(self, n: int) -> str | None:
        """The whole text of a memory, whatever it is today; None when there is no such one."""
        with self._database.reading() as conn:
            found = ask_one(conn, "SELECT content FROM memories WHERE n = ?", (n,))
        return None if found is None else str(found.content)

    def n_of(self, memory_id: str) -> int | None:
        """The number of the fact with this id (of the fact that it confirms, for evidence); None when there is none."""
        with self._database.reading() as conn:
            return detail.n_of(conn, memory_id)

    def ids_like(self, text: str, statuses: Sequence[str] = ()) -> list[str]:
        """The id that is `text`, else the first of those that begin with it; see `ids.ids_like`."""
        if repaired(text) != text:
            return []
        with self._database.reading() as conn:
            return ids.ids_like(conn, text, statuses)

    # -- what is held -------------------------------------------------------------------------------------------

    def queue(self, agent_id: str | None = None, *, lapsed: bool = False) -> list[HeldRow]:
        """What waits for a person, or what ran out; see `review.queue`."""
        with self._database.reading() as conn:
            return review.queue(conn, agent_id, now_of(conn, self._clock), lapsed=lapsed)

    def review_counts(self, agent_id: str | None = None) -> ReviewCounts:
        """How many wait, by how pressing they are."""
        with self._database.reading() as conn:
            return review.counts(conn, agent_id, now_of(conn, self._clock))

    def held(self, memory_id: str) -> HeldParts | None:
        """One memory that is or was held; None when there is no such one."""
        if repaired(memory_id) != memory_id:
            return None
        with self._database.reading() as conn:
            return review.parts_of(conn, memory_id, now_of(conn, self._clock))

    def verdicts(self, actor: str, limit: int) -> list[LogRow]:
        """Somebody's newest verdicts, newest first."""
        with self._database.reading() as conn:
            return review.verdicts(conn, actor, limit)

    def rejected(self, agent_id: str | None = None) -> list[RejectedRow]:
        """The values that are rejected now, the newest first; see `rejected.rejected`."""
        with self._database.reading() as conn:
            return rejected.rejected(conn, agent_id)

    # -- sources ------------------------------------------------------------------------------------------------

    def sources(self, agent_id: str | None = None) -> list[SourceRow]:
        """Every source of an agent, or of all agents together; see `sources.sources`."""
        with self._database.reading() as conn:
            return sources.sources(conn, agent_id, now_of(conn, self._clock))

    def source(self, origin: str | None, agent_id: str | None = None) -> SourceDetail:
        """All about one source, as far as one agent was told by it, or all of them."""
        with self._database.reading() as conn:
            return source_detail.source_detail(conn, origin, agent_id, now_of(conn, self._clock))

    def origins(self) -> list[str]:
        """The names of all sources that told something, in order."""
        with self._database.reading() as conn:
            return sources.origins(conn)

    def reads_of(self, ids: Sequence[str]) -> ReadCount:
        """How often the memories with these ids were read by their agents, together."""
        with self._database.reading() as conn:
            return reads.reads_of(conn, ids, now_of(conn, self._clock))

    # -- the past -----------------------------------------------------------------------------------------------

    def past(self, query: PastQuery) -> PastSource:
        """What an agent believed at a moment beside what it believes now, by pages.

        Raises:
            InvalidInput: the filter cannot be read.
        """
        return PastSource(
            self._database, self._clock, query.agent_id, moments_of(query), query.filter_text,
            only_differences=query.only_differences,
        )  # fmt: skip

    def past_moment(self, query: PastQuery) -> PastMoment:
        """The point on both clocks that a query asks for.

        Raises:
            InvalidInput: it is none.
        """
        with self._database.reading() as conn:
            return moments_of(query)(conn, self._now(conn))[0]

    def past_detail(self, agent_id: str, key: str, query: PastQuery) -> PastDetail | None:
        """All about one row of a comparison, by its `PastRow.key`; None when the agent has no such row."""
        with self._database.reading() as conn:
            then, now = moments_of(query)(conn, self._now(conn))
            return Rows(conn, then, now).detail(agent_named(agent_id), key)

    def differences(
        self, agent_id: str, then: InstantLike | int, now: InstantLike | int | None = None, filter_text: str = ""
    ) -> PastSource:
        """What was believed at `then` about then, beside what was believed at `now` about now, differences only.

        Args:
            agent_id: whose beliefs.
            then: a day as `moments.resolve_moment` takes it; a decision means the belief just before it.
            now: the same, but a decision means the belief just after it; None is the present.
            filter_text: see `PastQuery`.

        Raises:
            InvalidInput: the filter cannot be read; or, from the first call that reads, the moments cannot be, or
                `then` is not the earlier one.
        """

        def moments(conn: Snapshot, present: datetime) -> tuple[PastMoment, PastMoment]:
            earlier = resolve_moment(conn, then, present)
            later = resolve_moment(conn, present if now is None else now, present, is_before=False)
            if earlier.at > later.at or earlier.seq > later.seq:
                raise InvalidInput(
                    "The first moment is not the earlier one", "{then} is compared with {now}", "swap them",
                    then=to_text(earlier.at), now=to_text(later.at),
                )  # fmt: skip
            return earlier, later

        return PastSource(self._database, self._clock, agent_id, moments, filter_text)

    def believed(
        self,
        agent_id: str,
        at: InstantLike | None,
        known_at: InstantLike | int | None,
        filter_text: str = "",
    ) -> PastSource:
        """All that an agent believed at a moment, by pages of rows of which both sides are that belief.

        Raises:
            InvalidInput: the filter cannot be read.
        """

        def moments(conn: Snapshot, present: datetime) -> tuple[PastMoment, PastMoment]:
            found = moment_at(conn, at, known_at, present)
            return found, found

        return PastSource(self._database, self._clock, agent_id, moments, filter_text, only_differences=False)

    @contextmanager
    def believing(
        self, agent_id: str, at: InstantLike | None, known_at: InstantLike | int | None
    ) -> Iterator[Believing]:
        """The same on one snapshot, with what a report says of each belief; it is open as long as the block runs."""
        source = self.believed(agent_id, at, known_at)
        with self._database.reading() as conn:
            yield Believing(conn, source, agent_named(agent_id))

    def _now(self, conn: Snapshot) -> datetime:
        return from_text(now_of(conn, self._clock))

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

    def get_history(
        self,
        agent_id: str,
        subject: str,
        predicate: str,
        include_held: bool = False,
        known_at: InstantLike | int | None = None,
    ) -> list[FactRecord]:
        """The chain of a fact, oldest first, as known now or as it was at `known_at`; held ones only when asked for."""
        with self._database.reading() as conn:
            if known_at is not None:
                seq = belief.resolve_known_at(conn, known_at)
                return belief.history_known(conn, agent_id, subject, predicate, seq, include_held)
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

    def summary(self, agent_id: str, since: InstantLike | None, until: InstantLike | None, limit: int) -> Summary:
        """What an agent knows, in short; see `summary.summary`."""
        with self._database.reading() as conn:
            return summary(conn, agent_id, now_of(conn, self._clock), since, until, limit)

    def journal(self, after: int = 0, limit: int = 100) -> list[LogRow]:
        """Decisions after a number, oldest first."""
        with self._database.reading() as conn:
            return from_entries(conn, ask(conn, _JOURNAL, (after, limit)))
