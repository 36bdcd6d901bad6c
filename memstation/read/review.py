"""What is held: the queue, one memory with all that a verdict needs, what was decided. It never writes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from memstation.domain.holding import REMINDED_AT
from memstation.domain.instants import from_text, to_text
from memstation.domain.memory import FactRecord
from memstation.read.detail import sources_of
from memstation.read.listing import Lister
from memstation.read.log_rows import ENTRY_SQL, from_entries, log_rows
from memstation.read.querying import IN_LIST, ask, ask_one, in_list, quick, quick_one
from memstation.read.records import RECORD_SQL, moment, record_of
from memstation.read.review_rows import HeldRow, HoldWhy, ReviewCounts
from memstation.read.rows import CONTENT_SHOWN, FactRow, LogRow
from memstation.store.database import Snapshot

MOST = 20_000
"""Held memories that are read at once: a queue is worked off from its head."""

VERDICTS = ("approve", "deny", "edit", "hold", "extend", "bring_back")
"""Kinds of decision that a person takes about what is held."""

LOOKED_BACK = 100_000
"""Decisions among which somebody's own newest verdicts are looked for: there is no index by actor."""

BLOCKED = "blocked_origin"

_SHOWN_AT = """SELECT founder.founds FROM memories AS founder INDEXED BY memories_founders
    WHERE founder.line_key = m.line_key AND founder.founds IS NOT NULL
      AND (founder.asserted_from, founder.n) <= (m.asserted_from, m.n)
    ORDER BY founder.asserted_from DESC, founder.n DESC LIMIT 1"""
_CLOSES = f"""(SELECT coalesce(shown.object, substr(shown.content, 1, 200)) FROM memories AS shown
    WHERE shown.n = ({_SHOWN_AT}) AND shown.value_digest <> m.value_digest
      AND (shown.valid_until IS NULL OR shown.valid_until > m.asserted_from))"""
_ROW = f"""a.n, m.id, m.agent_id, m.subject, m.predicate, m.object, substr(m.content, 1, {CONTENT_SHOWN}), m.origin,
    m.origin_trust, a.status, m.asserted_from, a.deadline, a.hits, {_CLOSES}"""
_PENDING = f"""SELECT {_ROW} FROM approvals AS a CROSS JOIN memories AS m ON m.n = a.n
    WHERE a.status = 'pending' AND (a.deadline IS NULL OR a.deadline > ?) AND (? IS NULL OR m.agent_id = ?)
    ORDER BY m.origin_trust, a.deadline IS NULL, a.deadline, a.n LIMIT {MOST}"""
_LAPSED = f"""SELECT {_ROW} FROM approvals AS a CROSS JOIN memories AS m ON m.n = a.n
    WHERE (a.status = 'lapsed' OR a.status = 'pending' AND a.deadline <= ?) AND (? IS NULL OR m.agent_id = ?)
    ORDER BY a.n DESC LIMIT {MOST}"""
_ONE = f"SELECT {_ROW} FROM memories AS m JOIN approvals AS a ON a.n = m.n WHERE m.id = ?"
_MARKS = f"""SELECT n, seq, kind, reason, value, at FROM marks
    WHERE n IN {IN_LIST} AND stands = 1 AND kind IN ('held', 'released', 'denied', 'lapsed') ORDER BY n, seq, k"""
_DECIDED = f"SELECT seq, actor, at FROM journal WHERE seq IN {IN_LIST}"
_WAITING = """SELECT a.n, a.deadline FROM approvals AS a CROSS JOIN memories AS m ON m.n = a.n
    WHERE a.status = 'pending' AND (a.deadline IS NULL OR a.deadline > ?) AND (? IS NULL OR m.agent_id = ?)"""
_LAPSED_COUNT = """SELECT count(*) FROM approvals AS a CROSS JOIN memories AS m ON m.n = a.n
    WHERE (a.status = 'lapsed' OR a.status = 'pending' AND a.deadline <= ?) AND (? IS NULL OR m.agent_id = ?)"""
