"""How the graph leads from names in a query to a memory: the shortest way, for people. It asks nothing of a store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from memstation.recall.graph import Graph
from memstation.recall.pagerank import Ints

MOST_STEPS = 4
"""Memories on a way; the share of a longer one in the rank is small."""


@dataclass(frozen=True, slots=True)
class Way:
    """From a seed over memories (numbers) and names to a memory."""

    seed: str
    steps: tuple[tuple[int, str | None], ...]
    """(memory, the name it leads to); None at the memory that was asked about."""


class Ways:
    """The ways from some seeds through one graph."""

    def __init__(self, graph: Graph, seeds: Sequence[int]) -> None:
        self._graph = graph
        size = len(graph.degrees)
        self._depth: Ints = np.full(size + 1, MOST_STEPS + 1, dtype=np.int64)
        self._over: Ints = np.full(size + 1, -1, dtype=np.int64)
        self._from: Ints = np.full(size + 1, -1, dtype=np.int64)
        self._depth[np.fromiter(seeds, dtype=np.int64)] = 0
        walked = graph.trust > 0
        for depth in range(1, MOST_STEPS):
            for here, there in (graph.ends, graph.ends[::-1]):
                # From the last to the first, so that the memory told first is the one that is kept.
                steps = np.flatnonzero(walked & (self._depth[here] == depth - 1) & (self._depth[there] > depth))[::-1]
                steps = steps[there[steps] < size]
                self._over[there[steps]], self._from[there[steps]] = steps, here[steps]
                self._depth[there[steps]] = depth

    def to(self, ns: Iterable[int]) -> dict[int, Way]:
        """The way to each memory by number; those out of reach are left out."""
        graph, found = self._graph, {}
        for n in ns:
            place = int(np.searchsorted(graph.ns, n))
            if place >= len(graph) or graph.ns[place] != n or graph.trust[place] <= 0:
                continue
            name = int(min((end[place] for end in graph.ends), key=lambda end: self._depth[end]))
            if self._depth[name] >= MOST_STEPS:
                continue
            steps: list[tuple[int, str | None]] = [(n, None)]
            while self._over[name] >= 0:
                steps.append((int(graph.ns[self._over[name]]), graph.names[name]))
                name = int(self._from[name])
            found[n] = Way(graph.names[name], tuple(reversed(steps)))
        return found
