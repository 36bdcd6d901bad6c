"""The flags of an agent's facts are right whatever was decided, and searches by them answer as searches without."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memstation import MemoryEntry, TemporalMeta
from memstation.recall import candidates, owned
from memstation.recall.owned import OwnedCache
from memstation.recall.triples import generation_of
from memstation.store.text_index import label, segment, words_in, words_of
from search_stores import found, note, triple
from test_graph_cache import History

QUERIES = (
    "alpha", "beta", "alpha beta", "beta gamma rare3", "alpha beta gamma", '"alpha beta" gamma', "書店", "店 alpha",
    "rare5", "nothing", "alpha 書店 rare3 rare5", "kept",
)  # fmt: skip


def numbers(engine: Any, cache: OwnedCache) -> list[int]:
    with engine.finder._database.reading() as conn:
        kept = cache.current(conn, "ada", generation_of(conn, "ada"), engine.clock().isoformat(), 10**9)
    return [n for n, is_fact in enumerate(kept.flags.tolist()) if is_fact]


def facts_in(engine: Any) -> list[int]:
    with engine.finder._database.reading() as conn:
        rows = conn.cursor().execute("SELECT n FROM memories WHERE agent_id = 'ada' AND role = 'fact' ORDER BY n")
        return [n for (n,) in rows]


@pytest.mark.parametrize(("turn", "most"), [(0, 2_000), (1, 2_000), (2, 2_000), (3, 1), (4, 0)])
def test_flags_are_kept_current(
    make_engine: Any, clock: Any, monkeypatch: pytest.MonkeyPatch, turn: int, most: int
) -> None:
    monkeypatch.setattr(owned, "_MOST_TOUCHED", most)
    writer, reader, cache = make_engine("one"), make_engine("one"), OwnedCache()
    history = History(writer, clock, random.Random(100 + turn))
    history.seqs.append(history.tell().seq)
    for _ in range(50):
        verb = history.step()
        # The reader is another process, as far as the store goes: it learns of writes from the file alone.
        assert numbers(reader, cache) == facts_in(reader), verb


def test_flags_are_not_read_anew_for_a_few_writes(make_engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, cache = make_engine(), OwnedCache()
    first = note(engine, "the first")
    note(engine, "the second")
    assert numbers(engine, cache) == [1, 2]
    asked: list[int] = []
    read = owned._found

    def watched(conn: Any, agent_id: str, after: int, last: int) -> Any:
        asked.append(after)
        return read(conn, agent_id, after, last)

    monkeypatch.setattr(owned, "_found", watched)
    engine.retract(first.id, reason="no")
    assert numbers(engine, cache) == [2]
    note(engine, "the third")
    assert numbers(engine, cache) == [2, 3] == numbers(engine, cache)
    assert asked == [2, 2]
    monkeypatch.setattr(owned, "_MOST_NEW", 0)
    note(engine, "the fourth")
    assert numbers(engine, cache) == [2, 3, 4]
    assert asked == [2, 2, 0]


def test_an_erasure_drops_the_flags(make_engine: Any) -> None:
    writer, reader, cache = make_engine("one"), make_engine("one"), OwnedCache()
    triple(writer, "Rosa", "city", "Nara")
    note(writer, "kept")
    assert numbers(reader, cache) == [1, 2]
    writer.forget("ada", "Rosa", phrase=writer.preview_forget("ada", "Rosa").phrase)
    assert numbers(reader, cache) == facts_in(reader) == [2]


def answers(engine: Any, agent: str) -> list[Any]:
    return [
        [(hit.memory.id, hit.score.hex(), hit.words) for hit in result] + [result.trace]
        for query in QUERIES
        for result in (engine.search(agent, query, 30, explain=True),)
    ]


def with_and_without(engine: Any, monkeypatch: pytest.MonkeyPatch, ask: Callable[[], Any]) -> tuple[Any, Any]:
    monkeypatch.setattr(owned, "KEPT_FROM", 10**9)
    without = ask()
    monkeypatch.setattr(owned, "KEPT_FROM", 0)
    kept = ask()
    assert engine.finder._owned._kept
    return kept, without


@pytest.mark.parametrize("share", [0.02, 0.5, 0.98])
def test_a_search_by_flags_answers_as_one_without(
    make_engine: Any, monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    monkeypatch.setattr(candidates, "MOST_HITS", 15)
    monkeypatch.setattr(candidates, "ENOUGH", 5)
    engine, chance = make_engine(), random.Random(1)
    items = []
    for n in range(240):
        words = [word for word, often in (("alpha", 0.8), ("beta", 0.5), ("gamma", 0.2)) if chance.random() < often]
        text = " ".join([*words, f"rare{chance.randrange(40)}", "書店" if chance.random() < 0.3 else "", str(n)])
        origin = "channel:x" if chance.random() < 0.1 else "operator"
        items.append((MemoryEntry("ada" if chance.random() < share else "bo", text), TemporalMeta(origin=origin)))
    engine.store_many(items)
    for agent in ("ada", "bo"):
        kept, without = with_and_without(engine, monkeypatch, lambda agent=agent: answers(engine, agent))
        assert kept == without
        assert any(len(answer) > 1 for answer in kept)


def test_hits_of_others_do_not_hide_the_few_of_an_agent(make_engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "MOST_HITS", 10)
    engine = make_engine()
    for n in range(12):
        note(engine, f"alpha of ada {n}")
    engine.store_many([(MemoryEntry("bo", f"alpha of bo {n}"), None) for n in range(400)])
    kept, without = with_and_without(engine, monkeypatch, lambda: found(engine, "alpha"))
    assert kept == without == [f"alpha of ada {n}" for n in range(11, 1, -1)]


@pytest.mark.parametrize("kept_from", [0, 10**9])
def test_the_labels_of_agents_are_no_words(make_engine: Any, monkeypatch: pytest.MonkeyPatch, kept_from: int) -> None:
    monkeypatch.setattr(owned, "KEPT_FROM", kept_from)
    engine, secret = make_engine(), label("ada", "fact")
    note(engine, "nothing of it")
    assert engine.search("ada", secret, explain=True).trace.found == 0
    note(engine, f"somebody says {secret}")
    for query in (secret, f'"{secret}"', f"says {secret}"):
        result = engine.search("ada", query, explain=True)
        assert [hit.memory.content for hit in result] == [f"somebody says {secret}"] and result.trace.found == 1


@given(st.text(st.one_of(st.characters(), st.sampled_from("aZ 9é書店\u3130\ua97dカな한\u0301_-\n"))))
def test_words_are_those_of_the_segmented_text(text: str) -> None:
    assert words_in(text) == words_of(segment(text))
