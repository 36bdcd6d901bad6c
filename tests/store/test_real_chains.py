"""Chains of facts that nobody here invented, told in a shuffled order: every question is answered right.

The whole data sets are looked for in the folder that MEMSTATION_DATA names; samples are in tests/data.
"""

from __future__ import annotations

import calendar
import json
import os
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from memstation import MemoryEntry, TemporalMeta
from memstation.domain.decisions import Decision, Mark
from memstation.domain.guarding import GuardSettings

SAMPLES = Path(__file__).parent.parent / "data"
BATCH = 500
MOMENT = timedelta(microseconds=1)


@dataclass(frozen=True)
class Stated:
    """A fact as the data states it."""

    value: str
    start: datetime
    until: datetime | None


@dataclass(frozen=True)
class Chain:
    """The facts of one subject and predicate, and questions with the answers they must get."""

    subject: str
    predicate: str
    facts: tuple[Stated, ...]
    questions: tuple[tuple[datetime, str | None], ...]


def instant(text: str) -> datetime:
    """A day, or a year: its first of January. A day that only the lunar calendar had is the next first of March."""
    if text.endswith(("-02-29", "-02-30")) and not is_leap(int(text[:4]), text):
        text = f"{text[:4]}-03-01"
    return datetime.fromisoformat(text if len(text) == 10 else f"{text}-01-01").replace(tzinfo=UTC)


def is_leap(year: int, text: str) -> bool:
    return text.endswith("29") and calendar.isleap(year)


def lines_of(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def stated(value: str, start: str, until: str | None) -> Stated:
    return Stated(value, instant(start), None if until is None else instant(until))


def with_questions(path: Path) -> list[Chain]:
    """Files of chains that bring their own questions."""
    return [
        Chain(
            line["subject"],
            line["predicate"],
            tuple(stated(s["object"], s["from"], s["until"]) for s in line["segments"]),
            tuple((instant(q["at"]), q["answer"]) for q in line["queries"]),
        )
        for line in lines_of(path)
    ]


def from_windows(path: Path) -> list[Chain]:
    """Files of facts: the questions are asked at the bounds, in the middles, in the gaps, and before all."""
    chains: dict[tuple[str, str], list[Stated]] = defaultdict(list)
    for line in lines_of(path):
        key = (line.get("id", line["s"]), line["p"])
        chains[key].append(stated(line["o"], line["from"], line["until"]))
    made = []
    for (subject, predicate), facts in chains.items():
        facts.sort(key=lambda fact: fact.start)
        made.append(Chain(subject, predicate, tuple(facts), tuple(questions_about(facts))))
    return made


def questions_about(facts: list[Stated]) -> Iterator[tuple[datetime, str | None]]:
    yield facts[0].start - MOMENT, None
    for fact in facts:
        yield fact.start, fact.value
        yield fact.start + ((fact.until or fact.start + timedelta(days=9)) - fact.start) / 2, fact.value
        if fact.until is not None:
            yield fact.until - MOMENT, fact.value
    for one, next_one in pairwise(facts):
        assert one.until is not None and one.until <= next_one.start, "the data must not overlap"
        if one.until < next_one.start:
            yield one.until, None
            yield one.until + (next_one.start - one.until) / 2, None
            yield next_one.start - MOMENT, None
    if facts[-1].until is not None:
        yield facts[-1].until, None
        yield facts[-1].until + timedelta(days=36_500), None


def load(engine: Any, chains: Iterable[Chain], seed: int) -> int:
    """Tell all facts of all chains in one shuffled order; returns how many."""
    told = [
        (
            MemoryEntry("ada", f"{chain.subject} {chain.predicate} {fact.value}"),
            TemporalMeta(
                subject=chain.subject,
                predicate=chain.predicate,
                object=fact.value,
                valid_from=fact.start,
                valid_until=fact.until,
                origin="operator",
            ),
        )
        for chain in chains
        for fact in chain.facts
    ]
    random.Random(seed).shuffle(told)
    for first in range(0, len(told), BATCH):
        outcomes = engine.store_many(told[first : first + BATCH])
        assert len(outcomes) == len(told[first : first + BATCH])
    return len(told)


def ask(engine: Any, chains: list[Chain]) -> int:
    """Ask every question of every chain; returns how many."""
    asked = 0
    for chain in chains:
        for at, answer in chain.questions:
            assert answer_of(engine, chain, at) == answer, (chain.subject, chain.predicate, at)
            asked += 1
    return asked


def answer_of(engine: Any, chain: Chain, at: datetime) -> str | None:
    record = engine.get_at("ada", chain.subject, chain.predicate, at)
    return record.object if record else None


def check_windows(engine: Any, chains: list[Chain]) -> None:
    """The history of each chain has the windows that the data states."""
    for chain in chains:
        history = engine.get_history("ada", chain.subject, chain.predicate)
        assert [Stated(r.object, r.valid_from, r.valid_until) for r in history] == list(chain.facts)


# file, reader, chains and "nothing holds" questions that it must have at least
SAMPLE_FILES = [
    ("wikidata_sample.jsonl", with_questions, 80, 80),
    ("congress_sample.jsonl", from_windows, 40, 120),
    ("executive.jsonl", from_windows, 2, 4),
    ("eras_sample.jsonl", from_windows, 1, 1),
]
WHOLE_FILES = [
    ("wikidata12k_chains.jsonl", with_questions, 1_713, 2_579),
    ("yago11k_chains.jsonl", with_questions, 716, 1_147),
    ("us_congress_terms.jsonl", from_windows, 537, 2_000),
    ("us_executive_terms.jsonl", from_windows, 2, 4),
    ("japanese_eras.jsonl", from_windows, 1, 1),
]


@pytest.mark.parametrize(("name", "read", "chains", "empty"), SAMPLE_FILES)
@pytest.mark.parametrize("seed", [1, 2])
def test_samples(engine: Any, name: str, read: Any, chains: int, empty: int, seed: int) -> None:
    check_file(engine, SAMPLES / name, read, chains, empty, seed)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "read", "chains", "empty"), WHOLE_FILES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whole_data_sets(engine: Any, name: str, read: Any, chains: int, empty: int, seed: int) -> None:
    check_file(engine, data_folder() / "temporal" / name, read, chains, empty, seed)


