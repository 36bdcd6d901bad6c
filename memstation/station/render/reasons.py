"""Words for who told a fact, and for what judges it. It must not import textual; unknown words are shown as stored."""

from __future__ import annotations

from memstation.domain.origins import OPERATOR, UNATTRIBUTED
from memstation.station.render.cells import Run, runs
from memstation.station.render.facts import short_origin
from memstation.station.render.safe import Safe
from memstation.station.words import N_, _

_MARKS = {
    "withdrawn": (N_("withdrawn"), "withdrawn"), "held": (N_("held for review"), "held"),
    "released": (N_("released from review"), "current"), "denied": (N_("denied"), "withdrawn"),
    "lapsed": (N_("ran out undecided"), "withdrawn"), "extended": (N_("given more time"), "held"),
    "trust": (N_("trust set"), "changed"),
    "cap": (N_("trust lowered"), "tainted"),
}  # fmt: skip

_REASONS = {
    "burst": N_("a burst from its source"), "injection_suspect": N_("text that gives orders"),
    "rejected_before": N_("rejected before"), "blocked_origin": N_("its source is blocked"),
    "over_operator": N_("it would replace what you told"), "contaminated": N_("made from something withdrawn"),
    "quarantine_reject": N_("denied in review"), "origin_purge": N_("its source was purged"),
    "quarantine_void": N_("its source was purged while it was held"),
    "retracted": N_("it was never true"), "corrected": N_("its value was wrong"),
}  # fmt: skip


def teller(origin: str | None, *, short: bool = False) -> list[Run]:
    """Who told it: ``you`` for the operator, ``nobody named`` where it is not known."""
    if origin == OPERATOR:
        return [(_("you"), "key")]
    if not origin or origin == UNATTRIBUTED:
        return [(_("nobody named"), "")]
    return runs(short_origin(origin) if short else origin)


def mark_runs(mark: str) -> list[Run]:
    """A judgement in words: ``withdrawn: it was never true``."""
    kind, _colon, reason = mark.partition(": ")
    word, role = _MARKS.get(kind, ("", ""))
    parts: list[Run] = [(_(word), role)] if word else runs(kind)
    if reason:
        parts += [(Safe(": "), "muted"), *reason_runs(reason)]
    return parts


def reason_runs(reason: str) -> list[Run]:
    """Why, in words."""
    known = _REASONS.get(reason)
    return [(_(known), "")] if known else runs(reason)


def why_out_of_use(marks: tuple[str, ...], kind: str) -> list[Run]:
    """The reason of the newest judgement of a kind; nothing where none is given."""
    for mark in reversed(marks):
        name, _colon, reason = mark.partition(": ")
        if name == kind and reason:
            return reason_runs(reason)
    return []
