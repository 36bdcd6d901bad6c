"""From journal entries to `LogRow`: does it stand, who took it back, how much did it do. It never writes."""

from __future__ import annotations

import json
from collections.abc import Sequence

from memstation.domain.instants import from_text
from memstation.read.events import drops_of
from memstation.read.querying import IN_LIST, Values, ask, in_list
from memstation.read.rows import LogRow
from memstation.read.summaries import TARGETS, summaries, with_drops
from memstation.store.database import Snapshot

ENTRY_SQL = "seq, at, actor, agent_id, kind, reason, counts, first_n, last_n, part_of"

_BY_SEQS = f"SELECT {ENTRY_SQL} FROM journal WHERE seq IN {IN_LIST}"
_LIFTED = f"SELECT seq FROM lifted WHERE to_seq IS NULL AND seq IN {IN_LIST}"
_UNDONE_BY = f"""SELECT target, max(seq) AS by FROM undoes WHERE target IN {IN_LIST}
    AND seq NOT IN (SELECT seq FROM lifted WHERE to_seq IS NULL) GROUP BY target"""

_ENDED = ("closed", "withdrawn")
"""Kinds of change, in the journal's counts, that end or withdraw a fact."""


def log_rows(conn: Snapshot, seqs: Sequence[int]) -> list[LogRow]:
    """The decisions with these numbers, in the order given; unknown ones are left out."""
    if not seqs:
        return []
    found = {entry.seq: entry for entry in ask(conn, _BY_SEQS, (in_list(seqs),))}
    return from_entries(conn, [found[seq] for seq in seqs if seq in found])


def from_entries(conn: Snapshot, entries: Sequence[Values]) -> list[LogRow]:
    """The rows for the columns of `ENTRY_SQL`."""
    if not entries:
        return []
    seqs = in_list(entry.seq for entry in entries)
    lifted = {row.seq for row in ask(conn, _LIFTED, (seqs,))}
    undone_by = {row.target: row.by for row in ask(conn, _UNDONE_BY, (seqs,))}
    targets = {row.seq: row.target for row in ask(conn, TARGETS, (seqs,))}
    about = summaries(conn, entries, targets)
    drops = drops_of(conn, (entry.seq for entry in entries))
    counted = {entry.seq: _counts(entry.counts) for entry in entries}
    return [
        LogRow(
            seq=entry.seq,
            at=from_text(entry.at),
            actor=entry.actor,
            agent_id=entry.agent_id,
            kind=entry.kind,
            reason=entry.reason,
            stands=entry.seq not in lifted,
            taken_back_by=undone_by.get(entry.seq),
            target=targets.get(entry.seq),
            group=entry.part_of,
            facts=0 if entry.first_n is None else entry.last_n - entry.first_n + 1,
            closed=sum(counted[entry.seq].get(kind, 0) for kind in _ENDED),
            summary=with_drops(about[entry.seq], drops.get(entry.seq)),
            held=counted[entry.seq].get("held", 0),
            dropped=drops[entry.seq][0] if entry.seq in drops else 0,
        )
        for entry in entries
    ]


def _counts(counts: str) -> dict[str, int]:
    try:
        found = json.loads(counts)
    except ValueError:
        return {}
    return {kind: int(times) for kind, times in found.items()} if isinstance(found, dict) else {}
