"""Everything about one fact: its record, its lanes, why it is believed, and what came of it. It never writes."""

from __future__ import annotations

from memstation.guard.shape import repaired
from memstation.read import evidence
from memstation.read.lanes import lane_of, lanes_around
from memstation.read.listing import Lister
from memstation.read.log_rows import log_rows
from memstation.read.querying import Values, ask, ask_one
from memstation.read.reads import reads_of
from memstation.read.records import RECORD_SQL, record_of, texts
from memstation.read.rows import FactDetail, FactRow
from memstation.store.database import Snapshot

SHOWN_CHILDREN = 50
"""Memories made from it that are shown, newest first."""

_ROW = f"SELECT {RECORD_SQL}, line_key, fact_key FROM memories WHERE n = ?"
_PARENTS = """SELECT n, id FROM memories WHERE n IN (SELECT parent_n FROM derived WHERE child_n = ?)
    ORDER BY n"""
_CHILDREN = "SELECT child_n FROM derived WHERE parent_n = ? ORDER BY child_n DESC LIMIT ?"
_MARKS = "SELECT kind, reason FROM marks WHERE n = ? AND stands = 1 ORDER BY seq, k"


def fact_detail(conn: Snapshot, n: int, now: str) -> FactDetail | None:
    """What is shown of the fact `n`; None when it is none. Evidence gives the fact that it confirms, with `asked`."""
    row = ask_one(conn, _ROW, (n,))
    asked = None
    if row is not None and row.role == "confirms":
        asked = row.id
        behind = evidence.fact_behind(conn, row.line_key, row.asserted_from, n)
        row = None if behind is None else ask_one(conn, _ROW, (behind,))
    if row is None or row.role not in ("fact", "held", "withdrawn"):
        return None
    return _detail(conn, row, now, asked)


def _detail(conn: Snapshot, row: Values, now: str, asked: str | None) -> FactDetail:
    span = evidence.span_of(conn, row.line_key, row.valid_from, row.n) if row.role == "fact" else None
    confirmations = () if span is None else evidence.newest(conn, span)
    record = record_of(row, now, confirmations, asked)
    lanes = lanes_around(conn, row.fact_key, row.asserted_from, row.n, now)
    made_from, unknown = sources_of(conn, row, now)
    children = [found.child_n for found in ask(conn, _CHILDREN, (row.n, SHOWN_CHILDREN))]
    marks = ask(conn, _MARKS, (row.n,))
    return FactDetail(
        record=record,
        lanes=lanes.lanes,
        confirmations=confirmations,
        confirmed=0 if span is None else evidence.count_of(conn, span),
        replaced=lane_of(conn, row.supersedes, now),
        replaced_by=lane_of(conn, row.superseded_by, now),
        made_from=made_from,
        unknown_sources=unknown,
        leads_to=tuple(Lister(conn, now).rows(children)),
        told=log_rows(conn, [row.seq])[0],
        marks=tuple(mark_words(mark.kind, mark.reason) for mark in marks),
        lanes_left_out=lanes.left_out,
        reads=reads_of(conn, [row.id], now),
    )


def mark_words(kind: str, reason: str) -> str:
    """A mark as it is shown: its kind, and its reason where it has one."""
    return f"{kind}: {reason}" if reason else kind


def sources_of(conn: Snapshot, row: Values, now: str) -> tuple[tuple[FactRow, ...], tuple[str, ...]]:
    """The memories that it was made from, whoever's they are, and the cited ids that are not here.

    For the operator: an agent is not to learn what another has.
    """
    parents = ask(conn, _PARENTS, (row.n,))
    known = {parent.id for parent in parents}
    unknown = tuple(dict.fromkeys(cited for cited in texts(row.derived_from) if cited not in known))
    return tuple(Lister(conn, now).rows(parent.n for parent in parents)), unknown


def n_of(conn: Snapshot, memory_id: str) -> int | None:
    """The number of the fact that an id stands for: its own, or for evidence that of the fact it confirms."""
    if repaired(memory_id) != memory_id:
        return None
    row = ask_one(conn, "SELECT n, role, line_key, asserted_from FROM memories WHERE id = ?", (memory_id,))
    if row is None or row.role in ("end", "silent", "erased"):
        return None
    if row.role == "confirms":
        return evidence.fact_behind(conn, row.line_key, row.asserted_from, row.n)
    return int(row.n)