_RECORD = f"SELECT {RECORD_SQL} FROM memories WHERE n = ?"
_TWINS = """SELECT count(*) FROM memories INDEXED BY memories_fact WHERE fact_key = ? AND value_digest = ?
    AND quarantined = 1 AND n <> ?"""
_VERDICTS = f"""SELECT {ENTRY_SQL} FROM journal WHERE seq > (SELECT max(seq) FROM journal) - {LOOKED_BACK}
    AND kind IN ({", ".join(repr(kind) for kind in VERDICTS)}) AND actor = ? ORDER BY seq DESC LIMIT ?"""


@dataclass(slots=True)
class _Held:
    """The marks on one memory that say that and why it is held, and what was decided."""

    reason: str = ""
    version: int = 0
    seconds: float | None = None
    at: str = ""
    answer: int | None = None


@dataclass(frozen=True, slots=True)
class HeldParts:
    """What a card shows that is read here; effects and the scan come from other rooms."""

    row: HeldRow
    record: FactRecord
    holds: FactRecord | None
    why: HoldWhy
    made_from: tuple[FactRow, ...]
    unknown_sources: tuple[str, ...]
    twins: int
    told: LogRow


def queue(conn: Snapshot, agent_id: str | None, now: str, *, lapsed: bool = False) -> list[HeldRow]:
    """What waits, the weakest trust first, then what runs out first; or what ran out, the newest first.

    Args:
        conn: a reading connection.
        agent_id: of one agent only; None for all.
        now: the present as stored text; what has run out by then lapses with the next sweep, and waits no more.
        lapsed: what ran out undecided instead.
    """
    return _rows(conn, quick(conn, _LAPSED if lapsed else _PENDING, (now, agent_id, agent_id)))


def counts(conn: Snapshot, agent_id: str | None, now: str) -> ReviewCounts:
    """How many wait, by how pressing they are."""
    waiting = quick(conn, _WAITING, (now, agent_id, agent_id))
    marks = _marks(conn, (n for n, _ in waiting))
    tonight = to_text(from_text(now).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1))
    blocked = due = urgent = 0
    soonest: str | None = None
    for n, deadline in waiting:
        held = marks.get(n, _Held())
        if held.reason == BLOCKED:
            blocked += 1
            continue
        if deadline is None:
            continue
        due += deadline < tonight
        urgent += is_urgent(from_text(deadline), held.seconds, from_text(now))
        soonest = deadline if soonest is None else min(soonest, deadline)
    ((gone,),) = quick(conn, _LAPSED_COUNT, (now, agent_id, agent_id))
    return ReviewCounts(len(waiting) - blocked, blocked, due, urgent, gone, moment(soonest))


def is_urgent(deadline: datetime, seconds: float | None, now: datetime) -> bool:
    """Whether two thirds of the time that a held memory was given have gone by."""
    return seconds is not None and (deadline - now).total_seconds() <= seconds * (1 - REMINDED_AT)


def parts_of(conn: Snapshot, memory_id: str, now: str) -> HeldParts | None:
    """One memory that is or was held; None when there is no such one."""
    rows = _rows(conn, quick(conn, _ONE, (memory_id,)))
    if not rows:
        return None
    (row,) = rows
    columns = ask_one(conn, f"SELECT {RECORD_SQL}, fact_key, value_digest FROM memories WHERE n = ?", (row.n,))
    assert columns is not None
    made_from, unknown = sources_of(conn, columns, now)
    twins = quick_one(conn, _TWINS, (columns.fact_key, columns.value_digest, row.n))
    return HeldParts(
        row=row,
        record=record_of(columns, now),
        holds=_holds(conn, row.n, now),
        why=_why(conn, row, now),
        made_from=made_from,
        unknown_sources=unknown,
        twins=0 if twins is None else int(twins[0]),
        told=log_rows(conn, [columns.seq])[0],
    )


