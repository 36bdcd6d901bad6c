"""What vectors add to a search: a cosine for candidates, and a few memories that the words missed. It never writes.

Nothing that goes wrong with an embedder is an error of the search: it is answered without, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from memstation.domain.errors import EmbedderFailed
from memstation.recall.embedding import Embedder, Sensed, sense
from memstation.recall.graph import Graph
from memstation.recall.ranking import RetrievalWeights
from memstation.recall.vector_cache import View
from memstation.words import N_, told

REACH = 200
"""How far is looked where it is not known beforehand which of the near may be hits."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """A query's vector, and the vectors that it is compared with; or why there are none."""

    sensed: Sensed | None = None
    view: Callable[[], View] | None = None
    """The vectors of the moment asked about."""
    names: Callable[[Graph, int], list[str]] | None = None
    """So many names of a graph, those that are nearest."""
    note: str = ""
    """Why search by meaning took no part, in words; empty where it did."""

    def seeds(self, graph: Graph, weights: RetrievalWeights) -> list[str]:
        """The names of a graph at which it is entered, too."""
        if self.names is None or not weights.graph_embed_seed:
            return []
        return self.names(graph, weights.graph_embed_seed_top_k)


@dataclass(frozen=True, slots=True)
class Near:
    """A query among the vectors of a moment."""

    sensed: Sensed
    view: View

    def cosines(self, ns: Iterable[int]) -> dict[int, float]:
        """Of those memories that have a vector."""
        return self.view.rows.cosines(self.sensed.vector, ns)

    def nearest(self, count: int) -> list[int]:
        """The numbers of the nearest memories, the nearest first."""
        return self.view.nearest(self.sensed.vector, count)


def is_wanted(weights: RetrievalWeights) -> bool:
    """Whether anything would be done with a query's vector."""
    return bool(weights.w_vec) or (weights.graph_embed_seed and bool(weights.w_graph))


def sensed_or_why(embedder: Embedder, query: str) -> tuple[Sensed | None, str]:
    """What a query means; or, where the embedder failed, the note that says so."""
    try:
        return sense(embedder, query), ""
    except EmbedderFailed as error:
        why = f"{error} ({error.hint})" if error.hint else str(error)
        return None, told(N_("search by meaning took no part: {why}"), why=why)
