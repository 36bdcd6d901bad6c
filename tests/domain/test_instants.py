"""One shape in, one shape stored (cases C03 and C04 at their root)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memstation.domain.errors import InvalidInput
from memstation.domain.instants import as_instant, from_text, to_text


@pytest.mark.parametrize(
    ("given_text", "stored"),
    [
        ("2026-02-20T17:00:00Z", "2026-02-20T17:00:00.000000+00:00"),
        ("2026-02-20T17:00:00+00:00", "2026-02-20T17:00:00.000000+00:00"),
        ("2026-02-20 17:00:00", "2026-02-20T17:00:00.000000+00:00"),
        ("2026-02-20T17:00", "2026-02-20T17:00:00.000000+00:00"),
        ("2026-02-20t17:00:00z", "2026-02-20T17:00:00.000000+00:00"),
        (" 2026-02-20T17:00:00 Z ", "2026-02-20T17:00:00.000000+00:00"),
        ("2026-02-20T22:15:00+05:45", "2026-02-20T16:30:00.000000+00:00"),
        ("2026-02-20T22:15:00+0545", "2026-02-20T16:30:00.000000+00:00"),
        ("2026-02-20T22:15:00-08", "2026-02-21T06:15:00.000000+00:00"),
        ("2026-02-20T08:30:15.004Z", "2026-02-20T08:30:15.004000+00:00"),
        ("2026-02-20T08:30:15,5Z", "2026-02-20T08:30:15.500000+00:00"),
        ("2026-02-20T08:30:15.123456789Z", "2026-02-20T08:30:15.123456+00:00"),
        ("2026-02-20T08:30:15.999999999Z", "2026-02-20T08:30:15.999999+00:00"),
        ("2026-06-12", "2026-06-12T00:00:00.000000+00:00"),
        ("0645-06-19", "0645-06-19T00:00:00.000000+00:00"),
        ("0001-01-01", "0001-01-01T00:00:00.000000+00:00"),
        ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999+00:00"),
        ("2024-02-29", "2024-02-29T00:00:00.000000+00:00"),
    ],
)
def test_every_spelling_is_stored_in_one_shape(given_text: str, stored: str) -> None:
    assert to_text(as_instant(given_text)) == stored


@pytest.mark.parametrize(
    "wrong",
    [
        "", " ", "yesterday", "2026", "2026-06", "2026-6-1", "2026-06-12T", "2026-06-12T10", "20260612",
        "2026-02-30", "2025-02-29", "2026-13-01", "2026-00-01", "2026-01-01T24:00:00", "2026-01-01T10:60",
        "2026-01-01T10:00:60", "2026-01-01T10:00:00+24:00", "2026-01-01T10:00:00+05:60", "0000-01-01",
        "10000-01-01", "-2026-01-01", "２０２６-01-01", "2026-01-01T10:00:00Zulu", "2026-01-01Z",
        "2026-01-01\n2026-01-02", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-00:01",
    ],
)  # fmt: skip
def test_what_is_not_a_time_is_refused(wrong: str) -> None:
    with pytest.raises(InvalidInput):
        as_instant(wrong)


@pytest.mark.parametrize("wrong", [None, 0, 1.5, True, b"2026-01-01", ["2026-01-01"]])
def test_what_has_another_type_is_refused(wrong: object) -> None:
    with pytest.raises(InvalidInput, match="start"):
        as_instant(wrong, "start")  # type: ignore[arg-type]


def test_the_refusal_names_the_field() -> None:
    with pytest.raises(InvalidInput, match="valid_until") as caught:
        as_instant("soon", "valid_until")
    assert "soon" in caught.value.detail and caught.value.hint


def test_dates_and_datetimes_are_read_like_text() -> None:
    midnight = datetime(2026, 6, 12, tzinfo=UTC)
    assert as_instant(date(2026, 6, 12)) == midnight
    assert as_instant(datetime(2026, 6, 12)) == midnight
    assert as_instant(datetime(2026, 6, 12, 8, tzinfo=timezone(timedelta(hours=8)))) == midnight
    assert as_instant(midnight).tzinfo is UTC


def test_a_datetime_beyond_the_years_is_refused() -> None:
    with pytest.raises(InvalidInput):
        as_instant(datetime.max.replace(tzinfo=timezone(timedelta(hours=-1))))


moments = st.datetimes(timezones=st.just(UTC))


@given(moments)
def test_stored_text_gives_the_instant_back(moment: datetime) -> None:
    assert from_text(to_text(moment)) == moment
    assert as_instant(to_text(moment)) == moment
    assert len(to_text(moment)) == 32


@given(moments, moments)
def test_text_order_is_time_order(one: datetime, other: datetime) -> None:
    assert (to_text(one) < to_text(other)) == (one < other)


@given(moments, st.integers(-14 * 60, 14 * 60))
def test_the_zone_of_an_instant_does_not_show(moment: datetime, minutes: int) -> None:
    if not timedelta(days=1) < moment.replace(tzinfo=None) - datetime.min < timedelta(days=3_652_050):
        return
    elsewhere = moment.astimezone(timezone(timedelta(minutes=minutes)))
    assert to_text(elsewhere) == to_text(moment)
    assert as_instant(elsewhere.isoformat()) == moment
