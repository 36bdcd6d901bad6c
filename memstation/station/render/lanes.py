"""The lanes of a fact: who held when, as rows of cells on one axis. It must not import textual, nor lay out time.

``[`` is where a value starts to hold, ``)`` where it no longer does, ``>`` is no end, ``+`` a confirmation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memstation.read.rows import Lane
from memstation.station.render.cells import Run, fit_runs, runs, width
from memstation.station.render.glyphs import STATE_WORDS, GlyphSet, state_sign
from memstation.station.render.provenance import joined
from memstation.station.render.safe import Safe
from memstation.station.render.timescale import Scale, axis, scale_for
from memstation.station.words import _, counted, ngettext, say

LABEL = (18, 22, 34)
"""Cells of a lane's name: at least, at 80 columns, at 120."""

TITLE = 38
"""Cells of the fact's name in the title, so that the counts beside it have room."""


@dataclass(frozen=True, slots=True)
class LaneGlyphs:
    """What bars are drawn with; each is one cell wide."""

    fills: dict[str, str]
    confirmed: dict[str, str]
    now: str
    start: str = "["
    until: str = ")"
    no_end: str = ">"
    cut: str = "."


_PLAIN = LaneGlyphs(
    fills={"current": "=", "scheduled": "=", "closed": "-", "held": ".", "withdrawn": "."},
    confirmed={"current": "+", "scheduled": "+", "closed": "+", "held": "+", "withdrawn": "+"},
    now="|",
)
_FINE = LaneGlyphs(
    fills={"current": "━", "scheduled": "╌", "closed": "─", "held": "┈", "withdrawn": "┈"},
    confirmed={"current": "┿", "scheduled": "┼", "closed": "┼", "held": "┼", "withdrawn": "┼"},
    now="│",
)


def lane_glyphs(glyphs: GlyphSet) -> LaneGlyphs:
    """The bars that go with a glyph set."""
    return _PLAIN if glyphs.name == "plain" else _FINE


def label_cells(lanes: Sequence[Lane], cells: int) -> int:
    """The width of the names before the bars, for a pane of this width."""
    least, narrow, wide = LABEL
    most = wide if cells >= 110 else narrow
    longest = max((width("".join(text for text, _ in runs(lane.value[:80]))) for lane in lanes), default=0)
    held = 0 if all(lane.state != "held" for lane in lanes) else width(_("held")) + 3
    return max(least, min(longest + held + 5, most))


def scale_of(lanes: Sequence[Lane], now: datetime, cells: int) -> Scale:
    """The axis for these lanes."""
    shown = [lane for lane in lanes if lane.until != lane.start] or list(lanes)
    others = [moment for lane in shown for moment in (*lane.confirmed, lane.until) if moment is not None]
    is_open = any((lane.until is None or lane.until > now) and lane.state != "withdrawn" for lane in shown)
    return scale_for([lane.start for lane in lanes], others, now, cells, is_open=is_open)


def lane_rows(
    lanes: Sequence[Lane], here: int | None, glyphs: GlyphSet, now: datetime, cells: int, lines: int
) -> list[list[Run]]:
    """Axis, as many lanes as there is room for around the one of the fact `here`, the legend where it fits."""
    if not lanes or lines < 2:
        return []
    names = label_cells(lanes, cells)
    scale = scale_of(lanes, now, max(8, cells - names - 1))
    room = lines - 1
    first = _first_shown(lanes, here, room)
    shown = lanes[first : first + room]
    rows = [[*_left_out(first, len(lanes) - first - len(shown), names), *axis(scale, now, lane_glyphs(glyphs).now)]]
    rows += [[*_name(lane, here, glyphs, names), *_bar(lane, scale, lane_glyphs(glyphs), now)] for lane in shown]
    if len(rows) + 1 <= lines:
        if len(rows) + 2 <= lines and cells >= 110:
            rows.append([])
        rows.append(legend(glyphs, cells))
    return rows


