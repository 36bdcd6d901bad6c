"""What the gate did, as rows: what it saw, how often, which values are rejected. Plain data; nothing here reads."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class EventRow:
    """What the gate saw of one memory that it dropped or held. Texts are as stored: show them through the safe door."""

    kind: str
    """A `domain.decisions.EventKind`."""
    agent_id: str
    origin: str | None
    memory_id: str | None = None
    """The memory that was held; None for one that was dropped, or erased since."""
    reason: str = ""
    """Why it was held; empty for a drop."""
    also: tuple[str, ...] = ()
    """Further reasons for which it would have been held."""
    rules: tuple[str, ...] = ()
    """Names of the injection rules that matched."""
    excerpt: str = ""
    """A short piece of what was dropped, around what matched."""
    where: str = ""
    """In which of its texts that was."""
    count: int | None = None
    """For a burst: how many new values there were within the window."""
    limit: int | None = None
    rejected_seq: int | None = None
    """The decision by which its value was rejected before."""

    @property
    def is_drop(self) -> bool:
        """Whether the memory was dropped."""
        return self.kind == "prompt_injection"


@dataclass(frozen=True, slots=True)
class GateCounts:
    """What the gate did in the last hours."""

    hours: int = 24
    held: int = 0
    dropped: int = 0
    seen_again: int = 0
    """Held because a person had rejected the value before, and what was said again of those that wait."""


NO_COUNTS = GateCounts()


@dataclass(frozen=True, slots=True)
class HeldGroup:
    """What one source told one agent and waits for one reason, counted."""

    agent_id: str
    origin: str | None
    reason: str
    count: int
    subject: str | None
    """What all of it is about; None where that is not one thing, or has no name."""
    deadline: datetime | None
    """When the first of it runs out; None where all of it waits for ever."""
    n: int
    """The memory of it that was told first."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for a person, for Today."""

    groups: tuple[HeldGroup, ...] = ()
    """What runs out first stands first; without what blocked sources told."""
    blocked: HeldGroup | None = None
    """What blocked sources told, all of it together."""
    lapsed: int = 0
    """What ran out undecided since the last visit and was not brought back."""
    lapsed_at: datetime | None = None
    """When the last of that ran out."""


NONE_WAITING = Waiting()


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """One value that a person rejected, and that is held when it comes again."""

    seq: int
    """The decision that rejects it; with `k` the name under which it is lifted."""
    k: int
    agent_id: str
    subject: str | None
    predicate: str | None
    value: str
    at: datetime
    actor: str
    kind: str
    """The kind of that decision, a key of `domain.decisions.DECISION_KINDS`."""
    reason: str
    hits: int
    """How often it came again since, from any source."""
    last_seen: datetime | None
    """When it came again last."""
