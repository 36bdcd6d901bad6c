"""What the gate noted, in the Log's words: of a drop its rules and a piece, of a hold its reasons and counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from memstation.domain.decisions import DECISION_KINDS
from memstation.read.gate_rows import EventRow, GateCounts
from memstation.read.rows import LogDetail
from memstation.station.render.effects import plain
from memstation.station.render.glyphs import GLYPHS
from memstation.station.render.log_detail import statement_rows
from memstation.station.render.log_words import did, is_held
from memstation.station.render.needs import gate_runs

from station.fakes import HOSTILE, NOW, entry, fact

DROP = EventRow(
    "prompt_injection", "dudu", "channel:irc/9", rules=("override", "exfiltrate"), excerpt="ignore all of it"
)


def lines(kind: str = "store", events: tuple[EventRow, ...] = (), **more: Any) -> list[str]:
    row = entry(7, kind=kind, summary="one dropped", **more.pop("row", {}))
    detail = LogDetail(row, more.get("told", ()), more.get("marks", ()), (), (), events=events)
    return plain(statement_rows(detail, GLYPHS["plain"], NOW)).split("\n")


def test_a_drop_says_from_where_by_which_rules_and_shows_a_piece() -> None:
    sign = GLYPHS["plain"].states["withdrawn"]
    assert lines("drop", (DROP,), row={"facts": 0}) == [
        "dropped one dropped, for dudu",
        f"{sign} dropped from channel:irc/9, for dudu, override, exfiltrate",
        "  ignore all of it",
    ]


def test_hostile_notes_pass_the_safe_door() -> None:
    shown = "\n".join(
        lines("drop", (replace(DROP, origin=HOSTILE, excerpt=HOSTILE, rules=(HOSTILE,)),), row={"facts": 0})
    )
    assert "[U+001B]" in shown and not any(sign in shown for sign in "\x1b\x07\u202e\u200b\r\x9b")


@pytest.mark.parametrize(("event", "expected"), [
    (EventRow("knowledge.quarantined", "dudu", None, "m_0009", "burst", count=7, limit=5),
     "(a burst from one source, 7 new values (held from 5 on)): "),
    (EventRow("knowledge.quarantined", "dudu", None, "m_0009", "burst", also=("over_operator", "admission")),
     "(a burst from one source, also it would replace what you told, admission): "),
    (EventRow("knowledge.quarantined", "dudu", None, "m_0009", "burst", rejected_seq=4), ", rejected by #4): "),
    (EventRow("knowledge.quarantined", "dudu", None, "m_0009", "injection_suspect", rules=("x",)),
     "(a burst from one source): "),
    (EventRow("knowledge.quarantined", "dudu", None, None, "burst", count=7, limit=5), "(a burst from one source): "),
])  # fmt: skip
def test_a_hold_says_what_the_gate_saw_when_it_is_about_that_memory(event: EventRow, expected: str) -> None:
    held = fact(9, state="held")
    shown = lines(events=(event,), told=(held,), marks=(("held: burst", held),))
    assert len(shown) == 2 and shown[1].startswith("held for review (") and expected in shown[1]


def test_a_write_is_called_held_only_when_all_of_it_was() -> None:
    assert is_held(entry(1, facts=2, held=2)) and did(entry(1, facts=2, held=2)) == "held"
    assert not is_held(entry(1, facts=2, held=1)) and did(entry(1, facts=2, held=1)) == "stored"
    assert not is_held(entry(1, facts=0, held=0)) and not is_held(entry(1, kind="hold", facts=1, held=1))


@pytest.mark.parametrize(("kind", "expected"), [
    ("drop", "dropped"), ("approve", "approved"), ("deny", "denied"), ("edit", "edited"), ("hold", "held"),
    ("extend", "gave more time"), ("lapse", "let run out"), ("bring_back", "brought back"), ("lift", "lifted"),
])  # fmt: skip
def test_every_verdict_has_a_word(kind: str, expected: str) -> None:
    assert kind in DECISION_KINDS and did(entry(1, kind=kind)) == expected


def test_the_line_of_the_gate_is_quiet_when_nothing_happened() -> None:
    assert gate_runs(GateCounts()) == [("24 h: held 0, dropped 0, rejected values seen again 0", "muted")]
    assert gate_runs(GateCounts(24, 1_200, 0, 0)) == [("24 h: held 1,200, dropped 0, rejected values seen again 0", "")]
