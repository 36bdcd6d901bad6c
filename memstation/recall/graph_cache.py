"""Graphs that are kept between searches, and made current by what was touched. It holds nothing beyond the store.

A kept graph is good while the agent's generation is the one that it was made at and no fact has started or ended
since; the generation is in the store, so that another process's write counts as well.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from memstation.domain.aliases import Aliases
from memstation.read.moments import head_of
from memstation.recall.graph import Graph
from memstation.recall.seeds import Surfaces
from memstation.recall.triples import (
    Ground,
    aliases_of,
    generation_of,
    graph_at,
    ground_of,
    next_boundary,
    touched_since,
)
from memstation.store.database import Snapshot

KEPT_ABOVE = 500
"""Triples from which on a graph is worth keeping."""

MOST_KEPT = 8
"""Agents whose graphs are kept, those asked for last."""

_MOST_TOUCHED = 2_000
"""Facts that are looked at anew; when more were touched, the whole graph is."""


@dataclass(slots=True)
class Kept:
    """A graph and what it was made at."""

    graph: Graph
    surfaces: Surfaces
    generation: int
    seq: int
    at: str
    boundary: str
    ground: Ground


class GraphCache:
    """The graphs of a store's agents. Calls may come from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[str, Kept] = OrderedDict()

    def current(self, conn: Snapshot, agent_id: str, at: str) -> tuple[Graph, Surfaces]:
        """The graph of the facts that hold at the present (stored text), and the names by which it is entered.

        The graph is not to be changed, and is good until the next call for the agent.
        """
        with self._lock:
            kept = self._kept.pop(agent_id, None)
            generation = generation_of(conn, agent_id)
            if kept is None or generation != kept.generation or not kept.at <= at < kept.boundary:
                kept = self._renewed(conn, agent_id, at, generation, kept)
            if len(kept.graph) > KEPT_ABOVE:
                self._kept[agent_id] = kept
                while len(self._kept) > MOST_KEPT:
                    self._kept.popitem(last=False)
            return kept.graph, kept.surfaces

    def _renewed(self, conn: Snapshot, agent_id: str, at: str, generation: int, kept: Kept | None) -> Kept:
        aliases = aliases_of(conn, agent_id)
        ground, head = ground_of(conn, agent_id, aliases), head_of(conn)
        boundary = next_boundary(conn, agent_id, at)
        if kept is not None and kept.ground == ground and kept.at <= at and kept.seq <= head:
            found = touched_since(conn, agent_id, kept.seq, kept.at, head, at, _MOST_TOUCHED)
            if found is not None:
                graph = kept.graph.changed(*found)
                return Kept(graph, kept.surfaces.grown(graph), generation, head, at, boundary, ground)
        graph = graph_at(conn, agent_id, at, aliases)
        return Kept(graph, surfaces_of(graph, aliases), generation, head, at, boundary, ground)


def surfaces_of(graph: Graph, aliases: Aliases) -> Surfaces:
    """The names by which a graph is entered: its own, and those that are joined to them."""
    return Surfaces(graph, [(name, title) for title, *names in aliases.groups() for name in names])
