"""How many of the passages that a question needs are found: by words, by the graph, by both. It tells no time.

The folder is HippoRAG's MuSiQue sample: 100 questions, their passages, and triples that a model read from these. Each
passage is told as a note, each triple as a fact made from it. A passage is as good as its memories' places together.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memstation.bench.meaning import measure_meaning
from memstation.bench.measures import Measure
from memstation.domain.decisions import Decision, Order
from memstation.domain.errors import InvalidInput
from memstation.domain.memory import MemoryEntry, TemporalMeta
from memstation.domain.names import fold_name
from memstation.engine import MemoryEngine, open_engine
from memstation.recall.ranking import DEFAULT_WEIGHTS, RetrievalWeights

AGENT = "bench"
HITS = 100
"""Hits of each search that are taken together."""
FROM_GRAPH = 50
"""How many of them the graph may bring by itself; a search for a person lets three in."""
SPREAD = 10
"""By how much the first places of a search go before the others."""
TO_PASS = 56.3
"""R@5 of words and graph together, as it was measured with plain BM25 and PageRank on these data."""

_RESAMPLED = 2_000

_WIDE = replace(DEFAULT_WEIGHTS, graph_candidates=FROM_GRAPH, appended=FROM_GRAPH)
WAYS: dict[str, RetrievalWeights] = {
    "words": replace(_WIDE, w_graph=0.0),
    "graph": replace(_WIDE, w_fts=0.0),
    "both": _WIDE,
}
"""The weights of each way to search."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the numbers of the passages that it needs."""

    text: str
    needs: frozenset[int]


@dataclass(frozen=True, slots=True)
class Sample:
    """What a folder holds."""

    passages: tuple[str, ...]
    triples: tuple[tuple[int, str, str, str], ...]
    """(passage, subject, predicate, object)."""
    questions: tuple[Question, ...]


def read_sample(folder: Path) -> Sample:
    """Read the folder.

    Raises:
        InvalidInput: it does not hold the sample.
    """
    read = sorted(folder.glob("openie*.json"))
    asked = sorted(path for path in folder.glob("*.json") if "corpus" not in path.name and path not in read)
    if len(read) != 1 or len(asked) != 1:
        raise InvalidInput(
            "This is no sample of HippoRAG", "{folder}", "openie_*.json and the questions", folder=folder
        )
    docs = json.loads(read[0].read_text(encoding="utf-8"))["docs"]
    numbers = {doc["passage"]: number for number, doc in enumerate(docs)}
    triples = tuple(
        (number, *map(str, triple))
        for number, doc in enumerate(docs)
        for triple in doc["extracted_triples"]
        if len(triple) == 3 and all(str(part).strip() for part in triple)
    )
    questions = [_question(item, numbers) for item in json.loads(asked[0].read_text(encoding="utf-8"))]
    return Sample(tuple(numbers), triples, tuple(questions))  # type: ignore[arg-type]


def _question(item: dict[str, Any], numbers: dict[str, int]) -> Question:
    needed = (part for part in item["paragraphs"] if part["is_supporting"])
    return Question(
        item["question"], frozenset(numbers[f"{part['title']}\n{part['paragraph_text']}"] for part in needed)
    )


def fill(engine: MemoryEngine, sample: Sample) -> None:
    """Tell all of a sample. Every predicate holds many values: nothing in it replaces anything."""
    predicates = {fold_name(predicate): predicate for _, _, predicate, _ in sample.triples}
    orders = tuple(Order("predicate", "many", AGENT, predicate=predicate) for predicate in predicates.values())
    engine.apply(Decision("predicate", "operator", orders, AGENT))
    items: list[tuple[MemoryEntry, TemporalMeta]] = [
        (MemoryEntry(AGENT, text, id=f"{number}"), TemporalMeta(origin="operator"))
        for number, text in enumerate(sample.passages)
    ]
    for place, (number, subject, predicate, object_) in enumerate(sample.triples):
        meta = TemporalMeta(subject, predicate, object_, origin="operator", derived_from=(f"{number}",))
        entry = MemoryEntry(AGENT, f"{subject} {predicate} {object_}", id=f"{number}.{place}")
        items.append((entry, meta))
    for first in range(0, len(items), 1000):
        engine.store_many(items[first : first + 1000], actor="operator")


def found(engine: MemoryEngine, question: str, weights: RetrievalWeights) -> list[int]:
    """The passages that a search leads to, the best first."""
    engine.weights = weights
    good: Counter[int] = Counter()
    for place, hit in enumerate(engine.search(AGENT, question, HITS)):
        if weights.w_fts or hit.terms.graph is not None:
            good[int(hit.memory.id.split(".")[0])] += 1 / (SPREAD + place)  # type: ignore[assignment]
    return [number for number, _ in good.most_common()]


def shares_of(questions: Sequence[Question], led_to: Sequence[Sequence[int]], at: int) -> list[float]:
    """Of each question, the share of its passages among the first `at` that its search led to."""
    return [
        len(question.needs & set(passages[:at])) / len(question.needs)
        for question, passages in zip(questions, led_to, strict=True)
    ]


def measure_recall(folder: Path) -> Iterator[Measure]:
    """R@2 and R@5 of each way to search, and by how much both together beat words alone, question by question."""
    sample = read_sample(folder)
    size = len(sample.passages) + len(sample.triples)
    with tempfile.TemporaryDirectory(prefix="memstation-bench-") as place, open_engine(Path(place) / "b.db") as engine:
        fill(engine, sample)
        shares: dict[str, list[float]] = {}
        for name, weights in WAYS.items():
            led_to = [found(engine, question.text, weights) for question in sample.questions]
            for at in (2, 5):
                shares[name] = shares_of(sample.questions, led_to, at)
                yield Measure(f"R@{at} by {name}", size, _percent(shares[name]), "%")

        def led_to_by(weights: RetrievalWeights) -> list[list[int]]:
            return [found(engine, question.text, weights) for question in sample.questions]

        def shares_at(led_to: Sequence[Sequence[int]], at: int) -> list[float]:
            return shares_of(sample.questions, led_to, at)

        yield from measure_meaning(engine, AGENT, size, WAYS["both"], shares["both"], led_to_by, shares_at)
    both = _percent(shares["both"])
    yield Measure("R@5 by both, against PageRank with BM25", size, both, "%", f"more than {TO_PASS}", both > TO_PASS)
    differences = [more - less for more, less in zip(shares["both"], shares["words"], strict=True)]
    gain, lowest = _percent(differences), _lowest(differences)
    yield Measure("both more than words alone, R@5", size, gain, "points", "more than 0", gain > 0)
    yield Measure("of which 95 of 100 samples have at least", size, lowest, "points")
    better, worse = sum(one > 0 for one in differences), sum(one < 0 for one in differences)
    yield Measure("questions that are better by both", size, better, "of " + str(len(differences)))
    yield Measure("questions that are worse by both", size, worse, "of " + str(len(differences)))


def _percent(shares: Sequence[float]) -> float:
    return 100 * sum(shares) / len(shares)


def _lowest(differences: Sequence[float]) -> float:
    """The fifth of a hundred, of means of samples drawn again from the questions."""
    chance = random.Random(0)
    means = sorted(_percent(chance.choices(differences, k=len(differences))) for _ in range(_RESAMPLED))
    return means[_RESAMPLED // 20]


def main(folder: Path, *, as_json: bool = False) -> int:
    """Measure and print. Returns 0 when every bar is kept, 1 otherwise."""
    from memstation.bench.report import told

    return told(measure_recall(folder), as_json=as_json)
