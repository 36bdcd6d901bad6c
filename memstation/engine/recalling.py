"""Searching memories, and the graph of names that they make."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from memstation.domain.errors import InvalidInput
from memstation.domain.instants import InstantLike
from memstation.engine.counting import Counting
from memstation.guard import shape
from memstation.recall.ranking import DEFAULT_WEIGHTS, RetrievalWeights
from memstation.recall.results import SearchResult

if TYPE_CHECKING:
    from memstation.recall.embedding import Embedder
    from memstation.recall.exporting import ExportedGraph
    from memstation.recall.finder import Finder


class Recalling(Counting):
    """What an agent would be told, and why."""

    weights: RetrievalWeights = DEFAULT_WEIGHTS
    """How much each term of a score counts; may be set."""

    embedder: Embedder | None = None
    """Makes vectors of texts, so that search goes by meaning as well; may be set. None: nothing of search does."""

    @cached_property
    def finder(self) -> Finder:
        """Searches this store."""
        # numpy takes its time to load, and most commands need none of it.
        from memstation.recall.finder import Finder

        return Finder(self._database, self.clock, lambda: self.embedder)

    def search(
        self,
        agent: str,
        query: str,
        limit: int = 10,
        *,
        at: InstantLike | None = None,
        known_at: InstantLike | int | None = None,
        explain: bool = False,
        as_agent: bool = False,
    ) -> SearchResult:
        """The memories that answer a query best, the best first.

        Args:
            agent: whose memories; an exact name.
            query: words, any of which may match; what stands in double quotes must be there just so. Nothing in it
                is syntax else; without a word in it the answer is empty.
            limit: 1 to 1,000.
            at: an instant of world time: what held then is searched, instead of what holds now.
            known_at: an instant of belief time or a decision: what was believed then is searched.
            explain: fill the trace, the words in each hit, and the way to it in the graph.
            as_agent: an agent reads: the hits are counted as read, and nothing is said of what is held.

        Raises:
            InvalidInput: the limit or a moment cannot be taken, or agent or query are no text.
        """
        return self._search(agent, query, limit, None, at, known_at, explain, as_agent)

    def search_layer(
        self,
        agent: str,
        layer: str,
        query: str,
        limit: int = 10,
        *,
        at: InstantLike | None = None,
        known_at: InstantLike | int | None = None,
        explain: bool = False,
        as_agent: bool = False,
    ) -> SearchResult:
        """The same in one layer: ``episodic``, ``semantic`` or ``procedural``."""
        return self._search(agent, query, limit, layer, at, known_at, explain, as_agent)

    def export_graph(self, agent: str, limit: int = 500) -> ExportedGraph:
        """The newest edges of an agent's graph with their names; held memories are marked. The limit is 1 to 1,000."""
        return self.finder.export(shape.agent_of(agent), shape.limit_of(limit))

    def _search(
        self,
        agent: str,
        query: str,
        limit: int,
        layer: str | None,
        at: InstantLike | None,
        known_at: InstantLike | int | None,
        explain: bool,
        as_agent: bool,
    ) -> SearchResult:
        if not isinstance(query, str):
            raise InvalidInput("The query is not text", "{name} was given", name=type(query).__name__)
        result = self.finder.search(
            shape.agent_of(agent), query, limit, layer=layer, at=at, known_at=known_at, weights=self.weights,
            explain=explain, as_agent=as_agent,
        )  # fmt: skip
        if as_agent:
            self.count_reads(agent, [hit.memory.id for hit in result])
        return result
