"""PoisonedRAG's passages against the gate: held from the limit on, denied without a trace, known when they return."""

from __future__ import annotations

import json
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from memstation import MemoryEntry, TemporalMeta
from memstation.domain.guarding import DEFAULT_GUARD
from memstation.ops import review

from gate_writes import decide, waiting

SAMPLE = Path(__file__).parent.parent / "data" / "poison_sample.jsonl"
DATA = os.environ.get("MEMSTATION_DATA")
LIMIT = DEFAULT_GUARD.max_per_subject


def questions(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def poison(engine: Any, asked: dict[str, Any], origin: str) -> list[Any]:
    """One origin plants the wrong answer, passage by passage."""
    meta = TemporalMeta(subject=asked["question"], predicate="answer", object=asked["incorrect answer"], origin=origin)
    return [engine.store_temporal(MemoryEntry("ada", text), meta) for text in asked["adv_texts"]]


def reads(engine: Any, asked: dict[str, Any]) -> list[Any]:
    """What an agent is told about a question."""
    at = engine.clock()
    now = engine.get_at("ada", asked["question"], "answer", at)
    history = engine.get_history("ada", asked["question"], "answer")
    in_use = [r.id for r in history if r.state != "withdrawn"]
    return [now.object, now.content, in_use, [r.id for r in engine.list_recent("ada", 1000)]]


def planted(engine: Any, clock: Any, asked: dict[str, Any]) -> None:
    question, true = asked["question"], asked["correct answer"]
    meta = TemporalMeta(
        subject=question, predicate="answer", object=true, origin="user_direct", valid_from="2026-01-01"
    )
    engine.store_temporal(MemoryEntry("ada", f"{question}: {true}"), meta)
    before = reads(engine, asked)
    clock.now += timedelta(seconds=1)
    outcomes = poison(engine, asked, "mcp_external:crawler")
    assert [o.status for o in outcomes[: LIMIT - 1]] == ["superseded"] * (LIMIT - 1)
    assert {o.status for o in outcomes[LIMIT - 1 :]} == {"held"}
    held = [o.id for o in outcomes[LIMIT - 1 :]]
    # The earlier ones are on the card; one key holds them, and what they displaced is back.
    card = engine.held_card(held[0])
    assert [fact.id for fact in card.why.earlier] == [o.id for o in outcomes[: LIMIT - 1]]
    decide(engine, review.hold, [fact.id for fact in card.why.earlier])
    assert reads(engine, asked) == before
    mine = [id_ for id_ in waiting(engine) if id_ in {o.id for o in outcomes}]
    assert len(mine) == len(outcomes)
    engine.deny(mine)
    assert reads(engine, asked) == before
    assert engine.get_by_ids("ada", mine).missing_ids == tuple(mine)
    assert [r.object for r in engine.get_history("ada", question, "answer")] == [true]
    again = poison(engine, asked, "channel:other")
    assert {o.status for o in again} == {"held"} and {o.reason for o in again} == {"rejected_before"}
    assert reads(engine, asked) == before


def test_planted_passages_of_the_sample(engine: Any, clock: Any) -> None:
    for asked in questions(SAMPLE):
        planted(engine, clock, asked)
    assert engine.verify().ok


@pytest.mark.skipif(DATA is None, reason="MEMSTATION_DATA does not name the data sets")
@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.slow)])
def test_planted_passages_of_the_whole_set(engine: Any, clock: Any, every: int) -> None:
    found = questions(Path(DATA or "") / "poison" / "poisonedrag_targeted.jsonl")[::every]
    assert len(found) == 300 // every
    for asked in found:
        planted(engine, clock, asked)
    assert engine.verify().ok
