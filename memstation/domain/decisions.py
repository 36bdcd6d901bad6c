"""Decisions, the statements they make, and the effects they have. Plain data; nothing here reads or writes a store.

A decision is one transaction with one number. It makes statements: claims, ends, marks on claims, standing orders.
Only an undo takes statements back, and it takes a whole decision; every other change of mind is a new statement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Literal, TypeAlias, get_args

from memstation.domain.memory import Role, State

MarkKind: TypeAlias = Literal["withdrawn", "held", "released", "denied", "lapsed", "extended", "trust", "cap"]
MARK_KINDS: tuple[MarkKind, ...] = get_args(MarkKind)

HOLD_KINDS: tuple[MarkKind, ...] = ("held", "released", "denied", "lapsed")
"""Of these four the latest that stands rules; of ``trust`` too. ``withdrawn`` and ``cap`` add up.

``extended`` gives more time to what is held and judges nothing.
"""

OrderKind: TypeAlias = Literal["alias", "suggestion", "conflict", "predicate", "rejected", "origin", "origin_trust"]

EVERY_AGENT = "*"
"""Stands for all agents in an order about a predicate or an origin."""


@dataclass(frozen=True, slots=True)
class Claim:
    """An origin told an agent that a subject has a value, from a start (until an end). Instants are stored text."""

    id: str
    agent_id: str
    content: str
    asserted_from: str | None = None
    """The decision's time when missing."""
    asserted_until: str | None = None
    asserted_trust: float = 1.0
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    origin: str | None = None
    tags: tuple[str, ...] = ()
    layer: str = "episodic"
    importance: float = 5.0
    confidence: float = 1.0
    source_event: str = ""
    metadata: str = "{}"
    """A JSON object, as text with sorted keys."""
    derived_from: tuple[str, ...] = ()
    ingested_at: str | None = None
    """The source's word; the decision's time when missing. It never orders anything."""
    timestamp: str | None = None
    created_at: str | None = None
    access_count: int = 0
    last_accessed: str | None = None
    embedding: bytes | None = None
    embedding_model: str | None = None


@dataclass(frozen=True, slots=True)
class End:
    """From `at` on, this value no longer holds. A rule of the walk; it speaks about what was told before it."""

    id: str
    agent_id: str
    at: str
    subject: str | None
    predicate: str | None
    object: str | None
    content: str
    of: str
    """Id of the memory whose value ends; the key itself where that memory is a note."""
    origin: str | None = None
    source_event: str = ""
    ingested_at: str | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """A judgement on one claim, named by its id."""

    id: str
    kind: MarkKind
    reason: str = ""
    value: float | None = None
    """The trust, for ``trust`` and ``cap``; seconds, for ``held`` and ``extended``."""
    at: str | None = None
    """When it began; the decision's time when missing (a restore brings the source's)."""


@dataclass(frozen=True, slots=True)
class Order:
    """A standing order. For one key the latest that stands rules.

    ==============  ==================  =========================================  =========
    about           verdict             names                                      key
    ==============  ==================  =========================================  =========
    alias           joined, parted      subject = the alias, value = canonical     agent, alias
    suggestion      suggested,          subject = the alias, value = canonical     agent, both names
                    accepted, dismissed
    conflict        dismissed, reopened subject = the names, predicate; value is   agent, value
                                        its key (`read.conflicts`)
    predicate       one, many           predicate; agent may be ``*``              agent, predicate
    rejected        rejected, lifted    subject, predicate, value, or a note's     agent, fact, value
    origin          blocked, unblocked  value = the origin; agent may be ``*``     agent, origin
    origin_trust    set, unset          value = the origin, number = the trust     agent, origin
    ==============  ==================  =========================================  =========
    """

    about: OrderKind
    verdict: str
    agent_id: str
    subject: str | None = None
    predicate: str | None = None
    value: str | None = None
    number: float | None = None
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Undo:
    """Takes a whole decision back (an undo too, which brings back what that one took)."""

    target: int


@dataclass(frozen=True, slots=True)
class Erase:
    """Blanks what was told, for good: nothing brings it back."""

    ids: tuple[str, ...]
    """Claims and ends."""
    orders: tuple[tuple[int, int], ...] = ()
    """Standing orders, by (seq, k)."""
    marks: tuple[tuple[int, int, int], ...] = ()
    """Marks whose reason is blanked, by (n, seq, k); the judgement itself stays."""
    reasons: tuple[int, ...] = ()
    """Decisions whose reason is blanked."""
    events: tuple[tuple[int, int], ...] = ()
    """What the gate noted, by (seq, k)."""


EventKind: TypeAlias = Literal["prompt_injection", "knowledge.quarantined"]
"""What the gate notes (seed 000): a memory that was dropped, and one that was held."""


@dataclass(frozen=True, slots=True)
class Event:
    """What the gate saw. It is kept for the log and the card, and changes nothing that is believed."""

    kind: EventKind
    agent_id: str
    origin: str | None
    detail: str
    """A JSON object, as text with sorted keys: rule names, counts, a digest and an excerpt; never a whole text."""
    id: str | None = None
    """The memory that was held; None for what was dropped."""


Statement: TypeAlias = Claim | End | Mark | Order | Undo | Erase | Event


