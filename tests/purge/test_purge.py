"""A purge gives back the truth that the poison displaced; what was made from the poison is held; undo is exact."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from memstation import MemoryEntry, TemporalMeta
from memstation.domain.decisions import Claim, Decision, End, Mark
from memstation.domain.errors import Changed, InvalidInput, NotFound, Refused
from memstation.domain.purging import PurgeChoices
from memstation.exchange.exporting import export
from memstation.exchange.jsonfile import JsonFile
from memstation.exchange.restoring import restore

from engine_facts import tell, timeline, value_at
from gate_writes import waiting, write

POISON = "channel:telegram/42"
PAY: dict[str, Any] = {"subject": "pay", "predicate": "iban"}


@pytest.fixture
def poisoned(engine: Any, clock: Any) -> Any:
    clock.now = datetime(2026, 1, 5, tzinfo=UTC)
    engine.good = tell(engine, "GOOD", "2026-01-01", origin="user_direct", **PAY)
    clock.now = datetime(2026, 3, 1, tzinfo=UTC)
    engine.bad = tell(engine, "BAD", origin=POISON, **PAY)
    clock.now = datetime(2026, 4, 1, tzinfo=UTC)
    return engine


def made_from(engine: Any, *ids: str, origin: str = "agent_derived", **more: Any) -> Any:
    more.setdefault("content", f"follows from {', '.join(ids)}")
    return tell(engine, None, subject=None, predicate=None, origin=origin, derived_from=list(ids), **more)


def test_the_good_value_is_back_history_keeps_both_and_undo_restores_all(poisoned: Any) -> None:
    engine, before = poisoned, poisoned.state_digest()
    why = "a forged message"
    preview = engine.preview_purge("ada", POISON, reason=why)
    report = engine.invalidate_by_origin("ada", POISON, reason=why, expect=preview.digest)
    assert report.plan == preview.plan and report.withdrawn == (engine.bad.id,)
    assert report.reinstated == preview.reinstated == (engine.good.id,)
    now = engine.get_at("ada", "pay", "iban", engine.clock())
    assert (now.id, now.object, now.valid_until, now.origin, now.origin_trust) == (
        engine.good.id, "GOOD", None, "user_direct", 1.0,
    )  # fmt: skip
    assert value_at(engine, "2026-03-15", **PAY) == "GOOD"
    assert value_at(engine, "2026-03-15", known_at="2026-03-20", **PAY) == "BAD"
    assert value_at(engine, engine.clock(), known_at=report.seq - 1, **PAY) == "BAD"
    good, bad = engine.get_history("ada", "pay", "iban")
    assert (good.superseded_by, bad.invalidated_by_event, bad.state) == (None, "origin_purge", "withdrawn")
    assert engine.get_by_ids("ada", [engine.bad.id]).missing_ids == (engine.bad.id,)
    assert [record.id for record in engine.list_recent("ada")] == [engine.good.id]
    assert engine.verify().ok
    undone = engine.preview_undo_purge(report.seq)
    assert undone.withdrawn == report.withdrawn and undone.reinstated == report.reinstated
    engine.undo(report.seq, expect=undone.digest)
    assert engine.state_digest() == before and engine.verify().ok
    with pytest.raises(Refused, match="taken back already"):
        engine.undo_purge(report.seq)
    assert engine.journal()[-2].reason == f"{POISON}: {why}"


def test_what_holds_will_hold_and_held_goes_alike_and_what_waits_leaves_the_queue(engine: Any, clock: Any) -> None:
    tell(engine, "home", "2026-01-01", predicate="site", origin="user_direct")
    ids = {
        "closed": tell(engine, "A", "2026-02-01", predicate="site", origin=POISON).id,
        "bounded": tell(engine, "B", "2026-03-01", "2027-01-01", predicate="site", origin=POISON).id,
        "scheduled": tell(engine, "C", "2027-03-01", predicate="site", origin=POISON).id,
        "evidence": tell(engine, "home", "2026-01-20", predicate="site", origin=POISON).id,
    }
    evidence = engine.get_history("ada", "user", "site")[0].reaffirmed_by[0].id
    tell(engine, "mine", predicate="own", origin="operator")
    held = write(engine, "theirs", "own", origin=POISON)
    assert held.status == "held"
    report = engine.preview_purge(None, POISON)
    assert set(report.withdrawn) == {ids["closed"], ids["bounded"], ids["scheduled"], evidence}
    assert dict(report.plan.states) == {"closed": 1, "current": 1, "scheduled": 1, "evidence": 1}
    assert dict(report.plan.agents) == {"ada": 4} and report.voided == (held.id,) and report.rejected == 4
    seq = engine.invalidate_by_origin(None, POISON).seq
    assert timeline(engine, predicate="site")[0] == ("home", "2026-01-01", None)
    assert waiting(engine) == [] and engine.reader.held(held.id).row.status == "withdrawn"
    # It was never let in: no agent is told that there was one.
    assert [r.object for r in engine.get_history("ada", "user", "own")] == ["mine"]
    clock.advance(hours=30)
    engine.undo(seq)
    assert waiting(engine) == [held.id]


def test_an_end_told_by_the_source_goes_too(engine: Any, make_engine: Any, tmp_path: Path) -> None:
    fact = tell(engine, "Oslo", "2026-01-01", origin="user_direct")
    since = "2026-02-01T00:00:00.000000+00:00"
    end = End("e1", "ada", since, "user", "city", "Oslo", "the city is Oslo", fact.id, POISON)
    told = Claim("other", "ada", "x", subject="user", predicate="x", object="x", origin=POISON)
    engine.apply(Decision("restore", "operator", (end, told), "ada"))
    assert value_at(engine, "2026-03-01") is None
    before = engine.state_digest()
    report = engine.invalidate_by_origin("ada", POISON)
    assert value_at(engine, "2026-03-01") == "Oslo"
    assert value_at(engine, "2026-03-01", known_at=report.seq - 1) is None and engine.verify().ok
    export(engine.ledger, tmp_path / "all.jsonl", store=engine.path)
    copy = make_engine("copy")
    restore(copy.ledger, JsonFile(tmp_path / "all.jsonl"))
    assert copy.state_digest() == engine.state_digest() and value_at(copy, "2026-03-01") == "Oslo"
    engine.undo(report.seq)
    assert value_at(engine, "2026-03-01") is None and engine.state_digest() == before


def test_an_end_that_is_all_it_told_goes(engine: Any) -> None:
    fact = tell(engine, "Oslo", "2026-01-01", origin="user_direct")
    since = "2026-02-01T00:00:00.000000+00:00"
    end = End("e1", "ada", since, "user", "city", "Oslo", "the city is Oslo", fact.id, POISON)
    engine.apply(Decision("restore", "operator", (end,), "ada"))
    before = engine.state_digest()
    report = engine.invalidate_by_origin("ada", POISON)
    assert value_at(engine, "2026-03-01") == "Oslo" and report.withdrawn == () and report.seq is not None
    assert engine.preview_purge("ada", POISON).effects is None
    engine.undo_purge(report.seq)
    assert value_at(engine, "2026-03-01") is None and engine.state_digest() == before


def test_what_was_retracted_before_is_purged_with_all_that_was_made_from_it(poisoned: Any) -> None:
    engine = poisoned
    retracted = engine.retract(engine.bad.id)
    so = made_from(engine, engine.bad.id)
    assert so.status != "held"
    before = engine.state_digest()
    report = engine.invalidate_by_origin("ada", POISON)
    assert report.withdrawn == () and report.already == (engine.bad.id,) and report.contaminated == (so.id,)
    assert waiting(engine) == [so.id] and report.rejected == 0
    undoing = engine.preview_undo_purge(report.seq)
    assert undoing.withdrawn == undoing.already == () and undoing.contaminated == (so.id,)
    taken_back = engine.undo_purge(report.seq)
    assert engine.state_digest() == before
    engine.undo(taken_back.seq)
    assert write(engine, "new", "mood", origin=POISON).reason == "blocked_origin"
    engine.undo(retracted.seq)
    assert value_at(engine, engine.clock(), predicate="iban", subject="pay") == "GOOD" and engine.verify().ok


@pytest.mark.parametrize("agent", [None, "ada", "bo"])
def test_the_scope_is_one_agent_or_all(engine: Any, agent: str | None) -> None:
    ids = {who: tell(engine, "X", agent=who, origin=POISON).id for who in ("ada", "bo")}
    report = engine.invalidate_by_origin(agent, POISON)
    wanted = set(ids) if agent is None else {agent}
    assert set(report.withdrawn) == {ids[who] for who in wanted} and set(report.plan.agents) == wanted
    held = {who for who in ids if write(engine, "new", "mood", agent=who, origin=POISON).status == "held"}
    assert held == wanted


@pytest.mark.parametrize(
    ("agent", "origin", "since"),
    [("ada", "channel:telegram", None), ("ada", "telegram/42", None), ("cy", POISON, None)],
)
def test_where_nothing_was_told_nothing_is_written(poisoned: Any, agent: str, origin: str, since: str | None) -> None:
    before = len(poisoned.journal())
    for report in (poisoned.preview_purge(agent, origin, since), poisoned.invalidate_by_origin(agent, origin, since)):
        assert report.seq is None and report.effects is None and report.withdrawn == () and report.rejected == 0
    assert len(poisoned.journal()) == before and poisoned.near_origins("channel:telegram/4") == (POISON,)


@pytest.mark.parametrize("origin", ["", "  ", None])
def test_no_source_never_means_all(poisoned: Any, origin: Any) -> None:
    with pytest.raises(InvalidInput):
        poisoned.preview_purge("ada", origin)
    with pytest.raises(InvalidInput):
        poisoned.invalidate_by_origin(None, origin)


def test_since_is_included_and_may_not_lie_ahead(poisoned: Any) -> None:
    learned = datetime(2026, 3, 1, tzinfo=UTC)
    assert poisoned.preview_purge("ada", POISON, learned).withdrawn == (poisoned.bad.id,)
    assert poisoned.preview_purge("ada", POISON, learned + timedelta(microseconds=1)).withdrawn == ()
    with pytest.raises(InvalidInput, match="ahead"):
        poisoned.invalidate_by_origin("ada", POISON, "2026-04-02")
    assert len(poisoned.journal()) == 2


def test_what_comes_between_look_and_act_is_refused(poisoned: Any) -> None:
    digest = poisoned.preview_purge("ada", POISON).digest
    tell(poisoned, "another", predicate="mood", origin=POISON)
    with pytest.raises(Changed):
        poisoned.invalidate_by_origin("ada", POISON, expect=digest)
    assert value_at(poisoned, poisoned.clock(), **PAY) == "BAD"


def test_what_another_source_tells_goes_on_and_is_not_rejected(poisoned: Any) -> None:
    engine = poisoned
    twin = write(engine, "BAD", "iban", subject="pay", content="the city is BAD", origin="channel:clean")
    assert twin.status == "reaffirmed"
    report = engine.invalidate_by_origin("ada", POISON)
    record = engine.get_at("ada", "pay", "iban", engine.clock())
    assert record.object == "BAD" and record.origin == "channel:clean" and report.carried == (record.id,)
    assert report.rejected == 0 and report.reinstated == ()


def test_choices(poisoned: Any) -> None:
    engine, derived = poisoned, made_from(poisoned, poisoned.bad.id)
    free = PurgeChoices(block=False, remember=False, spare_derived=True)
    report = engine.preview_purge("ada", POISON, choices=free)
    assert report.effects.orders == () and report.spared == (derived.id,) and report.contaminated == ()
    engine.invalidate_by_origin("ada", POISON, choices=free)
    assert engine.get_by_ids("ada", [derived.id]).memories[0].origin_trust == 0.1
    assert tell(engine, "BAD", origin=POISON, **PAY).status == "superseded"


# -- what was made from it ------------------------------------------------------------------------------------------


def test_at_any_depth_and_round_in_circles(poisoned: Any) -> None:
    engine = poisoned
    chain = [engine.bad.id]
    for _ in range(4):
        chain.append(made_from(engine, chain[-1]).id)
    loop = [
        Claim(f"loop{n}", "ada", f"loop {n}", origin="agent_derived", derived_from=(f"loop{1 - n}", chain[2]))
        for n in range(2)
    ]
    engine.apply(Decision("store", "agent", tuple(loop), "ada"))
    foreign = tell(engine, "x", agent="bo", origin="agent_derived", derived_from=[engine.bad.id])
    report = engine.invalidate_by_origin("ada", POISON)
    reached = {*chain[1:], "loop0", "loop1", foreign.id}
    assert set(report.contaminated) == reached and report.spared == () and report.beyond == (foreign.id,)
    assert report.path(chain[4]) == tuple(chain) and report.paths["loop0"] == (*chain[:3], "loop0")
    assert engine.get_by_ids("bo", [foreign.id]).missing_ids == (foreign.id,)
    rows = engine.queue()
    assert {row.id for row in rows} == set(report.contaminated)
    assert {(row.reason, row.deadline) for row in rows} == {("contaminated", None)}
    assert engine.invalidate_by_origin("ada", POISON).seq is None
    engine.undo(report.seq)
    assert engine.queue() == []


def test_independent_support_keeps_it_in_use_with_its_trust_cut(poisoned: Any) -> None:
    engine, bad = poisoned, poisoned.bad.id
    clean = tell(engine, "clean", predicate="c", origin="channel:clean").id
    agent = tell(engine, "guess", predicate="g", origin="agent_derived").id
    confirmed = write(engine, "K", "k", origin="agent_derived", derived_from=[bad]).id
    write(engine, "K", "k", origin="mcp_external:x")
    echoed = write(engine, "E", "e", origin="agent_derived", derived_from=[bad]).id
    echo = write(engine, "E", "e", origin="tool_echo:page").id
    kept = made_from(engine, bad, clean).id
    lost = made_from(engine, bad, agent).id
    grandchild = made_from(engine, kept).id
    mine = tell(engine, "my own", predicate="m", origin="operator", derived_from=[bad]).id
    assert echo == echoed
    report = engine.invalidate_by_origin("ada", POISON)
    assert set(report.spared) == {kept, grandchild, confirmed}
    assert set(report.contaminated) == {lost, echoed} and len(report.confirmations) == 1
    found = {r.id: r.origin_trust for r in engine.get_by_ids("ada", [kept, grandchild, confirmed, mine]).memories}
    assert found == {kept: 0.1, grandchild: 0.1, confirmed: 0.1, mine: 1.0}
    # The echo is held too: alone it would keep the fact in use.
    assert engine.get_at("ada", "user", "e", engine.clock()) is None


def test_an_echo_of_the_poison_is_held_unless_spared(poisoned: Any) -> None:
    engine = poisoned
    write(engine, "BAD", "iban", subject="pay", content="the city is BAD", origin="agent_derived")
    report = engine.preview_purge("ada", POISON)
    assert len(report.confirmations) == 1 and report.reinstated == (engine.good.id,)
    spared = engine.preview_purge("ada", POISON, choices=PurgeChoices(spare_derived=True))
    assert spared.confirmations == () and spared.reinstated == () and spared.rejected == 0


def test_what_was_judged_already_stays_judged(poisoned: Any) -> None:
    engine, bad = poisoned, poisoned.bad.id
    denied, retracted = made_from(engine, bad).id, made_from(engine, bad).id
    engine.apply(Decision("hold", "operator", (Mark(denied, "held", "burst"),)))
    engine.deny([denied])
    retraction = engine.retract(retracted, reject=False)
    report = engine.invalidate_by_origin("ada", POISON)
    assert report.contaminated == () and waiting(engine) == []
    # Brought back, it is not in use again: it was made from something purged.
    engine.undo(retraction.seq)
    assert waiting(engine) == [retracted]


def test_what_is_made_from_it_later_is_held(poisoned: Any) -> None:
    engine = poisoned
    seq = engine.invalidate_by_origin("ada", POISON).seq
    late = made_from(engine, engine.bad.id)
    again = made_from(engine, late.id)
    assert (late.status, late.reason) == (again.status, again.reason) == ("held", "contaminated")
    assert engine.get_by_ids("ada", [late.id]).missing_ids == (late.id,)
    assert {row.trust for row in engine.queue()} == {0.1} and engine.held_card(late.id) is not None
    engine.undo(seq)
    # What the gate held goes on waiting for a person.
    assert len(waiting(engine)) == 2


@pytest.mark.parametrize("seq", [0, -1, 99, 2**63, 10**30])
def test_a_number_that_no_decision_has_is_not_found(poisoned: Any, seq: int) -> None:
    for act in (poisoned.preview_undo_purge, poisoned.undo_purge, poisoned.preview_undo, poisoned.undo):
        with pytest.raises(NotFound):
            act(seq)


def test_a_preview_that_found_nothing_guards_what_is_done_later(poisoned: Any) -> None:
    """Somebody tells something between the look and the act: nothing of it was seen, so nothing of it goes."""
    looked = poisoned.preview_purge("cy", POISON)
    assert looked.effects is None and looked.digest
    assert poisoned.invalidate_by_origin("cy", POISON, expect=looked.digest).seq is None
    told = poisoned.store_temporal(MemoryEntry("cy", "x"), TemporalMeta("a", "b", "c", origin=POISON))
    before = len(poisoned.journal())
    with pytest.raises(Changed):
        poisoned.invalidate_by_origin("cy", POISON, expect=looked.digest)
    assert len(poisoned.journal()) == before
    seen = poisoned.preview_purge("cy", POISON)
    assert seen.withdrawn == (told.id,)
    poisoned.invalidate_by_origin("cy", POISON)
    with pytest.raises(Changed):
        poisoned.invalidate_by_origin("cy", POISON, expect=seen.digest)


def test_what_another_agent_made_of_it_is_reached_and_nobody_learns_of_the_others_ids(poisoned: Any) -> None:
    """Citing an id is answered alike whether another agent has it or nobody does; a purge follows it."""
    engine, bad = poisoned, poisoned.bad.id

    def cite(source: str, predicate: str) -> Any:
        return tell(engine, "v", subject=f"z {predicate}", predicate="p", agent="bo", origin="agent_derived",
                    derived_from=[source])  # fmt: skip

    citing, unknown = cite(bad, "a"), cite("m_nosuch", "b")
    deeper = cite(citing.id, "c")
    assert (citing.status, citing.reason, citing.closed) == (unknown.status, unknown.reason, unknown.closed)
    assert {engine.get_by_ids("bo", [one.id]).memories[0].origin_trust for one in (citing, unknown)} == {0.0}
    seen = engine.state_digest()
    for agent in (None, "ada"):
        looked = engine.preview_purge(agent, POISON)
        assert looked.contaminated == (citing.id, deeper.id) and looked.path(deeper.id) == (bad, citing.id, deeper.id)
        assert looked.beyond == (() if agent is None else (citing.id, deeper.id))
    done = engine.invalidate_by_origin("ada", POISON, expect=looked.digest)
    assert [row.id for row in engine.queue("bo")] == [citing.id, deeper.id]
    after, nobody = cite(bad, "d"), cite("m_nosuch", "e")
    assert (after.status, after.reason) == (nobody.status, nobody.reason) == ("stored", "")
    assert engine.verify().problems == ()
    for outcome in (after, nobody):
        engine.undo(outcome.seq)
    engine.undo(done.seq)
    assert engine.state_digest() == seen
