"""Windows that are empty, counts of one, and what is left without a value: each is said once, and as it is."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from memstation.commandline.showing import window as window_in_full
from memstation.domain.decisions import Effects, FactChange
from memstation.ops import correct
from memstation.read.conflict_rows import Conflict
from memstation.read.reader import Reader
from memstation.station.render.conflict_words import conflict_text, how_often
from memstation.station.render.effects import effects_lines, plain
from memstation.station.render.glyphs import FINE
from memstation.station.render.held_effects import _with_rest
from memstation.station.render.when import window

from station.fakes import NOW
from station.names_store import the_names
from station.timeline_store import Story

START = NOW.replace(hour=0, minute=3)


def test_what_ends_as_it_begins_held_at_no_time() -> None:
    assert window(START, START, NOW) == "14 Apr, at no time"
    assert window(START, START - timedelta(days=1), NOW) == "14 Apr, at no time"
    assert window(START, START + timedelta(microseconds=1), NOW) == "14 Apr 00:03:00.000000 to 00:03:00.000001"
    assert window_in_full(START, START) == "2026-04-14 00:03, at no time"
    assert window_in_full(START, START + timedelta(seconds=2)) == "2026-04-14 00:03:00 to 2026-04-14 00:03:02"


@pytest.mark.parametrize(("times", "days", "words"), [
    (4, 1, "4 times in 1 day"), (1, 2, "1 time in 2 days"), (4, 30, "4 times in 30 days"),
])  # fmt: skip
def test_one_day_is_one_day(times: int, days: int, words: str, tmp_path: Path) -> None:
    story = the_names(tmp_path / "agents.db")
    reader: Reader = story.engine.reader
    flaps = next(row for row in reader.names("dudu").conflicts if row.kind == "flaps")
    conflict: Conflict = replace(flaps, times=times, days=days)
    assert how_often(conflict) == words and conflict_text(conflict).endswith(f", {words}")
    story.engine.close()


def test_what_is_left_without_a_value_is_told_once(tmp_path: Path) -> None:
    story = Story(tmp_path / "agents.db")
    fact = story.tell("2026-01-01 09:00", "user_direct", ("boss", "city", "Taipei"))
    story.now = NOW

    def build(looking: Any) -> Any:
        return correct.stopped_being_true(looking, fact, NOW - timedelta(days=2), lambda _at: "m_end", actor="operator",
                                          agent_id="dudu")  # fmt: skip

    _decision, effects = story.engine.propose(build)
    assert effects.emptied and effects.gaps, "it says that there is none now, and from when on"
    text = plain(effects_lines(effects, FINE, NOW))
    assert "has no value any more" not in text
    assert "from 12 Apr on, dudu knows nothing about boss city" in text
    rest = "".join(words for words, _role in _with_rest([], (), effects))
    assert "1 fact is left without a value" in rest
    changes: tuple[FactChange, ...] = effects.changes
    later = Effects(effects.emptied, tuple((*gap[:3], NOW + timedelta(days=9)) for gap in effects.gaps), (), (), {},
                    lambda: changes, str)  # fmt: skip
    both = plain(effects_lines(later, FINE, NOW))
    assert "has no value any more for boss city" in both and "from 23 Apr on" in both, "two different days"
    story.engine.close()