@pytest.mark.parametrize(("name", "read", "_chains", "_empty"), WHOLE_FILES)
def test_a_part_of_the_whole_data_sets(engine: Any, name: str, read: Any, _chains: int, _empty: int) -> None:
    """Every tenth chain of each, so that the quick suite sees all of them where the data is at hand."""
    found = read(data_folder() / "temporal" / name)[::10]
    load(engine, found, seed=7)
    assert ask(engine, found) >= len(found)
    check_windows(engine, found)


def data_folder() -> Path:
    folder = os.environ.get("MEMSTATION_DATA")
    if not folder:
        pytest.skip("MEMSTATION_DATA does not name the folder with the whole data sets")
    return Path(folder)


def check_file(engine: Any, path: Path, read: Any, chains: int, empty: int, seed: int) -> None:
    found = read(path)
    assert len(found) == chains
    assert sum(answer is None for c in found for _, answer in c.questions) >= empty
    load(engine, found, seed)
    assert ask(engine, found) == sum(len(c.questions) for c in found)
    check_windows(engine, found)
    assert engine.verify().ok


def test_the_answers_of_the_sample_survive_purges_and_their_undoing(make_engine: Any) -> None:
    """Two liars answer every question; withdrawing them gives the sample back, undoing that the lies."""
    engine = make_engine(guard=GuardSettings(enabled=False, over_operator=False))
    chains = with_questions(SAMPLES / "wikidata_sample.jsonl")
    load(engine, chains, seed=3)
    digest = engine.state_digest()
    asked = [(chain, at) for chain in chains for at, _ in chain.questions]
    engine.store_many(
        [
            (
                MemoryEntry("ada", f"lie {n}", id=f"lie_{n}"),
                TemporalMeta(
                    subject=chain.subject,
                    predicate=chain.predicate,
                    object=f"lie {n}",
                    valid_from=at,
                    origin=f"channel:{n % 2}",
                ),
            )
            for n, (chain, at) in enumerate(asked)
        ]
    )
    assert [answer_of(engine, *question) for question in asked] == [f"lie {n}" for n in range(len(asked))]
    lied = engine.state_digest()
    purges = []
    for liar in (0, 1):
        marks = tuple(Mark(f"lie_{n}", "withdrawn", "origin_purge") for n in range(liar, len(asked), 2))
        purges.append(engine.apply(Decision("retract", "operator", marks, "ada")).seq)
    assert ask(engine, chains) == len(asked)
    assert engine.state_digest() == digest
    for seq in purges:
        engine.undo(seq, actor="operator")
    assert engine.state_digest() == lied
