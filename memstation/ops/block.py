"""Block a source, or let it write again. Builds the decision; the ledger takes it, and the gate heeds it."""

from __future__ import annotations

from memstation.domain.decisions import EVERY_AGENT, Decision, Order
from memstation.domain.errors import Refused
from memstation.domain.origins import OPERATOR, origin_class
from memstation.guard import shape
from memstation.store import guarding
from memstation.store.ledger import Looking
from memstation.words import N_


def origin_of(origin: object) -> str:
    """A source's name, exactly as given.

    Raises:
        InvalidInput: it is blank; that never means every source.
    """
    return shape.text_of(origin, "source", shape.NAME_CHARS, blank=False)


def because(origin: str, reason: str) -> str:
    """What the log says of a decision about a source: which, and why."""
    return f"{origin}: {reason}" if reason else origin


def blocking(looking: Looking, agent_id: str, origin: str, verdict: str, *, actor: str, reason: str = "") -> Decision:
    """From now on what the source writes is held (`blocked`), or is not held for that (`unblocked`).

    Of an order for one agent and one for all (``*``) the later rules. What waits already goes on waiting.

    Raises:
        InvalidInput: the source is blank.
        Refused: it is so already, or it is the operator's own.
    """
    name = origin_of(origin)
    if origin_class(name) == OPERATOR:
        raise Refused("These are your own words", "the operator is never held", "choose another source")
    is_blocked = guarding.blocked_by(looking.cursor, agent_id, name) is not None
    # An order for all also overrules what was ordered for single agents before.
    is_so = is_blocked == (verdict == "blocked")
    if is_so and not (agent_id == EVERY_AGENT and guarding.is_otherwise(looking.cursor, name, verdict)):
        title = "It is blocked already" if is_blocked else "It is not blocked"
        whose = N_("{name!r}, for all agents") if agent_id == EVERY_AGENT else N_("{name!r}, for {agent}")
        raise Refused(title, whose, name=name, agent=agent_id)
    kind = "block" if verdict == "blocked" else "unblock"
    return Decision(kind, actor, (Order("origin", verdict, agent_id, value=name),), agent_id, because(name, reason))
