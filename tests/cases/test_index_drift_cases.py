"""Case C40 of area 7: the text index and the rows drift apart (from public bug reports)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from memstation import open_engine
from memstation.read.timeline import TimelineQuery
from memstation.store import text_index

from engine_facts import tell

SUBJECTS = [f"topic{k}" for k in range(6)]


@pytest.fixture
def drifted(make_engine: Any, tmp_path: Path) -> Path:
    """Three memories out of the index, two entries in it for memories that are not there."""
    engine = make_engine("drifted")
    for subject in SUBJECTS:
        tell(engine, f"about {subject}", "2026-01-01", subject=subject)
    engine.close()
    path = tmp_path / "drifted.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        rows = raw.execute("SELECT n, content, subject, predicate, object FROM memories WHERE n <= 3").fetchall()
        for n, content, *names in rows:
            raw.execute(
                "INSERT INTO memory_text (memory_text, rowid, said, names) VALUES ('delete', ?, ?, ?)",
                (n, text_index.segment(content), text_index.segment(" ".join(names))),
            )
        for n in (101, 102):
            raw.execute("INSERT INTO memory_text (rowid, said, names) VALUES (?, 'ghost', 'ghost')", (n,))
    return path


def listed(engine: Any, text: str) -> list[str]:
    return [row.subject for row in engine.reader.timeline(TimelineQuery("ada", text)).head()]


def test_c40_drift_is_told_in_both_counts_and_reindexing_ends_it(drifted: Path, clock: Any) -> None:
    with open_engine(drifted, clock=clock) as engine:
        (problem,) = engine.verify().problems
        assert "3 missing" in problem and "2 too many" in problem
        assert engine.reindex() == len(SUBJECTS)
        assert engine.verify().ok
        assert [listed(engine, subject) for subject in SUBJECTS] == [[subject] for subject in SUBJECTS]
        assert listed(engine, "ghost") == []


def test_c40_before_that_no_ghost_is_listed_and_nothing_breaks(drifted: Path, clock: Any) -> None:
    with open_engine(drifted, clock=clock) as engine:
        assert listed(engine, "ghost") == []
        assert len(listed(engine, "")) == len(SUBJECTS)
        assert listed(engine, SUBJECTS[4]) == [SUBJECTS[4]]
        assert engine.expire_by_subject("ada", SUBJECTS[0], reason="gone") == 1
        lost = engine.get_at("ada", SUBJECTS[1], "city", "2026-02-01")
        engine.retract(lost.id)
        assert engine.get_at("ada", SUBJECTS[1], "city", "2026-02-01") is None
        engine.reindex()
        assert engine.verify().ok
