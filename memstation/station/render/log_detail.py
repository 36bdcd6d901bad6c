"""All about one decision, line by line. It must not import textual."""

from __future__ import annotations

from datetime import datetime

from memstation.domain.decisions import EVERY_AGENT
from memstation.read.gate_rows import EventRow
from memstation.read.rows import FactRow, LogDetail, LogRow
from memstation.station.own import Own, is_undoable
from memstation.station.render.cells import Run, runs
from memstation.station.render.facts import fact_line
from memstation.station.render.glyphs import GlyphSet
from memstation.station.render.log_words import did, reason_runs, summary_runs, who
from memstation.station.render.reasons import teller
from memstation.station.render.safe import Safe
from memstation.station.render.when import spoken
from memstation.station.words import N_, _, counted, say

_MARKS = {
    "withdrawn": (N_("withdrawn"), "withdrawn"),
    "held": (N_("held for review"), "held"),
    "released": (N_("released"), "current"),
    "denied": (N_("denied"), "withdrawn"),
    "lapsed": (N_("ran out undecided"), "withdrawn"),
    "extended": (N_("given more time"), "held"),
    "trust": (N_("trust set"), "changed"),
    "cap": (N_("trust lowered"), "changed"),
}
"""What a mark is called, and its role."""


def decision_title(row: LogRow, now: datetime) -> tuple[list[Run], list[Run]]:
    """``#408, you, Mon 13 Apr 18:01`` and whether it can be taken back."""
    title: list[Run] = [(Safe(f"#{row.seq}"), "key"), (Safe(f", {who(row.actor)}, {spoken(row.at, now)}"), "")]
    if not row.stands:
        by = row.taken_back_by
        return title, [(say("taken back by #{n}", n=by) if by is not None else _("does not stand"), "withdrawn")]
    if not is_undoable(row):
        return title, [(_("cannot be taken back"), "warning")]
    return title, [(_("can be taken back"), "muted")]


def decision_rows(detail: LogDetail, glyphs: GlyphSet, now: datetime, own: Own) -> list[list[Run]]:
    """What the decision told, marked, ended and ordered; then what taking it back means."""
    return [*statement_rows(detail, glyphs, now), *_what_keys_do(detail.row, own)]


def statement_rows(detail: LogDetail, glyphs: GlyphSet, now: datetime) -> list[list[Run]]:
    """What the decision told, marked, ended and ordered, and what the gate noted."""
    row = detail.row
    head: list[Run] = [(did(row), "strong"), (Safe(" "), ""), *summary_runs(row)]
    if row.agent_id:
        whom = _("for all agents") if row.agent_id == EVERY_AGENT else say("for {agent}", agent=row.agent_id)
        head += [(Safe(", "), "muted"), (whom, "muted")]
    rows = [head]
    if not row.stands:
        rows.append([(Safe(f"{glyphs.states['withdrawn']} "), "withdrawn"), *decision_title(row, now)[1]])
    if row.reason:
        rows.append([(_("Reason  "), "muted"), *reason_runs(row.reason)])
    if row.group is not None and row.group != row.seq:
        rows.append([(say("A part of the import that began with #{n}", n=row.group), "muted")])
    marked = {fact.n for _mark, fact in detail.marks}
    rows += [fact_line(fact, glyphs, now) for fact in detail.told if fact.n not in marked]
    if detail.erased:
        erased = counted("{n} memory that it told was erased since", "{n} memories that it told were erased since",
                         detail.erased)  # fmt: skip
        rows.append([(erased, "withdrawn")])
    rest = row.facts - len(detail.told) - len(detail.ended) - detail.erased
    if rest > 0:
        rows.append([(counted("{n} more", "{n} more", rest), "muted")])
    seen = {event.memory_id: event for event in detail.events}
    rows += [_marked(mark, fact, seen.get(fact.id), glyphs, now) for mark, fact in detail.marks]
    rows += [[(_("ended: "), "removed"), *fact_line(fact, glyphs, now)] for fact in detail.ended]
    rows += [[(Safe("~ "), "changed"), *runs(order)] for order in detail.orders]
    for event in detail.events:
        rows += drop_rows(event, glyphs) if event.is_drop else []
    return rows


def _marked(mark: str, fact: FactRow, event: EventRow | None, glyphs: GlyphSet, now: datetime) -> list[Run]:
    kind, _colon, reason = mark.partition(": ")
    word, role = _MARKS.get(kind, ("", "withdrawn"))
    line = [(_(word), role)] if word else runs(kind, role)
    if reason:
        noted = _seen(event) if event is not None and event.reason == reason else []
        line += [(Safe(" ("), "muted"), *reason_runs(reason, "muted"), *noted, (Safe(")"), "muted")]
    return [*line, (Safe(": "), "muted"), *fact_line(fact, glyphs, now)]


def drop_rows(event: EventRow, glyphs: GlyphSet) -> list[list[Run]]:
    """A memory that the gate dropped: from where, by which rules, and a piece of it."""
    head: list[Run] = [
        (Safe(f"{glyphs.states['withdrawn']} {_('dropped')}"), "withdrawn"), (_(" from "), "muted"),
        *teller(event.origin), (say(", for {agent}", agent=event.agent_id), "muted"), *_rules(event),
    ]  # fmt: skip
    return [head, *([[(Safe("  "), ""), *runs(event.excerpt)]] if event.excerpt else [])]


def _rules(event: EventRow) -> list[Run]:
    return [(Safe(", "), "muted"), *runs(", ".join(event.rules), "warning")] if event.rules else []


def _seen(event: EventRow) -> list[Run]:
    """What the gate saw beside the reason: how many, since which rejection, further reasons, rules."""
    row: list[Run] = []
    if event.count is not None and event.limit is not None:
        row.append((say(", {n} new values (held from {limit} on)", n=event.count, limit=event.limit), "muted"))
    if event.rejected_seq is not None:
        row.append((say(", rejected by #{seq}", seq=event.rejected_seq), "muted"))
    row += _rules(event)
    for place, reason in enumerate(event.also):
        row += [(_(", also ") if not place else Safe(", "), "muted"), *reason_runs(reason, "muted")]
    return row


def _what_keys_do(row: LogRow, own: Own) -> list[list[Run]]:
    if not row.stands or not is_undoable(row):
        return []
    if row.kind == "undo":
        return [[(say("z brings back what #{n} took, after showing what would change", n=row.seq), "muted")]]
    if own.last is not None and own.last.seq != row.seq:
        return [[(say("z takes back #{n} only.  u would take back your last one, #{own}", n=row.seq, own=own.last.seq),
                  "muted")]]  # fmt: skip
    return [[(say("z takes back #{n}, after showing what would change", n=row.seq), "muted")]]
