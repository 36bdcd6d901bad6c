"""What is held, as lines of text: the queue in groups, and one card. It reads nothing; texts pass the safe door."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import click

from memstation.commandline.showing import minute, width, window
from memstation.station.render.cells import cut
from memstation.station.render.effects import effects_lines, plain
from memstation.station.render.facts import fact_line
from memstation.station.render.log_words import HOLD_REASONS, who
from memstation.station.render.safe import Safe, safe_line
from memstation.station.render.when import left
from memstation.station.words import N_, _, counted, say

if TYPE_CHECKING:
    from memstation.domain.decisions import Effects
    from memstation.domain.findings import Finding
    from memstation.domain.memory import FactRecord
    from memstation.read.review_rows import HeldCard, HeldRow, HoldWhy
    from memstation.station.render.glyphs import GlyphSet

BLOCKED = "blocked_origin"
Key = tuple[str | None, str, str | None, str]

_ASKS = {
    "full_trust": N_("it would replace a fact of full trust"),
    "injection_suspect": N_("it was held for text that gives orders"),
    "blocked_origin": N_("its source is blocked"),
    "rejected_before": N_("its value was rejected before"),
}


def asks_words(asks: Iterable[str]) -> Safe:
    """Why approving asks first, in words."""
    return Safe(", ".join(_(_ASKS[reason]) if reason in _ASKS else safe_line(reason) for reason in asks))


def reason_words(reason: str) -> Safe:
    """Why a memory is held; the words of other programs as they are stored."""
    return _(HOLD_REASONS[reason]) if reason in HOLD_REASONS else safe_line(reason)


def source_words(origin: str | None) -> Safe:
    """Where it comes from."""
    return safe_line(origin) if origin else _("no source")


def time_left(row: HeldRow, now: datetime) -> Safe:
    """How long a person has, or when it ran out."""
    if row.status == "lapsed" or (row.deadline is not None and row.deadline <= now):
        return say("ran out {when}", when=minute(row.deadline))
    return left(row.deadline, now) if row.deadline is not None else _("no limit")


def about_words(subject: str | None, predicate: str | None) -> Safe:
    """``user deploy_target``; empty for a note."""
    return Safe(" ".join(safe_line(name) for name in (subject, predicate) if name))


def grouped(rows: Sequence[HeldRow]) -> list[list[HeldRow]]:
    """Rows of one source, agent, subject and reason together, in the order of their first; blocked sources last."""
    groups: defaultdict[Key, list[HeldRow]] = defaultdict(list)
    for row in rows:
        groups[row.origin, row.agent_id, row.subject, row.reason].append(row)
    return sorted(groups.values(), key=lambda group: group[0].reason == BLOCKED)


def print_queue(rows: Sequence[HeldRow], now: datetime, each: int, *, fold_blocked: bool) -> None:
    """Print groups, each with its first rows; of blocked sources the heads alone where they are folded."""
    for group in grouped(rows):
        shown = 0 if fold_blocked and group[0].reason == BLOCKED else each
        _echo(_group_head(group, now))
        for row in group[:shown]:
            _echo(_row_line(row, now))
        rest = len(group) - shown
        if rest > 0 and shown:
            _echo(Safe("    " + counted("and {n} more (--each)", "and {n} more (--each)", rest)))


def _group_head(group: Sequence[HeldRow], now: datetime) -> Safe:
    first = group[0]
    soonest = min((row.deadline for row in group if row.deadline is not None), default=None)
    subject = first.subject or ""
    about = say("about {subject}", subject=subject) if subject else _("notes")
    time = time_left(first, now) if soonest is None or soonest <= now else left(soonest, now)
    return say(
        "{n} from {source} to {agent}, {about}: {why}  trust {trust}  {time}",
        n=f"{len(group):,}", source=source_words(first.origin), agent=first.agent_id, about=about,
        why=reason_words(first.reason), trust=f"{min(row.trust for row in group):.2f}", time=time,
    )  # fmt: skip


def _row_line(row: HeldRow, now: datetime) -> Safe:
    about = about_words(row.subject, row.predicate)
    says = Safe((about + ": " if about else "") + safe_line(row.value))
    notes = [time_left(row, now)]
    if row.closes:
        notes.append(say("would replace {value}", value=row.closes))
    if row.hits:
        notes.append(counted("said {n} time more", "said {n} times more", row.hits))
    return Safe(f"  {safe_line(row.id)}  {says}  ({', '.join(notes)})")


def _echo(line: Safe) -> None:
    cells = width()
    click.echo(line if cells is None else cut(line, cells))


def print_card(card: HeldCard, glyphs: GlyphSet, now: datetime) -> None:
    """Print all that a verdict needs: now and held, what each verdict does, why it is held, what came before it."""
    row, record = card.row, card.record
    _echo(say("{agent}: {about}", agent=row.agent_id, about=about_words(row.subject, row.predicate) or _("a note")))
    if card.holds is not None:
        _value(_("now"), card.holds)
        _echo(Safe("        " + _used(card.holds)))
    else:
        _echo(say("  {what}  nothing holds then", what=f"{_('now'):<4}"))
    _value(_("held"), record)
    _echo(say("        id {id}, told by #{seq} ({who})", id=row.id, seq=card.told.seq, who=who(card.told.actor)))
    _echo(Safe("        " + time_left(row, now)))
    for line in _notes(card):
        _echo(Safe(f"        {line}"))
    _effects(_("If you approve:"), card.approve, glyphs, now)
    if card.asks:
        _echo(say("  ! {asks}: --yes", asks=asks_words(card.asks)))
    _effects(_("If you deny:"), card.deny, glyphs, now)
    click.echo(_("Why it is held:"))
    for line in why_lines(card.why):
        _echo(Safe(f"  {line}"))
    for finding in card.scan.findings:
        _echo(
            say("  {rule} in the {where}: {text}", rule=finding.rule, where=finding.where, text=_matched(card, finding))
        )
    if card.why.earlier:
        click.echo(_("Earlier ones of the same burst, in use (deny --earlier holds them too):"))
        for fact in card.why.earlier:
            _echo(Safe("  " + plain([fact_line(fact, glyphs, now)])))


def _value(name: Safe, fact: FactRecord) -> None:
    where = say("{window}, {source}, trust {trust}", window=window(fact.valid_from, fact.valid_until),
                source=source_words(fact.origin), trust=f"{fact.origin_trust:.2f}")  # fmt: skip
    _echo(Safe(f"  {name:<4}  {safe_line(fact.object or fact.content)}  ({where})"))
    if fact.object and fact.content != fact.object:
        _echo(Safe(f"        {safe_line(fact.content)}"))


def _used(fact: FactRecord) -> Safe:
    if not fact.access_count:
        return _("not used yet")
    used = counted("used {n} time", "used {n} times", fact.access_count)
    return (
        used if fact.last_accessed is None else say("{used}, last {when}", used=used, when=minute(fact.last_accessed))
    )


def _notes(card: HeldCard) -> list[Safe]:
    notes = []
    if card.row.hits:
        notes.append(counted("said {n} time more while it waits", "said {n} times more while it waits", card.row.hits))
    if card.twins:
        notes.append(
            counted("{n} other that is held says the same", "{n} others that are held say the same", card.twins)
        )
    for fact in card.made_from:
        notes.append(say("made from {id}: {value}", id=fact.id, value=fact.value))
    notes += [say("made from {id}, which is not here", id=source) for source in card.unknown_sources]
    for name, count in card.scan.hidden.items():
        notes.append(say("hidden characters: {name} x{n}", name=name, n=count))
    return notes


def why_lines(why: HoldWhy) -> list[Safe]:
    """What the gate saw, a line each."""
    lines = [reason_words(why.reason)]
    if why.count is not None:
        lines = [say("{why}: {n} new values about the subject within {secs} seconds (held from {limit} on)",
                     why=lines[0], n=why.count, secs=f"{why.window_seconds or 0:,}", limit=why.limit or 0)]  # fmt: skip
    if why.rules:
        lines.append(say("rules: {names}", names=", ".join(why.rules)))
    lines += [say("also: {why}", why=reason_words(reason)) for reason in why.also]
    if why.rejected_by is not None:
        by = why.rejected_by
        lines.append(say("rejected by #{seq} ({who}, {when})", seq=by.seq, who=who(by.actor), when=minute(by.at)))
    return lines


def _matched(card: HeldCard, finding: Finding) -> Safe:
    record = card.record
    triple = " ".join(name for name in (record.subject, record.predicate, record.object) if name)
    texts: dict[str, str | None] = {
        "content": record.content, "tag": "\n".join(record.tags), "subject": record.subject,
        "predicate": record.predicate, "object": record.object, "triple": triple,
    }  # fmt: skip
    return safe_line((texts.get(finding.where) or "")[finding.start : finding.end])


def _effects(title: Safe, effects: Effects, glyphs: GlyphSet, now: datetime) -> None:
    click.echo(title)
    for line in plain(effects_lines(effects, glyphs, now)).split("\n"):
        click.echo(f"  {line}")
