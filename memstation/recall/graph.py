"""The graph of one agent's facts, kept current by small changes. Arrays alone; it asks nothing of a store.

Names are joined to memories, and memories to names: subject, memory, object, each edge weighted by the memory's trust.
Predicates are no part of it. Triples stand in the order told, and every sum runs in that order or does not depend on
any, so that a graph kept current by small changes ranks to the last bit as one that is made anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memstation.domain.names import fold_name
from memstation.recall.pagerank import Floats, Ints, Ranks, walk
from memstation.recall.ranking import RetrievalWeights


@dataclass(frozen=True, slots=True)
class Triple:
    """A fact as the graph takes it."""

    n: int
    subject: str
    object: str | None
    trust: float


class Graph:
    """The triples of one agent at one moment. Names are folded titles; what was joined is one name."""

    def __init__(self, title: Callable[[str], str] = fold_name) -> None:
        self._title = title
        self.names: list[str] = []
        self._places: dict[str, int] = {}
        self._told: dict[str, int] = {}
        self.ns: Ints = np.empty(0, dtype=np.int64)
        self.subjects: Ints = np.empty(0, dtype=np.int64)
        self.objects: Ints = np.empty(0, dtype=np.int64)
        self.trust: Floats = np.empty(0)
        self.degrees: Floats = np.empty(0)
        self.counts: Ints = np.empty(0, dtype=np.int64)
        self.gives: Floats = np.empty(0)
        self._weigh(self.ns)

    def __len__(self) -> int:
        return len(self.ns)

    @classmethod
    def of(cls, triples: Iterable[Triple], title: Callable[[str], str] = fold_name) -> Graph:
        """The graph of these triples, in any order."""
        graph = cls(title)
        graph._change((), sorted(triples, key=lambda triple: triple.n))
        return graph

    def changed(self, gone: Iterable[int], new: Sequence[Triple]) -> Graph:
        """The graph without the triples of these numbers and with others; it shares the names, which only grow."""
        graph = Graph.__new__(Graph)
        graph._title, graph.names, graph._places, graph._told = self._title, self.names, self._places, self._told
        graph.ns, graph.subjects, graph.objects, graph.trust = self.ns, self.subjects, self.objects, self.trust
        graph.degrees, graph.counts, graph.gives = self.degrees, self.counts, self.gives
        graph.ends, graph.shares = self.ends, self.shares
        graph._change(gone, new)
        return graph

    def _change(self, gone: Iterable[int], new: Sequence[Triple]) -> None:
        leaving = np.unique(np.fromiter(gone, dtype=np.int64))
        at = np.searchsorted(self.ns, leaving)
        at = at[at < len(self.ns)]
        out = at[self.ns[at] == leaving[: len(at)]]
        if not len(out) and not new:
            return
        moved = [self.subjects[out], self.objects[out]]
        if len(out):
            self.ns, self.trust = np.delete(self.ns, out), np.delete(self.trust, out)
            self.subjects, self.objects = np.delete(self.subjects, out), np.delete(self.objects, out)
        if new:
            moved += self._add(new)
        self._weigh(np.concatenate(moved))

    def _add(self, new: Sequence[Triple]) -> list[Ints]:
        """Put triples in their places. Returns their ends."""
        ns = np.fromiter((triple.n for triple in new), dtype=np.int64, count=len(new))
        trust = np.fromiter((triple.trust for triple in new), dtype=np.float64, count=len(new))
        subjects = np.fromiter((self._place(triple.subject) for triple in new), dtype=np.int64, count=len(new))
        objects = np.fromiter(
            (-1 if triple.object is None else self._place(triple.object) for triple in new),
            dtype=np.int64, count=len(new),
        )  # fmt: skip
        order = np.argsort(ns, kind="stable")
        at = np.searchsorted(self.ns, ns[order])
        # What is new stands behind all else as a rule, and is put there sooner.
        put = _behind if len(at) and at[0] == len(self.ns) else np.insert
        self.ns = put(self.ns, at, ns[order])
        self.trust = put(self.trust, at, np.clip(trust[order], 0.0, 1.0))
        self.subjects = put(self.subjects, at, subjects[order])
        self.objects = put(self.objects, at, objects[order])
        return [subjects, objects]

    def _place(self, name: str) -> int:
        """The place of a name as it is told; -1 for one without a letter to it."""
        place = self._told.get(name)
        if place is None:
            title = self._title(name)
            place = -1 if not title else self._places.setdefault(title, len(self.names))
            if place == len(self.names):
                self.names.append(title)
            self._told[name] = place
        return place

    def _weigh(self, moved: Ints) -> None:
        """What follows from the triples: the edges of the names that are an end of one that came or went."""
        size, before = len(self.names), len(self.degrees)
        # A missing end is a place of its own behind all names, which has nothing and gives nothing.
        self.ends = [
            np.where(places < 0, size, places) if len(places) and places.min() < 0 else places
            for places in (self.subjects, self.objects)
        ]
        """The places of the subjects and of the objects; one past the last name where there is none."""
        is_moved = np.zeros(size + 1, dtype=np.bool_)
        is_moved[moved[moved >= 0]] = True
        places = np.flatnonzero(is_moved)
        # Every name's weights are added in the order of its triples, whether few names are weighed or all.
        some = [np.flatnonzero(is_moved[end]) for end in self.ends]
        ends = [end[at] for end, at in zip(self.ends, some, strict=True)]
        weights = [np.bincount(end, self.trust[at], size)[places] for end, at in zip(ends, some, strict=True)]
        counts = [np.bincount(end, minlength=size)[places] for end in ends]
        grown = size - before
        self.degrees = np.append(self.degrees, np.zeros(grown))
        self.degrees[places] = weights[0] + weights[1]
        self.counts = np.append(self.counts, np.zeros(grown, dtype=np.int64))
        self.counts[places] = counts[0] + counts[1]
        self.gives = np.append(self.gives, np.zeros(grown))
        """By how much a name multiplies its rank for each edge."""
        self.gives[places] = np.divide(
            1.0, self.degrees[places], out=np.zeros(len(places)), where=self.degrees[places] > 0
        )
        self.shares = self._divided(size)

    def _divided(self, size: int) -> list[Floats]:
        """How a memory divides what it has between its ends; one number for all where each has both."""
        if all(len(end) and end.max() < size for end in self.ends):
            return [np.array(0.5), np.array(0.5)]
        known = [(end < size).astype(np.float64) for end in self.ends]
        each = np.maximum(known[0] + known[1], 1.0)
        return [end / each for end in known]

    def has(self, name: str) -> int | None:
        """The place of a title that is in some triple; None otherwise."""
        place = self._places.get(name)
        if place is None or place >= len(self.counts) or not self.counts[place]:
            # Names are shared with the graphs that this one was changed from and into.
            return None
        return place

    def titles(self) -> list[str]:
        """The names that are in some triple, in no order."""
        return [self.names[place] for place in np.flatnonzero(self.counts)]

    def rank(self, seeds: Sequence[int], weights: RetrievalWeights, masses: Sequence[float] | None = None) -> Ranks:
        """Personalized PageRank from these places.

        Args:
            seeds: where walks begin, each place once; without any nothing has rank.
            weights: damping and when to stop.
            masses: how often each is begun at; sums to 1. All alike when left out.
        """
        begun = [1.0 / len(seeds) for _ in seeds] if masses is None else masses
        return walk(self, np.fromiter(seeds, dtype=np.int64), np.fromiter(begun, dtype=np.float64), weights)


def _behind(array: NDArray[Any], _at: Ints, values: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([array, values])
