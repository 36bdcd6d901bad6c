"""What the gate did, as it is read back: counts of a day, what waits in groups, the log's words, ids by beginnings."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from memstation.domain.decisions import Event, Mark, Order
from memstation.domain.holding import HOLD_SECONDS
from memstation.read.events import gate_counts
from memstation.read.gate_rows import EventRow, GateCounts, HeldGroup
from memstation.read.log import LogQuery
from memstation.read.rows import LogRow, Overview
from read_stores import START, Store

TELEGRAM = "channel:telegram/42"


def today(store: Store, since: Any = None) -> Overview:
    return store.reader.overview(since, "operator")


def dropped(origin: str | None = TELEGRAM, agent: str = "dudu", **detail: Any) -> Event:
    detail = {"rules": ["override"], "digest": "00", "excerpt": "ignore all of it", "where": "content", **detail}
    return Event("prompt_injection", agent, origin, json.dumps(detail, sort_keys=True))


def held(store: Store, value: str, reason: str = "burst", seconds: float | None = HOLD_SECONDS, **more: Any) -> str:
    """Tell a claim that the gate holds, with its note."""
    detail = more.pop("detail", {})
    claim = store.claim(value, "01-01", origin=more.pop("origin", TELEGRAM), **more)
    note = Event(
        "knowledge.quarantined", claim.agent_id, claim.origin, json.dumps({"reason": reason, **detail}), claim.id
    )
    store.apply(claim, Mark(claim.id, "held", reason, seconds), note, agent_id=claim.agent_id)
    return claim.id


def head(store: Store) -> LogRow:
    row = store.reader.head()
    assert row is not None
    return row


def test_a_day_of_the_gate(store: Store) -> None:
    held(store, "old", "rejected_before", detail={"rejected_seq": 1})
    store.apply(dropped(), kind="drop")
    store.advance(hours=24)
    held(store, "new")
    held(store, "again", "rejected_before", detail={"rejected_seq": 1}, predicate="p")
    held(store, "both", "injection_suspect", detail={"rules": ["x"], "also": ["rejected_before"], "rejected_seq": 1})
    store.apply(dropped(), dropped(), store.claim("told", "01-01", predicate="q"))
    assert today(store).gate == GateCounts(24, held=3, dropped=2, seen_again=2)
    store.advance(hours=24, microseconds=-1)
    assert today(store).gate == GateCounts(24, held=3, dropped=2, seen_again=2)
    store.advance(microseconds=1)
    assert today(store).gate == GateCounts(24)


def test_what_is_said_again_while_it_waits_counts(store: Store) -> None:
    first = held(store, "a", "rejected_before", None, detail={"rejected_seq": 1})
    burst = held(store, "b", predicate="p")
    _hit(store, first, 3)
    _hit(store, burst, 5)
    assert today(store).gate.seen_again == 1 + 3
    store.advance(hours=30)
    assert today(store).gate.seen_again == 0
    _hit(store, first, 1)
    assert today(store).gate.seen_again == 1, "how often is not known of what was held before, but that it was"
    store.mark(first, "denied")
    assert today(store).gate.seen_again == 0


def _hit(store: Store, memory_id: str, times: int) -> None:
    from memstation.store.holding import count_hit

    with store.ledger.writing() as writing:
        n = writing.rows([memory_id])[memory_id].n
        for _ in range(times):
            count_hit(writing.cursor, n, writing.now)


def test_the_first_day_has_none_before_it(store: Store) -> None:
    store.now = START.replace(year=1, month=1, day=1)
    held(store, "x")
    with store.database.reading() as conn:
        assert gate_counts(conn, "0001-01-01T09:00:00.000000+00:00") == GateCounts(24, held=1)


def test_drops_since_the_last_visit_by_agent(store: Store) -> None:
    store.tell("x", "01-01")
    store.tell("x", "01-01", agent_id="agnes")
    store.apply(dropped(), kind="drop")
    visit = store.now
    store.advance(hours=1)
    store.apply(dropped(), dropped(agent="agnes"), dropped(agent="agnes"), kind="drop", agent_id="")
    found = today(store, visit)
    assert found.dropped == 3 and {row.agent_id: row.dropped for row in found.agents} == {"dudu": 1, "agnes": 2}
    assert today(store).dropped == 4


def test_groups_stand_in_the_order_in_which_they_run_out(store: Store) -> None:
    held(store, "a", subject="boss")
    first = store.now
    store.advance(hours=1)
    held(store, "for ever", "contaminated", None, agent_id="agnes", origin=None)
    held(store, "b", "injection_suspect")
    held(store, "c", subject="user")
    second = store.now
    for value in ("d", "e"):
        held(store, value, "blocked_origin", origin="channel:irc/9", subject=value)
    waiting = today(store).waiting
    day = second.replace(day=second.day + 1)
    assert waiting.groups == (
        HeldGroup("dudu", TELEGRAM, "burst", 2, None, first.replace(day=first.day + 1), 1),
        HeldGroup("dudu", TELEGRAM, "injection_suspect", 1, "user", day, 3),
        HeldGroup("agnes", None, "contaminated", 1, "user", None, 2),
    )
    assert waiting.blocked == HeldGroup("dudu", "channel:irc/9", "blocked_origin", 2, None, day, 5)
    assert (waiting.lapsed, waiting.lapsed_at) == (0, None)


def test_what_lapsed_since_the_last_visit(store: Store) -> None:
    ids = [held(store, value, predicate=value) for value in "abc"]
    store.apply(Mark(ids[0], "lapsed"), kind="lapse", actor="ttl")
    visit = store.now
    store.advance(hours=1)
    store.apply(Mark(ids[1], "lapsed"), Mark(ids[2], "lapsed"), kind="lapse", actor="ttl")
    assert (today(store, visit).waiting.lapsed, today(store, visit).waiting.lapsed_at) == (2, store.now)
    assert today(store).waiting.lapsed == 3
    store.apply(Mark(ids[1], "held", "burst", 60.0), kind="bring_back", actor="operator")
    assert today(store, visit).waiting.lapsed == 1
    store.undo(5)
    assert today(store).waiting.lapsed == 1, "the two that lapsed together wait again"


def test_what_is_overdue_waits_no_more_before_it_lapses(store: Store) -> None:
    held(store, "a", predicate="a")
    store.advance(hours=1)
    held(store, "b", predicate="b")
    deadline = START + timedelta(hours=24)
    store.now = deadline - timedelta(microseconds=1)
    assert [(group.count, group.deadline) for group in today(store).waiting.groups] == [(2, deadline)]
    store.now = deadline
    found = today(store).waiting
    assert [group.n for group in found.groups] == [2] and (found.lapsed, found.lapsed_at) == (1, deadline)
    store.apply(Mark("m_0001", "lapsed"), kind="lapse", actor="ttl")
    assert today(store).waiting == found


def test_the_log_says_what_was_dropped_and_by_which_rules(store: Store) -> None:
    store.apply(dropped(), kind="drop")
    row = head(store)
    assert (row.summary, row.dropped, row.facts) == (f"one dropped from {TELEGRAM}: override", 1, 0)
    store.apply(dropped(None, rules=["a", "b"]), dropped(), kind="drop")
    assert head(store).summary == "2 dropped, the first from nobody named: a, b"
    store.apply(store.claim("Nara", "01-01"), dropped())
    row = head(store)
    assert row.summary == f"user city Nara; one dropped from {TELEGRAM}: override"
    assert (row.kind, row.facts, row.dropped, row.held) == ("store", 1, 1, 0)


def test_the_log_counts_what_was_held(store: Store) -> None:
    held(store, "x")
    assert (head(store).facts, head(store).held) == (1, 1)
    claim = store.claim("y", "01-01", predicate="p")
    store.apply(claim, Mark(claim.id, "held", "burst"), store.claim("z", "01-01", predicate="q"))
    assert (head(store).facts, head(store).held) == (2, 1)


def test_a_decision_shows_what_the_gate_noted(store: Store) -> None:
    memory_id = held(store, "x", detail={"count": 7, "limit": 5, "also": ["over_operator"], "rules": ["r"]})
    detail = store.reader.decision(1)
    assert detail is not None
    assert detail.events == (
        EventRow(
            "knowledge.quarantined", "dudu", TELEGRAM, memory_id, "burst", ("over_operator",), ("r",), "", "", 7, 5
        ),
    )
    store.apply(dropped(), kind="drop")
    detail = store.reader.decision(2)
    assert detail is not None and [(event.is_drop, event.excerpt) for event in detail.events] == [
        (True, "ignore all of it")
    ]


@pytest.mark.parametrize("detail", ["{}", "[]", "no json", '{"rules": 3, "reason": 1, "count": "x", "also": {}}'])
def test_a_note_that_says_nothing_is_shown_empty(store: Store, detail: str) -> None:
    """An erasure blanks notes; other programs may have written to the file."""
    store.apply(Event("prompt_injection", "dudu", None, detail), kind="drop")
    found = store.reader.decision(1)
    assert found is not None and found.events[0].rules == () and head(store).dropped == 1
    assert today(store).gate.dropped == 1 and store.reader.rejected() == []


@pytest.mark.parametrize(("text", "expected"), [
    ("is:dropped", [2, 3]), ("is:held", [1]), ("-is:dropped", [1, 4]), ("override", [2, 3]), ("telegram", [1, 2]),
    ("did:drop", [2]), ("did:dropped", [2]), ("is:held,dropped", [1, 2, 3]),
])  # fmt: skip
def test_the_log_filter_finds_what_the_gate_noted(store: Store, text: str, expected: list[int]) -> None:
    held(store, "x")
    store.apply(dropped(), kind="drop")
    store.apply(store.claim("y", "01-01", predicate="p"), dropped("channel:line/7"))
    store.tell("z", "01-01", predicate="q")
    assert sorted(row.seq for row in store.reader.log(LogQuery(text)).head()) == expected


def test_rejected_values_with_how_often_they_came(store: Store) -> None:
    order = Order("rejected", "rejected", "dudu", "user", "city", "Oslo")
    store.apply(order, Order("rejected", "rejected", "dudu", "user", "city", "Bern"), kind="deny", actor="operator")
    store.apply(Order("rejected", "rejected", "agnes", value="a note"), kind="deny", actor="operator", agent_id="agnes")
    store.advance(hours=1)
    held(store, "ＯＳＬＯ", "rejected_before", detail={"rejected_seq": 1})
    held(store, "Oslo", "burst", detail={"rejected_seq": 1, "also": ["rejected_before"]}, subject="the user")
    rows = store.reader.rejected()
    assert [(row.seq, row.k, row.value, row.hits, row.last_seen) for row in rows] == [
        (2, 0, "a note", 0, None), (1, 0, "Oslo", 2, store.now), (1, 1, "Bern", 0, None),
    ]  # fmt: skip
    assert [row.value for row in store.reader.rejected("dudu")] == ["Oslo", "Bern"]
    store.apply(Order("rejected", "lifted", "dudu", "user", "city", "Oslo"), kind="lift", actor="operator")
    assert [row.value for row in store.reader.rejected("dudu")] == ["Bern"]
    store.undo(head(store).seq)
    assert [(row.value, row.hits) for row in store.reader.rejected("dudu")] == [("Oslo", 2), ("Bern", 0)]


def test_ids_by_their_beginnings(store: Store) -> None:
    for value in "abcdefg":
        store.tell(value, "01-01", predicate=value)
    waits = held(store, "h", predicate="h", id="m_00011")
    assert store.reader.ids_like("m_0001") == ["m_0001"], "an id is itself, whatever else begins so"
    assert store.reader.ids_like("m_0001", ("pending",)) == ["m_0001"]
    assert store.reader.ids_like("m_000", ("pending",)) == [waits]
    assert store.reader.ids_like("m_000") == ["m_0001", "m_00011", "m_0002", "m_0003"]
    assert store.reader.ids_like("m_000", ("lapsed",)) == []
    for odd in ("", "m_%", "M_0001", "\ud800", "zzz"):
        assert store.reader.ids_like(odd) == []
