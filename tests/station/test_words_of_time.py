"""Times as the operator reads them, and the small charts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from memstation.station.render import when
from memstation.station.render.glyphs import FINE, PLAIN, state_sign
from memstation.station.render.safe import Safe
from memstation.station.render.spark import DIGITS, levels, sparkline

NOW = datetime(2026, 4, 14, 9, 14, tzinfo=UTC)


def test_days() -> None:
    assert when.day(datetime(2026, 3, 3, tzinfo=UTC), NOW) == "03 Mar"
    assert when.day(datetime(2025, 3, 3, tzinfo=UTC), NOW) == "2025-03"
    assert when.spoken_day(datetime(2025, 3, 3, tzinfo=UTC), NOW) == "3 Mar 2025"
    assert when.day(datetime(1, 1, 1, tzinfo=UTC), NOW) == "0001-01"


@pytest.mark.parametrize(
    ("back", "lately", "spoken"),
    [
        ({"minutes": 3}, "09:11", "today 09:11"),
        ({"hours": 15}, "Mon 18:14", "Mon 13 Apr 18:14"),
        ({"days": 6}, "Wed 09:14", "Wed 8 Apr 09:14"),
        ({"days": 7}, "07 Apr", "Tue 7 Apr 09:14"),
        ({"days": -1}, "15 Apr", "tomorrow 09:14"),
    ],
)
def test_lately(back: dict[str, int], lately: str, spoken: str) -> None:
    moment = NOW - timedelta(**back)
    assert (when.lately(moment, NOW), when.spoken(moment, NOW)) == (lately, spoken)


def test_other_zones_are_told_in_utc() -> None:
    taipei = timezone(timedelta(hours=8))
    assert when.full(datetime(2026, 4, 7, 8, tzinfo=taipei)) == "Tue 7 Apr 2026 00:00 UTC"


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ({"hours": 3, "minutes": 12}, "3h 12m left"), ({"hours": 21, "minutes": 59}, "21h left"),
        ({"minutes": 12}, "12m left"), ({"days": 4, "hours": 2}, "4 days left"), ({}, "due"), ({"days": -1}, "due"),
    ],
)  # fmt: skip
def test_time_left(rest: dict[str, int], said: str) -> None:
    assert when.left(NOW + timedelta(**rest), NOW) == said


def test_windows() -> None:
    start = datetime(2026, 3, 3, tzinfo=UTC)
    assert when.window(start, None, NOW) == "3 Mar, no end"
    assert when.window(start, datetime(2026, 4, 1, tzinfo=UTC), NOW) == "3 Mar to 1 Apr"
    assert when.window(start, start + timedelta(hours=2), NOW) == "3 Mar 00:00 to 02:00"


def test_a_chart_has_one_cell_a_day_and_shows_the_least_there_is() -> None:
    assert sparkline([0, 1, 1000], PLAIN) == "⡀⣀⣿"
    assert sparkline([0, 0], FINE) == "▁▁"
    assert levels([0, 1, 9, 4], DIGITS) == "0194"
    assert sparkline([], FINE) == ""


def test_a_sign_is_glyph_and_word_and_role() -> None:
    assert str(state_sign(PLAIN, "held")) == "? held"
    assert state_sign(PLAIN, "current", tainted=True) == state_sign(PLAIN, "scheduled", tainted=True)
    assert state_sign(FINE, "withdrawn", tainted=True).word == Safe("withdrawn")
    assert len({FINE.states[state] for state in FINE.states}) == len(FINE.states)


def test_a_window_shorter_than_a_minute_shows_what_tells_its_ends_apart() -> None:
    start = datetime(2026, 3, 3, 10, 0, 15, 100_000, tzinfo=UTC)
    now = datetime(2026, 4, 14, tzinfo=UTC)
    assert when.window(start, start.replace(second=40), now) == "3 Mar 10:00:15 to 10:00:40"
    assert when.window(start, start.replace(microsecond=200_000), now) == "3 Mar 10:00:15.100 to 10:00:15.200"
    assert when.window(start, start.replace(microsecond=100_001), now) == "3 Mar 10:00:15.100000 to 10:00:15.100001"
