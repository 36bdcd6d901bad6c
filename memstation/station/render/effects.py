"""What a decision does, in lines that can be read before it is taken. It must not import textual."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from memstation.domain.decisions import ChangeKind, Effects, FactChange
from memstation.station.render.cells import Run, runs
from memstation.station.render.glyphs import GlyphSet, change_sign
from memstation.station.render.orders import order_line
from memstation.station.render.provenance import joined
from memstation.station.render.safe import Safe
from memstation.station.render.when import spoken_day, window
from memstation.station.words import _, counted, ngettext, say

AGENT = 16
"""Cells of an agent's name before a change."""
SHOWN = 300
"""Changes told one by one; the rest is counted."""

_ORDER: tuple[ChangeKind, ...] = (
    "erased", "withdrawn", "closed", "ends", "came_back", "released", "new", "scheduled", "historical", "held", "moved",
    "trust", "confirms",
)  # fmt: skip


def effects_lines(effects: Effects, glyphs: GlyphSet, now: datetime) -> list[list[Run]]:
    """One line a change, those that take something away first; then what is left without a value, and orders."""
    changes = sorted(effects.changes, key=lambda change: _ORDER.index(kind_of(change)))
    whose = is_of_several(changes)
    rows = [change_line(change, glyphs, now, whose=whose) for change in changes[:SHOWN]]
    if len(changes) > SHOWN:
        rest = len(changes) - SHOWN
        rows.append([(counted("and {n} more change", "and {n} more changes", rest), "muted")])
    without = {gap[:3] for gap in effects.gaps if gap[3] <= now}
    for agent_id, subject, predicate in effects.emptied:
        if (agent_id, subject, predicate) in without:
            continue  # a gap says from when on, and so more
        rows.append([(Safe("! "), "warning"), (say("{agent} has no value any more for ", agent=agent_id), "warning"),
                     *runs(f"{subject} {predicate}")])  # fmt: skip
    for agent_id, subject, predicate, start in effects.gaps:
        rows.append([(Safe("! "), "warning"),
                     (say("from {day} on, {agent} knows nothing about ", day=spoken_day(start, now), agent=agent_id),
                      "warning"), *runs(f"{subject} {predicate}")])  # fmt: skip
    rows += [order_line(order) for order in effects.orders]
    return rows or [[(_("Nothing changes for the agents."), "")]]


def kind_of(change: FactChange) -> ChangeKind:
    """What a change is called: what was withdrawn had no dates, so it comes back, whatever its state is then."""
    return "came_back" if change.kind == "moved" and change.state_before == "withdrawn" else change.kind


def is_of_several(changes: Iterable[FactChange]) -> bool:
    """Whether more than one agent's memories change: each line then says whose it is."""
    return len({change.agent_id for change in changes}) > 1


def change_line(change: FactChange, glyphs: GlyphSet, now: datetime, *, whose: bool = False) -> list[Run]:
    """``✗ user deploy_target: Cloudflare Workers is withdrawn (3 Mar, no end)``, with the agent first for `whose`."""
    sign = change_sign(glyphs, kind_of(change))
    about = " ".join(name for name in (change.subject, change.predicate) if name)
    line: list[Run] = [(Safe(f"{sign.glyph} "), sign.role)]
    if whose:
        line += [*joined(runs(change.agent_id), AGENT), (Safe("  "), "")]
    if about:
        line += [*runs(about, "muted"), (Safe(": "), "muted")]
    line += [*runs(change.value, "strong"), (Safe(f" {sign.word}"), sign.role)]
    return [*line, (Safe(f" ({_dates(change, now)})"), "muted")]


def _dates(change: FactChange, now: datetime) -> str:
    if change.kind == "trust" and change.trust_before is not None:
        return say("trust {a} to {b}", a=_trust(change.trust_before), b=_trust(change.trust))
    if change.kind == "ends":
        return say("from {day} on", day=spoken_day(change.valid_from, now))
    here = window(change.valid_from, change.valid_until, now)
    moved = change.was_from is not None and (change.was_from, change.was_until) != (
        change.valid_from, change.valid_until
    )  # fmt: skip
    if kind_of(change) in ("closed", "moved") and moved and change.was_from is not None:
        return say("{now}; it was {before}", now=here, before=window(change.was_from, change.was_until, now))
    if change.kind in ("withdrawn", "erased") and change.was_from is not None:
        return window(change.was_from, change.was_until, now)
    return here


def _trust(value: float) -> str:
    """``0.3``, ``0.25``."""
    return f"{value:.2f}".removesuffix("0")


_SHORT: dict[ChangeKind, tuple[str, str, str]] = {
    "withdrawn": ("withdrawn", "{n} withdrawn", "{n} withdrawn"),
    "closed": ("closed", "{n} closes", "{n} close"),
    "came_back": ("current", "{n} comes back", "{n} come back"),
    "released": ("current", "{n} is released", "{n} are released"),
    "new": ("current", "{n} becomes current", "{n} become current"),
    "scheduled": ("scheduled", "{n} is scheduled", "{n} are scheduled"),
    "historical": ("closed", "{n} into the history", "{n} into the history"),
    "held": ("held", "{n} is held", "{n} are held"),
    "moved": ("changed", "{n} changes its dates", "{n} change their dates"),
    "trust": ("changed", "{n} changes its trust", "{n} change their trust"),
    "confirms": ("added", "{n} confirms", "{n} confirm"),
    "erased": ("withdrawn", "{n} is erased", "{n} are erased"),
    "ends": ("removed", "{n} end is told", "{n} ends are told"),
}


def effects_counts(effects: Effects) -> list[Run]:
    """``2 withdrawn, 1 comes back``; empty when nothing changes."""
    counts = Counter(map(kind_of, effects.changes))
    parts: list[Run] = []
    for kind in _ORDER:
        if counts[kind]:
            role, one, many = _SHORT[kind]
            if parts:
                parts.append((Safe(", "), ""))
            parts.append((Safe(ngettext(one, many, counts[kind]).format(n=counts[kind])), role))
    return parts


def plain(rows: Sequence[Sequence[Run]]) -> str:
    """The lines as plain text, safe already."""
    return "\n".join("".join(part for part, _ in row) for row in rows)
