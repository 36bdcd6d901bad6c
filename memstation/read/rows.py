"""The rows that lists, panes and commands show. Plain data made by the queries of this room."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from memstation.domain.decisions import MarkKind
from memstation.domain.memory import Confirmation, FactRecord, State
from memstation.read.conflict_rows import NamesDue
from memstation.read.gate_rows import NO_COUNTS, NONE_WAITING, EventRow, GateCounts, Waiting

PAGE = 200
"""Rows of one page of a list."""

CONTENT_SHOWN = 2000
"""Characters of a memory's content that a list row carries; its record has them all."""


@dataclass(frozen=True, slots=True)
class FactRow:
    """One fact in the Timeline's list. `content` is its beginning, `CONTENT_SHOWN` characters at most."""

    n: int
    id: str
    agent_id: str
    state: State
    tainted: bool
    subject: str | None
    predicate: str | None
    object: str | None
    content: str
    valid_from: datetime
    valid_until: datetime | None
    origin: str | None
    trust: float
    many: bool
    """Whether its predicate holds many values."""

    @property
    def value(self) -> str:
        """What the fact says: its object, or its content where it has none."""
        return self.object if self.object else self.content


@dataclass(frozen=True, slots=True)
class Lane:
    """One segment, or one held or withdrawn claim, on the time axis of a fact."""

    n: int
    id: str
    state: State
    value: str
    start: datetime
    until: datetime | None
    confirmed: tuple[datetime, ...]
    """Starts of the confirmations, oldest first, at most 50 of them."""
    trust: float
    origin: str | None


@dataclass(frozen=True, slots=True)
class ReadCount:
    """How often agents read something, and when last."""

    times: int = 0
    last: datetime | None = None
    """None where nobody read it."""
    since: datetime | None = None
    """The first day on which it was read (00:00 UTC)."""
    memories: int = 0
    """How many of the memories asked about were read at all."""
    lately: int = 0
    """How many of them within the last hour."""


NEVER_READ = ReadCount()


@dataclass(frozen=True, slots=True)
class FactDetail:
    """All that is shown of one fact: the record, its chain, why it is believed, and what came of it."""

    record: FactRecord
    lanes: tuple[Lane, ...]
    """Every segment of its fact, and what is held or withdrawn, oldest start first."""
    confirmations: tuple[Confirmation, ...]
    confirmed: int
    """How many confirmations there are in all."""
    replaced: Lane | None
    """The fact whose window it ended."""
    replaced_by: Lane | None
    made_from: tuple[FactRow, ...]
    unknown_sources: tuple[str, ...]
    """Cited ids that this agent's store does not have."""
    leads_to: tuple[FactRow, ...]
    """Memories that were made from it, the newest 50."""
    told: LogRow
    """The decision that told it."""
    marks: tuple[str, ...]
    """Judgements that stand on it: ``kind`` or ``kind: reason``."""
    lanes_left_out: int = 0
    """Segments and claims of its fact that are too far away to be among the lanes."""
    reads: ReadCount = NEVER_READ
    """How often its agent read it."""


@dataclass(frozen=True, slots=True)
class LogRow:
    """One decision in the Log."""

    seq: int
    at: datetime
    actor: str
    agent_id: str
    kind: str
    """A key of `domain.decisions.DECISION_KINDS`."""
    reason: str
    stands: bool
    taken_back_by: int | None
    """The undo that stands against it."""
    target: int | None
    """For an undo: the decision that it took back."""
    group: int | None
    facts: int
    """Claims and ends that it told."""
    closed: int
    """Facts that it ended or withdrew."""
    summary: str
    """What it was about: stored text, to be shown through the safe door only."""
    held: int = 0
    """Memories that it held."""
    dropped: int = 0
    """Memories that it dropped."""


