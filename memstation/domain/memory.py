"""What goes into the store and what comes out of it, as plain frozen data. No behaviour beyond reading a field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias

from memstation.domain.instants import InstantLike

Layer: TypeAlias = Literal["episodic", "semantic", "procedural"]
LAYERS: tuple[Layer, ...] = ("episodic", "semantic", "procedural")

Role: TypeAlias = Literal["fact", "confirms", "silent", "end", "held", "withdrawn", "erased"]
"""What a row is today: the walk's verdict on a claim, an end, or a claim that takes no part in the walk."""

State: TypeAlias = Literal["current", "scheduled", "closed", "held", "withdrawn"]
"""What a fact is at a moment; shown to the operator."""

Status: TypeAlias = Literal["stored", "superseded", "reaffirmed", "historical", "scheduled", "held", "dropped"]


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """A memory as an agent writes it (the seed's MemoryEntry)."""

    agent_id: str
    content: str
    tags: Sequence[str] = ()
    layer: str = "episodic"
    importance: float = 5.0
    """0 to 10."""
    source_event: str = ""
    """Name of the event or pipeline that wrote it."""
    id: str | None = None
    """Kept when given; else the store makes one that is ordered by time."""


@dataclass(frozen=True, slots=True)
class TemporalMeta:
    """When a memory holds, what it says as a triple, and where it comes from (the seed's TemporalMeta)."""

    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    valid_from: InstantLike | None = None
    """Start of the window; the present when it is missing."""
    valid_until: InstantLike | None = None
    """End of the window, not included; open when it is missing."""
    confidence: float = 1.0
    """0 to 1."""
    source_event: str = ""
    origin: str | None = None
    """``class`` or ``class:detail``; missing means unattributed."""
    origin_trust: float | None = None
    """0 to 1; can only lower what the origin's class allows."""
    derived_from: Sequence[str] = ()
    """Ids of the memories that this one was made from."""
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one write did."""

    id: str
    """The id of the fact: the existing one's when the write confirmed it."""
    status: Status
    closed: tuple[str, ...] = ()
    """Ids of the facts whose window this write ended."""
    reason: str = ""
    """Why it was held or dropped; or that text was repaired."""
    leaves_gap: datetime | None = None
    """The instant from which nothing holds any more, where something did before this write."""
    seq: int = 0
    """The decision's number in the journal."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """One piece of evidence for a fact: who told the same, and when."""

    id: str
    source_event: str
    origin: str | None
    at: datetime
    """When it was learned."""
    said_from: datetime
    """The start that it stated."""


@dataclass(frozen=True, slots=True)
class FactRecord:
    """A row of the store with every column by its name, instants as aware UTC datetimes.

    ``reaffirmed_by`` holds the newest 20 confirmations, newest first. ``asked`` is the id that was asked for when
    a confirming row stood behind the fact that is returned.
    """

    id: str
    agent_id: str
    content: str
    timestamp: datetime
    tags: tuple[str, ...]
    created_at: datetime
    layer: str
    importance: float
    access_count: int
    last_accessed: datetime | None
    source_event: str
    valid_from: datetime
    valid_until: datetime | None
    superseded_by: str | None
    supersedes: str | None
    subject: str | None
    predicate: str | None
    object: str | None
    confidence: float
    metadata: Mapping[str, Any]
    origin: str | None
    origin_trust: float
    derived_from: tuple[str, ...]
    ingested_at: datetime
    invalidated_by_event: str | None
    invalidated_at: datetime | None
    quarantined: bool
    n: int
    seq: int
    role: Role
    asserted_from: datetime
    asserted_until: datetime | None
    asserted_trust: float
    state: State
    reaffirmed_by: tuple[Confirmation, ...] = ()
    asked: str | None = None


@dataclass(frozen=True, slots=True)
class BatchFetch:
    """The answer to a fetch by ids: each distinct id once, in the order of the request."""

    memories: tuple[FactRecord, ...]
    missing_ids: tuple[str, ...]

    @property
    def total_found(self) -> int:
        """How many of the distinct ids were found."""
        return len(self.memories)

    @property
    def total_missing(self) -> int:
        """How many of the distinct ids are unknown, or another agent's, or held."""
        return len(self.missing_ids)
