"""MemoryEngine: the public Python API, thin, with the seed's names. It holds no rule of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from memstation.domain.decisions import Applied, Decision, Effects
from memstation.domain.guarding import DEFAULT_GUARD, GuardSettings
from memstation.domain.heads import StoreHead
from memstation.domain.instants import Clock, InstantLike, as_instant
from memstation.domain.memory import BatchFetch, FactRecord, MemoryEntry, Outcome, TemporalMeta
from memstation.domain.origins import OPERATOR
from memstation.guard import shape
from memstation.ops import correct, forget, remember, review, review_card
from memstation.ops.remember import MakeId
from memstation.read.gate_rows import RejectedRow
from memstation.read.reader import Reader
from memstation.read.review_rows import HeldCard, HeldRow, ReviewCounts
from memstation.read.rows import LogRow, PastRow
from memstation.store import journal
from memstation.store.backing_up import back_up, note_head, noted_head
from memstation.store.bringing_back import bring_back
from memstation.store.doctoring import Finding, examine, examine_around, examine_index, examine_log
from memstation.store.ledger import Ledger, Looking
from memstation.store.opening import open_database
from memstation.store.reindexing import reindex
from memstation.store.repairing import Repaired, repair
from memstation.store.state import state_digest
from memstation.store.verifying import Progress, VerifyReport, verify

__all__ = ["Finding", "MemoryEngine", "VerifyReport", "bring_back", "make_id", "open_engine", "system_clock"]


def system_clock() -> datetime:
    """The machine's clock, in UTC."""
    return datetime.now(UTC)


def make_id(now: datetime) -> str:
    """A new id: ordered by time, and impossible to guess or count by."""
    return f"m_{int(now.timestamp() * 1000) & 0xFFFF_FFFF_FFFF:012x}{os.urandom(9).hex()}"


def open_engine(
    path: str | Path,
    clock: Clock | None = None,
    *,
    make_id: MakeId = make_id,
    read_only: bool = False,
    guard: GuardSettings = DEFAULT_GUARD,
) -> MemoryEngine:
    """Open the store at `path`, creating or upgrading it. Use the result as a context manager.

    `guard` sets how bursts are counted and what is held; see `domain.guarding.GuardSettings`.

    Raises:
        StoreUnusable: the file is no store of ours, newer, or damaged; it was not touched.
    """
    return MemoryEngine(Path(path), clock or system_clock, make_id, read_only=read_only, guard=guard)


