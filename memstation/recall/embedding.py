"""What an embedder is, and asking one without trusting it. It knows no model and no store.

A vector is compared with others of the same model and dimension only. Whatever an embedder does wrong is one kind of
error here, so that a search can go on without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memstation.domain.errors import EmbedderFailed

Rows = NDArray[np.float32]

STORED = np.dtype("<f4")
"""How a vector lies in the file."""

MOST_CHARS = 2_000
"""Of a longer text the beginning is embedded."""

MOST_DIM = 65_536


class Embedder(Protocol):
    """Makes vectors of texts. It may be slow, and it may fail: a search goes on without it."""

    @property
    def name(self) -> str:
        """Tells models apart: vectors under one name can be compared. Another version is another model."""

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""

    def embed(self, texts: Sequence[str]) -> Rows:
        """A vector a text: float32, shape (len(texts), dimension), of any length. May be called by several threads."""


@dataclass(frozen=True, slots=True)
class Model:
    """What vectors must share to be compared."""

    name: str
    dim: int


@dataclass(frozen=True, slots=True)
class Sensed:
    """What a query means to a model."""

    model: Model
    vector: Rows
    """Of length 1."""


def model_of(embedder: Embedder) -> Model:
    """The embedder's model.

    Raises:
        EmbedderFailed: it does not say, or what it says is no name and dimension.
    """
    try:
        name, dim = embedder.name, embedder.dimension
    except EmbedderFailed:
        raise
    except Exception as error:
        raise _failed(error) from error
    if not isinstance(name, str) or not name.strip() or isinstance(dim, bool) or not isinstance(dim, int):
        raise EmbedderFailed("The embedder failed", "its name is no text, or its dimension no whole number")
    if not 1 <= dim <= MOST_DIM:
        raise EmbedderFailed("The embedder failed", "{dim} is no dimension of a vector", dim=dim)
    return Model(name, dim)


def embedded(embedder: Embedder, texts: Sequence[str]) -> tuple[Model, Rows, NDArray[np.bool_]]:
    """Vectors of length 1, a row a text, and which of them are good; one of nothing but zeros stays so.

    Raises:
        EmbedderFailed: it raised, or what it gave has not a row a text of its dimension.
    """
    model = model_of(embedder)
    try:
        made = np.asarray(embedder.embed([text[:MOST_CHARS] for text in texts]), dtype=np.float64)
    except EmbedderFailed:
        raise
    except Exception as error:
        raise _failed(error) from error
    if made.shape != (len(texts), model.dim):
        raise EmbedderFailed(
            "The embedder failed", "it gave {shape} where {texts} by {dim} was asked for",
            shape=" by ".join(map(str, made.shape)) or "one number", texts=len(texts), dim=model.dim,
        )  # fmt: skip
    good = np.logical_and.reduce(np.isfinite(made), axis=1)
    made[~good] = 0.0
    # Divided by the largest first: its square may be no number any more.
    made /= np.maximum(np.abs(made).max(axis=1, keepdims=True, initial=0.0), np.finfo(np.float64).tiny)
    lengths = np.sqrt((made * made).sum(axis=1, keepdims=True))
    return model, np.divide(made, lengths, out=made, where=lengths > 0).astype(np.float32), good


def sense(embedder: Embedder, query: str) -> Sensed:
    """What a query means to the embedder's model.

    Raises:
        EmbedderFailed: it raised, or gave no vector of its dimension.
    """
    model, rows, good = embedded(embedder, [query])
    if not good[0]:
        raise EmbedderFailed("The embedder failed", "it gave no numbers for the query")
    return Sensed(model, rows[0])


def _failed(error: Exception) -> EmbedderFailed:
    return EmbedderFailed("The embedder failed", "{kind}: {text}", kind=type(error).__name__, text=str(error)[:200])
