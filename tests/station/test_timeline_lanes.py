"""The lanes: the axis fits any span, bars begin and end in the right cell, nothing far away hides the rest."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memstation.read.rows import Lane
from memstation.station.render.cells import runs_width
from memstation.station.render.glyphs import FINE, PLAIN, GlyphSet
from memstation.station.render.lanes import lane_rows, lanes_note, scale_of

NOW = datetime(2026, 4, 14, 9, 14, tzinfo=UTC)


def at(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]


def lane(n: int, state: str, value: str, start: datetime, until: datetime | None = None, *confirmed: datetime) -> Lane:
    return Lane(n, f"m_{n}", state, value, start, until, confirmed, 1.0, "operator")  # type: ignore[arg-type]


def drawn(lanes: Sequence[Lane], here: int = 2, cells: int = 80, lines: int = 6, glyphs: GlyphSet = PLAIN) -> list[str]:
    rows = lane_rows(lanes, here, glyphs, NOW, cells, lines)
    assert all(runs_width(row) <= cells for row in rows)
    return ["".join(part for part, _role in row).rstrip() for row in rows]


CHAIN = [
    lane(1, "closed", "Vercel", at(2026, 1, 1), at(2026, 3, 3), at(2026, 2, 1)),
    lane(2, "current", "Cloudflare Workers", at(2026, 3, 3), None, at(2026, 3, 20), at(2026, 4, 12)),
    lane(3, "held", "Heroku", at(2026, 4, 14, 9, 2)),
]


def test_the_chain_of_the_wireframe() -> None:
    axis, vercel, workers, heroku, legend = drawn(CHAIN)
    assert "Jan 2026" in axis and "Feb" in axis and "|now" in axis
    assert vercel.startswith(" - Vercel") and "[--" in vercel and "+" in vercel
    assert workers.startswith(">= Cloudflare Workers") and workers.endswith(">")
    assert vercel.index(")") == workers.index("["), "one ends in the cell in which the other begins"
    assert heroku.startswith(" ? Heroku (held)") and "?...." in heroku
    now = axis.index("|now")
    assert vercel[now] == workers[now] == "|", "the present is drawn through every lane"
    assert "[ from" in legend and ") until" in legend


@pytest.mark.parametrize(("first", "second", "label"), [
    (at(2026, 4, 14, 8), at(2026, 4, 14, 8, 40), "08:45"),
    (at(2026, 4, 10), at(2026, 4, 12), "12 Apr"),
    (at(2025, 6, 1), at(2026, 2, 1), "Jan 2026"),
    (at(1962, 2, 2), at(1990, 8, 6), "2000"),
    (at(962, 2, 2), at(1806, 8, 6), "1400"),
    (at(1, 1, 1), at(1000, 1, 1), "1000"),
])  # fmt: skip
def test_the_axis_adapts_from_hours_to_centuries(first: datetime, second: datetime, label: str) -> None:
    rows = drawn([lane(1, "closed", "old", first, second), lane(2, "current", "new", second)])
    assert label in rows[0] and "now" in rows[0]
    assert rows[1].index(")") == rows[2].index("[")


def test_a_chain_that_ended_long_ago_is_shown_without_the_present() -> None:
    rows = drawn([lane(1, "closed", "Romulus", at(475, 10, 31), at(476, 9, 4)),
                  lane(2, "closed", "Odoacer", at(476, 9, 4), at(493, 3, 15))])  # fmt: skip
    assert "now" not in rows[0] and "480" in rows[0] and rows[2].endswith(")")


def test_an_end_in_the_year_9999_does_not_hide_the_rest() -> None:
    rows = drawn([lane(1, "closed", "trial", at(2026, 3, 1), at(2026, 4, 1)),
                  lane(2, "current", "pro", at(2026, 4, 1), at(9999, 12, 31))])  # fmt: skip
    assert "Mar 2026" in rows[0] and rows[2].endswith("..)"), rows
    rows = drawn([lane(1, "closed", "old", at(1, 1, 1), at(2026, 3, 1)), lane(2, "current", "new", at(2026, 3, 1))])
    assert "Mar" in rows[0] and " ..-" in rows[1]


def test_what_changed_today_does_not_cut_off_what_began_weeks_ago() -> None:
    rows = drawn([lane(1, "closed", "10:00", at(2026, 2, 2), at(2026, 4, 14, 7, 31)),
                  lane(2, "current", "09:30", at(2026, 4, 14, 7, 31))])  # fmt: skip
    assert "Mar" in rows[0] and ".." not in rows[1] and "[" in rows[1]


def test_what_has_no_room_is_counted_and_the_one_under_the_cursor_is_shown() -> None:
    many = [lane(n, "closed", f"v{n}", at(2024, n, 1), at(2024, n + 1, 1)) for n in range(1, 12)]
    rows = drawn(many, here=6)
    assert len(rows) == 6 and any(row.startswith(">- v6") for row in rows)
    assert "above" in rows[0] and "below" in rows[0]
    assert any(row.startswith(">- v1 ") for row in drawn(many, here=1))
    assert "".join(part for part, _role in lanes_note(many, 300)).endswith("300 more far away")


def test_a_withdrawn_lane_is_a_sign_with_its_word() -> None:
    rows = drawn([lane(1, "withdrawn", "@ops_helper", at(2026, 4, 9), at(2026, 4, 9)), CHAIN[1]])
    assert "x withdrawn" in rows[1]


def test_nothing_to_draw_is_nothing() -> None:
    assert drawn([]) == [] and drawn(CHAIN, lines=1) == []


instants = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59)).map(
    lambda moment: moment.replace(tzinfo=UTC)
)
windows = st.tuples(
    instants, st.none() | instants, st.sampled_from(["current", "scheduled", "closed", "held", "withdrawn"]),
    st.lists(instants, max_size=3), st.text(max_size=40),
)  # fmt: skip


@given(st.lists(windows, min_size=1, max_size=6), st.integers(30, 130), st.integers(2, 9), st.booleans())
def test_any_lanes_in_any_size_keep_to_their_cells(rows: list[tuple], cells: int, lines: int, fine: bool) -> None:  # type: ignore[type-arg]
    lanes = [
        lane(n, state, value, start, None if until is None else max(start, until), *confirmed)
        for n, (start, until, state, confirmed, value) in enumerate(rows)
    ]
    assert len(drawn(lanes, 0, cells, lines, FINE if fine else PLAIN)) <= lines


@given(instants, st.timedeltas(timedelta(0), timedelta(days=4000)))
def test_columns_keep_the_order_of_time(start: datetime, length: timedelta) -> None:
    try:
        until = start + length
    except OverflowError:
        return
    scale = scale_of([lane(1, "closed", "x", start, until), lane(2, "current", "y", until)], NOW, 60)
    assert scale.column(start) <= scale.column(until)
