"""Search on facts, talks and poison that nobody made for it: newest wins, every word is found, trust counts."""

from __future__ import annotations

import json
import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from memstation.domain.guarding import GuardSettings
from memstation.recall.query import read_query
from memstation.recall.ranking import DEFAULT_WEIGHTS
from memstation.store.text_index import RUN, fold_text
from search_stores import note, triple

POISON = Path(__file__).parent.parent / "data" / "poison_sample.jsonl"
OFF = GuardSettings(enabled=False, over_operator=False)

FACTS = [
    ("Thomas Kyd", "was born in the city of", "London"),
    ("Fatah", "chairperson", "Mahmoud Abbas"),
    ("Thomas Kyd", "was born in the city of", "Seattle"),
    ("goaltender", "sport", "ice hockey"),
    ("goaltender", "sport", "pesäpallo"),
]


def data(*parts: str) -> Path:
    path = Path(os.environ.get("MEMSTATION_DATA", "/nowhere")).joinpath(*parts)
    if not path.exists():
        pytest.skip(f"MEMSTATION_DATA has no {'/'.join(parts)}")
    return path


def test_the_newest_value_wins_and_no_retired_one_is_found(engine: Any) -> None:
    for subject, predicate, object_ in FACTS:
        triple(engine, subject, predicate, object_)
    found = [hit.memory.object for hit in engine.search("ada", "In which city was Thomas Kyd born?")]
    assert found[0] == "Seattle" and "London" not in found
    assert engine.search("ada", "Which sport is goaltender associated with?")[0].memory.object == "pesäpallo"
    assert len(engine.search("ada", '"ice hockey" London')) == 0


def test_newest_wins_over_all_of_fact_consolidation(engine: Any) -> None:
    lines = data("factconsolidation", "facts.jsonl").read_text(encoding="utf-8").splitlines()
    newest: dict[tuple[str, str], str] = {}
    items = []
    for fact in map(json.loads, lines):
        newest[fact["subject"], fact["predicate"]] = fact["object"]
        items.append(fact)
    for fact in items:
        triple(engine, fact["subject"], fact["predicate"], fact["object"], text=fact["text"])
    asked = data("factconsolidation", "questions_single_hop.tsv").read_text(encoding="utf-8").splitlines()
    right = 0
    for line in asked:
        question, *answers = line.split("\t")
        hits = engine.search("ada", question, 50)
        said = {(hit.memory.subject, hit.memory.predicate): hit.memory.object for hit in hits}
        assert all(newest[about] == object_ for about, object_ in said.items()), question
        right += any(hit.memory.object in answers for hit in hits.hits[:5])
    assert right >= 90


def test_trust_pushes_poison_down(make_engine: Any) -> None:
    """Of each question: the true passage by a trusted source, five poisoned ones from a channel, the gate off."""
    engine = make_engine(guard=OFF)
    asked = []
    for number, line in enumerate(POISON.read_text(encoding="utf-8").splitlines()):
        item = json.loads(line)
        half = item["question"].split()[::2]
        true = note(engine, f"It is {item['correct answer']}: {' '.join(half)}", origin="operator")
        poisoned = [note(engine, text, origin=f"channel:{number}") for text in item["adv_texts"]]
        asked.append((item["question"], true.id, {outcome.id for outcome in poisoned}))

    def poisoned_before(w_trust: float) -> list[int]:
        engine.weights = replace(DEFAULT_WEIGHTS, w_trust=w_trust)
        counts = []
        for question, true, bad in asked:
            ids = [hit.memory.id for hit in engine.search("ada", question, 20)]
            counts.append(sum(id_ in bad for id_ in ids[: ids.index(true)]))
        return counts

    without, default, strong = (poisoned_before(weight) for weight in (0.0, 0.10, 0.60))
    assert all(more <= less for more, less in zip(default, without, strict=True))
    assert sum(strong) < sum(without) and sum(strong) <= sum(default)


def test_without_a_weight_on_trust_the_ranking_is_that_without_trust(engine: Any) -> None:
    for number in range(12):
        note(engine, f"ferry number {number}", origin=("operator", "agent_derived", "channel:x")[number % 3])
    triple(engine, "ferry", "goes to", "Nara", origin="channel:x")
    engine.weights = replace(DEFAULT_WEIGHTS, w_trust=0.0)
    for hit in engine.search("ada", "ferry number 3", 20):
        terms = hit.terms
        parts = (terms.recency, terms.importance, terms.text, terms.graph, terms.vector)
        assert terms.trust == 1.0 and hit.score.hex() == float(sum(part for part in parts if part is not None)).hex()
        assert terms.vector is None


def test_every_word_of_two_characters_finds_its_memory(engine: Any) -> None:
    talks = json.loads(data("conversation", "memorybank_memory_bank_cn.json").read_text(encoding="utf-8"))
    said = [turn["query"] for user in talks.values() for day in user["history"].values() for turn in day]
    chance = random.Random(1)
    told = {note(engine, text, agent="cn").id: text for text in dict.fromkeys(chance.sample(said, 120))}
    pairs = {
        run[at : at + 2] for text in told.values() for run in RUN.findall(fold_text(text)) for at in range(len(run) - 1)
    }
    assert len(pairs) > 500
    engine.weights = replace(DEFAULT_WEIGHTS, w_graph=0.0)
    for pair in chance.sample(sorted(pairs), 250):
        holding = {id_ for id_, text in told.items() if pair in fold_text(text)}
        assert {hit.memory.id for hit in engine.search("cn", pair, 200)} == holding, pair


def test_no_line_of_any_data_is_an_error(engine: Any) -> None:
    note(engine, "a plain note of 台北")
    root, chance = data(), random.Random(2)
    files = sorted(
        path for path in root.rglob("*") if path.suffix in {".jsonl", ".json", ".csv", ".tsv", ".txt", ".md"}
    )
    assert len(files) > 15
    for path in files:
        with path.open(encoding="utf-8", errors="surrogateescape") as lines:
            kept = [line for _, line in zip(range(400), lines, strict=False)]
        for line in chance.sample(kept, min(12, len(kept))):
            engine.search("ada", line[:20_000], 3)
            assert all(word.tokens for word in read_query(line[:20_000]).words)
