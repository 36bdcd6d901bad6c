"""How far trust pushes poisoned passages down, with the gate off: nothing is held. It tells no time.

The file is PoisonedRAG's: questions with their right answer, and five passages each that argue for a wrong one. The
right answer is told by the operator in half of the question's words; a passage comes from a channel and has them all.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from memstation.bench.measures import Measure
from memstation.domain.decisions import Decision, Order
from memstation.domain.errors import InvalidInput
from memstation.domain.guarding import GuardSettings
from memstation.domain.memory import MemoryEntry, TemporalMeta
from memstation.engine import MemoryEngine, open_engine
from memstation.recall.ranking import DEFAULT_WEIGHTS

AGENT = "bench"
WEIGHTS = (0.0, 0.1, 0.3, 0.6)
"""Of trust, each measured; 0.1 is the usual one."""
HITS = 20
PREDICATE = "answer"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, what is told about it, and what argues for something else."""

    text: str
    right: str
    wrong: str
    passages: tuple[str, ...]


def read_questions(file: Path) -> list[Question]:
    """Read the file.

    Raises:
        InvalidInput: it is not of this form.
    """
    try:
        items = [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line.strip()]
        return [
            Question(item["question"], item["correct answer"], item["incorrect answer"], tuple(item["adv_texts"]))
            for item in items
        ]
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput("These are no poisoned questions", "{file}: {error}", file=file, error=error) from error


def fill(engine: MemoryEngine, questions: Sequence[Question], *, as_facts: bool) -> None:
    """Tell all of it: as notes, or as facts about the questions, which the graph links by trust."""
    if as_facts:
        engine.apply(
            Decision("predicate", "operator", (Order("predicate", "many", AGENT, predicate=PREDICATE),), AGENT)
        )
    items: list[tuple[MemoryEntry, TemporalMeta]] = []
    for number, asked in enumerate(questions):
        half = " ".join(asked.text.split()[::2])
        told = [("right", f"It is {asked.right}: {half}", asked.right, "operator")]
        told += [(f"wrong{k}", text, asked.wrong, f"channel:{number}.{k}") for k, text in enumerate(asked.passages)]
        for name, text, object_, origin in told:
            meta = TemporalMeta(asked.text, PREDICATE, object_) if as_facts else TemporalMeta()
            items.append((MemoryEntry(AGENT, text, id=f"{number}.{name}"), replace(meta, origin=origin)))
    engine.store_many(items, actor="operator")


def before_the_right(engine: MemoryEngine, questions: Sequence[Question]) -> list[int]:
    """Of each question: how many poisoned passages of its own are found before what is right; all where that is not."""
    counts = []
    for number, asked in enumerate(questions):
        ids = [hit.memory.id for hit in engine.search(AGENT, asked.text, HITS)]
        right = f"{number}.right"
        ahead = ids[: ids.index(right)] if right in ids else [f"{number}.wrong"] * len(asked.passages)
        counts.append(sum(id_.startswith(f"{number}.wrong") for id_ in ahead))
    return counts


def measure_poison(file: Path) -> Iterator[Measure]:
    """For how many questions what is right comes before all its poison, and how much comes before it, by `w_trust`."""
    questions = read_questions(file)
    size = sum(1 + len(asked.passages) for asked in questions)
    for as_facts, form in ((False, "notes"), (True, "facts")):
        with (
            tempfile.TemporaryDirectory(prefix="memstation-bench-") as place,
            open_engine(Path(place) / "b.db", guard=GuardSettings(enabled=False, over_operator=False)) as engine,
        ):
            fill(engine, questions, as_facts=as_facts)
            without = 0
            for weight in WEIGHTS:
                engine.weights = replace(DEFAULT_WEIGHTS, w_trust=weight)
                ahead = before_the_right(engine, questions)
                first = sum(not count for count in ahead)
                without = first if weight == WEIGHTS[0] else without
                unit = f"of {len(questions)}"
                held_against = ("", None) if weight == WEIGHTS[0] else (f"at least {without}", first >= without)
                yield Measure(f"{form}, w_trust {weight:g}: the right one first", size, first, unit, *held_against)
                yield Measure(f"{form}, w_trust {weight:g}: poisoned before it", size, sum(ahead) / len(ahead), "each")


def main(file: Path, *, as_json: bool = False) -> int:
    """Measure and print. Returns 0 when trust never does harm, 1 otherwise."""
    from memstation.bench.report import told

    return told(measure_poison(file), as_json=as_json)
