"""The rows of the Sources room: who tells what is known, and all that is shown of one of them. Plain data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memstation.domain.origins import ceiling, origin_class
from memstation.read.rows import FactRow, LogRow


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


@dataclass(frozen=True, slots=True)
class AgentShare:
    """What one agent was told by a source."""

    agent_id: str
    facts: int
    held: int
    withdrawn: int


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One source, of one agent or of all of them together."""

    origin: str | None
    """As the door wrote it, compared exactly; None for what was told before there were sources."""
    agents: tuple[AgentShare, ...]
    """Whom it told something, by name."""
    facts: int
    """Facts that stand, closed and scheduled ones among them."""
    held: int
    withdrawn: int
    confirms: int
    """Memories that say what another one said already, and count as evidence for it."""
    lowest: float | None
    """The lowest trust of its facts; None where none stands."""
    highest: float | None
    last: datetime | None
    """When it told something last; None where nothing of it was kept."""
    days: tuple[int, ...]
    """Memories told on each of the last 14 days (UTC), oldest first."""
    bursts: int
    """In the last 14 days: subjects about which it told too much at once, each day counted by itself."""
    dropped: int
    """In the last 14 days: memories that the gate dropped."""
    blocked_for: tuple[str, ...] = ()
    """Agents for whom it is blocked; ``*`` for all."""
    trust_set: float | None = None
    """The trust that the operator gave it, the lowest where it differs by agent; None for that of its class."""
    trust_for: tuple[str, ...] = ()
    """Agents for whom it was set; ``*`` for all."""

    @property
    def class_name(self) -> str:
        """Its class, as in `domain.origins`."""
        return origin_class(self.origin)

    @property
    def ceiling(self) -> float:
        """The highest trust that its class may claim, 0 to 1."""
        return ceiling(self.origin)

    @property
    def weight(self) -> float:
        """The trust by which sources are ordered: what the operator set, else its best fact's, else its ceiling."""
        if self.trust_set is not None:
            return self.trust_set
        return self.ceiling if self.highest is None else self.highest


@dataclass(frozen=True, slots=True)
class SourceDetail:
    """All that is shown of one source beside its row."""

    origin: str | None
    first: datetime | None
    """When it told something first."""
    made_from: int
    """Memories that were made from what it told."""
    bursts: tuple[datetime, ...]
    """Days (00:00 UTC) of its bursts of the last 14 days, newest first."""
    rules: tuple[str, ...]
    """Rules by which the gate dropped what it told in the last 14 days."""
    newest: tuple[FactRow, ...]
    """Its newest facts, held and withdrawn ones among them."""
    reads: ReadCount
    """How often agents read what it told."""
    near: tuple[str, ...]
    """Other sources with nearly the same name."""
    blocked_by: LogRow | None
    """The decision that blocked it."""
    trust_by: LogRow | None
    """The decision that set its trust."""
