"""Writes an erasure: stubs in place of what was told, and what the chain keeps of each decision reached.

Nothing else may change what was told: the triggers that refuse it are off only inside the erasure's own transaction.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable

from memstation.store import carried, embeddings, journal, stubs, text_index, triggers
from memstation.store.digests import FIRST, remains_digest, row_digest
from memstation.store.lines import batches, holes
from memstation.store.plan import Plan
from memstation.store.rules import orders_of
from memstation.store.schema import TOLD_COLUMNS

SALT_BYTES = 16
SCRUB_DUE = "scrub_due"
"""Key in `meta`: an erasure is written, and what it blanked may still lie in bytes that the file does not use."""

_GUARDS = ("memories_fixed", "marks_fixed", "orders_fixed", "journal_fixed", "events_fixed")
_SET = ", ".join(f"{name} = ?" for name in TOLD_COLUMNS)
_BLANK = f"""UPDATE memories SET {_SET}, fact_key = ?, object_key = ?, value_digest = ?, salt = ?, row_digest = ?,
    embedding = NULL, embedding_model = NULL, access_count = 0, last_accessed = NULL WHERE n = ?"""
_ORDER = """UPDATE orders SET about = 'erased', verdict = '', key = ?, subject = NULL, predicate = NULL, value = NULL,
    number = NULL, at = ?, rules = stands WHERE seq = ? AND k = ?"""


def erase(cursor: sqlite3.Cursor, plan: Plan) -> list[tuple[int, bytes]]:
    """Blank what the plan erases, once its rows have left lines and index. The caller holds the transaction.

    Returns:
        The decisions reached, each with the digest of what is left of it, in order.
    """
    assert plan.erase is not None
    for guard in _GUARDS:
        cursor.execute(f"DROP TRIGGER {guard}")
    reached = _blank_rows(cursor, plan)
    reached |= _rewrite_citing(cursor, plan)
    reached |= _blank_marks(cursor, plan)
    reached |= _blank_orders(cursor, plan)
    reached |= _blank_events(cursor, plan)
    reached |= set(plan.erase.reasons)
    left = [(seq, _leave(cursor, seq, seq in plan.erase.reasons)) for seq in sorted(reached)]
    for statement in triggers.statements():
        cursor.execute(statement)
    text_index.optimize(cursor)
    cursor.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (SCRUB_DUE, str(plan.seq)))
    cursor.executemany(
        "INSERT INTO erased (seq, target, digest) VALUES (?, ?, ?)", [(plan.seq, *remains) for remains in left]
    )
    return left


def _blank_rows(cursor: sqlite3.Cursor, plan: Plan) -> set[int]:
    assert plan.erase is not None
    reached: set[int] = set()
    blanked: dict[str, list[int]] = {}
    for batch in batches(plan.erase.ids):
        sql = f"SELECT n, id, agent_id, seq FROM memories WHERE id IN ({holes(batch)})"
        for n, memory_id, agent_id, seq in cursor.execute(sql, batch).fetchall():
            kept = plan.renamed.get(memory_id, memory_id)
            told, salt = stubs.told(n, kept, agent_id, seq), os.urandom(SALT_BYTES)
            cursor.execute(_BLANK, (*told, *stubs.keys(agent_id, kept), salt, row_digest(salt, told), n))
            reached.add(seq)
            blanked.setdefault(agent_id, []).append(n)
    for agent_id, ns in blanked.items():
        embeddings.erase(cursor, agent_id, ns)
    return reached


def _rewrite_citing(cursor: sqlite3.Cursor, plan: Plan) -> set[int]:
    """Put the new ids where the replaced ones are cited."""
    if not plan.renamed:
        return set()
    reached: set[int] = set()
    columns = ", ".join(TOLD_COLUMNS)
    at = {name: TOLD_COLUMNS.index(name) for name in ("n", "seq", "derived_from", "metadata")}
    citing = cursor.connection.cursor().execute(
        f"SELECT role, {columns} FROM memories WHERE derived_from IS NOT NULL OR role = 'end'"
    )
    for role, *told in citing.fetchall():
        before = list(told)
        if role == "end":
            end = json.loads(told[at["metadata"]])
            if end.get("of") in plan.renamed:
                told[at["metadata"]] = json.dumps({**end, "of": plan.renamed[end["of"]]}, ensure_ascii=False)
        elif set(cited := json.loads(told[at["derived_from"]])) & plan.renamed.keys():
            new = [plan.renamed.get(memory_id, memory_id) for memory_id in cited]
            told[at["derived_from"]] = json.dumps(new, ensure_ascii=False)
        if told != before:
            salt = os.urandom(SALT_BYTES)
            values = (told[at["derived_from"]], told[at["metadata"]], salt, row_digest(salt, told), told[at["n"]])
            cursor.execute(
                "UPDATE memories SET derived_from = ?, metadata = ?, salt = ?, row_digest = ? WHERE n = ?", values
            )
            reached.add(int(told[at["seq"]]))
    return reached


def _blank_marks(cursor: sqlite3.Cursor, plan: Plan) -> set[int]:
    assert plan.erase is not None
    cursor.executemany("UPDATE marks SET reason = '' WHERE n = ? AND seq = ? AND k = ?", plan.erase.marks)
    return {seq for _, seq, _ in plan.erase.marks}


def _blank_orders(cursor: sqlite3.Cursor, plan: Plan) -> set[int]:
    assert plan.erase is not None
    keys: set[bytes] = set()
    for seq, k in plan.erase.orders:
        keys.update(cursor.execute("SELECT key FROM orders WHERE seq = ? AND k = ?", (seq, k)).fetchone())
        cursor.execute(_ORDER, (os.urandom(16), stubs.INSTANT, seq, k))
    for key in keys:
        _let_latest_rule(cursor, key)
    return {seq for seq, _ in plan.erase.orders}


def _blank_events(cursor: sqlite3.Cursor, plan: Plan) -> set[int]:
    assert plan.erase is not None
    cursor.executemany("UPDATE events SET detail = '{}', origin = NULL WHERE seq = ? AND k = ?", plan.erase.events)
    return {seq for seq, _ in plan.erase.events}


def _let_latest_rule(cursor: sqlite3.Cursor, key: bytes) -> None:
    """Of the orders left under a key, the latest that stands rules."""
    left = orders_of(cursor, key)
    ruler = next((order for order in reversed(left) if order.stands), None)
    values = [(int(order is ruler), order.seq, order.k) for order in left]
    cursor.executemany("UPDATE orders SET rules = ? WHERE seq = ? AND k = ?", values)


def _leave(cursor: sqlite3.Cursor, seq: int, is_blanked: bool) -> bytes:
    """Take the old salt and digest of a decision away, by which a short text could be guessed; digest what is left."""
    salt = os.urandom(SALT_BYTES)
    reason = ", reason = ''" if is_blanked else ""
    cursor.execute(f"UPDATE journal SET salt = ?, digest = ?{reason} WHERE seq = ?", (salt, FIRST, seq))
    return remains(cursor, seq)


def remains(cursor: sqlite3.Cursor, seq: int, rows: Iterable[tuple[bytes, bool]] | None = None) -> bytes:
    """The digest of what is left of a decision that an erasure reached."""
    sql = f"SELECT {journal.ENTRY_SQL}, salt, digest, previous, hash FROM journal WHERE seq = ?"
    *entry, salt, digest, previous, hash_ = cursor.execute(sql, (seq,)).fetchone()
    first, last = entry[7], entry[8]
    if rows is None:
        found = cursor.connection.cursor().execute(
            "SELECT row_digest, role = 'end' FROM memories WHERE n BETWEEN ? AND ? ORDER BY n", (first, last)
        )
        rows = ((row[0], bool(row[1])) for row in found)
    return remains_digest(salt, entry, (digest, previous, hash_), carried.digest_of(cursor, seq, salt, rows))
