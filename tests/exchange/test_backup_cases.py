"""Case C56 of area 11: export, restore, export (from public bug reports); see `fill_with_everything`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from exchange_stores import NOW, fill_with_everything, open_shelf
from memstation import open_engine

FACTS = [
    ("user", "city"), ("user", "version"), ("user", "lived"), ("user", "will live"), ("user", "mood"),
    ("user", "name"), ("user", "p1"), ("user", "p2"), ("user", "speaks"), ("使用者", "住在"),
]  # fmt: skip
UNDONE = "undone"
"""A memory whose decision was taken back: no export has it, and only a history shows that it was told."""

DAYS = [datetime(2024, 3, 1, tzinfo=UTC) + timedelta(days=days) for days in (0, 310, 700, 760, 2600)]


def probes(path: Path) -> list[Any]:
    """50 questions about instants, a history for each fact, and what is listed."""
    with open_engine(path, clock=lambda: NOW) as engine:
        held = [engine.get_at("ada", *fact, at) for fact in FACTS for at in DAYS]
        told = [
            None if r is None else (r.id, r.object, r.valid_from, r.valid_until, r.origin_trust, r.tags, r.metadata)
            for r in held
        ]
        chains = [
            [
                (r.id, r.valid_from, r.valid_until, r.supersedes, r.superseded_by, len(r.reaffirmed_by))
                for r in chain
                if r.id != UNDONE
            ]
            for chain in (engine.get_history("ada", *fact, include_held=True) for fact in FACTS)
        ]
        return [*told, chains, [r.id for r in engine.list_recent("ada", limit=100)]]


def test_c56_a_restored_store_exports_the_same_bytes_and_answers_the_same(tmp_path: Path) -> None:
    first, second = tmp_path / "a.db", tmp_path / "b.db"
    with open_shelf(first) as ours, open_shelf(second) as theirs:
        fill_with_everything(ours)
        file = ours.export(tmp_path / "a.jsonl")
        theirs.restore(file)
        again = theirs.export(tmp_path / "b.jsonl")
        # The first line names the store and its newest decision; all that is told is the same.
        assert again.read_bytes().split(b"\n", 1)[1] == file.read_bytes().split(b"\n", 1)[1]
        theirs.check()
    asked = probes(first)
    assert len(asked) == 52 and sum(answer is not None for answer in asked[:50]) > 15
    assert asked == probes(second)
