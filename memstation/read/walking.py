"""Facts as they were laid out at any moment of belief: rows, marks, undos and rules, folded again. It never writes.

Nothing of the past is stored. What was told of some facts is read once; any decision's layout comes from that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from memstation.domain.names import is_blank, line_key
from memstation.domain.origins import raises_trust, trust_under
from memstation.domain.timeline import Element, Segment, lay_out
from memstation.read.predicates import rule_keys, trust_keys
from memstation.read.querying import IN_LIST, Values, ask, in_list, quick
from memstation.store.database import Snapshot
from memstation.store.folding import MARK_SQL, Fold, MarkRow, fold
from memstation.store.lines import batches, holes

_ROWS = """SELECT id, source_event, origin, ingested_at, asserted_from, n, seq, role = 'end' AS is_end, object_key,
    value_digest, asserted_until, asserted_trust, fact_key, agent_id, subject, predicate
    FROM memories INDEXED BY memories_fact WHERE fact_key IN ({}) AND seq <= ? AND role <> 'erased'"""
"""An erased row says nothing, of the past neither."""
_MARKS = f"SELECT {MARK_SQL} FROM marks WHERE n IN {IN_LIST} AND seq <= ?"
_RULES = """SELECT seq, key, verdict FROM orders WHERE key IN ({}) AND about = 'predicate' AND seq <= ?
    ORDER BY seq, k"""
_TRUSTS = """SELECT seq, key, verdict, number FROM orders WHERE key IN ({}) AND about = 'origin_trust' AND seq <= ?
    ORDER BY seq, k"""
_LIFTED = f"SELECT seq, from_seq, to_seq FROM lifted WHERE seq IN {IN_LIST}"
_UNDOERS = f"SELECT target, seq FROM undoes WHERE target IN {IN_LIST} AND seq <= ?"
_AT = f"SELECT seq, at FROM journal WHERE seq IN {IN_LIST}"


_KEPT = 8
"""Layouts that are kept, since a fact of very many changes is asked about several times."""


@dataclass(slots=True)
class Line:
    """A line as it was laid out: its segments, and the claims and ends on it by `n`."""

    segments: list[Segment]
    rows: dict[int, Values]
    folds: Mapping[int, Fold]
    counts: Mapping[int, float]
    """What each claim counts for by the trust of its origin, before the marks on it."""


@dataclass(frozen=True, slots=True)
class Held:
    """A segment of a line, as the fact that it showed."""

    line: Line
    place: int

    @property
    def segment(self) -> Segment:
        """Its window and its members."""
        return self.line.segments[self.place]

    @property
    def shown(self) -> Values:
        """The row that stood for the fact."""
        return self.line.rows[self.segment.shown]

    @property
    def trust(self) -> float:
        """That of the claim told first, raised by members whose class corroborates."""
        segment, rows = self.segment, self.line.rows
        raising = (self._own_trust(n) for n in segment.members if raises_trust(rows[n].origin))
        return max([self._own_trust(segment.shown), *raising])

    @property
    def is_tainted(self) -> bool:
        """Whether a cap lay on the row that stood for it."""
        return self.line.folds[self.segment.shown].cap is not None

    def covers(self, instant: str) -> bool:
        """Whether its window has this instant in it."""
        segment = self.segment
        return segment.start <= instant and (segment.until is None or instant < segment.until)

    def _own_trust(self, n: int) -> float:
        return self.line.folds[n].own_trust(self.line.counts[n])


@dataclass(slots=True)
class _Facts:
    """What was told of some facts, up to a decision."""

    rows: dict[bytes, list[Values]] = field(default_factory=lambda: defaultdict(list))
    marks: dict[int, list[MarkRow]] = field(default_factory=lambda: defaultdict(list))
    rules: dict[bytes, list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))
    trusts: dict[bytes, list[tuple[int, float | None]]] = field(default_factory=lambda: defaultdict(list))
    lifted: dict[int, list[tuple[int, int | None]]] = field(default_factory=lambda: defaultdict(list))


class Layouts:
    """Some facts at every moment of belief time up to a decision. What it read stays as it was."""

    def __init__(self, conn: Snapshot, facts: Iterable[bytes], seq: int) -> None:
        """Read all that was told of these facts (keys) up to decision `seq`."""
        self._conn = conn
        self.seq = seq
        self._told = _Facts()
        self._laid: dict[tuple[bytes, int], list[Line]] = {}
        told = self._told
        for batch in batches(facts):
            for row in ask(conn, _ROWS.format(holes(batch)), (*batch, seq)):
                told.rows[row.fact_key].append(row)
        every = [row for rows in told.rows.values() for row in rows]
        for mark in ask(conn, _MARKS, (in_list(row.n for row in every), seq)):
            told.marks[mark.n].append(
                MarkRow(mark.n, mark.seq, mark.k, mark.kind, mark.value, mark.reason, mark.at, True)
            )
        self._rule_keys = {fact: _rule_of(rows[0]) for fact, rows in told.rows.items()}
        keys = {key for names in self._rule_keys.values() for key in names}
        for batch in batches(sorted(keys)):
            for order_seq, key, verdict in quick(conn, _RULES.format(holes(batch)), (*batch, seq)):
                told.rules[key].append((order_seq, verdict))
        self._trust_keys = {source: trust_keys(*source) for source in {(row.agent_id, row.origin) for row in every}}
        keys = {key for names in self._trust_keys.values() for key in names}
        for batch in batches(sorted(keys)):
            for order_seq, key, verdict, number in quick(conn, _TRUSTS.format(holes(batch)), (*batch, seq)):
                told.trusts[key].append((order_seq, number if verdict == "set" else None))
        seqs = {row.seq for row in every}
        seqs |= {mark.seq for marks in told.marks.values() for mark in marks}
        seqs |= {order_seq for orders in told.rules.values() for order_seq, _ in orders}
        seqs |= {order_seq for orders in told.trusts.values() for order_seq, _ in orders}
        for lifted_seq, first, last in quick(conn, _LIFTED, (in_list(seqs),)):
            told.lifted[lifted_seq].append((first, last))

    def rows_of(self, fact: bytes) -> Sequence[Values]:
        """Every claim and end under a key, in no order."""
        return self._told.rows.get(fact, ())

    def stood(self, decision: int, seq: int) -> bool:
        """Whether a decision stood once `seq` was taken."""
        return self._lifted_by(decision, seq) is None

    def _lifted_by(self, decision: int, seq: int) -> int | None:
        """The decision from which on it did not stand at `seq`."""
        for first, last in self._told.lifted.get(decision, ()):
            if first <= seq and (last is None or seq < last):
                return first
        return None

    def fold_of(self, n: int, seq: int, lifted_at: str | None = None) -> Fold:
        """What the marks on a claim came to at a decision."""
        marks = self._told.marks.get(n)
        if not marks and lifted_at is None:
            return _PLAIN
        return fold((mark for mark in marks or () if mark.seq <= seq and self.stood(mark.seq, seq)), lifted_at)

    def is_many(self, fact: bytes, seq: int) -> bool:
        """Whether the predicate held many values: the latest order that stood, the agent's own before everybody's."""
        for key in self._rule_keys.get(fact, ()):
            verdict = None
            for order_seq, said in self._told.rules.get(key, ()):
                if order_seq <= seq and self.stood(order_seq, seq):
                    verdict = said
            if verdict is not None:
                return verdict == "many"
        return False

    def counts_for(self, row: Values, seq: int) -> float:
        """What a claim counted for by the trust of its origin: the latest order that stood, the agent's own first."""
        for key in self._trust_keys[row.agent_id, row.origin]:
            rule = None
            for order_seq, number in self._told.trusts.get(key, ()):
                if order_seq <= seq and self.stood(order_seq, seq):
                    rule = number
            if rule is not None:
                return trust_under(rule, row.origin, row.asserted_trust)
        return float(row.asserted_trust)

    def lines(self, fact: bytes, seq: int) -> list[Line]:
        """The lines of a fact as they were once decision `seq` was taken. The last few are kept."""
        if (fact, seq) not in self._laid:
            if len(self._laid) >= _KEPT:
                self._laid.pop(next(iter(self._laid)))
            self._laid[fact, seq] = self._lay(fact, seq)
        return self._laid[fact, seq]

    def _lay(self, fact: bytes, seq: int) -> list[Line]:
        many = self.is_many(fact, seq)
        folds: dict[int, Fold] = {}
        lines: dict[bytes, list[Values]] = defaultdict(list)
        for row in self.rows_of(fact):
            if row.seq > seq or not self.stood(row.seq, seq):
                continue
            folds[row.n] = self.fold_of(row.n, seq)
            if folds[row.n].part != "walks":
                continue
            lines[line_key(fact, row.object_key, many)].append(row)
        return [
            Line(
                lay_out(map(_element, told)), {row.n: row for row in told}, folds,
                {row.n: self.counts_for(row, seq) for row in told},
            )
            for told in lines.values()
        ]  # fmt: skip

    def segments(self, fact: bytes, seq: int) -> Iterator[Held]:
        """Every segment of a fact, those with an empty window too."""
        for line in self.lines(fact, seq):
            for place in range(len(line.segments)):
                yield Held(line, place)

    def holding(self, fact: bytes, seq: int, instant: str) -> list[Held]:
        """Who held at an instant, one at most for each line."""
        return [held for held in self.segments(fact, seq) if held.covers(instant)]

    def aside(self, fact: bytes, seq: int) -> list[tuple[Values, Fold]]:
        """The claims under a key that were held or withdrawn at a decision, with the judgement over each."""
        found = []
        for row in self.rows_of(fact):
            if row.is_end or row.seq > seq:
                continue
            lifted = self._lifted_by(row.seq, seq)
            judged = self.fold_of(row.n, seq, None if lifted is None else self._time_of(lifted))
            if judged.part != "walks":
                found.append((row, judged))
        return found

    def _time_of(self, seq: int) -> str:
        return str(quick(self._conn, _AT, (in_list([seq]),))[0][1])

    def touching(self, after: int) -> dict[bytes, list[int]]:
        """For each fact, the decisions after a number that spoke about it, or made such a one stand or not; ascending.

        A decision that told a row of it, marked one, set a rule for its predicate, or undid one of those.
        """
        about: dict[bytes, set[int]] = {}
        for fact, rows in self._told.rows.items():
            seqs = {row.seq for row in rows}
            seqs |= {mark.seq for row in rows for mark in self._told.marks.get(row.n, ())}
            seqs |= {seq for key in self._rule_keys[fact] for seq, _ in self._told.rules.get(key, ())}
            sources = {(row.agent_id, row.origin) for row in rows}
            seqs |= {s for source in sources for k in self._trust_keys[source] for s, _ in self._told.trusts.get(k, ())}
            about[fact] = seqs
        undoers = self._undoers(set().union(*about.values()) if about else set())
        found = {}
        for fact, seqs in about.items():
            reached, fresh = set(seqs), list(seqs)
            while fresh:
                fresh = [seq for target in fresh for seq in undoers.get(target, ()) if seq not in reached]
                reached.update(fresh)
            found[fact] = sorted(seq for seq in reached if seq > after)
        return found

    def _undoers(self, targets: set[int]) -> dict[int, list[int]]:
        """Who names these decisions, and who names those, and so on."""
        found: dict[int, list[int]] = defaultdict(list)
        seen, fresh = set(targets), targets
        while fresh:
            named = quick(self._conn, _UNDOERS, (in_list(fresh), self.seq))
            for target, seq in named:
                found[target].append(seq)
            fresh = {seq for _, seq in named} - seen
            seen |= fresh
        return found


_PLAIN = fold((), None)


def _rule_of(row: Values) -> tuple[bytes, ...]:
    """The keys of the rules that say whether a row's predicate holds many values, its own first; none for a note."""
    if row.predicate is None or is_blank(row.subject) or is_blank(row.predicate):
        return ()
    return rule_keys(row.agent_id, row.predicate)


def _element(row: Values) -> Element:
    return Element(row.n, row.asserted_from, row.value_digest, row.asserted_until, bool(row.is_end))
