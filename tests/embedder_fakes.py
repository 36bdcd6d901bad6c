"""Embedders for tests: one that is right enough to find things by letters, and those that go wrong in every way."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np


class Letters:
    """Counts pairs of letters, so that texts which share many lie near one another."""

    def __init__(self, name: str = "letters", dimension: int = 96) -> None:
        self.name = name
        self.dimension = dimension
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> Any:
        self.seen += texts
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            folded = f" {text.casefold()} "
            for pair in pairwise(folded):
                row[zlib.crc32("".join(pair).encode()) % self.dimension] += 1
        return rows


class Broken(Letters):
    """Answers with whatever a function makes of the right answer."""

    def __init__(self, spoil: Callable[[Any], Any]) -> None:
        super().__init__()
        self._spoil = spoil

    def embed(self, texts: Sequence[str]) -> Any:
        return self._spoil(super().embed(texts))


def _raise(rows: Any) -> Any:
    raise ConnectionError("nobody answers")


class Nameless(Letters):
    """Cannot say what it is."""

    @property
    def name(self) -> str:  # type: ignore[override]
        raise RuntimeError("no model is loaded")

    @name.setter
    def name(self, name: str) -> None:
        pass


FAILING: dict[str, Callable[[], Letters]] = {
    "raises": lambda: Broken(_raise),
    "nothing": lambda: Broken(lambda rows: None),
    "text": lambda: Broken(lambda rows: "vectors"),
    "ragged": lambda: Broken(lambda rows: [[1.0], [1.0, 2.0]]),
    "too few rows": lambda: Broken(lambda rows: rows[1:]),
    "too many rows": lambda: Broken(lambda rows: np.concatenate([rows, rows])),
    "flat": lambda: Broken(lambda rows: rows.ravel()),
    "other dimension": lambda: Broken(lambda rows: rows[:, 1:]),
    "no name": lambda: Letters(name=" "),
    "name is a number": lambda: Letters(name=7),  # type: ignore[arg-type]
    "cannot say its name": lambda: Nameless(),
    "no dimension": lambda: Letters(dimension=0),
    "dimension is true": lambda: Letters(dimension=True),
}
"""Embedders that fail as a whole."""

NO_NUMBERS: dict[str, Callable[[], Letters]] = {
    "not a number": lambda: Broken(lambda rows: rows * np.nan),
    "infinite": lambda: Broken(lambda rows: rows + np.inf),
}
"""Embedders that give no numbers for any text."""
