"""What Today shows: counts that agree with the rows, what is due, what waits, what changed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from memstation.domain.decisions import Mark
from memstation.read.gate_rows import HeldGroup, Waiting
from memstation.read.rows import Overview
from memstation.station.render.glyphs import GLYPHS, done_sign
from read_stores import START, Store, open_store
from test_read_belief import tell_random

from engine_histories import EPOCH


def at(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-{text}").replace(tzinfo=UTC)


def today(store: Store, since: datetime | None = None, me: str = "operator") -> Overview:
    return store.reader.overview(since, me)


def counts(overview: Overview) -> dict[str, tuple[int, int, int, int]]:
    return {row.agent_id: (row.facts, row.new, row.changed, row.held) for row in overview.agents}


def test_an_empty_store(store: Store) -> None:
    found = today(store)
    assert (found.agents, found.due, found.waiting, found.changes) == ((), (), Waiting(), ())
    assert (found.held_count, found.new, found.changed, found.head, found.mine) == (0, 0, 0, None, None)
    assert store.reader.agents() == [] and store.reader.nearest_agent("dudu") is None


def test_agents_with_what_they_have(store: Store) -> None:
    store.tell("Nara", "01-01")
    store.tell("Nara", "01-10")
    store.tell("Osaka", "02-01")
    store.tell("later", "05-01", predicate="office")
    store.tell("bounded", "01-01", "02-01", predicate="plan")
    store.hold("Heroku", "04-01")
    lie = store.tell("Lie", "01-01", predicate="lie")
    store.mark(lie, "withdrawn", "retracted")
    denied = store.hold("No", "01-01", predicate="no")
    store.mark(denied, "denied")
    gone = store.apply(store.claim("Gone", "01-01", predicate="gone"))
    store.undo(gone.seq)
    store.tell("x", "01-01", agent_id="agnes")
    store.many("speaks", agent="*")
    found = today(store)
    assert counts(found) == {"dudu": (1, 4, 0, 1), "agnes": (1, 1, 0, 0)}
    assert [row.agent_id for row in found.agents] == ["agnes", "dudu"]
    assert (found.held_count, found.new, [row.n for row in found.waiting.groups]) == (1, 5, [6])
    assert store.reader.agents() == ["agnes", "dudu"]


def test_what_changed_since_a_visit(store: Store) -> None:
    store.tell("Nara", "01-01")
    old = store.tell("x", "01-01", predicate="p")
    store.advance(hours=1)
    visit = store.now
    store.advance(hours=1)
    store.tell("Osaka", "02-01")
    store.tell("new", "02-01", predicate="q", agent_id="agnes")
    store.hold("Heroku", "04-01", agent_id="agnes")
    store.mark(old, "withdrawn", "retracted")
    found = today(store, visit)
    assert counts(found) == {"dudu": (1, 1, 2, 0), "agnes": (1, 1, 0, 1)}
    assert (found.since, found.new, found.changed) == (visit, 2, 2)
    assert [(c.seq, c.fact.value, c.fact.state, c.agent_id, c.actor) for c in found.changes] == [
        (6, "x", "withdrawn", "dudu", "operator"), (5, "Heroku", "held", "agnes", "agent"),
        (4, "new", "current", "agnes", "agent"), (3, "Osaka", "current", "dudu", "agent"),
    ]  # fmt: skip
    assert {c.at for c in found.changes} == {store.now}
    nothing = today(store, store.now)
    assert (nothing.new, nothing.changed, nothing.changes) == (0, 0, ())
    assert counts(nothing) == {"dudu": (1, 0, 0, 0), "agnes": (1, 0, 0, 1)}


def test_a_change_is_what_was_done_then_not_what_holds_now(store: Store) -> None:
    shaky, held = store.tell("x", "01-01", predicate="p"), store.hold("y", "01-01", predicate="q")
    store.mark(shaky, "trust", "", 0.4)
    store.mark(shaky, "withdrawn", "retracted")
    store.mark(held, "released")
    claim = store.claim("z", "01-01", predicate="r")
    undone = store.apply(claim)
    store.undo(undone.seq)
    taken_back = store.mark(held, "trust", "", 0.9)
    store.undo(taken_back.seq)
    kept = store.claim("Nara", "01-01")
    store.apply(kept)
    store.end(kept, "02-01")
    changes = today(store).changes
    assert [(change.fact.value, change.done) for change in reversed(changes)] == [
        ("x", "told"), ("y", "held"), ("x", "trust"), ("x", "withdrawn"), ("y", "released"), ("z", "told"),
        ("z", "undone"), ("y", "undone"), ("Nara", "told"), ("Nara", "ended"),
    ]  # fmt: skip
    signs = [
        str(done_sign(GLYPHS["plain"], change.done, change.fact.state, change.fact.tainted))
        for change in reversed(changes)
    ]
    assert signs[:7] == [
        "+ told", "? held", "~ trust set", "✗ withdrawn", "= released", "+ told", "- undone",
    ]  # fmt: skip


def test_ends_and_undos_are_changes_too(store: Store) -> None:
    claim = store.claim("Nara", "01-01")
    store.apply(claim)
    told = store.apply(store.claim("x", "01-01", predicate="p"))
    store.advance(hours=1)
    visit = store.now
    store.advance(hours=1)
    store.end(claim, "02-01")
    store.undo(told.seq)
    found = today(store, visit)
    assert [(c.seq, c.fact.value, c.fact.state) for c in found.changes] == [
        (4, "x", "withdrawn"), (3, "Nara", "closed"),
    ]  # fmt: skip


def test_at_most_fifty_changes_newest_first(store: Store) -> None:
    store.apply(*(store.claim("x", "01-01", predicate=f"p{n}") for n in range(80)))
    found = today(store)
    assert [c.fact.n for c in found.changes] == list(range(80, 30, -1))


def test_what_is_due_within_a_day(store: Store) -> None:
    """Agnes office_wifi and dudu trial_plan end today; a value that takes over is a start, not an end."""
    store.tell("guest", "01-01", "04-01T18:00", agent_id="agnes", predicate="office_wifi")
    store.tell("Pro", "01-01", "04-02T08:59", predicate="trial_plan")
    store.tell("台北", "01-01", predicate="office")
    store.tell("東京", "04-01T12:00", predicate="office")
    store.tell("far", "04-02T09:01", predicate="far")
    store.tell("ended", "01-01", "04-01T09:00", predicate="ended")
    store.tell("never", "04-01T10:00", predicate="never")
    store.tell("really", "04-01T10:00", predicate="never")
    lie = store.tell("lie", "04-01T11:00", predicate="lie")
    store.mark(lie, "withdrawn", "retracted")
    store.hold("held", "04-01T11:00", predicate="held")
    found = today(store)
    assert [(row.fact.value, row.at, row.starts) for row in found.due] == [
        ("really", at("04-01T10:00"), True), ("東京", at("04-01T12:00"), True),
        ("guest", at("04-01T18:00"), False), ("Pro", at("04-02T08:59"), False),
    ]  # fmt: skip
    store.advance(days=2)
    assert today(store).due == ()


def test_what_waits_in_groups(store: Store) -> None:
    for number in range(15):
        store.hold(f"a{number}", "01-01", origin="channel:a")
        store.hold(f"b{number}", "01-01", agent_id="agnes", subject=f"s{number}")
    found = today(store)
    assert found.held_count == 30
    assert found.waiting.groups == (
        HeldGroup("dudu", "channel:a", "burst", 15, "user", None, 1),
        HeldGroup("agnes", None, "burst", 15, None, None, 2),
    )  # fmt: skip


def test_writes_by_day_and_the_last_one(store: Store) -> None:
    store.tell("Nara", "01-01")
    store.tell("old", "01-01", agent_id="kei")
    store.advance(days=20)
    for _ in range(3):
        store.tell("Nara", "02-01")
    store.advance(days=13)
    store.apply(store.claim("a", "01-01", predicate="a"), store.claim("b", "01-01", agent_id="agnes"), agent_id="")
    store.now = store.now.replace(hour=23)
    rows = {row.agent_id: row for row in today(store).agents}
    assert rows["dudu"].days == (3, *([0] * 12), 1)
    assert rows["agnes"].days == (*([0] * 13), 1)
    assert rows["kei"].days == (0,) * 14
    assert rows["kei"].last_write == START
    assert rows["agnes"].last_write == rows["dudu"].last_write == START + timedelta(days=33)
    store.advance(hours=2)
    assert today(store).agents[0].days[-2:] == (1, 0)


def test_the_head_and_the_operators_own_last_decision(store: Store) -> None:
    store.tell("Nara", "01-01")
    mine = store.mark("m_0001", "trust", value=0.5)
    taken_back = store.mark("m_0001", "cap", value=0.1)
    store.ledger.undo(taken_back.seq, "agent")
    found = today(store)
    assert found.head is not None and found.head == store.reader.head() and found.head.seq == 4
    assert found.mine is not None and found.mine.seq == mine.seq
    assert today(store, me="nobody").mine is None


@pytest.mark.parametrize(("typed", "expected"), [
    ("dodo", "dudu"), ("Dudu", "dudu"), (" agens ", "agnes"), ("DUDU2", "dudu"), ("xyzzy", None), ("", None),
])  # fmt: skip
def test_the_nearest_agent(store: Store, typed: str, expected: str | None) -> None:
    store.tell("x", "01-01")
    store.tell("x", "01-01", agent_id="agnes")
    assert store.reader.nearest_agent(typed) == expected


@pytest.mark.parametrize("seed", range(6))
def test_counts_by_index_are_the_counts_of_the_rows(tmp_path: Path, seed: int) -> None:
    """After any history, at any time: current, held and new are what the list shows."""
    from memstation.read.timeline import TimelineQuery

    with open_store(tmp_path / "store.db") as store:
        store.now = EPOCH + timedelta(days=3)
        applied: list[Any] = list(tell_random(store, seed, 90))
        visit = applied[60]
        # Of decisions at one instant the last was seen.
        seen_n = max(
            (last_n for at, last_n in _entries(store) if at <= visit.at.isoformat(timespec="microseconds")), default=0
        )
        for _ in range(6):
            found = today(store, visit.at)
            for row in found.agents:
                listed = store.reader.timeline(TimelineQuery(row.agent_id)).head()
                assert row.facts == sum(fact.state == "current" for fact in listed)
                assert row.held == sum(fact.state == "held" for fact in listed)
                facts = [fact for fact in listed if fact.state not in ("held", "withdrawn")]
                assert row.new == sum(fact.n > seen_n for fact in facts)
            assert found.held_count == sum(row.held for row in found.agents)
            store.advance(days=1)


def _entries(store: Store) -> Any:
    with store.database.reading() as conn:
        return conn.cursor().execute("SELECT at, last_n FROM journal WHERE last_n IS NOT NULL").fetchall()


def test_what_was_denied_and_then_released_counts_again(store: Store) -> None:
    held = store.hold("x", "01-01")
    store.mark(held, "denied")
    assert counts(today(store)) == {"dudu": (0, 0, 0, 0)}
    store.apply(Mark(held, "released"), actor="operator")
    assert counts(today(store)) == {"dudu": (1, 1, 0, 0)}
