"""What `store_temporal` and `store_many` answer, and what they leave in the store."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from memstation import MemoryEntry, TemporalMeta
from memstation.domain.errors import InvalidInput, Refused

from engine_facts import saying, tell, timeline, value_at


def test_the_first_fact_is_stored_and_starts_now(engine: Any, clock: Any) -> None:
    outcome = tell(engine, "Nara")
    assert (outcome.status, outcome.closed, outcome.leaves_gap, outcome.reason) == ("stored", (), None, "")
    [record] = engine.get_history("ada", "user", "city")
    assert record.id == outcome.id and record.seq == outcome.seq == 1
    assert (record.valid_from, record.valid_until) == (clock.now, None)
    assert (record.state, record.role, record.quarantined) == ("current", "fact", False)
    assert record.ingested_at == record.created_at == clock.now


def test_a_record_has_what_was_told(engine: Any) -> None:
    source = tell(engine, "Kobe", "2026-01-01", subject="other", origin="user_direct")
    outcome = tell(
        engine, "Nara", "2026-03-03", content="moved to Nara", tags=("place", "two, words"), layer="semantic",
        importance=7.5, confidence=0.8, source_event="chat 7", origin="agent_derived:notes", origin_trust=0.4,
        derived_from=(source.id,), metadata={"page": 3, "who": "老闆", "none": None}, id="my-own-id",
    )  # fmt: skip
    assert outcome.id == "my-own-id"
    [record] = engine.get_history("ada", "user", "city")
    assert record.id == "my-own-id"
    assert (record.agent_id, record.subject, record.predicate, record.object) == (
        "ada",
        "user",
        "city",
        "Nara",
    )
    assert (record.content, record.tags, record.layer) == (
        "moved to Nara",
        ("place", "two, words"),
        "semantic",
    )
    assert (record.importance, record.confidence, record.source_event) == (7.5, 0.8, "chat 7")
    assert (record.origin, record.origin_trust) == ("agent_derived:notes", 0.4)
    assert record.derived_from == (source.id,)
    assert dict(record.metadata) == {"page": 3, "who": "老闆", "none": None}
    assert record.valid_from == record.asserted_from == datetime(2026, 3, 3, tzinfo=UTC)
    assert record.asserted_until is None and record.asserted_trust == 0.4


def test_the_event_of_the_entry_stands_in_for_a_missing_one(engine: Any) -> None:
    tell(engine, "Nara", entry_event="from the entry")
    tell(engine, "x", predicate="other", entry_event="from the entry", source_event="from the meta")
    assert engine.get_history("ada", "user", "city")[0].source_event == "from the entry"
    assert engine.get_history("ada", "user", "other")[0].source_event == "from the meta"


def test_a_newer_value_supersedes(engine: Any, clock: Any) -> None:
    old = tell(engine, "Vercel", "2026-01-01")
    new = tell(engine, "Cloudflare", "2026-03-03", source_event="deploy log")
    assert (new.status, new.closed, new.leaves_gap) == ("superseded", (old.id,), None)
    first, second = engine.get_history("ada", "user", "city")
    assert (first.superseded_by, second.supersedes) == (new.id, old.id)
    assert (first.supersedes, second.superseded_by) == (None, None)
    assert first.valid_until == second.valid_from == datetime(2026, 3, 3, tzinfo=UTC)
    assert (first.invalidated_by_event, first.invalidated_at) == ("deploy log", clock.now)
    assert (second.invalidated_by_event, second.invalidated_at) == (None, None)
    assert (first.state, second.state) == ("closed", "current")


def test_a_repeat_reaffirms_and_answers_with_the_fact(engine: Any, clock: Any) -> None:
    fact = tell(engine, "Nara", "2026-01-01", source_event="one")
    clock.advance(days=1)
    again = tell(engine, "Nara", "2026-03-01", source_event="two", origin="channel:x")
    assert (again.id, again.status, again.closed) == (fact.id, "reaffirmed", ())
    [record] = engine.get_history("ada", "user", "city")
    assert (record.id, record.valid_from, record.valid_until) == (
        fact.id,
        datetime(2026, 1, 1, tzinfo=UTC),
        None,
    )
    [told] = record.reaffirmed_by
    assert (told.source_event, told.origin, told.at) == ("two", "channel:x", clock.now)
    assert record.access_count == 1


def test_an_earlier_repeat_moves_the_window_and_nothing_else(engine: Any) -> None:
    fact = tell(engine, "Nara", "2026-03-01", importance=8, origin="agent_derived")
    twin = tell(engine, "Nara", "2026-01-01", importance=1, origin="channel:x")
    assert (twin.id, twin.status, twin.closed) == (fact.id, "reaffirmed", ())
    [record] = engine.get_history("ada", "user", "city")
    assert (record.id, record.importance, record.origin) == (fact.id, 8, "agent_derived")
    assert record.origin_trust == 0.6
    assert record.valid_from == datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("origin", "trust"),
    [
        ("operator", 1.0), ("user_direct:ana", 1.0), ("import:old", 0.7),
        ("agent_derived", 0.3), ("tool_echo", 0.3), ("mcp_external", 0.3), ("channel:b", 0.3), (None, 0.3),
    ],
)  # fmt: skip
def test_only_a_corroborating_class_raises_trust(engine: Any, origin: str | None, trust: float) -> None:
    tell(engine, "Nara", "2026-01-01", origin="channel:a")
    tell(engine, "Nara", "2026-02-01", origin=origin)
    [record] = engine.get_history("ada", "user", "city")
    assert record.origin_trust == trust
    assert record.asserted_trust == 0.3


def test_an_older_fact_is_historical_and_disturbs_nothing(engine: Any) -> None:
    now = tell(engine, "Nara", "2026-03-01")
    old = tell(engine, "Osaka", "2026-01-01")
    assert (old.status, old.closed, old.leaves_gap) == ("historical", (), None)
    assert timeline(engine) == [("Osaka", "2026-01-01", "2026-03-01"), ("Nara", "2026-03-01", None)]
    assert engine.get_history("ada", "user", "city")[1].id == now.id


def test_a_future_fact_is_scheduled(engine: Any, clock: Any) -> None:
    free = tell(engine, "free", "2026-01-01")
    pro = tell(engine, "pro", "2026-10-01")
    assert (pro.status, pro.closed) == ("scheduled", (free.id,))
    assert [r.state for r in engine.get_history("ada", "user", "city")] == ["current", "scheduled"]
    clock.advance(days=31)
    assert [r.state for r in engine.get_history("ada", "user", "city")] == ["closed", "current"]


def test_a_bounded_fact_inside_an_open_one_leaves_a_gap_and_says_so(engine: Any) -> None:
    home = tell(engine, "Nara", "2026-01-01")
    trip = tell(engine, "Kobe", "2026-03-03", "2026-03-05")
    assert trip.closed == (home.id,)
    assert trip.leaves_gap == datetime(2026, 3, 5, tzinfo=UTC)
    assert timeline(engine) == [
        ("Nara", "2026-01-01", "2026-03-03"),
        ("Kobe", "2026-03-03", "2026-03-05"),
    ]
    assert value_at(engine, "2026-03-05") is None


def test_a_bounded_fact_up_to_the_next_one_leaves_no_gap(engine: Any) -> None:
    tell(engine, "Nara", "2026-01-01")
    tell(engine, "Kyoto", "2026-03-05")
    trip = tell(engine, "Kobe", "2026-03-03", "2026-03-05")
    assert trip.leaves_gap is None


def test_a_first_bounded_fact_leaves_no_gap_where_nothing_held(engine: Any) -> None:
    assert tell(engine, "Kobe", "2026-03-03", "2026-03-05").leaves_gap is None


def test_a_memory_without_subject_or_predicate_is_a_note(engine: Any) -> None:
    first = engine.store_temporal(MemoryEntry("ada", "it rained"))
    second = engine.store_temporal(MemoryEntry("ada", "it rained"), TemporalMeta(subject="weather"))
    third = engine.store_temporal(MemoryEntry("ada", "it rained"), TemporalMeta(predicate="weather"))
    fourth = engine.store_temporal(
        MemoryEntry("ada", "it rained"), TemporalMeta(subject=" \u3000", predicate="weather")
    )
    outcomes = [first, second, third, fourth]
    assert [o.status for o in outcomes] == ["stored"] * 4
    assert len({o.id for o in outcomes}) == 4
    assert {r.id for r in engine.list_recent("ada", limit=10)} == {o.id for o in outcomes}
    assert all(r.valid_until is None for r in engine.list_recent("ada", limit=10))


def test_a_fact_may_have_no_object(engine: Any) -> None:
    first = tell(engine, None, "2026-01-01", content="lives by the sea")
    again = tell(engine, None, "2026-02-01", content="lives by  the sea")
    other = tell(engine, None, "2026-03-01", content="lives in the hills")
    assert again.id == first.id
    assert (other.status, other.closed) == ("superseded", (first.id,))


def test_other_wording_with_the_same_object_is_a_new_fact(engine: Any) -> None:
    first = tell(engine, "Nara", "2026-01-01", content="lives in Nara")
    second = tell(engine, "Nara", "2026-02-01", content="lives in Nara, by the park")
    assert (second.status, second.closed) == ("superseded", (first.id,))


def test_trust_is_under_the_ceiling_and_the_weakest_source(engine: Any) -> None:
    weak = tell(engine, "a", predicate="p1", origin="channel:x")
    strong = tell(engine, "b", predicate="p2", origin="user_direct")
    cases = [
        ({"origin": "channel:x", "origin_trust": 0.9}, 0.3),
        ({"origin": "channel:x", "origin_trust": 0.2}, 0.2),
        ({"origin": None}, 0.3),
        ({"origin": "agent_derived"}, 0.6),
        ({"origin": "agent_derived", "derived_from": (strong.id,)}, 0.6),
        ({"origin": "agent_derived", "derived_from": (strong.id, weak.id)}, 0.3),
        ({"origin": "agent_derived", "derived_from": (strong.id, "nobody")}, 0.0),
        ({"origin": "operator", "derived_from": (weak.id,)}, 1.0),
    ]
    for number, (meta, trust) in enumerate(cases):
        tell(engine, "x", predicate=f"case {number}", **meta)
        assert engine.get_history("ada", "user", f"case {number}")[0].origin_trust == trust, meta


def test_a_source_of_another_agent_is_unknown(engine: Any) -> None:
    foreign = tell(engine, "a", agent="bo", origin="user_direct")
    tell(engine, "x", origin="agent_derived", derived_from=(foreign.id,))
    assert engine.get_history("ada", "user", "city")[0].origin_trust == 0.0


def test_a_clock_that_steps_back_hides_nothing(engine: Any, clock: Any) -> None:
    tell(engine, "first")
    clock.advance(minutes=-5)
    second = tell(engine, "second")
    assert second.status == "superseded"
    assert value_at(engine, clock.now + timedelta(minutes=5)) == "second"
    assert [r.object for r in engine.list_recent("ada", limit=5)] == ["second"]
    assert [r.state for r in engine.get_history("ada", "user", "city")] == ["closed", "current"]


def test_two_values_at_one_instant_are_told_apart_by_their_order(engine: Any) -> None:
    outcomes = engine.store_many([saying("first"), saying("second")])
    assert outcomes[1].status == "superseded"
    assert outcomes[1].closed == (outcomes[0].id,)
    first, second = engine.get_history("ada", "user", "city")
    assert (first.object, second.object) == ("first", "second")
    assert first.valid_from == first.valid_until == second.valid_from
    assert (first.superseded_by, second.supersedes) == (second.id, first.id)


def test_a_batch_is_one_decision_with_an_outcome_each(engine: Any) -> None:
    outcomes = engine.store_many(
        [
            saying("Kyoto", "2026-02-01"),
            saying("Osaka", "2026-01-01"),
            saying("Kyoto", "2026-03-01"),
            saying("Nara", "2026-04-01"),
            saying("Nara", "2026-12-01", predicate="plan"),
        ]
    )
    kyoto, osaka, repeat, nara, plan = outcomes
    # What became of each once the whole batch was told: Kyoto has been superseded within it.
    statuses = ["historical", "historical", "reaffirmed", "superseded", "scheduled"]
    assert [o.status for o in outcomes] == statuses
    assert repeat.id == kyoto.id and nara.closed == (kyoto.id,)
    assert len({o.id for o in (kyoto, osaka, nara, plan)}) == 4
    assert {o.seq for o in outcomes} == {1}
    assert len(engine.journal()) == 1


def test_an_empty_batch_writes_nothing(engine: Any) -> None:
    assert engine.store_many([]) == []
    assert len(engine.journal()) == 0


BAD_ITEMS = {
    "reversed window": {"since": "2026-02-02", "until": "2026-01-01"},
    "no time": {"since": "soon"},
    "an end that has passed, and no start": {"until": "2026-08-01"},
    "no agent": {"agent": ""},
    "no text": {"subject": 7},
}


@pytest.mark.parametrize("case", BAD_ITEMS)
def test_a_batch_with_one_bad_item_names_it_and_writes_nothing(engine: Any, case: str) -> None:
    before = engine.state_digest()
    items = [saying(f"v{n}", "2026-01-01", predicate=f"p{n}") for n in range(50)]
    items[37] = saying("bad", **BAD_ITEMS[case])
    with pytest.raises(InvalidInput, match=r"\b37\b"):
        engine.store_many(items)
    assert engine.state_digest() == before
    assert len(engine.journal()) == 0


NOW = datetime(2026, 9, 1, tzinfo=UTC)
WRONG: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "end before start": ({}, {"valid_from": "2025-05-01", "valid_until": "2019-05-01"}),
    "end at start": ({}, {"valid_from": "2025-05-01", "valid_until": "2025-05-01T00:00:00Z"}),
    "end at start in another zone": (
        {},
        {"valid_from": "2025-05-01T02:00:00+02:00", "valid_until": "2025-05-01"},
    ),
    "end in the past without a start": ({}, {"valid_until": "2026-08-31"}),
    "end now without a start": ({}, {"valid_until": NOW}),
    "start is no time": ({}, {"valid_from": "yesterday"}),
    "end is no time": ({}, {"valid_from": "2026-01-01", "valid_until": "later"}),
    "start is a number": ({}, {"valid_from": 1767225600}),
    "start is empty": ({}, {"valid_from": ""}),
    "year 10000": ({}, {"valid_from": "10000-01-01"}),
    "no agent": ({"agent_id": ""}, {}),
    "blank agent": ({"agent_id": "  "}, {}),
    "agent is not text": ({"agent_id": 7}, {}),
    "content is not text": ({"content": None}, {}),
    "subject is not text": ({}, {"subject": 7}),
    "object is not text": ({}, {"object": ["Nara"]}),
    "unknown layer": ({"layer": "dreams"}, {}),
    "importance above 10": ({"importance": 10.5}, {}),
    "importance below 0": ({"importance": -1}, {}),
    "importance is no number": ({"importance": float("nan")}, {}),
    "importance is text": ({"importance": "high"}, {}),
    "confidence above 1": ({}, {"confidence": 1.01}),
    "confidence is no number": ({}, {"confidence": float("nan")}),
    "trust above 1": ({}, {"origin_trust": 2}),
    "trust below 0": ({}, {"origin_trust": -0.1}),
    "tags are one text": ({"tags": "work"}, {}),
    "a tag is not text": ({"tags": ["work", 7]}, {}),
    "sources are one text": ({}, {"derived_from": "m_1"}),
    "metadata is no object": ({}, {"metadata": [1]}),
    "metadata is no JSON": ({}, {"metadata": {"when": object()}}),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_is_refused_with_a_reason_and_writes_nothing(engine: Any, case: str) -> None:
    entry_fields, meta_fields = WRONG[case]
    entry = MemoryEntry(**{"agent_id": "ada", "content": "x", **entry_fields})
    meta = TemporalMeta(**{"subject": "user", "predicate": "city", "object": "x", **meta_fields})
    before = engine.state_digest()
    with pytest.raises(InvalidInput) as caught:
        engine.store_temporal(entry, meta)
    assert caught.value.title
    assert "sqlite" not in str(caught.value).lower() and "SELECT" not in str(caught.value)
    with pytest.raises(InvalidInput):
        engine.store_many([saying("good", "2026-01-01"), (entry, meta)])
    assert engine.state_digest() == before
    assert len(engine.journal()) == 0


def test_an_id_that_is_taken_is_refused(engine: Any) -> None:
    tell(engine, "Nara", id="mine")
    for agent in ("ada", "bo"):
        with pytest.raises((InvalidInput, Refused)):
            tell(engine, "Osaka", id="mine", agent=agent)
    with pytest.raises((InvalidInput, Refused)):
        engine.store_many([saying("a", id="twice"), saying("b", id="twice")])
    assert len(engine.journal()) == 1


@pytest.mark.parametrize(
    "start",
    [
        "2026-03-03",
        "2026-03-03 00:00",
        date(2026, 3, 3),
        datetime(2026, 3, 3),
        datetime(2026, 3, 3, tzinfo=UTC),
        datetime(2026, 3, 3, 8, tzinfo=timezone(timedelta(hours=8))),
    ],
)
def test_every_spelling_of_a_time_is_taken(engine: Any, start: Any) -> None:
    tell(engine, "Nara", start)
    [record] = engine.get_history("ada", "user", "city")
    assert record.valid_from == datetime(2026, 3, 3, tzinfo=UTC)
    assert record.valid_from.tzinfo is not None and record.valid_from.utcoffset() == timedelta(0)
    for at in (start, "2026-03-03T00:00:00Z"):
        assert value_at(engine, at) == "Nara"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("ok \ud83d end", "ok \ufffd end"),
        ("low \udc00", "low \ufffd"),
        ("nul \x00 after", "nul \ufffd after"),
        ("\ud83d\ude00", None),
    ],
)
def test_half_characters_and_nul_are_repaired_and_it_is_said(engine: Any, given: str, kept: str | None) -> None:
    entry, meta = saying(given, content=given, tags=(given,), subject=f"s {given}", predicate=f"p {given}")
    outcome = engine.store_temporal(entry, meta)
    [record] = engine.list_recent("ada", limit=5)
    if kept is None:  # a surrogate pair: the whole character, or two repaired halves; never a half
        assert not any(0xD800 <= ord(c) <= 0xDFFF for c in record.content)
        return
    assert (record.content, record.object, record.tags) == (kept, kept, (kept,))
    assert (record.subject, record.predicate) == (f"s {kept}", f"p {kept}")
    assert "repair" in outcome.reason
    assert tell(engine, "plain", predicate="plain").reason == ""
