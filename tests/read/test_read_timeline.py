"""The Timeline's list: what is in it, in which order, and that pages, lengths and places agree."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from memstation.domain.errors import InvalidInput, MemstationError
from memstation.read.rows import CONTENT_SHOWN, PAGE, FactRow
from memstation.read.timeline import TimelineQuery, TimelineSource
from read_stores import Store, open_store
from test_read_belief import tell_random

from engine_histories import EPOCH

ORDERS = ("learned", "start")


def source(store: Store, text: str = "", order: Any = "learned", agent: str = "dudu") -> TimelineSource:
    return store.reader.timeline(TimelineQuery(agent, text, order))


def everything(listed: TimelineSource) -> list[FactRow]:
    return [row for key in listed.anchors().keys for row in listed.page(key)]


def shown(rows: list[FactRow]) -> list[tuple[str, str]]:
    return [(row.value, row.state) for row in rows]


def test_a_row_says_what_the_list_shows(store: Store) -> None:
    told = store.tell("Nara", "01-01", "06-01", origin="channel:line/7", asserted_trust=0.3)
    [row] = source(store).head()
    assert row == FactRow(
        n=1, id=told, agent_id="dudu", state="current", tainted=False, subject="user", predicate="city",
        object="Nara", content="user city Nara", valid_from=datetime(2026, 1, 1, tzinfo=UTC),
        valid_until=datetime(2026, 6, 1, tzinfo=UTC), origin="channel:line/7", trust=0.3, many=False,
    )  # fmt: skip


def test_every_state_is_listed_and_evidence_is_not(store: Store) -> None:
    first = store.claim("Nara", "01-01")
    store.apply(first)
    store.tell("Nara", "01-02")
    store.tell("Osaka", "02-01")
    store.hold("Kobe", "03-01")
    lie = store.tell("Atlantis", "03-02")
    store.mark(lie, "withdrawn", "retracted")
    store.tell("Kyoto", "05-01")
    end_of = store.claim("x", "01-01", predicate="plan")
    store.apply(end_of)
    store.end(end_of, "02-01")
    assert shown(source(store).head()) == [
        ("x", "closed"), ("Kyoto", "scheduled"), ("Atlantis", "withdrawn"), ("Kobe", "held"), ("Osaka", "current"),
        ("Nara", "closed"),
    ]  # fmt: skip
    assert [row.value for row in source(store, order="start").head()] == [
        "Kyoto", "Atlantis", "Kobe", "Osaka", "x", "Nara",
    ]  # fmt: skip


def test_a_state_changes_when_time_passes_without_a_write(store: Store) -> None:
    store.tell("Nara", "01-01", "04-02")
    store.tell("Osaka", "04-03")
    listed = source(store)
    assert shown(listed.head()) == [("Osaka", "scheduled"), ("Nara", "current")]
    store.advance(days=3)
    assert shown(listed.head()) == [("Osaka", "current"), ("Nara", "closed")]


def test_tainted_is_a_standing_cap_on_what_is_not_withdrawn(store: Store) -> None:
    capped, gone, back = (store.tell("x", "01-01", predicate=p) for p in "abc")
    for memory in (capped, gone, back):
        last = store.mark(memory, "cap", value=0.1)
    store.mark(gone, "withdrawn", "retracted")
    store.undo(last.seq)
    assert [(row.predicate, row.tainted, row.state) for row in source(store).head()] == [
        ("c", False, "current"), ("b", False, "withdrawn"), ("a", True, "current"),
    ]  # fmt: skip


def test_many_follows_the_ruling_order(store: Store) -> None:
    store.tell("ja", "01-01", predicate="Speaks")
    store.tell("Nara", "01-01", agent_id="agnes", predicate="speaks")
    store.many("speaks")
    assert [row.many for row in source(store).head()] == [True]
    assert [row.many for row in source(store, agent="agnes").head()] == [False]
    store.many("speaks", agent="*")
    assert [row.many for row in source(store, agent="agnes").head()] == [True]


def test_long_content_is_cut_in_lists_only(store: Store) -> None:
    told = store.tell(None, "01-01", content="long " * 5000, subject=None, predicate=None)
    [row] = source(store).head()
    assert len(row.content) == CONTENT_SHOWN
    assert len(store.reader.get_by_ids("dudu", [told]).memories[0].content) == 25_000
    assert len(store.reader.fact(row.n).record.content) == 25_000


def big(store: Store, count: int = 2 * PAGE + 57) -> None:
    """Facts told in another order than that of their starts, many of them with one start, some of another agent."""
    claims = []
    for number in range(count):
        start = f"01-{number * 7 % 28 + 1:02d}"
        claims.append(store.claim(f"v{number % 3}", start, predicate=f"p{number}"))
        if number % 10 == 0:
            claims.append(store.claim("x", start, predicate=f"p{number}", agent_id="agnes"))
    store.apply(*claims)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("text", ["", "value:v1", "user -value:v2", "says:p1*,p2"])
def test_pages_lengths_and_places_agree(store: Store, order: str, text: str) -> None:
    big(store)
    listed = source(store, text, order)
    fresh = source(store, text, order)
    rows, anchors = everything(listed), listed.anchors()
    assert anchors.count == len(rows) == len({row.n for row in rows})
    assert [listed.key(row) for row in rows[::PAGE]] == list(anchors.keys)
    assert listed.head() == fresh.head() == rows[:PAGE]
    position = (lambda row: row.n) if order == "learned" else (lambda row: (row.valid_from, row.n))
    assert rows == sorted(rows, key=position, reverse=True)
    assert {row.agent_id for row in rows} == {"dudu"}
    for place in (0, 1, len(rows) // 2, len(rows) - 1):
        key = listed.key(rows[place])
        assert listed.index_of(key) == fresh.index_of(key) == place
        assert listed.page(key) == fresh.page(key) == rows[place : place + PAGE]
    missing = max(row.n for row in rows) + 1000
    assert listed.index_of(missing) is None and fresh.index_of(missing) is None


@pytest.mark.parametrize("order", ORDERS)
def test_a_row_of_another_agent_or_outside_the_filter_has_no_place(store: Store, order: str) -> None:
    store.tell("Nara", "01-01")
    store.tell("Osaka", "01-01", agent_id="agnes")
    store.tell("Kobe", "02-01")
    for listed in (source(store, order=order), source(store, "value:nara", order)):
        assert [listed.index_of(n) for n in (2, 99)] == [None, None]
        listed.anchors()
        assert [listed.index_of(n) for n in (2, 99)] == [None, None]
    assert source(store, "value:nara", order).index_of(3) is None


@pytest.mark.parametrize("order", ORDERS)
def test_an_empty_list_is_empty_in_every_way(store: Store, order: str) -> None:
    for listed in (source(store, order=order, agent="nobody"), source(store, "value:x", order)):
        anchors = listed.anchors()
        assert (listed.head(), anchors.count, tuple(anchors.keys), listed.page(1)) == ([], 0, (), [])
        assert listed.index_of(1) is None


def test_a_full_last_page_has_no_empty_page_after_it(store: Store) -> None:
    store.apply(*(store.claim("x", "01-01", predicate=f"p{n}") for n in range(2 * PAGE)))
    for text in ("", "value:x"):
        anchors = source(store, text).anchors()
        assert (anchors.count, len(anchors.keys)) == (2 * PAGE, 2)


def test_c48_what_comes_in_above_moves_no_row_from_under_its_key(store: Store) -> None:
    big(store)
    for order in ORDERS:
        for text in ("", "user -agnes"):
            listed = source(store, text, order)
            anchors = listed.anchors()
            before = [listed.page(key) for key in anchors.keys]
            store.tell("v1", "12-01", predicate=f"new {order} {len(text)}")
            for key, rows in zip(anchors.keys, before, strict=True):
                assert listed.page(key)[0] == rows[0]
            again = source(store, text, order)
            again.anchors()
            assert again.index_of(listed.key(before[1][0])) == PAGE + 1


def test_a_row_that_left_the_list_leaves_its_page(store: Store) -> None:
    claim = store.claim("v", "02-01")
    store.apply(claim)
    store.tell("w", "03-01")
    listed = source(store, "city")
    listed.anchors()
    store.tell("v", "01-01", id="earlier")
    assert [row.value for row in listed.page(2)] == ["w", "v"]
    assert [row.id for row in listed.page(2)] == ["m_0002", "m_0001"]


def test_c47_the_filter_finds_the_oldest_row(store: Store) -> None:
    store.tell(None, "01-01", subject=None, predicate=None, content="the needle in it")
    big(store, 3 * PAGE)
    [row] = source(store, "needle").head()
    assert row.n == 1


def test_c16_other_agents_rows_are_never_listed(store: Store) -> None:
    for agent in ("tide", "tide-pool", "tide_pool", "ti%", "Tide"):
        store.tell("x", "01-01", agent_id=agent)
    for agent in ("tide", "tide_pool", "ti%", "Tide"):
        for text in ("", "user", "about:user"):
            rows = source(store, text, agent=agent).head()
            assert [row.agent_id for row in rows] == [agent]


@pytest.mark.parametrize("agent", ["", " ", None])
def test_c17_a_list_is_always_of_one_agent(store: Store, agent: Any) -> None:
    with pytest.raises(InvalidInput):
        source(store, agent=agent)


@pytest.mark.parametrize("order", ORDERS)
def test_the_list_is_the_history_after_a_random_one(tmp_path: Path, order: str) -> None:
    with open_store(tmp_path / "store.db") as store:
        store.now = EPOCH.replace(day=5)
        for _ in tell_random(store, 21, 120):
            pass
        for agent in ("ada", "bo"):
            rows = {row.n: row for row in everything(source(store, order=order, agent=agent))}
            for subject, predicate in {(row.subject, row.predicate) for row in rows.values()}:
                if subject is None:
                    continue
                history = store.reader.get_history(agent, subject, predicate or "", include_held=True)
                for record in history:
                    row = rows[record.n]
                    assert (row.id, row.state, row.trust) == (record.id, record.state, record.origin_trust)
                    assert (row.valid_from, row.valid_until) == (record.valid_from, record.valid_until)


def test_a_store_that_cannot_be_read_is_no_empty_list(store: Store) -> None:
    store.tell("Nara", "01-01")
    listed = source(store)
    store.database.close()
    for suffix in ("", "-wal", "-shm"):
        store.database.path.with_name(store.database.path.name + suffix).unlink(missing_ok=True)
    for read in (listed.head, listed.anchors, lambda: listed.page(1), lambda: listed.index_of(1)):
        with pytest.raises(MemstationError):
            read()
