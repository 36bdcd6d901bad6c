"""Many claims of one fact in one decision: in order at the end of a line, or anyhow, the layout is the walk's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from memstation.domain.decisions import Claim, Decision
from memstation.store import plan

from engine_checks import check_rows, check_verified, new_store
from engine_histories import Author, Dice, Seeded
from engine_mutants import BATCHES, Mutant

SEEDS = range(8)


def batch(author: Author, dice: Dice) -> Decision:
    """A few claims of one agent's one fact, most often in the order of their starts; ties and repeats are common."""
    count = dice.pick((2, 4, 9))
    claims = [replace(author.claim(), agent_id="ada", subject="user", predicate="city") for _ in range(count)]
    if dice.below(4):
        claims.sort(key=lambda claim: claim.asserted_from or "")
    return Decision("store", "operator", tuple(claims), "ada")


def check_batches(seed: int) -> None:
    dice = Seeded(seed)
    with new_store() as store:
        author = Author(dice, store.history)
        for _ in range(12):
            store.tell(batch(author, dice) if dice.below(3) else author.decision())
            check_rows(store)
        check_verified(store)


def test_batches_are_laid_out_as_the_walk_does(monkeypatch: pytest.MonkeyPatch) -> None:
    short: list[tuple[int, bool]] = []
    true_place = plan.place_tail

    def place_tail(lines: Any, rows: Any, line: bytes, founder: Any, own_trust: Any) -> Any:
        short.append((len(rows), founder is not None))
        return true_place(lines, rows, line, founder, own_trust)

    monkeypatch.setattr(plan, "place_tail", place_tail)
    for seed in SEEDS:
        check_batches(seed)
    assert {(rows > 1, after) for rows, after in short} == {(a, b) for a in (True, False) for b in (True, False)}


@pytest.mark.parametrize("mutant", BATCHES, ids=lambda mutant: mutant.__name__)
def test_a_seeded_fault_is_caught(monkeypatch: pytest.MonkeyPatch, mutant: Mutant) -> None:
    mutant(monkeypatch)
    caught = 0
    for seed in SEEDS:
        try:
            check_batches(seed)
        except AssertionError:
            caught += 1
    assert caught


@pytest.mark.parametrize("starts", [("2026-02-01", "2026-01-01"), ("2026-01-01", "2026-02-01", "2026-01-15")])
def test_claims_out_of_order_go_the_long_way(monkeypatch: pytest.MonkeyPatch, starts: tuple[str, ...]) -> None:
    monkeypatch.setattr(plan, "place_tail", None)
    claims = tuple(
        Claim(f"m_{k}", "ada", f"v{k}", f"{start}T00:00:00.000000+00:00", subject="user", predicate="city")
        for k, start in enumerate(starts)
    )
    with new_store() as store:
        store.tell(Decision("store", "operator", claims, "ada"))
        check_rows(store)
