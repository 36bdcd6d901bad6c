"""From a verdict to a decision with its effects. It must not take the decision; all are called in threads.

The store's modules are imported where they are used: they load after the first paint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from memstation.domain.decisions import Applied, Decision, Effects
from memstation.domain.errors import Changed
from memstation.read.review_rows import HeldRow
from memstation.read.rows import FactRow
from memstation.station.dialogs.edit_held import EditDraft
from memstation.station.dialogs.verdict import VerdictDraft
from memstation.station.services import Engine

MOST_CARDS = 20
"""Bursts whose earlier facts are looked up for one dialog."""


def approving(engine: Engine, actor: str, rows: Sequence[HeldRow], draft: VerdictDraft) -> tuple[Decision, Effects]:
    """What approving these would do.

    Raises:
        MemstationError: one was decided or changed meanwhile, in words.
    """
    from memstation.ops import review

    return engine.propose(
        lambda looking: review.approve(looking, _ids(rows), actor=actor, seen=seen_of(rows), raise_trust=draft.raised)
    )


def denying(
    engine: Engine, actor: str, rows: Sequence[HeldRow], earlier: Sequence[FactRow], draft: VerdictDraft
) -> tuple[Decision, Effects]:
    """What denying these would do, and holding the earlier ones of their burst where that is ticked.

    Raises:
        MemstationError: one was decided or changed meanwhile, in words.
    """
    from memstation.ops import review

    also = [fact.id for fact in earlier] if draft.also else []
    return engine.propose(
        lambda looking: review.deny(looking, _ids(rows), actor=actor, seen=seen_of(rows), also_hold=also)
    )


def extending(engine: Engine, actor: str, rows: Sequence[HeldRow]) -> tuple[Decision, Effects]:
    """What giving these a day more would do.

    Raises:
        MemstationError: one was decided meanwhile, or waits for ever.
    """
    from memstation.ops import review

    return engine.propose(lambda looking: review.extend(looking, _ids(rows), actor=actor, seen=seen_of(rows)))


def bringing_back(engine: Engine, actor: str, rows: Sequence[HeldRow]) -> tuple[Decision, Effects]:
    """What bringing these back to review would do.

    Raises:
        MemstationError: one has not run out.
    """
    from memstation.ops import review

    return engine.propose(lambda looking: review.bring_back(looking, _ids(rows), actor=actor))


def holding(engine: Engine, actor: str, facts: Sequence[FactRow]) -> tuple[Decision, Effects]:
    """What holding facts in use would do.

    Raises:
        MemstationError: one is not in use any more.
    """
    from memstation.ops import review

    return engine.propose(lambda looking: review.hold(looking, [fact.id for fact in facts], actor=actor))


def editing(engine: Engine, actor: str, row: HeldRow, draft: EditDraft) -> tuple[Decision, Effects]:
    """What writing it anew would do.

    Raises:
        MemstationError: nothing was changed, or it was decided meanwhile.
    """
    from memstation.ops import review

    value = draft.value.strip()
    return engine.propose(
        lambda looking: review.edit(
            looking, row.id, lambda _moment: engine.new_id(), actor=actor, object=value if row.object else None,
            content=(draft.words.strip() or None) if row.object else value, seen=seen_of([row]),
        )
    )  # fmt: skip


def decide(engine: Engine, build: Callable[[], tuple[Decision, Effects]], expect: str | None) -> Applied:
    """Build a decision and take it, if it still does what was shown.

    Raises:
        Changed: it would do something else by now.
        MemstationError: it cannot be taken, in words.
    """
    decision, effects = build()
    if expect is not None and effects.digest != expect:
        raise Changed("It would do something else by now", "somebody else decided meanwhile", "look at it again")
    return engine.apply(decision, effects.digest)


def earlier_of(engine: Engine, rows: Sequence[HeldRow]) -> tuple[FactRow, ...]:
    """What came before these in the same bursts and is in use."""
    bursts: dict[Any, HeldRow] = {}
    for row in rows:
        if row.reason == "burst":
            bursts.setdefault((row.agent_id, row.origin, row.subject), row)
    found: dict[str, FactRow] = {}
    for row in list(bursts.values())[:MOST_CARDS]:
        card = engine.held_card(row.id)
        if card is not None:
            found |= {fact.id: fact for fact in card.why.earlier}
    return tuple(found.values())


def _ids(rows: Sequence[HeldRow]) -> list[str]:
    return [row.id for row in rows]


def seen_of(rows: Sequence[HeldRow]) -> dict[str, int]:
    """The versions that were shown."""
    return {row.id: row.version for row in rows}
