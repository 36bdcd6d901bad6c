"""What a decision about trust asks of the store, by text SQL on the ledger's cursor. It never writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from memstation.domain.names import order_key
from memstation.store.lines import batches, holes


def caps(cursor: sqlite3.Cursor, members: Mapping[str, int]) -> dict[str, tuple[float, int]]:
    """By id, for memories given with their `n`: the lowest standing cap on each, and the decision that made it."""
    ids = {n: memory_id for memory_id, n in members.items()}
    found: dict[str, tuple[float, int]] = {}
    for batch in batches(ids):
        sql = f"""SELECT n, min(value), seq FROM marks WHERE n IN ({holes(batch)}) AND stands = 1 AND kind = 'cap'
            GROUP BY n"""
        found.update({ids[n]: (cap, seq) for n, cap, seq in cursor.execute(sql, batch).fetchall()})
    return found


def of_origin(cursor: sqlite3.Cursor, agent_id: str, origin: str) -> float | None:
    """The trust that an order sets for an origin, for this very agent (or ``*``); None where none does."""
    sql = "SELECT number FROM orders WHERE key = ? AND rules = 1 AND verdict = 'set'"
    found = cursor.execute(sql, (order_key("origin_trust", agent_id, origin),)).fetchone()
    return None if found is None else float(found[0])
