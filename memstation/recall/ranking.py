"""How a hit's score comes about: terms, weights, their sum, and trust over all. Pure; it reads nothing.

The formula and its weights are the seed's. Nothing in it depends on other agents' memories or on what is held.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memstation.recall.query import Word
from memstation.store.text_index import segment, words_of

USUAL_LENGTH = 40
"""Words of a memory of usual length. Fixed, so that no other memory moves a hit."""

MOST_COUNTED = 8_000
"""Memories up to which the rarity of a word is measured against their number; in a larger store it is as in this."""

_SATURATION, _LENGTH_SHARE = 1.2, 0.75
"""BM25's k1 and b at their usual values."""


@dataclass(frozen=True, slots=True)
class RetrievalWeights:
    """How much each term counts, and the graph's settings; the seed's names and defaults."""

    base_stability_days: float = 14.0
    reinforce_k: float = 0.6
    max_stability_days: float = 365.0
    w_recency: float = 0.25
    w_importance: float = 0.35
    w_fts: float = 0.35
    w_graph: float = 0.15
    w_vec: float = 0.15
    w_trust: float = 0.10
    damping: float = 0.5
    """The share of a walk that goes on; the rest begins again at the seeds."""
    max_iterations: int = 20
    tolerance: float = 1e-6
    graph_candidates: int = 5
    """Of the graph's best so many, those that the text missed may come in."""
    appended: int = 3
    """How many of them do."""
    vector_candidates: int = 5
    """Of the nearest in meaning so many, those that text and graph missed may come in; `appended` of them do."""
    graph_embed_seed: bool = False
    """Whether the graph is entered at names near the query in meaning, too, where an embedder is attached."""
    graph_embed_seed_top_k: int = 5
    """How many such names."""


DEFAULT_WEIGHTS = RetrievalWeights()


@dataclass(frozen=True, slots=True)
class Terms:
    """What a score is made of, each weighted already; None where the term took no part."""

    text: float | None
    recency: float
    importance: float
    graph: float | None
    vector: float | None
    trust: float
    """What the sum is multiplied by."""

    @property
    def score(self) -> float:
        """The sum, times trust."""
        parts = (self.recency, self.importance, self.text, self.graph, self.vector)
        return sum(part for part in parts if part is not None) * self.trust


@dataclass(frozen=True, slots=True)
class Standing:
    """What a memory brings along to be ranked."""

    importance: float
    """0 to 10."""
    trust: float
    """0 to 1."""
    access_count: int
    seen: datetime
    """When it was read last, else when it was recorded."""


def retrievability(standing: Standing, now: datetime, weights: RetrievalWeights) -> float:
    """How well a memory is still remembered, 0 to 1; use and importance make it last."""
    days = max(0.0, (now - standing.seen).total_seconds() / 86_400)
    reinforced = 1 + weights.reinforce_k * math.log(1 + max(0, standing.access_count))
    lasting = min(max(standing.importance / 5, 0.2), 2.0)
    stability = min(weights.base_stability_days * reinforced * lasting, weights.max_stability_days)
    return math.exp(-days / stability)


def terms_of(
    standing: Standing,
    now: datetime,
    weights: RetrievalWeights,
    *,
    place: int | None,
    graph: float | None,
    vector: float | None,
) -> Terms:
    """The terms of one hit.

    Args:
        standing: the memory.
        now: the moment that is asked about.
        weights: how much each term counts.
        place: 0 for the best by text; None where the text does not match.
        graph: its share of the best memory's rank in the graph, 0 to 1.
        vector: cosine with the query.
    """
    trust = min(max(standing.trust, 0.0), 1.0)
    return Terms(
        text=None if place is None else weights.w_fts / (1 + place),
        recency=weights.w_recency * retrievability(standing, now, weights),
        importance=weights.w_importance * standing.importance / 10,
        graph=None if graph is None else weights.w_graph * graph,
        vector=None if vector is None else weights.w_vec * vector,
        trust=(1 - weights.w_trust) + weights.w_trust * trust,
    )


def rarity(holding: int, among: int) -> float:
    """What a word says that is in so many of so many memories: much when it is rare, nothing when it is everywhere."""
    return math.log(1 + (max(among - holding, 0) + 0.5) / (holding + 0.5))


def text_score(words: Sequence[tuple[Word, float]], text: str) -> float:
    """How well a text matches: BM25 over words with their rarities."""
    whole = words_of(segment(text))
    length = 1 - _LENGTH_SHARE + _LENGTH_SHARE * (whole.count(" ") - 1) / USUAL_LENGTH
    score = 0.0
    for word, weight in words:
        times = whole.count(f" {' '.join(word.tokens)}{'' if word.is_begun else ' '}")
        if times:
            score += weight * times * (_SATURATION + 1) / (times + _SATURATION * length)
    return score
