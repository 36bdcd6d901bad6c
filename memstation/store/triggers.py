"""Triggers that refuse a change of what was told. They need `recursive_triggers`, or REPLACE slips past them."""

from __future__ import annotations

from memstation.store.schema import KEY_COLUMNS, TOLD_COLUMNS

_FIXED = {
    "memories": (*TOLD_COLUMNS, *KEY_COLUMNS),
    "marks": ("n", "seq", "k", "kind", "value", "reason", "at"),
    "orders": (
        "seq", "k", "about", "verdict", "agent_id", "key", "subject", "predicate", "value", "number", "at",
    ),
    "undoes": None,
    "derived": None,
    "journal": None,
    "erased": None,
    "events": None,
}  # fmt: skip
"""Columns that never change; None is all of them."""


def statements() -> list[str]:
    """The DDL, in any order, safe to run again."""
    made = []
    for table, columns in _FIXED.items():
        of = "" if columns is None else f" OF {', '.join(columns)}"
        told = f"SELECT RAISE(ABORT, '{table} keeps what was told: it is never changed')"
        kept = f"SELECT RAISE(ABORT, '{table} keeps what was told: nothing is deleted')"
        made.append(f"CREATE TRIGGER IF NOT EXISTS {table}_fixed BEFORE UPDATE{of} ON {table} BEGIN {told}; END")
        made.append(f"CREATE TRIGGER IF NOT EXISTS {table}_kept BEFORE DELETE ON {table} BEGIN {kept}; END")
    return made
