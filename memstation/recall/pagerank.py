"""Personalized PageRank on the arrays of a graph. It knows no names, and asks nothing of a store.

A walk has reached a few memories at first: until these are many it is reckoned on them alone, which gives to the last
bit what all arrays give, since whatever lies beyond is zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memstation.recall.ranking import RetrievalWeights

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_GRAIN = 2.0**52
"""Differences are summed in whole grains: integers add up alike in any order."""

_WORTH = 4_000
"""Memories from which on a walk is reckoned on what it has reached."""


@dataclass(frozen=True, slots=True)
class Ranks:
    """What a walk from the seeds comes to; all of it sums to 1."""

    memories: Floats
    """In the order of the graph's triples."""
    names: Floats
    """In the order of its names."""


class Edges(Protocol):
    """The arrays of a graph; see `graph.Graph`."""

    trust: Floats
    ends: list[Ints]
    degrees: Floats
    gives: Floats
    shares: list[Floats]


@dataclass(frozen=True, slots=True)
class _Part:
    """The edges that a walk has reached, its names by their places in the part."""

    memories: Ints | slice
    names: Ints | slice
    gets: Floats
    """What a memory takes of what its names give: its trust, damped."""
    ends: Sequence[Ints]
    shares: Sequence[Floats]
    gives: Floats
    """With a zero at the end, for ends that are missing."""
    start: Ints
    stuck: NDArray[np.bool_]
    """Of each seed: whether it has no edge to give its rank over."""

    @property
    def is_whole(self) -> bool:
        """Whether there is nothing beyond it."""
        return isinstance(self.memories, slice)


def walk(edges: Edges, start: Ints, begun: Floats, weights: RetrievalWeights) -> Ranks:
    """The rank of every name and memory for walks that begin at these places, each so often; that sums to 1."""
    size = len(edges.degrees)
    names, memories = np.zeros(size + 1), np.zeros(len(edges.trust))
    if not len(start):
        return Ranks(memories, names[:size])
    names[start] = begun
    reached = np.zeros(size + 1, dtype=np.bool_)
    reached[start] = True
    part = _part_of(edges, start, reached, weights.damping)
    room = _Room(part, names[part.names], memories[part.memories])
    for turn in range(weights.max_iterations):
        if turn and turn % 2 == 0 and not part.is_whole:
            # Rank goes from a name to a memory in one turn, and to the names beyond in the next.
            names[part.names], memories[part.memories] = room.names, room.memories
            part = _part_of(edges, start, reached, weights.damping)
            room = _Room(part, names[part.names], memories[part.memories])
        if room.turn(weights.damping, begun) < weights.tolerance:
            break
    names[part.names], memories[part.memories] = room.names, room.memories
    return Ranks(memories, names[:size])


def _part_of(edges: Edges, start: Ints, reached: NDArray[np.bool_], on: float) -> _Part:
    """The memories at the names that were reached; the names at these are marked as reached, too."""
    size = len(edges.degrees)
    stuck = edges.degrees[start] <= 0
    if len(edges.trust) >= _WORTH:
        at = np.flatnonzero(reached[edges.ends[0]] | reached[edges.ends[1]])
        if 2 * len(at) < len(edges.trust):
            ends = [end[at] for end in edges.ends]
            for end in ends:
                reached[end] = True
            reached[size] = True
            names = np.flatnonzero(reached)
            reached[size] = False
            places = np.empty(size + 1, dtype=np.int64)
            places[names] = np.arange(len(names))
            return _Part(
                at, names, on * edges.trust[at], [places[end] for end in ends],
                [share[at] if share.ndim else share for share in edges.shares],
                np.append(edges.gives[names[:-1]], 0.0), places[start], stuck,
            )  # fmt: skip
    every = slice(None)
    return _Part(every, every, on * edges.trust, edges.ends, edges.shares, np.append(edges.gives, 0.0), start, stuck)


class _Room:
    """Where a part is reckoned: arrays of this size, asked of the system anew every time, cost more than the sums."""

    def __init__(self, part: _Part, names: Floats, memories: Floats) -> None:
        self._part = part
        self.names, self.memories = names, memories
        self._given, self._grains = np.empty(len(names)), np.empty(len(names), dtype=np.int64)
        self._reached, self._scratch = np.empty(len(memories)), np.empty(len(memories))

    def turn(self, on: float, begun: Floats) -> float:
        """One turn of a walk. Returns how much has moved."""
        part, names, memories = self._part, self.names, self.memories
        given, reached, scratch = self._given, self._reached, self._scratch
        np.multiply(names, part.gives, out=given)
        # Clipped places spare a copy; there are none to clip.
        np.take(given, part.ends[0], out=reached, mode="clip")
        np.take(given, part.ends[1], out=scratch, mode="clip")
        reached += scratch
        reached *= part.gets
        left: Floats = np.zeros(len(names))
        for end, share in zip(part.ends, part.shares, strict=True):
            left += np.bincount(end, np.multiply(memories, share, out=scratch), len(names))
        left *= on
        # Only a seed can have rank and no edge to give it over; it begins again.
        stuck = float(np.sum(names[part.start][part.stuck]))
        left[part.start] += (1.0 - on + on * stuck) * begun
        np.abs(np.subtract(reached, memories, out=scratch), out=scratch)
        moved = float(np.sum(scratch)) + self._whole_sum(np.abs(np.subtract(left, names, out=given), out=given))
        self.names = left
        self.memories, self._reached = reached, memories
        return moved

    def _whole_sum(self, values: Floats) -> float:
        values *= _GRAIN
        np.copyto(self._grains, values, casting="unsafe")
        return int(np.sum(self._grains)) / _GRAIN
