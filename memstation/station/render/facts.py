"""A fact in one line. It must not import textual."""

from __future__ import annotations

from datetime import datetime

from memstation.read.rows import FactRow
from memstation.station.render.cells import Run, runs
from memstation.station.render.glyphs import GlyphSet, state_sign
from memstation.station.render.safe import Safe
from memstation.station.render.when import spoken_day, window
from memstation.station.words import say


def about(fact: FactRow) -> str:
    """Subject and predicate; what it is called where it has neither."""
    return " ".join(name for name in (fact.subject, fact.predicate) if name)


def short_origin(origin: str | None) -> str:
    """The origin for a narrow column: a channel by its own name, anything else in full."""
    return origin.removeprefix("channel:") if origin else ""


def fact_line(fact: FactRow, glyphs: GlyphSet, now: datetime, *, agent: bool = False) -> list[Run]:
    """``= user deploy_target: Cloudflare Workers  current, 3 Mar, no end``."""
    sign = state_sign(glyphs, fact.state, fact.tainted)
    line: list[Run] = [(Safe(f"{sign.glyph} "), sign.role)]
    if agent:
        line += [*runs(fact.agent_id), (Safe("  "), "")]
    if name := about(fact):
        line += [*runs(name, "muted"), (Safe(": "), "muted")]
    line += [*runs(fact.value), (Safe("  "), ""), (sign.word, sign.role)]
    if fact.valid_until is not None and fact.valid_until <= fact.valid_from:
        # A withdrawn fact holds at no instant: only its start says something.
        return [*line, (say(", from {day}", day=spoken_day(fact.valid_from, now)), "muted")]
    return [*line, (Safe(f", {window(fact.valid_from, fact.valid_until, now)}"), "muted")]
