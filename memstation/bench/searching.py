"""Search and the graph: how fast they answer in a filled store, and PageRank beside scipy's arithmetic."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from memstation.bench.measures import Measure, bar, percentile, timed
from memstation.domain.memory import MemoryEntry, TemporalMeta
from memstation.engine import MemoryEngine, open_engine
from memstation.recall.graph import Graph, Triple
from memstation.recall.ranking import DEFAULT_WEIGHTS

AGENT = "search"
SEARCHES = 200
TURNS = 15
MOST_TRIPLES = 100_000
"""Among which a search after a write is measured."""
BATCH = 10_000
_FIRST, _SECOND = ("ka", "to", "mi", "ren", "sol", "dur"), ("ba", "li", "xo", "ne", "pa", "gu", "ter")
_THIRD = ("", "n", "s", "rim", "dal", "vo", "que", "th", "ock", "el")
_LATIN = [a + b + c for a in _FIRST for b in _SECOND for c in _THIRD]
_HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 700)]


def measure_search(folder: Path, size: int) -> Iterator[Measure]:
    """A store of `size` memories of words as frequent as words are, half of them Chinese, an eighth about something."""
    path = folder / "search.db"
    with open_engine(path) as engine:
        chance = random.Random(size)
        for first in range(0, size, BATCH):
            count = min(BATCH, size - first)
            engine.store_many([_memory(chance, first + at, size) for at in range(count)], actor="operator")
        most = 25.0 if size >= 1_000_000 else 10.0
        for what, query in _QUERIES.items():
            taken = _searches(engine, partial(query, random.Random(1)))
            yield Measure(f"search, {what}, p50", size, percentile(taken, 0.5), "ms")
            yield bar(f"search, {what}, p95", size, percentile(taken, 0.95), "ms", most)
    triples = min(size, MOST_TRIPLES)
    with open_engine(folder / "triples.db") as engine:
        chance = random.Random(triples)
        for first in range(0, triples, BATCH):
            count = min(BATCH, triples - first)
            engine.store_many([_triple(chance, first + at, triples) for at in range(count)], actor="operator")
        yield from _after_a_write(engine, triples)
    for file in (*folder.glob("search.db*"), *folder.glob("triples.db*")):
        file.unlink()


def _memory(chance: random.Random, number: int, size: int) -> tuple[MemoryEntry, TemporalMeta]:
    if number % 8 == 0:
        return _triple(chance, number, size // 8)
    text = _han(chance, 24) if number % 2 else " ".join(_latin(chance) for _ in range(14))
    return MemoryEntry(AGENT, text), TemporalMeta(origin="operator")


def _triple(chance: random.Random, number: int, triples: int) -> tuple[MemoryEntry, TemporalMeta]:
    """A fact about one of as many names as there are triples, some of them often."""
    subject = f"thing {int(triples * chance.random() ** 2)}"
    object_ = f"place {int(triples / 2 * chance.random() ** 2)}"
    meta = TemporalMeta(subject, f"link {number}", object_, origin="operator")
    return MemoryEntry(AGENT, f"{subject} is linked to {object_}"), meta


def _latin(chance: random.Random) -> str:
    """One of 420 words, the first of them often, or a rare one with a number."""
    if chance.random() < 0.1:
        return f"{chance.choice(_LATIN)}{chance.randrange(5000)}"
    return _LATIN[int(len(_LATIN) * chance.random() ** 3)]


def _han(chance: random.Random, length: int) -> str:
    return "".join(_HAN[int(len(_HAN) * chance.random() ** 3)] for _ in range(length))


_QUERIES: dict[str, Callable[[random.Random], str]] = {
    "one common word": lambda chance: _LATIN[chance.randrange(8)],
    "three words": lambda chance: " ".join(_latin(chance) for _ in range(3)),
    "a rare word": lambda chance: f"{chance.choice(_LATIN)}{chance.randrange(5000)}",
    "two Chinese characters": lambda chance: _han(chance, 2),
    "five Chinese characters": lambda chance: _han(chance, 5),
}


def _searches(engine: MemoryEngine, query: Callable[[], str]) -> list[float]:
    """Milliseconds of searches that name nothing in the graph."""
    engine.search(AGENT, "warm")
    return [timed(partial(engine.search, AGENT, query())) * 1000 for _ in range(SEARCHES)]


def _after_a_write(engine: MemoryEngine, size: int) -> Iterator[Measure]:
    chance = random.Random(3)
    alone, after = [], []
    for turn in range(TURNS):
        query = f"thing {int(size * chance.random() ** 2)}"
        engine.search(AGENT, query)
        alone.append(timed(partial(engine.search, AGENT, query)) * 1000)
        meta = TemporalMeta(query, f"new link {turn}", f"place {turn}", origin="operator")
        engine.store_temporal(MemoryEntry(AGENT, f"{query} is linked anew"), meta)
        after.append(timed(partial(engine.search, AGENT, query)) * 1000)
    triples = len(engine.finder.graph(AGENT)[0])
    yield Measure(f"search of a name among {triples:,} triples, p50", size, percentile(alone, 0.5), "ms")
    more = percentile([one - other for one, other in zip(after, alone, strict=True)], 0.5)
    yield bar("a search after a write, more than alone, p50", size, more, "ms", 5.0)


def measure_pagerank(triples: int) -> Iterator[Measure]:
    """PageRank on a kept graph of so many triples, beside the same arithmetic on scipy's compressed rows."""
    chance = np.random.default_rng(triples)
    names = max(10, triples // 4)
    ends = (names * chance.random((2, triples)) ** 3).astype(np.int64)
    trust = chance.random(triples)
    graph = Graph.of(
        Triple(n, f"n{subject}", f"n{object_}", weight)
        for n, (subject, object_, weight) in enumerate(zip(*ends.tolist(), trust.tolist(), strict=True), 1)
    )
    seeds = [place for name in ("n1", "n7", "n40") if (place := graph.has(name)) is not None]
    seeds = seeds or [0]
    theirs_of = _scipy_rank(graph, seeds)
    ours, theirs = [], []
    for _ in range(TURNS):
        ours.append(timed(lambda: graph.rank(seeds, DEFAULT_WEIGHTS)) * 1000)
        if theirs_of is not None:
            theirs.append(timed(theirs_of) * 1000)
    yield Measure(f"PageRank on {triples:,} triples, p50", triples, percentile(ours, 0.5), "ms")
    if theirs:
        ratio = percentile(ours, 0.5) / percentile(theirs, 0.5)
        yield bar(f"PageRank on {triples:,} triples, p50 against scipy", triples, ratio, "x", 2.5)


def _scipy_rank(graph: Graph, seeds: list[int]) -> Callable[[], Any] | None:
    """The same walk by scipy's sparse product, to the same tolerance; None where scipy is not installed."""
    try:
        from scipy import sparse
    except ImportError:
        return None
    names, memories = len(graph.degrees), len(graph)
    over = names + np.arange(memories)
    here = np.concatenate([graph.ends[0], over, graph.ends[1], over])
    there = np.concatenate([over, graph.ends[0], over, graph.ends[1]])
    size = names + memories
    edges = sparse.csr_matrix((np.tile(graph.trust, 4), (here, there)), shape=(size, size))
    sums = np.asarray(edges.sum(axis=1)).ravel()
    walk = (sparse.diags(np.divide(1.0, sums, out=np.zeros(size), where=sums > 0)) @ edges).T.tocsr()
    start = np.zeros(size)
    start[seeds] = 1 / len(seeds)

    def rank() -> Any:
        ranks = start
        for _ in range(DEFAULT_WEIGHTS.max_iterations):
            moved = DEFAULT_WEIGHTS.damping * (walk @ ranks) + (1 - DEFAULT_WEIGHTS.damping) * start
            difference = np.abs(moved - ranks).sum()
            ranks = moved
            if difference < DEFAULT_WEIGHTS.tolerance:
                break
        return ranks

    return rank
