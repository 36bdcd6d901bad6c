"""Which memories the text index finds for a query, the likeliest first. It never writes.

Of words in very many memories the newest are taken. Nothing that another agent told, or that is held, moves the
order: the index is asked for an agent's own facts only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memstation.read.kept import numbers
from memstation.read.querying import IN_LIST, in_list, quick, quick_one
from memstation.recall.query import Query, Word
from memstation.recall.ranking import MOST_COUNTED, rarity
from memstation.store.database import Snapshot
from memstation.store.text_index import label

MOST_HITS = 2_000
"""Of a word that more memories hold, the newest so many are looked at."""

_FROM = """SELECT count(*) FROM (
    SELECT rowid FROM memory_text WHERE memory_text MATCH ? AND rowid >= ? ORDER BY rowid DESC LIMIT ?)"""

ENOUGH = 100
"""Candidates of which each is looked at."""

MOST_CHOOSING = 3
"""Common words that choose among the hits of rarer ones: the least common."""

_ROLES = f"SELECT role, count(*) FROM memories WHERE n IN {IN_LIST} GROUP BY role"
_NEWEST = "SELECT rowid AS n FROM memory_text WHERE memory_text MATCH ? ORDER BY rowid DESC LIMIT ?"


@dataclass(frozen=True, slots=True)
class Candidates:
    """Numbers of memories, by how much of the query they hold, then the newest first."""

    ns: NDArray[np.int64]
    words: tuple[tuple[Word, float], ...]
    """The words found anywhere, each with its rarity."""
    common: tuple[Word, ...]
    """Words of which only the newest hits were looked at."""


def of_facts(conn: Snapshot, agent_id: str, query: Query, among: int | None = None) -> Candidates:
    """What the index finds among an agent's facts, closed ones too; `among` is their `count_of` where it is known."""
    return _gather(conn, _facts_of(agent_id), query, count_of(conn, agent_id) if among is None else among)


def count_of(conn: Snapshot, agent_id: str) -> int:
    """How many facts an agent has in the index, closed ones too; counted up to `MOST_COUNTED`."""
    return _count(conn, _facts_of(agent_id), 0, MOST_COUNTED)


def _facts_of(agent_id: str) -> str:
    return f'whose : "{label(agent_id, "fact")}"'


def of_all(conn: Snapshot, agent_id: str, query: Query) -> Candidates:
    """What the index finds in all that an agent was told, the held and the withdrawn too: for the past."""
    whose = f'whose : ("{label(agent_id, "fact")}" OR "{label(agent_id, "held")}")'
    return _gather(conn, whose, query, _count(conn, whose, 0, MOST_COUNTED))


def others_matching(conn: Snapshot, agent_id: str, query: Query) -> dict[str, int]:
    """How many ``held`` and how many ``withdrawn`` memories hold a word of the query; of the newest `MOST_HITS`."""
    if not query.words:
        return {}
    wanted = " OR ".join(f"({word.match})" for word in query.words)
    match = " AND ".join([f'whose : "{label(agent_id, "held")}"', f"({wanted})", *(p.match for p in query.phrases)])
    return dict(quick(conn, _ROLES, (in_list(_newest(conn, match, MOST_HITS)),)))


def _gather(conn: Snapshot, whose: str, query: Query, among: int) -> Candidates:
    base = " AND ".join([whose, *(phrase.match for phrase in query.phrases)])
    hits: dict[Word, list[int]] = {}
    common: list[Word] = []
    for word in query.words:
        ns = _newest(conn, f"{base} AND {word.match}", MOST_HITS + 1)
        if ns:
            hits[word] = ns
        if len(ns) > MOST_HITS:
            common.append(word)
    weights = {
        word: _rarity_of_common(conn, whose, ns) if word in common else rarity(len(ns), max(among, len(ns)))
        for word, ns in hits.items()
    }
    for word in common:
        hits[word].pop()
    _find_older(conn, base, hits, common)
    return Candidates(_ordered(list(hits.values()), list(weights.values())), tuple(weights.items()), tuple(common))


def _find_older(conn: Snapshot, base: str, hits: dict[Word, list[int]], common: Sequence[Word]) -> None:
    """Find older hits of common words that hold rarer words too, or every common one."""
    rare = {word: ns for word, ns in hits.items() if word not in common}
    count = sum(map(len, rare.values()))
    if not rare:
        if len(common) > 1:
            every = _newest(conn, " AND ".join([base, *(word.match for word in common)]), MOST_HITS)
            for word in common:
                hits[word] = list({*hits[word], *every})
    elif count > ENOUGH:
        # Few hits of rarer words are all looked at whatever else they hold; among many it chooses.
        others = " OR ".join(f"({word.match})" for word in rare)
        for word in sorted(common, key=lambda word: hits[word][-1])[:MOST_CHOOSING]:
            older = _newest(conn, f"{base} AND {word.match} AND ({others})", count)
            hits[word] = list({*hits[word], *older})


def _rarity_of_common(conn: Snapshot, whose: str, newest: Sequence[int]) -> float:
    """How rare a common word is, by how many memories its newest hits lie among."""
    looked = newest[: MOST_HITS // 10]
    return rarity(len(looked), max(len(looked), _count(conn, whose, looked[-1], MOST_COUNTED // 10)))


def _count(conn: Snapshot, whose: str, first: int, most: int) -> int:
    """How many memories are in the index from a number on, up to so many."""
    found = quick_one(conn, _FROM, (whose, first, most))
    return 0 if found is None else int(found[0])


def _newest(conn: Snapshot, match: str, limit: int) -> list[int]:
    return numbers(conn, _NEWEST, (match, limit)).tolist()


def _ordered(hits: Sequence[Sequence[int]], weights: Sequence[float]) -> NDArray[np.int64]:
    if not hits:
        return np.empty(0, dtype=np.int64)
    every = np.concatenate([np.asarray(ns, dtype=np.int64) for ns in hits])
    values = np.concatenate([np.full(len(ns), weight) for ns, weight in zip(hits, weights, strict=True)])
    ns, places = np.unique(every, return_inverse=True)
    scores = np.bincount(places, weights=values)
    ordered: NDArray[np.int64] = ns[np.lexsort((-ns, -scores))]
    return ordered
