"""A held memory changes no answer that an agent is given: compared with a store that never saw it.

Whatever else goes on: clean writes of other origins, confirmations, ends, undos, expiries, lapses, kept and undone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memstation import open_engine
from memstation.domain.decisions import Decision, Order
from memstation.domain.errors import MemstationError
from memstation.domain.guarding import GuardSettings
from memstation.domain.memory import FactRecord

from gate_writes import POISON, write

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
ORIGINS = ("operator", "user_direct", "channel:clean", "agent_derived", "import:old")
PREDICATES = ("city", "city", "mood")
VALUES = ("A", "A", "B", "C")
UNSEEN = {"n", "seq"}
"""Numbers of the store itself, which agents are not given."""

steps = st.lists(
    st.one_of(
        st.tuples(st.just("clean"), st.sampled_from(ORIGINS), st.sampled_from(PREDICATES), st.sampled_from(VALUES),
                  st.integers(0, 9)),
        st.tuples(st.just("held"), st.sampled_from(PREDICATES), st.sampled_from((*VALUES, "D")), st.integers(0, 9)),
        st.tuples(st.just("end"), st.integers(0, 20), st.integers(0, 9)),
        st.tuples(st.just("undo"), st.integers(0, 20)),
        st.tuples(st.just("expire"),),
        st.tuples(st.just("wait"), st.integers(1, 40)),
        st.tuples(st.just("decide"), st.sampled_from(("extend", "approve and undo", "deny and undo"))),
    ),
    max_size=25,
)  # fmt: skip


class Pair:
    """Two stores that are told the same, of which only the first is told what is held."""

    def __init__(self, folder: Path) -> None:
        self.now = EPOCH + timedelta(days=5)
        made = iter(range(100_000))
        guard = GuardSettings(enabled=False, over_operator=False)

        def opened(name: str) -> Any:
            ids: Callable[[datetime], str] = lambda _: f"{name}_{next(made):05d}"  # noqa: E731
            return open_engine(folder / f"{name}.db", clock=lambda: self.now, make_id=ids, guard=guard)

        self.tainted, self.clean = opened("tainted"), opened("clean")
        for engine in self.both:
            blocked = Order("origin", "blocked", "*", value=POISON)
            engine.apply(Decision("predicate", "operator", (blocked,), ""))
        self.told: list[str] = []
        self.acts: list[tuple[int, int]] = []

    @property
    def both(self) -> tuple[Any, Any]:
        return self.tainted, self.clean

    def close(self) -> None:
        for engine in self.both:
            engine.close()

    def act(self, verb: Callable[[Any], Any]) -> None:
        """The same of both; a refusal of the one is a refusal of the other."""
        seqs: list[Any] = []
        for engine in self.both:
            try:
                seqs.append(verb(engine).seq)
            except MemstationError as error:
                seqs.append(type(error))
        assert (seqs[0] in (0, None)) == (seqs[1] in (0, None))
        if all(isinstance(seq, int) and seq for seq in seqs):
            self.acts.append((seqs[0], seqs[1]))
        else:
            assert seqs[0] == seqs[1], seqs

    def clean_write(self, origin: str, predicate: str, value: str, day: int) -> None:
        id_ = f"told_{len(self.told)}"
        self.told.append(id_)
        self.act(
            lambda engine: write(
                engine, value, predicate, origin=origin, id=id_, valid_from=EPOCH + timedelta(days=day)
            )
        )

    def held_write(self, predicate: str, value: str, day: int) -> None:
        outcome = write(self.tainted, value, predicate, valid_from=EPOCH + timedelta(days=day))
        assert outcome.status == "held"

    def end(self, place: int, day: int) -> None:
        if self.told:
            id_, at = self.told[place % len(self.told)], EPOCH + timedelta(days=day)
            self.act(lambda engine: engine.end(id_, at))

    def undo(self, place: int) -> None:
        if self.acts:
            tainted, clean = self.acts[place % len(self.acts)]
            self.act(lambda engine: engine.undo(tainted if engine is self.tainted else clean))

    def decide(self, verb: str) -> None:
        from memstation.ops import review

        ids = [row.id for row in self.tainted.queue()]
        if not ids:
            return
        if verb == "extend":
            self.tainted.decide(lambda looking: review.extend(looking, ids, actor="operator"))
            return
        seq = (self.tainted.approve(ids) if verb.startswith("approve") else self.tainted.deny(ids)).seq
        self.tainted.undo(seq)

    def answers(self, engine: Any) -> list[Any]:
        """All that an agent can ask."""
        moments = [EPOCH + timedelta(days=day, hours=12) for day in range(-1, 11)]
        asked: list[Any] = [told(record) for record in engine.list_recent("ada", 100)]
        for predicate in dict.fromkeys(PREDICATES):
            asked.append([told(record) for record in engine.get_history("ada", "user", predicate)])
            asked.append([one(engine.get_at("ada", "user", predicate, at)) for at in moments])
            asked.append([[told(r) for r in engine.holding_at("ada", "user", predicate, at)] for at in moments])
        found = engine.get_by_ids("ada", self.told[-100:])
        return [*asked, [told(record) for record in found.memories], found.missing_ids]

    def searched(self, engine: Any) -> list[Any]:
        """What an agent finds, with scores, traces and ways to the last bit."""
        asked: list[Any] = []
        for query, at in (("user", None), ("the city is A", EPOCH + timedelta(days=3)), ('"is B" C D mood', None)):
            result = engine.search("ada", query, 50, at=at, explain=True, as_agent=True)
            asked.append([(told(hit.memory), hit.score, hit.terms, hit.words, hit.path) for hit in result])
            asked.append(result.trace)
        return asked


def told(record: FactRecord) -> dict[str, Any]:
    return {field.name: getattr(record, field.name) for field in fields(record) if field.name not in UNSEEN}


def one(record: FactRecord | None) -> Any:
    return None if record is None else told(record)


def run(folder: Path, script: list[tuple[Any, ...]]) -> None:
    pair = Pair(folder)
    try:
        for step in script:
            match step:
                case ("clean", origin, predicate, value, day):
                    pair.clean_write(origin, predicate, value, day)
                case ("held", predicate, value, day):
                    pair.held_write(predicate, value, day)
                case ("end", place, day):
                    pair.end(place, day)
                case ("undo", place):
                    pair.undo(place)
                case ("expire",):
                    pair.act(lambda engine: _Done(engine.expire_by_subject("ada", "user", reason="over")))
                case ("wait", hours):
                    pair.now += timedelta(hours=hours)
                    pair.tainted.expire_due()
                case ("decide", verb):
                    pair.decide(verb)
            assert pair.answers(pair.tainted) == pair.answers(pair.clean), step
        assert pair.searched(pair.tainted) == pair.searched(pair.clean)
        assert pair.tainted.verify().ok
    finally:
        pair.close()


class _Done:
    """An act without a number of its own to undo."""

    seq = 0

    def __init__(self, _count: int) -> None:
        pass


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(script=steps)
def test_a_held_memory_changes_no_answer(script: list[tuple[Any, ...]], tmp_path_factory: Any) -> None:
    run(tmp_path_factory.mktemp("inert"), script)


@pytest.mark.slow
@settings(max_examples=1500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(script=steps)
def test_a_held_memory_changes_no_answer_in_many_histories(
    script: list[tuple[Any, ...]], tmp_path_factory: Any
) -> None:
    run(tmp_path_factory.mktemp("inert"), script)
