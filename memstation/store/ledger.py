"""The ledger: the one road by which the store changes. One decision is one transaction and one journal entry."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from memstation.domain.aliases import Aliases
from memstation.domain.decisions import DECISION_KINDS, Applied, Decision, Effects, OrderKind, Undo
from memstation.domain.errors import Changed, InvalidInput, NotFound, Refused
from memstation.domain.instants import Clock, from_text, to_text
from memstation.store import holding, journal, returning, scrubbing, segments, set_aside
from memstation.store.database import Database
from memstation.store.effects import effects_of
from memstation.store.erasable import Erasable, erasable
from memstation.store.holding import Request
from memstation.store.plan import Plan, Planner
from memstation.store.rows import Row
from memstation.store.rules import OrderRow, PredicateRules, aliases_of, kept_apart, order_at, orders_of, ruling
from memstation.store.segments import Found
from memstation.store.standing import lifted_now, undoers
from memstation.store.uncollected import uncollected
from memstation.store.writing import write_plan

SKEW_SECONDS = 600
"""A journal further ahead of the clock than this is not followed: the clock was wrong once, not now."""


def present(clock: Clock, last_at: str | None) -> str:
    """The decision's time: the clock, or the newest entry's time where the clock has stepped back a little."""
    now = clock()
    if last_at is not None:
        last = from_text(last_at)
        if now < last and (last - now).total_seconds() <= SKEW_SECONDS:
            return last_at
    return to_text(now)


@dataclass(slots=True)
class Looking:
    """What a decision is built from, read on one snapshot."""

    cursor: sqlite3.Cursor
    clock: Clock
    known: dict[str, Row] = field(default_factory=dict)
    """Memories read on this snapshot, by id: the decision that is built from them need not read them again."""

    def preview(self, decision: Decision) -> Effects:
        """The effects that a decision would have, on this very snapshot."""
        return _plan(self.cursor, self.clock, decision, known=self.known)[1]

    @property
    def now(self) -> str:
        """The time that a decision taken now gets."""
        found = self.cursor.execute("SELECT at FROM journal ORDER BY seq DESC LIMIT 1").fetchone()
        return present(self.clock, None if found is None else found[0])

    def trusts(self, agent_id: str, ids: Iterable[str]) -> dict[str, float]:
        """The trust of an agent's memories by id; ids that this agent does not have are left out."""
        return segments.trusts(self.cursor, agent_id, ids)

    def find(self, memory_id: str, agent_id: str | None = None) -> Found | None:
        """A memory and the fact that it is part of; None when it is unknown or another agent's."""
        return segments.find(self.cursor, memory_id, agent_id)

    def current_about(self, agent_id: str, subject: str) -> list[Row]:
        """The facts of an agent about a subject, spelled just so, that hold now or will."""
        return segments.current_about(self.cursor, agent_id, subject, self.now)

    def rows(self, ids: Iterable[str]) -> dict[str, Row]:
        """Memories by id; unknown ones, ends and what was erased are left out."""
        return segments.rows(self.cursor, ids)

    def requests(self, ns: Iterable[int]) -> dict[int, Request]:
        """The requests for approval about these memories, by `n`; those never held are left out."""
        return holding.requests(self.cursor, ns)

    def overdue(self, most: int) -> list[Row]:
        """What is held and has run out undecided, at most so many, those told first."""
        return segments.numbered(self.cursor, holding.overdue(self.cursor, self.now, most))

    def order(self, seq: int, k: int) -> OrderRow | None:
        """A standing order by its place; None when there is none."""
        return order_at(self.cursor, seq, k)

    def entry(self, seq: int) -> journal.Entry | None:
        """A decision's entry in the journal; None when there is none."""
        return journal.entry(self.cursor, seq)

    def orders_of(self, key: bytes) -> list[OrderRow]:
        """Every standing order under a key, those that do not rule among them, oldest first."""
        return orders_of(self.cursor, key)

    def ruling(self, about: OrderKind, agent_id: str) -> list[OrderRow]:
        """The orders of one kind that rule for an agent, oldest first."""
        return ruling(self.cursor, about, agent_id)

    def aliases(self, agent_id: str) -> Aliases:
        """The groups of names of an agent."""
        return aliases_of(self.cursor, agent_id)

    def kept_apart(self, agent_id: str) -> list[tuple[str, str]]:
        """Pairs of names of an agent that the operator took apart, or dismissed."""
        return kept_apart(self.cursor, agent_id)

    def actor_of(self, seq: int) -> str:
        """Who took a decision; empty where there is none of this number."""
        found = journal.entry(self.cursor, seq)
        return "" if found is None else found.actor

    def erasable(self, agent_id: str, about: str, *, mentions: bool = False) -> Erasable:
        """All of an agent about a name; see `store.erasable`."""
        return erasable(self.cursor, agent_id, about, mentions=mentions)

    def adopted_copy(self) -> Path | None:
        """Where the file lies that was set aside when this store was adopted; None when it was not."""
        return self._kept(set_aside.ADOPTED_COPY)

    def adopted_report(self) -> Path | None:
        """Where the report of its adoption lies; None when there was none."""
        return self._kept(set_aside.ADOPTED_REPORT)

    def _kept(self, key: str) -> Path | None:
        found = self.cursor.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if found is None else Path(found[0])

    def is_many(self, agent_id: str, predicate: str) -> bool:
        """Whether a predicate holds many values for an agent."""
        return PredicateRules(self.cursor).is_many(agent_id, predicate)


