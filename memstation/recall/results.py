"""What a search answers: hits with their terms, and how they were come by. Plain frozen data; it asks nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from memstation.domain.memory import FactRecord
from memstation.recall.ranking import Terms


@dataclass(frozen=True, slots=True)
class Step:
    """One step in the graph from a seed towards a hit: over a memory to a name."""

    memory_id: str
    to: str | None
    """The name at the other end; None where the hit itself is reached."""


@dataclass(frozen=True, slots=True)
class Path:
    """How a hit is joined to a seed."""

    seed: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that was found."""

    memory: FactRecord
    score: float
    terms: Terms
    words: tuple[str, ...] = ()
    """The words of the query in it; filled with `explain`."""
    path: Path | None = None
    """How the graph leads to it; filled with `explain`."""


@dataclass(frozen=True, slots=True)
class Trace:
    """How the hits were come by."""

    words: tuple[str, ...]
    """What was looked for."""
    unread: int
    """Words of the query that were left out, being too many."""
    missing: tuple[str, ...]
    """Words that no memory holds."""
    common: tuple[str, ...]
    """Words in so many memories that only the newest of those were looked at."""
    found: int
    """Memories that hold some of it."""
    dropped: dict[str, int]
    """How many of the likeliest were no hits, by the reason: ``closed``, ``scheduled``, ``layer``;
    and how many have a word of it and are ``held`` or ``withdrawn``."""
    ranked: int
    """Candidates that were scored, those of the graph and of the vectors among them."""
    seeds: tuple[str, ...] = ()
    """Names in the graph that the query begins at."""
    near: tuple[str, ...] = ()
    """Those of them that the query does not mention, and that are near it in meaning."""
    triples: int = 0
    """Memories in the graph; 0 where it was not asked."""
    lacking: int = 0
    """Memories that hold and have no vector of the embedder's model; 0 where there is no embedder."""
    notes: tuple[str, ...] = ()
    """What did not go as it should: an embedder that failed, and the like."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits, the best first. It can be used as the sequence of them."""

    hits: tuple[Hit, ...]
    at: datetime
    """The moment that was asked about, aware UTC."""
    trace: Trace | None = field(default=None, compare=False)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, place: int) -> Hit:
        return self.hits[place]
