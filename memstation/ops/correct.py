"""Correct: it was never true, it stopped being true, its value is wrong. Builds decisions; the ledger takes them."""

from __future__ import annotations

from datetime import timedelta

from memstation.domain.decisions import EVERY_AGENT, Claim, Decision, End, Mark, Order, Statement
from memstation.domain.errors import InvalidInput, NotFound, Refused
from memstation.domain.instants import InstantLike, as_instant, from_text, to_text
from memstation.domain.names import is_blank, value_digest
from memstation.domain.origins import OPERATOR
from memstation.guard import shape
from memstation.ops.remember import MakeId
from memstation.store import purging
from memstation.store.ledger import Looking
from memstation.store.purging import Source
from memstation.store.segments import Found
from memstation.words import N_

RETRACTED = "retracted"
ENDED = "ended"
CORRECTED = "corrected"
"""Stamps on the facts; the reason that a person gives goes into the journal."""


def never_true(
    looking: Looking,
    memory_id: str,
    *,
    actor: str,
    agent_id: str | None = None,
    reason: str = "",
    reject: bool = True,
) -> Decision:
    """It was never true: the fact is withdrawn with its confirmations, and what it displaced comes back.

    On a confirming memory only that claim is withdrawn. `reject` remembers the value as rejected.

    Raises:
        NotFound: unknown, or another agent's.
        Refused: it is withdrawn already.
    """
    found = _found(looking, memory_id, agent_id)
    asked, shown = found.asked, found.shown
    if asked.before is not None and asked.before.role == "withdrawn":
        raise Refused("It is withdrawn already", asked.id)
    whole = asked.n == shown.n
    members = found.members if whole else (asked,)
    statements: list[Statement] = [Mark(member.id, "withdrawn", RETRACTED) for member in members]
    if reject and whole:
        statements.append(_rejected(found))
    return Decision("retract", actor, tuple(statements), asked.agent_id, reason)


def stopped_being_true(
    looking: Looking,
    memory_id: str,
    at: InstantLike,
    make_id: MakeId,
    *,
    actor: str,
    agent_id: str | None = None,
    reason: str = "",
) -> Decision:
    """It stopped being true: from `at` (the first instant at which it no longer held) its value no longer holds.

    Raises:
        NotFound: unknown, or another agent's.
        InvalidInput: at or before its start, or past the end that it has.
        Refused: it is held or withdrawn.
    """
    found = _found(looking, memory_id, agent_id)
    place = found.shown.before
    assert place is not None
    if place.role != "fact":
        raise Refused("It is not in use", "{id} is {role}", "only a fact can end", id=found.asked.id, role=place.role)
    instant = to_text(as_instant(at, "end"))
    if instant <= place.valid_from:
        raise InvalidInput(
            "It cannot end before it began",
            "it holds from {start}, and {instant} is not after that",
            "if it was never true, retract it",
            start=_day(place.valid_from),
            instant=_day(instant),
        )
    if place.valid_until is not None and instant >= place.valid_until:
        raise InvalidInput("It has ended already", "it holds until {until}", until=_day(place.valid_until))
    return Decision(
        "end", actor, (_end(found, instant, make_id(from_text(looking.now)), ENDED),), found.asked.agent_id, reason
    )


def value_is(
    looking: Looking,
    memory_id: str,
    make_id: MakeId,
    *,
    actor: str,
    object: str | None,
    content: str | None = None,
    agent_id: str | None = None,
    reason: str = "",
    reject: bool = False,
) -> Decision:
    """The value is wrong: the operator's own takes its place from the same start, and the wrong one is withdrawn.

    Args:
        looking: what to read.
        memory_id: the fact, or a memory that confirms it.
        make_id: makes the new memory's id.
        actor: who corrects.
        object: the right value; None keeps the memory without one (a note).
        content: the right sentence; the value itself when missing.
        agent_id: refuse a memory that is not this agent's.
        reason: why, for the log.
        reject: whether the wrong value is remembered as rejected; a small fix should not ban it.

    Raises:
        NotFound: unknown, or another agent's.
        InvalidInput: nothing to say, or the same as before.
        Refused: it is held, withdrawn, or holds at no instant.
    """
    found = _found(looking, memory_id, agent_id)
    shown, place = found.shown, found.shown.before
    assert place is not None
    if place.role != "fact":
        raise Refused(
            "It is not in use", "{id} is {role}", "only a fact can be corrected", id=found.asked.id, role=place.role
        )
    if place.valid_until == place.valid_from:
        # Told now, a claim from that start would take over from what holds there.
        raise Refused(
            "It holds at no instant",
            "another value told later starts at the same moment as {id}",
            "correct that one, or tell the agent a fact",
            id=shown.id,
        )
    new_object = shape.name_of(object, "value")
    new_content = shape.text_of(content or new_object or "", "value", shape.CONTENT_CHARS, blank=False)
    if value_digest(new_object, new_content) == shown.value_digest:
        raise InvalidInput("The value is the same", "nothing would change")
    claim = Claim(
        id=make_id(from_text(looking.now)),
        agent_id=shown.agent_id,
        content=new_content,
        asserted_from=place.valid_from,
        # Whatever ended the wrong value, other than a later one, ends the right one too.
        asserted_until=place.valid_until if place.superseded_by is None else found.founder.asserted_until,
        asserted_trust=1.0,
        subject=shown.subject,
        predicate=shown.predicate,
        object=new_object,
        origin=OPERATOR,
        source_event="correction",
        derived_from=(shown.id,),
    )
    statements: list[Statement] = [Mark(member.id, "withdrawn", CORRECTED) for member in found.members]
    if reject:
        statements.append(_rejected(found))
    return Decision("correct", actor, (*statements, claim), shown.agent_id, reason)


