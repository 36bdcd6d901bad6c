"""The checks of histories can fail: each seeded fault is caught on a few fixed seeds, and none without it."""

from __future__ import annotations

import pytest

from engine_checks import check_history
from engine_histories import Seeded
from engine_mutants import MARKS, TAILS, UNDO, WALK, Mutant

SEEDS = (207, 205, 204, 206, 209, 325, 302)
STEPS = 40


def first_caught() -> int | None:
    """The first of the seeds on which the checks fail."""
    for seed in SEEDS:
        try:
            check_history(Seeded(seed), STEPS, every=5)
        except Exception:
            # A mutant may also break the engine outright; the suite would see that as well.
            return seed
    return None


def test_without_a_fault_the_checks_pass_on_these_seeds() -> None:
    assert first_caught() is None


@pytest.mark.parametrize("mutant", [*WALK, *UNDO, *MARKS, *TAILS], ids=lambda mutant: mutant.__name__)
def test_a_seeded_fault_is_caught(monkeypatch: pytest.MonkeyPatch, mutant: Mutant) -> None:
    mutant(monkeypatch)
    assert first_caught() is not None
