"""The Review room's list: held memories and the heads of their groups, cell by cell. It must not import textual."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime

from memstation.domain.holding import REMINDED_AT
from memstation.read.review_rows import HeldRow
from memstation.station.render.cells import Run, fit, fit_runs, runs
from memstation.station.render.glyphs import GlyphSet
from memstation.station.render.held_groups import Entry, Grouping, Head, Item, soonest
from memstation.station.render.log_words import who
from memstation.station.render.provenance import joined, trust
from memstation.station.render.reasons import reason_runs, teller
from memstation.station.render.safe import Safe
from memstation.station.render.when import lately, remaining
from memstation.station.widgets.columns import Column
from memstation.station.words import N_, _, counted, say

STATE, SAYS, EFFECT, LEFT = 12, 16, 20, 8
NAMED = 24
"""Cells of a source or subject in a head."""
WITH_EFFECT = 70
"""Cells from which the list says what approving would close."""
MEASURED = 2_000
"""Characters of a value that are looked at."""

_FATES: Mapping[str, tuple[str, str]] = {
    "approved": ("current", N_("approved")), "denied": ("withdrawn", N_("denied")),
    "edited": ("current", N_("edited")), "lapsed": ("withdrawn", N_("ran out")),
    "withdrawn": ("withdrawn", N_("withdrawn")), "pending": ("held", N_("held")),
}  # fmt: skip
_LANES = {"skipped": N_("skipped for now"), "blocked": N_("from blocked sources"), "lapsed": N_("ran out undecided")}


def held_columns(
    width: int, glyphs: GlyphSet, now: datetime, grouping: Grouping, fates: Mapping[str, HeldRow],
    skipped: Collection[str],
) -> Sequence[Column[Entry]]:  # fmt: skip
    """State, what is said, what approving would close, the time left. A head has the room of the first three.

    Args:
        width: cells of a row.
        glyphs: the signs.
        now: the present.
        grouping: what a head says need not be said again by its rows.
        fates: rows that were decided elsewhere, by id, as they are now.
        skipped: ids that were skipped.
    """
    said = width - 1 - LEFT
    effect = EFFECT if width >= WITH_EFFECT else 0
    value = said - STATE - 1 - SAYS - 1 - (effect + 1 if effect else 0)
    titles = [fit(_("STATE"), STATE), fit(_("SAYS"), SAYS), fit(_("VALUE"), value)]
    if effect:
        titles.append(fit(_("IF YOU APPROVE"), effect))

    def cell(entry: Entry) -> list[Run]:
        if isinstance(entry, Head):
            return head_runs(entry, said, grouping)
        row = entry.row
        fate = fates.get(row.id)
        parts = [*fit_runs(_state(entry, fate, skipped, glyphs), STATE), (Safe(" "), "")]
        parts += [*fit_runs(_says(entry, grouping), SAYS), (Safe(" "), "")]
        parts += fit_runs(runs(row.value[:MEASURED], "" if fate is None else "closed"), value)
        if effect:
            parts += [(Safe(" "), ""), *_effect(row, fate, now)]
        return parts

    def rest(entry: Entry) -> list[Run]:
        return [_left(entry, now)]

    return [Column(Safe(" ".join(titles)), said, cell), Column(_("LEFT"), LEFT, rest, right=True)]


def head_runs(head: Head, cells: int, grouping: Grouping) -> list[Run]:
    """``- channel:telegram/42   7 about user: a burst from its source   0.3``; of a lane, how many are in it."""
    sign: Run = (Safe("- " if head.is_open else "+ "), "key")
    if head.lane != "waiting":
        words = Safe(f"{head.count:,} {_(_LANES[head.lane])}")
        return [sign, (words, "muted")]
    first = head.rows[0]
    weakest: list[Run] = [(Safe(f"  {trust(min(row.trust for row in head.rows))}"), "")]
    room = cells - 2 - 5
    if grouping == "source":
        named = joined(teller(first.origin), NAMED)
        why: list[Run] = [(Safe(f"  {head.count:,}"), "strong"), *_about(first), (Safe(": "), "muted"),
                          *reason_runs(first.reason)]  # fmt: skip
    else:
        named = joined(_subject(first), NAMED)
        sources = len({row.origin for row in head.rows})
        why = [(Safe(f"  {head.count:,}"), "strong"), (Safe(" "), ""),
               (counted("from {n} source", "from {n} sources", sources), "muted")]  # fmt: skip
    if not head.is_open:
        values = len({row.value for row in head.rows})
        why += [(Safe(", "), "muted"), (counted("{n} value", "{n} values", values), "muted")]
    return [sign, *fit_runs([*named, *why], room), *weakest]


def _about(row: HeldRow) -> list[Run]:
    return [(_(" about "), "muted"), *joined(runs(row.subject), 14)] if row.subject else [(_(" notes"), "muted")]


def _subject(row: HeldRow) -> list[Run]:
    return runs(row.subject) if row.subject else [(_("notes"), "muted")]


def fate_sign(row: HeldRow, glyphs: GlyphSet) -> Run:
    """What became of a memory that was held: glyph and word."""
    state, word = _FATES.get(row.status, ("withdrawn", row.status))
    return Safe(f"{glyphs.states[state]} {_(word)}"), state


def _state(item: Item, fate: HeldRow | None, skipped: Collection[str], glyphs: GlyphSet) -> list[Run]:
    indent: Run = (Safe("  " if item.group is not None else ""), "")
    if fate is not None:
        return [indent, fate_sign(fate, glyphs)]
    if item.row.id in skipped:
        return [indent, (Safe("s "), "muted"), (_("skipped"), "muted")]
    return [indent, fate_sign(item.row, glyphs)]


def _says(item: Item, grouping: Grouping) -> list[Run]:
    row = item.row
    if not row.subject and not row.predicate:
        return [(_("a note"), "muted")]
    if item.group is not None and item.lane == "waiting":
        return runs(row.predicate)
    return [*joined(runs(row.subject), 8), (Safe(" "), ""), *runs(row.predicate)]


def _effect(row: HeldRow, fate: HeldRow | None, now: datetime) -> list[Run]:
    if row.decided_at is not None and row.status != "pending":
        return fit_runs([(lately(row.decided_at, now), "muted")], EFFECT)
    if fate is not None:
        by = say("by {who}", who=who(fate.decided_by)) if fate.decided_by else _("elsewhere")
        return fit_runs([(by, "muted")], EFFECT)
    if row.closes:
        return fit_runs([(_("closes "), "muted"), *runs(row.closes[:MEASURED])], EFFECT)
    return fit_runs([(_("closes nothing"), "muted")], EFFECT)


def _left(entry: Entry, now: datetime) -> Run:
    """The time that is left, of the first of a group; in the colour of a warning when most of it is gone."""
    if entry.lane == "lapsed":
        return Safe(""), ""
    rows = entry.rows if isinstance(entry, Head) else (entry.row,)
    deadline = soonest(rows)
    if deadline is None:
        return _("no limit"), "muted"
    urgent = any(map(_is_urgent_at(now), rows))
    return remaining(deadline, now), "warning" if urgent else ""


def _is_urgent_at(now: datetime) -> Callable[[HeldRow], bool]:
    def is_urgent(row: HeldRow) -> bool:
        if row.deadline is None or not row.seconds:
            return False
        return (row.deadline - now).total_seconds() <= row.seconds * (1 - REMINDED_AT)

    return is_urgent
