"""Random histories of every kind of statement, with undos of anything, against the oracle.

Three properties: the stored rows are what brute force lays out; the state is that of a store which was told
only the decisions that stand; a preview says what the act does, and changes nothing.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memstation.domain.decisions import Claim, Decision, Mark, Undo

from engine_checks import Store, check_all, check_history, check_rows, new_store
from engine_histories import Author, Drawn, Seeded
from engine_oracle import Belief, as_stored, folded


@given(st.data(), st.integers(2, 14))
def test_a_history_gives_what_the_oracle_gives(data: st.DataObject, steps: int) -> None:
    check_history(Drawn(data), steps)


@pytest.mark.parametrize("seed", range(8))
def test_a_longer_history_gives_it_at_every_step(seed: int) -> None:
    check_history(Seeded(seed), 40, every=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 200))
def test_many_longer_histories(seed: int) -> None:
    check_history(Seeded(seed), 80, every=8)


@pytest.mark.slow
@settings(max_examples=1_000)
@given(st.data(), st.integers(2, 10))
def test_many_short_histories(data: st.DataObject, steps: int) -> None:
    check_history(Drawn(data), steps)


@pytest.mark.parametrize("seed", range(20, 24))
def test_taking_everything_back_leaves_an_empty_state(seed: int) -> None:
    with new_store() as store, new_store() as empty:
        dice = Seeded(seed)
        for _ in store.tell_random(dice, 25):
            pass
        standing = [seq for seq, _, _ in store.history.standing()]
        while standing:
            seq = dice.pick(standing)
            store.tell(Decision("undo", "operator", (Undo(seq),)))
            undone_undo = any(isinstance(s, Undo) for s in store.history.decisions[seq - 1][2].statements)
            if not undone_undo:
                check_rows(store)
            told = [s for s, _, d in store.history.standing() if not isinstance(d.statements[0], Undo)]
            standing = told
        assert store.engine.state_digest() == empty.engine.state_digest()
        check_all(store)


def file_bytes(store: Store) -> bytes:
    return Path(store.path).read_bytes()


@pytest.mark.parametrize("seed", range(30, 34))
def test_a_preview_says_what_the_act_does_and_changes_nothing(seed: int) -> None:
    with new_store() as store:
        author = Author(Seeded(seed), store.history)
        for _ in range(25):
            decision = author.decision()
            before = (store.engine.state_digest(), len(store.history.decisions), file_bytes(store))
            effects = store.engine.preview(decision)
            entries = store.engine.journal(limit=1000)
            assert (store.engine.state_digest(), len(entries), file_bytes(store)) == before
            assert store.engine.preview(decision) == effects
            applied = store.engine.apply(decision, expect=effects.digest)
            store.history.tell(applied.seq, applied.at, decision)
            assert applied.effects.digest == effects.digest
            assert applied.effects.changes == effects.changes
            assert (applied.effects.emptied, applied.effects.gaps) == (effects.emptied, effects.gaps)
        check_all(store)


@pytest.mark.parametrize("seed", range(40, 44))
def test_effects_name_exactly_the_facts_that_moved(seed: int) -> None:
    """Windows and trust before and after, by the oracle, against what the effects say."""
    with new_store() as store:
        before = store.history.belief().rows()
        for _, applied in store.tell_random(Seeded(seed), 30):
            after = store.history.belief().rows()
            facts = {
                key
                for key in before.keys() | after.keys()
                if {row.role for row in (before.get(key), after.get(key)) if row} & {"fact", "held"}
            }
            moved = {
                key
                for key in facts
                if key not in before
                or key not in after
                or (before[key].role, before[key].valid_from, before[key].valid_until, before[key].trust)
                != (after[key].role, after[key].valid_from, after[key].valid_until, after[key].trust)
            }
            named = {change.id for change in applied.effects.changes}
            assert moved <= named, moved - named
            before = after


def current_values(belief: Belief, now: str) -> set[tuple[str, str, str]]:
    """The facts that have a value now."""
    lines = belief.lines().items()
    return {key[1:4] for key, line in lines if key[0] == "fact" and line.holder_at(now) is not None}


def new_gaps(before: Belief, after: Belief) -> set[tuple[str, str, str, str]]:
    """Ends after which nothing holds on a line, where something did before."""
    gaps = set()
    old = before.lines()
    for key, line in after.lines().items():
        for stretch in line.stretches():
            until = stretch.until
            if key[0] != "fact" or until is None or until == stretch.start or key not in old:
                continue
            if old[key].holder_at(until) is not None and line.holder_at(until) is None:
                gaps.add((key[1], key[2], key[3], until))
    return gaps


def test_effects_name_the_facts_that_are_left_without_a_value() -> None:
    assert sum(check_what_is_left_empty(seed) for seed in range(70, 76)) > 5, "the seeds must empty something"


def check_what_is_left_empty(seed: int) -> int:
    """Compare `emptied` and `gaps` with the oracle; returns how many facts were left without a value."""
    with new_store() as store:
        before, emptied_in_all = store.history.belief(), 0
        for _, applied in store.tell_random(Seeded(seed), 40):
            after, now = store.history.belief(), as_stored(applied.at)
            lost = current_values(before, now) - current_values(after, now)
            emptied = [(agent, folded(s), folded(p)) for agent, s, p in applied.effects.emptied]
            assert sorted(emptied) == sorted(lost)
            if all(before.is_many(a, "city") == after.is_many(a, "city") for a in ("ada", "bo")):
                gaps = [(a, folded(s), folded(p), as_stored(at)) for a, s, p, at in applied.effects.gaps]
                assert set(gaps) == new_gaps(before, after)
            emptied_in_all += len(lost)
            before = after
    return emptied_in_all


@pytest.mark.parametrize("seed", range(50, 58))
def test_withdrawing_an_origin_leaves_what_would_be_without_it(seed: int) -> None:
    """A purge: every claim of one origin withdrawn, against the history in which it never wrote."""
    dice = Seeded(seed)
    with new_store() as store, new_store() as without:
        author = Author(dice, store.history)
        claims: list[Claim] = []
        for _ in range(30):
            claim = author.claim()
            claims.append(claim)
            clean = claim.origin != "channel:x"
            store.tell(Decision("store", "x", (claim,), claim.agent_id))
            if clean:
                without.tell(Decision("store", "x", (claim,), claim.agent_id))
        marks = tuple(Mark(c.id, "withdrawn", "origin_purge") for c in claims if c.origin == "channel:x")
        assert marks, "the seed must write from the origin that is purged"
        purge = store.tell(Decision("retract", "operator", marks))
        assert store.engine.state_digest() == without.engine.state_digest()
        check_all(store)
        store.tell(Decision("undo", "operator", (Undo(purge.seq),)))
        check_all(store)


@given(st.data())
def test_claims_in_any_order_give_the_same_windows_when_starts_differ(data: st.DataObject) -> None:
    """The order of arrival shows nowhere but in which row stands for a fact."""
    dice = Drawn(data)
    with new_store() as one, new_store() as other:
        author = Author(dice, one.history)
        claims = []
        for number in range(6):
            start = f"2026-02-{number + 1:02d}T00:00:00.000000+00:00"
            claim = author.claim()
            claims.append(
                replace(claim, agent_id="ada", subject="user", predicate="city", asserted_from=start)
                if claim.asserted_until is None
                else replace(
                    claim,
                    agent_id="ada",
                    subject="user",
                    predicate="city",
                    asserted_from=start,
                    asserted_until=f"2026-02-{number + 2 + dice.below(3):02d}T00:00:00.000000+00:00",
                )
            )
        for claim in claims:
            one.tell(Decision("store", "x", (claim,)))
        other.tell(Decision("store", "x", tuple(data.draw(st.permutations(claims)))))

        def windows(store: Store) -> list[tuple[object, ...]]:
            history = store.engine.get_history("ada", "user", "city")
            return [(r.object, " ".join(r.content.split()), r.valid_from, r.valid_until) for r in history]

        assert windows(one) == windows(other)
        check_rows(other)