def expired(
    looking: Looking, agent_id: str, subject: str, make_id: MakeId, *, actor: str, reason: str
) -> Decision | None:
    """End every fact about a subject now; what has not begun is withdrawn. None when there is nothing to end.

    `reason` is stamped on the facts (seed 000, WP5c: removing a page expires its pointer by subject). The subject is
    compared exactly: a page is named by its path, and another spelling is another page.

    Raises:
        InvalidInput: the subject is blank or too long.
    """
    name = shape.text_of(subject, "subject", shape.NAME_CHARS, blank=False)
    now = looking.now
    statements: list[Statement] = []
    for row in looking.current_about(agent_id, name):
        assert row.before is not None
        if row.before.valid_from > now:
            found = _found(looking, row.id, agent_id)
            statements += [Mark(member.id, "withdrawn", reason) for member in found.members]
            continue
        # A fact told this very instant still needs a window that it can have held in.
        begun = from_text(row.before.valid_from) + timedelta(microseconds=1)
        found = Found(row, row, (row,), row)
        statements.append(_end(found, max(now, to_text(begun)), make_id(from_text(now)), reason))
    return Decision("expire", actor, tuple(statements), agent_id, reason) if statements else None


def holds(looking: Looking, agent_id: str, predicate: str, rule: str, *, actor: str, reason: str = "") -> Decision:
    """Say whether a predicate holds one value or many, for an agent or for all (`*`).

    Raises:
        InvalidInput: another rule, or no predicate.
        Refused: it is so already.
    """
    if rule not in ("one", "many"):
        raise InvalidInput("The rule is not known", "{rule!r} is neither one nor many", rule=rule)
    name = shape.text_of(predicate, "predicate", shape.NAME_CHARS, blank=False)
    agent = shape.agent_of(agent_id)
    if looking.is_many(agent, name) == (rule == "many"):
        told = N_("{name} holds {rule} for {agent}"), N_("{name} holds {rule} for all agents")
        raise Refused("It is so already", told[agent == EVERY_AGENT], name=name, rule=rule, agent=agent)
    return Decision("predicate", actor, (Order("predicate", rule, agent, predicate=name),), agent, reason)


def made_from(looking: Looking, memory_id: str) -> list[Source]:
    """What a memory was made from, in the order told: where that is wrong, it is the place to correct."""
    found = looking.find(memory_id)
    return [] if found is None else purging.sources_of(looking.cursor, found.asked.n)


def _found(looking: Looking, memory_id: str, agent_id: str | None) -> Found:
    found = looking.find(shape.text_of(memory_id, "id", shape.NAME_CHARS), agent_id)
    if found is None:
        raise NotFound("No such memory", "{memory_id!r} is not here", memory_id=memory_id)
    return found


def _rejected(found: Found) -> Order:
    shown = found.shown
    value = shown.content if is_blank(shown.object) else shown.object
    return Order("rejected", "rejected", shown.agent_id, subject=shown.subject, predicate=shown.predicate, value=value)


def _end(found: Found, instant: str, new_id: str, reason: str) -> End:
    shown = found.shown
    return End(
        id=new_id,
        agent_id=shown.agent_id,
        at=instant,
        subject=shown.subject,
        predicate=shown.predicate,
        object=shown.object,
        content=shown.content,
        of=shown.id,
        origin=OPERATOR,
        source_event=reason,
    )


def _day(text: str) -> str:
    return text[:10] if text[10:19] == "T00:00:00" else text[:16].replace("T", " ") + " UTC"