@dataclass(frozen=True, slots=True)
class LogDetail:
    """A decision with the statements that carry its number, the first 50 of each kind."""

    row: LogRow
    told: tuple[FactRow, ...]
    marks: tuple[tuple[str, FactRow], ...]
    """(kind or ``kind: reason``, the fact that it is about)."""
    orders: tuple[str, ...]
    ended: tuple[FactRow, ...]
    """Facts on which an end was told."""
    erased: int = 0
    """Memories that it told and that were erased since."""
    events: tuple[EventRow, ...] = ()
    """What the gate noted with it: what it dropped, and why it held what it held."""


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One agent on Today, with counts since a moment."""

    agent_id: str
    facts: int
    """Current facts."""
    new: int
    changed: int
    held: int
    last_write: datetime | None
    days: tuple[int, ...]
    """Writes of the last 14 days, oldest first."""
    dropped: int = 0
    """Memories that the gate dropped since."""


@dataclass(frozen=True, slots=True)
class DueRow:
    """A fact that starts or ends by the clock soon."""

    fact: FactRow
    at: datetime
    starts: bool


ChangeDone: TypeAlias = MarkKind | Literal["told", "ended", "undone"]
"""What a decision did to a fact."""


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One thing that changed since the last visit, newest first."""

    at: datetime
    agent_id: str
    seq: int
    actor: str
    fact: FactRow
    """As it is now."""
    done: ChangeDone = "told"
    """What was done to it then."""


@dataclass(frozen=True, slots=True)
class Overview:
    """What Today shows."""

    since: datetime | None
    """The last visit; None on the first."""
    agents: tuple[AgentRow, ...]
    due: tuple[DueRow, ...]
    """What starts or ends within the next day, soonest first."""
    held_count: int
    changes: tuple[ChangeRow, ...]
    """The newest 50 changes since the last visit."""
    new: int
    changed: int
    head: LogRow | None
    """The newest decision."""
    mine: LogRow | None
    """The operator's own newest decision that stands."""
    waiting: Waiting = NONE_WAITING
    """What waits for a person."""
    gate: GateCounts = NO_COUNTS
    """What the gate did in the last hours."""
    dropped: int = 0
    """What it dropped since the last visit."""
    names: tuple[NamesDue, ...] = ()
    """What is to be said of the names of each agent; agents of which nothing is are left out."""
    dropped_from: tuple[tuple[str, str, int], ...] = ()
    """(source, agent, how many) of that, the most first, at most three; empty on the first visit."""


DifferenceKind: TypeAlias = Literal["changed", "gone", "new", "same"]
"""How a belief compares with another: another value or trust, believed then only, believed now only, alike."""


@dataclass(frozen=True, slots=True)
class PastMoment:
    """A point on both clocks: what was believed at `seq` about `at`."""

    at: datetime
    """World time."""
    seq: int
    """The newest decision that is believed; 0 before the first."""
    known: datetime
    """Belief time: the instant asked for, or the time of decision `seq`."""


@dataclass(frozen=True, slots=True)
class PastRow:
    """One belief at a moment, beside what is believed at another (mostly: now)."""

    key: str
    """Stable while both moments stay: the fact's key, and its object's where a predicate held many values."""
    kind: DifferenceKind
    agent_id: str
    subject: str | None
    predicate: str | None
    then: FactRow | None
    """As it was believed then, with the window, trust and value of then; None where it was not known."""
    now: FactRow | None
    """As it is believed at the other moment; None where nothing is."""
    since: datetime | None
    """When the difference arose: the time of `cause`, or the instant at which a window began or ended by the clock."""
    cause: LogRow | None
    """The newest decision between the moments that touched it and made it so; None: time passed, or kind ``same``."""


@dataclass(frozen=True, slots=True)
class PastDetail:
    """All about one row of a comparison."""

    row: PastRow
    then: FactRecord | None
    now: FactRecord | None
    decisions: tuple[LogRow, ...]
    """The decisions between the two moments that touched this fact, oldest first, the newest 50."""
    withdrawn: str
    """For ``gone``: the stamp of what withdrew it, as in `FactRecord.invalidated_by_event`; empty elsewhere."""
