"""A purge over an earlier one stands on its own: undoing the earlier one gives nothing back.

The measure is a store in which the earlier purge was never made.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memstation.domain.purging import PurgeChoices
from purge_histories import SourcedAuthor

from engine_checks import new_store
from engine_facts import tell
from engine_histories import AGENTS, Dice, Drawn, Seeded
from gate_writes import waiting

POISON = "channel:telegram/42"


def told(engine: Any, agent: str, value: str, **more: Any) -> str:
    return str(tell(engine, value, agent=agent, subject="pay", predicate="iban", origin=POISON, **more).id)


def made_from(engine: Any, *ids: str, agent: str = "ada") -> str:
    made = tell(engine, None, agent=agent, subject=None, predicate=None, origin="agent_derived",
                derived_from=list(ids), content=f"follows from {', '.join(ids)}")  # fmt: skip
    return str(made.id)


def test_the_first_undone_the_second_still_stands(engine: Any) -> None:
    good = tell(engine, "GOOD", agent="ada", subject="pay", predicate="iban", origin="user_direct").id
    engine.clock.advance(hours=1)
    bad, other = told(engine, "ada", "BAD"), told(engine, "bob", "BAD")
    so, kept = made_from(engine, bad), made_from(engine, bad)
    before = engine.state_digest()
    first = engine.invalidate_by_origin("ada", POISON)
    engine.approve([kept])
    preview = engine.preview_purge(None, POISON)
    assert (preview.withdrawn, preview.already, preview.contaminated) == ((other,), (bad,), ())
    assert preview.plan.agents == {"bob": 1}, "what went before does not go again"
    second = engine.invalidate_by_origin(None, POISON, expect=preview.digest)
    assert second.reinstated == () and waiting(engine) == [so], "what a person let go stays let go"
    undoing = engine.preview_undo_purge(first.seq)
    assert undoing.withdrawn == undoing.contaminated == undoing.reinstated == () and undoing.rejected == 0
    engine.undo(first.seq)
    assert engine.get_at("ada", "pay", "iban", engine.clock()).id == good
    assert waiting(engine) == [so] and len(engine.rejected("ada")) == 1
    again = engine.undo_purge(second.seq)
    assert set(again.withdrawn) == {bad, other}
    assert again.contaminated == (so,) and waiting(engine) == []
    engine.undo(next(row.seq for row in engine.journal(limit=1000) if row.kind == "approve"))
    assert engine.state_digest() == before and engine.verify().ok


@pytest.mark.parametrize(("first", "then"), [(None, None), ("ada", "ada"), (None, "ada")])
def test_what_one_purge_withdrew_all_of_is_not_purged_again(engine: Any, first: Any, then: Any) -> None:
    told(engine, "ada", "BAD")
    told(engine, "bob", "BAD")
    engine.invalidate_by_origin(first, POISON)
    digest, head = engine.state_digest(), engine.head().seq
    report = engine.invalidate_by_origin(then, POISON)
    assert report.seq is None and report.already == () and (engine.state_digest(), engine.head().seq) == (digest, head)


def test_several_narrow_ones_are_gathered_by_a_wide_one(engine: Any) -> None:
    ids = [told(engine, "ada", "BAD"), told(engine, "bob", "BAD")]
    seqs = [engine.invalidate_by_origin(agent, POISON).seq for agent in ("ada", "bob")]
    report = engine.invalidate_by_origin(None, POISON)
    assert report.withdrawn == () and set(report.already) == set(ids) and report.seq is not None
    assert engine.invalidate_by_origin(None, POISON).seq is None
    for seq in seqs:
        engine.undo(seq)
    assert engine.list_recent("ada") == engine.list_recent("bob") == []
    engine.undo(report.seq)
    assert engine.list_recent("ada") and engine.list_recent("bob")


def test_a_later_start_first_then_all(engine: Any) -> None:
    early = told(engine, "ada", "BAD")
    engine.clock.advance(days=1)
    late = told(engine, "ada", "WORSE")
    first = engine.invalidate_by_origin("ada", POISON, since=engine.clock() - timedelta(hours=1))
    assert first.withdrawn == (late,) and first.reinstated == (early,)
    second = engine.invalidate_by_origin("ada", POISON)
    assert (second.withdrawn, second.already) == ((early,), (late,))
    engine.undo(first.seq)
    assert engine.list_recent("ada") == []


def check_again(dice: Dice, steps: int) -> None:
    with new_store() as store:
        author = SourcedAuthor(dice, store.history)
        for _ in range(steps):
            store.tell(author.decision())
        engine, origin = store.engine, dice.pick(("channel:x", "channel:y", "agent_derived", "user_direct"))
        choices = dice.pick((PurgeChoices(), PurgeChoices(spare_derived=True)))
        before = engine.state_digest()
        alone = engine.invalidate_by_origin(None, origin, choices=choices)
        if alone.seq is None:
            return
        wanted = engine.state_digest()
        engine.undo(alone.seq)
        first = engine.invalidate_by_origin(dice.pick(AGENTS), origin, choices=choices)
        between = engine.state_digest()
        second = engine.invalidate_by_origin(None, origin, choices=choices)
        if first.seq is None or second.seq is None:
            return
        assert not set(first.withdrawn) & set(second.withdrawn) and not set(first.voided) & set(second.voided)
        engine.undo(first.seq)
        assert engine.state_digest() == wanted, "as if the first had never been made"
        undone = engine.undo_purge(second.seq)
        assert engine.state_digest() == before
        assert set(undone.withdrawn) == set(alone.withdrawn)
        engine.undo(engine.head().seq - 1)
        assert engine.state_digest() == between, "the undo of the first undone"
        assert engine.verify().ok


@settings(max_examples=8)
@given(st.data(), st.integers(3, 12))
def test_random_histories(data: st.DataObject, steps: int) -> None:
    check_again(Drawn(data), steps)


@pytest.mark.parametrize("seed", range(8))
def test_longer_histories(seed: int) -> None:
    check_again(Seeded(seed), 25)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2_000, 2_600))
def test_many_longer_histories(seed: int) -> None:
    check_again(Seeded(seed), 40)
