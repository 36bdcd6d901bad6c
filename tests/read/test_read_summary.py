"""A summary counts what holds now, and nothing that is held, withdrawn, over, still to come, or another agent's."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from memstation.domain.errors import InvalidInput

from engine_facts import tell
from gate_writes import write


def test_only_what_holds_is_summed_up(engine: Any, clock: Any) -> None:
    start = clock()
    tell(engine, "Nara", predicate="home", importance=9.0)
    clock.advance(days=1)
    tell(engine, "Osaka", predicate="home", importance=2.0, layer="semantic")
    lie = tell(engine, "Atlantis", predicate="birthplace", importance=10.0)
    engine.retract(lie.id)
    held = write(engine, "Atlantis", "birthplace")
    clock.advance(days=1)
    tell(engine, "Kyoto", clock() + timedelta(days=9), predicate="next_home")
    tell(engine, "Kobe", predicate="home", agent="bob")
    note = tell(engine, None, subject=None, predicate=None, content="buy tea", importance=7.0)
    found = engine.summarize("ada")
    assert held.status == "held"
    assert [record.object or record.content for record in found.newest] == ["buy tea", "Osaka"]
    assert [record.object or record.content for record in found.important] == ["buy tea", "Osaka"]
    assert (found.total, found.facts, found.notes) == (2, 1, 1)
    assert found.layers == {"episodic": 1, "semantic": 1, "procedural": 0}
    assert [record.id for record in engine.list_recent("ada")] == [record.id for record in found.newest]
    assert engine.summarize("ada", limit=1).newest == found.newest[:1]
    late = engine.summarize("ada", since=start + timedelta(days=2))
    assert [record.id for record in late.important] == [note.id]
    early = engine.summarize("ada", until=start + timedelta(days=2))
    assert [record.object for record in early.newest] == ["Osaka"] and early.total == 1
    assert engine.summarize("nobody").total == 0
    for wrong in ({"limit": 0}, {"since": "soon"}, {"since": start, "until": start}):
        with pytest.raises(InvalidInput):
            engine.summarize("ada", **wrong)


def test_the_weightiest_come_first(engine: Any) -> None:
    for number, weight in enumerate((3.0, 8.0, 8.0, 1.0)):
        tell(engine, f"v{number}", predicate=f"p{number}", importance=weight)
    found = engine.summarize("ada", limit=3)
    assert [record.object for record in found.important] == ["v2", "v1", "v0"]
    assert [record.object for record in found.newest] == ["v3", "v2", "v1"] and found.total == 4
