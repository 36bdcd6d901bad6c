"""Which memories the text index finds for a query, the likeliest first. It never writes.

Of words in very many memories the newest are taken. Nothing that another agent told, or that is held, moves the
order: the index is asked for an agent's own facts only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memstation.read.querying import quick
from memstation.recall.query import Query, Word
from memstation.recall.ranking import rarity
from memstation.store.database import Snapshot
from memstation.store.text_index import label

MOST_HITS = 2_000
"""Of a word that more memories hold, the newest so many are looked at."""

_NEWEST = "SELECT rowid FROM memory_text WHERE memory_text MATCH ? ORDER BY rowid DESC LIMIT ?"


@dataclass(frozen=True, slots=True)
class Candidates:
    """Numbers of memories, by how much of the query they hold, then the newest first."""

    ns: NDArray[np.int64]
    words: tuple[tuple[Word, float], ...]
    """The words found anywhere, each with its rarity."""
    common: tuple[Word, ...]
    """Words of which only the newest hits were looked at."""


def of_facts(conn: Snapshot, agent_id: str, query: Query) -> Candidates:
    """What the index finds among an agent's facts, closed ones too."""
    return _gather(conn, f'whose : "{label(agent_id, "fact")}"', query)


def of_all(conn: Snapshot, agent_id: str, query: Query) -> Candidates:
    """What the index finds in all that an agent was told, the held and the withdrawn too: for the past."""
    return _gather(conn, f'whose : ("{label(agent_id, "fact")}" OR "{label(agent_id, "held")}")', query)


def others_matching(conn: Snapshot, agent_id: str, query: Query) -> int:
    """How many held or withdrawn memories hold a word of the query; counted up to `MOST_HITS`."""
    if not query.words:
        return 0
    wanted = " OR ".join(f"({word.match})" for word in query.words)
    match = " AND ".join([f'whose : "{label(agent_id, "held")}"', f"({wanted})", *(p.match for p in query.phrases)])
    return len(quick(conn, _NEWEST, (match, MOST_HITS)))


def _gather(conn: Snapshot, whose: str, query: Query) -> Candidates:
    base = " AND ".join([whose, *(phrase.match for phrase in query.phrases)])
    hits: list[list[int]] = []
    found: list[tuple[Word, float]] = []
    common: list[Word] = []
    for word in query.words:
        ns = _newest(conn, f"{base} AND {word.match}", MOST_HITS + 1)
        if not ns:
            continue
        if len(ns) > MOST_HITS:
            common.append(word)
        found.append((word, rarity(len(ns))))
        hits.append(ns[:MOST_HITS])
    rare = [word for word, _ in found if word not in common]
    for place, (word, _) in enumerate(found):
        if word in common:
            hits[place] = _with_others(conn, base, word, rare, common, hits[place])
    return Candidates(_ordered(hits, [weight for _, weight in found]), tuple(found), tuple(common))


def _with_others(
    conn: Snapshot, base: str, word: Word, rare: Sequence[Word], common: Sequence[Word], newest: list[int]
) -> list[int]:
    """The newest hits of a common word, and those older ones that hold a rarer word too, or every common one."""
    older: list[int] = []
    if rare:
        others = " OR ".join(f"({other.match})" for other in rare)
        older = _newest(conn, f"{base} AND {word.match} AND ({others})", MOST_HITS * len(rare))
    elif len(common) > 1:
        older = _newest(conn, " AND ".join([base, *(other.match for other in common)]), MOST_HITS)
    return list({*newest, *older}) if older else newest


def _newest(conn: Snapshot, match: str, limit: int) -> list[int]:
    return [n for (n,) in quick(conn, _NEWEST, (match, limit))]


def _ordered(hits: Sequence[Sequence[int]], weights: Sequence[float]) -> NDArray[np.int64]:
    if not hits:
        return np.empty(0, dtype=np.int64)
    every = np.concatenate([np.asarray(ns, dtype=np.int64) for ns in hits])
    values = np.concatenate([np.full(len(ns), weight) for ns, weight in zip(hits, weights, strict=True)])
    ns, places = np.unique(every, return_inverse=True)
    scores = np.bincount(places, weights=values)
    ordered: NDArray[np.int64] = ns[np.lexsort((-ns, -scores))]
    return ordered
