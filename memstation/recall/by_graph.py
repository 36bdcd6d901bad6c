"""What the graph adds to a search: rank for candidates, and a few memories that the text missed. It never writes.

A walk begins at the names that the query mentions, and at the names of the memories that the text found best
(as HippoRAG 2 does, Gutiérrez et al. 2025): what a question asks about is seldom all named in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from memstation.recall.candidate_rows import Candidate
from memstation.recall.graph import Graph
from memstation.recall.pagerank import Floats
from memstation.recall.query import Query, Word
from memstation.recall.ranking import RetrievalWeights, text_score
from memstation.recall.seeds import Surfaces, places_of, weight_of


@dataclass(frozen=True, slots=True)
class ByText:
    """What the text index found for a query."""

    query: Query
    words: Sequence[tuple[Word, float]]
    """Those that some memory holds, each with its rarity."""
    best: Sequence[Candidate]
    """The best first."""


@dataclass(frozen=True, slots=True)
class Entered:
    """A graph with the names by which a query enters it, and what the walk from them comes to."""

    graph: Graph
    titles: tuple[str, ...] = ()
    """Names that the query mentions, and those near it in meaning."""
    near: tuple[str, ...] = ()
    """Those of them that it does not mention."""
    told: tuple[str, ...] = ()
    """Other names, those of the memories that the text found best."""
    shares: Floats = field(default_factory=lambda: np.empty(0))
    """Of each memory: its rank as a share of the best one's; empty where nothing has any."""

    def share_of(self, n: int) -> float | None:
        """A memory's share; None where it has none."""
        if not len(self.shares):
            return None
        place = int(np.searchsorted(self.graph.ns, n))
        if place >= len(self.graph) or self.graph.ns[place] != n or self.shares[place] <= 0:
            return None
        return float(self.shares[place])

    def best(self, count: int) -> list[int]:
        """The numbers of the memories of the highest rank; among equals the newest first."""
        if not len(self.shares) or count < 1:
            return []
        count = min(count, len(self.shares))
        least = np.partition(self.shares, len(self.shares) - count)[len(self.shares) - count]
        places = np.flatnonzero((self.shares >= least) & (self.shares > 0))
        ordered = places[np.lexsort((-self.graph.ns[places], -self.shares[places]))]
        return [int(n) for n in self.graph.ns[ordered[:count]]]

    def places(self) -> list[int]:
        """The places in the graph of the names that the query mentions."""
        return places_of(self.graph, self.titles)

    def places_told(self) -> list[int]:
        """The places of the other names at which the walk begins."""
        return places_of(self.graph, self.told)


def enter(
    graph: Graph, surfaces: Surfaces, found: ByText, weights: RetrievalWeights, near: Sequence[str] = ()
) -> Entered:
    """Walk from the names that a query mentions or that are near it in meaning, and from those of what the text found.

    Without a name of the first two kinds from none. A near name counts for as much as a mentioned one on average.
    """
    mentioned = surfaces.mentions(found.query.text, graph)
    unsaid = tuple(sorted(set(near).difference(mentioned)))
    if not mentioned and not unsaid:
        return Entered(graph)
    rarities = dict(found.words)
    said = {title: weight_of(names, rarities) for title, names in mentioned.items()}
    usual = sum(said.values()) / len(said) if said else 1.0
    names = {**said, **dict.fromkeys(unsaid, usual)}
    named = _shares(zip(places_of(graph, list(names)), names.values(), strict=True))
    told = _shares(_ends(graph, found, weights.graph_text_seeds)) if weights.w_fts > 0 else {}
    # The two divide the walks as they divide the score.
    of_text = weights.w_fts / (weights.w_fts + abs(weights.w_graph)) if told else 0.0
    masses = {place: (1 - of_text) * share for place, share in named.items()}
    for place, share in told.items():
        masses[place] = masses.get(place, 0.0) + of_text * share
    ranks = graph.rank(list(masses), weights, list(masses.values())).memories
    best = float(ranks.max(initial=0.0))
    others = tuple(graph.names[place] for place in told if place not in named)
    return Entered(graph, (*mentioned, *unsaid), unsaid, others, ranks / best if best > 0 else np.empty(0))


def _ends(graph: Graph, found: ByText, count: int) -> Iterable[tuple[int, float]]:
    """The names of the best memories by text that are in the graph, each with how well these match, times trust."""
    for one, at in islice(_in_graph(graph, found.best), count):
        ends = [int(end[at]) for end in (graph.subjects, graph.objects) if end[at] >= 0]
        strength = text_score(found.words, one.text) * float(graph.trust[at])
        yield from ((end, strength / len(ends)) for end in ends)


def _in_graph(graph: Graph, candidates: Iterable[Candidate]) -> Iterable[tuple[Candidate, int]]:
    for one in candidates:
        at = int(np.searchsorted(graph.ns, one.n))
        if at < len(graph) and graph.ns[at] == one.n:
            yield one, at


def _shares(weights: Iterable[tuple[int, float]]) -> dict[int, float]:
    """The weights of places, added up for each and divided by their sum; none where that is zero."""
    added: dict[int, float] = {}
    for place, weight in weights:
        added[place] = added.get(place, 0.0) + weight
    every = sum(added.values())
    return {place: weight / every for place, weight in added.items() if weight > 0} if every > 0 else {}
