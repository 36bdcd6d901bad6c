"""What was withdrawn stays in the history, with why, when, and by which decision."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from cli_runs import Program
from memstation import MemoryEntry, TemporalMeta, open_engine

START = datetime(2026, 3, 20, 10, 0, tzinfo=UTC)
CHAT = "channel:chat"


@pytest.fixture
def paid(program: Program) -> Program:
    program.store.parent.mkdir(parents=True, exist_ok=True)
    now = START

    def clock() -> datetime:
        return now

    with open_engine(program.store, clock=clock) as engine:

        def tell(value: str, origin: str) -> str:
            meta = TemporalMeta("pay", "iban", value, origin=origin)
            return engine.store_temporal(MemoryEntry("dudu", f"It is {value}."), meta).id

        tell("GOOD", "user_direct")
        now += timedelta(days=1)
        tell("BAD", CHAT)
        slip = tell("SLIP", "user_direct")
        engine.retract(slip)
        now += timedelta(days=1)
        engine.invalidate_by_origin("dudu", CHAT)
    return program


def test_a_history_says_what_withdrew(paid: Program) -> None:
    lines = paid("history", "dudu", "pay", "iban").lines
    assert len(lines) == 8, "two lines each, and one more for each that was withdrawn"
    [bad] = [place for place, line in enumerate(lines) if line.endswith("BAD")]
    [slip] = [place for place, line in enumerate(lines) if line.endswith("SLIP")]
    assert lines[bad].startswith("✗ withdrawn  2026-03-21 10:00, at no time")
    assert lines[bad + 2] == "  withdrawn 2026-03-22 10:00 by #5: its source was purged"
    assert lines[slip + 2] == "  withdrawn 2026-03-21 10:00 by #4: it was never true"
    rows = {row["object"]: row for row in paid("history", "dudu", "pay", "iban", "--json").json}
    assert {value: row["withdrawn_by"] for value, row in rows.items()} == {"GOOD": None, "BAD": 5, "SLIP": 4}
    assert rows["BAD"]["invalidated_by_event"] == "origin_purge"


def test_what_was_given_back_has_nothing_that_withdrew_it(paid: Program) -> None:
    assert paid("undo", "5").code == 0
    text = paid("history", "dudu", "pay", "iban").out
    assert "#5" not in text and "by #4" in text
    then = paid("history", "dudu", "pay", "iban", "--known-at", "#3", "--json").json
    assert [row["withdrawn_by"] for row in then] == [None, None, None], "as it was known then"
