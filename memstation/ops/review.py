"""Review: approve, deny, edit, hold, extend, lapse, bring back. Builds decisions; the ledger takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memstation.domain.decisions import Claim, Decision, Mark, Order, Statement
from memstation.domain.errors import Changed, InvalidInput, NotFound, Refused
from memstation.domain.holding import BY_EDIT, HOLD_SECONDS, TTL_ACTOR, seconds_for
from memstation.domain.instants import from_text
from memstation.domain.names import is_blank, value_digest
from memstation.domain.origins import OPERATOR
from memstation.guard import shape
from memstation.ops.remember import MakeId
from memstation.store.holding import Request
from memstation.store.ledger import Looking
from memstation.store.rows import Row

MOST = 100_000
"""Memories in one verdict."""
LAPSED_AT_ONCE = 2_000
"""Memories that lapse in one decision: no other writer waits for a whole flood of them."""

Seen = Mapping[str, int]
"""By id: the version that the person saw (`HeldRow.version`); an id that is missing is taken as it is."""


def approve(
    looking: Looking,
    ids: Sequence[str],
    *,
    actor: str,
    seen: Seen | None = None,
    raise_trust: bool = False,
    reason: str = "",
) -> Decision:
    """Held memories take their places, each at its own start, by the walk.

    Args:
        looking: what to read.
        ids: held memories.
        actor: who decides.
        seen: see `Seen`.
        raise_trust: set their trust to 1.0 as well; their origins stay.
        reason: why, for the log.

    Raises:
        NotFound: unknown.
        Refused: one is not held (any more); it says what happened to it.
        Changed: one is not the version that was seen.
    """
    rows = _held(looking, ids, seen)
    marks: list[Statement] = []
    for row in rows:
        marks.append(Mark(row.id, "released"))
        if raise_trust:
            marks.append(Mark(row.id, "trust", value=1.0))
    return Decision("approve", actor, tuple(marks), _agent_of(rows), reason)


def deny(
    looking: Looking,
    ids: Sequence[str],
    *,
    actor: str,
    seen: Seen | None = None,
    also_hold: Sequence[str] = (),
    reason: str = "",
) -> Decision:
    """Held memories are withdrawn with a trust of at most 0.1, and their values remembered as rejected.

    `also_hold`: facts in use that are held in the same decision (the earlier ones of a burst).

    Raises:
        As `approve`, and `Refused` where one of `also_hold` is not in use.
    """
    rows = _held(looking, ids, seen)
    statements: list[Statement] = [Mark(row.id, "denied") for row in rows]
    rejected = {
        (row.agent_id, row.fact_key, row.object_key): Order(
            "rejected", "rejected", row.agent_id, subject=row.subject, predicate=row.predicate,
            value=row.content if is_blank(row.object) else row.object,
        )
        for row in rows
    }  # fmt: skip
    statements += rejected.values()
    statements += _holding(looking, also_hold, "burst")
    return Decision("deny", actor, tuple(statements), _agent_of(rows), reason)


def hold(looking: Looking, ids: Sequence[str], *, actor: str, why: str = "burst", reason: str = "") -> Decision:
    """Facts in use are held, each with what the same source said again: they wait like any other held memory.

    What another source says about the same stands on its own, and keeps the fact in use.

    Raises:
        NotFound: unknown.
        Refused: one is not in use.
    """
    statements = _holding(looking, _checked(ids), why)
    agents = {found.asked.agent_id for found in (looking.find(i) for i in ids) if found is not None}
    return Decision("hold", actor, tuple(statements), agents.pop() if len(agents) == 1 else "", reason)


def edit(
    looking: Looking,
    memory_id: str,
    make_id: MakeId,
    *,
    actor: str,
    object: str | None,
    content: str | None = None,
    seen: Seen | None = None,
    reason: str = "",
) -> Decision:
    """The operator writes what a held memory should have said; the held one is replaced, not rejected.

    The new memory is the operator's own (trust 1.0) and holds from the start of the held one.

    Args:
        looking: what to read.
        memory_id: a held memory.
        make_id: makes the new memory's id.
        actor: who decides.
        object: the value; None keeps it without one (a note).
        content: the sentence; the value itself when missing.
        seen: see `Seen`.
        reason: why, for the log.

    Raises:
        As `approve`, and `InvalidInput` where there is nothing to say or nothing was changed.
    """
    (row,) = _held(looking, [memory_id], seen)
    new_object = shape.name_of(object, "value")
    new_content = shape.text_of(content or new_object or "", "value", shape.CONTENT_CHARS, blank=False)
    if value_digest(new_object, new_content) == row.value_digest:
        raise InvalidInput("The value is the same", "nothing would change", "approve it as it is")
    claim = Claim(
        id=make_id(from_text(looking.now)), agent_id=row.agent_id, content=new_content,
        asserted_from=row.asserted_from, asserted_until=row.asserted_until, asserted_trust=1.0, subject=row.subject,
        predicate=row.predicate, object=new_object, origin=OPERATOR, source_event="review", derived_from=(row.id,),
    )  # fmt: skip
    return Decision("edit", actor, (Mark(row.id, "denied", BY_EDIT), claim), row.agent_id, reason)


def extend(
    looking: Looking, ids: Sequence[str], *, actor: str, seconds: float = HOLD_SECONDS, seen: Seen | None = None
) -> Decision:
    """Held memories wait so much longer than they would.

    Raises:
        As `approve`, and `Refused` where one waits for ever.
    """
    rows = _held(looking, ids, seen)
    requests = looking.requests(row.n for row in rows)
    marks = []
    for row in rows:
        request = requests[row.n]
        if request.deadline is None:
            raise Refused("It waits without a limit", "{id}", "decide it whenever you like", id=row.id)
        marks.append(Mark(row.id, "extended", value=seconds))
    return Decision("extend", actor, tuple(marks), _agent_of(rows))


def lapse(looking: Looking) -> Decision | None:
    """What ran out undecided is withdrawn, and not remembered as rejected. None when nothing has run out.

    At most `LAPSED_AT_ONCE`, those told first; ask again for the others.
    """
    due = looking.overdue(LAPSED_AT_ONCE)
    if not due:
        return None
    agents = {row.agent_id for row in due}
    marks = tuple(Mark(row.id, "lapsed") for row in due)
    return Decision("lapse", TTL_ACTOR, marks, agents.pop() if len(agents) == 1 else "", "time ran out")


def bring_back(looking: Looking, ids: Sequence[str], *, actor: str, reason: str = "") -> Decision:
    """What ran out undecided is held again, for the reason it was held, with its whole time before it.

    Raises:
        NotFound: unknown.
        Refused: one has not run out.
    """
    rows = _rows(looking, ids)
    requests = looking.requests(row.n for row in rows)
    marks: list[Statement] = []
    for row in rows:
        request = requests.get(row.n)
        has_run_out = request is not None and request.deadline is not None and request.deadline <= looking.now
        if request is None or not (request.status == "lapsed" or (request.status == "pending" and has_run_out)):
            raise _not_as_needed(row, request, "It has not run out")
        marks.append(Mark(row.id, "held", request.reason, seconds_for(request.reason)))
    return Decision("bring_back", actor, tuple(marks), _agent_of(rows), reason)


def lift(looking: Looking, places: Sequence[tuple[int, int]], *, actor: str, reason: str = "") -> Decision:
    """Rejected values may be said again.

    Args:
        looking: what to read.
        places: which, by the number of the decision that rejects each and its place among the orders of that one.
        actor: who decides.
        reason: why, for the log.

    Raises:
        InvalidInput: none is named.
        NotFound: there is no such rejected value.
        Refused: one is not rejected (any more).
    """
    lifted: dict[tuple[int, int], Order] = {}
    for seq, k in places:
        order = looking.order(seq, k)
        if order is None or order.about != "rejected":
            raise NotFound("No such rejected value", "#{seq}.{k}", "memstation rejected list", seq=seq, k=k)
        if not order.rules or order.verdict != "rejected":
            raise Refused("It is not rejected any more", "#{seq}.{k}", seq=seq, k=k)
        lifted[seq, k] = Order("rejected", "lifted", order.agent_id, order.subject, order.predicate, order.value)
    if not lifted:
        raise InvalidInput("Nothing is named", "name at least one rejected value", "memstation rejected list")
    agents = {order.agent_id for order in lifted.values()}
    return Decision("lift", actor, tuple(lifted.values()), agents.pop() if len(agents) == 1 else "", reason)


def _checked(ids: Sequence[str]) -> list[str]:
    if not ids:
        raise InvalidInput("Nothing is named", "give at least one id")
    if len(ids) > MOST:
        raise InvalidInput(
            "Too many at once", "{n:,} are named, {most:,} can be decided together", n=len(ids), most=MOST
        )
    return list(dict.fromkeys(ids))


def _rows(looking: Looking, ids: Sequence[str]) -> list[Row]:
    wanted = _checked(ids)
    found = looking.rows(wanted)
    for memory_id in wanted:
        if memory_id not in found:
            raise NotFound("No such memory", "{memory_id!r} is not here", memory_id=memory_id)
    return [found[memory_id] for memory_id in wanted]


def _held(looking: Looking, ids: Sequence[str], seen: Seen | None) -> list[Row]:
    rows = _rows(looking, ids)
    requests = looking.requests(row.n for row in rows)
    for row in rows:
        request = requests.get(row.n)
        if row.before is None or row.before.role != "held" or request is None:
            raise _not_as_needed(row, request, "It is not held")
        if request.deadline is not None and request.deadline <= looking.now:
            raise Refused(
                "It ran out undecided", "{id} had time until {at}", "bring it back to decide it", id=row.id,
                at=request.deadline[:16].replace("T", " "),
            )  # fmt: skip
        if seen is not None and seen.get(row.id, request.version) != request.version:
            raise Changed(
                "It is not what you saw", "{id} was changed by #{seq} meanwhile", "look at it again",
                id=row.id, seq=request.version,
            )  # fmt: skip
    return rows


def _not_as_needed(row: Row, request: Request | None, title: str) -> Refused:
    if request is None:
        role = "" if row.before is None else row.before.role
        return Refused(title, "{id} is {role}, and was never held", id=row.id, role=role)
    if request.status == "pending":
        return Refused(title, "{id} is held and waits for a verdict", id=row.id)
    return Refused(
        title, "{id} was {status} by {actor} at {at} (#{seq})", "to take that back, undo #{seq}",
        id=row.id, status=request.status, actor=request.decided_by, at=(request.decided_at or "")[:16],
        seq=request.decided_seq,
    )  # fmt: skip


def _holding(looking: Looking, ids: Sequence[str], why: str) -> list[Statement]:
    marks: dict[str, Statement] = {}
    for memory_id in ids:
        found = looking.find(memory_id)
        if found is None:
            raise NotFound("No such memory", "{memory_id!r} is not here", memory_id=memory_id)
        if found.asked.before is None or found.asked.before.role not in ("fact", "confirms"):
            raise Refused("It is not in use", "{id} is {role}", id=memory_id, role=found.asked.before.role)  # type: ignore[union-attr]
        for member in (m for m in found.members if m.origin == found.asked.origin):
            marks[member.id] = Mark(member.id, "held", why, seconds_for(why))
    return list(marks.values())


def _agent_of(rows: Sequence[Row]) -> str:
    agents = {row.agent_id for row in rows}
    return agents.pop() if len(agents) == 1 else ""
