"""A graph that is kept answers to the last bit as one made anew, whatever is decided and whoever decided it."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from memstation.domain.errors import MemstationError
from memstation.engine import MemoryEngine
from memstation.recall import graph_cache
from memstation.recall.graph_cache import GraphCache
from memstation.recall.ranking import DEFAULT_WEIGHTS
from search_stores import note, triple

NAMES = ["user", "Ada", "ada lovelace", "陳小明", "Nara", "Osaka", "Kyoto", "ferry", "Straße"]
QUERIES = ("where does Ada Lovelace live", "陳小明 Nara", "user ferry strasse")


def answers(engine: Any) -> list[Any]:
    """All that searches say, to the last bit."""
    found = []
    for query in QUERIES:
        result = engine.search("ada", query, 50, explain=True)
        found.append([(hit.memory.id, hit.score.hex(), hit.terms, hit.path) for hit in result])
        found.append((result.trace.seeds, result.trace.triples))
    return found


def ranks(engine: Any) -> list[Any]:
    graph, surfaces = engine.finder.graph("ada")
    found: list[Any] = [graph.ns.tobytes(), sorted(graph.titles())]
    for query in QUERIES:
        titles = surfaces.found_in(query, graph)
        found.append((titles, graph.rank([graph.has(title) for title in titles], DEFAULT_WEIGHTS).memories.tobytes()))
    return found


def fresh(engine: Any, ask: Callable[[Any], Any]) -> Any:
    kept, engine.finder._graphs = engine.finder._graphs, GraphCache()
    try:
        return ask(engine)
    finally:
        engine.finder._graphs = kept


class History:
    """Random decisions of every kind that can move a graph."""

    def __init__(self, engine: Any, clock: Any, chance: random.Random) -> None:
        self.engine, self.clock, self.chance = engine, clock, chance
        self.ids: list[str] = []
        self.seqs: list[int] = []

    def step(self) -> str:
        verb = self.chance.choice(
            ["tell", "tell", "tell", "tell", "later", "bounded", "wait", "wait", "retract", "end", "undo", "undo",
             "alias", "part", "many", "held", "approve", "purge", "trust", "forget", "other"]
        )  # fmt: skip
        try:
            applied = getattr(self, verb)()
        except MemstationError:
            return verb
        if applied is not None and getattr(applied, "seq", 0):
            self.seqs.append(applied.seq)
        return verb

    def _triple(self, **more: Any) -> Any:
        chance = self.chance
        origin = more.pop("origin", chance.choice(["operator", "agent_derived", "import:old", "user_direct"]))
        outcome = triple(
            self.engine, chance.choice(NAMES), chance.choice(["knows", "city"]), chance.choice([*NAMES, None]),
            origin=origin, **more,
        )  # fmt: skip
        self.ids.append(outcome.id)
        return outcome

    def tell(self) -> Any:
        return self._triple()

    def later(self) -> Any:
        return self._triple(valid_from=self.clock() + timedelta(hours=self.chance.randint(1, 50)))

    def bounded(self) -> Any:
        return self._triple(valid_until=self.clock() + timedelta(hours=self.chance.randint(1, 50)))

    def held(self) -> Any:
        return self._triple(origin="channel:x")

    def wait(self) -> None:
        self.clock.advance(hours=self.chance.randint(1, 20))

    def retract(self) -> Any:
        return self.engine.retract(self.chance.choice(self.ids), reason="no")

    def end(self) -> Any:
        return self.engine.end(self.chance.choice(self.ids), self.clock())

    def undo(self) -> Any:
        return self.engine.undo(self.chance.choice(self.seqs))

    def alias(self) -> Any:
        return self.engine.add_alias("ada", *self.chance.sample(NAMES, 2))

    def part(self) -> Any:
        return self.engine.remove_alias("ada", self.chance.choice(NAMES))

    def many(self) -> Any:
        return self.engine.set_predicate("ada", "knows", self.chance.choice(["one", "many"]))

    def approve(self) -> Any:
        return self.engine.approve([row.id for row in self.engine.queue()][:1])

    def purge(self) -> Any:
        return self.engine.invalidate_by_origin("ada", "agent_derived")

    def trust(self) -> Any:
        from memstation.domain.decisions import Decision, Mark

        mark = Mark(self.chance.choice(self.ids), "cap", "t", 0.2)
        return self.engine.apply(Decision("correct", "operator", (mark,), "ada"))

    def forget(self) -> Any:
        if self.chance.random() < 0.3:
            name = self.chance.choice(NAMES)
            self.engine.forget("ada", name, phrase=self.engine.preview_forget("ada", name).phrase)

    def other(self) -> Any:
        return note(self.engine, "of another agent", agent="bo")


@pytest.mark.parametrize("turn", range(8))
def test_kept_answers_are_those_made_anew(
    make_engine: Any, clock: Any, monkeypatch: pytest.MonkeyPatch, turn: int
) -> None:
    monkeypatch.setattr(graph_cache, "KEPT_ABOVE", 0)
    writer, reader = make_engine("one"), make_engine("one")
    history = History(writer, clock, random.Random(turn))
    history.tell()
    for _ in range(45):
        verb = history.step()
        # The reader is another process, as far as the store goes: it learns of writes from the file alone.
        assert ranks(reader) == fresh(reader, ranks), verb
    assert answers(reader) == fresh(reader, answers) == answers(writer)
    assert answers(reader)


def test_a_change_is_not_read_anew(make_engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_cache, "KEPT_ABOVE", 0)
    engine: MemoryEngine = make_engine()
    for name in NAMES:
        triple(engine, name, "knows", "user")
    assert len(engine.finder.graph("ada")[0]) == len(NAMES)

    def refuse(*_: Any) -> Any:
        raise AssertionError("the whole graph was read")

    monkeypatch.setattr(graph_cache, "graph_at", refuse)
    triple(engine, "Kobe", "knows", "user")
    note(engine, "of another agent", agent="bo")
    graph, surfaces = engine.finder.graph("ada")
    assert len(graph) == len(NAMES) + 1 and surfaces.found_in("to Kobe", graph) == ["kobe"]
    assert engine.finder.graph("ada")[0] is graph
    engine.add_alias("ada", "user", "Nara")
    with pytest.raises(AssertionError):
        engine.finder.graph("ada")


def test_a_small_graph_is_not_kept(make_engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    engine: MemoryEngine = make_engine()
    for name in NAMES:
        triple(engine, name, "knows", "user")
    monkeypatch.setattr(graph_cache, "KEPT_ABOVE", len(NAMES))
    small = answers(engine)
    assert engine.finder.graph("ada")[0] is not engine.finder.graph("ada")[0]
    monkeypatch.setattr(graph_cache, "KEPT_ABOVE", len(NAMES) - 1)
    assert engine.finder.graph("ada")[0] is engine.finder.graph("ada")[0]
    assert answers(engine) == small


def test_an_alias_added_and_removed_changes_nothing(make_engine: Any) -> None:
    engine: MemoryEngine = make_engine()
    for subject, object_ in (("老闆", "Taipei"), ("zhixu", "tea"), ("tea", "Alishan"), ("user", "Taipei")):
        triple(engine, subject, "knows", object_)
    queries = ("what does 老闆 drink", "zhixu", "Taipei tea")

    def said() -> list[Any]:
        return [
            [(hit.memory.id, hit.score.hex(), hit.terms) for hit in engine.search("ada", query)] for query in queries
        ]

    before = said()
    engine.add_alias("ada", "zhixu", "老闆")
    joined = engine.search("ada", queries[0], explain=True)
    assert joined.trace is not None and joined.trace.seeds == ("zhixu",)
    assert "zhixu knows tea" in [hit.memory.content for hit in joined]
    assert said() != before
    engine.remove_alias("ada", "老闆")
    assert said() == before
