"""From a decision to everything that it changes, computed without writing: a preview and an act are the same plan."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from memstation.domain.decisions import EVERY_AGENT, MARK_KINDS, Claim, Decision, End, Erase, Event, Mark, Order, Undo
from memstation.domain.errors import InvalidInput, NotFound, Refused
from memstation.domain.names import fact_key, is_blank, line_key, note_key, object_key, value_digest
from memstation.store import stubs
from memstation.store.digests import row_digest
from memstation.store.folding import ERASED, MARK_SQL, PLAIN, Fold, MarkRow, fold, read_mark
from memstation.store.journal import Head
from memstation.store.lines import Lines, Member, batches, holes
from memstation.store.placing import Placing
from memstation.store.rows import ROW_SQL, Placed, Row, read_row
from memstation.store.rules import OrderRow, OriginTrusts, PredicateRules, key_of, orders_of, spellings
from memstation.store.schema import TOLD_COLUMNS
from memstation.store.standing import flips, lifted_now
from memstation.store.tails import find_emptied, find_tails, place_tail

_encode = json.JSONEncoder(ensure_ascii=False).encode
_CITED = TOLD_COLUMNS.index("derived_from")


@dataclass(slots=True)
class NewRow:
    """A row to be written: what was told (in the order of `schema.TOLD_COLUMNS`) and what else it is born with."""

    row: Row
    told: tuple[object, ...]
    salt: bytes
    digest: bytes
    access_count: int
    last_accessed: str | None
    embedding: bytes | None
    embedding_model: str | None


@dataclass(slots=True)
class Plan:
    """All that a decision writes and changes."""

    seq: int
    at: str
    head: Head
    """The newest entry before it."""
    decision: Decision
    lines: Lines
    new: list[NewRow] = field(default_factory=list)
    marks: list[MarkRow] = field(default_factory=list)
    orders: list[OrderRow] = field(default_factory=list)
    ruling: dict[tuple[int, int], bool] = field(default_factory=dict)
    """Orders, by (seq, k), whose `rules` changes or is first set."""
    events: list[tuple[int, str, str, str | None, int | None, str]] = field(default_factory=list)
    """In the columns of `carried.EVENT_SQL`."""
    undone: list[int] = field(default_factory=list)
    flips: dict[int, bool] = field(default_factory=dict)
    derived: list[tuple[int, int]] = field(default_factory=list)
    placed: dict[int, Placed] = field(default_factory=dict)
    shown_of: dict[int, int] = field(default_factory=dict)
    holds: dict[int, MarkRow | None] = field(default_factory=dict)
    """By `n`, of the rows whose marks were looked at: the latest standing mark about holding it."""

    erase: Erase | None = None
    renamed: dict[str, str] = field(default_factory=dict)
    """New ids of erased rows whose own could say something."""

    changed: list[tuple[Row, Placed]] = field(default_factory=list)
    """Rows whose place differs from the stored one, new rows among them, by `n`."""

    def settle(self) -> None:
        """Find what changed, once every row has its place."""
        rows = self.lines.load(sorted(self.placed))
        self.changed = [(row, self.placed[row.n]) for row in rows if row.before != self.placed[row.n]]


class Planner:
    """Makes one plan on one read snapshot. Use it once."""

    def __init__(
        self, cursor: sqlite3.Cursor, decision: Decision, head: Head, now: str, *, checks_ids: bool = True,
        known: Mapping[str, Row] | None = None,
    ) -> None:  # fmt: skip
        self._checks_ids = checks_ids
        self._known = known or {}
        self._cursor = cursor
        self._decision = decision
        self._last_n = head.last_n
        self._now = now
        self._lines = Lines(cursor, has_ends=head.has_ends)
        self._rules = PredicateRules(cursor, any_rule=head.has_rules)
        self._origins = OriginTrusts(cursor, any_rule=head.has_trusts)
        self._plan = Plan(head.seq + 1, now, head, decision, self._lines)
        self._ids: dict[str, Row] = {}
        self._touched: set[int] = set()
        self._folds: dict[int, Fold] = {}
        self._trusts: dict[int, float] = {}

    def make(self) -> Plan:
        """Compute the plan.

        Raises:
            InvalidInput: a statement is ill-formed.
            NotFound: a mark names no claim, or an undo no decision.
            Refused: an id is taken, or the decision cannot be taken back.
        """
        self._read_marked()
        for k, statement in enumerate(self._decision.statements):
            match statement:
                case Claim():
                    self._claim(statement)
                case End():
                    self._end(statement)
                case Mark():
                    self._mark(k, statement)
                case Order():
                    self._order(k, statement)
                case Undo():
                    self._undo(statement)
                case Erase():
                    self._erase(statement)
                case Event():
                    self._event(k, statement)
        if self._checks_ids:
            self._refuse_taken_ids()
        self._link_sources()
        self._take_back()
        self._rule()
        self._fold_touched()
        self._place_touched()
        self._plan.settle()
        return self._plan

    # -- statements ---------------------------------------------------------------------------------------------

    def _claim(self, claim: Claim) -> None:
        start = claim.asserted_from or self._now
        if claim.asserted_until is not None and claim.asserted_until <= start:
            raise InvalidInput(
                "The window is empty or reversed",
                "it would start at {start} and end at {asserted_until}",
                "the end is not included, so it must come after the start",
                start=start,
                asserted_until=claim.asserted_until,
            )
        if is_blank(claim.subject) or is_blank(claim.predicate):
            fact = note_key(claim.agent_id, claim.id)
        else:
            assert claim.subject is not None and claim.predicate is not None
            fact = fact_key(claim.agent_id, claim.subject, claim.predicate)
        self._append(
            claim, fact, start, claim.asserted_until, float(claim.asserted_trust), is_end=False,
            tags=_encode(claim.tags) if claim.tags else "[]", layer=claim.layer, importance=float(claim.importance),
            confidence=float(claim.confidence), metadata=claim.metadata,
            derived_from=_encode(claim.derived_from) if claim.derived_from else None,
        )  # fmt: skip

    def _end(self, end: End) -> None:
        if is_blank(end.subject) or is_blank(end.predicate):
            fact = note_key(end.agent_id, end.of)
        else:
            assert end.subject is not None and end.predicate is not None
            fact = fact_key(end.agent_id, end.subject, end.predicate)
        self._append(
            end, fact, end.at, None, 1.0, is_end=True,
            tags="[]", layer="episodic", importance=0.0, confidence=1.0,
            metadata=_encode({"of": end.of}), derived_from=None,
        )  # fmt: skip

    def _append(
        self, told: Claim | End, fact: bytes, start: str, until: str | None, trust: float, *, is_end: bool,
        tags: str, layer: str, importance: float, confidence: float, metadata: str, derived_from: str | None,
    ) -> None:  # fmt: skip
        n = self._last_n = self._last_n + 1
        learned = told.ingested_at or self._now
        row = Row(
            n, told.id, told.agent_id, told.content, tags, told.subject, told.predicate, told.object, told.origin,
            told.source_event, learned, self._plan.seq, fact, object_key(told.object, told.content),
            value_digest(told.object, told.content), start, until, trust, is_end, None,
        )  # fmt: skip
        stamp = (told.timestamp if isinstance(told, Claim) else None) or learned
        values = (
            n, told.id, told.agent_id, told.content, stamp,
            tags, (told.created_at if isinstance(told, Claim) else None) or stamp, layer, importance,
            told.source_event, told.subject, told.predicate, told.object, confidence, metadata, told.origin,
            derived_from, learned, self._plan.seq, start, until, trust,
        )  # fmt: skip
        if told.id in self._ids:
            raise Refused("The id is taken", "{id!r} is told twice in one decision", id=told.id)
        self._ids[told.id] = self._lines.keep(row)
        self._touched.add(n)
        salt = os.urandom(8)
        self._plan.new.append(
            NewRow(
                row, values, salt, row_digest(salt, values),
                told.access_count if isinstance(told, Claim) else 0,
                told.last_accessed if isinstance(told, Claim) else None,
                told.embedding if isinstance(told, Claim) else None,
                told.embedding_model if isinstance(told, Claim) else None,
            )
        )  # fmt: skip
        self._folds[n] = PLAIN

    def _mark(self, k: int, mark: Mark) -> None:
        row = self._named(mark.id)
        # An end can only be withdrawn: it is neither held nor trusted.
        if row is None or (row.is_end and mark.kind != "withdrawn") or _is_stub(row):
            raise NotFound("No such memory", "{id!r} is not in this store", id=mark.id)
        if mark.kind not in MARK_KINDS:
            raise InvalidInput("The mark is not known", "{kind!r} is none", kind=mark.kind)
        if mark.kind in ("trust", "cap") and (mark.value is None or not 0 <= mark.value <= 1):
            raise InvalidInput("The trust is out of range", "{value} is not from 0 to 1", value=mark.value)
        value = None if mark.value is None else float(mark.value)
        self._plan.marks.append(
            MarkRow(row.n, self._plan.seq, k, mark.kind, value, mark.reason, mark.at or self._now, True)
        )
        self._touched.add(row.n)
        self._folds.pop(row.n, None)

    def _order(self, k: int, order: Order) -> None:
        number = None if order.number is None else float(order.number)
        if (order.about, order.verdict) == ("origin_trust", "set") and (number is None or not 0 <= number <= 1):
            raise InvalidInput("The trust is out of range", "{value} is not from 0 to 1", value=order.number)
        self._plan.orders.append(
            OrderRow(
                self._plan.seq, k, order.about, order.verdict, order.agent_id, key_of(order), order.subject,
                order.predicate, order.value, number, order.at or self._now,
            )
        )  # fmt: skip

    def _undo(self, undo: Undo) -> None:
        if not 0 < undo.target < self._plan.seq:
            raise NotFound("No such decision", "#{seq} is not in the log", seq=undo.target)
        self._plan.undone.append(undo.target)

    def _erase(self, erase: Erase) -> None:
        for memory_id in erase.ids:
            row = self._named(memory_id)
            if row is None or _is_stub(row):
                raise NotFound("No such memory", "{id!r} is not in this store", id=memory_id)
            if not stubs.says_nothing(memory_id):
                self._plan.renamed[memory_id] = stubs.fresh_id()
            self._touched.add(row.n)
            self._folds[row.n] = ERASED
        # A reason is also the stamp of a withdrawal: without it the row is placed anew.
        self._touched.update(n for n, _, _ in erase.marks)
        self._plan.erase = erase

    def _event(self, k: int, event: Event) -> None:
        row = None if event.id is None else self._named(event.id)
        if event.id is not None and row is None:
            raise NotFound("No such memory", "{id!r} is not in this store", id=event.id)
        n = None if row is None else row.n
        self._plan.events.append((k, event.kind, event.agent_id, event.origin, n, event.detail))

    def _read_marked(self) -> None:
        """Read what the decision marks all at once: a verdict may be about thousands."""
        statements = self._decision.statements
        marked = {statement.id for statement in statements if isinstance(statement, Mark)}
        if len(marked) < 2:
            return
        marked -= {statement.id for statement in statements if isinstance(statement, Claim | End)}
        for memory_id in marked & self._known.keys():
            self._ids[memory_id] = self._lines.keep(self._known[memory_id])
        for batch in batches(sorted(marked - self._known.keys())):
            sql = f"SELECT {ROW_SQL} FROM memories WHERE id IN ({holes(batch)})"
            for values in self._cursor.execute(sql, batch).fetchall():
                row = self._lines.keep(read_row(values))
                self._ids[row.id] = row

    def _named(self, memory_id: str) -> Row | None:
        if memory_id not in self._ids:
            sql = f"SELECT {ROW_SQL} FROM memories WHERE id = ?"
            found = self._cursor.execute(sql, (memory_id,)).fetchone()
            if found is None:
                return None
            self._ids[memory_id] = self._lines.keep(read_row(found))
        return self._ids[memory_id]

    def _refuse_taken_ids(self) -> None:
        for batch in batches([new.row.id for new in self._plan.new]):
            sql = f"SELECT id FROM memories WHERE id IN ({holes(batch)}) LIMIT 1"
            taken = self._cursor.execute(sql, batch).fetchone()
            if taken is not None:
                raise Refused("The id is taken", "{taken!r} is in this store already", taken=taken[0])

    def _link_sources(self) -> None:
        for new in self._plan.new:
            cited = new.told[_CITED]
            if not cited:
                continue
            for source in dict.fromkeys(json.loads(str(cited))):
                parent = self._named(source)
                # Of whichever agent: what is poisoned is so for all. Nothing that agents are told is read from here.
                if parent is not None and not _is_stub(parent) and parent.n != new.row.n:
                    self._plan.derived.append((parent.n, new.row.n))

    # -- what stands --------------------------------------------------------------------------------------------

    def _take_back(self) -> None:
        if not self._plan.undone:
            return
        self._plan.flips = flips(self._cursor, self._plan.undone)
        for batch in batches(self._plan.flips):
            spans = self._cursor.execute(
                f"SELECT first_n, last_n FROM journal WHERE first_n IS NOT NULL AND seq IN ({holes(batch)})",
                batch,
            ).fetchall()
            for first, last in spans:
                self._touched.update(range(first, last + 1))
            marked = self._cursor.execute(f"SELECT n FROM marks WHERE seq IN ({holes(batch)})", batch)
            self._touched.update(row[0] for row in marked.fetchall())

    def _rule(self) -> None:
        """Settle which orders rule, and find the rows of which a rule changes the line or the trust."""
        keys = {order.key: order for order in self._plan.orders}
        for batch in batches(self._plan.flips):
            sql = f"SELECT DISTINCT key FROM orders WHERE seq IN ({holes(batch)})"
            for (key,) in self._cursor.execute(sql, batch).fetchall():
                keys.setdefault(key, orders_of(self._cursor, key)[0])
        relined: set[tuple[str, str]] = set()
        retrusted: set[tuple[str, str]] = set()
        made: dict[bytes, list[OrderRow]] = defaultdict(list)
        for order in self._plan.orders:
            made[order.key].append(order)
        for key, example in keys.items():
            stored, told = orders_of(self._cursor, key), made[key]
            standing = [order for order in stored if self._plan.flips.get(order.seq, order.stands)] + told
            ruler = standing[-1] if standing else None
            for order in (*stored, *told):
                rules = order is ruler
                if order in told or rules != order.rules:
                    self._plan.ruling[(order.seq, order.k)] = rules
            if example.about == "predicate":
                self._rules.set(key, None if ruler is None else ruler.verdict)
                relined.add((example.agent_id, example.predicate or ""))
            elif example.about == "origin_trust":
                self._origins.set(key, None if ruler is None or ruler.verdict != "set" else ruler.number)
                retrusted.add((example.agent_id, example.value or ""))
        self._touch_relined(relined)
        self._touch_told_by(retrusted)

    def _touch_relined(self, relined: set[tuple[str, str]]) -> None:
        if not relined:
            return
        for batch in batches(spellings(self._cursor, (predicate for _, predicate in relined))):
            sql = f"SELECT {ROW_SQL} FROM memories WHERE predicate IN ({holes(batch)})"
            for values in self._cursor.execute(sql, batch).fetchall():
                row = self._lines.keep(read_row(values))
                if row.before is not None and self._line_of(row) != row.before.line_key:
                    self._touched.add(row.n)

    def _touch_told_by(self, sources: set[tuple[str, str]]) -> None:
        for agent, origin in sources:
            whose, values = ("", (origin,)) if agent == EVERY_AGENT else ("AND agent_id = ?", (origin, agent))
            sql = f"SELECT {ROW_SQL} FROM memories WHERE origin = ? {whose} AND role NOT IN ('end', 'erased')"
            for found in self._cursor.execute(sql, values).fetchall():
                self._touched.add(self._lines.keep(read_row(found)).n)

    def _line_of(self, row: Row) -> bytes:
        if not self._rules:
            return row.fact_key
        if is_blank(row.subject) or is_blank(row.predicate):
            return row.fact_key
        return line_key(row.fact_key, row.object_key, self._rules.is_many(row.agent_id, row.predicate))

    # -- folding ------------------------------------------------------------------------------------------------

    def _fold_touched(self) -> None:
        rows = self._lines.load(sorted(self._touched))
        self._fold([row for row in rows if row.n not in self._folds])

    def _fold(self, rows: list[Row]) -> None:
        """Fold the marks on rows, as they stand once the decision is taken."""
        blanked = set(self._plan.erase.marks) if self._plan.erase else set()
        marks: dict[int, list[MarkRow]] = defaultdict(list)
        # What was purged and given back many times has many marks that do not stand.
        back = ", ".join(str(seq) for seq, stands in self._plan.flips.items() if stands)
        for batch in batches([row.n for row in rows if row.before is not None]):
            sql = f"SELECT {MARK_SQL} FROM marks WHERE n IN ({holes(batch)}) AND (stands = 1 OR seq IN ({back}))"
            for values in self._cursor.execute(sql, batch).fetchall():
                mark = read_mark(values)
                if not self._plan.flips.get(mark.seq, True):
                    continue
                if blanked and (mark.n, mark.seq, mark.k) in blanked:
                    mark = mark._replace(reason="")
                marks[mark.n].append(mark if mark.stands else mark._replace(stands=True))
        for mark in self._plan.marks:
            marks[mark.n].append(mark)
        lifted = lifted_now(self._cursor, (row.seq for row in rows if row.before is not None))
        for seq, stands in self._plan.flips.items():
            if stands:
                lifted.pop(seq, None)
            else:
                lifted.setdefault(seq, self._now)
        for row in rows:
            state = ERASED if _is_stub(row) else fold(marks[row.n], lifted.get(row.seq))
            self._folds[row.n], self._plan.holds[row.n] = state, state.hold

    def _trust_of(self, row: Row) -> float:
        """The own trust of a row whose marks are folded."""
        told = self._origins.told(row.agent_id, row.origin, row.asserted_trust)
        return self._folds[row.n].own_trust(told)

    def _own_trust(self, agent_id: str, members: Iterable[Member | Row]) -> dict[int, float]:
        """Each claim's own trust once the decision is taken. A line is one agent's."""
        wanted = list(members)
        if all(member.n in self._trusts for member in wanted):
            return {member.n: self._trusts[member.n] for member in wanted}
        unknown = [member for member in wanted if member.n not in self._trusts]
        folded = [member for member in unknown if member.n in self._folds]
        for member in folded:
            told = self._origins.told(agent_id, member.origin, member.asserted_trust)
            self._trusts[member.n] = self._folds[member.n].own_trust(told)
        marked: dict[int, list[MarkRow]] = defaultdict(list)
        rest = {member.n: member for member in unknown if member.n not in self._folds}
        for batch in batches(rest):
            sql = f"SELECT {MARK_SQL} FROM marks WHERE n IN ({holes(batch)})"
            for values in self._cursor.execute(sql, batch).fetchall():
                marked[values[0]].append(read_mark(values))
        for n, member in rest.items():
            told = self._origins.told(agent_id, member.origin, member.asserted_trust)
            self._trusts[n] = fold(marked[n], None).own_trust(told)
        return {member.n: self._trusts[member.n] for member in wanted}

    # -- placing ------------------------------------------------------------------------------------------------

    def _place_touched(self) -> None:
        added: dict[bytes, list[Row]] = defaultdict(list)
        removed: dict[bytes, list[Row]] = defaultdict(list)
        retrusted: dict[bytes, list[Row]] = defaultdict(list)
        for row in self._lines.load(sorted(self._touched)):
            state = self._folds[row.n]
            line, before = self._line_of(row), row.before
            walked = before is not None and before.stands == 1
            walks = state.part == "walks"
            if before is not None and walked and (not walks or line != before.line_key):
                removed[before.line_key].append(row)
            if walks and (not walked or before is None or line != before.line_key):
                added[line].append(row)
            elif walks and not row.is_end:
                retrusted[line].append(row)
            if not walks:
                self._plan.placed[row.n] = self._apart(row, line, state)
        only_added = ((line, rows) for line, rows in added.items() if line not in removed and line not in retrusted)
        tails = find_tails(self._lines, only_added)
        only_removed = {line: rows for line, rows in removed.items() if line not in added and line not in retrusted}
        emptied = find_emptied(self._lines, only_removed)
        for line in {**added, **removed, **retrusted}:
            if line in emptied:
                continue
            if line in tails:
                placed, shown = place_tail(self._lines, added[line], line, tails[line], self._trust_of)
            else:
                agent = (added[line] or removed[line] or retrusted[line])[0].agent_id
                placing = Placing(self._lines, line, partial(self._own_trust, agent))
                placed, shown = placing.place(added[line], removed[line], retrusted[line])
            self._plan.placed.update(placed)
            self._plan.shown_of.update(shown)

    def _apart(self, row: Row, line: bytes, state: Fold) -> Placed:
        """The place of a row that takes no part in the walk."""
        if state.part == "erased":
            return stubs.place(row.agent_id, self._plan.renamed.get(row.id, row.id))
        trust, start = row.asserted_trust, row.asserted_from
        if not row.is_end:
            trust = state.own_trust(self._origins.told(row.agent_id, row.origin, trust))
        if row.is_end:
            return Placed("end", 0, None, line, start, start, None, None, trust, state.event, state.at, 0)
        if state.part == "held":
            until = row.asserted_until
            return Placed("held", 0, None, line, start, until, None, None, trust, None, None, 1)
        return Placed("withdrawn", 0, None, line, start, start, None, None, trust, state.event, state.at, 0)


def _is_stub(row: Row) -> bool:
    return row.before is not None and row.before.role == stubs.ROLE
