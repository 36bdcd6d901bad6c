"""The whole sheet of a fact: what it says, and why it is believed or not. It must not leave out what is known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from memstation.read.rows import FactDetail, FactRow
from memstation.station.render.cells import Run, runs
from memstation.station.render.facts import fact_line
from memstation.station.render.glyphs import GlyphSet, state_sign
from memstation.station.render.log_words import did, who
from memstation.station.render.provenance import (
    HANG,
    Rows,
    chain_rows,
    confirmation,
    moment,
    span,
    told_rows,
    used_rows,
    window_of,
)
from memstation.station.render.reasons import reason_runs
from memstation.station.render.safe import Safe
from memstation.station.render.when import spoken, spoken_day
from memstation.station.render.wrapping import labelled
from memstation.station.words import N_, _, counted, say


def sheet_rows(
    row: FactRow, detail: FactDetail, glyphs: GlyphSet, now: datetime, cells: int, *, why_first: bool = False
) -> Rows:
    """Everything that is known of a fact, in two parts: what it says, and why. `why_first` turns them round."""
    said = _said_part(row, detail, glyphs, cells)
    why = _why_part(row, detail, glyphs, now, cells)
    return [*why, [], *said] if why_first else [*said, [], *why]


_WHY_TITLES = {
    "current": N_("WHY IT IS BELIEVED"), "scheduled": N_("WHY IT WILL BE BELIEVED"),
    "closed": N_("WHY IT WAS BELIEVED"), "held": N_("WHY IT WAITS FOR YOU"), "withdrawn": N_("WHY IT IS NOT IN USE"),
}  # fmt: skip


def _said_part(row: FactRow, detail: FactDetail, glyphs: GlyphSet, cells: int) -> Rows:
    record = detail.record
    sign = state_sign(glyphs, record.state, row.tainted)
    rows: Rows = [[(_("WHAT IT SAYS"), "muted")]]
    rows += labelled(_("State"), [(Safe(str(sign)), sign.role)], cells, HANG)
    if record.subject:
        rows += labelled(_("About"), runs(record.subject), cells, HANG)
    if record.predicate:
        many: list[Run] = [(_("  (holds many values)"), "muted")] if row.many else []
        rows += labelled(_("Says"), [*runs(record.predicate), *many], cells, HANG)
    if record.object:
        rows += labelled(_("Value"), runs(record.object, "strong"), cells, HANG)
    if record.content != record.object:
        rows += labelled(_("In words"), runs(record.content, lines=True), cells, HANG)
    rows += labelled(_("Holds"), [(window_of(record), "")], cells, HANG)
    if (record.asserted_from, record.asserted_until) != (record.valid_from, record.valid_until):
        told = span(record.asserted_from, record.asserted_until)
        rows += labelled(_("Told as"), [(told, "muted")], cells, HANG)
    rows += labelled(_("Kept as"), [(say("{layer}, importance {i} of 10, confidence {c}", layer=record.layer,
                     i=f"{record.importance:g}", c=f"{record.confidence:g}"), "")], cells, HANG)  # fmt: skip
    if record.tags:
        rows += labelled(_("Tags"), _listed(record.tags), cells, HANG)
    for place, (name, value) in enumerate(sorted(record.metadata.items(), key=lambda item: str(item[0]))):
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
        label = _("Metadata") if not place else Safe("")
        rows += labelled(label, [*runs(str(name), "muted"), (Safe(": "), "muted"), *runs(text)], cells, HANG)
    return [*rows, *labelled(_("id"), runs(record.id), cells, HANG)]


def _listed(items: Sequence[str]) -> list[Run]:
    parts: list[Run] = []
    for item in items:
        parts += [(Safe(", "), "muted")] if parts else []
        parts += runs(item)
    return parts


def _why_part(row: FactRow, detail: FactDetail, glyphs: GlyphSet, now: datetime, cells: int) -> Rows:
    record = detail.record
    rows: Rows = [[(_(_WHY_TITLES[record.state]), "muted")]]
    rows += told_rows(detail, now, cells)
    told = detail.told
    decision: list[Run] = [(Safe(f"#{told.seq}"), "key"), (Safe(f", {who(told.actor)} "), ""), (did(told), ""),
                           (Safe(f", {spoken(told.at, now)}"), "muted")]  # fmt: skip
    if told.reason:
        decision += [(Safe(": "), "muted"), *reason_runs(told.reason)]
    rows += labelled(_("Decision"), decision, cells, HANG)
    if record.invalidated_at is not None:
        ended: list[Run] = [(moment(record.invalidated_at, now), "")]
        if record.invalidated_by_event:
            ended += [(Safe(", "), "muted"), *runs(record.invalidated_by_event)]
        rows += labelled(_("Stamped"), ended, cells, HANG)
    rows += chain_rows(detail, now, cells, 200)
    rows += _evidence_rows(detail, now, cells)
    rows += _source_rows(detail, glyphs, now, cells)
    return [*rows, *used_rows(detail, now, cells)]


def _evidence_rows(detail: FactDetail, now: datetime, cells: int) -> Rows:
    if not detail.confirmed:
        return labelled(_("Confirmed"), [(_("by nobody else"), "muted")], cells, HANG)
    rows = labelled(_("Confirmed"), [(counted("{n} time", "{n} times", detail.confirmed), "")], cells, HANG)
    for item in detail.confirmations:
        parts = confirmation(item, now)
        if item.source_event:
            parts += [(_(", from "), "muted"), *runs(item.source_event)]
        if item.said_from != item.at:
            parts.append((say(", said from {day}", day=spoken_day(item.said_from, now)), "muted"))
        parts += [(Safe("  "), ""), *runs(item.id, "muted")]
        rows += labelled(Safe(""), parts, cells, HANG)
    rest = detail.confirmed - len(detail.confirmations)
    if rest > 0:
        rows += labelled(Safe(""), [(counted("and {n} more", "and {n} more", rest), "muted")], cells, HANG)
    return rows


def _source_rows(detail: FactDetail, glyphs: GlyphSet, now: datetime, cells: int) -> Rows:
    rows: Rows = []
    label = _("Made from")
    for fact in detail.made_from:
        foreign = fact.agent_id != detail.record.agent_id
        rows += labelled(label, fact_line(fact, glyphs, now, agent=foreign), cells, HANG)
        label = Safe("")
    for name in detail.unknown_sources:
        rows += labelled(label, [*runs(name), (_(": not in this store"), "warning")], cells, HANG)
        label = Safe("")
    if not rows:
        rows = labelled(label, [(_("nothing: first-hand"), "muted")], cells, HANG)
    label = _("Leads to")
    for fact in detail.leads_to:
        foreign = fact.agent_id != detail.record.agent_id
        rows += labelled(label, fact_line(fact, glyphs, now, agent=foreign), cells, HANG)
        label = Safe("")
    return rows if detail.leads_to else [*rows, *labelled(label, [(_("nothing"), "muted")], cells, HANG)]
