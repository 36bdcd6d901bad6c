"""Trust that a person sets, of a memory or of a source: exact under undo, in the past, and across an export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from memstation.domain.errors import InvalidInput, NotFound, Refused
from memstation.domain.origins import trust_under
from memstation.exchange.exporting import export
from memstation.exchange.jsonfile import JsonFile
from memstation.exchange.restoring import restore
from memstation.ops import trust

from engine_facts import tell
from gate_writes import waiting, write

SOURCE = "channel:telegram/42"


def trusts(engine: Any, agent: str = "ada", **more: Any) -> dict[str, float]:
    found = {}
    for predicate in ("city", "mood", "own"):
        for record in engine.get_history(agent, "user", predicate, **more):
            found[record.id] = record.origin_trust
    return found


@pytest.mark.parametrize(
    ("rule", "origin", "told", "counts"),
    [
        (None, SOURCE, 0.3, 0.3), (0.9, SOURCE, 0.3, 0.9), (0.1, SOURCE, 0.3, 0.1), (0.9, SOURCE, 0.2, 0.2),
        (0.1, SOURCE, 0.2, 0.1), (0.5, "agent_derived", 0.6, 0.5), (0.0, "import:x", 0.7, 0.0),
        (0.5, SOURCE, 1.0, 0.5),
    ],
)  # fmt: skip
def test_what_was_told_at_full_trust_follows_the_rest_is_cut(
    rule: float | None, origin: str, told: float, counts: float
) -> None:
    assert trust_under(rule, origin, told) == counts


def test_a_sources_trust_rules_what_it_told_and_what_it_will_tell(engine: Any, clock: Any) -> None:
    full = write(engine, "Oslo", origin=SOURCE).id
    less = write(engine, "calm", "mood", origin=SOURCE, origin_trust=0.2).id
    foreign = write(engine, "Oslo", agent="bo", origin=SOURCE).id
    before = engine.state_digest()
    clock.advance(days=1)
    done = engine.set_origin_trust("ada", SOURCE, 0.8, reason="the team lead")
    assert trusts(engine) == {full: 0.8, less: 0.2} and trusts(engine, "bo") == {foreign: 0.3}
    assert trusts(engine, known_at=done.seq - 1) == {full: 0.3, less: 0.2}
    [changed] = engine.differences("ada", done.seq)
    assert (changed.kind, changed.then.trust, changed.now.trust, changed.cause.seq) == ("changed", 0.3, 0.8, done.seq)
    later = write(engine, "x", "own", origin=SOURCE).id
    assert trusts(engine)[later] == 0.8 and engine.verify().ok
    derived = tell(engine, "from it", predicate="mood", origin="user_direct", derived_from=[full]).id
    assert engine.get_by_ids("ada", [derived]).memories[0].origin_trust == 0.8
    everybody = engine.set_origin_trust(None, SOURCE, 0.1)
    assert trusts(engine)[full] == 0.8 and trusts(engine, "bo") == {foreign: 0.1}
    engine.set_origin_trust("ada", SOURCE, None)
    assert trusts(engine)[full] == 0.1
    engine.undo(everybody.seq)
    assert trusts(engine)[full] == 0.3
    for seq in range(len(engine.journal()), 3, -1):
        if engine.journal(after=seq - 1, limit=1)[0].seq not in (3, everybody.seq, everybody.seq + 2):
            engine.undo(seq)
    assert engine.state_digest() == before and engine.verify().ok


def test_a_sources_trust_survives_export_and_repair(engine: Any, make_engine: Any, tmp_path: Path) -> None:
    told = write(engine, "Oslo", origin=SOURCE).id
    engine.set_origin_trust(None, SOURCE, 0.7)
    engine.block_origin("ada", "channel:x")
    export(engine.ledger, tmp_path / "all.jsonl", store=engine.path)
    copy = make_engine("copy")
    restore(copy.ledger, JsonFile(tmp_path / "all.jsonl"))
    assert trusts(copy) == {told: 0.7} and copy.state_digest() == engine.state_digest()
    with copy.ledger.writing() as writing:
        writing.cursor.execute("UPDATE memories SET origin_trust = 0.3")
    assert not copy.verify().ok
    copy.repair()
    assert copy.verify().ok and trusts(copy) == {told: 0.7}


def test_a_memorys_own_trust_goes_before_its_sources(engine: Any) -> None:
    told = write(engine, "Oslo", origin=SOURCE).id
    write(engine, "Oslo", origin="import:notes")
    assert trusts(engine) == {told: 0.7}
    low = engine.set_trust([told], 0.2)
    # With all that confirms it: else the one with the most trust would speak for it.
    assert trusts(engine) == {told: 0.2}
    engine.set_origin_trust("ada", SOURCE, 0.9)
    assert trusts(engine) == {told: 0.2}
    engine.undo(low.seq)
    assert trusts(engine) == {told: 0.9}
    promoted = engine.promote([told], reason="checked")
    record = engine.get_by_ids("ada", [told]).memories[0]
    assert (record.origin_trust, record.origin) == (1.0, SOURCE)
    entry = engine.journal(after=promoted.seq - 1)[0]
    assert (entry.kind, entry.reason) == ("promote", "checked") and engine.verify().ok


def test_trust_cannot_pass_what_a_purge_cut(engine: Any) -> None:
    bad = write(engine, "Oslo", origin=SOURCE).id
    clean = write(engine, "calm", "mood", origin="user_direct").id
    made = write(engine, "both", "own", origin="agent_derived", derived_from=[bad, clean]).id
    purge = engine.invalidate_by_origin("ada", SOURCE)
    for act in (lambda: engine.promote([made]), lambda: engine.set_trust([made], 0.5)):
        with pytest.raises(Refused, match=f"#{purge.seq}"):
            act()
    engine.set_trust([made], 0.05)
    assert trusts(engine)[made] == 0.05
    with pytest.raises(Refused, match="withdrawn"):
        engine.promote([bad])


def test_trust_that_cannot_be_set(engine: Any) -> None:
    told = write(engine, "Oslo", origin=SOURCE).id
    wrong: list[tuple[type[Exception], Any]] = [
        (InvalidInput, lambda: engine.set_trust([told], 1.1)), (InvalidInput, lambda: engine.set_trust([], 0.5)),
        (NotFound, lambda: engine.set_trust(["no"], 0.5)), (Refused, lambda: engine.set_trust([told], 0.3)),
        (InvalidInput, lambda: engine.set_origin_trust("ada", "  ", 0.5)),
        (InvalidInput, lambda: engine.set_origin_trust("ada", SOURCE, -0.1)),
        (Refused, lambda: engine.set_origin_trust("ada", "operator", 0.5)),
        (Refused, lambda: engine.set_origin_trust("ada", SOURCE, None)),
        (Refused, lambda: engine.block_origin(None, "operator")),
        (InvalidInput, lambda: engine.block_origin(None, "")), (Refused, lambda: engine.unblock_origin("ada", SOURCE)),
    ]  # fmt: skip
    for error, act in wrong:
        with pytest.raises(error):
            act()
    assert len(engine.journal()) == 1 and trust.CURATED == 1.0


def test_the_later_of_two_orders_about_blocking_rules(engine: Any) -> None:
    engine.block_origin(None, SOURCE)
    with pytest.raises(Refused, match="already"):
        engine.block_origin("ada", SOURCE)
    engine.unblock_origin("ada", SOURCE)
    assert write(engine, "a", origin=SOURCE).status == "stored"
    assert write(engine, "a", origin=SOURCE, agent="bo").status == "held"
    again = engine.block_origin(None, SOURCE)
    assert write(engine, "b", "mood", origin=SOURCE).status == "held"
    engine.undo(again.seq)
    assert write(engine, "c", "own", origin=SOURCE).status == "stored" and len(waiting(engine)) == 2
