"""Checks the whole store against itself: digests, chain, what stands, and the layout by the walk. It never writes."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from memstation.domain.decisions import DECISION_KINDS
from memstation.domain.names import fact_key, is_blank, line_key, note_key, object_key, value_digest
from memstation.domain.origins import raises_trust
from memstation.domain.timeline import Segment, lay_out
from memstation.store import carried, journal, stubs, text_index
from memstation.store.digests import FIRST, entry_hash, remains_digest, row_digest
from memstation.store.folding import ERASED, MARK_SQL, MarkRow, fold, read_mark
from memstation.store.rows import ROW_SQL, Placed, Row, read_row
from memstation.store.rules import PredicateRules
from memstation.store.schema import TOLD_COLUMNS
from memstation.words import told

Progress = Callable[[int, int], bool]
"""Told (entries done, entries in all); answers False to stop."""

_MOST_PROBLEMS = 100


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """What a check of the whole store found."""

    ok: bool
    entries: int
    memories: int
    problems: tuple[str, ...]
    """At most 100, each with the number that it is about."""
    head: str
    """The newest entry's hash, in hex; keep it elsewhere to see a tail that was cut off."""
    stopped: bool = False


class Stopped(Exception):
    """The caller asked to stop."""


def verify(cursor: sqlite3.Cursor, expect_head: str | None = None, progress: Progress | None = None) -> VerifyReport:
    """Check the store on the cursor's snapshot.

    Args:
        cursor: a cursor in a read transaction.
        expect_head: a head kept outside the file; it must be the hash of an entry in the chain.
        progress: called now and then; see `Progress`.
    """
    check = _Check(cursor, progress)
    stopped = False
    try:
        check.chain(expect_head)
        check.standing()
        check.rulings()
        check.layout()
        check.index()
    except Stopped:
        stopped = True
    problems = tuple(check.problems[:_MOST_PROBLEMS])
    return VerifyReport(
        not problems and not stopped, check.entries, check.memories, problems, check.head.hex(), stopped
    )


