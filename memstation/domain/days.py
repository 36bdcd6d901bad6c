"""What a typed day means, as one instant in UTC. Pure: the present is an argument, and nothing is guessed silently.

ISO dates and times as `domain.instants` reads them; ``today``, ``yesterday``, ``tomorrow``, ``now``; ``tue`` and
``last tue`` (the one before today), ``next tue``; ``31 mar``, ``mar 31``, with a year or the nearest one without;
``end of march`` (the instant at which it ends); ``-7d``, ``3 days ago``, ``2 weeks ago``.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from memstation.domain.errors import InvalidInput
from memstation.domain.instants import as_instant
from memstation.words import N_

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_LONG_MONTHS = tuple(name.lower() for name in calendar.month_name[1:])
_LONG_DAYS = tuple(name.lower() for name in calendar.day_name)
HINT = N_("as in 2026-03-31, 2026-03-31 10:00, yesterday, last tue, 31 mar, end of march")


def read_day(text: str, now: datetime) -> datetime:
    """The instant that the text means.

    Raises:
        InvalidInput: it cannot be read, or means more than one day.
    """
    now = now.astimezone(UTC)
    words = " ".join(text.lower().replace(",", " ").split())
    if not words:
        raise InvalidInput("Give a day", "", HINT)
    for shape, read in _SHAPES:
        found = shape.fullmatch(words)
        if found is not None:
            try:
                return read(found, now)
            except (ValueError, OverflowError) as error:
                raise InvalidInput("There is no such day", "{error}", HINT, error=error) from error
    if re.fullmatch(r"\d{1,4}(-\d{1,2})?", words, re.ASCII):
        raise InvalidInput("Give a day, too", "{words}", HINT, words=words)
    try:
        return as_instant(text.strip(), "day")
    except InvalidInput as error:
        raise InvalidInput("This cannot be read as a day", "{text}", HINT, text=text.strip()[:40]) from error


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def _near(found: re.Match[str], now: datetime) -> datetime:
    step = {"today": 0, "yesterday": -1, "tomorrow": 1}[found[0]]
    return _midnight(now) + timedelta(days=step)


def _weekday(found: re.Match[str], now: datetime) -> datetime:
    wanted = next(place for place, name in enumerate(_DAYS) if found["day"].startswith(name))
    today = _midnight(now)
    if found["which"] == "next":
        return today + timedelta(days=(wanted - today.weekday() - 1) % 7 + 1)
    return today - timedelta(days=(today.weekday() - wanted - 1) % 7 + 1)


def _month(name: str) -> int:
    return next(place for place, short in enumerate(_MONTHS, 1) if name.startswith(short))


def _nearest(now: datetime, year: str | None, in_year: Callable[[int], datetime]) -> datetime:
    """In the year given, else in the one in which it lies nearest to the present."""
    if year:
        return in_year(int(year))
    candidates = []
    for step in (0, -1, 1, -2, 2, -3, 3, -4, 4):
        try:
            candidates.append(in_year(now.year + step))
        except ValueError:
            continue
        if len(candidates) == 3:
            break
    if not candidates:
        raise ValueError("no year near this one has that day")
    return min(candidates, key=lambda moment: abs(moment - now))


def _day_of_month(found: re.Match[str], now: datetime) -> datetime:
    month, day = _month(found["month"]), int(found["d"])
    return _nearest(now, found["year"], lambda year: datetime(year, month, day, tzinfo=UTC))


def _end_of_month(found: re.Match[str], now: datetime) -> datetime:
    month = _month(found["month"])

    def end(year: int) -> datetime:
        return datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)

    return _nearest(now, found["year"], end)


def _end_of_year(found: re.Match[str], _now: datetime) -> datetime:
    return datetime(int(found["year"]) + 1, 1, 1, tzinfo=UTC)


def _ago(found: re.Match[str], now: datetime) -> datetime:
    count = int(found["n"]) * (7 if found["unit"].startswith("w") else 1)
    return _midnight(now) - timedelta(days=count)


_DAY = "(?P<day>" + "|".join((*_LONG_DAYS, "tues", "thur", "thurs", *_DAYS)) + ")"
_MON = "(?P<month>" + "|".join((*_LONG_MONTHS, "sept", *_MONTHS)) + ")"
_YEAR = r"(?: (?P<year>\d{4}))?"

_SHAPES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], datetime], datetime]], ...] = (
    (re.compile(r"now"), lambda _found, now: now),
    (re.compile(r"today|yesterday|tomorrow"), _near),
    (re.compile(rf"(?:(?P<which>last|next) )?{_DAY}"), _weekday),
    (re.compile(rf"(?P<d>\d{{1,2}}) {_MON}{_YEAR}", re.ASCII), _day_of_month),
    (re.compile(rf"{_MON} (?P<d>\d{{1,2}}){_YEAR}", re.ASCII), _day_of_month),
    (re.compile(rf"(?:the )?end of {_MON}{_YEAR}", re.ASCII), _end_of_month),
    (re.compile(r"(?:the )?end of (?P<year>\d{4})", re.ASCII), _end_of_year),
    (re.compile(r"-(?P<n>\d{1,6}) ?(?P<unit>d|w)", re.ASCII), _ago),
    (re.compile(r"(?P<n>\d{1,6}) (?P<unit>days?|weeks?) ago", re.ASCII), _ago),
)
