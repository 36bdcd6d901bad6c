"""How often agents read memories, and when last. It counts nothing itself, and never writes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from memstation.domain.instants import from_text, to_text
from memstation.read.querying import IN_LIST, Columns, in_list, quick, quick_one
from memstation.read.source_rows import ReadCount
from memstation.store.database import Snapshot

LATELY = timedelta(hours=1)

_COUNT = """SELECT sum(r.times), max(r.last_at), min(r.day), count(DISTINCT r.n),
    count(DISTINCT CASE WHEN r.last_at > ? THEN r.n END)"""
_OF_IDS = f"""{_COUNT} FROM memories AS m CROSS JOIN reads AS r ON r.n = m.n WHERE m.id IN {IN_LIST}"""
_OF_ORIGIN = f"""{_COUNT} FROM memories AS m INDEXED BY memories_origin CROSS JOIN reads AS r ON r.n = m.n
    WHERE m.origin IS ? AND (? IS NULL OR m.agent_id = ?)"""
_ANY = "SELECT 1 FROM reads LIMIT 1"
NEVER_READ = ReadCount()


def reads_of(conn: Snapshot, ids: Iterable[str], now: str) -> ReadCount:
    """How often the memories with these ids were read by their agents, together."""
    return _count(quick_one(conn, _OF_IDS, (_lately(now), in_list(ids))))


def reads_of_origin(conn: Snapshot, origin: str | None, agent_id: str | None, now: str) -> ReadCount:
    """How often what a source told an agent (None: all) was read."""
    if not quick(conn, _ANY):
        return NEVER_READ
    return _count(quick_one(conn, _OF_ORIGIN, (_lately(now), origin, agent_id, agent_id)))


def _lately(now: str) -> str:
    try:
        return to_text(from_text(now) - LATELY)
    except OverflowError:
        return ""


def _count(found: Columns | None) -> ReadCount:
    if found is None or not found[0]:
        return NEVER_READ
    times, last, day, memories, lately = found
    return ReadCount(times, from_text(last), from_text(f"{day}T00:00:00.000000+00:00"), memories, lately)
