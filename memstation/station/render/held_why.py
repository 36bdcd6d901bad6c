"""Why a memory is held, in words. It must not import textual; reasons of other programs are shown as stored."""

from __future__ import annotations

from datetime import datetime

from memstation.read.review_rows import HeldCard, HoldWhy
from memstation.station.render.cells import Run
from memstation.station.render.held_text import finding_runs
from memstation.station.render.log_words import did, who
from memstation.station.render.reasons import reason_runs
from memstation.station.render.safe import Safe
from memstation.station.render.when import spoken, spoken_day
from memstation.station.words import _, counted, say

SHOWN = 8
"""Matches that are told one by one."""


def why_rows(card: HeldCard, now: datetime, hold_key: str) -> list[list[Run]]:
    """The reason, what the gate counted or matched, further reasons, what came before it in the same burst."""
    why = card.why
    rows = [_reason(why)]
    if why.rejected_by is not None:
        by = why.rejected_by
        words = say("{who} {did} it, {when}", who=who(by.actor), did=did(by), when=spoken(by.at, now))
        rows.append([(Safe(f"#{by.seq} "), "key"), (words, "")])
    rows += _matches(card)
    if why.also:
        also: list[Run] = [(_("also: "), "muted")]
        for place, reason in enumerate(why.also):
            also += [(Safe(", "), "muted")] if place else []
            also += reason_runs(reason)
        rows.append(also)
    if why.earlier:
        words = counted(
            "{n} earlier one of this burst is in use: {key} holds it, too",
            "{n} earlier ones of this burst are in use: {key} holds them, too", len(why.earlier), key=hold_key,
        )  # fmt: skip
        rows.append([(words, "warning")])
    return rows + _read(card, now)


def _read(card: HeldCard, now: datetime) -> list[list[Run]]:
    reads = card.reads
    if reads.last is None or reads.since is None:
        return []
    what = _("them") if card.why.earlier else _("it")
    words = counted("{agent} read {what} {n} time since {day}, last {when}", "{agent} read {what} {n} times since "
                    "{day}, last {when}", reads.times, agent=card.row.agent_id, what=what,
                    day=spoken_day(reads.since, now), when=spoken(reads.last, now))  # fmt: skip
    return [[(words, "warning")]]


def _reason(why: HoldWhy) -> list[Run]:
    if why.reason == "burst" and why.count is not None:
        words = say("a burst: {n} new values from this source about it", n=f"{why.count:,}")
        limit: list[Run] = []
        if why.limit is not None and why.window_seconds:
            limit = [(say(" (limit {limit} within {span})", limit=why.limit, span=span(why.window_seconds)), "muted")]
        return [(words, ""), *limit]
    return reason_runs(why.reason)


def span(seconds: int) -> Safe:
    """``1 hour``, ``90 minutes``, ``45 seconds``."""
    if seconds % 3600 == 0:
        return counted("{n} hour", "{n} hours", seconds // 3600)
    if seconds % 60 == 0:
        return counted("{n} minute", "{n} minutes", seconds // 60)
    return counted("{n} second", "{n} seconds", seconds)


def _matches(card: HeldCard) -> list[list[Run]]:
    """What the rules match in it now; the names alone of those that matched when it came and do not any more."""
    record = card.record
    joined = " ".join(part for part in (record.subject, record.predicate, record.object) if part)
    texts = {"content": record.content, "subject": record.subject or "", "predicate": record.predicate or "",
             "object": record.object or "", "triple": joined}  # fmt: skip
    rows = [finding_runs(found, texts) for found in card.scan.findings[:SHOWN]]
    rest = len(card.scan.findings) - SHOWN
    if rest > 0:
        rows.append([(counted("and {n} more match", "and {n} more matches", rest), "muted")])
    seen = {found.rule for found in card.scan.findings}
    then = [rule for rule in card.why.rules if rule not in seen]
    if then:
        rows.append([(_("matched when it came: "), "muted"), (say("{rules}", rules=", ".join(then)), "warning")])
    return rows
