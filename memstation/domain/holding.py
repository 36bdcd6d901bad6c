"""Why a memory is held, and for how long. Plain facts about words; nothing here reads or writes a store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

HoldReason: TypeAlias = Literal[
    "injection_suspect", "rejected_before", "blocked_origin", "burst", "over_operator", "contaminated", "admission",
    "policy",
]  # fmt: skip

RequestStatus: TypeAlias = Literal["pending", "approved", "denied", "edited", "lapsed", "withdrawn"]
"""What became of a held memory; `withdrawn`: taken out another way, or its own write was taken back."""

REQUEST_KIND = "knowledge_quarantine"
"""What a request for approval is called (seed 000)."""

HOLD_SECONDS = 24 * 3600.0
"""How long a held memory waits for a person."""

GRACE_SECONDS = 3600.0
"""What a held memory is given at least when it comes back to the queue by an undo."""

TTL_ACTOR = "ttl"
"""Who decides when time runs out (seed 000)."""

REMINDED_AT = 2 / 3
"""The part of its time after which a held memory is called urgent."""


@dataclass(frozen=True, slots=True)
class HoldKind:
    """One reason to hold: whether it waits for ever, and whether letting it go asks first."""

    reason: str
    expires: bool = True
    asks: bool = False
    """Whether approving one of these asks even for a single item."""


HOLD_KINDS_OF_REASON: dict[str, HoldKind] = {
    kind.reason: kind
    for kind in (
        HoldKind("injection_suspect", asks=True),
        HoldKind("rejected_before", expires=False, asks=True),
        HoldKind("blocked_origin", asks=True),
        HoldKind("burst"),
        HoldKind("over_operator"),
        HoldKind("contaminated", expires=False),
        HoldKind("admission"),
        HoldKind("policy"),
    )
}

BY_EDIT = "quarantine_edit"
"""Stamp of a held memory that a person wrote anew: replaced, not rejected."""


DENIED = "quarantine_reject"
"""Stamp of a held memory that was denied, or that ran out (seed 000, D2)."""

VOIDED = "quarantine_void"
"""Stamp of a held memory of which the source was purged."""

NEVER_LET_IN = (DENIED, BY_EDIT, VOIDED)
"""Stamps of memories that were withdrawn while they were held: to an agent there were none."""


def seconds_for(reason: str) -> float | None:
    """How long a hold for this reason waits; None for ever."""
    kind = HOLD_KINDS_OF_REASON.get(reason)
    return HOLD_SECONDS if kind is None or kind.expires else None
