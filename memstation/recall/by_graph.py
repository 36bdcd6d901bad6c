"""What the graph adds to a search: rank for candidates, and a few memories that the text missed. It never writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from memstation.recall.graph import Floats, Graph
from memstation.recall.ranking import RetrievalWeights
from memstation.recall.seeds import Surfaces, places_of


@dataclass(frozen=True, slots=True)
class Entered:
    """A graph with the names by which a query enters it, and what the walk from them comes to."""

    graph: Graph
    titles: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    """Those of the names that the query does not mention, and that are near it in meaning."""
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
        """The places in the graph at which the walk begins."""
        return places_of(self.graph, self.titles)


def enter(graph: Graph, surfaces: Surfaces, query: str, weights: RetrievalWeights, near: Sequence[str] = ()) -> Entered:
    """Walk from the names that a query mentions, and from those near it."""
    mentioned = surfaces.found_in(query, graph)
    unsaid = tuple(sorted(set(near).difference(mentioned)))
    titles = tuple(sorted([*mentioned, *unsaid]))
    if not titles:
        return Entered(graph)
    ranks = graph.rank(places_of(graph, titles), weights).memories
    best = float(ranks.max(initial=0.0))
    return Entered(graph, titles, unsaid, ranks / best if best > 0 else np.empty(0))
