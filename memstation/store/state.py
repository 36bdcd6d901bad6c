"""The digest of what is believed: the measure of "undo is exact". It never writes."""

from __future__ import annotations

import hashlib
import json
import sqlite3

_FACTS = """SELECT id, agent_id, content, tags, layer, importance, source_event, subject, predicate, object,
    confidence, metadata, origin, derived_from, role, hex(line_key), valid_from, valid_until, superseded_by,
    supersedes, origin_trust, invalidated_by_event, invalidated_at, quarantined,
    asserted_from, asserted_until, asserted_trust
    FROM memories WHERE (stands = 1 OR quarantined = 1) ORDER BY id"""
_ORDERS = """SELECT hex(key), about, verdict, agent_id, subject, predicate, value, number
    FROM orders WHERE rules = 1 AND about <> 'erased' AND verdict NOT IN ('parted', 'reopened') ORDER BY key"""
"""A name that was taken out of a group is a name of its own, as if it had never been joined."""


def state_digest(cursor: sqlite3.Cursor) -> str:
    """A hash of what stands and is held, with windows, links, stamps, trust, aliases and rules.

    Left out: what is withdrawn, use counts, deadlines, the journal, and the numbers of this store (`n`, `seq`).
    """
    state = hashlib.blake2b(digest_size=16)
    for sql in (_FACTS, _ORDERS):
        for row in cursor.execute(sql):
            state.update(json.dumps(row, ensure_ascii=True).encode())
        state.update(b"|")
    return state.hexdigest()
