"""From a verdict to how its decision is built. It must not take the decision; what it makes is called in threads.

The store's modules are imported where they are used: they load after the first paint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from memstation.domain.decisions import Decision
from memstation.read.review_rows import HeldRow
from memstation.read.rows import FactRow
from memstation.station.dialogs.edit_held import EditDraft
from memstation.station.dialogs.verdict import VerdictDraft
from memstation.station.services import Engine

Build: TypeAlias = Callable[[Any], Decision]
"""Given what to look at, makes the decision; raises MemstationError, in words, where one was decided or changed."""

MOST_CARDS = 20
"""Bursts whose earlier facts are looked up for one dialog."""


def approving(actor: str, rows: Sequence[HeldRow], draft: VerdictDraft) -> Build:
    """Approve these, in the versions that were shown."""

    def build(looking: Any) -> Decision:
        from memstation.ops import review

        return review.approve(looking, ids_of(rows), actor=actor, seen=seen_of(rows), raise_trust=draft.raised)

    return build


def denying(actor: str, rows: Sequence[HeldRow], earlier: Sequence[FactRow], draft: VerdictDraft) -> Build:
    """Deny these, and hold the earlier ones of their burst where that is ticked."""

    def build(looking: Any) -> Decision:
        from memstation.ops import review

        also = [fact.id for fact in earlier] if draft.also else []
        return review.deny(looking, ids_of(rows), actor=actor, seen=seen_of(rows), also_hold=also)

    return build


def extending(actor: str, rows: Sequence[HeldRow]) -> Build:
    """Give these a day more."""

    def build(looking: Any) -> Decision:
        from memstation.ops import review

        return review.extend(looking, ids_of(rows), actor=actor, seen=seen_of(rows))

    return build


def bringing_back(actor: str, rows: Sequence[HeldRow]) -> Build:
    """Bring these, which ran out, back to review."""

    def build(looking: Any) -> Decision:
        from memstation.ops import review

        return review.bring_back(looking, ids_of(rows), actor=actor)

    return build


def holding(actor: str, facts: Sequence[FactRow]) -> Build:
    """Hold facts that are in use."""

    def build(looking: Any) -> Decision:
        from memstation.ops import review

        return review.hold(looking, [fact.id for fact in facts], actor=actor)

    return build


def editing(actor: str, row: HeldRow, new_id: str, draft: EditDraft) -> Build:
    """Write it anew, under an id that stays the same while it is being written."""

    def build(looking: Any) -> Decision:
        from memstation.ops import review

        value = draft.value.strip()
        return review.edit(
            looking, row.id, lambda _moment: new_id, actor=actor, object=value if row.object else None,
            content=(draft.words.strip() or None) if row.object else value, seen=seen_of([row]),
        )  # fmt: skip

    return build


def earlier_of(engine: Engine, rows: Sequence[HeldRow]) -> tuple[FactRow, ...]:
    """What came before these in the same bursts and is in use. Call it in a thread."""
    bursts: dict[Any, HeldRow] = {}
    for row in rows:
        bursts.setdefault((row.agent_id, row.origin, row.subject), row)
    found: dict[str, FactRow] = {}
    for row in list(bursts.values())[:MOST_CARDS]:
        card = engine.held_card(row.id)
        if card is not None:
            found |= {fact.id: fact for fact in card.why.earlier}
    return tuple(found.values())


def ids_of(rows: Sequence[HeldRow]) -> list[str]:
    """Their ids."""
    return [row.id for row in rows]


def seen_of(rows: Sequence[HeldRow]) -> dict[str, int]:
    """The versions that were shown."""
    return {row.id: row.version for row in rows}
