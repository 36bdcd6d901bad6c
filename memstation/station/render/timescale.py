"""A time axis in cells: from hours to the nine thousand years that can be stored. It must not import textual.

Moments are whole microseconds since the year 1, so that nothing overflows where the calendar ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from memstation.station.render.cells import Run, width
from memstation.station.render.safe import Safe
from memstation.station.render.when import month_name
from memstation.station.words import _

_ORIGIN = datetime(1, 1, 1, tzinfo=UTC)
_MICRO = timedelta(microseconds=1)
MINUTE = 60_000_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
MONTH = 30 * DAY
YEAR = 365 * DAY
LEAST_SPAN = HOUR
FAR = 20
"""A start or an end that lies this many times the rest's span away is cut off the axis: it would hide the rest."""
LEAST_REST = 3 * MONTH
"""What the rest's span counts for at least: what changed today does not cut off what began in spring."""

_STEPS: tuple[tuple[str, int, int], ...] = (
    *(("minute", n, n * MINUTE) for n in (5, 10, 15, 30)),
    *(("minute", 60 * n, n * HOUR) for n in (1, 2, 3, 6, 12)),
    *(("day", n, n * DAY) for n in (1, 2, 7)),
    *(("month", n, n * MONTH) for n in (1, 2, 3, 6)),
    *(("month", 12 * n, n * YEAR) for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)),
)
"""Unit, how many of it, about how long."""


def ticks_of(moment: datetime) -> int:
    """Microseconds since the year 1."""
    return (moment - _ORIGIN) // _MICRO


def moment_of(ticks: int) -> datetime | None:
    """The moment, None outside the calendar."""
    try:
        return _ORIGIN + timedelta(microseconds=ticks)
    except OverflowError:
        return None


@dataclass(frozen=True, slots=True)
class Scale:
    """What a row of cells stands for: from `start` to `end`, in microseconds since the year 1."""

    start: int
    end: int
    cells: int

    def column(self, moment: datetime | int) -> int:
        """The cell in which a moment lies; outside 0 to cells - 1 where the axis does not reach."""
        ticks = moment if isinstance(moment, int) else ticks_of(moment)
        return (ticks - self.start) * self.cells // (self.end - self.start)


def scale_for(
    starts: Sequence[datetime], others: Iterable[datetime], now: datetime, cells: int, *, is_open: bool
) -> Scale:
    """The axis that shows these starts and other moments best.

    The present belongs to it when something is open or when it is near. What lies `FAR` away is left out.
    """
    present = ticks_of(now)
    known = sorted({*map(ticks_of, starts), *map(ticks_of, others), *([present] if is_open else [])}) or [present]
    low, high = _without_far(known)
    span = high - low
    is_cut = low != known[0]
    if not is_open and low <= present <= high + span * 2 // 5:
        high = max(high, present)
    span = max(high - low, LEAST_SPAN)
    if high - low < LEAST_SPAN:
        low -= LEAST_SPAN * 2 // 3
    elif is_cut:
        low -= span // 8
    tail = span // 6 if is_open or high == present else span // 24
    return Scale(low, max(high, low + span) + max(tail, span * 2 // max(cells, 1)), max(cells, 1))


def _without_far(known: list[int]) -> tuple[int, int]:
    """First and last of the moments that lie together."""
    first, last = 0, len(known) - 1
    while last - first >= 2 and known[last] - known[last - 1] > FAR * max(known[last - 1] - known[first], LEAST_REST):
        last -= 1
    while last - first >= 2 and known[first + 1] - known[first] > FAR * max(known[last] - known[first + 1], LEAST_REST):
        first += 1
    return known[first], known[last]


def axis(scale: Scale, now: datetime, sign: str = "|") -> list[Run]:
    """The row above the lanes: where days, months or years begin, and the present."""
    line = [" "] * scale.cells
    taken = [False] * (scale.cells + 1)
    here = scale.column(now)
    present_cells: range = range(0)
    if 0 <= here < scale.cells:
        word = _("now")
        at = here if here + 1 + width(word) <= scale.cells else here - width(word)
        text = f"{sign}{word}" if at == here else f"{word}{sign}"
        _write(line, taken, at, text)
        present_cells = range(at, at + width(text))
    parts: list[Run] = []
    is_first = True
    for ticks, label, full in _marks(scale):
        text = full if is_first else label
        column = scale.column(ticks)
        if column >= 0 and _is_free(taken, column, width(text)):
            _write(line, taken, column, text)
            is_first = False
    for at, char in enumerate(line):
        role = "key" if at in present_cells else "muted"
        if parts and parts[-1][1] == role:
            parts[-1] = (Safe(parts[-1][0] + char), role)
        else:
            parts.append((Safe(char), role))
    return parts


def _is_free(taken: list[bool], at: int, size: int) -> bool:
    before = max(0, at - 1)
    return at + size < len(taken) and not any(taken[before : at + size + 1])


def _write(line: list[str], taken: list[bool], at: int, text: str) -> None:
    # A wide letter stands in its first cell; the next one stays empty, so that the row keeps its width.
    for char in text:
        size = width(char)
        line[at] = char
        for cell in range(at, at + max(size, 1)):
            taken[cell] = True
            if cell > at:
                line[cell] = ""
        at += max(size, 1)


def _marks(scale: Scale) -> Iterator[tuple[int, str, str]]:
    """(moment, label, label with all that the first one must say) from the left."""
    unit, count = _step(scale)
    if unit == "month":
        yield from _months(scale, count)
        return
    step = count * (MINUTE if unit == "minute" else DAY)
    ticks = -(-scale.start // step) * step
    year = None
    while ticks < scale.end:
        moment = moment_of(ticks)
        if moment is None:
            return
        day = f"{moment.day} {month_name(moment.month)}"
        if unit == "day":
            full = f"{day} {moment.year}"
            yield ticks, full if year not in (None, moment.year) else day, full
            year = moment.year
        else:
            clock = f"{moment:%H:%M}"
            yield ticks, day if clock == "00:00" else clock, day if clock == "00:00" else f"{day} {clock}"
        ticks += step


def _months(scale: Scale, count: int) -> Iterator[tuple[int, str, str]]:
    first = moment_of(max(scale.start, 0))
    if first is None:
        return
    index = first.year * 12 + first.month - 1
    index = -(-index // count) * count if count >= 12 else index - index % count
    while index // 12 <= 9999:
        year, month = divmod(index, 12)
        if year >= 1:
            ticks = ticks_of(datetime(year, month + 1, 1, tzinfo=UTC))
            if ticks >= scale.end:
                return
            if count >= 12:
                yield ticks, f"{year}", f"{year}"
            else:
                name = month_name(month + 1)
                yield ticks, f"{name} {year}" if month == 0 else name, f"{name} {year}"
        index += count


def _step(scale: Scale) -> tuple[str, int]:
    """The shortest step whose labels have room."""
    span = scale.end - scale.start
    for unit, count, length in _STEPS:
        label = {"minute": 5, "day": 6}.get(unit, 5 if count < 12 else 4)
        if length * scale.cells // span >= label + 3:
            return unit, count
    return "month", 12 * 5000
