"""The rows of candidates as they are today: what holds at a moment, what does not and why. It never writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from memstation.domain.instants import from_text
from memstation.read.querying import IN_LIST, in_list, quick
from memstation.recall.ranking import Standing
from memstation.store.database import Snapshot

_ROWS = f"""SELECT n, content, subject, predicate, object, importance, origin_trust, access_count,
    coalesce(last_accessed, timestamp), valid_from, valid_until, layer
    FROM memories WHERE n IN {IN_LIST} AND role = 'fact' AND agent_id = ?"""
_READ = f"SELECT n, sum(times), max(last_at) FROM reads WHERE n IN {IN_LIST} GROUP BY n"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that may be a hit."""

    n: int
    text: str
    """All of it in which words are looked for."""
    importance: float
    trust: float
    access_count: int
    seen: str
    """When it was read last, else when it was recorded; stored text."""

    @property
    def standing(self) -> Standing:
        """What it brings along to be ranked."""
        return Standing(self.importance, self.trust, self.access_count, from_text(self.seen))


def text_of(content: str, *names: str | None) -> str:
    """A memory's text with its names, as it is searched."""
    return "\n".join([content, *filter(None, names)])


def of_today(
    conn: Snapshot, agent_id: str, ns: Iterable[int], at: str, layer: str | None, dropped: Counter[str]
) -> list[Candidate]:
    """Those of an agent's facts that hold at an instant, in the order asked for; `dropped` counts the others."""
    wanted = list(ns)
    if not wanted:
        return []
    found = {row[0]: row for row in quick(conn, _ROWS, (in_list(wanted), agent_id))}
    read = reads_of(conn, wanted)
    kept = []
    for n in wanted:
        row = found.get(n)
        why = _why_not(row, at, layer)
        if why:
            dropped[why] += 1
        elif row is not None:
            kept.append(_candidate(row, *read.get(n, (0, ""))))
    return kept


def _why_not(row: Sequence[Any] | None, at: str, layer: str | None) -> str:
    if row is None:
        return "gone"
    start, until = row[9], row[10]
    if start > at:
        return "scheduled"
    if until is not None and until <= at:
        return "closed"
    return "layer" if layer is not None and row[11] != layer else ""


def _candidate(row: Sequence[Any], times: int, last: str) -> Candidate:
    n, content, subject, predicate, object_, importance, trust, used, seen = row[:9]
    text = text_of(content, subject, predicate, object_)
    return Candidate(n, text, importance, trust, used + times, max(seen, last))


def reads_of(conn: Snapshot, ns: Iterable[int]) -> dict[int, tuple[int, str]]:
    """How often memories were read by agents, and when last (stored text); those never read are left out."""
    return {n: (times, last) for n, times, last in quick(conn, _READ, (in_list(ns),))}
