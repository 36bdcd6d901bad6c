"""Finds all that an erasure of a person reaches, by text SQL on the ledger's cursor. It never writes."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from memstation.domain.aliases import BETWEEN
from memstation.domain.mentions import is_named, strings_of
from memstation.domain.names import fold_name, is_blank
from memstation.store import stubs, text_index
from memstation.store.rules import joined_names

_ROWS = f"""SELECT n, id, role, subject, predicate, object, content, tags, source_event, metadata, origin, value_digest,
    seq FROM memories WHERE agent_id = ? AND role <> '{stubs.ROLE}' ORDER BY n"""
_ORDERS = """SELECT seq, k, about, subject, predicate, value FROM orders
    WHERE agent_id = ? AND about IN ('alias', 'suggestion', 'conflict', 'rejected')"""


@dataclass(frozen=True, slots=True)
class Erasable:
    """What an erasure reaches, and what it leaves standing."""

    agent_id: str
    names: tuple[str, ...]
    """Folded: the one asked for, and those joined to it."""
    ids: tuple[str, ...]
    """Claims and ends, by `n`."""
    roles: Mapping[str, int]
    texts: int
    """Different values among them."""
    indexed: int
    """Entries of the text index."""
    orders: tuple[tuple[int, int], ...]
    marks: tuple[tuple[int, int, int], ...]
    reasons: tuple[int, ...]
    events: tuple[tuple[int, int], ...]
    """What the gate noted, by (seq, k)."""
    mentions: tuple[str, ...]
    """Ids of memories that name it and are about something else; left standing unless they were asked for."""


@dataclass(slots=True)
class _Gathered:
    ids: list[str] = field(default_factory=list)
    ns: set[int] = field(default_factory=set)
    roles: Counter[str] = field(default_factory=Counter)
    values: set[bytes] = field(default_factory=set)
    mentions: list[str] = field(default_factory=list)
    facts: set[tuple[str, str, str]] = field(default_factory=set)
    """(subject, predicate, value), folded, of what goes."""
    texts: set[str] = field(default_factory=set)
    notes: set[str] = field(default_factory=set)


def erasable(cursor: sqlite3.Cursor, agent_id: str, about: str, *, mentions: bool = False) -> Erasable:
    """Everything of an agent about a name, and what of it lies elsewhere.

    Args:
        cursor: a cursor on one snapshot.
        agent_id: whose memories.
        about: the name, in any spelling.
        mentions: take memories about something else that have the name as whole words, too.
    """
    names = joined_names(cursor, agent_id, about)
    found = _gather(cursor, agent_id, names, mentions)
    indexed = sum(count for role, count in found.roles.items() if role in text_index.INDEXED_ROLES)
    orders = tuple(_orders(cursor, agent_id, names, found, mentions))
    return Erasable(
        agent_id, names, tuple(found.ids), dict(found.roles), len(found.values), indexed, orders,
        tuple(_marks(cursor, agent_id, names, found)), tuple(_reasons(cursor, agent_id, names, found)),
        tuple(_events(cursor, agent_id, names, found)),
        tuple(found.mentions),
    )  # fmt: skip


def _gather(cursor: sqlite3.Cursor, agent_id: str, names: tuple[str, ...], mentions: bool) -> _Gathered:
    found = _Gathered()
    ends: list[tuple[Any, ...]] = []
    for row in cursor.connection.cursor().execute(_ROWS, (agent_id,)):
        _n, memory_id, role, subject, predicate = row[:5]
        is_about = subject is not None and fold_name(subject) in names
        named = is_about or is_named(_words(row), names)
        if is_about or (named and mentions):
            _take(found, row)
            continue
        if role == "end" and (is_blank(subject) or is_blank(predicate)):
            ends.append(row)
        elif named:
            found.mentions.append(memory_id)
    for row in ends:
        # The end of a note goes by the note's id: without the note it ends nothing.
        if json.loads(row[9]).get("of") in found.notes:
            _take(found, row)
        elif is_named(_words(row), names):
            found.mentions.append(row[1])
    return found


def _take(found: _Gathered, row: tuple[Any, ...]) -> None:
    n, memory_id, role, subject, predicate, object_, content, *_, value_digest, _seq = row
    found.ids.append(memory_id)
    found.ns.add(n)
    found.roles[role] += 1
    found.values.add(value_digest)
    found.texts.update(text for text in (fold_name(content), fold_name(object_ or "")) if len(text) > 3)
    value = content if is_blank(object_) else object_
    found.facts.add((fold_name(subject or ""), fold_name(predicate or ""), fold_name(value)))
    if is_blank(subject) or is_blank(predicate):
        found.notes.add(memory_id)


def _words(row: tuple[Any, ...]) -> str:
    _, memory_id, _, subject, predicate, object_, content, tags, source_event, metadata, origin, *_ = row
    plain = (strings_of(tags), strings_of(metadata))
    return "\n".join(
        part or "" for part in (memory_id, subject, predicate, object_, content, source_event, origin, *plain)
    )


def _tells(text: str, names: tuple[str, ...], texts: set[str]) -> bool:
    """Whether a reason names somebody, or repeats an erased text anywhere: one too many is blanked, none too few."""
    folded = fold_name(text)
    return is_named(text, names) or any(erased in folded for erased in texts)


def _orders(
    cursor: sqlite3.Cursor, agent_id: str, names: tuple[str, ...], found: _Gathered, mentions: bool
) -> Iterator[tuple[int, int]]:
    for seq, k, about, subject, predicate, value in cursor.execute(_ORDERS, (agent_id,)).fetchall():
        folded, said = fold_name(subject or ""), fold_name(value or "")
        goes = folded in names or (folded, fold_name(predicate or ""), said) in found.facts
        if about in ("alias", "suggestion"):
            goes = goes or said in names
        elif about == "conflict":
            # A digest tells who guesses right, so what names somebody goes with it.
            parts = set(map(fold_name, (subject or "").split(BETWEEN)))
            goes = goes or bool(parts & set(names)) or is_named(subject or "", names)
        elif mentions or not folded:
            goes = goes or is_named(f"{subject or ''} {value or ''}", names)
        if goes:
            yield seq, k


def _marks(
    cursor: sqlite3.Cursor, agent_id: str, names: tuple[str, ...], found: _Gathered
) -> Iterator[tuple[int, int, int]]:
    """Reasons on what goes, and elsewhere those that contain some of it."""
    sql = """SELECT m.n, m.seq, m.k, m.reason FROM marks AS m JOIN memories AS r ON r.n = m.n
        WHERE m.reason <> '' AND r.agent_id = ? ORDER BY m.n, m.seq, m.k"""
    for n, seq, k, reason in cursor.execute(sql, (agent_id,)).fetchall():
        if n in found.ns or _tells(reason, names, found.texts):
            yield n, seq, k


def _events(
    cursor: sqlite3.Cursor, agent_id: str, names: tuple[str, ...], found: _Gathered
) -> Iterator[tuple[int, int]]:
    """What the gate noted about what goes; and excerpts that tell some of it."""
    sql = "SELECT seq, k, n, origin, detail FROM events WHERE agent_id = ? AND detail <> '{}' ORDER BY seq, k"
    for seq, k, n, origin, detail in cursor.execute(sql, (agent_id,)).fetchall():
        plain = json.dumps(json.loads(detail), ensure_ascii=False)
        if n in found.ns or _tells(f"{origin or ''} {plain}", names, found.texts):
            yield seq, k


def _reasons(cursor: sqlite3.Cursor, agent_id: str, names: tuple[str, ...], found: _Gathered) -> Iterator[int]:
    sql = "SELECT seq, reason FROM journal WHERE reason <> '' AND agent_id IN (?, '', '*') ORDER BY seq"
    for seq, reason in cursor.execute(sql, (agent_id,)).fetchall():
        if _tells(reason, names, found.texts):
            yield seq
