"""Instants: one shape in, one shape stored. It must not read a clock.

Stored text is UTC with six fractional digits, ``2026-03-03T00:00:00.000000+00:00``, so that text order is time
order. Windows are half-open: ``[from, until)``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import TypeAlias

from memstation.domain.errors import InvalidInput

Clock: TypeAlias = Callable[[], datetime]
"""Returns the present as an aware datetime."""

InstantLike: TypeAlias = datetime | date | str

_SHAPE = re.compile(
    r"""
    (?P<y>\d{4})-(?P<mo>\d{2})-(?P<d>\d{2})
    (?:[T\ t]
        (?P<h>\d{2}):(?P<mi>\d{2})(?::(?P<s>\d{2})(?:[.,](?P<f>\d{1,9}))?)?
        \s?(?P<zone>[Zz]|[+-]\d{2}(?::?\d{2})?)?
    )?
    """,
    re.VERBOSE | re.ASCII,
)


def as_instant(value: InstantLike, what: str = "time") -> datetime:
    """Read a date, a datetime or ISO 8601 text as an aware UTC instant.

    A date means 00:00 UTC that day; a time without a zone is UTC; digits beyond the microsecond are dropped.
    ``what`` names the field in the refusal.

    Raises:
        InvalidInput: not a time, or outside the years 1 to 9999 in UTC.
    """
    if isinstance(value, datetime):
        moment = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
    elif isinstance(value, date):
        moment = datetime.combine(value, time(), UTC)
    elif isinstance(value, str):
        moment = _parse(value, what)
    else:
        raise InvalidInput("The {what} is not a time", "{name} was given", _HINT, what=what, name=type(value).__name__)
    try:
        return moment.astimezone(UTC)
    except (OverflowError, ValueError) as error:
        raise InvalidInput(
            "The {what} is out of range", "years 1 to 9999 in UTC can be kept", _HINT, what=what
        ) from error


_HINT = "give 2026-03-03, 2026-03-03T10:00:00Z or 2026-03-03 10:00:00+02:00"


def _parse(text: str, what: str) -> datetime:
    found = _SHAPE.fullmatch(text.strip())
    if found is None:
        raise InvalidInput(
            "The {what} is not a time", "{text!r} cannot be read as one", _HINT, what=what, text=text[:60]
        )
    zone: tzinfo = UTC
    if found["zone"] and found["zone"] not in "Zz":
        digits = found["zone"][1:].replace(":", "")
        offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:] or 0))
        if offset >= timedelta(hours=24) or int(digits[2:] or 0) > 59:
            raise InvalidInput(
                "The {what} is not a time", "{text!r} has an impossible zone", _HINT, what=what, text=text[:60]
            )
        zone = timezone(-offset if found["zone"][0] == "-" else offset)
    try:
        return datetime(
            int(found["y"]), int(found["mo"]), int(found["d"]),
            int(found["h"] or 0), int(found["mi"] or 0), int(found["s"] or 0),
            int(((found["f"] or "") + "000000")[:6]), tzinfo=zone,
        )  # fmt: skip
    except ValueError as error:
        raise InvalidInput(
            "The {what} is not a time", "{text!r}: {error}", _HINT, what=what, text=text[:60], error=error
        ) from error


def to_text(moment: datetime) -> str:
    """The stored shape of an aware instant. Text order equals time order."""
    # isoformat pads years below 1000 with zeros, which strftime does not.
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def from_text(text: str) -> datetime:
    """The instant of a stored text; the inverse of `to_text`."""
    return datetime.fromisoformat(text)
