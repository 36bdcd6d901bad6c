"""Conflicts: what the operator said is none, and taking that back. Builds decisions; the ledger takes them."""

from __future__ import annotations

from collections.abc import Sequence

from memstation.domain.aliases import spread
from memstation.domain.decisions import Decision, Order
from memstation.domain.errors import InvalidInput, Refused
from memstation.domain.names import order_key
from memstation.guard import shape
from memstation.read.conflict_rows import Conflict
from memstation.store.ledger import Looking


def dismiss(looking: Looking, conflicts: Sequence[Conflict], *, actor: str, reason: str = "") -> Decision:
    """These are no conflicts. They come back only when their values change, or when they are reopened.

    Raises:
        InvalidInput: none is named.
        Refused: one is dismissed already.
    """
    return _decided(looking, conflicts, "dismissed", "dismiss", actor, reason)


def reopen(looking: Looking, conflicts: Sequence[Conflict], *, actor: str, reason: str = "") -> Decision:
    """Dismissed conflicts are listed again.

    Raises:
        InvalidInput: none is named.
        Refused: one is not dismissed.
    """
    return _decided(looking, conflicts, "reopened", "reopen", actor, reason)


def _decided(
    looking: Looking, conflicts: Sequence[Conflict], verdict: str, kind: str, actor: str, reason: str
) -> Decision:
    if not conflicts:
        raise InvalidInput("Nothing is named", "name at least one conflict", "memstation conflicts")
    orders = {}
    for found in conflicts:
        agent = shape.agent_of(found.agent_id)
        ruling = [order for order in looking.orders_of(order_key("conflict", agent, found.key)) if order.rules]
        is_dismissed = bool(ruling) and ruling[0].verdict == "dismissed"
        if is_dismissed == (verdict == "dismissed"):
            title = "It is dismissed already" if is_dismissed else "It is not dismissed"
            raise Refused(title, "{name}", name=found.name)
        names = shape.text_of(spread(found.names), "names", 2 * shape.NAME_CHARS)
        orders[agent, found.key] = Order(
            "conflict", verdict, agent, subject=names, predicate=found.predicate, value=found.key
        )
    agents = {agent for agent, _ in orders}
    return Decision(kind, actor, tuple(orders.values()), agents.pop() if len(agents) == 1 else "", reason)
