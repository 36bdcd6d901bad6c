"""What the purge of a source asks of the store, by text SQL on the ledger's cursor. It never writes or judges.

Everything is asked in bulk: a source may have told thousands of memories, and more may have been made from them.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from memstation.domain.decisions import HOLD_KINDS
from memstation.domain.holding import VOIDED
from memstation.domain.purging import CONTAMINATED, PURGED
from memstation.store.lines import batches, holes
from memstation.store.rows import ROW_SQL, Row, read_row

_TOLD_BY = f"SELECT {ROW_SQL} FROM memories WHERE origin = ? {{of}} AND role <> 'erased' ORDER BY n"
_PURGED_BY = f"""SELECT n, seq FROM marks WHERE n IN ({{holes}}) AND stands = 1 AND kind = 'withdrawn'
    AND reason IN ('{PURGED}', '{VOIDED}')"""
_TAINTED_BY = f"""SELECT n, kind FROM marks WHERE seq IN ({{holes}}) AND stands = 1 AND kind IN ('cap', 'held')
    AND reason = '{CONTAMINATED}'"""
_MEMBERS = """SELECT n, line_key, founds, origin, fact_key, object_key FROM memories
    WHERE line_key IN ({holes}) AND stands = 1 AND role IN ('fact', 'confirms') ORDER BY line_key, asserted_from, n"""


@dataclass(frozen=True, slots=True)
class Source:
    """A memory from which another was made."""

    id: str
    role: str
    """A `domain.memory.Role`."""
    origin: str | None
    subject: str | None
    predicate: str | None
    object: str | None
    content: str


@dataclass(frozen=True, slots=True)
class Member:
    """A claim that stands in a segment: a fact, or evidence for one."""

    n: int
    origin: str | None
    fact_key: bytes
    object_key: bytes


def told_by(cursor: sqlite3.Cursor, origin: str, agent_id: str | None, since: str | None) -> list[Row]:
    """What an origin (compared exactly) told, learned at or after an instant: what was withdrawn, too."""
    bounds = {"agent_id = ?": agent_id, "ingested_at >= ?": since}
    asked = {bound: value for bound, value in bounds.items() if value is not None}
    sql = _TOLD_BY.format(of="".join(f"AND {bound} " for bound in asked))
    return [read_row(row) for row in cursor.execute(sql, (origin, *asked.values())).fetchall()]


def purged_by(cursor: sqlite3.Cursor, ns: Iterable[int]) -> dict[int, set[int]]:
    """By memory: the purges that stand and have withdrawn it; those of which there are none are left out."""
    found: dict[int, set[int]] = defaultdict(set)
    for batch in batches(ns):
        for n, seq in cursor.execute(_PURGED_BY.format(holes=holes(batch)), batch).fetchall():
            found[n].add(seq)
    return found


def rejected_by(cursor: sqlite3.Cursor, seqs: Iterable[int]) -> set[bytes]:
    """The keys of the values that these decisions rejected, as far as no later order answered."""
    found: set[bytes] = set()
    for batch in batches(sorted(seqs)):
        sql = f"""SELECT key FROM orders WHERE seq IN ({holes(batch)}) AND about = 'rejected' AND verdict = 'rejected'
            AND rules = 1"""
        found |= {row[0] for row in cursor.execute(sql, batch).fetchall()}
    return found


def tainted_by(cursor: sqlite3.Cursor, seqs: Iterable[int]) -> dict[int, set[str]]:
    """By memory: the kinds of the marks with which these purges tainted it."""
    found: dict[int, set[str]] = defaultdict(set)
    for batch in batches(sorted(seqs)):
        for n, kind in cursor.execute(_TAINTED_BY.format(holes=holes(batch)), batch).fetchall():
            found[n].add(kind)
    return found


_ORIGINS = """WITH RECURSIVE known (origin) AS (
        SELECT min(origin) FROM memories
        UNION ALL SELECT (SELECT min(origin) FROM memories WHERE origin > known.origin) FROM known
            WHERE known.origin IS NOT NULL)
    SELECT origin FROM known WHERE origin IS NOT NULL"""


def origins(cursor: sqlite3.Cursor) -> list[str]:
    """Every origin there is, through the index from one to the next."""
    return [row[0] for row in cursor.execute(_ORIGINS).fetchall()]


def parts(cursor: sqlite3.Cursor, ns: Iterable[int]) -> dict[int, Row]:
    """Memories by `n`; what was erased is left out."""
    found: dict[int, Row] = {}
    for batch in batches(ns):
        sql = f"SELECT {ROW_SQL} FROM memories WHERE n IN ({holes(batch)}) AND role <> 'erased'"
        found.update((row[0], read_row(row)) for row in cursor.execute(sql, batch).fetchall())
    return found


def children(cursor: sqlite3.Cursor, ns: Iterable[int]) -> list[tuple[int, int]]:
    """(parent, child) of every memory that was made from one of these."""
    found: list[tuple[int, int]] = []
    for batch in batches(sorted(ns)):
        sql = f"SELECT parent_n, child_n FROM derived WHERE parent_n IN ({holes(batch)}) ORDER BY parent_n, child_n"
        found += cursor.execute(sql, batch).fetchall()
    return found


def parents(cursor: sqlite3.Cursor, ns: Iterable[int]) -> dict[int, list[int]]:
    """By child: what each of these was made from."""
    found: dict[int, list[int]] = defaultdict(list)
    for batch in batches(sorted(ns)):
        sql = f"SELECT child_n, parent_n FROM derived WHERE child_n IN ({holes(batch)}) ORDER BY child_n, parent_n"
        for child, parent in cursor.execute(sql, batch).fetchall():
            found[child].append(parent)
    return found


def sources_of(cursor: sqlite3.Cursor, n: int) -> list[Source]:
    """What a memory was made from, as far as it is here, in the order told."""
    sql = """SELECT m.id, m.role, m.origin, m.subject, m.predicate, m.object, m.content
        FROM derived AS d CROSS JOIN memories AS m ON m.n = d.parent_n
        WHERE d.child_n = ? AND m.role <> 'erased' ORDER BY m.n"""
    return [Source(*row) for row in cursor.execute(sql, (n,)).fetchall()]


def segments_on(cursor: sqlite3.Cursor, lines: Iterable[bytes]) -> list[list[Member]]:
    """The members of every segment on these lines."""
    found: list[list[Member]] = []
    for batch in batches(set(lines)):
        line = None
        for n, key, founds, origin, fact, value in cursor.execute(_MEMBERS.format(holes=holes(batch)), batch):
            if founds is not None or key != line:
                found.append([])
                line = key
            found[-1].append(Member(n, origin, fact, value))
    return found


def judged(cursor: sqlite3.Cursor, ns: Iterable[int]) -> set[int]:
    """Those of these memories that were denied or ran out: holding them anew would bring them back."""
    found: set[int] = set()
    kinds = ", ".join(f"'{kind}'" for kind in HOLD_KINDS)
    for batch in batches(sorted(ns)):
        latest: dict[int, str] = {}
        sql = f"""SELECT n, kind FROM marks WHERE n IN ({holes(batch)}) AND stands = 1 AND kind IN ({kinds})
            ORDER BY n, seq, k"""
        latest.update(cursor.execute(sql, batch).fetchall())
        found |= {n for n, kind in latest.items() if kind in ("denied", "lapsed")}
    return found


def marked_by(cursor: sqlite3.Cursor, seq: int) -> list[tuple[Row, str]]:
    """(memory, kind) of every mark that a decision made."""
    made = cursor.execute("SELECT n, kind FROM marks WHERE seq = ? ORDER BY n, k", (seq,)).fetchall()
    known = parts(cursor, sorted({n for n, _ in made}))
    return [(known[n], kind) for n, kind in made if n in known]
