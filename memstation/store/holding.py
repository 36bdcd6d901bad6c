"""Requests for approval: which memories wait for a person, until when, and what became of the others.

A request's status follows from the marks that stand; only its deadline and its hits are kept here. It decides nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from memstation.domain.decisions import HOLD_KINDS
from memstation.domain.holding import BY_EDIT, GRACE_SECONDS, VOIDED
from memstation.domain.instants import from_text, to_text
from memstation.domain.names import twin_key
from memstation.store import stubs
from memstation.store.folding import MARK_SQL, MarkRow, read_mark
from memstation.store.lines import batches, holes

if TYPE_CHECKING:
    from memstation.store.plan import Plan

_HOLDS = ", ".join(f"'{kind}'" for kind in HOLD_KINDS)
_LATEST = "SELECT n, status, deadline, remaining FROM approvals WHERE n IN ({holes})"
_ROWS = f"""SELECT n, iif(invalidated_by_event = '{VOIDED}', 'voided', role), agent_id, subject, predicate, object,
    content, origin FROM memories WHERE n IN ({{holes}})"""
_NEW = "INSERT INTO approvals (n, status, deadline, remaining, twin_key) VALUES (?, ?, ?, ?, ?)"
_SET = "UPDATE approvals SET status = ?, deadline = ?, remaining = ? WHERE n = ?"
_ANSWERS = {"released": "approved", "denied": "denied", "lapsed": "lapsed"}


@dataclass(frozen=True, slots=True)
class Request:
    """One request for approval."""

    n: int
    status: str
    """A `domain.holding.RequestStatus`."""
    reason: str
    """Why it is or was held."""
    version: int
    """The decision by which it is or was held last."""
    deadline: str | None
    hits: int
    decided_by: str = ""
    decided_at: str | None = None
    decided_seq: int | None = None


def answer_of(role: str, hold: MarkRow | None) -> str:
    """The status of a request, from what its memory is now and the latest standing mark about holding it.

    The purge of its source takes what ran out out of reach, too (``voided``); a person's verdict stays what it was.
    """
    if role == "held":
        return "pending"
    if hold is None or hold.kind == "held" or (role == "voided" and hold.kind == "lapsed"):
        return "withdrawn"
    if hold.kind == "denied" and hold.reason == BY_EDIT:
        return "edited"
    return _ANSWERS[hold.kind]


def latest_holds(cursor: sqlite3.Cursor, ns: Iterable[int], *, only: str = "") -> dict[int, MarkRow]:
    """By `n`: the latest standing mark about holding it; of the kind `only` where one is given."""
    kinds = f"'{only}'" if only else _HOLDS
    latest: dict[int, MarkRow] = {}
    for batch in batches(ns):
        sql = f"""SELECT {MARK_SQL} FROM marks WHERE n IN ({holes(batch)}) AND stands = 1 AND kind IN ({kinds})
            ORDER BY n, seq, k"""
        latest.update((values[0], read_mark(values)) for values in cursor.execute(sql, batch).fetchall())
    return latest


def settle(cursor: sqlite3.Cursor, plan: Plan) -> None:
    """Bring the requests up to what a plan wrote: marks, orders and rows are there already."""
    ns = {row.n for row, place in plan.changed if place.quarantined or (row.before and row.before.quarantined)}
    ns |= {mark.n for mark in plan.marks if mark.kind in HOLD_KINDS or mark.kind in ("withdrawn", "extended")}
    if plan.undone:
        ns |= _of_flipped(cursor, plan)
    if ns:
        _settle(cursor, ns, plan)
    if plan.erase is not None:
        gone = [row.n for row, place in plan.changed if place.role == stubs.ROLE]
        for batch in batches(gone):
            cursor.execute(f"DELETE FROM approvals WHERE n IN ({holes(batch)})", batch)
            cursor.execute(f"DELETE FROM guard_window WHERE n IN ({holes(batch)})", batch)
            cursor.execute(f"DELETE FROM reads WHERE n IN ({holes(batch)})", batch)


def _of_flipped(cursor: sqlite3.Cursor, plan: Plan) -> set[int]:
    ns: set[int] = set()
    for batch in batches(plan.flips):
        sql = f"SELECT n FROM marks WHERE seq IN ({holes(batch)}) AND kind IN ({_HOLDS}, 'withdrawn', 'extended')"
        ns.update(row[0] for row in cursor.execute(sql, batch).fetchall())
        spans = f"SELECT first_n, last_n FROM journal WHERE first_n IS NOT NULL AND seq IN ({holes(batch)})"
        for first, last in cursor.execute(spans, batch).fetchall():
            within = "SELECT n FROM approvals WHERE n BETWEEN ? AND ?"
            ns.update(row[0] for row in cursor.execute(within, (first, last)).fetchall())
    return ns


def _settle(cursor: sqlite3.Cursor, ns: set[int], plan: Plan) -> None:
    holds = {n: hold for n in ns if (hold := plan.holds.get(n)) is not None}
    holds |= latest_holds(cursor, ns - plan.holds.keys())
    moved = _moved(cursor, plan)
    new: list[tuple[object, ...]] = []
    old: list[tuple[object, ...]] = []
    before: dict[int, tuple[str, str | None, float | None]] = {}
    for batch in batches(sorted(ns)):
        found = cursor.execute(_LATEST.format(holes=holes(batch)), batch).fetchall()
        before.update((row[0], row[1:]) for row in found)
    for row in plan.lines.load(sorted(ns)):
        place, hold = plan.placed.get(row.n) or row.place, holds.get(row.n)
        if place.role == stubs.ROLE or (row.n not in before and hold is None):
            continue
        status = answer_of("voided" if place.invalidated_by_event == VOIDED else place.role, hold)
        time = _time(before.get(row.n), status, hold, moved.get(row.n, 0.0), plan)
        if row.n in before:
            old.append((status, *time, row.n))
        else:
            told = (row.agent_id, row.subject, row.predicate, row.object, row.content, row.origin)
            new.append((row.n, status, *time, twin_key(*told)))
    cursor.executemany(_SET, old)
    cursor.executemany(_NEW, new)


def _moved(cursor: sqlite3.Cursor, plan: Plan) -> dict[int, float]:
    """Seconds by which extensions, and the undoing of some, move the deadlines of what goes on waiting."""
    moved: dict[int, float] = {}
    for mark in plan.marks:
        if mark.kind == "extended":
            moved[mark.n] = moved.get(mark.n, 0.0) + (mark.value or 0.0)
    for seq, stands in plan.flips.items():
        sql = "SELECT n, value FROM marks WHERE seq = ? AND kind = 'extended'"
        for n, value in cursor.execute(sql, (seq,)).fetchall():
            moved[n] = moved.get(n, 0.0) + (value if stands else -value)
    return moved


def _time(
    before: tuple[str, str | None, float | None] | None, status: str, hold: MarkRow | None, moved: float, plan: Plan
) -> tuple[str | None, float | None]:
    """(deadline, seconds that were left) of a request after a plan."""
    status_before, deadline, remaining = before or ("", None, None)
    if status != "pending":
        if status_before == "pending" and deadline is not None:
            remaining = max(0.0, (from_text(deadline) - from_text(plan.at)).total_seconds())
        return deadline, remaining
    is_told = hold is not None and hold.seq == plan.seq
    if status_before == "pending":
        if is_told and hold is not None and hold.value is not None and deadline is not None:
            # Held anew; what has run out a moment ago starts from now.
            return _later(max(deadline, plan.at), hold.value), None
        if moved > 0 and deadline is not None:
            return _later(max(deadline, plan.at), moved), None
        if moved and deadline is not None:
            return max(_later(deadline, moved), _later(plan.at, GRACE_SECONDS)), None
        return deadline, None
    if before is None or is_told:
        seconds = None if hold is None else hold.value
        return (None if seconds is None else _later(plan.at, seconds)), None
    if deadline is None:
        return None, None
    return _later(plan.at, max(remaining or 0.0, GRACE_SECONDS)), None


def _later(at: str, seconds: float) -> str:
    try:
        return to_text(from_text(at) + timedelta(seconds=seconds))
    except OverflowError:
        return at


def requests(cursor: sqlite3.Cursor, ns: Iterable[int]) -> dict[int, Request]:
    """The requests about these memories by `n`; those never held are left out."""
    wanted = list(ns)
    latest, held = latest_holds(cursor, wanted), latest_holds(cursor, wanted, only="held")
    found: dict[int, Request] = {}
    for batch in batches(wanted):
        sql = f"SELECT n, status, deadline, hits FROM approvals WHERE n IN ({holes(batch)})"
        for n, status, deadline, hits in cursor.execute(sql, batch).fetchall():
            hold, answer = held.get(n), latest.get(n)
            by, at, seq = _decided(cursor, n, status, answer)
            found[n] = Request(
                n, status, "" if hold is None else hold.reason, 0 if hold is None else hold.seq, deadline, hits,
                by, at, seq,
            )  # fmt: skip
    return found


def _decided(cursor: sqlite3.Cursor, n: int, status: str, answer: MarkRow | None) -> tuple[str, str | None, int | None]:
    if status == "pending":
        return "", None, None
    seq = None if answer is None else answer.seq
    if status == "withdrawn":
        # By a mark of its own, or by the undo of its own decision.
        sql = """SELECT max(seq) FROM (SELECT seq FROM marks WHERE n = ? AND stands = 1 AND kind = 'withdrawn'
            UNION ALL SELECT l.from_seq FROM memories AS m JOIN lifted AS l ON l.seq = m.seq
            WHERE m.n = ? AND l.to_seq IS NULL)"""
        seq = cursor.execute(sql, (n, n)).fetchone()[0]
    entry = None
    if seq is not None:
        entry = cursor.execute("SELECT actor, at FROM journal WHERE seq = ?", (seq,)).fetchone()
    return ("", None, seq) if entry is None else (entry[0], entry[1], seq)


def overdue(cursor: sqlite3.Cursor, now: str, most: int) -> list[int]:
    """What waits and has run out, by `n`, at most so many."""
    sql = (
        "SELECT n FROM approvals WHERE status = 'pending' AND deadline IS NOT NULL AND deadline <= ? ORDER BY n LIMIT ?"
    )
    return [row[0] for row in cursor.execute(sql, (now, most)).fetchall()]


def twin_of(cursor: sqlite3.Cursor, key: bytes) -> int | None:
    """What waits and says the same about the same fact from the same origin, by `n`; None where nothing does."""
    sql = "SELECT n FROM approvals WHERE twin_key = ? AND status = 'pending' ORDER BY n LIMIT 1"
    found = cursor.execute(sql, (key,)).fetchone()
    return None if found is None else int(found[0])


def count_hit(cursor: sqlite3.Cursor, n: int, at: str) -> None:
    """The same was said again while it waits."""
    cursor.execute("UPDATE approvals SET hits = hits + 1, hit_at = ? WHERE n = ?", (at, n))


def expected(cursor: sqlite3.Cursor) -> dict[int, tuple[str, bytes]]:
    """By `n`: the status and the twin key of every request there must be, from rows and marks."""
    sql = f"SELECT n FROM memories WHERE quarantined = 1 UNION SELECT n FROM marks WHERE kind IN ({_HOLDS})"
    wanted = [row[0] for row in cursor.execute(sql).fetchall()]
    holds = latest_holds(cursor, wanted)
    due: dict[int, tuple[str, bytes]] = {}
    for batch in batches(wanted):
        for n, role, *told in cursor.execute(_ROWS.format(holes=holes(batch)), batch).fetchall():
            if role != stubs.ROLE:
                due[n] = (answer_of(role, holds.get(n)), twin_key(*told))
    return due


def wrong(cursor: sqlite3.Cursor) -> set[int]:
    """Memories, by `n`, of which the request is not what follows from rows and marks."""
    due = expected(cursor)
    # Times are read too: bytes that are no text show when they are read.
    found = cursor.execute("SELECT n, status, twin_key, deadline, hit_at FROM approvals").fetchall()
    there = {n: (status, key) for n, status, key, _, _ in found}
    return {n for n in due.keys() | there.keys() if due.get(n) != there.get(n)}


def lay_out(cursor: sqlite3.Cursor) -> int:
    """Make every request's status and key what follows from the marks. Returns how many were not so.

    Deadlines stay; a memory that was held without one waits for ever.
    """
    due, odd = expected(cursor), wrong(cursor)
    for n in sorted(odd):
        if n in due:
            status, key = due[n]
            cursor.execute(
                """INSERT INTO approvals (n, status, twin_key) VALUES (?, ?, ?)
                ON CONFLICT (n) DO UPDATE SET status = excluded.status, twin_key = excluded.twin_key""",
                (n, status, key),
            )
        else:
            cursor.execute("DELETE FROM approvals WHERE n = ?", (n,))
    return len(odd)
