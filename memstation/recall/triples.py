"""The triples of an agent that hold at a moment, for the graph, and what touched them since. It never writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memstation.domain.aliases import Aliases
from memstation.domain.instants import from_text
from memstation.domain.names import fold_name
from memstation.read.naming import joins
from memstation.read.querying import IN_LIST, Columns, in_list, quick, quick_one
from memstation.read.rows import PastMoment
from memstation.read.touched import touched
from memstation.recall.graph import Graph, Triple
from memstation.store.database import Snapshot
from memstation.store.lines import batches, holes
from memstation.store.schema import SHOWN_ROLES

_HOLDS = "valid_from <= ? AND (valid_until IS NULL OR ? < valid_until) AND subject IS NOT NULL"
_TRIPLES = f"""SELECT n, subject, object, origin_trust FROM memories INDEXED BY memories_page
    WHERE agent_id = ? AND {SHOWN_ROLES} AND role = 'fact' AND {_HOLDS}"""
_SOME = f"""SELECT n, subject, object, origin_trust FROM memories
    WHERE n IN {IN_LIST} AND agent_id = ? AND role = 'fact' AND {_HOLDS}"""
_OF_FACTS = "SELECT n FROM memories INDEXED BY memories_fact WHERE fact_key IN ({})"
_GENERATION = "SELECT generation FROM agents WHERE agent_id = ?"
_RULES = """SELECT seq, k, number FROM orders INDEXED BY orders_ruling
    WHERE about = 'origin_trust' AND agent_id IN (?, '*') AND rules = 1 ORDER BY seq, k"""
_ERASED = "SELECT max(seq) FROM erased"
_STARTS = f"""SELECT min(valid_from) FROM memories INDEXED BY memories_page
    WHERE agent_id = ? AND {SHOWN_ROLES} AND valid_from > ?"""
_ENDS = """SELECT min(valid_until) FROM memories INDEXED BY memories_boundary
    WHERE agent_id = ? AND valid_until IS NOT NULL AND role = 'fact' AND valid_until > ?"""


@dataclass(frozen=True, slots=True)
class Ground:
    """What must be alike for a graph to be kept current by what was touched alone; else it is made anew."""

    aliases: tuple[tuple[str, str], ...]
    rules: tuple[Columns, ...]
    """Trust that is set for whole sources."""
    erased: int
    """The newest erasure."""


def ground_of(conn: Snapshot, agent_id: str, aliases: Aliases) -> Ground:
    """The ground of an agent's graph now."""
    erased = quick_one(conn, _ERASED)
    flat = tuple(sorted((fold_name(alias), fold_name(title)) for alias, title in aliases.flat()))
    return Ground(flat, tuple(quick(conn, _RULES, (agent_id,))), (erased or (0,))[0] or 0)


def aliases_of(conn: Snapshot, agent_id: str) -> Aliases:
    """The groups of names of an agent."""
    return joins(conn, agent_id).names


def generation_of(conn: Snapshot, agent_id: str) -> int:
    """How often decisions touched the agent."""
    found = quick_one(conn, _GENERATION, (agent_id,))
    return 0 if found is None else int(found[0])


def next_boundary(conn: Snapshot, agent_id: str, at: str) -> str:
    """The next instant at which a fact starts or ends by the passing of time; stored text, after all when none does."""
    found = [quick_one(conn, sql, (agent_id, at)) for sql in (_STARTS, _ENDS)]
    return min((row[0] for row in found if row is not None and row[0] is not None), default="~")


def graph_at(conn: Snapshot, agent_id: str, at: str, aliases: Aliases) -> Graph:
    """The graph of the facts that hold at an instant (stored text), made anew."""
    return Graph.of(map(_triple, quick(conn, _TRIPLES, (agent_id, at, at))), aliases.title)


def touched_since(
    conn: Snapshot, agent_id: str, seq: int, then: str, head: int, at: str, most: int
) -> tuple[Sequence[int], list[Triple]] | None:
    """What may have changed in the graph between a decision at one instant and the newest one at another.

    Returns:
        The numbers of all rows it may be about, and those triples of them that hold now; None when there are more
        than `most`.
    """
    ns = touched_rows(conn, agent_id, seq, then, head, at, most)
    return None if ns is None else (ns, some(conn, agent_id, ns, at))


def touched_rows(
    conn: Snapshot, agent_id: str, seq: int, then: str, head: int, at: str, most: int
) -> Sequence[int] | None:
    """The numbers of all rows that may hold at one of two moments and not at the other; None for more than `most`."""
    before, after = from_text(then), from_text(at)
    found = touched(conn, agent_id, PastMoment(before, seq, before), PastMoment(after, head, after), head)
    facts = found.walked | found.stored
    if len(facts) + len(found.alone) > most:
        return None
    ns = set(found.alone)
    for batch in batches(sorted(facts)):
        ns.update(n for (n,) in quick(conn, _OF_FACTS.format(holes(batch)), batch))
    return sorted(ns)


def some(conn: Snapshot, agent_id: str, ns: Iterable[int], at: str) -> list[Triple]:
    """Those of these rows that are facts with a subject and hold at an instant, in the order told."""
    return sorted(map(_triple, quick(conn, _SOME, (in_list(ns), agent_id, at, at))), key=lambda triple: triple.n)


def _triple(row: Columns) -> Triple:
    return Triple(*row)
