"""Hot reads go through an index: no statement of theirs looks at every row."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from memstation.domain.decisions import Mark
from memstation.read.log import LogQuery
from memstation.read.past import PastQuery
from memstation.read.timeline import TimelineQuery
from read_stores import START, Store, day

BIG = ("memories", "journal", "marks", "orders", "derived", "undoes", "lifted")
WHOLE = re.compile(rf"^SCAN ({'|'.join(BIG)})(?! USING)")
"""A look at every row of a table. Of an index it may be the first few rows in order."""

FEW = ("SELECT n FROM marks WHERE stands = 1 AND kind", "lifted", "SELECT key, verdict FROM orders")
"""Statements about marks and undos that may look at all of those: they are few beside the rows."""


@contextmanager
def statements(store: Store) -> Iterator[list[str]]:
    """Every statement that is run meanwhile, with its values filled in, and how SQLite means to answer it."""
    seen: list[str] = []
    connect = store.database._connect

    def traced(*arguments: Any, **named: Any) -> Any:
        connection = connect(*arguments, **named)
        connection.set_trace_callback(seen.append)
        return connection

    store.database._readers.dispose()
    store.database._connect = traced  # type: ignore[method-assign]
    yield seen
    store.database._connect = connect  # type: ignore[method-assign]
    store.database._readers.dispose()


def plans(store: Store, sqls: list[str]) -> dict[str, list[str]]:
    found = {}
    with store.database.reading() as conn:
        driver: Any = conn.driver_connection
        driver.create_function("folded", 1, str)
        for sql in sqls:
            if sql.lstrip().startswith(("SELECT", "WITH")):
                found[sql] = [row[3] for row in driver.execute(f"EXPLAIN QUERY PLAN {sql}")]
    return found


@pytest.fixture
def big(store: Store) -> Store:
    claims = [
        store.claim(f"v{n % 9}", f"01-{n % 28 + 1:02d}", subject=f"s{n % 40}", predicate=f"p{n % 7}")
        for n in range(900)
    ]
    store.apply(*claims, *(Mark(c.id, "held", "burst") for c in claims[::50]))
    for n in range(260):
        store.tell("x", "02-01", predicate=f"q{n}")
    store.mark("m_0001", "cap", value=0.1)
    store.many("speaks")
    store.many("q7")
    store.undo(150)
    return store


def _listed(store: Store, text: str = "", order: Any = "learned") -> Any:
    return store.reader.timeline(TimelineQuery("dudu", text, order))


def _past(store: Store, text: str = "", *, only_differences: bool = True) -> Any:
    return store.reader.past(PastQuery("dudu", day("03-01"), 100, text, only_differences))


def _past_key(store: Store) -> str:
    return str(_past(store).head()[0].key)


READS: dict[str, Callable[[Store], Any]] = {
    "get_at": lambda s: s.reader.get_at("dudu", "s1", "p1", START),
    "get_at many": lambda s: s.reader.get_at("dudu", "s1", "speaks", START),
    "get_at many, object": lambda s: s.reader.get_at("dudu", "s1", "speaks", START, object="x"),
    "known_at": lambda s: s.reader.get_at("dudu", "s1", "p1", START, known_at=1),
    "get_history": lambda s: s.reader.get_history("dudu", "s1", "p1"),
    "get_by_ids": lambda s: s.reader.get_by_ids("dudu", ["m_0001", "m_0002", "x"]),
    "list_recent": lambda s: s.reader.list_recent("dudu", 50),
    "head": lambda s: _listed(s).head(),
    "page": lambda s: _listed(s).page(300),
    "anchors": lambda s: _listed(s).anchors(),
    "index_of": lambda s: _listed(s).index_of(300),
    "head by start": lambda s: _listed(s, order="start").head(),
    "page by start": lambda s: _listed(s, order="start").page(300),
    "word": lambda s: _listed(s, "x").head(),
    "words": lambda s: _listed(s, "x q1").anchors(),
    "about": lambda s: _listed(s, "about:s1").head(),
    "held": lambda s: _listed(s, "state:held").head(),
    "id": lambda s: _listed(s, "id:m_0001").head(),
    "seq": lambda s: _listed(s, "seq:3").head(),
    "since": lambda s: _listed(s, "since:2026-01-01").head(),
    "fact": lambda s: s.reader.fact(1),
    "n_of": lambda s: s.reader.n_of("m_0001"),
    "past": lambda s: _past(s).head(),
    "past page": lambda s: _past(s).page(150),
    "past anchors": lambda s: _past(s).anchors(),
    "past, all": lambda s: _past(s, only_differences=False).head(),
    "past, all, anchors": lambda s: _past(s, only_differences=False).anchors(),
    "past, filtered": lambda s: _past(s, "about:s1", only_differences=False).head(),
    "past detail": lambda s: s.reader.past_detail("dudu", _past_key(s), PastQuery("dudu", day("03-01"), 100)),
    "believed": lambda s: s.reader.believed("dudu", None, 100).head(),
    "log": lambda s: s.reader.log(LogQuery()).head(),
    "log page": lambda s: s.reader.log(LogQuery()).page(100),
    "log number": lambda s: s.reader.log(LogQuery("#3")).head(),
    "decision": lambda s: s.reader.decision(1),
    "overview": lambda s: s.reader.overview(START, "operator"),
    "ids": lambda s: s.reader.ids_like("m_00"),
    "ids of what waits": lambda s: s.reader.ids_like("m_00", ("pending",)),
    "agents": lambda s: s.reader.agents(),
    "sources": lambda s: s.reader.sources(),
    "sources of one": lambda s: s.reader.sources("dudu"),
    "source": lambda s: s.reader.source("channel:x"),
    "source names": lambda s: s.reader.origins(),
    "reads": lambda s: s.reader.reads_of(["m_0001", "m_0002"]),
    "stamp": lambda s: s.reader.stamp(),
}


@pytest.mark.parametrize("name", list(READS))
def test_a_hot_read_looks_at_no_whole_table(big: Store, name: str) -> None:
    with statements(big) as seen:
        READS[name](big)
    assert seen
    for sql, plan in plans(big, seen).items():
        whole = [line for line in plan if WHOLE.match(line)]
        if re.search(r"FROM journal (WHERE .*)?ORDER BY seq (DESC )?LIMIT", sql, re.DOTALL):
            # In the order of the table, and it stops.
            whole = [line for line in whole if "journal" not in line]
        if any(few in sql for few in FEW):
            whole = [line for line in whole if "memories" in line or "journal" in line]
        assert not whole, f"{sql}\n{plan}"


@pytest.mark.parametrize(("name", "index"), [
    ("get_at", "memories_founders"), ("get_history", "memories_fact"), ("known_at", "memories_fact"),
    ("get_by_ids", "memories_id"), ("list_recent", "memories_learned"), ("head", "memories_learned"),
    ("anchors", "memories_learned"), ("head by start", "memories_page"), ("held", "memories_held"),
    ("overview", "memories_boundary"), ("overview", "approvals_due"), ("overview", "approvals_lapsed"),
    ("overview", "events_dropped"), ("ids", "memories_id"), ("ids of what waits", "memories_id"),
    ("past", "memories_fact"), ("past", "marks_seq"), ("past", "memories_page"), ("past", "memories_boundary"),
    ("past, all", "memories_learned"), ("past detail", "memories_fact"), ("sources", "COVERING INDEX memories_origin"),
    ("sources", "events_dropped"), ("sources", "orders_ruling"), ("source", "memories_origin"),
    ("source names", "memories_origin"), ("reads", "memories_id"),
])  # fmt: skip
def test_a_hot_read_uses_the_index_made_for_it(big: Store, name: str, index: str) -> None:
    with statements(big) as seen:
        READS[name](big)
    assert any(index in line for plan in plans(big, seen).values() for line in plan)


@pytest.mark.parametrize("name", ["head", "page", "head by start", "word", "log"])
def test_a_page_in_order_is_not_sorted(big: Store, name: str) -> None:
    with statements(big) as seen:
        READS[name](big)
    for sql, plan in plans(big, seen).items():
        if "LIMIT 200" in sql:
            assert not [line for line in plan if "ORDER BY" in line], f"{sql}\n{plan}"


def test_get_at_takes_few_statements(big: Store) -> None:
    with statements(big) as seen:
        assert big.reader.get_at("dudu", "user", "q1", START) is not None
    assert len([sql for sql in seen if sql.startswith("SELECT")]) == 4
