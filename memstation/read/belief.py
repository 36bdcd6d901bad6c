"""What was believed once: the walk over the decisions that stood then. It never writes.

Belief time is the journal's number. Nothing of the past is stored: `walking` lays it out again by the same function
that lays out the present.
"""

from __future__ import annotations

from dataclasses import replace

from memstation.domain.errors import InvalidInput
from memstation.domain.holding import NEVER_LET_IN
from memstation.domain.instants import InstantLike, as_instant, from_text, to_text
from memstation.domain.memory import Confirmation, FactRecord
from memstation.domain.names import fact_key, is_blank, object_key
from memstation.domain.timeline import Segment
from memstation.read.evidence import SHOWN_CONFIRMATIONS, confirmation_of
from memstation.read.querying import Values, agent_named, ask_one, named
from memstation.read.records import RECORD_SQL, moment, record_of, state_at
from memstation.read.walking import Held, Layouts
from memstation.store.database import Snapshot
from memstation.store.folding import Fold

_NO_MOMENT = "The time known at is not a moment of belief"
_HINT = "give a time, or a decision as in #408"
_HEAD = "SELECT max(seq) FROM journal"
_SEQ_AT = "SELECT seq FROM journal WHERE at <= ? ORDER BY at DESC, seq DESC LIMIT 1"
_AT = "SELECT at FROM journal WHERE seq = ?"
_RECORD = f"SELECT {RECORD_SQL} FROM memories WHERE n = ?"


def resolve_known_at(conn: Snapshot, known_at: InstantLike | int) -> int:
    """The decision that a moment of belief time means: its own number, or the newest one taken at an instant.

    Takes a number, ``#408``, or a time; 0 is before the first decision.

    Raises:
        InvalidInput: neither a time nor a number, or a number that the journal does not reach.
    """
    if isinstance(known_at, str) and known_at.strip().startswith("#"):
        digits = known_at.strip()[1:]
        if not (digits.isascii() and digits.isdecimal()):
            raise InvalidInput(_NO_MOMENT, "{text!r} names no decision", _HINT, text=known_at[:40])
        known_at = int(digits)
    if isinstance(known_at, bool):
        raise InvalidInput(_NO_MOMENT, "{value} was given", _HINT, value=known_at)
    if not isinstance(known_at, int):
        found = ask_one(conn, _SEQ_AT, (to_text(as_instant(known_at, "time known at")),))
        return 0 if found is None else int(found[0])
    newest = ask_one(conn, _HEAD)
    head = 0 if newest is None else newest[0] or 0
    if not 0 <= known_at <= head:
        raise InvalidInput("There is no such decision", "#{seq}; the newest is #{head}", seq=known_at, head=head)
    return known_at


def get_known(
    conn: Snapshot,
    agent_id: str,
    subject: str,
    predicate: str,
    at: InstantLike,
    seq: int,
    object: str | None = None,
) -> FactRecord | None:
    """The fact that `facts.get_at` answered once decision `seq` was taken; see there."""
    found = known_at(conn, agent_id, subject, predicate, at, seq, object)
    return found[0] if found else None


def known_at(
    conn: Snapshot,
    agent_id: str,
    subject: str,
    predicate: str,
    at: InstantLike,
    seq: int,
    object: str | None = None,
) -> list[FactRecord]:
    """The facts that `facts.holding_at` answered once decision `seq` was taken, latest start first.

    Windows, links, trust, stamps and confirmations are those of then, `state` that of the decision's time; use counts
    are today's.

    Raises:
        InvalidInput: not a time, or not names.
    """
    agent_id, subject, predicate = agent_named(agent_id), named(subject, "subject"), named(predicate, "predicate")
    instant = to_text(as_instant(at, "time asked for"))
    wanted = None if object is None or is_blank(named(object, "object")) else object_key(object, "")
    found = ask_one(conn, _AT, (seq,))
    if found is None:
        return []
    fact = fact_key(agent_id, subject, predicate)
    layouts = Layouts(conn, [fact], seq)
    holding = [held for held in layouts.holding(fact, seq, instant) if wanted in (None, held.shown.object_key)]
    records = [record_then(conn, held, found[0]) for held in holding]
    return sorted(records, key=lambda record: (record.valid_from, record.n), reverse=True)


def history_known(
    conn: Snapshot, agent_id: str, subject: str, predicate: str, seq: int, include_held: bool = False
) -> list[FactRecord]:
    """The chain of a fact as `facts.get_history` gave it once decision `seq` was taken; see there.

    Raises:
        InvalidInput: not names.
    """
    agent_id, subject, predicate = agent_named(agent_id), named(subject, "subject"), named(predicate, "predicate")
    found = ask_one(conn, _AT, (seq,))
    if found is None:
        return []
    fact = fact_key(agent_id, subject, predicate)
    layouts = Layouts(conn, [fact], seq)
    records = [record_then(conn, held, found[0]) for held in layouts.segments(fact, seq)]
    for row, judged in layouts.aside(fact, seq):
        if include_held or (judged.part == "withdrawn" and judged.event not in NEVER_LET_IN):
            records.append(record_aside(conn, row, judged, layouts.counts_for(row, seq), found[0]))
    return sorted(records, key=lambda record: (record.valid_from, record.n))


def record_then(conn: Snapshot, held: Held, at: str) -> FactRecord:
    """The fact as a segment showed it; `at` (stored text) is the moment of its `state`. Use counts are today's."""
    segment, rows = held.segment, held.line.rows
    row = ask_one(conn, _RECORD, (segment.shown,))
    assert row is not None
    segments = held.line.segments
    before = segments[held.place - 1] if held.place else None
    after = segments[held.place + 1] if held.place + 1 < len(segments) else None
    follower = rows[after.shown] if after is not None and after.start == segment.until else None
    ended = follower if follower is not None else rows.get(segment.ended_by or 0)
    return replace(
        record_of(row, at),
        valid_from=from_text(segment.start),
        valid_until=moment(segment.until),
        supersedes=rows[before.shown].id if before and before.until == segment.start else None,
        superseded_by=None if follower is None else follower.id,
        invalidated_by_event=None if ended is None else ended.source_event,
        invalidated_at=None if ended is None else moment(ended.ingested_at),
        origin_trust=held.trust,
        quarantined=False,
        role="fact",
        state=state_at("fact", segment.start, segment.until, at),
        reaffirmed_by=_confirmations(segment, rows),
    )


def record_aside(conn: Snapshot, claim: Values, judged: Fold, counts: float, at: str) -> FactRecord:
    """A claim that was held or withdrawn, with the stamps of then; `counts`: see `Layouts.counts_for`."""
    row = ask_one(conn, _RECORD, (claim.n,))
    assert row is not None
    is_held = judged.part == "held"
    start = from_text(claim.asserted_from)
    return replace(
        record_of(row, at),
        valid_from=start,
        valid_until=moment(claim.asserted_until) if is_held else start,
        supersedes=None,
        superseded_by=None,
        invalidated_by_event=judged.event,
        invalidated_at=moment(judged.at),
        origin_trust=judged.own_trust(counts),
        quarantined=is_held,
        role="held" if is_held else "withdrawn",
        state="held" if is_held else "withdrawn",
        reaffirmed_by=(),
    )


def _confirmations(segment: Segment, rows: dict[int, Values]) -> tuple[Confirmation, ...]:
    members = [rows[n] for n in reversed(segment.members) if n != segment.shown]
    return tuple(map(confirmation_of, members[:SHOWN_CONFIRMATIONS]))
