"""Remember: what an agent or the operator tells becomes claims. It decides nothing about windows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from memstation.domain.decisions import Applied, Claim, Decision, Told
from memstation.domain.errors import InvalidInput, MemstationError
from memstation.domain.instants import as_instant, from_text, to_text
from memstation.domain.memory import MemoryEntry, Outcome, Status, TemporalMeta
from memstation.domain.origins import UNATTRIBUTED, capped_trust, origin_class
from memstation.guard import shape
from memstation.store.ledger import Ledger, Looking

MakeId = Callable[[datetime], str]
Item = TypeVar("Item")
REPAIRED = "text repaired: broken characters are now U+FFFD"
MOST = 100_000
"""Memories in one batch."""


@dataclass(frozen=True, slots=True)
class _Prepared:
    claim: Claim
    repaired: bool


def store(
    ledger: Ledger,
    make_id: MakeId,
    items: Sequence[tuple[MemoryEntry, TemporalMeta | None]],
    actor: str,
    reason: str = "",
) -> list[Outcome]:
    """Tell memories in one transaction and one journal entry.

    Returns:
        An outcome each, in order.

    Raises:
        InvalidInput: one of them cannot be taken; its place in the batch is named, and nothing is written.
    """
    if not items:
        return []
    if len(items) > MOST:
        raise InvalidInput(
            "The batch is too large", "{items:,} memories, {most:,} can be taken at once", items=len(items), most=MOST
        )
    with _places(len(items)) as place:
        told_at = ledger.clock()
        prepared = [_prepare(entry, meta or TemporalMeta(), lambda: make_id(told_at)) for entry, meta in place(items)]
    with ledger.writing() as writing:
        applied = writing.apply(_telling(writing, prepared, actor, reason))
    return outcomes(applied, [item.repaired for item in prepared])


def telling(
    looking: Looking, entry: MemoryEntry, meta: TemporalMeta, make_id: MakeId, *, actor: str, reason: str = ""
) -> Decision:
    """The decision that tells one memory, to be previewed first.

    Raises:
        InvalidInput: it cannot be taken.
    """
    prepared = _prepare(entry, meta, lambda: make_id(from_text(looking.now)))
    return _telling(looking, [prepared], actor, reason)


def _telling(looking: Looking, prepared: Sequence[_Prepared], actor: str, reason: str) -> Decision:
    with _places(len(prepared)) as place:
        claims = tuple(_finished(looking, item) for item in place(prepared))
    agents = {claim.agent_id for claim in claims}
    return Decision("store", actor, claims, agents.pop() if len(agents) == 1 else "", reason)


@contextmanager
def _places(total: int) -> Iterator[Callable[[Sequence[Item]], Iterator[Item]]]:
    """Walks over a batch so that a refusal names the place of the item that it is about."""
    at = 0

    def place(items: Sequence[Item]) -> Iterator[Item]:
        nonlocal at
        for at, item in enumerate(items):  # noqa: B007 - kept for the refusal
            yield item

    try:
        yield place
    except MemstationError as error:
        if total == 1:
            raise
        raise InvalidInput(
            "Item {index} of the batch: {title}",
            "{detail}",
            "{hint}",
            index=at,
            title=error.title,
            detail=error.detail,
            hint=error.hint,
        ) from error


def _refuse_no_window(start: datetime, until: datetime) -> None:
    if until <= start:
        raise InvalidInput(
            "The window is empty or reversed",
            "it would start at {start} and end at {end}",
            "the end is not included, so it must come after the start",
            start=start.isoformat(),
            end=until.isoformat(),
        )


def _prepare(entry: MemoryEntry, meta: TemporalMeta, new_id: Callable[[], str]) -> _Prepared:
    """Check one memory and give it its shape; see `guard.shape` for the limits. `new_id` is asked where it has none.

    Raises:
        InvalidInput: the first thing that is wrong with it.
    """
    start = None if meta.valid_from is None else as_instant(meta.valid_from, "start")
    until = None if meta.valid_until is None else as_instant(meta.valid_until, "end")
    if start is not None and until is not None:
        _refuse_no_window(start, until)
    origin = shape.name_of(meta.origin, "origin") or UNATTRIBUTED
    declared = None if meta.origin_trust is None else shape.number_of(meta.origin_trust, "trust", 0, 1)
    claim = Claim(
        id=new_id() if entry.id is None else shape.text_of(entry.id, "id", shape.NAME_CHARS, blank=False),
        agent_id=shape.agent_of(entry.agent_id),
        content=shape.text_of(entry.content, "content", shape.CONTENT_CHARS, blank=False),
        asserted_from=None if start is None else to_text(start),
        asserted_until=None if until is None else to_text(until),
        asserted_trust=capped_trust(origin, declared),
        subject=shape.name_of(meta.subject, "subject"),
        predicate=shape.name_of(meta.predicate, "predicate"),
        object=shape.name_of(meta.object, "object"),
        origin=origin,
        tags=shape.tags_of(entry.tags),
        layer=shape.layer_of(entry.layer),
        importance=shape.number_of(entry.importance, "importance", 0, 10),
        confidence=shape.number_of(meta.confidence, "confidence", 0, 1),
        source_event=shape.text_of(meta.source_event or entry.source_event, "source event", shape.NAME_CHARS),
        metadata=shape.metadata_of(meta.metadata),
        derived_from=shape.sources_of(meta.derived_from),
    )
    told = (
        entry.content, meta.subject, meta.predicate, meta.object, meta.origin, meta.source_event, entry.source_event,
        *entry.tags,
    )  # fmt: skip
    joined = "\n".join(filter(None, told))
    broken = shape.repaired(joined) is not joined
    return _Prepared(claim, broken)


def _finished(looking: Looking, item: _Prepared) -> Claim:
    """What only the store can say: the present, for a claim without a start, and the trust of its sources."""
    claim = item.claim
    if claim.asserted_from is None and claim.asserted_until is not None:
        _refuse_no_window(from_text(looking.now), from_text(claim.asserted_until))
    if not claim.derived_from or origin_class(claim.origin) == "operator":
        return claim
    known = looking.trusts(claim.agent_id, claim.derived_from)
    sources = [known.get(source, 0.0) for source in claim.derived_from]
    return replace(claim, asserted_trust=capped_trust(claim.origin, claim.asserted_trust, sources))


def outcomes(applied: Applied, repaired: Sequence[bool]) -> list[Outcome]:
    """What each claim of a decision came to."""
    gaps = set(applied.effects.gaps)
    changes = {change.id: change for change in applied.effects.changes} if gaps else {}

    def gap(told: Told) -> datetime | None:
        mine = changes.get(told.id)
        if mine is None or told.valid_until is None:
            return None
        key = (mine.agent_id, mine.subject, mine.predicate, told.valid_until)
        return told.valid_until if key in gaps else None

    return [
        Outcome(told.fact_id, status_of(told), told.closed, REPAIRED if broken else "", gap(told), applied.seq)
        for told, broken in zip(applied.effects.told, repaired, strict=True)
    ]


def status_of(told: Told) -> Status:
    """The word for what became of one claim."""
    if told.role == "held":
        return "held"
    if told.role in ("confirms", "silent"):
        return "reaffirmed" if told.role == "confirms" else "historical"
    if told.state == "scheduled":
        return "scheduled"
    if told.state == "current":
        return "superseded" if told.closed else "stored"
    return "historical"
