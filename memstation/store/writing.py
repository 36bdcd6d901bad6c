"""Writes a plan, by text SQL on the ledger's cursor: statements, moved rows, index, journal entry, generations."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import defaultdict
from collections.abc import Sequence

from memstation.domain.decisions import Effects
from memstation.domain.errors import Refused
from memstation.store import erasing, holding, journal, text_index
from memstation.store.carried import EVENT_SQL
from memstation.store.digests import decision_digest, entry_hash
from memstation.store.lines import batches, holes
from memstation.store.plan import Plan
from memstation.store.rules import ORDER_SQL
from memstation.store.schema import KEY_COLUMNS, PLACED_COLUMNS, TOLD_COLUMNS

_BORN = (
    *TOLD_COLUMNS, *KEY_COLUMNS, *PLACED_COLUMNS, "access_count", "last_accessed", "embedding", "embedding_model",
)  # fmt: skip
_INSERT = f"INSERT INTO memories ({', '.join(_BORN)}) VALUES ({holes(_BORN)})"
_PLACES = range(len(PLACED_COLUMNS))
_FOUNDS = PLACED_COLUMNS.index("founds")
_ITSELF, _FOUNDS_ITSELF = -1, "founds = n"
"""What comes back mostly starts a segment that it is shown for: said so, thousands move alike."""
_MARK = "INSERT INTO marks (n, seq, k, kind, value, reason, at, stands) VALUES (?, ?, ?, ?, ?, ?, ?, 1)"
_ORDER = f"INSERT INTO orders ({ORDER_SQL}, stands, rules) VALUES ({holes(range(11))}, 1, ?)"
_EVENT = f"INSERT INTO events (seq, {EVENT_SQL}) VALUES ({holes(range(7))})"
_encode = json.JSONEncoder(sort_keys=True).encode
_GENERATION = """INSERT INTO agents (agent_id, generation) VALUES (?, 1)
    ON CONFLICT (agent_id) DO UPDATE SET generation = generation + 1"""
_USED = "UPDATE memories SET access_count = access_count + ? WHERE n = ?"
_ENTRY = f"""INSERT INTO journal ({journal.ENTRY_SQL}, digest, previous, hash, salt)
    VALUES ({holes(range(14))})"""


def _many(cursor: sqlite3.Cursor, sql: str, rows: Sequence[Sequence[object]]) -> None:
    # Most decisions leave most tables alone or tell one row, and `executemany` costs even then.
    if len(rows) == 1:
        cursor.execute(sql, rows[0])
    elif rows:
        cursor.executemany(sql, rows)


def write_plan(cursor: sqlite3.Cursor, plan: Plan, effects: Effects) -> None:
    """Write everything that a plan says. The caller holds the transaction."""
    _write_rows(cursor, plan)
    if plan.marks or plan.ruling:
        _write_marks_and_orders(cursor, plan)
    if plan.undone:
        _write_flips(cursor, plan)
    _many(cursor, _EVENT, [(plan.seq, *event) for event in plan.events])
    holding.settle(cursor, plan)
    _write_index(cursor, plan)
    left = erasing.erase(cursor, plan) if plan.erase is not None else []
    _write_entry(cursor, plan, effects, plan.head, left)
    touched = {row.agent_id for row, _ in plan.changed} | {plan.decision.agent_id}
    touched |= {order.agent_id for order in plan.orders}
    _many(cursor, _GENERATION, [(agent,) for agent in sorted(touched) if agent])


def _write_rows(cursor: sqlite3.Cursor, plan: Plan) -> None:
    try:
        _insert_rows(cursor, plan)
    except sqlite3.IntegrityError as error:
        if "memories.id" not in str(error):
            raise
        raise Refused("The id is taken", "one of the ids is in this store already") from error
    _move_rows(cursor, plan)
    _many(cursor, "INSERT INTO derived (parent_n, child_n) VALUES (?, ?)", sorted(set(plan.derived)))
    _count_uses(cursor, plan)


def _insert_rows(cursor: sqlite3.Cursor, plan: Plan) -> None:
    _many(cursor, 
        _INSERT,
        [
            (
                *new.told, new.row.fact_key, new.row.object_key, new.row.value_digest, new.salt, new.digest,
                *plan.placed[new.row.n].as_tuple(), new.access_count, new.last_accessed, new.embedding,
                new.embedding_model,
            )
            for new in plan.new
        ],
    )  # fmt: skip


def _count_uses(cursor: sqlite3.Cursor, plan: Plan) -> None:
    """A confirmation is a use of the fact that it confirms (seed 000: re-observing bumps the count)."""
    if plan.decision.kind in ("restore", "adopt"):
        # What is brought back brings its own count of uses, confirmations among them.
        return
    used: dict[int, int] = {}
    for new in plan.new:
        shown = plan.shown_of.get(new.row.n)
        if plan.placed[new.row.n].role == "confirms" and shown is not None:
            used[shown] = used.get(shown, 0) + 1
    _many(cursor, _USED, [(times, n) for n, times in used.items()])


def _move_rows(cursor: sqlite3.Cursor, plan: Plan) -> None:
    # SQLite rewrites every index that names a column that is set, changed or not: so only what changed is set.
    moves: dict[tuple[int, ...], dict[tuple[object, ...], list[int]]] = defaultdict(lambda: defaultdict(list))
    for row, place in plan.changed:
        if row.before is None:
            continue
        was, now = row.before.as_tuple(), place.as_tuple()
        founds_itself = now[_FOUNDS] == row.n
        set_ = tuple([_ITSELF if i == _FOUNDS and founds_itself else i for i in _PLACES if was[i] != now[i]])
        moves[set_][tuple([now[i] for i in set_ if i != _ITSELF])].append(row.n)
    for set_, by_values in moves.items():
        names = ", ".join(_FOUNDS_ITSELF if i == _ITSELF else f"{PLACED_COLUMNS[i]} = ?" for i in set_)
        alone = [(*values, ns[0]) for values, ns in by_values.items() if len(ns) == 1]
        _many(cursor, f"UPDATE memories SET {names} WHERE n = ?", alone)
        for values, ns in by_values.items():
            # A verdict over thousands says the same of most of them.
            for batch in batches(ns) if len(ns) > 1 else ():
                cursor.execute(f"UPDATE memories SET {names} WHERE n IN ({holes(batch)})", (*values, *batch))


def _write_marks_and_orders(cursor: sqlite3.Cursor, plan: Plan) -> None:
    _many(cursor, _MARK, [(m.n, m.seq, m.k, m.kind, m.value, m.reason, m.at) for m in plan.marks])
    made = {(order.seq, order.k) for order in plan.orders}
    _many(cursor, _ORDER, [(*order.told(), int(plan.ruling[(order.seq, order.k)])) for order in plan.orders])
    old = [(int(rules), *place) for place, rules in plan.ruling.items() if place not in made]
    _many(cursor, "UPDATE orders SET rules = ? WHERE seq = ? AND k = ?", old)


def _write_flips(cursor: sqlite3.Cursor, plan: Plan) -> None:
    undone = [(plan.seq, target) for target in sorted(set(plan.undone))]
    _many(cursor, "INSERT INTO undoes (seq, target) VALUES (?, ?)", undone)
    for stands in (False, True):
        seqs = [seq for seq, now in plan.flips.items() if now is stands]
        for batch in batches(seqs):
            for table in ("marks", "orders"):
                cursor.execute(f"UPDATE {table} SET stands = ? WHERE seq IN ({holes(batch)})", (int(stands), *batch))
    gone = [(seq, plan.seq) for seq, stands in plan.flips.items() if not stands]
    _many(cursor, "INSERT INTO lifted (seq, from_seq) VALUES (?, ?)", gone)
    back = [(plan.seq, seq) for seq, stands in plan.flips.items() if stands]
    _many(cursor, "UPDATE lifted SET to_seq = ? WHERE seq = ? AND to_seq IS NULL", back)


def _write_index(cursor: sqlite3.Cursor, plan: Plan) -> None:
    roles = ((row, None if row.before is None else row.before.role, place.role) for row, place in plan.changed)
    text_index.move(cursor, (moved for moved in roles if text_index.is_moved(*moved[1:])))


def _write_entry(
    cursor: sqlite3.Cursor, plan: Plan, effects: Effects, head: journal.Head, erased: list[tuple[int, bytes]]
) -> None:
    decision = plan.decision
    counts: dict[str, int] = {str(kind): count for kind, count in effects.counts.items()}
    if decision.unfinished:
        counts[journal.UNFINISHED] = 1
    # The journal's time never goes back, not even where the clock has stepped back so far that facts follow it.
    at = plan.at if head.at is None else max(plan.at, head.at)
    values = (
        plan.seq, at, decision.actor, decision.agent_id, decision.kind, decision.reason,
        _encode(counts), plan.new[0].row.n if plan.new else None, plan.new[-1].row.n if plan.new else None,
        decision.group,
    )  # fmt: skip
    salt = os.urandom(erasing.SALT_BYTES)
    digest = decision_digest(
        ((new.digest, new.row.is_end) for new in plan.new),
        ((m.n, m.k, m.kind, m.value, m.reason, m.at) for m in sorted(plan.marks, key=lambda m: (m.n, m.k))),
        (order.told() for order in plan.orders),
        sorted(set(plan.undone)),
        salt=salt,
        erased=erased,
        events=plan.events,
    )
    cursor.execute(_ENTRY, (*values, digest, head.hash, entry_hash(head.hash, values, digest), salt))
