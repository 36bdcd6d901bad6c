"""The card of a held memory: against what, what a verdict would do, why it waits. It must not import textual."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memstation.domain.memory import FactRecord
from memstation.read.review_rows import HeldCard, HeldRow
from memstation.station.render.cells import Run, fit, runs
from memstation.station.render.facts import fact_line
from memstation.station.render.glyphs import GlyphSet
from memstation.station.render.held_columns import fate_sign
from memstation.station.render.held_effects import approve_line, approve_rows, deny_line, deny_rows
from memstation.station.render.held_text import glued, hidden_runs, spans_in, text_runs, value_runs
from memstation.station.render.held_why import why_rows
from memstation.station.render.log_words import did, who
from memstation.station.render.provenance import moment, trust
from memstation.station.render.reasons import teller
from memstation.station.render.safe import Safe
from memstation.station.render.when import left, spoken, spoken_day
from memstation.station.render.word_diff import Piece
from memstation.station.render.wrapping import labelled, wrap_runs
from memstation.station.words import N_, _, counted, say

Rows = list[list[Run]]
HANG = 10
"""Cells of the labels."""

ASKS = {
    "injection_suspect": N_("its text gives orders"), "blocked_origin": N_("its source is blocked"),
    "rejected_before": N_("its value was rejected before"),
    "full_trust": N_("it would replace what has full trust"),
}  # fmt: skip
"""Why approving one of these asks first."""


@dataclass(frozen=True, slots=True)
class Looked:
    """A card as a thread read it, with its text compared."""

    card: HeldCard
    pieces: Sequence[Piece]


@dataclass(frozen=True, slots=True)
class CardLook:
    """How a card is laid out."""

    glyphs: GlyphSet
    now: datetime
    cells: int
    is_wide: bool
    """Headings of their own, for a pane beside the list; else labels at the left."""
    hold_key: str
    """The key that holds the earlier ones of a burst."""
    restore_key: str
    """The key that brings back what ran out."""


def card_rows(looked: Looked, look: CardLook, *, why_first: bool = False) -> Rows:
    """All of a card: what holds and what is held, the words, both verdicts, why, where from, how long."""
    card = looked.card
    said = [*_against(card, look), *_words(looked, look)]
    verdicts = [
        *_section(N_("Approve"), N_("IF YOU APPROVE"), _approve_rows(card, look), look),
        *_section(N_("Deny"), N_("IF YOU DENY"), _deny_rows(card, look), look),
    ]
    if card.row.status != "pending":
        verdicts = []
    why = _section(N_("Why held"), N_("WHY IT IS HELD"), why_rows(card, look.now, look.hold_key), look)
    where = _section(N_("Told by"), N_("WHERE IT COMES FROM"), _where_rows(card, look), look)
    time = _section(N_("Time"), N_("HOW LONG IT WAITS"), _time_rows(card, look), look)
    rows = [*why, *said, *verdicts, *where, *time] if why_first else [*said, *verdicts, *why, *where, *time]
    return [*rows, *([[]] if look.is_wide else []), _version(card)]


def _section(label: str, title: str, rows: Sequence[Sequence[Run]], look: CardLook) -> Rows:
    """Rows under a heading, or beside a label."""
    if look.is_wide:
        laid: Rows = [[], [(_(title), "muted")]]
        for row in rows:
            laid += wrap_runs([(Safe("  "), ""), *row], look.cells, 4)
        return laid
    laid = []
    for place, row in enumerate(rows):
        laid += labelled(_(label) if not place else Safe(""), row, look.cells, HANG)
    return laid


# -- what is said ------------------------------------------------------------------------------------------------


def _against(card: HeldCard, look: CardLook) -> Rows:
    """What holds now, and what is held."""
    row, record, holds = card.row, card.record, card.holds
    rows: Rows = []
    if row.status != "pending":
        rows += wrap_runs([fate_sign(row, look.glyphs), *_fate(row, look.now)], look.cells, 2)
    if holds is None:
        now_line: list[Run] = [(_("nothing is known about it"), "muted")] if row.subject else []
    else:
        since: list[Run] = [(say("since {day}, ", day=spoken_day(holds.valid_from, look.now)), "muted"),
                            *glued(teller(holds.origin), ","),
                            (say(" trust {t}", t=trust(holds.origin_trust)), "muted")]  # fmt: skip
        now_line = [*runs(_value(holds)[:400], "strong"), (Safe("   "), ""), *since]
    if now_line:
        rows += _lined("-", "removed", _("now"), now_line, look)
    where = "object" if record.object else "content"
    said: list[Run] = [(say("said {at}, ", at=moment(record.ingested_at, look.now)), "muted"),
                       *glued(teller(record.origin, short=not look.is_wide), ","),
                       (say(" trust {t}", t=trust(record.origin_trust)), "muted")]  # fmt: skip
    held = [*value_runs(_value(record), card.scan, where), (Safe("   "), ""), *said]
    return rows + _lined("+", "added", _("held"), held, look)


def _lined(sign: str, role: str, label: Safe, parts: Sequence[Run], look: CardLook) -> Rows:
    return wrap_runs([(fit(Safe(f"{sign} {label}"), HANG), role), *parts], look.cells, HANG)


def _fate(row: HeldRow, now: datetime) -> list[Run]:
    parts: list[Run] = []
    if row.decided_by:
        parts.append((say(" by {who}", who=who(row.decided_by)), ""))
    if row.decided_at is not None:
        parts.append((Safe(f", {spoken(row.decided_at, now)}"), "muted"))
    if row.decided_seq is not None:
        parts.append((Safe(f", #{row.decided_seq}"), "key"))
    return parts


def _words(looked: Looked, look: CardLook) -> Rows:
    """The sentence against the one that holds, where it says more than the value."""
    record, card = looked.card.record, looked.card
    rows: Rows = []
    if record.object and record.content != record.object:
        parts = text_runs(looked.pieces, spans_in(card.scan, "content"), len(record.content))
        rows += labelled(_("Words"), parts, look.cells, HANG)
    elif not record.object and card.holds is not None:
        rows += labelled(_("Words"), text_runs(looked.pieces, spans_in(card.scan, "content"), len(record.content)),
                         look.cells, HANG)  # fmt: skip
    hidden = hidden_runs(card.scan)
    return [*rows, *labelled(_("Hidden"), hidden, look.cells, HANG)] if hidden else rows


# -- the verdicts ------------------------------------------------------------------------------------------------


def _approve_rows(card: HeldCard, look: CardLook) -> Rows:
    if look.is_wide:
        return approve_rows(card.approve, card.record, look.glyphs, look.now) + ask_rows(card)
    return [approve_line(card.approve, card.record, look.now), *ask_rows(card)]


def ask_rows(card: HeldCard) -> Rows:
    """Why approving it asks first, line by line."""
    rows: Rows = []
    for reason in card.asks:
        words: list[Run] = [(_(ASKS[reason]), "warning")] if reason in ASKS else runs(reason, "warning")
        if reason == "full_trust" and card.holds is not None:
            words = [(say("trust {a} would replace trust {b}", a=trust(card.record.origin_trust),
                          b=trust(card.holds.origin_trust)), "warning")]  # fmt: skip
        rows.append([(Safe("! "), "warning"), *words])
    return rows


def _deny_rows(card: HeldCard, look: CardLook) -> Rows:
    if look.is_wide:
        return deny_rows(card.deny, card.record, look.glyphs, look.now)
    return [deny_line(card.deny, card.record)]


# -- where from --------------------------------------------------------------------------------------------------


def _where_rows(card: HeldCard, look: CardLook) -> Rows:
    record, told = card.record, card.told
    first: list[Run] = [*glued(teller(record.origin), ","), (say(" trust {t}", t=trust(record.origin_trust)), "")]
    if record.asserted_trust != record.origin_trust:
        first.append((say(" (told with {t})", t=trust(record.asserted_trust)), "muted"))
    if record.source_event:
        first += [(_(", from "), "muted"), *runs(record.source_event)]
    first.append((Safe(f", #{told.seq}, {who(told.actor)} {did(told)}, {spoken(told.at, look.now)}"), "muted"))
    rows: Rows = [first]
    if card.row.hits:
        rows.append([(counted("said {n} time more while it waited", "said {n} times more while it waited",
                              card.row.hits), "")])  # fmt: skip
    if card.twins:
        rows.append([(counted("{n} other held memory says the same", "{n} other held memories say the same",
                              card.twins), "")])  # fmt: skip
    for fact in card.made_from:
        foreign = fact.agent_id != record.agent_id
        rows.append([(_("made from "), "muted"), *fact_line(fact, look.glyphs, look.now, agent=foreign)])
    for name in card.unknown_sources:
        rows.append([(_("made from "), "muted"), *runs(name), (_(": not in this store"), "warning")])
    return rows


def _time_rows(card: HeldCard, look: CardLook) -> Rows:
    deadline = card.row.deadline
    if card.row.status == "lapsed":
        return [[(say("Nobody decided in time: it is not used, and not rejected; {key} brings it back to review",
                      key=look.restore_key), "")]]  # fmt: skip
    if card.row.status != "pending":
        return [[(_("It does not wait any more."), "muted")]]
    if deadline is None:
        return [[(_("It waits until you decide."), "")]]
    return [[(left(deadline, look.now), "strong"),
             (say(", runs out {when}: then it is not used", when=spoken(deadline, look.now)), "muted")]]  # fmt: skip


def _version(card: HeldCard) -> list[Run]:
    return [(say("{id}, as of #{seq}", id=card.row.id, seq=card.row.version), "muted")]


def _value(record: FactRecord) -> str:
    return record.object if record.object else record.content
