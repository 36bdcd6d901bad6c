"""Sources in words: the columns of their list, and what the detail says of one. It must not import textual."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memstation.domain.decisions import EVERY_AGENT
from memstation.domain.origins import OPERATOR, UNATTRIBUTED
from memstation.read.rows import FactRow, ReadCount
from memstation.read.source_rows import SourceDetail, SourceRow
from memstation.station.render.cells import Run, runs
from memstation.station.render.facts import about
from memstation.station.render.glyphs import GlyphSet, state_sign
from memstation.station.render.provenance import HANG, Rows, joined, moment, trust
from memstation.station.render.safe import Safe
from memstation.station.render.spark import sparkline
from memstation.station.render.when import lately, spoken, spoken_day
from memstation.station.render.wrapping import labelled
from memstation.station.widgets.columns import Column
from memstation.station.words import _, counted, say

NAME, LAST = 19, 9
SHORT = 6
NAMED = 4
"""Agents, days and names that are told one by one."""


def source_name(origin: str | None, role: str = "") -> list[Run]:
    """A source as it is written, with what it stands for where it is a word of ours."""
    if not origin or origin == UNATTRIBUTED:
        return [(_("nobody named"), role)]
    if origin == OPERATOR:
        return [*runs(origin, role), (_(" (you)"), "key")]
    return runs(origin, role)


def source_columns(width: int, glyphs: GlyphSet, now: datetime) -> Sequence[Column[SourceRow]]:
    """Who, how much stands, waits and is withdrawn, with which trust, when last, how much a day, bursts and drops."""
    last = LAST if width < 75 else SHORT

    return [
        Column(_("SOURCE"), NAME, lambda row: source_name(row.origin), flex=1),
        Column(_("FACTS"), 5, lambda row: [_number(row.facts, "")], right=True),
        Column(_("HELD"), 4, lambda row: [_number(row.held, "held")], right=True),
        Column(_("WITHDRAWN"), 9, lambda row: [_number(row.withdrawn, "withdrawn")], right=True, rank=1),
        Column(_("TRUST"), 7, lambda row: [trust_run(row)], right=True),
        Column(_("LAST"), last, lambda row: [(_last(row, now, last), "muted")], right=True, rank=2),
        Column(_("LAST 14 DAYS"), 14, lambda row: [(sparkline(row.days, glyphs), "muted")], rank=4),
        Column(_("B/D"), 5, lambda row: [_noted(row)], right=True, rank=3),
    ]


def _number(count: int, role: str) -> Run:
    """The count in five cells at most."""
    text = f"{count:,}"
    for unit, sign in ((1_000_000, "m"), (1_000, "k")):
        if len(text) > 5 and count >= unit:
            text = f"{count / unit:.0f}{sign}"
    return Safe(text), role if count else "muted"


def _last(row: SourceRow, now: datetime, cells: int) -> Safe:
    if row.last is None:
        return Safe("")
    text = lately(row.last, now)
    return Safe(text.partition(" ")[0]) if cells < len(text) and ":" in text else text


def trust_run(row: SourceRow) -> Run:
    """``0.3``, or ``.1-.6`` where its facts differ; where none stands, what its class may claim.

    Of a blocked source, which is not trusted at all, that it is blocked.
    """
    if row.blocked_for:
        return _("blocked"), "withdrawn"
    if row.trust_set is not None:
        return Safe(trust(row.trust_set)), "changed"
    if row.lowest is None or row.highest is None:
        return Safe(trust(row.ceiling)), "muted"
    low, high = trust(row.lowest), trust(row.highest)
    if low == high:
        return Safe(low), ""
    return Safe(f"{low[:3].removeprefix('0')}-{high[:3].removeprefix('0')}"), ""


def _noted(row: SourceRow) -> Run:
    return Safe(f"{row.bursts}/{row.dropped}"), "warning" if row.bursts or row.dropped else "muted"


# -- the detail --------------------------------------------------------------------------------------------------


def source_title(row: SourceRow, detail: SourceDetail | None, now: datetime) -> tuple[list[Run], list[Run]]:
    """Its name; when it told something first and last."""
    note: list[Run] = []
    if detail is not None and detail.first is not None and row.last is not None:
        words = say("first {first}, last {last}", first=spoken_day(detail.first, now), last=spoken(row.last, now))
        note = [(words, "muted")]
    return joined(source_name(row.origin, "strong"), 60), note


def source_lines(
    row: SourceRow, detail: SourceDetail, glyphs: GlyphSet, now: datetime, cells: int, purge_key: str
) -> Rows:
    """What is known of a source, the most pressing first; its newest facts last."""
    rows = labelled(_("Facts"), _facts(row, detail), cells, HANG)
    rows += labelled(_("Trust"), _trust(row, detail), cells, HANG)
    rows += labelled(_("14 days"), _fortnight(row, detail, glyphs, now), cells, HANG)
    rows += labelled(_("Read"), read_runs(detail.reads, now), cells, HANG)
    rows += labelled(_("Blocked"), _blocked(row, detail, now, purge_key), cells, HANG)
    if detail.near:
        rows += labelled(_("Not to be"), _near(detail.near), cells, HANG)
    rows += [[], [(_("NEWEST OF ITS FACTS"), "muted")]]
    every = len(row.agents) > 1
    rows += [_fact_line(fact, glyphs, now, agent=every) for fact in detail.newest]
    if not detail.newest:
        rows.append([(_("nothing of it was kept"), "muted")])
    return rows


def _fact_line(fact: FactRow, glyphs: GlyphSet, now: datetime, *, agent: bool) -> list[Run]:
    """``= dudu  user ci_provider: Jenkins  current, 9 Apr``: the day from which it holds is enough here."""
    sign = state_sign(glyphs, fact.state, fact.tainted)
    line: list[Run] = [(Safe(f"{sign.glyph} "), sign.role)]
    line += [*runs(fact.agent_id), (Safe("  "), "")] if agent else []
    if name := about(fact):
        line += [*runs(name, "muted"), (Safe(": "), "muted")]
    return [*line, *runs(fact.value), (Safe("  "), ""), (sign.word, sign.role),
            (Safe(f", {spoken_day(fact.valid_from, now)}"), "muted")]  # fmt: skip


def _facts(row: SourceRow, detail: SourceDetail) -> list[Run]:
    parts: list[Run] = []
    for share in row.agents[:NAMED]:
        parts += [(Safe(", "), "muted")] if parts else []
        parts += [(say("{n} of ", n=f"{share.facts:,}"), ""), *runs(share.agent_id)]
    if rest := row.agents[NAMED:]:
        parts.append((say(", {n} of {m} more", n=f"{sum(s.facts for s in rest):,}", m=len(rest)), "muted"))
    parts = parts or [(_("none"), "muted")]
    if row.confirms:
        parts.append((counted("; {n} confirms others", "; {n} confirm others", row.confirms), "muted"))
    if detail.made_from:
        made = counted("; {n} memory was made from them", "; {n} memories were made from them", detail.made_from)
        parts.append((made, "tainted"))
    return parts


def _trust(row: SourceRow, detail: SourceDetail) -> list[Run]:
    limit = say("class {name}: at most {trust} by itself", name=row.class_name, trust=trust(row.ceiling))
    if row.trust_set is None:
        return [(limit, "")]
    parts: list[Run] = [(say("set to {trust}", trust=trust(row.trust_set)), "changed")]
    if detail.trust_by is not None:
        parts.append((Safe(f" #{detail.trust_by.seq}"), "key"))
    return [*parts, *_whom(row.trust_for), (Safe("; "), "muted"), (limit, "muted")]


def _fortnight(row: SourceRow, detail: SourceDetail, glyphs: GlyphSet, now: datetime) -> list[Run]:
    parts: list[Run] = [(sparkline(row.days, glyphs), "")]
    if row.bursts:
        days = ", ".join(spoken_day(day, now) for day in detail.bursts[:NAMED])
        parts += [(counted("  {n} burst", "  {n} bursts", row.bursts), "warning"), (Safe(f" ({days})"), "muted")]
    if row.dropped:
        parts.append((counted("  {n} dropped", "  {n} dropped", row.dropped), "warning"))
        if detail.rules:
            parts += [(Safe(": "), "muted"), *runs(", ".join(detail.rules[:NAMED]), "muted")]
    if not row.bursts and not row.dropped:
        parts.append((_("  no burst, nothing dropped"), "muted"))
    return parts


def read_runs(reads: ReadCount, now: datetime) -> list[Run]:
    """``41 times since 3 Mar, last 14 Apr 08:55``; that nobody read it."""
    if reads.last is None or reads.since is None:
        return [(_("by no agent, as far as it was counted"), "muted")]
    times = counted("{n} time", "{n} times", reads.times)
    when = say(" since {day}, last {last}", day=spoken_day(reads.since, now), last=moment(reads.last, now))
    return [(times, ""), (when, "muted")]


def _blocked(row: SourceRow, detail: SourceDetail, now: datetime, purge_key: str) -> list[Run]:
    if not row.blocked_for:
        return [(say("no.  {key} purges it: first you look, then you type its name", key=purge_key),
                 "muted")]  # fmt: skip
    parts: list[Run] = [(_("yes: what it writes is held for you"), "withdrawn"), *_whom(row.blocked_for)]
    if detail.blocked_by is not None:
        parts.append((Safe(f", #{detail.blocked_by.seq}, {spoken(detail.blocked_by.at, now)}"), "muted"))
    return parts


def _whom(agents: Sequence[str]) -> list[Run]:
    if EVERY_AGENT in agents:
        return [(_(", for all agents"), "muted")]
    return [(_(", for "), "muted"), *runs(", ".join(agents[:NAMED]), "muted")]


def _near(names: Sequence[str]) -> list[Run]:
    parts: list[Run] = [(_("taken for "), "muted")]
    for place, name in enumerate(names):
        parts += [(Safe(", "), "muted")] if place else []
        parts += runs(name, "warning")
    return parts
