"""Remember: what an agent or the operator tells becomes claims. It decides nothing about windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memstation.domain.decisions import Applied, Claim, Decision, Told
from memstation.domain.errors import InvalidInput, MemstationError
from memstation.domain.instants import as_instant, from_text, to_text
from memstation.domain.memory import MemoryEntry, Outcome, Status, TemporalMeta
from memstation.domain.origins import UNATTRIBUTED, capped_trust, origin_class
from memstation.guard import shape
from memstation.store.ledger import Ledger, Writing

MakeId = Callable[[datetime], str]
REPAIRED = "text repaired: broken characters are now U+FFFD"
MOST = 100_000
"""Memories in one batch."""


@dataclass(frozen=True, slots=True)
class _Prepared:
    claim: Claim
    declared: float | None
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
        raise InvalidInput("The batch is too large", f"{len(items):,} memories, {MOST:,} can be taken at once")
    prepared = [_at(index, len(items), entry, meta) for index, (entry, meta) in enumerate(items)]
    with ledger.writing() as writing:
        now = from_text(writing.now)
        claims = tuple(_finished(writing, item, make_id, now) for item in prepared)
        agents = {claim.agent_id for claim in claims}
        decision = Decision("store", actor, claims, agents.pop() if len(agents) == 1 else "", reason)
        applied = writing.apply(decision)
    return outcomes(applied, [item.repaired for item in prepared])


def _at(index: int, total: int, entry: MemoryEntry, meta: TemporalMeta | None) -> _Prepared:
    try:
        return prepare(entry, meta or TemporalMeta())
    except MemstationError as error:
        if total == 1:
            raise
        raise InvalidInput(f"Item {index} of the batch: {error.title}", error.detail, error.hint) from error


def prepare(entry: MemoryEntry, meta: TemporalMeta) -> _Prepared:
    """Check one memory and give it its shape; see `guard.shape` for the limits.

    Raises:
        InvalidInput: the first thing that is wrong with it.
    """
    start = None if meta.valid_from is None else as_instant(meta.valid_from, "start")
    until = None if meta.valid_until is None else as_instant(meta.valid_until, "end")
    if start is not None and until is not None and until <= start:
        raise InvalidInput(
            "The window is empty or reversed",
            f"it would start at {start.isoformat()} and end at {until.isoformat()}",
            "the end is not included, so it must come after the start",
        )
    origin = shape.name_of(meta.origin, "origin") or UNATTRIBUTED
    declared = meta.origin_trust
    claim = Claim(
        id="" if entry.id is None else shape.text_of(entry.id, "id", shape.NAME_CHARS, blank=False),
        agent_id=shape.agent_of(entry.agent_id),
        content=shape.text_of(entry.content, "content", shape.CONTENT_CHARS, blank=False),
        asserted_from=None if start is None else to_text(start),
        asserted_until=None if until is None else to_text(until),
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
    told = (entry.content, meta.subject, meta.predicate, meta.object, *entry.tags)
    broken = any(text is not None and shape.repaired(text) != text for text in told)
    return _Prepared(claim, None if declared is None else shape.number_of(declared, "trust", 0, 1), broken)


def _finished(writing: Writing, item: _Prepared, make_id: MakeId, now: datetime) -> Claim:
    """Give a claim its id and the trust that its origin and its sources allow."""
    claim = item.claim
    sources: list[float] = []
    if claim.derived_from and origin_class(claim.origin) != "operator":
        known = writing.trusts(claim.agent_id, claim.derived_from)
        sources = [known.get(source, 0.0) for source in claim.derived_from]
    trust = capped_trust(claim.origin, item.declared, sources)
    return replace(claim, id=claim.id or make_id(now), asserted_trust=trust)


def outcomes(applied: Applied, repaired: Sequence[bool]) -> list[Outcome]:
    """What each claim of a decision came to."""
    changes = {change.id: change for change in applied.effects.changes}
    gaps = set(applied.effects.gaps)

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
