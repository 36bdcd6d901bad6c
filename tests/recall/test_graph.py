"""PageRank on the graph of names and memories: against networkx, by hand, and on what breaks such walks."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import pytest
from memstation.recall import pagerank
from memstation.recall.by_graph import ByText, Entered, enter
from memstation.recall.candidate_rows import Candidate
from memstation.recall.graph import Graph, Triple
from memstation.recall.paths import Ways
from memstation.recall.query import read_query
from memstation.recall.ranking import DEFAULT_WEIGHTS, rarity
from memstation.recall.seeds import Surfaces, weight_of

EXACT = replace(DEFAULT_WEIGHTS, max_iterations=300, tolerance=0.0)


def some_triples(chance: random.Random, count: int, names: int, *, untrusted: float = 0.1) -> list[Triple]:
    made = []
    for n in range(1, count + 1):
        subject, object_ = (f"n{min(int(names * chance.random() ** 2), names - 1)}" for _ in range(2))
        trust = 0.0 if chance.random() < untrusted else round(chance.random(), 3)
        made.append(Triple(n, subject, object_ if chance.random() < 0.9 else None, trust))
    return made


def oracle(triples: list[Triple], seeds: dict[str, float], damping: float) -> tuple[dict[int, float], dict[str, float]]:
    """The PageRank of networkx itself on the same graph, without scipy."""
    from networkx.algorithms.link_analysis.pagerank_alg import _pagerank_python

    graph = nx.Graph()
    for triple in triples:
        for name in (triple.subject, triple.object):
            if name is None:
                continue
            graph.add_node(("name", name))
            if triple.trust > 0:
                edge = (("name", name), ("memory", triple.n))
                before = graph.get_edge_data(*edge, {"weight": 0.0})["weight"]
                graph.add_edge(*edge, weight=before + triple.trust)
    begin = {("name", name): mass for name, mass in seeds.items()}
    ranks = _pagerank_python(graph, alpha=damping, personalization=begin, dangling=begin, max_iter=1000, tol=1e-15)
    memories = {n: rank for (kind, n), rank in ranks.items() if kind == "memory"}
    return memories, {name: rank for (kind, name), rank in ranks.items() if kind == "name"}


@pytest.mark.parametrize("turn", range(12))
def test_ranks_are_those_of_networkx(turn: int) -> None:
    chance = random.Random(turn)
    triples = some_triples(chance, chance.choice([1, 5, 40, 150]), chance.choice([2, 8, 60]))
    graph = Graph.of(chance.sample(triples, len(triples)))
    seeds = chance.sample(sorted(graph.titles()), min(3, len(graph.titles())))
    damping = chance.choice([0.5, 0.85])
    masses = [1 / len(seeds)] * len(seeds)
    if turn % 2:
        masses = [0.5 / len(seeds)] * len(seeds)
        masses[0] += 0.5
    ranks = graph.rank(
        [graph.has(name) for name in seeds], replace(EXACT, damping=damping), masses if turn % 2 else None
    )
    memories, names = oracle(triples, dict(zip(seeds, masses, strict=True)), damping)
    assert ranks.memories == pytest.approx([memories.get(int(n), 0.0) for n in graph.ns], abs=1e-12)
    assert ranks.names == pytest.approx([names[name] for name in graph.names], abs=1e-12)
    assert ranks.memories.sum() + ranks.names.sum() == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("turn", range(12))
def test_the_default_settings_give_the_same_order(turn: int) -> None:
    chance = random.Random(100 + turn)
    triples = some_triples(chance, 120, 40)
    graph = Graph.of(triples)
    seeds = chance.sample(sorted(graph.titles()), 2)
    ranks = graph.rank([graph.has(name) for name in seeds], DEFAULT_WEIGHTS)
    memories, _ = oracle(triples, dict.fromkeys(seeds, 1.0), 0.5)
    best = sorted(memories, key=lambda n: -memories[n])[:10]
    mine = {int(n): rank for n, rank in zip(graph.ns, ranks.memories, strict=True)}
    # Those whose true ranks lie nearer together than the walk is carried may change places.
    assert [memories[n] for n in sorted(mine, key=lambda n: -mine[n])[:10]] == pytest.approx(
        [memories[n] for n in best], abs=2e-6
    )


@pytest.mark.parametrize("turn", range(6))
def test_a_graph_that_was_changed_ranks_as_one_made_anew(turn: int) -> None:
    chance = random.Random(turn)
    kept = {triple.n: triple for triple in some_triples(chance, 80, 30)}
    graph = Graph.of(kept.values())
    for step in range(12):
        gone = chance.sample(sorted(kept), 3)
        new = [replace(triple, n=triple.n + 100 * step) for triple in some_triples(chance, 4, 40)]
        kept = {n: triple for n, triple in kept.items() if n not in gone and n not in {one.n for one in new}}
        kept |= {triple.n: triple for triple in new}
        graph = graph.changed([*gone, *(triple.n for triple in new)], new)
        fresh = Graph.of(chance.sample(list(kept.values()), len(kept)))
        assert sorted(graph.titles()) == sorted(fresh.titles())
        seeds = sorted(chance.sample(sorted(fresh.titles()), 3))
        mine = graph.rank([graph.has(name) for name in seeds], DEFAULT_WEIGHTS)
        anew = fresh.rank([fresh.has(name) for name in seeds], DEFAULT_WEIGHTS)
        assert graph.ns.tobytes() == fresh.ns.tobytes()
        assert mine.memories.tobytes() == anew.memories.tobytes()
        assert [mine.names[graph.has(name)] for name in fresh.names] == list(anew.names)


def test_what_breaks_walks_breaks_none() -> None:
    empty = Graph.of([])
    assert empty.titles() == [] and len(empty.rank([], DEFAULT_WEIGHTS).memories) == 0
    odd = ['plan "big one"', "a'b", "x|y", "<sep>", "100% sure"]
    graph = Graph.of([
        *(Triple(n, name, odd[n - 1], 1.0) for n, name in enumerate(odd, 1)), Triple(10, "k", "k", 0.5),
        Triple(11, "k", "poison", 0.0), Triple(12, "alone", None, 0.0), Triple(13, "k", None, 1.0),
    ])  # fmt: skip
    for name in [*odd, "k", "alone", "poison"]:
        ranks = graph.rank([graph.has(name)], EXACT)
        every = np.concatenate([ranks.memories, ranks.names])
        assert np.isfinite(every).all() and every.sum() == pytest.approx(1, abs=1e-9)
        assert ranks.memories[graph.ns.tolist().index(11)] == 0
    assert graph.has("nobody") is None and not graph.rank([], DEFAULT_WEIGHTS).names.any()
    surfaces = Surfaces(graph)
    assert surfaces.found_in('see PLAN "Big One" and x|y', graph) == ['plan "big one"', "x|y"]
    assert enter(graph, surfaces, ByText(read_query("nothing of it"), (), ()), DEFAULT_WEIGHTS).best(5) == []


def test_an_untrusted_memory_gets_less_where_it_competes() -> None:
    def share(trust: float) -> float:
        graph = Graph.of([Triple(1, "ada", "nara", 1.0), Triple(2, "ada", "atlantis", trust)])
        return float(graph.rank([graph.has("ada")], DEFAULT_WEIGHTS).memories[1])

    assert share(1.0) > share(0.3) > share(0.1) > share(0.0) == 0.0


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("where does Ann live", ["ann"]), ("planning", []), ("ask_ann", ["ann"]), ("ANN's flat", ["ann"]),
        ("陳小明說了什麼", ["陳小明"]), ("陈小明", ["陳小明"]), ("new york city map", ["new york"]),
        ("Ｎｅｗ　Ｙｏｒｋ", ["new york"]), ("newyork", []), ("", []),
        ("ann new york 小明", ["ann", "new york", "小明"]),
        ("김철수는 어디", ["김철수"]), ("Straße 5", ["strasse"]), ("York", []), ("小明 and 陳小明", ["小明", "陳小明"]),
    ],
)  # fmt: skip
def test_seeds_are_whole_names_in_any_script(query: str, titles: list[str]) -> None:
    names = ["Ann", "陳小明", "小明", "New York", "김철수", "STRASSE", "...", "user"]
    graph = Graph.of([Triple(n, name, None, 1.0) for n, name in enumerate(names)])
    assert Surfaces(graph).found_in(query, graph) == titles


def test_the_way_to_a_memory_is_the_shortest() -> None:
    graph = Graph.of([
        Triple(1, "ada", "nara", 1.0), Triple(2, "nara", "japan", 1.0), Triple(3, "japan", "asia", 1.0),
        Triple(4, "ada", "japan", 0.0), Triple(5, "lone", None, 1.0),
    ])  # fmt: skip
    ways = Ways(graph, [graph.has("ada")]).to([1, 2, 3, 4, 5])
    assert sorted(ways) == [1, 2, 3]
    assert ways[1].steps == ((1, None),)
    assert (ways[3].seed, ways[3].steps) == ("ada", ((1, "nara"), (2, "japan"), (3, None)))


@pytest.mark.parametrize("turn", range(6))
def test_a_walk_on_what_it_has_reached_is_one_on_all_to_the_last_bit(
    monkeypatch: pytest.MonkeyPatch, turn: int
) -> None:
    chance = random.Random(turn)
    graph = Graph.of(some_triples(chance, 400, chance.choice([90, 400, 1_500])))
    seeds = [graph.has(name) for name in chance.sample(sorted(graph.titles()), chance.choice([1, 2, 12]))]
    parts: list[bool] = []
    made = pagerank._part_of

    def watched(*given: Any) -> Any:
        part = made(*given)
        parts.append(part.is_whole)
        return part

    monkeypatch.setattr(pagerank, "_part_of", watched)
    whole = graph.rank(seeds, DEFAULT_WEIGHTS)
    assert parts == [True]
    monkeypatch.setattr(pagerank, "_WORTH", 0)
    reached = graph.rank(seeds, DEFAULT_WEIGHTS)
    assert False in parts
    assert reached.memories.tobytes() == whole.memories.tobytes()
    assert reached.names.tobytes() == whole.names.tobytes()


def test_a_change_weighs_as_a_graph_made_anew() -> None:
    chance = random.Random(5)
    triples = {triple.n: triple for triple in some_triples(chance, 60, 20)}
    graph = Graph.of(triples.values())
    for turn in range(40):
        gone = chance.sample(sorted(triples), chance.choice([0, 1, 3]))
        new = [
            Triple(n, f"n{chance.randrange(20)}", chance.choice([None, f"n{chance.randrange(30)}"]), chance.random())
            for n in [*chance.sample(gone, len(gone) // 2), *([100 + turn] if chance.random() < 0.7 else [])]
        ]
        for n in gone:
            del triples[n]
        triples |= {triple.n: triple for triple in new}
        graph = graph.changed([*gone, 10_000], new)
        anew = Graph.of(triples.values())
        assert graph.ns.tobytes() == anew.ns.tobytes() and graph.trust.tobytes() == anew.trust.tobytes()
        assert sorted(graph.titles()) == sorted(anew.titles())
        for name in chance.sample(sorted(anew.titles()), 4):
            here, there = graph.has(name), anew.has(name)
            assert here is not None and there is not None
            assert graph.degrees[here].hex() == anew.degrees[there].hex()
            ranks = [one.rank([at], DEFAULT_WEIGHTS).memories.tobytes() for one, at in ((graph, here), (anew, there))]
            assert ranks[0] == ranks[1]


TOLD = (
    Triple(1, "ada", "country", 1.0), Triple(2, "bo", "country", 1.0), Triple(3, "ada", "nara", 1.0),
    Triple(4, "ferry", "osaka", 1.0), Triple(5, "osaka", "bay", 1.0), Triple(6, "ferry", "lie", 0.0),
)  # fmt: skip


def entered(query: str, best: tuple[int, ...] = (), **weights: float) -> Entered:
    """TOLD, entered by a query whose words are as rare as in it; `best` are the memories that the text found best."""
    texts = {triple.n: f"{triple.subject} goes {triple.object}" for triple in TOLD}
    words = []
    for word in read_query(query).words:
        holding = sum(word.text in text.split() for text in texts.values())
        words += [(word, rarity(holding, len(texts)))] if holding else []
    found = [Candidate(n, texts[n], 5.0, 1.0, 0, "") for n in best]
    graph = Graph.of(TOLD)
    return enter(graph, Surfaces(graph), ByText(read_query(query), words, found), replace(DEFAULT_WEIGHTS, **weights))


def test_a_walk_begins_more_at_the_rarer_name() -> None:
    found = entered("country nara")
    assert found.titles == ("country", "nara") and found.told == ()
    assert found.best(1) == [3]
    graph = Graph.of(TOLD)
    alike = graph.rank([graph.has("country"), graph.has("nara")], DEFAULT_WEIGHTS).memories
    assert found.shares[1] < (alike / alike.max())[1]


def test_a_walk_begins_too_at_the_names_of_what_the_text_found() -> None:
    without, found = entered("nara goes"), entered("nara goes", (4,))
    assert without.share_of(4) is None and without.share_of(5) is None
    assert found.titles == ("nara",) and found.told == ("ferry", "osaka")
    assert found.share_of(5) is not None and found.share_of(3) is not None
    # What nobody trusts leads nowhere, and what is no triple is passed over.
    assert entered("nara goes", (6,)).told == ()
    assert entered("nara goes", (3, 4), graph_text_seeds=1).told == ("ada",)
    # Without weight on the text, or without a name in the query, the text begins nothing.
    assert entered("nara goes", (4,), w_fts=0.0).told == () == entered("goes", (4,)).titles
    assert not len(entered("goes", (4,)).shares)


def test_a_word_that_no_memory_holds_is_as_rare_as_the_rarest() -> None:
    rarities = {word: 2.0 if word.text == "ferry" else 0.5 for word in read_query("the ferry").words}
    assert weight_of(["ferry"], rarities) == weight_of(["boss"], rarities) == 2.0
    assert weight_of(["the", "the ferry"], rarities) == 2.5 and weight_of(["..."], {}) == 1.0
