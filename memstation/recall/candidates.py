"""Which memories the text index finds for a query, the likeliest first. It never writes.

Of words in very many memories the newest are taken. Nothing that another agent told, or that is held, moves the
order: the index is asked for an agent's own facts only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from memstation.read.querying import IN_LIST, in_list, quick
from memstation.recall.index import Index, all_of, facts_of, held_of
from memstation.recall.owned import Ints, Owned
from memstation.recall.query import Query, Word
from memstation.recall.ranking import MOST_COUNTED, rarity
from memstation.store.database import Snapshot

MOST_HITS = 2_000
"""Of a word that more memories hold, the newest so many are looked at."""

ENOUGH = 100
"""Candidates of which each is looked at."""

MOST_CHOOSING = 3
"""Common words that choose among the hits of rarer ones: the least common."""

_ROLES = f"SELECT role, count(*) FROM memories WHERE n IN {IN_LIST} GROUP BY role"


@dataclass(frozen=True, slots=True)
class Candidates:
    """Numbers of memories, by how much of the query they hold, then the newest first."""

    ns: Ints
    words: tuple[tuple[Word, float], ...]
    """The words found anywhere, each with its rarity."""
    common: tuple[Word, ...]
    """Words of which only the newest hits were looked at."""


def of_facts(
    conn: Snapshot, agent_id: str, query: Query, among: int | None = None, owned: Owned | None = None
) -> Candidates:
    """What the index finds among an agent's facts, closed ones too; `among` is their `count_of` where it is known."""
    index = facts_of(conn, agent_id, owned)
    return _gather(index, query, index.count() if among is None else among)


def count_of(conn: Snapshot, agent_id: str) -> int:
    """How many facts an agent has in the index, closed ones too; counted up to `MOST_COUNTED`."""
    return facts_of(conn, agent_id).count()


def of_all(conn: Snapshot, agent_id: str, query: Query) -> Candidates:
    """What the index finds in all that an agent was told, the held and the withdrawn too: for the past."""
    index = all_of(conn, agent_id)
    return _gather(index, query, index.count())


def others_matching(conn: Snapshot, agent_id: str, query: Query) -> dict[str, int]:
    """How many ``held`` and how many ``withdrawn`` memories hold a word of the query; of the newest `MOST_HITS`."""
    if not query.words:
        return {}
    wanted = " OR ".join(f"({word.match})" for word in query.words)
    match = " AND ".join([f"({wanted})", *(phrase.match for phrase in query.phrases)])
    return dict(quick(conn, _ROLES, (in_list(held_of(conn, agent_id).newest(match, MOST_HITS).tolist()),)))


def _gather(index: Index, query: Query, among: int) -> Candidates:
    base = tuple(phrase.match for phrase in query.phrases)
    hits: dict[Word, Ints] = {}
    common: list[Word] = []
    for word in query.words:
        ns = index.newest(" AND ".join([*base, word.match]), MOST_HITS + 1)
        if len(ns):
            hits[word] = ns
        if len(ns) > MOST_HITS:
            common.append(word)
    weights = {
        word: _rarity_of_common(index, ns) if word in common else rarity(len(ns), max(among, len(ns)))
        for word, ns in hits.items()
    }
    for word in common:
        hits[word] = hits[word][:-1]
    _find_older(index, base, hits, common)
    return Candidates(_ordered(list(hits.values()), list(weights.values())), tuple(weights.items()), tuple(common))


def _find_older(index: Index, base: Sequence[str], hits: dict[Word, Ints], common: Sequence[Word]) -> None:
    """Find older hits of common words that hold rarer words too, or every common one."""
    rare = {word: ns for word, ns in hits.items() if word not in common}
    count = sum(map(len, rare.values()))
    if not rare:
        if len(common) > 1:
            every = index.newest(" AND ".join([*base, *(word.match for word in common)]), MOST_HITS)
            for word in common:
                hits[word] = np.union1d(hits[word], every)
    elif count > ENOUGH:
        # Few hits of rarer words are all looked at whatever else they hold; among many it chooses.
        others = " OR ".join(f"({word.match})" for word in rare)
        for word in sorted(common, key=lambda word: int(hits[word][-1]))[:MOST_CHOOSING]:
            match = " AND ".join([*base, word.match, f"({others})"])
            older = index.newest(match, count, before=int(hits[word][-1]))
            hits[word] = np.union1d(hits[word], older)


def _rarity_of_common(index: Index, newest: Ints) -> float:
    """How rare a common word is, by how many memories its newest hits lie among."""
    looked = newest[: MOST_HITS // 10]
    return rarity(len(looked), max(len(looked), index.count_from(int(looked[-1]), MOST_COUNTED // 10)))


def _ordered(hits: Sequence[Ints], weights: Sequence[float]) -> Ints:
    if not hits:
        return np.empty(0, dtype=np.int64)
    every = np.concatenate(hits)
    values = np.concatenate([np.full(len(ns), weight) for ns, weight in zip(hits, weights, strict=True)])
    order = np.argsort(-every, kind="stable")
    every, values = every[order], values[order]
    is_first = np.append(True, every[1:] != every[:-1])
    scores = np.bincount(np.cumsum(is_first) - 1, weights=values)
    ns: Ints = every[is_first]
    return ns[np.argsort(-scores, kind="stable")]
