"""Vectors that a model made of memories and names, kept beside them. They are no statements, and must decide nothing.

What a model makes is a paraphrase of the text: it goes when the text goes, and is of no other model's kind.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memstation.domain.names import fold_name
from memstation.store.lines import batches, holes

_ADD_MEMORIES = """INSERT OR REPLACE INTO memory_embedding (model, agent_id, n, dim, vector)
    SELECT ?, agent_id, n, ?, ? FROM memories WHERE n = ? AND agent_id = ? AND role = 'fact'"""
_ADD_NAMES = """INSERT OR REPLACE INTO entity_embedding (model, agent_id, entity, dim, vector)
    SELECT ?, agent_id, ?, ?, ? FROM agents WHERE agent_id = ?"""

STRAY_MEMORIES = """NOT EXISTS (SELECT 1 FROM memories AS m WHERE m.n = e.n AND m.agent_id = e.agent_id
    AND m.role NOT IN ('erased', 'end')) OR length(e.vector) <> 4 * e.dim OR e.dim < 1"""
"""True of a vector (`e`) of what is no memory of that agent, or that is not of its length."""

STRAY_NAMES = """NOT EXISTS (SELECT 1 FROM agents AS a WHERE a.agent_id = e.agent_id)
    OR length(e.vector) <> 4 * e.dim OR e.dim < 1"""
"""The same of a name's vector: of no agent, or not of its length."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """What one model made of some memories and names of an agent, each as little-endian 4-byte floats."""

    agent_id: str
    model: str
    dim: int
    memories: Sequence[tuple[int, bytes]] = ()
    """By the numbers of the memories."""
    names: Sequence[tuple[str, bytes]] = ()
    """By folded titles."""


def erased_up_to(cursor: sqlite3.Cursor) -> int:
    """The newest erasure; 0 where nothing was erased."""
    found = cursor.execute("SELECT max(seq) FROM erased").fetchone()
    return found[0] or 0


def add(cursor: sqlite3.Cursor, made: Vectors, erased: int) -> bool:
    """Keep vectors, in the caller's transaction.

    Args:
        cursor: the writer's.
        made: the vectors.
        erased: the newest erasure that was known when the texts were read. After another one nothing is kept: the
            text may be what it erased.

    Returns:
        Whether they were kept.
    """
    if erased_up_to(cursor) != erased:
        return False
    cursor.executemany(_ADD_MEMORIES, [(made.model, made.dim, vector, n, made.agent_id) for n, vector in made.memories])
    cursor.executemany(_ADD_NAMES, [(made.model, name, made.dim, vector, made.agent_id) for name, vector in made.names])
    return True


def erase(cursor: sqlite3.Cursor, agent_id: str, ns: Iterable[int]) -> None:
    """Take away the vectors of erased memories, and those of names that no memory of the agent has any more."""
    for batch in batches(list(ns)):
        cursor.execute(f"DELETE FROM memory_embedding WHERE n IN ({holes(batch)})", batch)
    kept = {name for (name,) in cursor.execute("SELECT entity FROM entity_embedding WHERE agent_id = ?", (agent_id,))}
    if not kept:
        return
    told = cursor.connection.cursor().execute(
        "SELECT subject, object FROM memories WHERE agent_id = ? AND role <> 'erased'", (agent_id,)
    )
    for names in told:
        kept.difference_update(fold_name(name) for name in names if name is not None)
    cursor.executemany(
        "DELETE FROM entity_embedding WHERE agent_id = ? AND entity = ?", [(agent_id, name) for name in sorted(kept)]
    )


def drop_stray(cursor: sqlite3.Cursor) -> int:
    """Take away vectors of what is not there, and those that are not of their length. Returns how many."""
    count = 0
    for table, stray in (("memory_embedding", STRAY_MEMORIES), ("entity_embedding", STRAY_NAMES)):
        sql = f"DELETE FROM {table} WHERE id IN (SELECT e.id FROM {table} AS e WHERE {stray})"
        count += cursor.execute(sql).rowcount
    return count
