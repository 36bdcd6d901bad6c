"""Why a fact is believed, in two lines or beside the list. It must not import textual; the sheet has the whole."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memstation.domain.memory import Confirmation, FactRecord
from memstation.read.rows import FactDetail, FactRow, Lane
from memstation.station.render.cells import Run, cut, fit_runs, runs, runs_width
from memstation.station.render.glyphs import GlyphSet, state_sign
from memstation.station.render.reasons import mark_runs, teller, why_out_of_use
from memstation.station.render.safe import Safe, safe_line
from memstation.station.render.when import full, spoken_day, window
from memstation.station.render.wrapping import labelled, wrap_runs
from memstation.station.words import _, counted, fill, say

HANG = 11
"""Cells of the labels."""
QUOTED = 280
"""Characters of the content that the side pane shows."""
Rows = list[list[Run]]


def joined(parts: Sequence[Run], cells: int) -> list[Run]:
    """Stored runs cut to a width, for the middle of a sentence; tokens stay tokens."""
    return list(parts) if runs_width(parts) <= cells else fit_runs(parts, cells)


def moment(at: datetime, now: datetime) -> Safe:
    """``3 Mar 10:02``, with the year where it is another."""
    return Safe(f"{spoken_day(at, now)} {at:%H:%M}")


# -- two lines ---------------------------------------------------------------------------------------------------


def two_lines(detail: FactDetail, now: datetime) -> tuple[list[Run], list[Run]]:
    """Who told it, what confirmed or stopped it; what it replaced, and its id."""
    record = detail.record
    if record.state in ("held", "withdrawn"):
        first = _out_of_use(detail, now)
    else:
        first = [*joined(runs(_value(record)), 22), (_(": told by "), "muted"), *_teller_and_day(record, now)]
        if record.state == "scheduled":
            first.append((say(", starts {day}", day=spoken_day(record.valid_from, now)), "scheduled"))
        first += [*_confirmed_clause(detail, now), (Safe("."), "muted")]
    second = [*_chain_clause(detail, now), (_("  id "), "muted"), (cut(safe_line(record.id), 20), "")]
    return first, second


def _teller_and_day(record: FactRecord, now: datetime) -> list[Run]:
    return [*joined(teller(record.origin, short=True), 20), (Safe(f" {moment(record.ingested_at, now)}"), "")]


def _out_of_use(detail: FactDetail, now: datetime) -> list[Run]:
    """Why it is not in use comes first: that is what is asked of it."""
    record = detail.record
    word = _("held") if record.state == "held" else _("withdrawn")
    why = why_out_of_use(detail.marks, record.state) or taken_back(detail)
    return [
        *joined(runs(_value(record)), 22), (Safe(": "), "muted"), (word, record.state),
        *([(Safe(", "), "muted"), *why] if why else []), (_(".  Told by "), "muted"), *_teller_and_day(record, now),
    ]  # fmt: skip


def taken_back(detail: FactDetail) -> list[Run]:
    """That the decision which told it does not stand any more."""
    told = detail.told
    if told.stands:
        return []
    if told.taken_back_by is None:
        return [(say("#{n} does not stand", n=told.seq), "")]
    return [(say("#{n} was taken back by #{by}", n=told.seq, by=told.taken_back_by), "")]


def _confirmed_clause(detail: FactDetail, now: datetime) -> list[Run]:
    if not detail.confirmed:
        return []
    newest = detail.confirmations[0] if detail.confirmations else None
    if newest is None:
        return [(counted(", confirmed {n} time", ", confirmed {n} times", detail.confirmed), "muted")]
    by: list[Run] = [(_(" by "), "muted"), *joined(teller(newest.origin, short=True), 16)]
    if detail.confirmed <= 2:
        days = ", ".join(spoken_day(item.at, now) for item in reversed(detail.confirmations[:2]))
        return [(_(", confirmed "), "muted"), (Safe(days), ""), *by]
    text = counted(", confirmed {n} time, last {day}", ", confirmed {n} times, last {day}", detail.confirmed,
                   day=spoken_day(newest.at, now))  # fmt: skip
    return [(text, "muted"), *by]


def _chain_clause(detail: FactDetail, now: datetime) -> list[Run]:
    if detail.replaced_by is not None:
        other = detail.replaced_by
        words = _(" replaced it on {day}.") if other.start <= now else _(" replaces it on {day}.")
        return [*joined(runs(other.value), 20), (fill(words, day=spoken_day(other.start, now)), "muted")]
    if detail.replaced is not None:
        other = detail.replaced
        word = _("It replaced ") if detail.record.valid_from <= now else _("It will replace ")
        return [(word, "muted"), *joined(runs(other.value), 20),
                (Safe(f" ({window(other.start, other.until, now)})."), "muted")]  # fmt: skip
    if detail.record.state == "held":
        return [(_("Not in use until released."), "muted")]
    if detail.record.state == "withdrawn":
        return [(_("Not in use."), "muted")]
    return [(_("It replaced nothing."), "muted")]


# -- beside the list ---------------------------------------------------------------------------------------------


def side_rows(row: FactRow, detail: FactDetail, glyphs: GlyphSet, now: datetime, cells: int, key: str) -> Rows:
    """The detail beside the list: state and value, window, who told it, the chain, a quotation."""
    record = detail.record
    sign = state_sign(glyphs, record.state, row.tainted)
    rows = wrap_runs([(Safe(f"{sign}   "), sign.role), *runs(_value(record)[:QUOTED], "strong")], cells, 2)
    rows += [[(window_of(record), "")], []]
    rows += told_rows(detail, now, cells)
    if detail.confirmations:
        label = _("Confirmed")
        for item in detail.confirmations[:3]:
            rows += labelled(label, confirmation(item, now), cells, HANG)
            label = Safe("")
        if detail.confirmed > 3:
            rest = counted("and {n} more", "and {n} more", detail.confirmed - 3)
            rows += labelled(label, [(rest, "muted")], cells, HANG)
    rows += chain_rows(detail, now, cells, 40)
    rows += used_rows(detail, now, cells)
    if record.content != record.object or len(record.content) > QUOTED:
        quoted = record.content if len(record.content) <= QUOTED else f"{record.content[:QUOTED]} .."
        rows += [[], *wrap_runs([(Safe('"'), "muted"), *runs(quoted, lines=False), (Safe('"'), "muted")], cells)]
    rows += [[], *_made_rows(detail, cells, key), [], *labelled(_("id"), runs(record.id), cells, 3)]
    return rows


def told_rows(detail: FactDetail, now: datetime, cells: int) -> Rows:
    """Who told it with which trust, when, and what judges it."""
    record = detail.record
    told: list[Run] = [*teller(record.origin), (say(", trust {t}", t=trust(record.origin_trust)), "")]
    if record.origin_trust != record.asserted_trust:
        told.append((say(" (told with {t})", t=trust(record.asserted_trust)), "muted"))
    rows = labelled(_("Told by"), told, cells, HANG)
    learned: list[Run] = [(moment(record.ingested_at, now), "")]
    if record.source_event:
        learned += [(_(", from "), "muted"), *runs(record.source_event)]
    rows += labelled(_("Learned"), learned, cells, HANG)
    if not detail.told.stands:
        rows += labelled(_("Undone"), taken_back(detail), cells, HANG)
    for place, mark in enumerate(detail.marks):
        rows += labelled(_("Judged") if not place else Safe(""), mark_runs(mark), cells, HANG)
    return rows


def confirmation(item: Confirmation, now: datetime) -> list[Run]:
    """``20 Mar 09:11 by dudu``."""
    return [(moment(item.at, now), ""), (_(" by "), "muted"), *teller(item.origin)]


def chain_rows(detail: FactDetail, now: datetime, cells: int, most: int) -> Rows:
    """What it replaced, what followed it, what waits for review; values in `most` cells."""
    rows: Rows = []
    if detail.replaced is not None:
        label = _("Replaced") if detail.record.valid_from <= now else _("Replaces")
        rows += labelled(label, _lane(detail.replaced, now, most), cells, HANG)
    if detail.replaced_by is not None:
        rows += labelled(_("Followed"), [(_("by "), "muted"), *_lane(detail.replaced_by, now, most)], cells, HANG)
    label = _("Waiting")
    for lane in detail.lanes:
        if lane.state == "held" and lane.n != detail.record.n:
            parts = [*joined(runs(lane.value), most), (_(", from "), "muted"), *teller(lane.origin)]
            rows += labelled(label, parts, cells, HANG)
            label = Safe("")
    return rows


def _lane(lane: Lane, now: datetime, most: int) -> list[Run]:
    return [*joined(runs(lane.value), most), (Safe(f", {window(lane.start, lane.until, now)}"), "muted")]


def used_rows(detail: FactDetail, now: datetime, cells: int) -> Rows:
    """How often agents have read it. Without a last reading the count is of confirmations alone, which stand above."""
    record, reads = detail.record, detail.reads
    if reads.last is not None and reads.since is not None:
        times = counted("{n} time", "{n} times", reads.times)
        when = say(" since {day}, last {when}", day=spoken_day(reads.since, now), when=moment(reads.last, now))
    elif record.access_count and record.last_accessed is not None:
        times = counted("{n} time", "{n} times", record.access_count)
        when = say(", last {when}", when=moment(record.last_accessed, now))
    else:
        return labelled(_("Used"), [(_("never"), "muted")], cells, HANG)
    return labelled(_("Used"), [(times, ""), (when, "muted")], cells, HANG)


def _made_rows(detail: FactDetail, cells: int, key: str) -> Rows:
    sources = len(detail.made_from) + len(detail.unknown_sources)
    made: list[Run] = (
        [(counted("{n} memory", "{n} memories", sources), "")] if sources else [(_("nothing: first-hand"), "muted")]
    )  # fmt: skip
    leads = len(detail.leads_to)
    to: list[Run] = (
        [(counted("{n} memory", "{n} memories", leads), ""), (say("   {key} shows them", key=key), "muted")]
        if leads else [(_("nothing"), "muted")]
    )  # fmt: skip
    return [*labelled(_("Made from"), made, cells, HANG), *labelled(_("Leads to"), to, cells, HANG)]


def _value(record: FactRecord) -> str:
    return record.object if record.object else record.content


def trust(value: float) -> str:
    """``1.0``, or with as many digits as it has, two at most."""
    return f"{value:.1f}" if round(value, 1) == round(value, 2) else f"{value:.2f}"


def window_of(record: FactRecord) -> Safe:
    """When it holds."""
    return span(record.valid_from, record.valid_until)


def span(start: datetime, until: datetime | None) -> Safe:
    """A window in full: ``Tue 3 Mar 2026 00:00 UTC, no end``."""
    if until is None:
        return say("{start}, no end", start=full(start))
    if until <= start:
        return say("at no time ({start})", start=full(start))
    return say("{start} to {until}", start=full(start), until=full(until))
