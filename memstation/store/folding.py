"""What the marks on a claim come to: does it walk, is it held or withdrawn, what is its own trust.

Pure functions; no input or output.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from memstation.domain.decisions import HOLD_KINDS
from memstation.domain.holding import DENIED

DENIED_CAP = 0.1
"""Trust of a claim that was denied, or that ran out undecided (seed 000, D2)."""

UNDONE = "undone"
"""Stamped on claims of a decision that was taken back."""

_STAMPS = {"denied": DENIED, "lapsed": DENIED}


class MarkRow(NamedTuple):
    """A mark as the store keeps it. A purge reads and makes tens of thousands: tuples are made at once."""

    n: int
    seq: int
    k: int
    kind: str
    value: float | None
    reason: str
    at: str
    stands: bool


_IN_ORDER = attrgetter("seq", "k")

MARK_SQL = "n, seq, k, kind, value, reason, at, stands"
"""The select list that `read_mark` takes."""


def read_mark(values: tuple[Any, ...]) -> MarkRow:
    """Make a mark from the columns of `MARK_SQL`."""
    n, seq, k, kind, value, reason, at, stands = values
    return MarkRow(n, seq, k, kind, value, reason, at, bool(stands))


@dataclass(frozen=True, slots=True)
class Fold:
    """The judgement over a claim."""

    part: Literal["walks", "held", "withdrawn", "erased"]
    event: str | None = None
    """The stamp of a withdrawal."""
    at: str | None = None
    set_trust: float | None = None
    cap: float | None = None
    hold: MarkRow | None = None
    """The latest mark about holding it."""

    def own_trust(self, told: float) -> float:
        """The claim's own trust: as told or as set last, under the lowest cap."""
        trust = told if self.set_trust is None else self.set_trust
        return trust if self.cap is None else min(trust, self.cap)


PLAIN = Fold("walks")
ERASED = Fold("erased")
"""Whatever marks say, and whether or not its decision stands."""


def fold(marks: Iterable[MarkRow], lifted_at: str | None) -> Fold:
    """Fold the marks on one claim.

    Args:
        marks: all marks on the claim, in any order.
        lifted_at: when the claim's own decision was taken back; None while it stands.
    """
    trust: float | None = None
    cap: float | None = None
    hold: MarkRow | None = None
    gone: MarkRow | None = None
    for mark in sorted([mark for mark in marks if mark.stands], key=_IN_ORDER):
        if mark.kind in HOLD_KINDS:
            hold = mark
        elif mark.kind == "withdrawn":
            gone = gone or mark
        elif mark.kind == "trust":
            trust = mark.value
        elif mark.kind == "cap" and mark.value is not None:
            cap = mark.value if cap is None else min(cap, mark.value)
    if hold is not None and hold.kind in _STAMPS:
        cap = DENIED_CAP if cap is None else min(cap, DENIED_CAP)
    if lifted_at is not None:
        return Fold("withdrawn", UNDONE, lifted_at, trust, cap, hold)
    if gone is not None:
        return Fold("withdrawn", gone.reason or "withdrawn", gone.at, trust, cap, hold)
    if hold is not None and hold.kind in _STAMPS:
        return Fold("withdrawn", hold.reason or _STAMPS[hold.kind], hold.at, trust, cap, hold)
    if hold is not None and hold.kind == "held":
        return Fold("held", None, None, trust, cap, hold)
    return Fold("walks", None, None, trust, cap, hold) if (trust, cap, hold) != (None, None, None) else PLAIN