def verdicts(conn: Snapshot, actor: str, limit: int) -> list[LogRow]:
    """Somebody's newest verdicts, newest first, those taken back among them."""
    return from_entries(conn, ask(conn, _VERDICTS, (actor, limit)))


def _rows(conn: Snapshot, found: Sequence[tuple[Any, ...]]) -> list[HeldRow]:
    marks = _marks(conn, (values[0] for values in found))
    decided = {seq for held in marks.values() if (seq := held.answer) is not None}
    by = {seq: (actor, at) for seq, actor, at in quick(conn, _DECIDED, (in_list(decided),))} if decided else {}
    return [_row(values, marks.get(values[0], _Held()), by) for values in found]


def _row(values: tuple[Any, ...], held: _Held, by: dict[int, tuple[str, str]]) -> HeldRow:
    n, id_, agent, subject, predicate, object_, content, origin, trust, status, start, deadline, hits, closes = values
    decided = None if held.answer is None else by.get(held.answer)
    return HeldRow(
        n=n, id=id_, version=held.version, agent_id=agent, subject=subject, predicate=predicate, object=object_,
        content=content, origin=origin, trust=trust, reason=held.reason, status=status, valid_from=from_text(start),
        created_at=from_text(held.at or start), deadline=moment(deadline), seconds=held.seconds, hits=hits,
        closes=closes or "", decided_at=None if decided is None else from_text(decided[1]),
        decided_by="" if decided is None else decided[0], decided_seq=held.answer,
    )  # fmt: skip


def _marks(conn: Snapshot, ns: Iterable[int]) -> dict[int, _Held]:
    found: dict[int, _Held] = {}
    for n, seq, kind, reason, value, at in quick(conn, _MARKS, (in_list(ns),)):
        held = found.setdefault(n, _Held())
        if kind == "held":
            found[n] = _Held(reason, seq, value, held.at or at)
        else:
            held.answer = seq
    return found


def _holds(conn: Snapshot, n: int, now: str) -> FactRecord | None:
    """What holds at the start of a held memory."""
    found = quick_one(conn, f"SELECT ({_SHOWN_AT}), m.asserted_from FROM memories AS m WHERE m.n = ?", (n,))
    row = None if found is None or found[0] is None else quick_one(conn, _RECORD, (found[0],))
    record = None if row is None else record_of(row, now)
    if record is None or found is None:
        return None
    start = from_text(found[1])
    return record if record.valid_until is None or record.valid_until > start else None


def _why(conn: Snapshot, row: HeldRow, now: str) -> HoldWhy:
    found = quick_one(conn, "SELECT detail FROM events WHERE n = ? ORDER BY seq DESC, k DESC LIMIT 1", (row.n,))
    detail = json.loads(found[0]) if found is not None else {}
    if not isinstance(detail, dict) or detail.get("reason") != row.reason:
        return HoldWhy(row.reason)
    rejected = detail.get("rejected_seq")
    by = log_rows(conn, [rejected]) if isinstance(rejected, int) else []
    return HoldWhy(
        reason=row.reason,
        also=tuple(detail.get("also", ())),
        rules=tuple(detail.get("rules", ())),
        count=detail.get("count"),
        limit=detail.get("limit"),
        window_seconds=detail.get("window"),
        earlier=_in_use(conn, detail.get("earlier", ()), now),
        rejected_by=by[0] if by else None,
    )


def _in_use(conn: Snapshot, ids: Sequence[str], now: str) -> tuple[FactRow, ...]:
    sql = f"SELECT n FROM memories WHERE id IN {IN_LIST} AND role IN ('fact', 'confirms') ORDER BY n"
    ns = [n for (n,) in quick(conn, sql, (in_list(ids),))] if ids else []
    return tuple(Lister(conn, now).rows(ns))
