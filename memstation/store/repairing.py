"""Computes anew what is derived, in one transaction. It must not touch what was told: rows, marks, orders, journal."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from memstation.domain.errors import Refused
from memstation.domain.instants import Clock
from memstation.domain.names import is_blank, line_key
from memstation.store import embeddings, guarding, holding, journal, reads, triggers
from memstation.store.checks.findings import Findings
from memstation.store.checks.layout import expected_places
from memstation.store.checks.sides import CITED, index_gaps
from memstation.store.checks.standing import spans_of
from memstation.store.digests import decision_digest, entry_hash
from memstation.store.folding import MARK_SQL, MarkRow, read_mark
from memstation.store.ledger import present
from memstation.store.lines import batches, holes
from memstation.store.reindexing import reindex
from memstation.store.rows import ROW_SQL, Row, read_row
from memstation.store.rules import OriginTrusts, PredicateRules
from memstation.store.schema import PLACED_COLUMNS
from memstation.store.verifying import told_problems

_STANDS = "NOT EXISTS (SELECT 1 FROM lifted AS l WHERE l.seq = t.seq AND l.to_seq IS NULL)"
_RULES = """t.stands = 1 AND NOT EXISTS (SELECT 1 FROM orders AS o
    WHERE o.key = t.key AND o.stands = 1 AND (o.seq, o.k) > (t.seq, t.k))"""
_ENTRY = f"INSERT INTO journal ({journal.ENTRY_SQL}, digest, previous, hash) VALUES ({holes(range(13))})"


@dataclass(frozen=True, slots=True)
class Repaired:
    """How much was not as it must be, and is now."""

    spans: int = 0
    """Spans in which a decision did not stand."""
    standing: int = 0
    """Marks and orders that did not follow their decision, or did not rule as they must."""
    places: int = 0
    """Memories whose line, window, links, trust or role was not what the walk gives."""
    sources: int = 0
    """Links from a memory to what it was made from."""
    index: int = 0
    """Rows that were missing in the text index, or stale."""
    requests: int = 0
    """Requests for approval that did not follow the marks; counts (of a burst, of reads) and vectors of no memory."""
    seq: int | None = None
    """The decision that notes it; None where nothing had to be done."""

    @property
    def count(self) -> int:
        """All of it."""
        return self.spans + self.standing + self.places + self.sources + self.index + self.requests


def repair(cursor: sqlite3.Cursor, clock: Clock, actor: str) -> Repaired:
    """Lay everything derived out again, inside the caller's transaction, and note it in the journal.

    Lines are read and written one by one; memory does not grow with the store.

    Raises:
        Refused: what was told was altered too; laying that out would only hide it.
    """
    problems = told_problems(cursor)
    if problems:
        raise Refused(
            "What was told was altered",
            "{first}",
            "nothing was repaired: restore a backup; memstation verify lists all",
            first=problems[0],
        )
    # Every later step reads what the one before it put right.
    spans = _lay_spans(cursor)
    standing = _follow(cursor, "marks", "stands", _STANDS) + _follow(cursor, "orders", "stands", _STANDS)
    standing += _follow(cursor, "orders", "rules", _RULES)
    places = _name_lines(cursor)
    places |= _lay_lines(cursor)
    requests = holding.lay_out(cursor)
    for n in guarding.odd_entries(cursor):
        cursor.execute("DELETE FROM guard_window WHERE n IS ?", (n,))
        requests += 1
    requests += cursor.execute(f"DELETE FROM reads WHERE {reads.STRAY}").rowcount
    requests += embeddings.drop_stray(cursor)
    sources = _link_sources(cursor)
    missing, stale = _index_gaps(cursor)
    if missing or stale or places:
        reindex(cursor)
    done = Repaired(spans, standing, len(places), sources, missing + stale, requests)
    return _note(cursor, clock, actor, done) if done.count else done


def _lay_spans(cursor: sqlite3.Cursor) -> int:
    """Play all undos in the order in which they were taken. Returns how many spans were not so."""
    spans = spans_of(Findings(cursor, None))
    there = set(cursor.execute("SELECT seq, from_seq, to_seq FROM lifted").fetchall())
    if there != spans:
        cursor.execute("DELETE FROM lifted")
        cursor.executemany("INSERT INTO lifted (seq, from_seq, to_seq) VALUES (?, ?, ?)", sorted(spans, key=str))
    return len(there ^ spans)


def _follow(cursor: sqlite3.Cursor, table: str, column: str, rule: str) -> int:
    """Set a column to what a rule says wherever it says otherwise. Returns in how many rows."""
    rule = f"({rule})"
    cursor.execute(f"UPDATE {table} AS t SET {column} = {rule} WHERE {column} IS NOT {rule}")
    return cursor.rowcount


def _rows(cursor: sqlite3.Cursor, order: str) -> Iterator[Row]:
    source = cursor.connection.cursor()
    # The unary plus keeps an index that is being written to out of the way: the sorter has all rows before the first.
    for values in source.execute(f"SELECT {ROW_SQL} FROM memories ORDER BY {order}"):
        yield read_row(values)


def _name_lines(cursor: sqlite3.Cursor) -> set[int]:
    """Put every row on the line that its fact and the rules say. Returns those that were on another."""
    rules, moved = PredicateRules(cursor), set()
    for row in _rows(cursor, "+n"):
        key = row.fact_key
        if not (is_blank(row.subject) or is_blank(row.predicate)):
            key = line_key(row.fact_key, row.object_key, rules.is_many(row.agent_id, row.predicate))
        assert row.before is not None
        if row.before.line_key != key:
            moved.add((row.n, key))
    cursor.executemany("UPDATE memories SET line_key = ? WHERE n = ?", [(key, n) for n, key in moved])
    return {n for n, _ in moved}


def _lay_lines(cursor: sqlite3.Cursor) -> set[int]:
    """Lay every line out by the walk. Returns the rows whose place was another."""
    rules, origins, moved = PredicateRules(cursor), OriginTrusts(cursor), set[int]()
    lifted_at = dict(
        cursor.execute(
            "SELECT l.seq, j.at FROM lifted AS l JOIN journal AS j ON j.seq = l.from_seq WHERE l.to_seq IS NULL"
        ).fetchall()
    )
    line: list[Row] = []
    for row in _rows(cursor, "+line_key"):
        if line and line[0].before and row.before and row.before.line_key != line[0].before.line_key:
            moved |= _lay_line(cursor, line, rules, origins, lifted_at)
            line = []
        line.append(row)
    if line:
        moved |= _lay_line(cursor, line, rules, origins, lifted_at)
    return moved


def _lay_line(
    cursor: sqlite3.Cursor, line: list[Row], rules: PredicateRules, origins: OriginTrusts, lifted_at: dict[int, str]
) -> set[int]:
    marks: dict[int, list[MarkRow]] = defaultdict(list)
    for batch in batches(row.n for row in line):
        sql = f"SELECT {MARK_SQL} FROM marks WHERE n IN ({holes(batch)})"
        for values in cursor.execute(sql, batch).fetchall():
            mark = read_mark(values)
            marks[mark.n].append(mark)
    expected = expected_places(line, rules, origins, marks, lifted_at)
    wrong = [(expected[row.n], row.n) for row in line if row.before != expected[row.n]]
    names = ", ".join(f"{name} = ?" for name in PLACED_COLUMNS)
    cursor.executemany(f"UPDATE memories SET {names} WHERE n = ?", [(*place.as_tuple(), n) for place, n in wrong])
    return {n for _, n in wrong}


def _link_sources(cursor: sqlite3.Cursor) -> int:
    """Which memory was made from which, from what each cites. Returns how many links were missing or too many."""
    linked = "SELECT parent_n, child_n FROM derived"
    missing = cursor.execute(f"{CITED} EXCEPT {linked}").fetchall()
    stale = cursor.execute(f"{linked} EXCEPT {CITED}").fetchall()
    cursor.executemany("INSERT INTO derived (parent_n, child_n) VALUES (?, ?)", missing)
    if stale:
        # These links follow from what was told; the trigger that keeps them is for everybody else.
        cursor.execute("DROP TRIGGER IF EXISTS derived_kept")
        cursor.executemany("DELETE FROM derived WHERE parent_n = ? AND child_n = ?", stale)
        for statement in triggers.statements():
            cursor.execute(statement)
    return len(missing) + len(stale)


def _index_gaps(cursor: sqlite3.Cursor) -> tuple[int, int]:
    """Rows that the text index lacks and has too many; an index that cannot be read lacks all."""
    try:
        cursor.execute("INSERT INTO memory_text (memory_text) VALUES ('integrity-check')")
        return index_gaps(cursor)
    except sqlite3.DatabaseError:
        return int(cursor.execute("SELECT count(*) FROM memories").fetchone()[0]), 0


def _note(cursor: sqlite3.Cursor, clock: Clock, actor: str, done: Repaired) -> Repaired:
    head = journal.head(cursor)
    counts = {name: count for name, count in asdict(done).items() if count}
    at = present(clock, head.at)
    at = at if head.at is None else max(at, head.at)
    seq = head.seq + 1
    values = (seq, at, actor, "", "repair", "", json.dumps(counts, sort_keys=True), None, None, None)
    digest = decision_digest((), (), (), ())
    cursor.execute(_ENTRY, (*values, digest, head.hash, entry_hash(head.hash, values, digest)))
    cursor.execute("INSERT OR IGNORE INTO agents (agent_id) SELECT DISTINCT agent_id FROM memories")
    # What others keep by generation was computed from what was wrong.
    cursor.execute("UPDATE agents SET generation = generation + 1")
    return Repaired(done.spans, done.standing, done.places, done.sources, done.index, done.requests, seq)
