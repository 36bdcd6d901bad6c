"""Whether every row lies where the walk puts it: each line laid out anew and compared. It never writes."""

from __future__ import annotations

from collections import defaultdict

from memstation.domain.names import is_blank, line_key
from memstation.domain.origins import raises_trust
from memstation.domain.timeline import Segment, lay_out
from memstation.store import stubs
from memstation.store.checks.findings import MALFORMED, Findings
from memstation.store.folding import ERASED, MARK_SQL, MarkRow, fold, read_mark
from memstation.store.rows import ROW_SQL, Placed, Row, read_row
from memstation.store.rules import OriginTrusts, PredicateRules
from memstation.words import N_

_EVERY = 5_000
"""Rows between two questions whether to go on."""


def check_layout(findings: Findings, lifted: set[int]) -> None:
    """Lay every line out by the walk, and compare with what is stored.

    Args:
        findings: where problems go.
        lifted: the decisions that do not stand. Marks are held in memory, a line of rows at a time.
    """
    rules, origins = PredicateRules(findings.cursor), OriginTrusts(findings.cursor)
    marks: dict[int, list[MarkRow]] = defaultdict(list)
    for values in findings.rows(f"SELECT {MARK_SQL} FROM marks"):
        mark = read_mark(values)
        marks[mark.n].append(mark)
    lifted_at: dict[int, str] = {
        seq: at
        for seq, at in findings.rows(
            "SELECT l.seq, j.at FROM lifted AS l CROSS JOIN journal AS j ON j.seq = l.from_seq WHERE l.to_seq IS NULL"
        )
        if seq in lifted
    }
    line: list[Row] = []
    key: object = None
    for done, values in enumerate(findings.rows(f"SELECT {ROW_SQL} FROM memories ORDER BY line_key"), 1):
        row = read_row(values)
        if row.before is not None and row.before.line_key != key:
            key = row.before.line_key
            _compare(findings, line, rules, origins, marks, lifted_at)
            line = []
        line.append(row)
        if done % _EVERY == 0:
            findings.go_on()
    _compare(findings, line, rules, origins, marks, lifted_at)


def _compare(
    findings: Findings,
    line: list[Row],
    rules: PredicateRules,
    origins: OriginTrusts,
    marks: dict[int, list[MarkRow]],
    lifted_at: dict[int, str],
) -> None:
    try:
        expected = expected_places(line, rules, origins, marks, lifted_at)
    except MALFORMED:
        findings.say(
            N_("memory {n}: the line that it is on cannot be laid out"), n=", ".join(str(row.n) for row in line[:3])
        )
        return
    for row in line:
        if row.before != expected[row.n]:
            findings.say(N_("memory {n}: its place is not what the walk gives"), n=row.n)


def expected_places(
    line: list[Row],
    rules: PredicateRules,
    origins: OriginTrusts,
    marks: dict[int, list[MarkRow]],
    lifted_at: dict[int, str],
) -> dict[int, Placed]:
    """The places of all rows of one stored line, by the walk over the whole of it."""
    folds = {
        row.n: ERASED if row.before and row.before.role == stubs.ROLE else fold(marks[row.n], lifted_at.get(row.seq))
        for row in line
    }
    trusts = {
        row.n: row.asserted_trust
        if row.is_end
        else folds[row.n].own_trust(origins.told(row.agent_id, row.origin, row.asserted_trust))
        for row in line
    }
    by_n = {row.n: row for row in line}
    walking = [row for row in line if folds[row.n].part == "walks"]
    segments = lay_out(row.element() for row in walking)
    places: dict[int, Placed] = {}
    for row in line:
        state, start = folds[row.n], row.asserted_from
        if state.part == "erased":
            places[row.n] = stubs.place(row.agent_id, row.id)
            continue
        key = row.fact_key
        if rules.is_many(row.agent_id, row.predicate) and not (is_blank(row.subject) or is_blank(row.predicate)):
            key = line_key(row.fact_key, row.object_key, many=True)
        role: str = "end" if row.is_end else "silent"
        until: str | None = start
        stands, event, at = 1, None, None
        if state.part != "walks":
            role, stands, event, at = ("end" if row.is_end else state.part), 0, state.event, state.at
            until = row.asserted_until if role == "held" else start
        held = int(role == "held")
        places[row.n] = Placed(role, stands, None, key, start, until, None, None, trusts[row.n], event, at, held)
    for index, segment in enumerate(segments):
        before = segments[index - 1] if index else None
        after = segments[index + 1] if index + 1 < len(segments) else None
        _place_segment(places, by_n, trusts, segment, before, after)
    return places


def _place_segment(
    places: dict[int, Placed],
    rows: dict[int, Row],
    trusts: dict[int, float],
    segment: Segment,
    before: Segment | None,
    after: Segment | None,
) -> None:
    shown = segment.shown
    for n in segment.members:
        places[n].role, places[n].founds = "confirms", shown if n == segment.founder else None
    next_row = rows[after.shown] if after is not None and after.start == segment.until else None
    closing = next_row or (None if segment.ended_by is None else rows[segment.ended_by])
    place = places[shown]
    place.role = "fact"
    place.valid_from, place.valid_until = segment.start, segment.until
    place.superseded_by = None if next_row is None else next_row.id
    place.supersedes = rows[before.shown].id if before is not None and before.until == segment.start else None
    place.origin_trust = max([trusts[shown], *(trusts[n] for n in segment.members if raises_trust(rows[n].origin))])
    place.invalidated_by_event = None if closing is None else closing.source_event
    place.invalidated_at = None if closing is None else closing.ingested_at
