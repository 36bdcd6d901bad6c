"""Text search: any input is safe, any script is found, and nothing but what holds now of one agent is answered."""

from __future__ import annotations

from typing import Any

import pytest
from memstation.domain.errors import InvalidInput
from search_stores import found, note, triple

MAP = ("up-to-date map", "ferry on 2026-07-19", "Rosa can't swim", "C++ and lib/core", "phase: done", "plain")
SCRIPTS = (
    "器材列表 NAS zx-9", "订单退款流程说明", "陽台上有一隻貓", "배송지연안내", "東京駅で待つ", "Zoë Brontë",
    "Наташа печёт хлеб", "قهوة عربية", "currency note",
)  # fmt: skip


@pytest.mark.parametrize(
    ("query", "hits"),
    [
        ("up-to-date", [0]), ("2026-07-19", [1]), ("can't", [2]), ("C++", [3]), ("lib/core", [3]), ("phase:", [4]),
        ("phase: done", [4]), ("-plain", [5]), ("^plain", [5]), ("NEAR", []), ("AND", [3]), ("done OR", [4]),
        ("li*", []), ("(done", [4]), ('"done', [4]), ("title:x", []), ("NOT done", [4]), ("", []), ("   ", []),
        ('"', []), ('""', []), ("***", []), ("()", []), ("：", []), ("\u200b", []), ("\ud800", []), ("a\0b", []),
        ('"on ferry"', []), ('"ferry on"', [1]), ("on ferry", [1]), ('plain "done"', [4]),
    ],
)  # fmt: skip
def test_what_is_typed_is_never_syntax(engine: Any, query: str, hits: list[int]) -> None:
    for text in MAP:
        note(engine, text)
    assert found(engine, query) == [MAP[place] for place in hits]


@pytest.mark.parametrize(
    ("query", "hits"),
    [
        ("器材", [0]), ("列表", [0]), ("退款", [1]), ("订单退款", [1]), ("貓", [2]), ("送付", []), ("배송", [3]),
        ("지연", [3]), ("東京", [4]), ("NAS", [0]), ("zx", [0]), ("zoe", [5]), ("Zoë", [5]), ("bronte", [5]),
        ("наташа", [6]), ("печет", [6]), ("قهوة", [7]), ("ency", []), ("訂單", [1]), ("退款說明", [1]), ("猫", [2]),
        ("阳台", [2]), ("ＮＡＳ", [0]), ("东京", [4]), ('"器材列表 NAS"', [0]), ('"列表器材"', []), ('"貓"', [2]),
    ],
)  # fmt: skip
def test_every_script_is_found(engine: Any, query: str, hits: list[int]) -> None:
    for text in SCRIPTS:
        note(engine, text)
    assert found(engine, query) == [SCRIPTS[place] for place in hits]


def test_a_very_long_query_is_answered(engine: Any) -> None:
    note(engine, "the ferry leaves at nine")
    result = engine.search("ada", "ferry " + "x" * 100_000, explain=True)
    assert len(result) == 1 and result.trace.unread == 1
    many = engine.search("ada", "ferry " + " ".join(f"w{n}" for n in range(100)), explain=True)
    assert len(many) == 1 and many.trace.unread == 69


@pytest.mark.parametrize("limit", [0, -1, 1001, True, 2.5, None])
def test_a_limit_out_of_range_is_refused(engine: Any, limit: Any) -> None:
    with pytest.raises(InvalidInput):
        engine.search("ada", "x", limit)


def test_an_agent_is_asked_exactly(engine: Any) -> None:
    note(engine, "shared words here")
    note(engine, "shared words there", agent="ada2")
    note(engine, "shared words too", agent="Ada")
    assert found(engine, "shared words") == ["shared words here"]
    for agent in ("ad", "ada%", "ad*", "nobody"):
        assert found(engine, "shared", agent=agent) == []


def test_only_what_holds_is_answered(engine: Any, clock: Any) -> None:
    triple(engine, "user", "city", "Nara", valid_from="2026-01-01")
    triple(engine, "user", "city", "Osaka", valid_from="2026-03-01")
    triple(engine, "user", "city", "Kyoto", valid_from="2026-12-01")
    triple(engine, "user", "pet", "cat", layer="semantic")
    lie = triple(engine, "user", "job", "spy")
    engine.retract(lie.id, reason="a lie")
    held = triple(engine, "user", "city", "Atlantis", origin="channel:x", valid_from="2026-08-01")
    assert held.status == "held"
    assert sorted(found(engine, "user")) == ["user city Osaka", "user pet cat"]
    assert found(engine, "Nara Kyoto spy Atlantis") == []
    assert sorted(found(engine, "user", at="2026-02-01")) == ["user city Nara"]
    assert sorted(found(engine, "user", at="2026-12-05")) == ["user city Kyoto", "user pet cat"]
    clock.advance(days=120)
    assert sorted(found(engine, "user")) == ["user city Kyoto", "user pet cat"]
    layered = engine.search_layer("ada", "semantic", "user")
    assert [hit.memory.object for hit in layered] == ["cat"]
    with pytest.raises(InvalidInput):
        engine.search_layer("ada", "other", "user")


