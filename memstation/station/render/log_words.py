"""A decision in the operator's words: who, did what, about what. It must not import textual."""

from __future__ import annotations

from memstation.domain.decisions import DECISION_KINDS
from memstation.domain.holding import TTL_ACTOR
from memstation.domain.origins import OPERATOR
from memstation.read.rows import LogRow
from memstation.station.render.cells import Run, runs
from memstation.station.render.safe import Safe, safe_line
from memstation.station.words import N_, _

# Translated where they are shown; the kinds themselves belong to the domain.
_WORDS = (N_("stored"), N_("retracted"), N_("ended"), N_("expired"), N_("corrected"), N_("set rule"), N_("restored"),
          N_("took back"), N_("brought back"), N_("repaired"), N_("erased"), N_("adopted"), N_("purged"),
          N_("blocked"), N_("unblocked"), N_("set trust"), N_("promoted"))  # fmt: skip
_WHO = {OPERATOR: N_("you"), "agent": N_("agents"), "worker": N_("jobs"), TTL_ACTOR: N_("the clock")}


def who(actor: str) -> Safe:
    """Who decided: ``you`` for the operator only; another that calls itself so is shown in quotes."""
    head = actor.partition(":")[0]
    if actor == OPERATOR or (head in _WHO and head != OPERATOR):
        return _(_WHO[head])
    shown = safe_line(actor)
    return Safe(f"'{shown}'") if shown.strip() in {_(word) for word in _WHO.values()} else shown


HOLD_REASONS = {
    "burst": N_("a burst from one source"),
    "injection_suspect": N_("text that gives orders"),
    "rejected_before": N_("a value rejected before"),
    "blocked_origin": N_("its source is blocked"),
    "over_operator": N_("it would replace what you told"),
    "contaminated": N_("made from something withdrawn"),
}
"""Why a write waits for a person: the reasons that the write gate gives."""


def reason_runs(reason: str, role: str = "") -> list[Run]:
    """A reason in words: the gate's own are translated, a person's stand as they were written."""
    return [(_(HOLD_REASONS[reason]), role)] if reason in HOLD_REASONS else runs(reason, role)


_VERDICTS = (N_("approved"), N_("denied"), N_("edited"), N_("held"), N_("gave more time"), N_("let run out"),
             N_("lifted"), N_("dropped"))  # fmt: skip


def is_held(row: LogRow) -> bool:
    """Whether a write was held for review, all of it."""
    return row.kind == "store" and (row.reason in HOLD_REASONS or 0 < row.facts <= row.held)


def did(row: LogRow) -> Safe:
    """What was done, in a word or two."""
    if is_held(row):
        return _("held")
    kind = DECISION_KINDS.get(row.kind)
    return _(kind.did) if kind is not None else safe_line(row.kind)


def summary_runs(row: LogRow) -> list[Run]:
    """What it was about, in one line."""
    return runs(row.summary)


def changed_runs(row: LogRow) -> list[Run]:
    """``1 +, 2 -``: facts told, facts that ended or were withdrawn."""
    parts: list[Run] = []
    if row.facts:
        parts.append((Safe(f"{row.facts:,} +"), "added"))
    if row.closed:
        if parts:
            parts.append((Safe(", "), "muted"))
        parts.append((Safe(f"{row.closed:,} -"), "removed"))
    return parts
