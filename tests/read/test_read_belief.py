"""What was answered then is answered again, exactly, for every decision since."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from memstation.domain.errors import InvalidInput
from read_stores import Store, open_store

from engine_histories import DAYS, EPOCH, Author, Seeded
from engine_oracle import History

QUESTIONS = [
    (agent, "user", predicate, EPOCH + timedelta(days=number))
    for agent in ("ada", "bo")
    for predicate in ("city", "tag")
    for number in range(0, DAYS + 3)
]


def without_use(record: Any) -> Any:
    """A record without the use counter, which is no statement and has no past."""
    return None if record is None else replace(record, access_count=0, last_accessed=None)


def answers(store: Store, known_at: int | datetime | None = None) -> list[Any]:
    reader = store.reader
    found = []
    for question in QUESTIONS:
        found.append(without_use(reader.get_at(*question, known_at=known_at)))
        found.append(without_use(reader.get_at(*question, known_at=known_at, object="a")))
        found.append([without_use(r) for r in reader.holding_at(*question, known_at=known_at)])
    return found


def tell_random(store: Store, seed: int, steps: int) -> Any:
    """Tell decision after decision, and give what was applied."""
    history, dice = History(), Seeded(seed)
    author = Author(dice, history)
    for _ in range(steps):
        decision = author.decision()
        store.advance(minutes=dice.below(3))
        applied = store.ledger.apply(decision)
        history.tell(applied.seq, applied.at, decision)
        yield applied


def check(path: Path, seed: int, steps: int, every: int) -> None:
    with open_store(path) as store:
        store.now = EPOCH + timedelta(days=4)
        noted = [
            (applied.seq, applied.at, answers(store))
            for step, applied in enumerate(tell_random(store, seed, steps))
            if step % every == 0
        ]
        at_last: dict[datetime, int] = {}
        for row in store.reader.journal(0, 1000):
            at_last[row.at] = row.seq
        for seq, at, then in noted:
            assert answers(store, seq) == then, f"after decision {seq}"
            if at_last[at] == seq:
                assert answers(store, at) == then, f"at {at}"


@pytest.mark.parametrize("seed", range(3))
def test_every_answer_is_given_again_with_every_column(tmp_path: Path, seed: int) -> None:
    check(tmp_path / "store.db", seed, steps=60, every=6)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 40))
def test_every_answer_of_long_histories_is_given_again(tmp_path: Path, seed: int) -> None:
    check(tmp_path / "store.db", seed, steps=200, every=5)


def test_a_withdrawn_lie_is_gone_now_and_still_there_then(store: Store) -> None:
    store.tell("Nara", "01-01")
    lie = store.tell("Atlantis", "02-01")
    store.mark(lie, "withdrawn", "retracted")
    at = datetime(2026, 3, 1, tzinfo=UTC)
    known = [store.reader.get_at("dudu", "user", "city", at, known_at=seq) for seq in (0, 1, 2, 3)]
    assert [record and record.object for record in known] == [None, "Nara", "Atlantis", "Nara"]
    assert known[2].superseded_by is None and known[2].supersedes == known[1].id
    assert known[1].superseded_by is None and known[1].valid_until is None


def test_trust_and_evidence_are_those_of_then(store: Store) -> None:
    fact = store.tell("Nara", "01-01", asserted_trust=0.3, origin="channel:x")
    store.tell("Nara", "02-01", asserted_trust=1.0, origin="operator", source_event="told")
    store.mark(fact, "cap", value=0.1)
    at = datetime(2026, 3, 1, tzinfo=UTC)
    known = [store.reader.get_at("dudu", "user", "city", at, known_at=seq) for seq in (1, 2, 3)]
    assert [(r.origin_trust, len(r.reaffirmed_by)) for r in known] == [(0.3, 0), (1.0, 1), (1.0, 1)]
    assert known[1].reaffirmed_by[0].source_event == "told"


def test_a_rule_and_a_state_belong_to_their_time(store: Store) -> None:
    store.tell("ja", "01-01")
    store.tell("en", "04-10")
    store.many()
    at = datetime(2026, 4, 20, tzinfo=UTC)

    def holding(seq: int) -> list[tuple[str, str]]:
        return [(r.object, r.state) for r in store.reader.holding_at("dudu", "user", "city", at, known_at=seq)]

    store.advance(days=30)
    assert [holding(seq) for seq in (1, 2, 3)] == [
        [("ja", "current")],
        [("en", "scheduled")],
        [("en", "scheduled"), ("ja", "current")],
    ]
    assert store.reader.get_at("dudu", "user", "city", at).state == "current"


def test_belief_takes_a_number_a_hash_and_a_time(store: Store) -> None:
    store.tell("Nara", "01-01")
    store.advance(hours=1)
    store.tell("Osaka", "02-01")
    at = datetime(2026, 3, 1, tzinfo=UTC)

    def known(moment: Any) -> str | None:
        record = store.reader.get_at("dudu", "user", "city", at, known_at=moment)
        return record and record.object

    first = datetime(2026, 4, 1, 9, tzinfo=UTC)
    assert [known(1), known("#1"), known(first), known("2026-04-01T09:59")] == ["Nara"] * 4
    assert [known(2), known("#2"), known("2026-04-01T10:00"), known("2030-01-01")] == ["Osaka"] * 4
    assert [known(0), known(first - timedelta(microseconds=1)), known("2020-01-01")] == [None] * 3


@pytest.mark.parametrize("wrong", ["someday", 1.5, -1, 2, 10**30, True, [], "#", "#x", "#2", "# 1", "408", ""])
def test_what_is_no_moment_of_belief_is_refused(store: Store, wrong: Any) -> None:
    store.tell("Nara", "01-01")
    with pytest.raises(InvalidInput):
        store.reader.get_at("dudu", "user", "city", datetime(2026, 3, 1, tzinfo=UTC), known_at=wrong)
