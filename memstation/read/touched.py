"""Which facts may be believed otherwise at two moments: those spoken of between, and those crossing a boundary.

All other facts are believed as they are stored, at either moment. It never writes.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

from memstation.domain.decisions import EVERY_AGENT
from memstation.domain.instants import to_text
from memstation.read.conditions import Condition, all_of
from memstation.read.grammar import Item
from memstation.read.kept import numbers
from memstation.read.names import name_is, teach
from memstation.read.querying import IN_LIST, in_list, quick, quick_one
from memstation.read.rows import PastMoment
from memstation.store.database import Snapshot
from memstation.store.schema import SHOWN_ROLES

COVERS = "valid_from <= ? AND (valid_until IS NULL OR ? < valid_until)"
"""The window of a stored fact has an instant in it; takes it twice."""

_LAST = "SELECT last_n FROM journal WHERE seq <= ? AND last_n IS NOT NULL ORDER BY seq DESC LIMIT 1"
_REACHED = """WITH RECURSIVE reached(seq) AS (
        SELECT target FROM undoes WHERE seq > ?
        UNION SELECT undoes.target FROM reached CROSS JOIN undoes ON undoes.seq = reached.seq)
    SELECT seq FROM reached WHERE seq <= ?"""
_OLDER = """EXISTS (SELECT 1 FROM memories AS older INDEXED BY memories_fact
    WHERE older.fact_key = {}.fact_key AND older.n <= ?)"""
# Keys are digests: looked up in their own order, they lie beside one another in the index.
_TOLD = f"""WITH told AS MATERIALIZED (
        SELECT fact_key FROM memories NOT INDEXED WHERE n > ? AND n <= ? AND agent_id = ? GROUP BY fact_key)
    SELECT fact_key, {_OLDER.format("told")} FROM told"""
_MARKED = """SELECT DISTINCT memories.fact_key FROM marks INDEXED BY marks_seq
    CROSS JOIN memories ON memories.n = marks.n WHERE marks.seq {} AND memories.n <= ? AND memories.agent_id = ?"""
_UNDONE = f"""SELECT DISTINCT memories.fact_key FROM journal
    CROSS JOIN memories ON memories.n BETWEEN journal.first_n AND journal.last_n
    WHERE journal.seq IN {IN_LIST} AND memories.agent_id = ?"""
_RULED = "SELECT DISTINCT predicate FROM orders WHERE seq {} AND about = 'predicate' AND agent_id IN (?, ?)"
_RETRUSTED = "SELECT DISTINCT value FROM orders WHERE seq {} AND about = 'origin_trust' AND agent_id IN (?, ?)"
_TOLD_BY = "SELECT DISTINCT fact_key FROM memories WHERE origin = ? AND agent_id = ? AND n <= ?"
_BORN = f"""WITH told AS MATERIALIZED (
        SELECT n, fact_key FROM memories NOT INDEXED WHERE n > ? AND agent_id = ? AND role = 'fact' AND {COVERS}
        ORDER BY fact_key)
    SELECT n FROM told WHERE NOT {_OLDER.format("told")}"""
_CROSSING = f"""WITH crossing AS MATERIALIZED (
        SELECT n, fact_key FROM memories WHERE n <= ? AND ({COVERS}) <> ({COVERS}) AND n IN (
            SELECT n FROM memories INDEXED BY memories_page
                WHERE agent_id = ? AND {SHOWN_ROLES} AND role = 'fact' AND valid_from > ? AND valid_from <= ?
            UNION SELECT n FROM memories INDEXED BY memories_boundary
                WHERE agent_id = ? AND role = 'fact' AND valid_until > ? AND valid_until <= ?)),
    alone AS (SELECT n, fact_key, NOT EXISTS (SELECT 1 FROM memories AS other INDEXED BY memories_fact
        WHERE other.fact_key = crossing.fact_key AND other.role = 'fact' AND other.n <> crossing.n
            AND ({COVERS} OR {COVERS})) AS is_alone FROM crossing
        WHERE hex(fact_key) NOT IN {IN_LIST})"""
_ALONE = f"{_CROSSING} SELECT n FROM alone WHERE is_alone"
_PAIRED = f"{_CROSSING} SELECT DISTINCT fact_key FROM alone WHERE NOT is_alone"


@dataclass(frozen=True, slots=True)
class Touched:
    """What must be looked at to compare two moments of an agent. Facts by their keys, lone beliefs by `n`."""

    last: int
    """The newest row that the earlier moment knows."""
    walked: frozenset[bytes]
    """Facts that were spoken of since, to be laid out anew."""
    stored: frozenset[bytes]
    """Facts that only crossed a boundary, and are believed as stored on both sides of it."""
    alone: array[int]
    """Rows that are believed as stored at one of the moments, where nothing is believed of their fact at the other."""


def touched(conn: Snapshot, agent_id: str, then: PastMoment, now: PastMoment, head: int) -> Touched:
    """What may be believed otherwise at `then` and `now`; `then` is the earlier in belief time, `head` the newest.

    Facts that are first told of since are rows to be shown as stored where `now` is the newest decision.
    """
    teach(conn)
    last, end = last_row(conn, then.seq), last_row(conn, now.seq)
    is_stored = now.seq == head
    walked: set[bytes] = set()
    for key, has_older in quick(conn, _TOLD, (last, last_row(conn, head), agent_id, last)):
        if has_older:
            walked.add(key)
    if not is_stored:
        found = quick(conn, _TOLD, (last, end, agent_id, last))
        walked |= {key for key, has_older in found if not has_older}
    walked |= _judged(conn, agent_id, then.seq, last)
    alone: array[int] = array("q")
    at_then, at_now = to_text(then.at), to_text(now.at)
    if is_stored:
        alone += numbers(conn, _BORN, (last, agent_id, at_now, at_now, last))
    stored: frozenset[bytes] = frozenset()
    if at_then != at_now:
        low, high = sorted((at_then, at_now))
        windows = (at_then, at_then, at_now, at_now)
        values = (last, *windows, agent_id, low, high, agent_id, low, high, *windows, _hexes(walked))
        alone += numbers(conn, _ALONE, values)
        stored = frozenset(key for (key,) in quick(conn, _PAIRED, values))
    return Touched(last, frozenset(walked), stored, alone)


def last_row(conn: Snapshot, seq: int) -> int:
    """The newest row told by a decision up to `seq`; 0 when there is none."""
    found = quick_one(conn, _LAST, (seq,))
    return 0 if found is None else int(found[0])


def untouched(agent_id: str, then: PastMoment, now: PastMoment, found: Touched) -> Condition:
    """True of the stored facts that are believed alike at both moments, and were not looked at."""
    at_then, at_now = to_text(then.at), to_text(now.at)
    return Condition(
        f"""agent_id = ? AND {SHOWN_ROLES} AND role = 'fact' AND n <= ? AND {COVERS} AND {COVERS}
            AND hex(fact_key) NOT IN {IN_LIST}""",
        (agent_id, found.last, at_then, at_then, at_now, at_now, _hexes(found.walked | found.stored)),
    )


def apart(agent_id: str, found: Touched) -> Condition:
    """True of the rows that were held or withdrawn at the earlier moment, as they are stored."""
    return Condition(
        f"""agent_id = ? AND {SHOWN_ROLES} AND role IN ('held', 'withdrawn') AND n <= ?
            AND hex(fact_key) NOT IN {IN_LIST}""",
        (agent_id, found.last, _hexes(found.walked)),
    )


def _hexes(keys: Iterable[bytes]) -> str:
    return in_list(sorted(key.hex().upper() for key in keys))


def _judged(conn: Snapshot, agent_id: str, after: int, last: int) -> set[bytes]:
    """Facts told of before, that a mark, a rule, the trust of a source or an undo since then was about."""
    reached = in_list(seq for (seq,) in quick(conn, _REACHED, (after, after)))
    found = quick(conn, _MARKED.format("> ?"), (after, last, agent_id))
    predicates = quick(conn, _RULED.format("> ?"), (after, agent_id, EVERY_AGENT))
    sources = quick(conn, _RETRUSTED.format("> ?"), (after, agent_id, EVERY_AGENT))
    if reached != "[]":
        sources += quick(conn, _RETRUSTED.format(f"IN {IN_LIST}"), (reached, agent_id, EVERY_AGENT))
        found += quick(conn, _MARKED.format(f"IN {IN_LIST}"), (reached, last, agent_id))
        found += quick(conn, _UNDONE, (reached, agent_id))
        predicates += quick(conn, _RULED.format(f"IN {IN_LIST}"), (reached, agent_id, EVERY_AGENT))
    keys = {key for (key,) in found}
    for (origin,) in set(sources):
        keys |= {key for (key,) in quick(conn, _TOLD_BY, (origin, agent_id, last))}
    for (predicate,) in set(predicates):
        keys |= _saying(conn, agent_id, predicate, last)
    return keys


def _saying(conn: Snapshot, agent_id: str, predicate: str, last: int) -> set[bytes]:
    """Every fact of an agent with this predicate, through the text index where that finds them all."""
    known = Condition(f"agent_id = ? AND {SHOWN_ROLES} AND n <= ?", (agent_id, last))
    wanted = all_of([known, name_is("predicate", Item(predicate))])
    source, values = "memories INDEXED BY memories_learned WHERE", wanted.values
    if wanted.match:
        source = "memory_text CROSS JOIN memories ON memories.n = memory_text.rowid WHERE memory_text MATCH ? AND"
        values = (wanted.match, *values)
    return {key for (key,) in quick(conn, f"SELECT DISTINCT fact_key FROM {source} {wanted.sql}", values)}
