"""The rows of the Review room: what is held, and all that is shown of one. Plain data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memstation.domain.decisions import Effects
from memstation.domain.findings import Scan
from memstation.domain.memory import FactRecord
from memstation.read.rows import NEVER_READ, FactRow, LogRow, ReadCount


@dataclass(frozen=True, slots=True)
class HeldRow:
    """One memory that is held, or that was decided or ran out. `content` is its beginning, as in `FactRow`."""

    n: int
    id: str
    version: int
    """The number of the newest decision about it: a verdict on another version is refused."""
    agent_id: str
    subject: str | None
    predicate: str | None
    object: str | None
    content: str
    origin: str | None
    trust: float
    reason: str
    """A key of `domain.holding.HOLD_KINDS_OF_REASON`, or another program's word."""
    status: str
    """A `domain.holding.RequestStatus`."""
    valid_from: datetime
    created_at: datetime
    deadline: datetime | None
    """When it runs out; None where it waits for ever."""
    seconds: float | None
    """The whole time that it was given."""
    hits: int
    """How often the same source said the same again while it waited."""
    closes: str
    """The value that holds now where it would take its place; empty where nothing would close."""
    decided_at: datetime | None = None
    decided_by: str = ""
    decided_seq: int | None = None

    @property
    def value(self) -> str:
        """What it says: its object, or its content where it has none."""
        return self.object if self.object else self.content


@dataclass(frozen=True, slots=True)
class HoldWhy:
    """What the gate saw when it held a memory."""

    reason: str
    also: tuple[str, ...] = ()
    """Further reasons for which it would have been held."""
    rules: tuple[str, ...] = ()
    """Names of the injection rules that matched."""
    count: int | None = None
    """For a burst: new values of this source about the subject within the window, this one included."""
    limit: int | None = None
    window_seconds: int | None = None
    earlier: tuple[FactRow, ...] = ()
    """For a burst: what came before it in the same burst and is in use; holding it too is one key."""
    rejected_by: LogRow | None = None
    """The decision by which its value was rejected before."""


@dataclass(frozen=True, slots=True)
class HeldCard:
    """All that is shown of one held memory."""

    row: HeldRow
    record: FactRecord
    """The held memory itself, whole."""
    holds: FactRecord | None
    """What holds at its start, and would be closed or split by it."""
    why: HoldWhy
    scan: Scan
    """The rules that match its text, with their spans, and its hidden characters."""
    made_from: tuple[FactRow, ...]
    unknown_sources: tuple[str, ...]
    twins: int
    """Other held memories that say the same about the same fact."""
    told: LogRow
    """The decision that told it."""
    approve: Effects
    """What approving it would do."""
    deny: Effects
    """What denying it would do."""
    asks: tuple[str, ...]
    """Why approving it asks first: reasons as above, or ``full_trust`` (it would replace a fact of trust 1.0)."""
    reads: ReadCount = NEVER_READ
    """How often its agent read it, or what came before it in the same burst, while that was in use."""


@dataclass(frozen=True, slots=True)
class ReviewCounts:
    """How many wait, for the badge, Today and the head of the room."""

    waiting: int
    """Held and waiting for a person, without those of blocked sources."""
    blocked: int
    """Held because their source is blocked."""
    due_today: int
    """Of the waiting ones, how many run out before the day ends (UTC)."""
    urgent: int
    """Of the waiting ones, how many have used two thirds of their time."""
    lapsed: int
    """What ran out undecided and can be brought back."""
    soonest: datetime | None = None
