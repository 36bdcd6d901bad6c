"""Which decision withdrew a memory. It never writes."""

from __future__ import annotations

from collections.abc import Sequence

from memstation.domain.instants import to_text
from memstation.domain.memory import FactRecord
from memstation.read.querying import IN_LIST, ask, in_list
from memstation.store.database import Snapshot

_WITHDRAWING = f"""SELECT n, seq, at FROM marks WHERE n IN {IN_LIST} AND stands = 1
    AND kind IN ('withdrawn', 'denied', 'lapsed') ORDER BY seq, k"""


def withdrawn_by(conn: Snapshot, records: Sequence[FactRecord]) -> dict[str, int]:
    """By memory id, the number of the decision that withdrew it; what is in use, or was taken back, is left out."""
    gone = {
        (record.n, to_text(record.invalidated_at)): record.id
        for record in records
        if record.state == "withdrawn" and record.invalidated_at is not None
    }
    found: dict[str, int] = {}
    for mark in ask(conn, _WITHDRAWING, (in_list({n for n, _at in gone}),)) if gone else ():
        if (memory_id := gone.get((mark.n, mark.at))) is not None:
            found[memory_id] = mark.seq
    return found
