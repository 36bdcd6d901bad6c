"""What the message row says after a verdict. It must not import textual."""

from __future__ import annotations

from collections.abc import Sequence

from memstation.read.review_rows import HeldRow
from memstation.station.render.cells import Run, runs
from memstation.station.render.provenance import joined
from memstation.station.render.safe import Safe
from memstation.station.words import N_, _, counted

DONE = {
    "approve": N_("Approved"), "deny": N_("Denied"), "edit": N_("Edited and approved"),
    "extend": N_("24 hours more for"),
    "hold": N_("Held"), "bring_back": N_("Brought back"),
}  # fmt: skip
"""By kind of decision."""


def done_runs(kind: str, seq: int, rows: Sequence[HeldRow], number: int) -> list[Run]:
    """``Denied #412: user deploy_target Heroku``, or how many of them."""
    head: list[Run] = [(_(DONE[kind]), "strong"), (Safe(f" #{seq}: "), "key")]
    if len(rows) != 1:
        return [*head, (counted("{n} memory", "{n} memories", number), "")]
    row = rows[0]
    about = " ".join(name for name in (row.subject, row.predicate) if name)
    return [*head, *joined(runs(about, "muted"), 24), (Safe(" " if about else ""), ""), *joined(runs(row.value), 24)]
