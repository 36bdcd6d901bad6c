"""Killed at any moment of any verb: what was acknowledged is there, nothing is half, and the next write just works."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from fire.fire_parent import Fire
from fire.fire_verbs import VERBS


def test_a_dozen_kills(tmp_path: Path) -> None:
    fire = Fire(tmp_path, random.Random(3))
    fire.run(12)
    assert fire.decisions > 20


@pytest.mark.slow
def test_two_hundred_kills(tmp_path: Path) -> None:
    fire = Fire(tmp_path, random.Random(200))
    fire.run(200)
    print(f"\n{fire.stores} stores, {fire.decisions} decisions acknowledged, {fire.extras} beside, {dict(fire.did)}")
    assert set(fire.did) == set(VERBS), "a verb was never done"
    assert fire.decisions > 500
