"""Vectors in memory: rows of numbers under keys, and which lie nearest to a query. It asks no store.

What is answered does not depend on how many rows there are or came when: the best are found quickly, then measured
one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from memstation.recall.embedding import STORED, Rows

Key = TypeVar("Key", int, str)

_SLACK = 32
"""More than the best so many are measured exactly: a quick product is right to seven digits."""


class VectorRows(Generic[Key]):
    """Vectors of one dimension, each under a key. It grows; what was read of it stays as it was."""

    def __init__(self, dim: int) -> None:
        self.dim = dim
        self.keys: list[Key] = []
        self._places: dict[Key, int] = {}
        self._rows: Rows = np.empty((0, dim), dtype=np.float32)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def size(self) -> int:
        """Bytes of memory that the vectors take."""
        return self._rows.nbytes

    def add(self, found: Sequence[tuple[Key, bytes]]) -> None:
        """Add vectors as they are stored; one under a key that is there takes its place."""
        new = [(key, vector) for key, vector in dict(found).items() if key not in self._places]
        for key, vector in found:
            if key in self._places:
                self._rows[self._places[key]] = np.frombuffer(vector, dtype=STORED)
        if not new:
            return
        size, wanted = len(self.keys), len(self.keys) + len(new)
        if wanted > len(self._rows):
            rows = np.empty((max(wanted, 2 * size), self.dim), dtype=np.float32)
            rows[:size] = self._rows[:size]
            self._rows = rows
        joined = np.frombuffer(b"".join(vector for _, vector in new), dtype=STORED)
        self._rows[size:wanted] = joined.reshape(len(new), self.dim)
        self._places.update((key, size + place) for place, (key, _) in enumerate(new))
        self.keys += [key for key, _ in new]

    def cosines(self, vector: Rows, keys: Iterable[Key]) -> dict[Key, float]:
        """The cosine of each of these keys that has a vector, to the last bit the same in any company."""
        known = [key for key in keys if key in self._places]
        return dict(zip(known, self._measured(vector, [self._places[key] for key in known]), strict=True))

    def nearest(self, vector: Rows, count: int, allowed: NDArray[np.bool_] | None = None) -> list[tuple[Key, float]]:
        """The keys nearest to a vector of length 1 with their cosines, all above 0; among equals the later key.

        Args:
            vector: of this dimension, of length 1.
            count: how many at most.
            allowed: of each row, whether it may be among them; None for all.
        """
        size = len(self.keys) if allowed is None else min(len(self.keys), len(allowed))
        if not size or count < 1:
            return []
        quick = self._rows[:size] @ vector
        if allowed is not None:
            quick[~allowed[:size]] = -2.0
        taken = min(size, 2 * count + _SLACK)
        places = np.argpartition(quick, size - taken)[size - taken :]
        places = places[quick[places] > -1.5]
        measured = zip(places.tolist(), self._measured(vector, places), strict=True)
        found = [(self.keys[place], cosine) for place, cosine in measured if cosine > 0]
        found.sort(key=lambda pair: pair[0], reverse=True)
        found.sort(key=lambda pair: -pair[1])
        return found[:count]

    def _measured(self, vector: Rows, places: Sequence[int] | NDArray[np.int64]) -> list[float]:
        taken = self._rows[np.asarray(places, dtype=np.int64)].astype(np.float64)
        values: list[float] = (taken * vector.astype(np.float64)).sum(axis=1).tolist()
        return values
