"""What a typed day means, and that nothing is guessed where it means more than one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from memstation.domain.errors import InvalidInput
from memstation.station.days import read_day
from memstation.station.render.cells import runs, runs_width
from memstation.station.render.wrapping import labelled, wrap_runs
from memstation.station.words import _

NOW = datetime(2026, 4, 14, 9, 14, tzinfo=UTC)  # a Tuesday


@pytest.mark.parametrize(("text", "expected"), [
    ("2026-03-31", "2026-03-31 00:00"), ("2026-03-31 10:00", "2026-03-31 10:00"),
    ("2026-03-31T10:00+02:00", "2026-03-31 08:00"), ("0476-09-04", "0476-09-04 00:00"),
    ("today", "2026-04-14 00:00"), ("yesterday", "2026-04-13 00:00"), ("Tomorrow", "2026-04-15 00:00"),
    ("now", "2026-04-14 09:14"), ("last tue", "2026-04-07 00:00"), ("tue", "2026-04-07 00:00"),
    ("monday", "2026-04-13 00:00"), ("next tue", "2026-04-21 00:00"),
    ("31 mar", "2026-03-31 00:00"), ("March 31", "2026-03-31 00:00"), ("31 dec", "2025-12-31 00:00"),
    ("3 mar 2019", "2019-03-03 00:00"), ("29 feb", "2028-02-29 00:00"),
    ("end of march", "2026-04-01 00:00"), ("the end of april", "2026-05-01 00:00"),
    ("end of dec 2024", "2025-01-01 00:00"), ("end of 2025", "2026-01-01 00:00"),
    ("-7d", "2026-04-07 00:00"), ("3 days ago", "2026-04-11 00:00"), ("2 weeks ago", "2026-03-31 00:00"),
])  # fmt: skip
def test_a_day_is_read_as(text: str, expected: str) -> None:
    assert read_day(text, NOW) == datetime.fromisoformat(expected).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "text", ["", "2026-03", "2026", "03", "[", "last", "31 feb", "2026-02-30", "-9999999d", "999999 days ago", "march",
             "end of", "end of dec 9999", "\x1b[2J", "３", "0000-01-01", "10:00"],
)  # fmt: skip
def test_what_is_no_day_is_refused_with_examples(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_day(text, NOW)
    assert "2026-03-31" in refused.value.hint


def test_wrapping_keeps_every_character_and_the_width() -> None:
    text = "one two  three 日本語のとても長いテキスト👩‍👩‍👧 end\nnext [U+200B] line supercalifragilisticexpialidocious"
    for cells in range(4, 60):
        rows = wrap_runs(runs(text, lines=True), cells, 2)
        assert all(runs_width(row) <= max(cells, 4) for row in rows), cells
        shown = "".join("".join(part for part, _role in row) for row in rows)
        assert shown.replace(" ", "") == text.replace(" ", "").replace("\n", "")


def test_a_label_stands_once_and_its_text_hangs_beside_it() -> None:
    rows = ["".join(part for part, _role in row) for row in labelled(_("Told by"), runs("some words here"), 20, 10)]
    assert rows[0].startswith("Told by   some") and all(row.startswith(" " * 10) for row in rows[1:])
