"""Remember: what an agent or the operator tells becomes claims. It decides nothing about windows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from memstation.domain.decisions import Applied, Claim, Decision, Told
from memstation.domain.errors import InvalidInput, MemstationError, Refused
from memstation.domain.findings import Scan
from memstation.domain.guarding import DEFAULT_GUARD, GuardSettings
from memstation.domain.instants import as_instant, from_text, to_text
from memstation.domain.memory import MemoryEntry, Outcome, Status, TemporalMeta
from memstation.domain.origins import UNATTRIBUTED, capped_trust, origin_class
from memstation.guard import shape
from memstation.ops import gate
from memstation.store.ledger import Ledger, Looking

MakeId = Callable[[datetime], str]
Item = TypeVar("Item")
WAITS = "the same waits for a person already"
REPAIRED = "text repaired: broken characters are now U+FFFD"
MOST = 100_000
"""Memories in one batch."""


@dataclass(frozen=True, slots=True)
class _Prepared:
    claim: Claim
    repaired: bool
    scan: Scan


def store(
    ledger: Ledger,
    make_id: MakeId,
    items: Sequence[tuple[MemoryEntry, TemporalMeta | None]],
    actor: str,
    reason: str = "",
    settings: GuardSettings = DEFAULT_GUARD,
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
        admission = _admission(writing, prepared, settings)
        decision = _telling(admission, actor, reason)
        applied = None if decision is None else writing.apply(decision)
        admission.note(writing)
    return outcomes(admission, applied, [item.repaired for item in prepared])


def telling(
    looking: Looking,
    entry: MemoryEntry,
    meta: TemporalMeta,
    make_id: MakeId,
    *,
    actor: str,
    reason: str = "",
    settings: GuardSettings = DEFAULT_GUARD,
) -> Decision:
    """The decision that tells one memory, to be previewed first.

    Raises:
        InvalidInput: it cannot be taken.
        Refused: the same waits for a person already.
    """
    prepared = _prepare(entry, meta, lambda: make_id(from_text(looking.now)))
    decision = _telling(_admission(looking, [prepared], settings), actor, reason)
    if decision is None:
        raise Refused("It waits for a person already", "the same was told by this origin and is held")
    return decision


def _admission(looking: Looking, prepared: Sequence[_Prepared], settings: GuardSettings) -> gate.Admission:
    with _places(len(prepared)) as place:
        claims = [_finished(looking, item) for item in place(prepared)]
    return gate.admit(looking, claims, [item.scan for item in prepared], settings)


def _telling(admission: gate.Admission, actor: str, reason: str) -> Decision | None:
    """The decision that tells what was admitted; None where nothing is to be written."""
    if not admission.statements:
        return None
    agents = {verdict.claim.agent_id for verdict in admission.verdicts}
    kind = "store" if any(gate.admitted(verdict) for verdict in admission.verdicts) else "drop"
    return Decision(kind, actor, admission.statements, agents.pop() if len(agents) == 1 else "", reason)


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
    return _Prepared(claim, broken, gate.scanned(claim))


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


def outcomes(admission: gate.Admission, applied: Applied | None, repaired: Sequence[bool]) -> list[Outcome]:
    """What each memory of a batch came to."""
    effects = None if applied is None else applied.effects
    gaps = set() if effects is None else set(effects.gaps)
    changes = {} if effects is None or not gaps else {change.id: change for change in effects.changes}
    told = {} if effects is None else {one.id: one for one in effects.told}
    seq = 0 if applied is None else applied.seq

    def gap(one: Told) -> datetime | None:
        mine = changes.get(one.id)
        if mine is None or one.valid_until is None:
            return None
        key = (mine.agent_id, mine.subject, mine.predicate, one.valid_until)
        return one.valid_until if key in gaps else None

    def outcome(verdict: gate.Verdict, broken: bool) -> Outcome:
        if verdict.is_dropped:
            return Outcome("", "dropped", reason=_because("prompt_injection", verdict), seq=seq)
        if verdict.twin is not None:
            return Outcome(verdict.twin_id, "held", reason=WAITS)
        if verdict.repeats is not None:
            return Outcome(admission.verdicts[verdict.repeats].claim.id, "held", reason=WAITS, seq=seq)
        one = told[verdict.claim.id]
        if verdict.reasons:
            return Outcome(one.fact_id, "held", reason=_because(verdict.reasons[0], verdict), seq=seq)
        notes = [REPAIRED] * broken
        if verdict.scan.verdict != "pass":
            notes.append(_because("reads like an order", verdict))
        return Outcome(one.fact_id, status_of(one), one.closed, "; ".join(notes), gap(one), seq)

    return [outcome(verdict, broken) for verdict, broken in zip(admission.verdicts, repaired, strict=True)]


def _because(reason: str, verdict: gate.Verdict) -> str:
    rules = sorted({finding.rule for finding in verdict.scan.findings})
    return f"{reason}: {', '.join(rules)}" if rules and reason != "burst" else reason


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
