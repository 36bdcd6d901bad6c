"""What a verdict on one memory would do, in as few words as can be. It must not import textual, nor hide a loss."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memstation.domain.decisions import Effects, FactChange
from memstation.domain.memory import FactRecord
from memstation.station.render.cells import Run, runs
from memstation.station.render.correction import change_rows
from memstation.station.render.glyphs import GlyphSet
from memstation.station.render.orders import order_line
from memstation.station.render.provenance import joined, moment
from memstation.station.render.safe import Safe
from memstation.station.render.when import spoken_day
from memstation.station.words import _, counted, fill, say

VALUE = 30
"""Cells of a value in a sentence."""
Rows = list[list[Run]]


def approve_rows(effects: Effects, record: FactRecord, glyphs: GlyphSet, now: datetime) -> Rows:
    """One line a change: what the held one becomes first."""
    own, others = _parted(effects, record)
    rows = [[(Safe(f"{glyphs.states['current']} "), "current"), *_becomes(change, now)] for change in own]
    rest = change_rows(_only(effects, others), (record.subject, record.predicate), glyphs, now)
    rows += rest + [order_line(order) for order in effects.orders]
    return rows or [[(_("Nothing changes for the agents."), "")]]


def approve_line(effects: Effects, record: FactRecord, now: datetime) -> list[Run]:
    """``Heroku becomes current from 14 Apr 09:02; Cloudflare Workers closes``."""
    own, others = _parted(effects, record)
    parts: list[Run] = [run for change in own for run in _becomes(change, now)]
    for change in others:
        if change.kind == "closed" and (change.subject, change.predicate) == (record.subject, record.predicate):
            parts += [(Safe("; "), "muted")] if parts else []
            parts += [*joined(runs(change.value, "strong"), VALUE), (_(" closes"), "closed")]
            others = [other for other in others if other is not change]
    return _with_rest(parts, others, effects)


def deny_rows(effects: Effects, record: FactRecord, glyphs: GlyphSet, now: datetime) -> Rows:
    """That nothing changes, or what does; and what stays rejected."""
    _own, others = _parted(effects, record)
    rows: Rows = [[(_("Nothing changes for the agents."), "")]]
    if others:
        rows = change_rows(_only(effects, others), (record.subject, record.predicate), glyphs, now)
    return rows + [order_line(order) for order in effects.orders]


def deny_line(effects: Effects, record: FactRecord) -> list[Run]:
    """``nothing changes now; Heroku stays rejected for user deploy_target``."""
    _own, others = _parted(effects, record)
    parts = _with_rest([], others, effects)
    for order in effects.orders:
        if order.about == "rejected" and order.rules:
            about = " ".join(name for name in (order.subject, order.predicate) if name)
            parts += [(Safe("; "), "muted"), *joined(runs(order.value, "strong"), VALUE)]
            parts.append((say(" stays rejected for {about}", about=about) if about else _(" stays rejected"), ""))
    return parts


def _parted(effects: Effects, record: FactRecord) -> tuple[list[FactChange], list[FactChange]]:
    """What happens to the held one, and what happens to others. An end is told by what it closes."""
    own = [change for change in effects.changes if change.id == record.id]
    return own, [change for change in effects.changes if change.id != record.id and change.kind != "ends"]


def _only(effects: Effects, changes: Sequence[FactChange]) -> Effects:
    kept = tuple(changes)
    return Effects(effects.emptied, effects.gaps, (), (), {}, lambda: kept, lambda: "")


def _becomes(change: FactChange, now: datetime) -> list[Run]:
    words = {
        "current": _(" becomes current from {start}"), "scheduled": _(" is scheduled from {start}"),
        "closed": _(" goes into the history: {start} to {until}"),
    }  # fmt: skip
    if change.state is None:
        return [*joined(runs(change.value, "strong"), VALUE), (_(" confirms what holds"), "current")]
    if change.state not in words:
        return [*joined(runs(change.value, "strong"), VALUE), (_(" is out of use"), "withdrawn")]
    until = "" if change.valid_until is None else moment(change.valid_until, now)
    said = fill(words[change.state], start=moment(change.valid_from, now), until=until)
    parts: list[Run] = [*joined(runs(change.value, "strong"), VALUE), (said, change.state)]
    if change.state == "current" and change.valid_until is not None:
        parts.append((say(" to {day}", day=spoken_day(change.valid_until, now)), "current"))
    return parts


def _with_rest(parts: list[Run], others: Sequence[FactChange], effects: Effects) -> list[Run]:
    """The line with what else changes, counted; what is left without a value is named as such."""
    if not parts and not others:
        parts = [(_("nothing changes for the agents"), "")]
    elif others:
        parts += [(Safe("; "), "muted")] if parts else []
        parts.append((counted("{n} other change", "{n} other changes", len(others)), "changed"))
    lost = len({*effects.emptied, *(gap[:3] for gap in effects.gaps)})
    if lost:
        words = counted("{n} fact is left without a value", "{n} facts are left without a value", lost)
        parts += [(Safe("; "), "muted"), (words, "warning")]
    return parts
