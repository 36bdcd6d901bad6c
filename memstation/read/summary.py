"""What an agent knows, in short: how much of which kind, what matters most, what is newest. It never writes.

Only what holds now is in it: nothing held, withdrawn, closed or still to come.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from memstation.domain.errors import InvalidInput
from memstation.domain.instants import InstantLike, as_instant, from_text, to_text
from memstation.domain.memory import LAYERS, FactRecord
from memstation.guard.shape import limit_of
from memstation.read import facts
from memstation.read.kept import numbers
from memstation.read.querying import agent_named, quick
from memstation.store.database import Snapshot
from memstation.store.schema import SHOWN_ROLES

_FROM = f"""FROM memories INDEXED BY memories_learned WHERE agent_id = ? AND {SHOWN_ROLES} AND role = 'fact'
    AND valid_from <= ? AND (valid_until IS NULL OR ? < valid_until) AND timestamp >= ? AND timestamp < ?"""
_COUNTS = f"SELECT layer, subject IS NOT NULL AND predicate IS NOT NULL, count(*) {_FROM} GROUP BY 1, 2"
_NEWEST = f"SELECT n {_FROM} ORDER BY n DESC LIMIT ?"
_WEIGHTIEST = f"SELECT n {_FROM} ORDER BY importance DESC, n DESC LIMIT ?"
_FIRST, _LAST = "", "9999-12-31T23:59:59.999999+00:00"


@dataclass(frozen=True, slots=True)
class Summary:
    """What an agent knows, of what it was told in a stretch of time."""

    agent_id: str
    at: datetime
    """The present, aware UTC."""
    since: datetime | None
    until: datetime | None
    """Not included."""
    layers: dict[str, int]
    """How many memories of each layer; those that there are none of, too."""
    facts: int
    """How many say something of a subject."""
    notes: int
    """How many do not."""
    important: tuple[FactRecord, ...]
    """The most important first, the newer first among equals."""
    newest: tuple[FactRecord, ...]
    """The newest learned first."""

    @property
    def total(self) -> int:
        """How many memories there are."""
        return self.facts + self.notes


def summary(
    conn: Snapshot, agent_id: str, now: str, since: InstantLike | None, until: InstantLike | None, limit: int
) -> Summary:
    """The summary of an agent; `limit` for each of its lists.

    Raises:
        InvalidInput: the limit is not 1 to 1,000, a bound is no instant, or the end is not after the start.
    """
    agent_id, limit = agent_named(agent_id), limit_of(limit)
    first = None if since is None else as_instant(since, "start")
    end = None if until is None else as_instant(until, "end")
    if first is not None and end is not None and end <= first:
        raise InvalidInput("The end is not after the start", "nothing lies between them")
    bounds = (_FIRST if first is None else to_text(first), _LAST if end is None else to_text(end))
    of = (agent_id, now, now, *bounds)
    layers: dict[str, int] = {layer: 0 for layer in LAYERS}
    kinds = Counter[int]()
    for layer, is_fact, count in quick(conn, _COUNTS, of):
        layers[layer] = layers.get(layer, 0) + count
        kinds[is_fact] += count
    important, newest = (
        tuple(facts.numbered(conn, numbers(conn, sql, (*of, limit)).tolist(), now)) for sql in (_WEIGHTIEST, _NEWEST)
    )
    return Summary(agent_id, from_text(now), first, end, layers, kinds[1], kinds[0], important, newest)
