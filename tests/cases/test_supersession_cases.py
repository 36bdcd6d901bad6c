"""Cases of area 1: facts that supersede each other in time (each from a public bug report)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest
from memstation import MemoryEntry
from memstation.domain.decisions import Decision, Order
from memstation.domain.errors import InvalidInput, Refused

from engine_facts import tell, timeline, value_at

CITIES = [
    ("Nara", "2020-01-01T00:00:00Z"),
    ("Osaka", "2010-01-01T00:00:00Z"),
    ("Kyoto", "2015-01-01T00:00:00Z"),
]


@pytest.mark.parametrize("order", list(permutations(CITIES)))
def test_c01_scrambled_arrival_gives_one_timeline(engine: Any, order: list[tuple[str, str]]) -> None:
    """C01: world time decides, not arrival; no two windows overlap; the hand-over has one answer."""
    for city, since in order:
        tell(engine, city, since, subject="studio")

    def at(instant: str) -> str | None:
        return value_at(engine, instant, subject="studio")

    assert timeline(engine, subject="studio") == [
        ("Osaka", "2010-01-01", "2015-01-01"),
        ("Kyoto", "2015-01-01", "2020-01-01"),
        ("Nara", "2020-01-01", None),
    ]
    assert [at(f"{year}-06-01") for year in (2009, 2012, 2017, 2021)] == [None, "Osaka", "Kyoto", "Nara"]
    assert [at("2015-01-01T00:00:00Z"), at("2020-01-01T00:00:00Z")] == ["Kyoto", "Nara"]
    assert [r.object for r in engine.list_recent("ada", limit=10)] == ["Nara"]
    records = engine.get_history("ada", "studio", "city")
    assert [r.superseded_by for r in records[:-1]] == [r.id for r in records[1:]]
    assert [r.supersedes for r in records[1:]] == [r.id for r in records[:-1]]


def test_c03_offsets_compare_as_instants(engine: Any) -> None:
    """C03.1: 22:15+05:45 is 16:30Z, before 17:00Z, whatever the text says."""
    tell(engine, "B9", "2026-02-20T17:00:00Z", subject="ship", predicate="berth")
    tell(engine, "B4", "2026-02-20T22:15:00+05:45", subject="ship", predicate="berth")

    def berth(at: str) -> str | None:
        return value_at(engine, at, subject="ship", predicate="berth")

    assert timeline(engine, subject="ship", predicate="berth") == [
        ("B4", "2026-02-20T16:30:00", "2026-02-20T17:00:00"),
        ("B9", "2026-02-20T17:00:00", None),
    ]
    assert berth("2026-02-20T16:45:00Z") == "B4"
    assert berth("2026-02-20T17:00:00Z") == "B9"
    assert berth("2026-02-20T23:30:00+05:45") == "B9"
    assert berth("2026-02-20T22:15:00+05:45") == "B4"


def test_c03_fractions_compare_as_instants(engine: Any) -> None:
    """C03.2: 15.004 is after 15, although `15Z` sorts after `15.004Z` as text."""
    tell(engine, "red", "2026-02-20T08:30:15Z", subject="lamp", predicate="colour")
    tell(engine, "blue", "2026-02-20T08:30:15.004Z", subject="lamp", predicate="colour")

    def colour(at: str) -> str | None:
        return value_at(engine, at, subject="lamp", predicate="colour")

    assert colour("2026-02-20T08:30:15.003Z") == "red"
    assert colour("2026-02-20T08:30:15.004Z") == "blue"
    assert colour("2026-02-20T08:30:15Z") == "red"
    assert colour("2026-02-20T08:30:14.999999Z") is None


def test_c03_every_stored_instant_has_one_shape(engine: Any, store_path: Path, tmp_path: Path) -> None:
    """C03.3: the spellings of one instant store identically, with a fixed width."""
    spellings = ["2026-02-20T17:00:00Z", "2026-02-20T17:00:00+00:00", "2026-02-20 17:00:00"]
    for number, spelling in enumerate(spellings):
        tell(engine, "x", spelling, "2027-01-01", predicate=f"p{number}")
    [path] = tmp_path.glob("*.db")
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            """SELECT valid_from, valid_until, asserted_from, asserted_until, timestamp, created_at,
                      ingested_at FROM memories"""
        ).fetchall()
        times = connection.execute("SELECT at FROM journal").fetchall()
    assert {row[0] for row in rows} == {"2026-02-20T17:00:00.000000+00:00"}
    every = [text for row in (*rows, *times) for text in row]
    assert len(every) == 24
    assert all(len(text) == 32 and text.endswith("+00:00") and text[10] == "T" for text in every)


def test_c04_a_date_is_its_first_instant(engine: Any) -> None:
    """C04.1: from one date until the next holds for that day."""
    tell(engine, "yes", "2026-06-12", "2026-06-13", subject="gate", predicate="open_day")

    def is_open(at: str) -> str | None:
        return value_at(engine, at, subject="gate", predicate="open_day")

    assert is_open("2026-06-12T15:00:00Z") == is_open("2026-06-12") == "yes"
    assert is_open("2026-06-13T00:00:00Z") is None
    assert is_open("2026-06-11T23:59:59.999999Z") is None


def test_c04_no_zone_means_utc(engine: Any) -> None:
    """C04.2: 10:00 without a zone supersedes 09:00Z, without an exception."""
    early = tell(engine, "Mo", "2026-06-12T09:00:00Z", subject="gate", predicate="keeper")
    late = tell(engine, "Jo", "2026-06-12T10:00:00", subject="gate", predicate="keeper")
    assert late.closed == (early.id,)
    [_, record] = engine.get_history("ada", "gate", "keeper")
    assert record.valid_from == datetime(2026, 6, 12, 10, tzinfo=UTC)


def test_c04_an_empty_window_is_refused(engine: Any) -> None:
    """C04.3: from a date until the same date holds at no instant."""
    with pytest.raises(InvalidInput) as caught:
        tell(engine, "x", "2026-06-12", "2026-06-12", subject="gate", predicate="x")
    assert caught.value.title
    assert timeline(engine, subject="gate", predicate="x") == []


@pytest.mark.parametrize("until", ["2019-05-01T00:00:00Z", "2025-05-01T00:00:00Z"])
def test_c06_a_window_that_ends_before_it_starts_is_refused(engine: Any, until: str) -> None:
    """C06.1, C06.2: refused, and nothing is written."""
    before = engine.state_digest()
    with pytest.raises(InvalidInput):
        tell(engine, "x", "2025-05-01T00:00:00Z", until, subject="a", predicate="b")
    assert engine.state_digest() == before
    assert len(engine.journal()) == 0


@pytest.mark.parametrize("end", ["2019-05-01T00:00:00Z", "2025-05-01T00:00:00Z"])
def test_c06_closing_before_the_start_is_refused(engine: Any, end: str) -> None:
    """C06.3: the guard is on closing too."""
    fact = tell(engine, "x", "2025-05-01T00:00:00Z", subject="a", predicate="b")
    with pytest.raises((InvalidInput, Refused)):
        engine.end(fact.id, end, actor="operator")
    assert timeline(engine, subject="a", predicate="b") == [("x", "2025-05-01", None)]


def test_c07_a_future_fact_does_not_hide_the_present_one(engine: Any, clock: Any) -> None:
    """C07: free holds until pro starts; without any write, pro holds from then on."""
    free = tell(engine, "free", "2026-01-01", subject="acct", predicate="plan")
    pro = tell(engine, "pro", "2026-10-01T00:00:00Z", subject="acct", predicate="plan")
    assert (pro.status, pro.closed) == ("scheduled", (free.id,))

    def plan(at: Any) -> str | None:
        return value_at(engine, at, subject="acct", predicate="plan")

    def listed() -> list[str]:
        return [r.object for r in engine.list_recent("ada", limit=10)]

    assert plan(clock.now) == "free" and listed() == ["free"]
    first, second = engine.get_history("ada", "acct", "plan")
    assert first.valid_until == second.valid_from == datetime(2026, 10, 1, tzinfo=UTC)
    assert (first.state, second.state) == ("current", "scheduled")
    assert plan("2026-10-01T00:00:00Z") == "pro"
    assert plan("2026-09-30T23:59:59.999999Z") == "free"
    clock.now = datetime(2026, 10, 2, tzinfo=UTC)
    assert plan(clock.now) == "pro" and listed() == ["pro"]
    assert [r.state for r in engine.get_history("ada", "acct", "plan")] == ["closed", "current"]


def test_c09_going_back_to_an_earlier_value_is_a_new_period(engine: Any) -> None:
    """C09: A, B, A gives three rows; the first is not revived."""
    one = tell(engine, "helix", "2026-01-01", predicate="editor", source_event="e1")
    two = tell(engine, "zed", "2026-02-01", predicate="editor", source_event="e2")
    three = tell(engine, "helix", "2026-03-01", predicate="editor", source_event="e3")
    assert len({one.id, two.id, three.id}) == 3
    assert timeline(engine, predicate="editor") == [
        ("helix", "2026-01-01", "2026-02-01"),
        ("zed", "2026-02-01", "2026-03-01"),
        ("helix", "2026-03-01", None),
    ]
    first, second, third = engine.get_history("ada", "user", "editor")
    assert first.reaffirmed_by == () and first.access_count == 0
    assert (third.supersedes, second.supersedes, first.supersedes) == (two.id, one.id, None)
    for day, expected in [("01-15", one.id), ("02-15", two.id), ("03-15", three.id)]:
        assert engine.get_at("ada", "user", "editor", f"2026-{day}").id == expected


def test_c10_case_width_and_space_are_one_name(engine: Any) -> None:
    """C10.1: one timeline, found by any spelling; each row keeps its own."""
    spellings = ["Gateway", "gateway ", "Ｇａｔｅｗａｙ"]
    for number, spelling in enumerate(spellings, 1):
        tell(engine, str(number), f"2026-01-0{number}", subject=spelling, predicate="port")
    for spelling in (*spellings, " GATEWAY"):
        history = engine.get_history("ada", spelling, "PORT")
        assert [r.object for r in history] == ["1", "2", "3"]
        assert [r.valid_until is None for r in history] == [False, False, True]
        assert value_at(engine, "2026-02-01", subject=spelling, predicate="port") == "3"
    assert [r.subject.strip() for r in history] == [s.strip() for s in spellings]


def test_c10_composition_and_sharp_s_are_one_name(engine: Any) -> None:
    """C10.2, C10.3: composed and combining are one; with full case folding, so are Straße and STRASSE."""
    tell(engine, "a", "2026-01-01", subject="caf\u00e9")
    tell(engine, "b", "2026-01-02", subject="cafe\u0301")
    assert value_at(engine, "2026-02-01", subject="café") == "b"
    tell(engine, "a", "2026-01-01", subject="Straße")
    tell(engine, "b", "2026-01-02", subject="STRASSE")
    assert len(engine.get_history("ada", "strasse", "city")) == 2
    tell(engine, "a", "2026-01-01", subject="老闆")
    tell(engine, "b", "2026-01-02", subject="老板")
    assert value_at(engine, "2026-02-01", subject="老闆") == "a"
    assert value_at(engine, "2026-02-01", subject="老板") == "b"


def test_c12_only_the_same_fact_is_closed(engine: Any) -> None:
    """C12.1: sharing a subject, an object or a mention closes nothing, and each write says so."""
    told = [
        tell(engine, "Northwind", "2026-01-01", subject="ana", predicate="works_at"),
        tell(engine, "audit", "2026-01-02", subject="ana", predicate="manages"),
        tell(engine, "northwind-git", "2026-01-03", subject="ana", predicate="administers"),
        tell(engine, "ana", "2026-01-03", subject="Northwind", predicate="employs"),
        engine.store_temporal(MemoryEntry("ada", "ana mentioned Northwind")),
    ]
    assert [o.closed for o in told] == [()] * 5
    assert len(engine.list_recent("ada", limit=10)) == 5


def test_c12_an_alias_closes_nothing(engine: Any) -> None:
    """C12.2: joining two names closes no fact of either; both stay current under their own subject."""
    ana = tell(engine, "Northwind", "2026-01-01", subject="ana", predicate="works_at")
    anna = tell(engine, "Contoso", "2026-01-02", subject="anna", predicate="works_at")
    before = [timeline(engine, subject=name, predicate="works_at") for name in ("ana", "anna")]
    joined = Order("alias", "joined", "ada", subject="anna", value="ana")
    applied = engine.apply(Decision("store", "operator", (joined,), "ada"))
    assert applied.effects.changes == ()
    assert [timeline(engine, subject=name, predicate="works_at") for name in ("ana", "anna")] == before
    assert {r.id for r in engine.list_recent("ada", limit=10)} == {ana.id, anna.id}


def test_no_hand_over_has_two_answers_or_none(engine: Any) -> None:
    """C01, C03: at every bound of a long chain exactly one fact holds, told backwards."""
    starts = [f"2026-01-{day:02d}" for day in range(1, 21)]
    for start in reversed(starts):
        tell(engine, f"city of {start}", start)
    history = engine.get_history("ada", "user", "city")
    assert all(one.valid_until == other.valid_from for one, other in pairwise(history))
    for start in starts:
        [holder] = engine.holding_at("ada", "user", "city", start)
        assert holder.object == f"city of {start}"
