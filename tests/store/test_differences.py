"""`MemoryEngine.differences`: what changed between two beliefs, from the API, and by which decision."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from memstation.domain.errors import InvalidInput

from engine_checks import START, new_store
from engine_facts import AGENT, tell


def kinds(rows: list[Any]) -> list[tuple[Any, ...]]:
    return [
        (r.predicate, r.kind, r.then and r.then.value, r.now and r.now.value, r.cause and r.cause.seq) for r in rows
    ]


def test_then_and_now_are_days_numbers_or_instants() -> None:
    with new_store() as store:
        engine = store.engine
        tell(engine, "Nara", "2026-01-01")
        store.clock.now += timedelta(days=1)
        tell(engine, "Osaka", "2026-01-03")
        store.clock.now += timedelta(days=1)
        changed = [("city", "changed", "Nara", "Osaka", 2)]
        for then in (2, "#2", START + timedelta(hours=1), "2026-01-05 01:00", "2026-01-05T01:00:00Z", "-2d"):
            assert kinds(engine.differences(AGENT, then)) == changed, then
        assert kinds(engine.differences(AGENT, "#1", "#1")) == [("city", "new", None, "Nara", 1)]
        assert kinds(engine.differences(AGENT, "#1", START)) == [("city", "new", None, "Nara", 1)]
        assert engine.differences(AGENT, "now") == engine.differences("bo", "#1") == []
        (row,) = engine.differences(AGENT, 2, filter_text="about:user")
        assert row.since == row.cause.at == datetime(2026, 1, 6, tzinfo=UTC)
        assert engine.differences(AGENT, 2, filter_text="about:acct") == []


def test_what_is_taken_back_between_two_moments_differs_nowhere_else() -> None:
    with new_store() as store:
        engine = store.engine
        first = tell(engine, "Nara", "2026-01-01")
        engine.retract(first.id)
        engine.undo(2)
        assert engine.differences(AGENT, "#2") == []
        assert kinds(engine.differences(AGENT, "#2", "#2")) == [("city", "gone", "Nara", None, 2)]
        assert kinds(engine.differences(AGENT, "#3")) == [("city", "new", None, "Nara", 3)]


def test_many_differences_come_as_one_list() -> None:
    with new_store() as store:
        for n in range(450):
            tell(store.engine, "x", "2026-01-01", subject=f"s{n}")
        found = store.engine.differences(AGENT, "#1")
        assert len(found) == 450 and [row.now.n for row in found] == sorted((r.now.n for r in found), reverse=True)
        assert [row.cause.seq for row in found] == list(range(450, 0, -1))


@pytest.mark.parametrize(("then", "now"), [
    ("#2", None), ("#0", None), (0, None), (-1, None), (True, None), ("someday", None), ("9999-01-01", None),
    ("#1", "#9"), ("now", "#1"), ("#1", "2026-01-01"), (1.5, None), (None, None),
])  # fmt: skip
def test_what_are_no_two_moments_is_refused(then: Any, now: Any) -> None:
    with new_store() as store:
        tell(store.engine, "Nara", "2026-01-01")
        store.clock.now += timedelta(days=1)
        with pytest.raises(InvalidInput):
            store.engine.differences(AGENT, then, now)
