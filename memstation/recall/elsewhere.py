"""Which words of a query stand in some memory, where none has all that was asked. It tells no memory, only words."""

from __future__ import annotations

from collections.abc import Iterable

from memstation.read.querying import quick
from memstation.recall.query import Word
from memstation.store.database import Snapshot
from memstation.store.text_index import label

_ANY = "SELECT 1 FROM memory_text WHERE memory_text MATCH ? LIMIT 1"


def standing(conn: Snapshot, agent_id: str, words: Iterable[Word], roles: Iterable[str]) -> set[Word]:
    """Those of the words that a memory of the agent has, of these roles (as `text_index.label` takes them)."""
    labels = " OR ".join(f'"{label(agent_id, role)}"' for role in roles)
    return {word for word in words if quick(conn, _ANY, (f"whose : ({labels}) AND ({word.match})",))}
