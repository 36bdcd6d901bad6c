"""A value that a person put out of use does not come back: not by any of the roads, whatever the kind of decision."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from memstation.bench import returns
from memstation.domain.errors import Refused
from memstation.domain.purging import PurgeChoices
from memstation.exchange.exporting import export
from memstation.exchange.jsonfile import JsonFile
from memstation.exchange.restoring import restore
from memstation.ops import review

from engine_facts import tell, value_at
from gate_writes import waiting, write

POISON = "channel:telegram/42"
ANSWERED = ("held", "refused", "done")


@pytest.mark.parametrize("road", list(returns.ROADS))
def test_no_attempt_brings_it_back(tmp_path: Path, road: str) -> None:
    found = list(returns.attempts(tmp_path, [road]))
    assert {attempt.kind for attempt in found} == set(returns.KINDS)
    assert [attempt for attempt in found if attempt.returned] == []
    for attempt in found:
        word, _, reason = attempt.answer.partition(": ")
        assert word in ANSWERED and reason, attempt
        # What is done rather than held or refused is an undo of something else.
        assert word != "done" or "#" in reason


def test_the_bench_counts_what_comes_back(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(returns, "ROADS", {"told under a joined name": returns.alias, "again": returns.write_again})
    monkeypatch.setattr(returns.attempts, "__defaults__", (tuple(returns.ROADS), ("purged",)))
    assert returns.main() == 0
    assert capsys.readouterr().out.split()[-5:] == ["8", "attempts", "0", "came", "back"]
    # A measure that cannot see a return is worth nothing: without the memory of rejected values there are some.
    monkeypatch.setattr("memstation.ops.gate.guarding.rejected_by", lambda *_: None)
    assert returns.main(as_json=True) == 1
    assert json.loads(capsys.readouterr().out)["returned"] > 0


def test_a_restore_heeds_a_block_and_a_rejection_even_of_what_was_let_in(make_engine: Any, tmp_path: Path) -> None:
    there, here = make_engine("there"), make_engine("here")
    let_in = write(there, "Osaka", origin=POISON, id="t1")
    there.decide(lambda looking: review.hold(looking, [let_in.id], actor="operator"))
    there.approve([let_in.id])
    write(there, "Jazz", "taste", origin=POISON, id="t2")
    write(there, "Oslo", "home", origin="user_direct", id="t3")
    export(there.ledger, tmp_path / "there.jsonl", store=there.path)
    here.invalidate_by_origin("ada", POISON)
    write(here, "Osaka", origin="channel:other")
    here.retract(here.list_recent("ada")[0].id)
    here.block_origin("ada", POISON)
    assert restore(here.ledger, JsonFile(tmp_path / "there.jsonl")).held == 2
    assert {row.id: row.reason for row in here.queue()} == {"t1": "rejected_before", "t2": "blocked_origin"}
    assert [record.id for record in here.list_recent("ada")] == ["t3"]
    # Into an empty store the operator's own state comes back as it was.
    export(here.ledger, tmp_path / "here.jsonl", store=here.path)
    copy = make_engine("copy")
    restore(copy.ledger, JsonFile(tmp_path / "here.jsonl"))
    assert copy.state_digest() == here.state_digest()


def test_an_undo_brings_nothing_back_that_was_rejected_since(engine: Any) -> None:
    told = tell(engine, "Osaka", origin="channel:a")
    undo = engine.undo(told.seq)
    tell(engine, "Osaka", origin="channel:b")
    purge = engine.invalidate_by_origin("ada", "channel:b")
    for act in (engine.undo, engine.preview_undo):
        with pytest.raises(Refused, match="rejected since"):
            act(undo.seq)
    engine.lift([(row.seq, row.k) for row in engine.rejected()])
    engine.undo(undo.seq)
    assert value_at(engine, engine.clock()) == "Osaka" and purge.seq is not None


def test_what_ran_out_is_out_of_reach_once_its_source_is_purged(engine: Any, clock: Any) -> None:
    tell(engine, "Nara", origin="operator")
    held = write(engine, "Osaka", origin=POISON)
    clock.advance(hours=25)
    engine.expire_due()
    tell(engine, "x", predicate="x", origin=POISON)
    seq = engine.invalidate_by_origin("ada", POISON, choices=PurgeChoices(remember=False)).seq
    assert engine.queue(lapsed=True) == []
    with pytest.raises(Refused, match=f"#{seq}"):
        engine.decide(lambda looking: review.bring_back(looking, [held.id], actor="operator"))
    assert engine.verify().ok
    engine.undo(seq)
    assert [row.id for row in engine.queue(lapsed=True)] == [held.id]
    engine.decide(lambda looking: review.bring_back(looking, [held.id], actor="operator"))
    assert waiting(engine) == [held.id]
