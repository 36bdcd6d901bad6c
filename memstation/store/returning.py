"""What an undo would bring back although a person has rejected it since. It never writes, and refuses nothing."""

from __future__ import annotations

import sqlite3

from memstation.domain.names import is_blank
from memstation.store.guarding import rejected_by
from memstation.store.plan import Plan
from memstation.store.rows import Row

_IN_USE = ("fact", "confirms")
_LATER = "SELECT 1 FROM orders WHERE about = 'rejected' AND rules = 1 AND verdict = 'rejected' AND seq > ? LIMIT 1"


def any_rejected_since(cursor: sqlite3.Cursor, seq: int) -> bool:
    """Whether a value was rejected after a decision, and still is. Most undos need no further look."""
    return cursor.execute(_LATER, (seq,)).fetchone() is not None


def rejected_since(cursor: sqlite3.Cursor, plan: Plan, seq: int) -> tuple[Row, int] | None:
    """The first memory that a plan brings back into use though its value was rejected after decision `seq`.

    Returns:
        It, and the decision that rejects its value and still does once the plan is carried out; None without one.
    """
    for row, place in plan.changed:
        if place.role not in _IN_USE or row.before is None or row.before.role in _IN_USE:
            continue
        value = row.content if row.object is None or is_blank(row.object) else row.object
        by = rejected_by(cursor, row.agent_id, row.subject, row.predicate, value)
        if by is not None and by > seq and plan.flips.get(by, True):
            return row, by
    return None
