"""What agents and the API are answered: windows, scope, fetches by id, histories."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from memstation.domain.errors import InvalidInput
from read_stores import START, Store, open_store
from test_read_belief import tell_random

from engine_histories import DAYS, EPOCH

AGENTS = ("tide", "tide-pool", "tide_pool", "tideXpool", "ti%", "Tide", "tide*", "潮")


def at(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-{text}").replace(tzinfo=UTC)


def test_a_record_has_every_column_with_aware_instants(store: Store) -> None:
    parent = store.tell("Nara", "01-01")
    store.advance(hours=1)
    told = store.tell(
        "Osaka", "02-01", "05-01", origin="channel:line/7", asserted_trust=0.3, tags=("a", "b"), layer="semantic",
        importance=7.0, confidence=0.5, source_event="chat", metadata='{"k": [1]}', derived_from=(parent, "unknown"),
    )  # fmt: skip
    record = store.reader.get_at("dudu", "user", "city", at("03-01"))
    assert record is not None
    assert (record.id, record.agent_id, record.object) == (told, "dudu", "Osaka")
    assert (record.subject, record.predicate, record.content) == ("user", "city", "user city Osaka")
    assert (record.tags, record.layer, record.importance, record.confidence) == (("a", "b"), "semantic", 7.0, 0.5)
    assert (record.source_event, record.metadata) == ("chat", {"k": [1]})
    assert (record.derived_from, record.origin, record.origin_trust) == ((parent, "unknown"), "channel:line/7", 0.3)
    assert (record.valid_from, record.valid_until) == (at("02-01"), at("05-01"))
    assert (record.asserted_from, record.asserted_until) == (at("02-01"), at("05-01"))
    assert (record.timestamp, record.created_at, record.ingested_at) == (store.now,) * 3
    assert (record.superseded_by, record.supersedes) == (None, parent)
    assert (record.n, record.seq, record.role, record.state) == (2, 2, "fact", "current")
    assert (record.quarantined, record.access_count, record.last_accessed) == (False, 0, None)
    assert (record.invalidated_at, record.invalidated_by_event) == (None, None)
    assert record.valid_from.tzinfo is not None


def test_what_another_program_left_in_json_columns_counts_as_empty(store: Store) -> None:
    store.tell("Nara", "01-01", metadata="not json")
    record = store.reader.get_at("dudu", "user", "city", at("03-01"))
    assert record is not None and record.metadata == {}


@pytest.mark.parametrize(("moment", "value"), [
    ("01-01T00:00:00", "Nara"), ("01-31T23:59:59.999999", "Nara"), ("02-01T00:00:00", "Osaka"),
    ("02-09T23:59:59.999999", "Osaka"), ("02-10T00:00:00", None), ("03-01", "Kobe"),
])  # fmt: skip
def test_windows_do_not_include_their_end(store: Store, moment: str, value: str | None) -> None:
    store.tell("Nara", "01-01")
    store.tell("Osaka", "02-01", "02-10")
    store.tell("Kobe", "03-01")
    record = store.reader.get_at("dudu", "user", "city", at(moment))
    assert (record and record.object) == value


def test_names_are_folded_and_a_date_is_its_first_instant(store: Store) -> None:
    store.tell("Nara", "01-01")
    found = store.reader.get_at("dudu", " ＵＳＥＲ ", "City", "2026-01-01")
    assert found is not None and found.object == "Nara"


def test_state_is_by_the_present_and_not_by_the_instant_asked_for(store: Store) -> None:
    store.tell("Nara", "01-01")
    store.tell("Osaka", "05-01")
    assert store.reader.get_at("dudu", "user", "city", at("06-01")).state == "scheduled"
    store.now = at("05-02T00:00:00")
    assert store.reader.get_at("dudu", "user", "city", at("06-01")).state == "current"
    assert store.reader.get_at("dudu", "user", "city", at("02-01")).state == "closed"


def test_a_clock_that_steps_back_hides_nothing(store: Store) -> None:
    store.tell("Nara")
    store.advance(seconds=-30)
    assert [r.object for r in store.reader.list_recent("dudu", 10)] == ["Nara"]


def test_of_claims_with_one_start_the_later_told_holds(store: Store) -> None:
    for value in ("Nara", "Osaka", "Nara", "Kobe"):
        store.tell(value, "01-01")
    assert store.reader.get_at("dudu", "user", "city", at("01-01")).object == "Kobe"
    history = store.reader.get_history("dudu", "user", "city")
    assert [(r.object, r.valid_from == r.valid_until) for r in history] == [
        ("Nara", True), ("Osaka", True), ("Nara", True), ("Kobe", False),
    ]  # fmt: skip


def test_evidence_goes_to_the_segment_that_it_confirms(store: Store) -> None:
    store.tell("Nara", "01-01", source_event="a")
    store.tell("Nara", "02-01", source_event="b")
    store.tell("Osaka", "02-01", source_event="c")
    store.tell("Osaka", "02-01", source_event="d")
    store.tell("Osaka", "02-02", source_event="e", origin="channel:x")
    store.tell("Nara", "03-01", source_event="f")
    history = store.reader.get_history("dudu", "user", "city")
    told = [(r.object, [c.source_event for c in r.reaffirmed_by]) for r in history]
    assert told == [("Nara", ["b"]), ("Osaka", ["e", "d"]), ("Nara", [])]
    for record in history:
        assert store.reader.get_at("dudu", "user", "city", record.valid_from) == record
    newest = history[1].reaffirmed_by[0]
    assert (newest.origin, newest.at, newest.said_from) == ("channel:x", START, at("02-02"))


def test_an_earlier_twin_is_evidence_for_the_row_told_first(store: Store) -> None:
    first = store.tell("Nara", "03-01")
    twin = store.tell("Nara", "01-01")
    record = store.reader.get_at("dudu", "user", "city", at("02-01"))
    assert (record.id, record.valid_from, [c.id for c in record.reaffirmed_by]) == (first, at("01-01"), [twin])
    [same] = store.reader.get_history("dudu", "user", "city")
    assert same == record


def test_the_newest_twenty_confirmations_are_carried(store: Store) -> None:
    for number in range(30):
        store.tell("Nara", f"01-{number + 1:02d}", source_event=f"e{number}")
    record = store.reader.get_at("dudu", "user", "city", at("03-01"))
    assert [c.source_event for c in record.reaffirmed_by] == [f"e{n}" for n in range(29, 9, -1)]
    assert store.reader.get_history("dudu", "user", "city") == [record]


def test_many_values_hold_side_by_side(store: Store) -> None:
    for value, start, until in (("ja", "01-01", None), ("en", "01-05", None), ("fr", "01-03", "01-10")):
        store.tell(value, start, until)
    store.tell(None, "01-04", content="a language of birds")
    store.many(" City")
    reader = store.reader

    def holding(moment: str) -> list[str]:
        return [r.object or r.content for r in reader.holding_at("dudu", "user", "city", at(moment))]

    assert holding("01-02") == ["ja"]
    assert holding("01-06") == ["en", "a language of birds", "fr", "ja"]
    assert holding("01-10") == ["en", "a language of birds", "ja"]
    assert reader.get_at("dudu", "user", "city", at("01-06")).object == "en"
    assert reader.get_at("dudu", "user", "city", at("01-06"), object=" FR").object == "fr"
    assert reader.get_at("dudu", "user", "city", at("01-10"), object="fr") is None
    assert reader.get_at("dudu", "user", "city", at("01-06"), object="de") is None
    birds = reader.get_at("dudu", "user", "city", at("01-06"), object="A language  of birds")
    assert birds is not None and birds.object is None
    assert reader.get_at("dudu", "user", "city", at("01-06"), object="  ").object == "en"


def test_an_object_on_a_predicate_of_one_value_asks_whether_it_holds(store: Store) -> None:
    store.tell("Nara", "01-01")
    store.tell("Osaka", "02-01")
    asked = [store.reader.get_at("dudu", "user", "city", at("01-05"), object=value) for value in ("nara", "Osaka")]
    assert [record and record.object for record in asked] == ["Nara", None]


def test_the_own_rule_goes_before_the_rule_for_all(store: Store) -> None:
    for agent in ("dudu", "agnes"):
        store.tell("ja", "01-01", agent_id=agent)
        store.tell("en", "01-05", agent_id=agent)
    store.many(agent="*")
    store.many(agent="agnes", verdict="one")
    counts = [len(store.reader.holding_at(agent, "user", "city", at("02-01"))) for agent in ("dudu", "agnes")]
    assert counts == [2, 1]


def test_held_ones_only_on_demand_and_withdrawn_ones_with_stamps(store: Store) -> None:
    store.tell("Nara", "01-01")
    lie = store.tell("Atlantis", "02-01")
    store.mark(lie, "withdrawn", "retracted")
    held = store.hold("Osaka", "01-15")
    reader = store.reader
    assert [(r.object, r.state) for r in reader.get_history("dudu", "user", "city")] == [
        ("Nara", "current"), ("Atlantis", "withdrawn"),
    ]  # fmt: skip
    everything = reader.get_history("dudu", "user", "city", include_held=True)
    assert [(r.object, r.state, r.quarantined) for r in everything] == [
        ("Nara", "current", False), ("Osaka", "held", True), ("Atlantis", "withdrawn", False),
    ]  # fmt: skip
    assert everything[2].invalidated_by_event == "retracted" and everything[2].invalidated_at == store.now
    assert reader.get_by_ids("dudu", [held, lie]).memories == ()
    assert reader.get_at("dudu", "user", "city", at("03-01")).object == "Nara"
    assert [r.object for r in reader.list_recent("dudu", 10)] == ["Nara"]


def test_silent_claims_and_ends_are_in_no_answer(store: Store) -> None:
    claim = store.claim("Nara", "01-01")
    store.apply(claim)
    again = store.tell("Nara", "03-01")
    store.end(claim, "02-01")
    reader = store.reader
    assert [(r.id, r.valid_until) for r in reader.get_history("dudu", "user", "city", include_held=True)] == [
        (claim.id, at("02-01"))
    ]
    assert reader.get_by_ids("dudu", [again, "m_0003"]).missing_ids == (again, "m_0003")
    assert reader.list_recent("dudu", 10) == []


# Scope.


def test_c16_each_agent_sees_exactly_its_own(store: Store) -> None:
    ids = {agent: store.tell(f"city of {agent}", "01-01", agent_id=agent) for agent in AGENTS}
    reader = store.reader
    for agent, own in ids.items():
        assert [r.id for r in reader.list_recent(agent, 100)] == [own]
        assert reader.get_at(agent, "user", "city", at("02-01")).id == own
        assert [r.id for r in reader.get_history(agent, "user", "city")] == [own]
        found = reader.get_by_ids(agent, [*ids.values(), "unknown"])
        assert [r.id for r in found.memories] == [own]
        assert list(found.missing_ids) == [*(i for i in ids.values() if i != own), "unknown"]
    assert reader.list_recent("ti", 10) == [] and reader.get_history("TIDE", "user", "city") == []


@pytest.mark.parametrize("agent", ["", "  ", None, 7, b"dudu"])
def test_c17_no_agent_is_never_all_agents(store: Store, agent: Any) -> None:
    store.tell("Nara", "01-01")
    store.tell("Nara", "01-01", agent_id="")
    for ask in (
        lambda: store.reader.list_recent(agent, 10),
        lambda: store.reader.get_at(agent, "user", "city", START),
        lambda: store.reader.holding_at(agent, "user", "city", START),
        lambda: store.reader.get_history(agent, "user", "city"),
        lambda: store.reader.get_by_ids(agent, ["m_0001"]),
        lambda: store.reader.get_at(agent, "user", "city", START, known_at=1),
    ):
        with pytest.raises(InvalidInput):
            ask()
    assert [r.agent_id for r in store.reader.list_recent("dudu", 10)] == ["dudu"]


@pytest.mark.parametrize("name", ["nobody", "du\ud83ddu", "du\0du", "x" * 5000, "'; DROP TABLE memories; --"])
def test_an_unknown_agent_or_name_is_empty(store: Store, name: str) -> None:
    store.tell("Nara", "01-01")
    for question in ((name, "user", "city"), ("dudu", name, "city"), ("dudu", "user", name), ("dudu", "", "")):
        assert store.reader.get_at(*question, START) is None
        assert store.reader.holding_at(*question, START) == []
        assert store.reader.get_history(*question) == []
        assert store.reader.get_at(*question, START, known_at=1) is None
    assert store.reader.list_recent(name, 10) == []


# Fetch by ids.


def test_c53_partial_hits_are_no_error_and_the_order_is_that_of_the_request(store: Store) -> None:
    own = [store.tell("x", "01-01", predicate=f"p{n}") for n in range(60)]
    foreign = [store.tell("x", "01-01", predicate=f"p{n}", agent_id="agnes") for n in range(20)]
    unknown = [f"unknown {n}" for n in range(20)]
    asked = [*foreign, *own[::-1], *unknown]
    found = store.reader.get_by_ids("dudu", asked)
    assert [r.id for r in found.memories] == own[::-1]
    assert list(found.missing_ids) == [*foreign, *unknown]
    assert (found.total_found, found.total_missing) == (60, 40)


def test_c53_repeats_are_answered_once(store: Store) -> None:
    own = [store.tell("x", "01-01", predicate=f"p{n}") for n in range(60)]
    found = store.reader.get_by_ids("dudu", [own[1], *([own[0]] * 41), "no", "no"])
    assert [r.id for r in found.memories] == [own[1], own[0]]
    assert found.missing_ids == ("no",)


@pytest.mark.parametrize(
    "wrong", ["m_0001", b"m", None, 5, {"m_0001": 1}, {"m_0001"}, ["m_0001", 5, None], ["m"] * 101, range(101)]
)
def test_c53_what_is_no_request_is_refused_before_the_store_is_asked(store: Store, wrong: Any) -> None:
    store.database.close()
    store.database.path.unlink()
    with pytest.raises(InvalidInput):
        store.reader.get_by_ids("dudu", wrong)


def test_c53_an_id_is_never_a_pattern(store: Store) -> None:
    told = store.tell("x", "01-01", id="m_Abcdefgh1")
    asked = ["", "%", "m_________1", told[:8], told.lower(), f"{told} ", f" {told}", "m\ud83d", f"{told}\0", "*"]
    found = store.reader.get_by_ids("dudu", asked)
    assert found.memories == () and list(found.missing_ids) == asked
    assert store.reader.get_by_ids("dudu", []).total_found == 0


def test_evidence_gives_its_fact_and_says_so(store: Store) -> None:
    fact = store.tell("Nara", "01-01")
    proof = store.tell("Nara", "02-01")
    store.tell("Osaka", "03-01")
    late = store.tell("Nara", "04-01")
    found = store.reader.get_by_ids("dudu", [proof, fact, late])
    assert [(r.id, r.asked) for r in found.memories] == [(fact, proof), (fact, None), (late, None)]
    assert found.missing_ids == ()
    store.tell("Kobe", "01-15")
    [split] = store.reader.get_by_ids("dudu", [proof]).memories
    assert (split.id, split.asked) == (proof, None)


# Lists.


def test_the_newest_learned_come_first_and_only_what_is_current(store: Store) -> None:
    store.tell("old", "01-01")
    store.tell("new", "02-01")
    store.tell("later", "05-01")
    notes = [store.tell(None, subject=None, predicate=None, content=f"note {n}") for n in range(5)]
    store.tell("bounded", "01-01", "03-01", predicate="plan")
    reader = store.reader
    assert [r.id for r in reader.list_recent("dudu", 3)] == notes[:-4:-1]
    assert [r.content for r in reader.list_recent("dudu", 1000)][-1] == "user city new"
    assert len(reader.list_recent("dudu", 1000)) == 6


@pytest.mark.parametrize("limit", [0, -1, 1001, 10**30, "7", 1.5, True, None])
def test_limits_are_1_to_1000(store: Store, limit: Any) -> None:
    with pytest.raises(InvalidInput):
        store.reader.list_recent("dudu", limit)


@pytest.mark.parametrize("seed", [5, 6])
def test_all_reads_agree_after_a_random_history(tmp_path: Any, seed: int) -> None:
    with open_store(tmp_path / "store.db") as store:
        store.now = EPOCH.replace(day=5)
        for _ in tell_random(store, seed, 80):
            pass
        reader = store.reader
        for agent in ("ada", "bo"):
            recent = {r.id: r for r in reader.list_recent(agent, 1000)}
            for subject, predicate in (("user", "city"), ("USER", "tag"), ("acct", "city"), ("acct", "tag")):
                history = {r.id: r for r in reader.get_history(agent, subject, predicate)}
                facts = [r for r in history.values() if r.role == "fact"]
                assert {r.id for r in facts if r.state == "current"} == {
                    r.id for r in recent.values() if r.id in history
                }
                for record in reader.get_by_ids(agent, list(history)[:100]).memories:
                    assert record == history[record.id]
                for hours in range(0, DAYS * 24, 12):
                    moment = EPOCH.replace(hour=0) + (START - START.replace(hour=8)) * hours
                    holding = reader.holding_at(agent, subject, predicate, moment)
                    expected = [
                        r for r in facts if r.valid_from <= moment and (r.valid_until is None or moment < r.valid_until)
                    ]
                    expected.sort(key=lambda r: (r.valid_from, r.n), reverse=True)
                    assert holding == expected
                    assert reader.get_at(agent, subject, predicate, moment) == (expected[0] if expected else None)
