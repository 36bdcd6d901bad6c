"""A purge against histories that never had the source; and taken back, against the state before it.

What stands after a purge is what would stand had the source never told anything. Memories made from what it told keep
their windows when they are spared, with their trust cut, and are held when not.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memstation.domain.decisions import Mark
from memstation.domain.purging import PurgeChoices
from purge_histories import SourcedAuthor, Tainted, marked, without

from engine_checks import Store, check_retold, check_rows, check_verified, new_store, stored_rows
from engine_histories import Dice, Drawn, Seeded

SPARED, HELD = PurgeChoices(spare_derived=True), PurgeChoices()


def tell(store: Store, dice: Dice, steps: int) -> None:
    author = SourcedAuthor(dice, store.history)
    for _ in range(steps):
        store.tell(author.decision())


def check_purge(dice: Dice, steps: int) -> None:
    with new_store() as store:
        tell(store, dice, steps)
        origin = dice.pick(("channel:x", "channel:y", "agent_derived", "user_direct"))
        choices = dice.pick((SPARED, HELD))
        before = store.engine.state_digest()
        preview = store.engine.preview_purge(None, origin, choices=choices)
        assert store.engine.state_digest() == before
        reach = Tainted(store.history, origin)
        report = store.engine.invalidate_by_origin(None, origin, choices=choices, expect=preview.digest)
        assert report.plan == preview.plan and report.emptied == preview.emptied
        if report.seq is None:
            rows = stored_rows(store.path)
            assert all(rows[claim].role in ("withdrawn", "erased") for claim in reach.purged)
            return
        check_reach(store, report, reach)
        check_answers(store, origin, report, reach)
        store.history.tell(report.seq, store.clock(), report.plan.decision)
        check_rows(store)
        check_verified(store)
        assert store.engine.preview_purge(None, origin, choices=choices).seq is None
        check_undone(store, report, reach, before)


def check_reach(store: Store, report: Any, reach: Tainted) -> None:
    """What is reached is what the definitions say, and each is reached by a way that there is."""
    stood = {i for i, row in reach.rows.items() if row.role in ("fact", "confirms", "silent")}
    there = stood | {i for i, row in reach.rows.items() if row.role == "held"}
    assert set(report.withdrawn) == reach.purged & stood
    assert set(report.voided) == (reach.purged & there) - stood
    if report.plan.choices.spare_derived:
        cited = everything_made(reach)
        assert set(report.spared) == cited & stood
        assert report.contaminated == report.confirmations == ()
    else:
        assert set(report.spared) == (reach.derived - reach.held) & stood
        assert set(report.contaminated) <= reach.held & there
        assert reach.held & stood <= set(report.contaminated)
        assert set(report.confirmations) == reach.echoes
    for tainted, path in report.paths.items():
        assert path[0] in reach.purged and path[-1] == tainted
        for before, after in pairwise(path):
            assert before in reach.cited(after) or after in reach.echoes_of(before)


def everything_made(reach: Tainted) -> set[str]:
    """All that cites something purged, at any depth."""
    found: set[str] = set()
    while (
        more := {c for c in reach.all if reach.cited(c) & (reach.purged | found) and reach.all[c].origin != "operator"}
        - reach.purged
        - found
    ):
        found |= more
    return found


def check_answers(store: Store, origin: str, report: Any, reach: Tainted) -> None:
    """Every row of the others says what it would had the source never told anything."""
    marks = [Mark(s.id, s.kind, s.reason, s.value) for s in report.plan.decision.statements
             if isinstance(s, Mark) and s.kind != "withdrawn"]  # fmt: skip
    if report.plan.choices.spare_derived:
        assert {mark.id for mark in marks} == everything_made(reach) and {mark.kind for mark in marks} <= {"cap"}
    else:
        assert {mark.id for mark in marks} == reach.tainted
    known = {s.id for _, _, d in without(store.history, origin).decisions for s in d.statements if hasattr(s, "id")}
    never = marked(without(store.history, origin), *(mark for mark in marks if mark.id in known))
    expected = never.belief().rows()
    found = stored_rows(store.path)
    for memory_id, row in expected.items():
        assert found[memory_id] == row


def check_undone(store: Store, report: Any, reach: Tainted, before: str) -> None:
    """Each count is that of the purge, but for what waited for another reason, with as little trust: it stays so."""
    undoing = store.engine.preview_undo_purge(report.seq)
    assert len(undoing.withdrawn) == len(report.withdrawn) and len(undoing.voided) == len(report.voided)
    changed = {change.id for change in undoing.effects.changes}
    as_it_was = set(report.contaminated) - changed
    assert set(undoing.contaminated) == set(report.contaminated) - as_it_was
    assert all(reach.rows[memory_id].role == "held" for memory_id in as_it_was)
    assert set(undoing.confirmations) == set(report.confirmations)
    assert set(undoing.reinstated) == set(report.reinstated)
    assert undoing.rejected == report.rejected
    store.engine.undo(report.seq, expect=undoing.digest)
    assert store.engine.state_digest() == before


@settings(max_examples=12)
@given(st.data(), st.integers(2, 14))
def test_a_purge_leaves_what_would_be_had_the_source_never_written(data: st.DataObject, steps: int) -> None:
    check_purge(Drawn(data), steps)


@pytest.mark.parametrize("seed", range(12))
def test_the_same_after_longer_histories(seed: int) -> None:
    check_purge(Seeded(seed), 30)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1_000, 2_000))
def test_the_same_after_many_longer_histories(seed: int) -> None:
    check_purge(Seeded(seed), 45)


@pytest.mark.slow
@settings(max_examples=1_000)
@given(st.data(), st.integers(2, 12))
def test_the_same_after_many_short_histories(data: st.DataObject, steps: int) -> None:
    check_purge(Drawn(data), steps)


def test_the_state_is_that_of_a_store_which_is_told_only_what_stands() -> None:
    with new_store() as store:
        tell(store, Seeded(7), 30)
        report = store.engine.invalidate_by_origin(None, "channel:x")
        store.history.tell(report.seq, store.clock(), report.plan.decision)
        check_retold(store)
