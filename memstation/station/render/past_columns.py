"""The columns of the past: what differs, what was believed, what is. It must not import textual, nor read a record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from memstation.read.rows import FactRow, PastRow
from memstation.station.moments import Question
from memstation.station.render.cells import Run, fit_runs, runs, runs_width
from memstation.station.render.fact_columns import MEASURED
from memstation.station.render.glyphs import GlyphSet, difference_sign
from memstation.station.render.log_words import who
from memstation.station.render.provenance import moment, trust
from memstation.station.render.safe import Safe
from memstation.station.render.shares import shares
from memstation.station.render.when import day
from memstation.station.widgets.columns import Column
from memstation.station.words import N_, _, say

KIND, SINCE, CAUSE = 10, 7, 26
WIDE = 110
"""Cells from which the decision is named."""
LEAST_VALUE = 15
TITLES: dict[Question, tuple[str, str]] = {
    "1": (N_("BELIEVED THEN"), N_("BELIEVED NOW")),
    "2": (N_("HELD THEN"), N_("HOLDS NOW")),
    "3": (N_("BELIEVED THEN"), N_("BELIEVED NOW")),
}
_WENT = {
    "retract": N_("(withdrawn)"), "correct": N_("(withdrawn)"), "undo": N_("(taken back)"), "end": N_("(ended)"),
    "expire": N_("(ended)"), "restore": N_("(ended)"), "store": N_("(ended)"),
}  # fmt: skip


def past_columns(
    width: int, glyphs: GlyphSet, now: datetime, sample: Iterable[PastRow], question: Question = "1"
) -> Sequence[Column[PastRow]]:
    """What differs, what it is about, then, now, since when; by which decision where there is room for it."""
    is_wide = width >= WIDE
    last = CAUSE if is_wide else SINCE
    said = max(20, width - KIND - 1 - 1 - last)
    named = [_needed(row) for row in sample if row.subject or row.predicate]
    about, says = shares(said, named, 2 * LEAST_VALUE + 1)
    values = max(2, said - about - says - 2 - 1)
    then, today = values - values // 2, values // 2
    of_then, of_now = TITLES[question]
    return [
        Column(_("DIFFERENCE"), KIND, lambda row: _kind(row, glyphs)),
        Column(_("ABOUT"), about, _about),
        Column(_("SAYS"), says, _says),
        Column(_(of_then), then, lambda row: value_cell(row, row.then, then)),
        Column(_(of_now), today, lambda row: value_cell(row, row.now, today)),
        Column(_("CHANGED BY") if is_wide else _("SINCE"), last, lambda row: _cause(row, now, is_wide)),
    ]  # fmt: skip


def value_cell(row: PastRow, fact: FactRow | None, cells: int) -> list[Run]:
    """What is said on one side; with its trust where that is all that differs. In words where nothing is."""
    if fact is None:
        return [(_not_known(row) if fact is row.then else absent(row), "muted")]
    said = runs(fact.value[:MEASURED], "muted" if row.kind == "same" else "")
    if row.kind != "changed" or row.then is None or row.now is None or row.then.value != row.now.value:
        return said
    more = say(", trust {t}", t=trust(fact.trust))
    room = cells - runs_width([(more, "")])
    said = said if runs_width(said) <= room else fit_runs(said, room)
    return [*said, (more, "changed")]


def _not_known(row: PastRow) -> Safe:
    return _("(not yet so)") if row.cause is None else _("(not known)")


def absent(row: PastRow) -> Safe:
    """Why nothing is believed now, in a word."""
    if row.cause is None:
        return _("(ended)")
    return _(_WENT.get(row.cause.kind, N_("(nothing)")))


def _needed(row: PastRow) -> tuple[int, int]:
    return runs_width(runs((row.subject or "")[:80])), runs_width(runs((row.predicate or "")[:80]))


def _kind(row: PastRow, glyphs: GlyphSet) -> list[Run]:
    sign = difference_sign(glyphs, row.kind)
    return [(Safe(str(sign)), sign.role)]


def _about(row: PastRow) -> list[Run]:
    if not row.subject and not row.predicate:
        return [(_("note"), "muted")]
    return runs((row.subject or "")[:MEASURED], _weight(row))


def _says(row: PastRow) -> list[Run]:
    return runs((row.predicate or "")[:MEASURED], _weight(row))


def _weight(row: PastRow) -> str:
    return "muted" if row.kind == "same" else ""


def _cause(row: PastRow, now: datetime, is_wide: bool) -> list[Run]:
    """Since when, or ``#410 14 Apr 07:31 agents``."""
    if row.since is None:
        return []
    if not is_wide:
        return [(day(row.since, now), "muted")]
    if row.cause is None:
        return [(say("time, {when}", when=moment(row.since, now)), "muted")]
    return [
        (Safe(f"#{row.cause.seq} "), ""), (Safe(f"{moment(row.cause.at, now)} "), "muted"), (who(row.cause.actor), ""),
    ]  # fmt: skip
