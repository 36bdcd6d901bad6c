"""The checks of the walk can fail: each seeded fault is caught on lines made from fixed seeds."""

from __future__ import annotations

import random

import pytest
from memstation.domain.timeline import Element, lay_out

from engine_mutants import WALK, WALK_ONLY, Mutant
from engine_oracle import Told, brute_force


def random_line(seed: int) -> list[Told]:
    dice = random.Random(seed)
    told = []
    for n in range(1, dice.randint(2, 8)):
        start, value = dice.randrange(8), dice.choice("AAB").encode()
        if dice.randrange(4) == 0:
            told.append(Told(n, f"{start:02d}", value, is_end=True))
        else:
            length = dice.choice([None, None, 1, 2, 4])
            told.append(Told(n, f"{start:02d}", value, None if length is None else f"{start + length:02d}"))
    return told


LINES = [random_line(seed) for seed in range(400)]


def wrong_lines() -> int:
    """How many of the lines are not laid out as the oracle says, shown rows included."""
    wrong = 0
    for told in LINES:
        segments = lay_out(Element(t.n, t.start, t.value, t.until, t.is_end) for t in told)
        found = [(s.founder, s.members, s.start, s.until, s.ended_by, s.shown) for s in segments]
        expected = [(s.founder, s.members, s.start, s.until, s.ended_by, s.shown) for s in brute_force(told)]
        wrong += found != expected
    return wrong


def test_the_walk_itself_is_right_on_these_lines() -> None:
    assert wrong_lines() == 0


@pytest.mark.parametrize("mutant", [*WALK, *WALK_ONLY], ids=lambda mutant: mutant.__name__)
def test_a_seeded_fault_is_caught(monkeypatch: pytest.MonkeyPatch, mutant: Mutant) -> None:
    mutant(monkeypatch)
    assert wrong_lines() > 0
