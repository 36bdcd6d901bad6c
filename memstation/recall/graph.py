"""The graph of one agent's facts, and Personalized PageRank on it. Arrays alone; it asks nothing of a store.

Names are joined to memories, and memories to names: subject, memory, object, each edge weighted by the memory's trust.
Predicates are no part of it. Triples stand in the order told, and every sum runs in that order or does not depend on
any, so that a graph kept current by small changes ranks to the last bit as one that is made anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memstation.domain.names import fold_name
from memstation.recall.ranking import RetrievalWeights

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_GRAIN = 2.0**52
"""Differences are summed in whole grains: integers add up alike in any order."""


@dataclass(frozen=True, slots=True)
class Triple:
    """A fact as the graph takes it."""

    n: int
    subject: str
    object: str | None
    trust: float


@dataclass(frozen=True, slots=True)
class Ranks:
    """What a walk from the seeds comes to; all of it sums to 1."""

    memories: Floats
    """In the order of the graph's triples."""
    names: Floats
    """In the order of its names."""


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
        self._weigh()

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
        graph._change(gone, new)
        return graph

    def _change(self, gone: Iterable[int], new: Sequence[Triple]) -> None:
        leaving = np.fromiter(gone, dtype=np.int64)
        if len(leaving) and len(self.ns):
            stays = ~np.isin(self.ns, leaving)
            self.ns, self.trust = self.ns[stays], self.trust[stays]
            self.subjects, self.objects = self.subjects[stays], self.objects[stays]
        if new:
            self._add(new)
        self._weigh()

    def _add(self, new: Sequence[Triple]) -> None:
        ns = np.fromiter((triple.n for triple in new), dtype=np.int64, count=len(new))
        trust = np.fromiter((triple.trust for triple in new), dtype=np.float64, count=len(new))
        subjects = np.fromiter((self._place(triple.subject) for triple in new), dtype=np.int64, count=len(new))
        objects = np.fromiter(
            (-1 if triple.object is None else self._place(triple.object) for triple in new),
            dtype=np.int64, count=len(new),
        )  # fmt: skip
        order = np.argsort(ns, kind="stable")
        at = np.searchsorted(self.ns, ns[order])
        self.ns = np.insert(self.ns, at, ns[order])
        self.trust = np.insert(self.trust, at, np.clip(trust[order], 0.0, 1.0))
        self.subjects = np.insert(self.subjects, at, subjects[order])
        self.objects = np.insert(self.objects, at, objects[order])

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

    def _weigh(self) -> None:
        """What follows from the triples: each name's edges, and how a memory divides what it has."""
        size = len(self.names)
        # A missing end is a place of its own behind all names, which has nothing and gives nothing.
        ends = [np.where(places < 0, size, places) for places in (self.subjects, self.objects)]
        self.ends = ends
        """The places of the subjects and of the objects; one past the last name where there is none."""
        weights = [np.bincount(end, self.trust, size + 1)[:size] for end in ends]
        self.degrees: Floats = (weights[0] + weights[1]).astype(np.float64, copy=False)
        counts = [np.bincount(end, minlength=size + 1)[:size] for end in ends]
        self.counts: Ints = counts[0] + counts[1]
        self._gives = np.divide(1.0, self.degrees, out=np.zeros(size), where=self.degrees > 0)
        known = [(end < size).astype(np.float64) for end in ends]
        each = np.maximum(known[0] + known[1], 1.0)
        self._shares = [end / each for end in known]

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
        size = len(self.degrees)
        names, memories = np.zeros(size + 1), np.zeros(len(self))
        if not seeds:
            return Ranks(memories, names[:size])
        start = np.fromiter(seeds, dtype=np.int64)
        begun = np.full(len(start), 1.0 / len(start)) if masses is None else np.fromiter(masses, dtype=np.float64)
        names[start] = begun
        on, back = weights.damping, 1.0 - weights.damping
        from_trust = on * self.trust
        for _ in range(weights.max_iterations):
            given = np.append(names[:size] * self._gives, 0.0)
            reached = from_trust * (given[self.ends[0]] + given[self.ends[1]])
            left = np.zeros(size + 1)
            for end, share in zip(self.ends, self._shares, strict=True):
                left += np.bincount(end, memories * share, size + 1)
            left *= on
            # Only a seed can have rank and no edge to give it over; it begins again.
            stuck = float(np.sum(names[start][self.degrees[start] <= 0]))
            left[start] += (back + on * stuck) * begun
            moved = float(np.sum(np.abs(reached - memories))) + _whole_sum(np.abs(left - names))
            names, memories = left, reached
            if moved < weights.tolerance:
                break
        return Ranks(memories, names[:size])


def _whole_sum(values: Floats) -> float:
    return int(np.sum((values * _GRAIN).astype(np.int64))) / _GRAIN
