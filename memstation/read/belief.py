"""What was believed once: the walk over the decisions that stood then. It never writes.

Belief time is the journal's number. Nothing of the past is stored: rows, marks and rules that stood are read, and laid
out again by the same function that lays out the present.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memstation.domain.errors import InvalidInput
from memstation.domain.instants import InstantLike, as_instant, from_text, to_text
from memstation.domain.memory import Confirmation, FactRecord
from memstation.domain.names import fact_key, is_blank, line_key, object_key
from memstation.domain.origins import raises_trust
from memstation.domain.timeline import Element, Segment, lay_out
from memstation.read.evidence import SHOWN_CONFIRMATIONS, confirmation_of
from memstation.read.predicates import rule_keys
from memstation.read.querying import IN_LIST, Values, agent_named, ask, ask_one, in_list, named
from memstation.read.records import RECORD_SQL, moment, record_of, state_at
from memstation.store.database import Snapshot
from memstation.store.folding import MARK_SQL, Fold, MarkRow, fold

_NO_MOMENT = "The time known at is not a moment of belief"
_HINT = "give a time, or a decision as in #408"
_HEAD = "SELECT max(seq) FROM journal"
_SEQ_AT = "SELECT seq FROM journal WHERE at <= ? ORDER BY at DESC, seq DESC LIMIT 1"
_AT = "SELECT at FROM journal WHERE seq = ?"
_ROWS = """SELECT id, source_event, origin, ingested_at, asserted_from, n, seq, role = 'end' AS is_end, object_key,
    value_digest, asserted_until, asserted_trust FROM memories WHERE fact_key = ? AND seq <= ?"""
_MARKS = f"SELECT {MARK_SQL} FROM marks WHERE n IN {IN_LIST} AND seq <= ?"
_RULES = "SELECT seq, key, verdict FROM orders WHERE key IN (?, ?) AND about = 'predicate' AND seq <= ? ORDER BY seq, k"
_LIFTED = f"""SELECT seq FROM lifted WHERE seq IN {IN_LIST}
    AND from_seq <= ? AND (to_seq IS NULL OR to_seq > ?)"""
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
    past = _Past(conn, fact_key(agent_id, subject, predicate), seq, found[0])
    holding = past.holding(rule_keys(agent_id, predicate), instant, wanted)
    return sorted(holding, key=lambda record: (record.valid_from, record.n), reverse=True)


@dataclass(slots=True)
class _Line:
    """A line as it was laid out, and the claims and ends on it by `n`."""

    segments: list[Segment]
    rows: dict[int, Values]


class _Past:
    """One fact at one moment of belief time."""

    def __init__(self, conn: Snapshot, fact: bytes, seq: int, at: str) -> None:
        self._conn = conn
        self._fact = fact
        self._seq = seq
        self._at = at

    def holding(self, rules: tuple[bytes, bytes], instant: str, wanted: bytes | None) -> list[FactRecord]:
        """Who held at an instant, one for each line."""
        rows = ask(self._conn, _ROWS, (self._fact, self._seq))
        lifted = self._lifted(row.seq for row in rows)
        standing = [row for row in rows if row.seq not in lifted]
        folds = self._folds([row.n for row in standing if not row.is_end])
        many = self._is_many(rules)
        lines: dict[bytes, list[Values]] = defaultdict(list)
        for row in standing:
            if row.is_end or folds[row.n].part == "walks":
                lines[line_key(self._fact, row.object_key, many)].append(row)
        records = []
        for members in lines.values():
            line = _Line(lay_out(map(_element, members)), {row.n: row for row in members})
            for place, segment in enumerate(line.segments):
                holds = segment.start <= instant and (segment.until is None or instant < segment.until)
                if holds and wanted in (None, line.rows[segment.shown].object_key):
                    records.append(self._record(line, place, folds))
        return records

    def _lifted(self, seqs: Iterable[int]) -> set[int]:
        """Those of the decisions that did not stand."""
        values = (in_list({*seqs}), self._seq, self._seq)
        return {row.seq for row in ask(self._conn, _LIFTED, values)}

    def _folds(self, ns: Sequence[int]) -> dict[int, Fold]:
        """What the marks on claims came to."""
        rows = ask(self._conn, _MARKS, (in_list(ns), self._seq))
        lifted = self._lifted(row.seq for row in rows)
        marks: dict[int, list[MarkRow]] = defaultdict(list)
        for row in rows:
            stood = row.seq not in lifted
            marks[row.n].append(MarkRow(row.n, row.seq, row.k, row.kind, row.value, row.reason, row.at, stood))
        return {n: fold(marks[n], None) for n in ns}

    def _is_many(self, rules: tuple[bytes, bytes]) -> bool:
        """Whether the predicate held many values: the latest order that stood, the agent's own before everybody's."""
        own, general = rules
        orders = ask(self._conn, _RULES, (own, general, self._seq))
        lifted = self._lifted(order.seq for order in orders)
        verdicts = {order.key: order.verdict for order in orders if order.seq not in lifted}
        return verdicts.get(own, verdicts.get(general)) == "many"

    def _record(self, line: _Line, place: int, folds: dict[int, Fold]) -> FactRecord:
        """The fact as a segment showed it."""
        segment = line.segments[place]
        row = ask_one(self._conn, _RECORD, (segment.shown,))
        assert row is not None
        before = line.segments[place - 1] if place else None
        after = line.segments[place + 1] if place + 1 < len(line.segments) else None
        follower = line.rows[after.shown] if after is not None and after.start == segment.until else None
        ended = follower if follower is not None else line.rows.get(segment.ended_by or 0)
        return replace(
            record_of(row, self._at),
            valid_from=from_text(segment.start),
            valid_until=moment(segment.until),
            supersedes=line.rows[before.shown].id if before and before.until == segment.start else None,
            superseded_by=None if follower is None else follower.id,
            invalidated_by_event=None if ended is None else ended.source_event,
            invalidated_at=None if ended is None else moment(ended.ingested_at),
            origin_trust=_trust(segment, line.rows, folds),
            quarantined=False,
            role="fact",
            state=state_at("fact", segment.start, segment.until, self._at),
            reaffirmed_by=_confirmations(segment, line.rows),
        )


def _element(row: Values) -> Element:
    return Element(row.n, row.asserted_from, row.value_digest, row.asserted_until, bool(row.is_end))


def _trust(segment: Segment, rows: dict[int, Values], folds: dict[int, Fold]) -> float:
    """That of the claim told first, raised by members whose class corroborates."""

    def own(n: int) -> float:
        return folds[n].own_trust(rows[n].asserted_trust)

    raising = (own(n) for n in segment.members if raises_trust(rows[n].origin))
    return max([own(segment.shown), *raising])


def _confirmations(segment: Segment, rows: dict[int, Values]) -> tuple[Confirmation, ...]:
    members = [rows[n] for n in reversed(segment.members) if n != segment.shown]
    return tuple(map(confirmation_of, members[:SHOWN_CONFIRMATIONS]))