def _first_shown(lanes: Sequence[Lane], here: int | None, room: int) -> int:
    place = next((place for place, lane in enumerate(lanes) if lane.n == here), len(lanes) - 1)
    return max(0, min(place - room // 2, len(lanes) - room))


def _left_out(before: int, after: int, cells: int) -> list[Run]:
    """How many lanes have no room, in the empty place before the axis."""
    parts: list[Run] = [(Safe(" "), "")]
    if before:
        parts.append((counted("{n} above", "{n} above", before), "muted"))
    if after:
        parts += [(Safe(", "), "muted")] if before else []
        parts.append((counted("{n} below", "{n} below", after), "muted"))
    return fit_runs(parts, cells)


def _name(lane: Lane, here: int | None, glyphs: GlyphSet, cells: int) -> list[Run]:
    """``= Cloudflare Workers``; the lane of the fact under the cursor has the cursor's sign before it."""
    sign = state_sign(glyphs, lane.state)
    is_here = lane.n == here
    tail: list[Run] = [(Safe(f" ({sign.word})"), sign.role)] if lane.state == "held" else []
    room = cells - 4 - sum(width(text) for text, _ in tail)
    value = runs(lane.value[: 4 * cells], "strong" if is_here else "" if lane.state != "closed" else "closed")
    if sum(width(text) for text, _ in value) > room:
        value = fit_runs(value, room)
    head: list[Run] = [(Safe(glyphs.cursor if is_here else " "), "key"), (Safe(f"{sign.glyph} "), sign.role)]
    return fit_runs([*head, *value, *tail], cells)


def _bar(lane: Lane, scale: Scale, signs: LaneGlyphs, now: datetime) -> list[Run]:
    """The cells of one lane, the present drawn through it."""
    line, role = [" "] * scale.cells, lane.state
    last = scale.cells - 1
    start = scale.column(lane.start)
    stop = last if lane.until is None else scale.column(lane.until)
    is_void = lane.until is not None and lane.until <= lane.start
    begin, end = max(0, min(start, last)), max(0, min(stop, last))
    if lane.state in ("held", "withdrawn"):
        for at in range(begin, (begin if is_void else end) + 1):
            line[at] = signs.fills[role]
    else:
        end = max(end, begin + 1) if begin < last else end
        for at in range(begin, end + 1):
            line[at] = signs.fills[role]
        line[end] = signs.no_end if lane.until is None else signs.until
    for moment in lane.confirmed:
        at = scale.column(moment)
        if begin < at < end:
            line[at] = signs.confirmed[role]
    here = scale.column(now)
    if 0 <= here < scale.cells and line[here] not in (signs.until,):
        line[here] = signs.now
    if start < 0:
        line[begin : begin + 2] = [signs.cut] * len(line[begin : begin + 2])
    elif start > last:
        line[begin] = signs.cut
    if lane.until is not None and stop > last and not is_void:
        line[last - 2 : last + 1] = [signs.cut, signs.cut, signs.until]
    if 0 <= start <= last:
        line[begin] = _opening(lane, signs)
    if is_void and lane.state == "withdrawn":
        _write_word(line, begin, _(STATE_WORDS["withdrawn"]))
    return _grouped(line, here, role)


def _write_word(line: list[str], at: int, word: Safe) -> None:
    """A word after a sign that is alone on its lane, or before it where that has no room."""
    size = width(word)
    start = at + 2 if at + 2 + size <= len(line) else at - 1 - size
    if start >= 0 and size == len(word):
        line[start : start + size] = list(word)


def _opening(lane: Lane, signs: LaneGlyphs) -> str:
    return {"held": "?", "withdrawn": "x"}.get(lane.state, signs.start)


def _grouped(line: list[str], here: int, role: str) -> list[Run]:
    parts: list[Run] = []
    for at, char in enumerate(line):
        own = "key" if at == here and char in "|│" else "" if char == " " else role
        if parts and parts[-1][1] == own:
            parts[-1] = (Safe(parts[-1][0] + char), own)
        else:
            parts.append((Safe(char), own))
    return parts


def legend(glyphs: GlyphSet, cells: int) -> list[Run]:
    """What the signs on the bars mean."""
    signs = lane_glyphs(glyphs)
    until = _("until (not included)") if cells >= 110 else _("until")
    gap = "   " if cells >= 110 else "  "
    entries = [
        (signs.start, _("from")), (signs.until, until), (signs.no_end, _("no end")),
        (signs.confirmed["current"], _("confirmed")), ("?", _("waits for you")), ("x", _("withdrawn")),
        (signs.now, _("now")),
    ]  # fmt: skip
    parts: list[Run] = [(Safe(" "), "")]
    for place, (sign, word) in enumerate(entries):
        if place:
            parts.append((Safe(gap), ""))
        parts += [(Safe(sign), "key"), (Safe(f" {word}"), "muted")]
    return fit_runs(parts, cells)


def lanes_title(subject: str | None, predicate: str | None, agent_id: str) -> list[Run]:
    """``user deploy_target, as dudu believes it``."""
    about = " ".join(name for name in (subject, predicate) if name)
    named = joined(runs(about, "key"), TITLE) if about else [(_("a note"), "key")]
    return [*named, (say(", as {agent} believes it", agent=agent_id[:TITLE]), "muted")]


def lanes_note(lanes: Sequence[Lane], left_out: int = 0) -> list[Run]:
    """``2 values, 1 waits``; `left_out` lanes are too far away to be drawn."""
    values = {lane.value for lane in lanes if lane.state in ("current", "scheduled", "closed")}
    waits = sum(lane.state == "held" for lane in lanes)
    gone = sum(lane.state == "withdrawn" for lane in lanes)
    parts: list[Run] = [(counted("{n} value", "{n} values", len(values)), "muted")]
    if waits:
        parts += [(Safe(", "), "muted"), (Safe(ngettext("{n} waits", "{n} wait", waits).format(n=waits)), "held")]
    if gone:
        parts += [(Safe(", "), "muted"), (counted("{n} withdrawn", "{n} withdrawn", gone), "withdrawn")]
    if left_out:
        parts += [(Safe(", "), "muted"), (counted("{n} more far away", "{n} more far away", left_out), "muted")]
    return parts
