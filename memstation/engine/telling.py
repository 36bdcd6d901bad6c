"""Telling memories and reading them back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memstation.domain.instants import InstantLike, as_instant
from memstation.domain.memory import BatchFetch, FactRecord, MemoryEntry, Outcome, TemporalMeta
from memstation.engine.base import Base
from memstation.guard import shape
from memstation.ops import remember
from memstation.read.rows import PastRow
from memstation.read.summary import Summary


class Telling(Base):
    """How agents' memories go in and come out."""

    def store_temporal(self, entry: MemoryEntry, meta: TemporalMeta | None = None, *, actor: str = "api") -> Outcome:
        """Tell one memory.

        Raises:
            InvalidInput: it cannot be taken; nothing was written.
        """
        return remember.store(self.ledger, self._make_id, [(entry, meta)], actor, settings=self.guard)[0]

    def store_many(
        self,
        items: Sequence[tuple[MemoryEntry, TemporalMeta | None]],
        *,
        actor: str = "api",
        reason: str = "",
    ) -> list[Outcome]:
        """Tell memories in one transaction and one journal entry, an outcome each.

        Raises:
            InvalidInput: one cannot be taken; its index is named, and nothing was written.
        """
        return remember.store(self.ledger, self._make_id, items, actor, reason, self.guard)

    def get_history(
        self,
        agent: str,
        subject: str,
        predicate: str,
        *,
        include_held: bool = False,
        known_at: InstantLike | int | None = None,
    ) -> list[FactRecord]:
        """The chain of a fact, oldest first, as known now or as it was at `known_at`; held ones only when asked for."""
        return self.reader.get_history(
            shape.agent_of(agent), subject, predicate, include_held=include_held, known_at=known_at
        )

    def get_at(
        self,
        agent: str,
        subject: str,
        predicate: str,
        at: InstantLike,
        known_at: InstantLike | int | None = None,
        object: str | None = None,
    ) -> FactRecord | None:
        """What held at an instant: as known now, or as believed at `known_at` (an instant, or after a decision).

        Of a predicate that holds many values, the one with the latest start unless `object` names it.
        """
        return self.reader.get_at(
            shape.agent_of(agent), subject, predicate, as_instant(at), known_at=known_at, object=object
        )

    def holding_at(
        self,
        agent: str,
        subject: str,
        predicate: str,
        at: InstantLike,
        known_at: InstantLike | int | None = None,
    ) -> list[FactRecord]:
        """All values that held at an instant, latest start first."""
        return self.reader.holding_at(shape.agent_of(agent), subject, predicate, as_instant(at), known_at=known_at)

    def differences(
        self, agent: str, then: InstantLike | int, now: InstantLike | int | None = None, *, filter_text: str = ""
    ) -> list[PastRow]:
        """What changed between two beliefs, and by which decision; newest learned first.

        Compares what was believed at `then` about then with what is (or at `now` was) believed about now.

        Args:
            agent: whose beliefs.
            then: an aware datetime or text (ISO, or a day as the station reads it: ``last tue``, ``-7d``); or a
                decision, 408 or ``#408``: what was believed just before it.
            now: the same, but a decision means what was believed just after it; None is the present.
            filter_text: the Timeline's filter, without ``state:``; it is enough that either belief matches.

        Returns:
            A row for each fact, or for each object where a predicate holds many values, of which value or trust
            differ. `kind` is ``changed``, ``gone`` or ``new``; `then` and `now` are the beliefs as they were; `cause`
            is the decision that made it so, None where time passed; `since` is an aware UTC datetime.

        Raises:
            InvalidInput: the moments or the filter cannot be read, or `then` is later than `now`.
        """
        source = self.reader.differences(shape.agent_of(agent), then, now, filter_text)
        page = source.head()
        rows = list(page)
        while page:
            page = source.page(source.key(rows[-1]))[1:]
            rows += page
        return rows

    def get_by_ids(self, agent: str, ids: Sequence[str]) -> BatchFetch:
        """Memories by id, in the order of the request; unknown, foreign and held ones are all just missing.

        Raises:
            InvalidInput: more than 100 ids.
        """
        return self.reader.get_by_ids(shape.agent_of(agent), ids)

    def list_recent(self, agent: str, limit: int = 20) -> list[FactRecord]:
        """Current facts, the newest learned first. The limit is 1 to 1,000."""
        return self.reader.list_recent(shape.agent_of(agent), shape.limit_of(limit))

    def summarize(
        self, agent: str, since: InstantLike | None = None, until: InstantLike | None = None, limit: int = 5
    ) -> Summary:
        """What an agent knows now, in numbers, with the most important and the newest, `limit` of each.

        Args:
            agent: whose memories; an exact name.
            since: only what it learned at or after this instant.
            until: only what it learned before this one.
            limit: 1 to 1,000.
        """
        return self.reader.summary(shape.agent_of(agent), since, until, shape.limit_of(limit))

    def journal(self, after: int = 0, limit: int = 100) -> list[Any]:
        """Decisions after a number, oldest first. The limit is 1 to 1,000."""
        return self.reader.journal(after, shape.limit_of(limit))
