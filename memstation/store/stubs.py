"""What stays of an erased memory: a row that says nothing. Pure functions; it must not read or write the store."""

from __future__ import annotations

import os
import re

from memstation.domain.names import note_key, object_key, value_digest
from memstation.store.rows import Placed
from memstation.store.schema import TOLD_COLUMNS

ROLE = "erased"
INSTANT = "0001-01-01T00:00:00.000000+00:00"
"""Stands where a row must have an instant. No memory can be told of it."""

_OURS = re.compile(r"m_[0-9a-f]{30}")
_BLANK: dict[str, object] = {
    "content": "", "timestamp": INSTANT, "tags": "[]", "created_at": INSTANT, "layer": "", "importance": 0.0,
    "source_event": "", "subject": None, "predicate": None, "object": None, "confidence": 0.0, "metadata": "{}",
    "origin": None, "derived_from": None, "ingested_at": INSTANT, "asserted_from": INSTANT, "asserted_until": None,
    "asserted_trust": 0.0,
}  # fmt: skip


def says_nothing(memory_id: str) -> bool:
    """Whether an id is one that this program made: time and chance, no words."""
    return _OURS.fullmatch(memory_id) is not None


def fresh_id() -> str:
    """An id of chance alone."""
    return f"m_{os.urandom(15).hex()}"


def told(n: int, memory_id: str, agent_id: str, seq: int) -> tuple[object, ...]:
    """The told columns of a stub, in the order of `schema.TOLD_COLUMNS`."""
    values = {**_BLANK, "n": n, "id": memory_id, "agent_id": agent_id, "seq": seq}
    return tuple(values[name] for name in TOLD_COLUMNS)


def keys(agent_id: str, memory_id: str) -> tuple[bytes, bytes, bytes]:
    """Fact key, object key and value digest of a stub: computed as of any note, so they match nothing."""
    return note_key(agent_id, memory_id), object_key(None, ""), value_digest(None, "")


def place(agent_id: str, memory_id: str) -> Placed:
    """The place of a stub: none."""
    line = note_key(agent_id, memory_id)
    return Placed(ROLE, 0, None, line, INSTANT, INSTANT, None, None, 0.0, None, None, 0)
