"""Set the trust of memories or of a source. Builds decisions; the ledger takes them.

The trust of a memory is a mark on it. That of a source is a standing order, under which everything that it has told
counts anew, at every moment of belief: see `domain.origins.trust_under`.
"""

from __future__ import annotations

from collections.abc import Sequence

from memstation.domain.decisions import EVERY_AGENT, Decision, Mark, Order
from memstation.domain.errors import InvalidInput, NotFound, Refused
from memstation.domain.origins import OPERATOR, origin_class
from memstation.guard import shape
from memstation.ops.block import because, origin_of
from memstation.store import trusting
from memstation.store.ledger import Looking
from memstation.words import N_

CURATED = 1.0
"""The trust of what a person has checked."""


def of_memories(
    looking: Looking, ids: Sequence[str], trust: float, *, actor: str, reason: str = "", kind: str = "trust"
) -> Decision:
    """Memories count for so much from now on, each with what confirms it; their sources stay.

    Args:
        looking: what to read.
        ids: memories that are in use or held.
        trust: 0 to 1; may be more than the source's class allows.
        actor: who decides.
        reason: why, for the log.
        kind: `trust`, or `promote` for `CURATED`.

    Raises:
        InvalidInput: none is named, or the trust is out of range.
        NotFound: unknown.
        Refused: one is withdrawn, has this trust already, or a purge cut it lower.
    """
    number = shape.number_of(trust, "trust", 0, 1)
    if not ids:
        raise InvalidInput("Nothing is named", "give at least one id")
    members: dict[str, int] = {}
    agents: set[str] = set()
    for memory_id in dict.fromkeys(ids):
        found = looking.find(memory_id)
        if found is None or found.shown.before is None:
            raise NotFound("No such memory", "{memory_id!r} is not here", memory_id=memory_id)
        place = found.shown.before
        if place.role == "withdrawn":
            raise Refused("It is withdrawn", "{id} is not used, whatever its trust", id=memory_id)
        if place.origin_trust == number:
            raise Refused("It is so already", "{id} has the trust {trust:g}", id=memory_id, trust=number)
        members |= {member.id: member.n for member in found.members}
        agents.add(found.asked.agent_id)
    for memory_id, (cap, seq) in trusting.caps(looking.cursor, members).items():
        if cap < number:
            raise Refused(
                "Its trust was cut", "{id} cannot count for more than {cap:g} while #{seq} stands",
                "memstation undo {seq}, or tell it yourself: memstation add", id=memory_id, cap=cap, seq=seq,
            )  # fmt: skip
    marks = tuple(Mark(memory_id, "trust", value=number) for memory_id in members)
    return Decision(kind, actor, marks, agents.pop() if len(agents) == 1 else "", reason)


def of_origin(
    looking: Looking, agent_id: str, origin: str, trust: float | None, *, actor: str, reason: str = ""
) -> Decision:
    """A source counts for so much, in what it told and in what it will tell; None: for what its class allows again.

    What it told at the full trust of its class follows, up and down; what it told with less is only ever cut. Trust
    that a person set on a memory itself goes before. The order for one agent goes before that for all (``*``).

    Raises:
        InvalidInput: the source is blank, or the trust is out of range.
        Refused: it is so already, or it is the operator's own.
    """
    name = origin_of(origin)
    if origin_class(name) == OPERATOR:
        raise Refused(
            "These are your own words", "the operator is always trusted", "memstation trust ID for one of them"
        )
    number = None if trust is None else shape.number_of(trust, "trust", 0, 1)
    if trusting.of_origin(looking.cursor, agent_id, name) == number:
        raise Refused("It is so already", _so_already(agent_id, number), name=name, agent=agent_id, trust=number)
    order = Order("origin_trust", "unset" if number is None else "set", agent_id, value=name, number=number)
    return Decision("trust", actor, (order,), agent_id, because(name, reason))


def _so_already(agent_id: str, number: float | None) -> str:
    if agent_id == EVERY_AGENT:
        by_class = N_("{name!r} has the trust of its class, for all agents")
        own = N_("{name!r} has the trust {trust:g}, for all agents")
    else:
        by_class = N_("{name!r} has the trust of its class, for {agent}")
        own = N_("{name!r} has the trust {trust:g}, for {agent}")
    return by_class if number is None else own