def test_what_was_believed_is_searched_as_it_was(engine: Any, clock: Any) -> None:
    first = triple(engine, "user", "city", "Nara", valid_from="2026-01-01")
    lie = triple(engine, "user", "city", "Atlantis", valid_from="2026-02-01", origin_trust=0.7)
    clock.advance(days=1)
    engine.retract(lie.id, reason="a lie")
    held = triple(engine, "user", "city", "Lemuria", origin="channel:x", valid_from="2026-03-01")
    clock.advance(hours=1)
    approved = engine.approve([held.id])
    assert found(engine, "city", known_at=first.seq) == ["user city Nara"]
    assert found(engine, "city", known_at=lie.seq) == ["user city Atlantis"]
    assert found(engine, "Nara", known_at=lie.seq) == [] == found(engine, "Atlantis")
    assert found(engine, "Nara", known_at=lie.seq, at="2026-01-05") == ["user city Nara"]
    assert found(engine, "city", known_at=held.seq) == ["user city Nara"]
    assert found(engine, "Lemuria", known_at=held.seq) == []
    assert found(engine, "city", known_at=approved.seq) == ["user city Lemuria"] == found(engine, "city")
    assert found(engine, "city", known_at=0) == []
    hit = engine.search("ada", "city", known_at=lie.seq)[0]
    assert hit.memory.origin_trust == 0.7 and hit.memory.valid_until is None and hit.memory.role == "fact"


def test_the_trace_says_how_the_hits_were_come_by(engine: Any) -> None:
    triple(engine, "user", "city", "Nara", valid_from="2026-01-01")
    triple(engine, "user", "city", "Osaka", valid_from="2026-03-01")
    triple(engine, "user", "city", "Kyoto", valid_from="2026-12-01")
    triple(engine, "user", "city", "Atlantis", origin="channel:x", valid_from="2026-08-01")
    for lie in ("Lemuria", "Mu"):
        engine.retract(triple(engine, "user", "city", lie, valid_from="2026-03-02").id)
    result = engine.search("ada", "the city unheard", explain=True)
    assert [hit.memory.object for hit in result] == ["Osaka"] and result[0].words == ("city",)
    trace = result.trace
    assert (trace.words, trace.missing, trace.common) == (("the", "city", "unheard"), ("the", "unheard"), ())
    assert (trace.found, trace.ranked) == (3, 1)
    assert trace.dropped == {"closed": 1, "held": 1, "scheduled": 1, "withdrawn": 2}
    assert not {"held", "withdrawn"} & engine.search("ada", "city", explain=True, as_agent=True).trace.dropped.keys()
    assert engine.search("ada", "city").trace is None


@pytest.mark.parametrize("query", ["city Atlantis Nara", '"Atlantis" city', "Atlantis"])
def test_an_agent_is_told_of_the_past_nothing_that_it_was_not_told_then(engine: Any, query: str) -> None:
    triple(engine, "user", "city", "Nara")
    held = triple(engine, "user", "city", "Atlantis", origin="channel:x")
    assert held.status == "held"
    trace = engine.search("ada", query, known_at=held.seq, explain=True, as_agent=True).trace
    assert "Atlantis".casefold() in {word.casefold() for word in trace.missing}
    assert not trace.dropped and trace.found == trace.ranked <= 1
    everything = engine.search("ada", query, known_at=held.seq, explain=True).trace
    assert not everything.missing and everything.found >= 1


def test_of_a_word_in_very_many_memories_the_newest_are_looked_at(engine: Any, monkeypatch: Any) -> None:
    from memstation.recall import candidates

    monkeypatch.setattr(candidates, "MOST_HITS", 20)
    engine.store_many([_entry(f"alpha beta number{n}" if n == 3 else f"alpha number{n}") for n in range(60)])
    result = engine.search("ada", "alpha", 100, explain=True)
    assert result.trace.common == ("alpha",)
    assert sorted(hit.memory.content for hit in result) == sorted(f"alpha number{n}" for n in range(40, 60))
    both = engine.search("ada", "alpha beta", explain=True)
    assert both[0].memory.content == "alpha beta number3" and both[0].words == ("alpha", "beta")


def test_one_rare_word_says_more_than_many_usual_ones(engine: Any) -> None:
    for number in range(12):
        note(engine, f"who was the first of them, number{number}")
        note(engine, f"plain number{number}")
        note(engine, f"other number{number}")
    note(engine, "a waterfall near a small camp")
    assert found(engine, "who was the first of the waterfall", 1) == ["a waterfall near a small camp"]


def _entry(text: str) -> Any:
    from memstation import MemoryEntry

    return MemoryEntry("ada", text), None
