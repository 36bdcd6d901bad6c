"""Memories by the beginning of their ids, as people type them. It never writes, and guesses nothing."""

from __future__ import annotations

from collections.abc import Sequence

from memstation.read.querying import IN_LIST, in_list, quick
from memstation.store.database import Snapshot

SHOWN = 4
"""Ids that are told of those that begin alike."""

_LAST = "\U0010ffff"
_EXACT = "SELECT id FROM memories WHERE id = ? AND role NOT IN ('end', 'erased')"
_LIKE = f"""SELECT id FROM memories INDEXED BY memories_id
    WHERE id >= ? AND id < ? AND role NOT IN ('end', 'erased') ORDER BY id LIMIT {SHOWN}"""
_REQUESTED = f"""SELECT m.id FROM memories AS m INDEXED BY memories_id CROSS JOIN approvals AS a ON a.n = m.n
    WHERE m.id >= ? AND m.id < ? AND a.status IN {IN_LIST} ORDER BY m.id LIMIT {SHOWN}"""


def ids_like(conn: Snapshot, text: str, statuses: Sequence[str] = ()) -> list[str]:
    """The id that is `text`, else those that begin with it, the first `SHOWN`.

    Args:
        conn: a reading connection.
        text: an id or its beginning; an empty one is the beginning of none.
        statuses: only of requests for approval with one of these (`domain.holding.RequestStatus`); of all when empty.
    """
    exact = [str(id_) for (id_,) in quick(conn, _EXACT, (text,))]
    if exact or not text:
        return exact
    span = (text, text + _LAST)
    found = quick(conn, _REQUESTED, (*span, in_list(statuses))) if statuses else quick(conn, _LIKE, span)
    return [str(id_) for (id_,) in found]