@dataclass(frozen=True, slots=True)
class Decision:
    """Who, why, and the statements made. One transaction, one number, one journal entry."""

    kind: str
    """A key of `DECISION_KINDS`."""
    actor: str
    statements: tuple[Statement, ...]
    agent_id: str = ""
    reason: str = ""
    group: int | None = None
    """Number of the first part, when a large import is written in several."""
    unfinished: bool = False
    """Whether further parts of its group are to come; what stops before them is continued in the same group."""


@dataclass(frozen=True, slots=True)
class DecisionKind:
    """A kind of decision: the word that the Log shows, and whether it can be taken back."""

    name: str
    did: str
    undoable: bool = True


DECISION_KINDS: dict[str, DecisionKind] = {
    kind.name: kind
    for kind in (
        DecisionKind("store", "stored"),
        DecisionKind("retract", "retracted"),
        DecisionKind("end", "ended"),
        DecisionKind("expire", "expired"),
        DecisionKind("correct", "corrected"),
        DecisionKind("predicate", "set rule"),
        DecisionKind("restore", "restored"),
        DecisionKind("adopt", "adopted", undoable=False),
        DecisionKind("undo", "took back"),
        DecisionKind("repair", "repaired", undoable=False),
        DecisionKind("erasure", "erased", undoable=False),
        DecisionKind("approve", "approved"),
        DecisionKind("deny", "denied"),
        DecisionKind("edit", "edited"),
        DecisionKind("hold", "held"),
        DecisionKind("extend", "gave more time"),
        DecisionKind("lapse", "let run out"),
        DecisionKind("bring_back", "brought back"),
        DecisionKind("lift", "lifted"),
        DecisionKind("drop", "dropped", undoable=False),
        DecisionKind("import", "imported"),
        DecisionKind("purge", "purged"),
        DecisionKind("block", "blocked"),
        DecisionKind("unblock", "unblocked"),
        DecisionKind("trust", "set trust"),
        DecisionKind("promote", "promoted"),
        DecisionKind("join", "joined"),
        DecisionKind("part", "took apart"),
        DecisionKind("suggest", "suggested"),
        DecisionKind("dismiss", "dismissed"),
        DecisionKind("reopen", "reopened"),
    )
}

ChangeKind: TypeAlias = Literal[
    "new", "scheduled", "historical", "confirms", "ends", "held",
    "closed", "moved", "came_back", "released", "withdrawn", "trust", "erased",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class FactChange:
    """What happens to one fact: its state, window and trust before (None for a new row) and after."""

    kind: ChangeKind
    id: str
    agent_id: str
    subject: str | None
    predicate: str | None
    object: str | None
    content: str
    origin: str | None
    state_before: State | None
    state: State | None
    """None for a row that is no fact afterwards: evidence, or an end."""
    valid_from: datetime
    valid_until: datetime | None
    was_from: datetime | None = None
    was_until: datetime | None = None
    trust: float = 1.0
    trust_before: float | None = None

    @property
    def value(self) -> str:
        """What the fact says: its object, or its content where it has none."""
        return self.object if self.object else self.content


@dataclass(frozen=True, slots=True)
class OrderChange:
    """A standing order that a decision makes rule, or stops from ruling."""

    about: OrderKind
    verdict: str
    agent_id: str
    subject: str | None
    predicate: str | None
    value: str | None
    number: float | None
    rules: bool
    """Whether it rules afterwards."""


@dataclass(frozen=True, slots=True)
class Told:
    """What became of one claim or end of a decision, in the order told."""

    id: str
    role: Role
    fact_id: str
    """The fact that it is or confirms; its own id otherwise."""
    state: State | None
    valid_from: datetime
    valid_until: datetime | None
    closed: tuple[str, ...]
    """Ids of the facts that end where this one starts, and did not before."""


@dataclass(frozen=True)
class Effects:
    """What a decision does, computed the same way for a preview and for the act itself."""

    emptied: tuple[tuple[str, str, str], ...]
    """(agent, subject, predicate) of facts that had a current value and have none afterwards."""
    gaps: tuple[tuple[str, str, str, datetime], ...]
    """The same with the instant from which nothing holds, where something did before."""
    orders: tuple[OrderChange, ...]
    """Standing orders that begin or cease to rule."""
    told: tuple[Told, ...]
    counts: Mapping[ChangeKind, int]
    """How many changes of each kind there are; kinds without any are absent."""
    listed: Callable[[], tuple[FactChange, ...]] = field(repr=False, compare=False)
    """Makes the changes, which a large write never looks at."""
    digested: Callable[[], str] = field(repr=False, compare=False)
    """Makes the digest, which most acts never ask for."""

    @cached_property
    def changes(self) -> tuple[FactChange, ...]:
        """What happens to each fact, in the order told."""
        return self.listed()

    @cached_property
    def digest(self) -> str:
        """Equal for equal effects; `apply(expect=...)` refuses when it differs."""
        return self.digested()

    def of(self, *kinds: ChangeKind) -> tuple[FactChange, ...]:
        """The changes of these kinds, in order."""
        return tuple(change for change in self.changes if change.kind in kinds)


@dataclass(frozen=True, slots=True)
class Applied:
    """A decision that was taken: its number, its time, and what it did."""

    seq: int
    at: datetime
    effects: Effects
