"""What is derived is laid out again after an edit by hand; what was told is never touched."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from memstation.domain.errors import Refused

from engine_facts import tell

EDITS = {
    "window": "UPDATE memories SET valid_until = '2031-01-01T00:00:00.000000+00:00' WHERE role = 'fact'",
    "role": "UPDATE memories SET role = 'withdrawn' WHERE n = 2",
    "trust": "UPDATE memories SET origin_trust = 0.01",
    "links": "UPDATE memories SET supersedes = NULL, superseded_by = 'm_9'",
    "line": "UPDATE memories SET line_key = x'00' WHERE n % 2 = 0",
    "standing": "UPDATE memories SET stands = 0, quarantined = 1",
    "founder": "UPDATE memories SET founds = NULL",
    "marks": "UPDATE marks SET stands = 1 - stands",
    "orders": "UPDATE orders SET stands = 0, rules = 1 - rules",
    "spans": "DELETE FROM lifted",
    "spans moved": "UPDATE lifted SET from_seq = from_seq + 1",
    "index": "INSERT INTO memory_text (memory_text) VALUES ('delete-all')",
    "index row": "INSERT INTO memory_text (rowid, said, names) VALUES (9999, 'x', 'y')",
}


def build(engine: Any) -> None:
    """A history with corrections, undos of undos, a rule, and a memory made from another."""
    for month, city in enumerate(("Taipei", "Tainan", "Taipei", "Kaohsiung"), 1):
        tell(engine, city, f"2026-0{month}-01")
    first = tell(engine, "tea", predicate="likes", since="2026-01-01")
    tell(engine, "coffee", predicate="likes", since="2026-02-01", derived_from=(first.id,))
    engine.set_predicate("ada", "likes", "many")
    engine.retract(first.id)
    undone = engine.undo(8)
    engine.undo(undone.seq)
    engine.undo(7)
    tell(engine, "milk", predicate="likes", since="2026-03-01")


def edit(path: Path, sql: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(sql)
    connection.close()


@pytest.mark.parametrize("name", EDITS)
def test_what_is_derived_is_laid_out_again(engine: Any, name: str) -> None:
    build(engine)
    before = engine.state_digest()
    edit(engine.path, EDITS[name])
    done = engine.repair()
    assert done.count > 0 and done.seq == 13
    assert engine.verify().problems == ()
    assert engine.state_digest() == before
    [entry] = engine.journal(12)
    assert (entry.kind, entry.actor, entry.facts) == ("repair", "operator", 0)
    with pytest.raises(Refused):
        engine.undo(13)
    assert engine.repair().seq is None, "nothing is left to do"


def test_a_whole_store_is_left_alone(engine: Any) -> None:
    build(engine)
    head = engine.head()
    assert engine.repair().count == 0
    assert engine.head() == head


def test_lost_sources_come_back_and_invented_ones_go(engine: Any) -> None:
    build(engine)
    links = "SELECT parent_n, child_n FROM derived"
    before = sqlite3.connect(engine.path).execute(links).fetchall()
    assert before == [(5, 6)]
    edit(engine.path, "DROP TRIGGER derived_kept")
    edit(engine.path, "DROP TRIGGER derived_fixed")
    edit(engine.path, "UPDATE derived SET parent_n = 1")
    assert engine.repair().sources == 2
    connection = sqlite3.connect(engine.path)
    assert connection.execute(links).fetchall() == before
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute("DELETE FROM derived")
    connection.close()


def test_nothing_is_repaired_where_what_was_told_was_altered(engine: Any) -> None:
    build(engine)
    edit(engine.path, "DROP TRIGGER memories_fixed")
    edit(engine.path, "UPDATE memories SET content = 'altered', valid_until = NULL WHERE n = 1")
    with pytest.raises(Refused, match="altered"):
        engine.repair()
    assert engine.head().seq == 12