class Writing(Looking):
    """An open transaction with the write lock, in which the gate reads before a decision is applied."""

    __slots__ = ()

    def apply(self, decision: Decision, expect: str | None = None) -> Applied:
        """Take a decision.

        Args:
            decision: who, why, and the statements made.
            expect: digest of the effects that were previewed.

        Raises:
            Changed: the effects are not those that were expected.
            MemstationError: as `Planner.make`.
        """
        plan, effects = _plan(self.cursor, self.clock, decision, checks_ids=False, known=self.known)
        self.known = {}
        if expect is not None and expect != effects.digest:
            raise changed()
        write_plan(self.cursor, plan, effects)
        return Applied(plan.seq, from_text(plan.at), effects)


def changed() -> Changed:
    """What is raised where the effects are not those that were previewed."""
    return Changed(
        "The effects are not what you saw",
        "another decision came between the preview and this one",
        "nothing was written; look at the effects again",
    )


class Ledger:
    """Takes decisions and previews them. It holds no lock between calls."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self.clock = clock

    @contextmanager
    def looking(self) -> Iterator[Looking]:
        """The same reads as in `writing`, without the lock: to build what is previewed."""
        with uncollected(), self._database.reading_cursor() as cursor:
            yield Looking(cursor, self.clock)

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """Open the transaction; it commits when the block ends without an error, and leaves nothing otherwise."""
        with uncollected(), self._database.writing() as cursor:
            yield Writing(cursor, self.clock)

    def apply(self, decision: Decision, expect: str | None = None) -> Applied:
        """Take one decision in a transaction of its own; see `Writing.apply`."""
        with self.writing() as writing:
            return writing.apply(decision, expect)

    def scrub(self) -> bool:
        """Take what an erasure blanked out of the file's free bytes. Returns whether all of it is done."""
        with self._database.alone() as connection:
            return scrubbing.scrub(connection)

    def preview(self, decision: Decision) -> Effects:
        """The effects that a decision would have now. Nothing is written, and no write lock is taken."""
        with uncollected(), self._database.reading_cursor() as cursor:
            return _plan(cursor, self.clock, decision)[1]

    def undoing(self, seq: int, actor: str, reason: str = "") -> Decision:
        """The decision that takes another back; the parts of one import go together.

        Raises:
            NotFound: there is no such decision.
            Refused: it cannot be taken back, has been already, or would bring back a value rejected since.
        """
        with uncollected(), self._database.reading_cursor() as cursor:
            return self._undoing(cursor, seq, actor, reason)

    def undo(self, seq: int, actor: str, reason: str = "", expect: str | None = None) -> Applied:
        """Take a decision back, whole; see `undoing`."""
        with self.writing() as writing:
            return writing.apply(self._undoing(writing.cursor, seq, actor, reason), expect)

    def _undoing(self, cursor: sqlite3.Cursor, seq: int, actor: str, reason: str) -> Decision:
        if isinstance(seq, bool) or not isinstance(seq, int):
            raise InvalidInput("The decision is not named by a number", "{seq!r} was given", seq=seq)
        entry = journal.entry(cursor, seq)
        if entry is None:
            raise NotFound("No such decision", "#{seq} is not in the log", seq=seq)
        if not DECISION_KINDS[entry.kind].undoable:
            raise Refused("This cannot be taken back", "#{seq} {did}", seq=seq, did=DECISION_KINDS[entry.kind].did)
        parts = journal.parts(cursor, seq)
        lifted = lifted_now(cursor, parts)
        standing = [part for part in parts if part not in lifted]
        if seq in lifted or not standing:
            by = max((undo for undo in undoers(cursor, seq) if not lifted_now(cursor, [undo])), default=None)
            raise Refused(
                "It has been taken back already", "#{seq}, by #{by}", "to bring it back, undo #{by}", seq=seq, by=by
            )
        decision = Decision("undo", actor, tuple(Undo(part) for part in standing), entry.agent_id, reason)
        if returning.any_rejected_since(cursor, seq):
            plan, _ = _plan(cursor, self.clock, decision)
            found = returning.rejected_since(cursor, plan, seq)
            if found is not None:
                row, by = found
                raise Refused(
                    "It would bring back what was rejected since", "{value!r} ({id}) was rejected by #{by}",
                    "memstation rejected lift #{by}, then undo #{seq}", value=row.object or row.content[:80], id=row.id,
                    by=by, seq=seq,
                )  # fmt: skip
        return decision


def _plan(
    cursor: sqlite3.Cursor,
    clock: Clock,
    decision: Decision,
    *,
    checks_ids: bool = True,
    known: Mapping[str, Row] | None = None,
) -> tuple[Plan, Effects]:
    # An act need not ask whether its ids are free: the unique index says so when they are written.
    if decision.kind not in DECISION_KINDS:
        raise InvalidInput("The kind of decision is not known", decision.kind)
    if not decision.statements:
        raise InvalidInput("The decision says nothing", "it makes no statement")
    head = journal.head(cursor)
    planner = Planner(cursor, decision, head, present(clock, head.at), checks_ids=checks_ids, known=known)
    plan = planner.make()
    return plan, effects_of(plan, cursor)
