"""Instants in the operator's words, all in UTC. It must not read a clock: the present is an argument."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from memstation.station.render.safe import Safe
from memstation.station.words import N_, _, say

_MONTHS = (N_("Jan"), N_("Feb"), N_("Mar"), N_("Apr"), N_("May"), N_("Jun"),
           N_("Jul"), N_("Aug"), N_("Sep"), N_("Oct"), N_("Nov"), N_("Dec"))  # fmt: skip
_DAYS = (N_("Mon"), N_("Tue"), N_("Wed"), N_("Thu"), N_("Fri"), N_("Sat"), N_("Sun"))


def month_name(month: int) -> Safe:
    """``Jan`` for 1."""
    return _(_MONTHS[month - 1])


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


def _hm(moment: datetime) -> str:
    return f"{moment:%H:%M}"


def day(moment: datetime, now: datetime) -> Safe:
    """``03 Mar`` in the present year, else ``2025-03``: never more than seven cells in English."""
    moment = _utc(moment)
    if moment.year != _utc(now).year:
        return Safe(f"{moment.year:04}-{moment.month:02}")
    return Safe(f"{moment.day:02} {_(_MONTHS[moment.month - 1])}")


def spoken_day(moment: datetime, now: datetime) -> Safe:
    """``3 Mar``, or ``3 Mar 2025`` outside the present year; for sentences."""
    moment = _utc(moment)
    text = f"{moment.day} {_(_MONTHS[moment.month - 1])}"
    return Safe(text if moment.year == _utc(now).year else f"{text} {moment.year}")


def lately(moment: datetime, now: datetime) -> Safe:
    """``09:11`` today, ``Mon 18:01`` within six days, else the day. For a column of nine cells."""
    moment, now = _utc(moment), _utc(now)
    if moment.date() == now.date():
        return Safe(_hm(moment))
    if timedelta(0) <= now.date() - moment.date() < timedelta(days=7):
        return Safe(f"{_(_DAYS[moment.weekday()])} {_hm(moment)}")
    return day(moment, now)


def spoken(moment: datetime, now: datetime) -> Safe:
    """``today 18:00``, ``tomorrow 09:00``, ``Mon 13 Apr 18:01`` or with the year where it is another."""
    moment, now = _utc(moment), _utc(now)
    ahead = (moment.date() - now.date()).days
    if ahead in (0, 1):
        return Safe(f"{_('today') if ahead == 0 else _('tomorrow')} {_hm(moment)}")
    return Safe(f"{_(_DAYS[moment.weekday()])} {spoken_day(moment, now)} {_hm(moment)}")


def full(moment: datetime) -> Safe:
    """``Tue 7 Apr 2026 00:00 UTC``; seconds only where there are some."""
    moment = _utc(moment)
    clock = _hm(moment) if not moment.second else f"{moment:%H:%M:%S}"
    return Safe(
        f"{_(_DAYS[moment.weekday()])} {moment.day} {_(_MONTHS[moment.month - 1])} {moment.year:04} {clock} UTC"
    )


def told_apart(first: datetime, last: datetime) -> tuple[str, str]:
    """Two times of one day, with seconds or fractions only where they would look the same without."""
    a, b = _utc(first), _utc(last)
    for timespec in ("minutes", "seconds", "milliseconds", "microseconds"):
        texts = (a.time().isoformat(timespec), b.time().isoformat(timespec))
        if texts[0] != texts[1]:
            break
    return texts


def window(start: datetime, until: datetime | None, now: datetime) -> Safe:
    """``1 Jan to 3 Mar``, or ``3 Mar, no end``. The end is not included: what ends at its start held at no time."""
    if until is None:
        return say("{start}, no end", start=spoken_day(start, now))
    if until <= start:
        return say("{start}, at no time", start=spoken_day(start, now))
    first, last = spoken_day(start, now), spoken_day(until, now)
    if first == last:
        a, b = told_apart(start, until)
        return say("{day} {a} to {b}", day=first, a=a, b=b)
    return say("{start} to {until}", start=first, until=last)


def remaining(deadline: datetime, now: datetime) -> Safe:
    """``3h 12m``, ``21h``, ``4 days``, or ``due``. Whole units, rounded down; at most eight cells in English."""
    rest = deadline - now
    if rest <= timedelta(0):
        return _("due")
    hours, seconds = divmod(int(rest.total_seconds()), 3600)
    if hours >= 48:
        return say("{n} days", n=hours // 24)
    if hours >= 10:
        return say("{h}h", h=hours)
    return say("{h}h {m}m", h=hours, m=f"{seconds // 60:02}") if hours else say("{m}m", m=seconds // 60)


def left(deadline: datetime, now: datetime) -> Safe:
    """``3h 12m left``, ``21h left``, ``4 days left``, or ``due``."""
    rest = remaining(deadline, now)
    return rest if deadline <= now else say("{rest} left", rest=rest)


def clock(now: datetime) -> Safe:
    """``09:14 UTC``."""
    return Safe(f"{_hm(_utc(now))} UTC")