class MemoryEngine:
    """One open store. Calls may come from several threads."""

    def __init__(
        self,
        path: Path,
        clock: Clock,
        make_id: MakeId,
        *,
        read_only: bool = False,
        guard: GuardSettings = DEFAULT_GUARD,
    ) -> None:
        self.guard = guard
        self._database = open_database(path, read_only=read_only)
        self._make_id = make_id
        self.clock = clock
        self.ledger = Ledger(self._database, clock)
        self.reader = Reader(self._database, clock)

    @property
    def path(self) -> Path:
        """The file."""
        return self._database.path

    @property
    def read_only(self) -> bool:
        """Whether it was opened for reading only, or can only be read."""
        return self._database.read_only

    @property
    def uuid(self) -> str:
        """The store's own id; state outside the file goes by it."""
        return self.reader.store_uuid()

    def close(self) -> None:
        """Close the file. Safe to call twice."""
        self._database.close()

    def __enter__(self) -> MemoryEngine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- telling ------------------------------------------------------------------------------------------------

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

    # -- reading ------------------------------------------------------------------------------------------------

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

    def journal(self, after: int = 0, limit: int = 100) -> list[Any]:
        """Decisions after a number, oldest first. The limit is 1 to 1,000."""
        return self.reader.journal(after, shape.limit_of(limit))

    # -- deciding -----------------------------------------------------------------------------------------------

    def decide(self, build: Callable[[Looking], Decision], expect: str | None = None) -> Applied:
        """Build a decision and take it in one transaction: what it is built on cannot change in between.

        Raises:
            Changed: `expect` is given and is not the digest of its effects.
        """
        with self.ledger.writing() as writing:
            return writing.apply(build(writing), expect)

    def propose(self, build: Callable[[Looking], Decision]) -> tuple[Decision, Effects]:
        """Build a decision and preview it, without a lock; give both to `apply` to take it."""
        with self.ledger.looking() as looking:
            decision = build(looking)
        return decision, self.ledger.preview(decision)

    def preview(self, decision: Decision) -> Effects:
        """The effects that a decision would have now. Nothing is written."""
        return self.ledger.preview(decision)

    def apply(self, decision: Decision, expect: str | None = None) -> Applied:
        """Take a decision.

        Raises:
            Changed: `expect` is given and is not the digest of its effects.
        """
        return self.ledger.apply(decision, expect)

    def retract(
        self,
        id: str,
        *,
        agent_id: str | None = None,
        actor: str = OPERATOR,
        reason: str = "",
        reject: bool = True,
    ) -> Applied:
        """It was never true; see `ops.correct.never_true`."""
        return self.decide(
            lambda looking: correct.never_true(
                looking, id, actor=actor, agent_id=agent_id, reason=reason, reject=reject
            )
        )

    def end(
        self,
        id: str,
        at: InstantLike,
        *,
        agent_id: str | None = None,
        actor: str = OPERATOR,
        reason: str = "",
    ) -> Applied:
        """It stopped being true at an instant; see `ops.correct.stopped_being_true`."""
        return self.decide(
            lambda looking: correct.stopped_being_true(
                looking, id, at, self._make_id, actor=actor, agent_id=agent_id, reason=reason
            )
        )

    def correct_value(
        self,
        id: str,
        *,
        object: str | None,
        content: str | None = None,
        agent_id: str | None = None,
        actor: str = OPERATOR,
        reason: str = "",
    ) -> Applied:
        """The value is wrong; see `ops.correct.value_is`."""
        return self.decide(
            lambda looking: correct.value_is(
                looking,
                id,
                self._make_id,
                actor=actor,
                object=object,
                content=content,
                agent_id=agent_id,
                reason=reason,
            )
        )

    def expire_by_subject(self, agent: str, subject: str, *, reason: str, actor: str = OPERATOR) -> int:
        """End every fact about a subject now, stamped with `reason`. Returns how many."""
        with self.ledger.writing() as writing:
            decision = correct.expired(
                writing, shape.agent_of(agent), subject, self._make_id, actor=actor, reason=reason
            )
            if decision is None:
                return 0
            effects = writing.apply(decision).effects
            return len(effects.of("closed", "withdrawn", "moved"))

    def set_predicate(
        self, agent: str, predicate: str, rule: str, *, actor: str = OPERATOR, reason: str = ""
    ) -> Applied:
        """Say whether a predicate holds `one` value or `many`, for an agent or for all (`*`)."""
        return self.decide(lambda looking: correct.holds(looking, agent, predicate, rule, actor=actor, reason=reason))

    def preview_undo(self, seq: int) -> Effects:
        """What taking a decision back would do now."""
        return self.ledger.preview(self.ledger.undoing(seq, OPERATOR))

    def undo(self, seq: int, *, actor: str = OPERATOR, reason: str = "", expect: str | None = None) -> Applied:
        """Take a whole decision back (an undo too).

        Raises:
            NotFound: no such decision.
            Refused: it has been taken back already, or cannot be.
        """
        return self.ledger.undo(seq, actor, reason, expect)

    def preview_forget(self, agent: str, about: str, *, mentions: bool = False) -> forget.Forgetting:
        """What an erasure of a person would reach; nothing is written. Its `phrase` is what `forget` wants."""
        with self.ledger.looking() as looking:
            return forget.forgetting(looking, agent, about, mentions=mentions)

    def forget(
        self, agent: str, about: str, *, phrase: str, mentions: bool = False, actor: str = OPERATOR
    ) -> forget.Forgotten:
        """Erase a person for good; see `ops.forget.forget`. It cannot be taken back."""
        return forget.forget(self.ledger, agent, about, phrase=phrase, actor=actor, mentions=mentions)

    def new_id(self) -> str:
        """An id for a new memory."""
        return self._make_id(self.clock())

    # -- what is held -------------------------------------------------------------------------------------------

    def queue(self, agent: str | None = None, *, lapsed: bool = False) -> list[HeldRow]:
        """What is held and waits for a person (or what ran out undecided); the weakest trust first."""
        return self.reader.queue(None if agent is None else shape.agent_of(agent), lapsed=lapsed)

    def pending(self, agent: str | None = None) -> list[HeldRow]:
        """What is held and waits for a person; the seed's name for `queue`."""
        return self.queue(agent)

    def review_counts(self, agent: str | None = None) -> ReviewCounts:
        """How many wait, by how pressing they are."""
        return self.reader.review_counts(agent)

    def held_card(self, id: str, *, actor: str = OPERATOR) -> HeldCard | None:
        """All that is shown of one held memory, with what each verdict would do; None when it is not held."""
        return review_card.card(self.ledger, self.reader, id, actor)

    def last_verdicts(self, actor: str = OPERATOR, limit: int = 10) -> list[LogRow]:
        """Somebody's newest verdicts, newest first, those taken back among them."""
        return self.reader.verdicts(actor, shape.limit_of(limit))

    def approve(
        self, ids: Sequence[str], *, actor: str = OPERATOR, raise_trust: bool = False, reason: str = ""
    ) -> Applied:
        """Held memories take their places; see `ops.review.approve`. One decision, whatever their number."""
        self.expire_due()
        return self.decide(
            lambda looking: review.approve(looking, ids, actor=actor, raise_trust=raise_trust, reason=reason)
        )

    def deny(self, ids: Sequence[str], *, actor: str = OPERATOR, reason: str = "") -> Applied:
        """Held memories are withdrawn and their values rejected; see `ops.review.deny`."""
        self.expire_due()
        return self.decide(lambda looking: review.deny(looking, ids, actor=actor, reason=reason))

    def rejected(self, agent: str | None = None) -> list[RejectedRow]:
        """The values that a person rejected, the newest first, each with how often it came again."""
        return self.reader.rejected(None if agent is None else shape.agent_of(agent))

    def lift(self, places: Sequence[tuple[int, int]], *, actor: str = OPERATOR, reason: str = "") -> Applied:
        """Rejected values, by (`seq`, `k`) of their rows, may be said again; see `ops.review.lift`."""
        return self.decide(lambda looking: review.lift(looking, places, actor=actor, reason=reason))

    def expire_due(self) -> Applied | None:
        """Let what ran out undecided lapse; None when nothing has. Safe to call again, and from several processes."""
        with self.ledger.looking() as looking:
            if review.lapse(looking) is None:
                return None
        with self.ledger.writing() as writing:
            decision = review.lapse(writing)
            return None if decision is None else writing.apply(decision)

    # -- checking -----------------------------------------------------------------------------------------------

    def verify(self, expect_head: str | None = None, progress: Progress | None = None) -> VerifyReport:
        """Check digests, chain, layout and index of the whole store; writes nothing."""
        with self._database.reading_cursor() as cursor:
            return verify(cursor, expect_head, progress)

    def head(self) -> StoreHead:
        """The newest entry of the journal."""
        with self._database.reading_cursor() as cursor:
            return journal.newest(cursor)

    def hash_of(self, seq: int) -> str | None:
        """The hash of a journal entry, in hex; None when there is no such number."""
        with self._database.reading_cursor() as cursor:
            return journal.hash_of(cursor, seq)

    def state_digest(self) -> str:
        """A hash of what stands and is held; equal states have equal digests."""
        with self._database.reading_cursor() as cursor:
            return state_digest(cursor)

    def back_up(self, target: Path, progress: Progress | None = None) -> StoreHead | None:
        """Copy the store to a new file while it is in use, its head noted beside it; see `store.backing_up`."""
        with self._database.reading_alone() as connection:
            head = back_up(connection, target, progress)
        if head is not None:
            note_head(target, self.uuid, head)
        return head

    def is_backup(self, file: Path) -> bool:
        """Whether the head that is noted beside a file is one of this store's."""
        noted = noted_head(file)
        return noted is not None and noted[0] == self.uuid

    def examine(self, progress: Progress | None = None) -> tuple[list[Finding], bool]:
        """What ails the store, and whether `progress` stopped the look before its end; see `store.doctoring`."""
        path = self._database.path
        with self._database.reading_cursor() as cursor:
            found, stopped = examine(cursor, self.clock(), progress)
        found += examine_around(path)
        if not self.read_only and not stopped:
            with self._database.writing() as cursor:
                found += examine_index(cursor)
            with self._database.alone() as connection:
                found += examine_log(connection, path)
        return found, stopped

    def repair(self, *, actor: str = OPERATOR) -> Repaired:
        """Compute anew what is derived: places, standing, rules, sources, the text index; see `store.repairing`."""
        with self._database.writing() as cursor:
            return repair(cursor, self.clock, actor)

    def reindex(self) -> int:
        """Build the text index anew. Returns how many memories are in it."""
        with self._database.writing() as cursor:
            return reindex(cursor)
