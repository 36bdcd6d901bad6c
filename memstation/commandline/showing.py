"""Rows as lines of text and as JSON. Every text passes the safe door; nothing here reads a store or writes to one."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from memstation.domain.decisions import Effects
from memstation.domain.memory import FactRecord
from memstation.station.render.safe import Safe, safe_line
from memstation.station.words import _, counted, say

if TYPE_CHECKING:
    from memstation.read.rows import FactRow
    from memstation.station.render.glyphs import GlyphSet

_WIDEST = 40
"""Cells to which a column is padded; what is longer pushes the rest aside, or is cut on a terminal."""


def print_json(value: Any) -> None:
    """Print one value as JSON, hidden characters escaped."""
    from memstation.exchange.plain_json import indented

    click.echo(indented(jsonable(value)))


def jsonable(value: Any) -> Any:
    """Dataclasses as objects, instants as text, bytes as hex; effects with their changes and their digest."""
    if isinstance(value, Effects):
        named = ("changes", "emptied", "gaps", "orders", "told", "digest")
        return {name: jsonable(getattr(value, name)) for name in named}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: jsonable(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    if isinstance(value, bytes):
        return value.hex()
    return value


def width() -> int | None:
    """Cells of the terminal; None where the output goes elsewhere and nothing is to be cut."""
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        return None
    return max(shutil.get_terminal_size((80, 24)).columns, 20)


def instant(moment: datetime | None) -> Safe:
    """``2026-03-03``, or with the time where it is not midnight; a command takes it back as it is."""
    if moment is None:
        return Safe("")
    moment = moment.astimezone(UTC)
    if (moment.hour, moment.minute, moment.second, moment.microsecond) == (0, 0, 0, 0):
        return Safe(f"{moment.date()}")
    return Safe(moment.replace(tzinfo=None).isoformat() + "Z")


def minute(moment: datetime | None) -> Safe:
    """``2026-03-03 10:00``."""
    return Safe("") if moment is None else Safe(moment.astimezone(UTC).isoformat(" ")[:16])


def _day(moment: datetime) -> Safe:
    """``2026-03-03``, or to the minute where it is not midnight."""
    text = minute(moment)
    return Safe(text.removesuffix(" 00:00"))


def window(start: datetime, until: datetime | None) -> Safe:
    """``from 2026-03-03``, or ``2026-01-01 to 2026-03-03``; ``at no time`` where it ends as it begins."""
    if until is None:
        return say("from {start}", start=_day(start))
    if until <= start:
        return say("{start}, at no time", start=_day(start))
    first, last = _day(start), _day(until)
    if first == last:
        from memstation.station.render.when import told_apart

        first, last = (Safe(f"{start.astimezone(UTC).date()} {text}") for text in told_apart(start, until))
    return say("{start} to {until}", start=first, until=last)


def fact_lines(fact: FactRow | FactRecord, glyphs: GlyphSet) -> list[Safe]:
    """Two lines: its state, window and what it says; its id, trust and source."""
    from memstation.station.render.cells import cut, fit
    from memstation.station.render.glyphs import state_sign

    trust = fact.origin_trust if isinstance(fact, FactRecord) else fact.trust
    tainted = False if isinstance(fact, FactRecord) else fact.tainted
    about = " ".join(safe_line(name) for name in (fact.subject, fact.predicate) if name)
    says = (about + ": " if about else "") + safe_line(fact.object or fact.content)
    sign = fit(Safe(str(state_sign(glyphs, fact.state, tainted))), 11)
    top = Safe(f"{sign}  {window(fact.valid_from, fact.valid_until)}  {says}")
    source = safe_line(fact.origin) or _("no source")
    below = Safe(f"  {safe_line(fact.id)}  {say('trust {n}', n=f'{trust:.2f}')}  {source}")
    cells = width()
    return [top, below] if cells is None else [cut(top, cells), cut(below, cells)]


def print_facts(
    facts: Sequence[FactRow | FactRecord], glyphs: GlyphSet, more: Callable[[Any], Sequence[Safe]] = lambda _fact: ()
) -> None:
    """Print facts, two lines each, and what `more` says of them."""
    for fact in facts:
        for line in (*fact_lines(fact, glyphs), *more(fact)):
            click.echo(line)


def print_table(rows: Sequence[Sequence[Safe]], right: Sequence[int] = ()) -> None:
    """Print rows in columns; `right` names those that are set to the right. The last one is not padded."""
    from memstation.station.render.cells import cut, fit
    from memstation.station.render.cells import width as cells_of

    if not rows:
        return
    sizes = [min(max(cells_of(row[at]) for row in rows), _WIDEST) for at in range(len(rows[0]))]
    most = width()
    for row in rows:
        parts = []
        for at, (cell, size) in enumerate(zip(row, sizes, strict=True)):
            fits = cells_of(cell) <= size or most is not None
            last = at == len(row) - 1
            parts.append(cell if last or not fits else fit(cell, size, right=at in right))
        line = Safe("  ".join(parts).rstrip())
        click.echo(line if most is None else cut(line, most))


class Meter:
    """A count on stderr while something long goes on; only on a terminal."""

    def __init__(self, doing: Safe) -> None:
        self._doing = doing
        self._shown = 0.0
        self._on = sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> bool:
        """Show how far it is; always answers True."""
        now = time.monotonic()
        if self._on and now - self._shown > 0.1:
            self._shown = now
            text = say("{n} of {total}", n=f"{done:,}", total=f"{total:,}") if total else counted(
                "{n} line checked", "{n} lines checked", done
            )  # fmt: skip
            click.echo(f"\r{self._doing} {text}   ", nl=False, err=True)
        return True

    def clear(self) -> None:
        """Take the count away."""
        if self._on and self._shown:
            click.echo("\r" + " " * 70 + "\r", nl=False, err=True)
