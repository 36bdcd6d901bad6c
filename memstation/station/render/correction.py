"""What correcting a fact would do, in words about that fact. It must not import textual, nor leave an effect out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from memstation.domain.decisions import ChangeKind, Effects, FactChange
from memstation.read.rows import FactDetail
from memstation.station.render.cells import Run, fit_runs, runs, runs_width
from memstation.station.render.effects import change_line
from memstation.station.render.glyphs import GlyphSet, change_sign
from memstation.station.render.orders import order_line
from memstation.station.render.provenance import joined, moment
from memstation.station.render.reasons import teller
from memstation.station.render.safe import Safe
from memstation.station.render.when import spoken_day, window
from memstation.station.words import N_, _, counted, say

_ORDER: tuple[ChangeKind, ...] = (
    "withdrawn", "closed", "moved", "came_back", "released", "new", "scheduled", "historical", "held", "trust",
    "confirms", "ends",
)  # fmt: skip
VALUE = 34
"""Cells of a value inside a sentence."""


def change_rows(
    effects: Effects, about: tuple[str | None, str | None], glyphs: GlyphSet, now: datetime
) -> list[list[Run]]:
    """One line a change; those of the fact `about` without its name. An end is told by what it closes."""
    changes = [change for change in effects.changes if change.kind != "ends" and not _is_evidence(change)]
    evidence = sum(map(_is_evidence, effects.changes))
    rows: list[list[Run]] = []
    for change in sorted(changes, key=lambda change: _ORDER.index(change.kind)):
        if (change.subject, change.predicate) != about:
            rows.append(change_line(change, glyphs, now))
            continue
        row = _own_line(change, glyphs, now)
        if change.kind == "withdrawn" and evidence:
            row.append((counted(", with its {n} confirmation", ", with its {n} confirmations", evidence), "withdrawn"))
            evidence = 0
        rows.append(row)
    if evidence:
        rows.append([(Safe(f"{glyphs.states['withdrawn']} "), "withdrawn"),
                     (counted("{n} confirmation is withdrawn", "{n} confirmations are withdrawn", evidence),
                      "withdrawn")])  # fmt: skip
    return rows + _empty_rows(effects, now)


def _is_evidence(change: FactChange) -> bool:
    """Whether it is a confirmation that is withdrawn with its fact."""
    return change.kind == "withdrawn" and change.state_before is None and change.was_from is not None


def _own_line(change: FactChange, glyphs: GlyphSet, now: datetime) -> list[Run]:
    sign = change_sign(glyphs, change.kind)
    line: list[Run] = [(Safe(f"{sign.glyph} "), sign.role), *joined(runs(change.value, "strong"), VALUE)]
    here = window(change.valid_from, change.valid_until, now)
    if change.kind == "came_back":
        return [*line, (_(" is current again"), sign.role), (say(", from {window}", window=here), "")]
    line.append((Safe(f" {sign.word}"), sign.role))
    if change.kind == "withdrawn":
        return line
    line.append((Safe(f": {here}"), ""))
    if change.kind == "closed":
        line.append((_(".  Still true for those days"), "muted"))
    elif change.kind == "moved" and change.was_from is not None:
        line.append((say("; it was {before}", before=window(change.was_from, change.was_until, now)), "muted"))
    return line


def _empty_rows(effects: Effects, now: datetime) -> list[list[Run]]:
    """What nothing is known about afterwards. A gap says from when; the bare fact is told only where there is none."""
    rows: list[list[Run]] = []
    told = {gap[:3] for gap in effects.gaps}
    for agent_id, subject, predicate, start in effects.gaps:
        words = say("nothing comes after: from {day} on, {agent} knows no ", day=spoken_day(start, now), agent=agent_id)
        rows.append([(Safe("! "), "warning"), (words, "warning"), *runs(predicate or subject)])
    for agent_id, subject, predicate in effects.emptied:
        if (agent_id, subject, predicate) not in told:
            words = say("nothing is current then: {agent} knows no ", agent=agent_id)
            rows.append([(Safe("! "), "warning"), (words, "warning"), *runs(f"{predicate}"),
                         (_(" of "), "warning"), *runs(subject)])  # fmt: skip
    return rows


def correction_rows(
    effects: Effects, detail: FactDetail, glyphs: GlyphSet, now: datetime, *, at: datetime | None = None
) -> list[list[Run]]:
    """The effects of a correction, what was made from the fact, and who has read it. `at` is the end of an end."""
    record = detail.record
    rows = change_rows(effects, (record.subject, record.predicate), glyphs, now)
    rows += [order_line(order) for order in effects.orders if order.about != "rejected" or not order.rules]
    if not rows:
        rows.append([(_("Nothing changes for the agents."), "")])
    if at is not None:
        rows += _later_confirmations(detail, at, now)
    rows += _made(detail)
    return rows + _read(detail, now)


def _later_confirmations(detail: FactDetail, at: datetime, now: datetime) -> list[list[Run]]:
    later = [item for item in detail.confirmations if item.said_from >= at]
    if not later:
        return []
    newest = later[0]
    return [[(Safe("- "), "removed"),
             (counted("{n} later confirmation no longer counts", "{n} later confirmations no longer count", len(later)),
              "removed"),
             (Safe(f" ({spoken_day(newest.said_from, now)}, "), "muted"), *teller(newest.origin),
             (Safe(")"), "muted")]]  # fmt: skip


def _made(detail: FactDetail) -> list[list[Run]]:
    rows: list[list[Run]] = []
    if detail.leads_to:
        text = counted("{n} memory was made from it, and stays as it is", "{n} memories were made from it, and stay as "
                       "they are", len(detail.leads_to))  # fmt: skip
        rows.append([(Safe("! "), "warning"), (text, "warning")])
    if detail.made_from:
        text = counted("It was made from {n} memory: is that one wrong?", "It was made from {n} memories: is one of "
                       "those wrong?", len(detail.made_from))  # fmt: skip
        rows.append([(Safe("  "), ""), (text, "muted")])
    return rows


def _read(detail: FactDetail, now: datetime) -> list[list[Run]]:
    record, reads = detail.record, detail.reads
    if reads.last is not None and reads.since is not None:
        text = counted("{agent} read it {n} time since {day}, last {when}", "{agent} read it {n} times since {day}, "
                       "last {when}", reads.times, agent=record.agent_id, day=spoken_day(reads.since, now),
                       when=moment(reads.last, now))  # fmt: skip
    elif record.last_accessed is not None:
        text = counted("{agent} used it {n} time, last {when}", "{agent} used it {n} times, last {when}",
                       record.access_count, agent=record.agent_id, when=moment(record.last_accessed, now))  # fmt: skip
    else:
        return []
    return [[(Safe("  "), ""), (text, ""), (_("; that cannot be taken back"), "muted")]]


def result_runs(effects: Effects, cells: int) -> list[Run]:
    """What came of it, in a width: ``Vercel is current again``; two changes where there is room for both."""
    changes = list(_told_first(effects.changes))
    parts = _results(changes)
    if runs_width(parts) > cells:
        parts = _results(changes[:1])
    if not parts:
        return [(_("done"), "")]
    return parts if runs_width(parts) <= cells else fit_runs(parts, cells)


def _results(changes: Sequence[FactChange]) -> list[Run]:
    parts: list[Run] = []
    for change in changes:
        sign, role = _RESULT[change.kind]
        parts += [(Safe(", "), "muted")] if parts else []
        parts += [*joined(runs(change.value, "strong"), 22), (Safe(" "), ""), (_(sign), role)]
    return parts


_RESULT: dict[ChangeKind, tuple[str, str]] = {
    "withdrawn": (N_("is withdrawn"), "withdrawn"), "closed": (N_("is closed"), "closed"),
    "came_back": (N_("is current again"), "current"), "released": (N_("is released"), "current"),
    "new": (N_("is current"), "current"), "scheduled": (N_("is scheduled"), "scheduled"),
    "historical": (N_("is in the history"), "closed"), "held": (N_("is held"), "held"),
    "moved": (N_("has other dates"), "changed"), "trust": (N_("has another trust"), "changed"),
    "confirms": (N_("is confirmed"), "added"), "ends": (N_("ends"), "removed"),
}  # fmt: skip


def _told_first(changes: Sequence[FactChange]) -> Iterable[FactChange]:
    """The two changes that matter most: what came into use, then what went out of it."""
    own = [change for change in changes if change.kind != "ends" and not _is_evidence(change)]
    rank: tuple[ChangeKind, ...] = ("came_back", "new", "scheduled", "withdrawn", "closed", "historical", "confirms")
    own.sort(key=lambda change: rank.index(change.kind) if change.kind in rank else len(rank))
    return own[:2]
