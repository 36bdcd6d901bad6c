"""Foreign memories come in through the gate, under an origin of their own; one's own come back as they were."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from memstation.domain.errors import InvalidInput
from memstation.exchange.exporting import export
from memstation.exchange.importing import import_foreign
from memstation.exchange.jsonfile import JsonFile
from memstation.exchange.restoring import restore

from gate_writes import burst, held, write


@pytest.fixture
def theirs(make_engine: Any, tmp_path: Path) -> tuple[Any, JsonFile]:
    """A store with facts of several origins, and its export."""
    engine = make_engine("theirs")
    row = held(engine)
    engine.deny([row.id])
    ids = [outcome.id for outcome in burst(engine, 7)[4:]]
    engine.approve(ids[:1])
    write(engine, "tea", "drinks", origin="user_direct")
    export(engine.ledger, tmp_path / "theirs.jsonl", store=engine.path)
    return engine, JsonFile(tmp_path / "theirs.jsonl")


def test_foreign_memories_have_an_origin_and_a_ceiling_of_their_own(theirs: Any, make_engine: Any) -> None:
    engine, file = theirs
    mine = make_engine("mine")
    report = import_foreign(mine.ledger, file, "friends")
    assert (report.told, report.held, report.dropped, report.skipped) == (6, 0, 0, 0)
    assert dict(report.left_out) == {"orders": 1, "held or withdrawn there": 4}
    records = mine.list_recent("ada", 100)
    assert {r.origin for r in records} == {"import:friends"} and max(r.origin_trust for r in records) == 0.7
    assert {r.object for r in records} == {r.object for r in engine.list_recent("ada", 100)}
    assert mine.queue() == []
    again = import_foreign(mine.ledger, file, "friends")
    assert (again.told, again.skipped, again.parts) == (0, 6, ())
    mine.undo(report.parts[0])
    assert mine.list_recent("ada", 100) == []
    assert mine.verify().ok


def test_an_import_passes_the_gate_but_for_the_burst(theirs: Any, make_engine: Any) -> None:
    _, file = theirs
    mine = make_engine("mine")
    write(mine, "coffee", "drinks", origin="operator")
    mine.retract(write(mine, "v0", "p0").id)
    report = import_foreign(mine.ledger, file, "friends")
    found = {row.value: row.reason for row in mine.queue()}
    assert found == {"tea": "over_operator", "v0": "rejected_before"} and report.held == 2


def test_an_import_needs_a_name(theirs: Any, make_engine: Any) -> None:
    _, file = theirs
    for name in ("", "  "):
        with pytest.raises(InvalidInput):
            import_foreign(make_engine("mine").ledger, file, name)


def test_a_store_comes_back_with_its_verdicts_and_what_waits(theirs: Any, make_engine: Any) -> None:
    engine, file = theirs
    back = make_engine("back")
    report = restore(back.ledger, file)
    assert report.held == 0
    assert back.state_digest() == engine.state_digest()
    assert [(r.id, r.reason) for r in back.queue()] == [(r.id, r.reason) for r in engine.queue()]
    assert all(row.deadline is not None for row in back.queue())
    assert back.verify().ok


def test_a_restore_holds_what_is_rejected_here(theirs: Any, make_engine: Any) -> None:
    _, file = theirs
    mine = make_engine("mine")
    mine.retract(write(mine, "tea", "drinks", id="mine").id)
    report = restore(mine.ledger, file)
    assert report.held == 1
    assert {row.value for row in mine.queue() if row.reason == "rejected_before"} == {"tea"}
    assert restore(mine.ledger, file).parts == ()
    assert mine.verify().ok
