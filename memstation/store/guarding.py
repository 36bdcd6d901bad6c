"""What the gate asks of the store before a write, and what it keeps for the next, by text SQL on the ledger's cursor.

Only the window of bursts is written here, inside the write's own transaction; nothing is judged.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from memstation.domain.decisions import EVERY_AGENT
from memstation.domain.names import burst_key, is_blank, order_key, twin_key, visible
from memstation.domain.origins import OPERATOR, UNATTRIBUTED, origin_class
from memstation.domain.purging import CONTAMINATED, PURGE_STAMPS
from memstation.store.lines import Lines, batches, holes
from memstation.store.rows import Row
from memstation.store.rules import joined_names

Entry = tuple[bytes, bytes, str, str]
"""A new value of a source about a subject: key, value, instant, id of the memory."""

_LAST = 1 << 62
_STALE = 64
"""Entries that no longer count and are cleared away with one write."""


@dataclass(frozen=True, slots=True)
class There:
    """Which kinds of what the gate asks for there are at all: in most stores most questions need not be asked."""

    pending: bool
    rejected: bool
    blocked: bool
    rules: bool


_THERE = """SELECT EXISTS (SELECT 1 FROM approvals WHERE status = 'pending'),
    EXISTS (SELECT 1 FROM orders WHERE about = 'rejected' AND rules = 1),
    EXISTS (SELECT 1 FROM orders WHERE about = 'origin' AND rules = 1),
    EXISTS (SELECT 1 FROM orders WHERE about = 'predicate' AND rules = 1)"""


def there(cursor: sqlite3.Cursor) -> There:
    """What the store has of all this."""
    return There(*map(bool, cursor.execute(_THERE).fetchone()))


def counted(cursor: sqlite3.Cursor, key: bytes, since: str) -> dict[bytes, int]:
    """The values under a key that were new after an instant, each with the `n` of its memory."""
    sql = "SELECT value, n FROM guard_window WHERE key = ? AND at > ?"
    return dict(cursor.execute(sql, (key, since)).fetchall())


def note_values(cursor: sqlite3.Cursor, entries: Sequence[Entry], since: str) -> None:
    """Keep new values for as long as they count, and clear some of those away that no longer do."""
    for key, value, at, memory_id in entries:
        cursor.execute(
            """INSERT INTO guard_window (key, value, at, n) SELECT ?, ?, ?, n FROM memories WHERE id = ?
            ON CONFLICT (key, value) DO UPDATE SET at = excluded.at, n = excluded.n""",
            (key, value, at, memory_id),
        )
    if cursor.execute("SELECT 1 FROM guard_window WHERE at <= ? LIMIT 1", (since,)).fetchone() is None:
        return
    cursor.execute(
        f"""DELETE FROM guard_window WHERE (key, value) IN (
            SELECT key, value FROM guard_window WHERE at <= ? ORDER BY at LIMIT {_STALE + 2 * len(entries)})""",
        (since,),
    )


def in_use(cursor: sqlite3.Cursor, ns: Iterable[int], origin: str | None, most: int) -> list[str]:
    """Ids of those memories that are facts, or evidence for one, and of this origin; oldest first."""
    found: list[str] = []
    for n in sorted(ns):
        row = cursor.execute(
            "SELECT id FROM memories WHERE n = ? AND role IN ('fact', 'confirms') AND origin IS ?", (n, origin)
        ).fetchone()
        if row is not None and len(found) < most:
            found.append(row[0])
    return found


def rejected_by(
    cursor: sqlite3.Cursor, agent_id: str, subject: str | None, predicate: str | None, value: str
) -> int | None:
    """The decision that rejects a value of a fact, under any name joined to its subject; None when none does.

    Invisible characters make neither another name nor another value.
    """
    told = "" if is_blank(subject) or subject is None else subject
    fact = "" if is_blank(predicate) or predicate is None else predicate
    names = [name for form in _forms(told) for name in (joined_names(cursor, agent_id, form) if form else ("",))]
    for name, said, what in product(names, _forms(fact), _forms(value)):
        key = order_key("rejected", agent_id, name, said, what)
        sql = "SELECT seq FROM orders WHERE key = ? AND rules = 1 AND verdict = 'rejected'"
        found = cursor.execute(sql, (key,)).fetchone()
        if found is not None:
            return int(found[0])
    return None


def _forms(text: str) -> tuple[str, ...]:
    """A text as it is, and as it looks."""
    shown = visible(text)
    return (text,) if shown == text else (text, shown)


def blocked_by(cursor: sqlite3.Cursor, agent_id: str, origin: str) -> int | None:
    """The decision that blocks an origin for an agent; None when none does.

    Of the order for this agent and the one for all, the later rules.
    """
    keys = [order_key("origin", agent, origin) for agent in (agent_id, EVERY_AGENT)]
    sql = "SELECT seq, verdict FROM orders WHERE key IN (?, ?) AND rules = 1 ORDER BY seq DESC, k DESC LIMIT 1"
    found = cursor.execute(sql, keys).fetchone()
    return int(found[0]) if found is not None and found[1] == "blocked" else None


def is_otherwise(cursor: sqlite3.Cursor, origin: str, verdict: str) -> bool:
    """Whether an order for a single agent, later than the one for all, says the opposite of a verdict on an origin."""
    sql = """SELECT 1 FROM orders WHERE about = 'origin' AND rules = 1 AND value = ? AND agent_id <> ? AND verdict <> ?
        AND seq > coalesce((SELECT seq FROM orders WHERE key = ? AND rules = 1), 0) LIMIT 1"""
    values = (origin, EVERY_AGENT, verdict, order_key("origin", EVERY_AGENT, origin))
    return cursor.execute(sql, values).fetchone() is not None


def tainted_source(cursor: sqlite3.Cursor, agent_id: str, ids: Sequence[str]) -> str | None:
    """The first of an agent's memories that a purge withdrew, or that is held for being made from such; None without.

    What was withdrawn for another reason and purged as well is one of them, too.
    """
    for batch in batches(ids):
        sql = f"""SELECT id FROM memories AS m WHERE agent_id = ? AND id IN ({holes(batch)}) AND EXISTS (
            SELECT 1 FROM marks AS k WHERE k.n = m.n AND k.stands = 1 AND (
                k.kind = 'withdrawn' AND k.reason IN {PURGE_STAMPS!r}
                OR k.kind = 'held' AND k.reason = '{CONTAMINATED}' AND m.role = 'held')) ORDER BY n LIMIT 1"""
        found = cursor.execute(sql, (agent_id, *batch)).fetchone()
        if found is not None:
            return str(found[0])
    return None


def holding(cursor: sqlite3.Cursor, line: bytes, start: str) -> tuple[Row, Row] | None:
    """The segment that holds at an instant on a line: (the row shown for it, the row that starts it)."""
    lines = Lines(cursor)
    founder = lines.founder_before(line, (start, True, _LAST))
    if founder is None or founder.before is None or founder.before.founds is None:
        return None
    shown = lines.row(founder.before.founds)
    assert shown.before is not None
    until = shown.before.valid_until
    return None if until is not None and until <= start else (shown, founder)


def is_operators(cursor: sqlite3.Cursor, line: bytes, shown: Row, founder: Row) -> bool:
    """Whether the operator told what a segment says, alone or among others."""
    if OPERATOR in (origin_class(shown.origin), origin_class(founder.origin)):
        return True
    lines = Lines(cursor)
    following = lines.founder_from(line, (founder.asserted_from, True, founder.n + 1))
    members = lines.members(line, founder.position, None if following is None else following.position)
    return any(origin_class(member.origin) == OPERATOR for member in members)


def value_key(agent_id: str, subject: str | None, predicate: str | None, object_: str | None, content: str) -> bytes:
    """A value under a burst's key: what is said, about which property."""
    return twin_key(agent_id, subject, predicate, object_, content, None)


def odd_entries(cursor: sqlite3.Cursor) -> list[object]:
    """Entries of the window, by `n`, that are not what their memories tell."""
    sql = """SELECT w.n, w.key, w.value, w.at, m.agent_id, m.subject, m.predicate, m.object, m.content, m.origin, j.at
        FROM guard_window AS w LEFT JOIN memories AS m ON m.n = w.n LEFT JOIN journal AS j ON j.seq = m.seq
        ORDER BY w.n"""
    odd: list[object] = []
    for n, key, value, at, agent, subject, *rest, origin, told_at in cursor.execute(sql):
        if subject is None or told_at is None or at > told_at:
            odd.append(n)
            continue
        own = burst_key(agent, origin or UNATTRIBUTED, subject), value_key(agent, subject, *rest)
        if (key, value) != own:
            odd.append(n)
    return odd
