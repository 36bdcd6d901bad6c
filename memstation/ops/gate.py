"""The write gate: what of a write is told, what is held, what is dropped. It reads inside the write's transaction.

The order of its questions (seed 000, D2): scan, rejected before, blocked origin, over the operator, burst.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from memstation.domain.decisions import Claim, Event, Mark, Statement
from memstation.domain.findings import Scan, excerpt, tags_text, triple_text
from memstation.domain.guarding import DEFAULT_GUARD, GuardSettings, Road
from memstation.domain.holding import seconds_for
from memstation.domain.instants import from_text, to_text
from memstation.domain.names import burst_key, fact_key, is_blank, line_key, object_key, twin_key, value_digest
from memstation.domain.origins import OPERATOR, UNATTRIBUTED, origin_class
from memstation.guard.scanning import scan
from memstation.store import guarding, holding
from memstation.store.guarding import Entry
from memstation.store.ledger import Looking, Writing
from memstation.store.rules import PredicateRules

EARLIER = 50
"""Earlier facts of a burst that a held memory names."""

_FIRST = from_text("0002-01-01T00:00:00.000000+00:00")
"""No window begins before this day."""

_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode


def scanned(claim: Claim) -> Scan:
    """The injection scan of a claim: its content, tags and names, one by one and together."""
    return scan(claim.content, tags=claim.tags, subject=claim.subject, predicate=claim.predicate, object=claim.object)


@dataclass(slots=True)
class Verdict:
    """What the gate makes of one memory."""

    claim: Claim
    scan: Scan
    reasons: list[str] = field(default_factory=list)
    """Why it is held, the first reason first; empty: it is told."""
    is_dropped: bool = False
    twin: int | None = None
    """What waits and says the same from the same origin, by `n`: that one gets a hit, and nothing is told."""
    twin_id: str = ""
    repeats: int | None = None
    """Place in the batch of a memory that is held and says the same."""
    detail: dict[str, object] = field(default_factory=dict)


@dataclass(slots=True)
class Admission:
    """What is to be written of a batch."""

    verdicts: list[Verdict]
    statements: tuple[Statement, ...]
    entries: list[Entry]
    """New values, for the window of bursts."""
    hits: list[int]
    since: str
    now: str

    def note(self, writing: Writing) -> None:
        """Keep what the next write must know, in the same transaction."""
        for n in self.hits:
            holding.count_hit(writing.cursor, n, self.now)
        if self.entries:
            guarding.note_values(writing.cursor, self.entries, self.since)


def admit(
    looking: Looking, claims: Sequence[Claim], scans: Sequence[Scan], settings: GuardSettings, road: Road = "write"
) -> Admission:
    """Judge memories against each other and the store.

    Args:
        looking: what to read; inside the transaction that writes them.
        claims: the memories, in the order told.
        scans: what the scan found in each.
        settings: the operator's.
        road: how they come in; see `domain.guarding.Road`.
    """
    if all(origin_class(claim.origin) == OPERATOR for claim in claims):
        # The operator's own words are warned about, and nothing is asked of the store.
        return Admission([Verdict(*told) for told in zip(claims, scans, strict=True)], tuple(claims), [], [], "", "")
    gate = _Gate(looking, settings, road)
    verdicts = [gate.judge(claim, found) for claim, found in zip(claims, scans, strict=True)]
    gate.hold_bursts(verdicts)
    gate.fold_repeats(verdicts)
    return Admission(
        verdicts, tuple(_statements(verdicts)), gate.entries(verdicts), gate.hits(verdicts), gate.since, gate.now
    )


def holds_of(
    looking: Looking, claims: Sequence[Claim], scans: Sequence[Scan], *, before: int | None
) -> tuple[Statement, ...]:
    """What a restore adds to what it brings back: holds on what the scan finds, and on values rejected here.

    Args:
        looking: what to read; inside the transaction that writes them.
        claims: memories on which no verdict comes with them.
        scans: what the scan found in each.
        before: the first decision of the restore: what itself brings back rejects nothing.
    """
    gate = _Gate(looking, DEFAULT_GUARD, "restore", before)
    verdicts = [gate.judge(claim, found) for claim, found in zip(claims, scans, strict=True)]
    gate.hold_bursts(verdicts)
    gate.fold_repeats(verdicts)
    return tuple(statement for statement in _statements(verdicts) if not isinstance(statement, Claim))


def admitted(verdict: Verdict) -> bool:
    """Whether a memory is written at all, held or not."""
    return not verdict.is_dropped and verdict.twin is None and verdict.repeats is None


def _statements(verdicts: Iterable[Verdict]) -> Iterator[Statement]:
    for verdict in verdicts:
        claim = verdict.claim
        if verdict.is_dropped:
            yield Event("prompt_injection", claim.agent_id, claim.origin, _encode(verdict.detail))
        elif admitted(verdict):
            yield claim
            if verdict.reasons:
                why = verdict.reasons[0]
                yield Mark(claim.id, "held", why, seconds_for(why))
                yield Event("knowledge.quarantined", claim.agent_id, claim.origin, _encode(verdict.detail), claim.id)


class _Gate:
    """Judges one batch."""

    def __init__(self, looking: Looking, settings: GuardSettings, road: Road, before: int | None = None) -> None:
        self._before = before
        self._looking = looking
        self._cursor = looking.cursor
        self._settings = settings
        self._road = road
        self.now = looking.now
        self._rules: PredicateRules | None = None
        self._there = guarding.there(self._cursor)
        self._blocked: dict[tuple[str, str], int | None] = {}
        self._bursts: dict[bytes, list[tuple[Verdict, bytes]]] = defaultdict(list)
        self._windows: dict[bytes, dict[bytes, int]] = {}
        window = timedelta(seconds=settings.window_secs)
        self.since = to_text(max(from_text(self.now), _FIRST + window) - window)

    def judge(self, claim: Claim, found: Scan) -> Verdict:
        """Everything but the burst, which takes the whole batch."""
        verdict = Verdict(claim, found)
        if origin_class(claim.origin) == OPERATOR:
            return verdict
        if found.verdict == "block" and self._road != "restore":
            verdict.is_dropped = True
            verdict.detail = _dropped(claim, found)
            return verdict
        if self._road != "restore" and self._there.pending:
            twin = holding.twin_of(self._cursor, _twin_key(claim))
            if twin is not None:
                verdict.twin, verdict.twin_id = twin, self._id_of(twin)
                return verdict
        self._reasons(verdict)
        return verdict

    def _reasons(self, verdict: Verdict) -> None:
        claim, found = verdict.claim, verdict.scan
        if found.verdict != "pass":
            verdict.reasons.append("injection_suspect")
            verdict.detail["rules"] = sorted({finding.rule for finding in found.findings})
        line = self._line_of(claim)
        holds = None if line is None else guarding.holding(self._cursor, line, claim.asserted_from or self.now)
        confirms = holds is not None and holds[0].value_digest == value_digest(claim.object, claim.content)
        # What a person let in after rejecting it holds: saying it again confirms it.
        rejected = None if confirms else self._rejected_by(claim)
        if rejected is not None and (self._before is None or rejected < self._before):
            verdict.reasons.append("rejected_before")
            verdict.detail["rejected_seq"] = rejected
        if self._road == "restore":
            return
        blocked = self._blocked_by(claim)
        if blocked is not None:
            verdict.reasons.append("blocked_origin")
            verdict.detail["blocked_seq"] = blocked
        if confirms:
            return
        if (
            self._settings.over_operator and line is not None and holds is not None
            and guarding.is_operators(self._cursor, line, *holds)
        ):  # fmt: skip
            verdict.reasons.append("over_operator")
        if (
            self._settings.enabled
            and self._road == "write"
            and claim.subject is not None
            and not is_blank(claim.subject)
        ):
            key = burst_key(claim.agent_id, claim.origin or UNATTRIBUTED, claim.subject)
            self._bursts[key].append((verdict, _value_key(claim)))

    def hold_bursts(self, verdicts: Sequence[Verdict]) -> None:
        """Hold what belongs to a burst: all of the batch under a key of which the count reaches the limit."""
        limit = self._settings.max_per_subject
        for key, members in self._bursts.items():
            window = self._windows[key] = guarding.counted(self._cursor, key, self.since)
            count = len(window.keys() | {value for _, value in members})
            if count < limit:
                continue
            earlier = guarding.in_use(self._cursor, window.values(), members[0][0].claim.origin, EARLIER)
            for verdict, _ in members:
                verdict.reasons.append("burst")
                verdict.detail |= {
                    "count": count, "limit": limit, "window": self._settings.window_secs, "earlier": earlier,
                }  # fmt: skip

    def fold_repeats(self, verdicts: Sequence[Verdict]) -> None:
        """Of held ones that say the same in one batch the first is kept; and name the reasons of each."""
        seen: dict[bytes, int] = {}
        for place, verdict in enumerate(verdicts):
            if not verdict.reasons or self._road == "restore":
                continue
            key = _twin_key(verdict.claim)
            if key in seen:
                verdict.repeats = seen[key]
            else:
                seen[key] = place
        for verdict in verdicts:
            if verdict.reasons:
                # A burst says more of where it comes from than what one of its values would replace.
                verdict.reasons.sort(key=lambda reason: reason == "over_operator")
                verdict.detail["reason"], also = verdict.reasons[0], verdict.reasons[1:]
                if also:
                    verdict.detail["also"] = also

    def entries(self, verdicts: Sequence[Verdict]) -> list[Entry]:
        """What counts towards a burst from now on."""
        return [
            (key, value, self.now, verdict.claim.id)
            for key, members in self._bursts.items()
            for verdict, value in members
            if admitted(verdict) and value not in self._windows.get(key, {})
        ]

    def hits(self, verdicts: Sequence[Verdict]) -> list[int]:
        """What waits and was said again."""
        return [verdict.twin for verdict in verdicts if verdict.twin is not None]

    def _line_of(self, claim: Claim) -> bytes | None:
        if is_blank(claim.subject) or is_blank(claim.predicate) or claim.subject is None or claim.predicate is None:
            return None
        if self._rules is None:
            self._rules = PredicateRules(self._cursor, any_rule=self._there.rules)
        many = self._rules.is_many(claim.agent_id, claim.predicate)
        fact = fact_key(claim.agent_id, claim.subject, claim.predicate)
        return line_key(fact, object_key(claim.object, claim.content), many)

    def _rejected_by(self, claim: Claim) -> int | None:
        if not self._there.rejected:
            return None
        value = claim.content if claim.object is None or is_blank(claim.object) else claim.object
        return guarding.rejected_by(self._cursor, claim.agent_id, claim.subject, claim.predicate, value)

    def _blocked_by(self, claim: Claim) -> int | None:
        if not self._there.blocked:
            return None
        key = (claim.agent_id, claim.origin or UNATTRIBUTED)
        if key not in self._blocked:
            self._blocked[key] = guarding.blocked_by(self._cursor, *key)
        return self._blocked[key]

    def _id_of(self, n: int) -> str:
        return str(self._cursor.execute("SELECT id FROM memories WHERE n = ?", (n,)).fetchone()[0])


def _twin_key(claim: Claim) -> bytes:
    return twin_key(claim.agent_id, claim.subject, claim.predicate, claim.object, claim.content, claim.origin)


def _value_key(claim: Claim) -> bytes:
    return guarding.value_key(claim.agent_id, claim.subject, claim.predicate, claim.object, claim.content)


def _dropped(claim: Claim, found: Scan) -> dict[str, object]:
    """What is kept of a dropped memory: which rules, a digest, and a short piece; never all of it."""
    worst = next(finding for finding in found.findings if finding.severity == "block")
    text = "\n".join((claim.content, *claim.tags, claim.subject or "", claim.predicate or "", claim.object or ""))
    return {
        "rules": sorted({finding.rule for finding in found.findings}),
        "digest": hashlib.blake2b(text.encode(), digest_size=16).hexdigest(),
        "excerpt": excerpt(_where(claim, worst.where), worst),
        "where": worst.where,
    }


def _where(claim: Claim, where: str) -> str:
    """The text that a finding's span is about."""
    if where == "tag":
        return tags_text(claim.tags)
    return triple_text(claim.subject, claim.predicate, claim.object) if where == "triple" else claim.content
