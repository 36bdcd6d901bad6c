"""What changed since a decision, newest first: told, judged, ended. It never writes."""

from __future__ import annotations

from memstation.domain.instants import from_text
from memstation.read.ends import ended_by
from memstation.read.listing import Lister
from memstation.read.querying import IN_LIST, ask, in_list
from memstation.read.rows import ChangeDone, ChangeRow
from memstation.store.database import Snapshot

SHOWN_CHANGES = 50

_BESIDE = ("trust", "cap", "extended")
"""What is done beside something else that says more."""

_TOLD = f"""SELECT seq, n FROM memories NOT INDEXED WHERE n > (
        SELECT coalesce(max(last_n), 0) FROM (
            SELECT last_n FROM journal WHERE seq <= ? AND last_n IS NOT NULL ORDER BY seq DESC LIMIT 1))
    AND role IN ('fact', 'held', 'withdrawn') ORDER BY n DESC LIMIT {SHOWN_CHANGES}"""
_JUDGED = f"""SELECT seq, n, kind, stands FROM marks INDEXED BY marks_seq WHERE seq > ?
    ORDER BY seq DESC LIMIT {SHOWN_CHANGES}"""
_TAKEN_BACK = f"""SELECT undoes.seq, journal.first_n, journal.last_n
    FROM undoes CROSS JOIN journal ON journal.seq = undoes.target
    WHERE undoes.seq > ? ORDER BY undoes.seq DESC LIMIT {SHOWN_CHANGES}"""
_ENDED = f"""SELECT seq FROM journal WHERE seq > ? AND counts LIKE '%"ends"%'
    ORDER BY seq DESC LIMIT {SHOWN_CHANGES}"""
_ENTRIES = f"SELECT seq, at, actor FROM journal WHERE seq IN {IN_LIST}"


def changes_since(conn: Snapshot, lister: Lister, seen: int) -> tuple[ChangeRow, ...]:
    """The newest changes after the decision `seen`, each fact once for a decision.

    A fact that another one replaced is not among them: the other one is.
    """
    found: dict[tuple[int, int], ChangeDone] = {(row.seq, row.n): "told" for row in ask(conn, _TOLD, (seen,))}
    for row in ask(conn, _JUDGED, (seen,)):
        done: ChangeDone = row.kind if row.stands else "undone"
        if done not in _BESIDE or (row.seq, row.n) not in found:
            found[row.seq, row.n] = done
    for row in ask(conn, _TAKEN_BACK, (seen,)):
        if row.first_n is not None:
            found |= {(row.seq, n): "undone" for n in range(row.last_n, row.first_n - 1, -1)[:SHOWN_CHANGES]}
    for row in ask(conn, _ENDED, (seen,)):
        found |= {(row.seq, n): "ended" for n in ended_by(conn, row.seq, SHOWN_CHANGES)}
    newest = sorted(found, reverse=True)[: 2 * SHOWN_CHANGES]
    facts = {row.n: row for row in lister.rows({n for _, n in newest})}
    entries = {row.seq: row for row in ask(conn, _ENTRIES, (in_list({seq for seq, _ in newest}),))}
    changes = [
        ChangeRow(from_text(entries[seq].at), facts[n].agent_id, seq, entries[seq].actor, facts[n], found[seq, n])
        for seq, n in newest
        if n in facts and seq in entries
    ]
    return tuple(changes[:SHOWN_CHANGES])