class _Check:
    """One run over the store, collecting problems."""

    def __init__(self, cursor: sqlite3.Cursor, progress: Progress | None) -> None:
        self._cursor = cursor
        self._progress = progress
        self.problems: list[str] = []
        self.head = FIRST
        self.entries = 0
        self.memories = cursor.execute("SELECT count(*) FROM memories").fetchone()[0]

    def _rows(self, sql: str, *values: object) -> Iterator[tuple[Any, ...]]:
        cursor = self._cursor.connection.cursor()
        yield from cursor.execute(sql, values)

    def _say(self, problem: str, **values: object) -> None:
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(told(problem, **values))

    def chain(self, expect_head: str | None) -> None:
        """Recompute every digest and walk the chain."""
        total = self._cursor.execute("SELECT count(*) FROM journal").fetchone()[0]
        seen_head = expect_head is None or expect_head == FIRST.hex()
        rows_told = self._told()
        expected_seq = 1
        left: dict[int, bytes] = dict(self._rows("SELECT target, digest FROM erased ORDER BY target, seq"))
        sql = f"SELECT {journal.ENTRY_SQL}, salt, digest, previous, hash FROM journal ORDER BY seq"
        for *entry, salt, digest, previous, hash_ in self._rows(sql):
            seq, first_n, last_n = entry[0], entry[7], entry[8]
            if seq != expected_seq:
                self._say("#{expected_seq} is missing from the journal", expected_seq=expected_seq)
            rows = []
            for n in range(first_n, last_n + 1) if first_n is not None else ():
                if n in rows_told:
                    rows.append(rows_told.pop(n))
                else:
                    self._say("memory {n} of #{seq} is missing", n=n, seq=seq)
            told_digest = carried.digest_of(self._cursor, seq, salt, rows)
            if seq in left:
                chain = (digest, previous, hash_)
                if remains_digest(salt, entry, chain, told_digest) != left[seq]:
                    self._say("#{seq}: what an erasure left of it was changed", seq=seq)
            else:
                if told_digest != digest:
                    self._say("#{seq}: what it told is not what was written", seq=seq)
                if entry_hash(previous, entry, digest) != hash_:
                    self._say("#{seq}: the entry was changed", seq=seq)
            if previous != self.head:
                self._say("#{seq}: the chain is broken before it", seq=seq)
            if entry[4] not in DECISION_KINDS:
                self._say("#{seq}: a kind of decision that is not known", seq=seq)
            self.head = hash_
            seen_head = seen_head or hash_.hex() == expect_head
            self.entries += 1
            expected_seq = int(seq) + 1
            if self._progress and self.entries % 500 == 0 and not self._progress(self.entries, total):
                raise Stopped
        for n in list(rows_told)[:5]:
            self._say("memory {n} is in no entry of the journal", n=n)
        for table in ("marks", "orders", "undoes", "erased"):
            sql = f"SELECT DISTINCT seq FROM {table} WHERE seq NOT IN (SELECT seq FROM journal) LIMIT 5"
            for (seq,) in self._rows(sql):
                self._say("{table} carry #{seq}, which is not in the journal", table=table, seq=seq)
        if not seen_head:
            self._say("the head that was kept outside the file is not in its chain")

    def _told(self) -> dict[int, bytes]:
        """Row digests by `n`, each recomputed from its columns and compared."""
        found: dict[int, bytes] = {}
        columns = ", ".join(TOLD_COLUMNS)
        sql = f"SELECT salt, row_digest, fact_key, object_key, value_digest, role, {columns} FROM memories"
        for salt, digest, fact, object_, value, role, *values in self._rows(sql):
            n = int(values[0])
            if row_digest(salt, values) != digest:
                self._say("memory {n} was changed", n=n)
            is_stub = tuple(values) == stubs.told(n, values[1], values[2], values[18])
            if is_stub != (role == stubs.ROLE):
                self._say("memory {n}: whether it was erased is not what it tells", n=n)
            named = dict(zip(TOLD_COLUMNS, values, strict=True))
            if self._keys(named, role == "end") != (fact, object_, value):
                self._say("memory {n}: its keys are not those of its text", n=n)
            found[n] = digest
        return found

    @staticmethod
    def _keys(told: dict[str, Any], is_end: bool) -> tuple[bytes, bytes, bytes]:
        agent, content = str(told["agent_id"]), str(told["content"])
        subject, predicate, object_ = told["subject"], told["predicate"], told["object"]
        if is_blank(subject) or is_blank(predicate):
            about = json.loads(str(told["metadata"])).get("of", "") if is_end else told["id"]
            fact = note_key(agent, str(about))
        else:
            fact = fact_key(agent, str(subject), str(predicate))
        return fact, object_key(object_, content), value_digest(object_, content)

    def standing(self) -> None:
        """Recompute which decisions stand from the undos alone."""
        named: dict[int, list[int]] = defaultdict(list)
        for seq, target in self._rows("SELECT seq, target FROM undoes"):
            named[int(target)].append(int(seq))
        self.lifted: set[int] = set()
        for seq in sorted(named, reverse=True):
            if any(undoer not in self.lifted for undoer in named[seq]):
                self.lifted.add(seq)
        stored = {row[0] for row in self._rows("SELECT seq FROM lifted WHERE to_seq IS NULL")}
        for seq in sorted(self.lifted ^ stored)[:5]:
            self._say("#{seq}: whether it stands is not what the undos say", seq=seq)
        for table in ("marks", "orders"):
            for seq, stands in self._rows(f"SELECT DISTINCT seq, stands FROM {table}"):
                if bool(stands) == (seq in self.lifted):
                    self._say("{table} of #{seq} do not follow their decision", table=table, seq=seq)

    def rulings(self) -> None:
        """Of the orders under one key, the latest that stands must rule."""
        latest: dict[bytes, tuple[int, int]] = {}
        ruling: dict[bytes, list[tuple[int, int]]] = defaultdict(list)
        for seq, k, key, stands, rules in self._rows("SELECT seq, k, key, stands, rules FROM orders ORDER BY seq, k"):
            if stands:
                latest[key] = (seq, k)
            if rules:
                ruling[key].append((seq, k))
        for key in set(latest) | set(ruling):
            if ruling.get(key, []) != ([latest[key]] if key in latest else []):
                self._say("orders: not the latest that stands rules ({key})", key=latest.get(key))

    def layout(self) -> None:
        """Lay every line out by the walk, and compare with what is stored."""
        rules = PredicateRules(self._cursor)
        marks: dict[int, list[MarkRow]] = defaultdict(list)
        for values in self._rows(f"SELECT {MARK_SQL} FROM marks"):
            mark = read_mark(values)
            marks[mark.n].append(mark)
        lifted_at: dict[int, str] = dict(
            self._cursor.execute(
                "SELECT l.seq, j.at FROM lifted AS l JOIN journal AS j ON j.seq = l.from_seq WHERE l.to_seq IS NULL"
            ).fetchall()
        )
        line: list[Row] = []
        for done, values in enumerate(self._rows(f"SELECT {ROW_SQL} FROM memories ORDER BY line_key"), 1):
            row = read_row(values)
            if line and line[0].before and row.before and row.before.line_key != line[0].before.line_key:
                self._compare(line, rules, marks, lifted_at)
                line = []
            line.append(row)
            if self._progress and done % 5000 == 0 and not self._progress(self.entries, self.entries):
                raise Stopped
        if line:
            self._compare(line, rules, marks, lifted_at)

    def _compare(
        self,
        line: list[Row],
        rules: PredicateRules,
        marks: dict[int, list[MarkRow]],
        lifted_at: dict[int, str],
    ) -> None:
        expected = expected_places(line, rules, marks, lifted_at)
        for row in line:
            if row.before != expected[row.n]:
                self._say("memory {n}: its place is not what the walk gives", n=row.n)

    def index(self) -> None:
        """The text index must hold just the rows that belong in it."""
        roles = ", ".join(f"'{role}'" for role in sorted(text_index.INDEXED_ROLES))
        wanted = {row[0] for row in self._rows(f"SELECT n FROM memories WHERE role IN ({roles})")}
        there = {row[0] for row in self._rows("SELECT rowid FROM memory_text")}
        if wanted != there:
            few = len(wanted - there)
            self._say(
                "the text index is out of step ({few} missing, {value} too many): reindex",
                few=few,
                value=len(there - wanted),
            )


