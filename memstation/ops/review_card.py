"""All that a person sees of one held memory before a verdict: the memory, why, and what each verdict would do."""

from __future__ import annotations

from memstation.domain.memory import FactRecord
from memstation.guard.scanning import scan
from memstation.ops import review
from memstation.read.reader import Reader
from memstation.read.review_rows import HeldCard, HoldWhy
from memstation.store.ledger import Ledger

FULL_TRUST = "full_trust"
_ASKS = ("injection_suspect", "blocked_origin", "rejected_before")


def card(ledger: Ledger, reader: Reader, memory_id: str, actor: str) -> HeldCard | None:
    """The card of a held memory; None when it is not held (any more). No lock is taken.

    Raises:
        MemstationError: the store cannot be read, or another process decided it between two reads.
    """
    parts = reader.held(memory_id)
    if parts is None or parts.row.status != "pending":
        return None
    with ledger.looking() as looking:
        approving = review.approve(looking, [memory_id], actor=actor)
        denying = review.deny(looking, [memory_id], actor=actor)
    record = parts.record
    found = scan(
        record.content, tags=record.tags, subject=record.subject, predicate=record.predicate, object=record.object
    )
    return HeldCard(
        row=parts.row, record=record, holds=parts.holds, why=parts.why, scan=found, made_from=parts.made_from,
        unknown_sources=parts.unknown_sources, twins=parts.twins, told=parts.told,
        approve=ledger.preview(approving), deny=ledger.preview(denying),
        asks=asks(parts.why, parts.holds, closes=bool(parts.row.closes)),
        reads=reader.reads_of([memory_id, *(fact.id for fact in parts.why.earlier)]),
    )  # fmt: skip


def asks(why: HoldWhy, holds: FactRecord | None, *, closes: bool) -> tuple[str, ...]:
    """Why approving asks first: what it was held for, or that it would replace a fact of full trust."""
    found = [reason for reason in (why.reason, *why.also) if reason in _ASKS]
    if closes and holds is not None and holds.origin_trust >= 1.0:
        found.append(FULL_TRUST)
    return tuple(dict.fromkeys(found))