def expected_places(
    line: list[Row],
    rules: PredicateRules,
    marks: dict[int, list[MarkRow]],
    lifted_at: dict[int, str],
) -> dict[int, Placed]:
    """The places of all rows of one stored line, by the walk over the whole of it."""
    folds = {
        row.n: ERASED if row.before and row.before.role == stubs.ROLE else fold(marks[row.n], lifted_at.get(row.seq))
        for row in line
    }
    trusts = {row.n: folds[row.n].own_trust(row.asserted_trust) for row in line}
    by_n = {row.n: row for row in line}
    walking = [row for row in line if folds[row.n].part == "walks"]
    segments = lay_out(row.element() for row in walking)
    places: dict[int, Placed] = {}
    for row in line:
        state, start = folds[row.n], row.asserted_from
        if state.part == "erased":
            places[row.n] = stubs.place(row.agent_id, row.id)
            continue
        key = row.fact_key
        if not (is_blank(row.subject) or is_blank(row.predicate)):
            key = line_key(row.fact_key, row.object_key, rules.is_many(row.agent_id, row.predicate))
        role: str = "end" if row.is_end else "silent"
        until: str | None = start
        stands, event, at = 1, None, None
        if state.part != "walks":
            role, stands, event, at = ("end" if row.is_end else state.part), 0, state.event, state.at
            until = row.asserted_until if role == "held" else start
        held = int(role == "held")
        places[row.n] = Placed(role, stands, None, key, start, until, None, None, trusts[row.n], event, at, held)
    for index, segment in enumerate(segments):
        before = segments[index - 1] if index else None
        after = segments[index + 1] if index + 1 < len(segments) else None
        _place_segment(places, by_n, trusts, segment, before, after)
    return places


def _place_segment(
    places: dict[int, Placed],
    rows: dict[int, Row],
    trusts: dict[int, float],
    segment: Segment,
    before: Segment | None,
    after: Segment | None,
) -> None:
    shown = segment.shown
    for n in segment.members:
        founds = shown if n == segment.founder else None
        places[n] = replace(places[n], role="confirms", founds=founds)
    trust = max([trusts[shown], *(trusts[n] for n in segment.members if raises_trust(rows[n].origin))])
    next_row = rows[after.shown] if after is not None and after.start == segment.until else None
    closing = next_row or (None if segment.ended_by is None else rows[segment.ended_by])
    back = rows[before.shown].id if before is not None and before.until == segment.start else None
    places[shown] = replace(
        places[shown],
        role="fact",
        valid_from=segment.start,
        valid_until=segment.until,
        superseded_by=None if next_row is None else next_row.id,
        supersedes=back,
        origin_trust=trust,
        invalidated_by_event=None if closing is None else closing.source_event,
        invalidated_at=None if closing is None else closing.ingested_at,
    )
