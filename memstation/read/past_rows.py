"""The rows of a comparison with the past, made a page at a time. It never writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memstation.domain.instants import from_text, to_text
from memstation.domain.memory import FactRecord
from memstation.read.belief import record_then
from memstation.read.causes import Why, why
from memstation.read.comparing import Pair, Side, fact_of, key_text, walked
from memstation.read.listing import Lister
from memstation.read.log_rows import log_rows
from memstation.read.querying import IN_LIST, in_list, quick
from memstation.read.records import moment
from memstation.read.rows import FactRow, PastDetail, PastMoment, PastRow
from memstation.read.walking import Layouts
from memstation.store.database import Snapshot

SHOWN_DECISIONS = 50

_FACTS = f"""SELECT n, fact_key, object_key, line_key <> fact_key, agent_id FROM memories WHERE n IN {IN_LIST}"""


class Rows:
    """Makes the rows of one comparison on one snapshot."""

    def __init__(self, conn: Snapshot, then: PastMoment, now: PastMoment) -> None:
        self._conn = conn
        self._then = then
        self._now = now
        self._lister = Lister(conn, to_text(now.at))

    def of(self, ns: Sequence[int]) -> dict[int, PastRow]:
        """The rows whose belief that is shown is one of these, laid out anew, each with its cause."""
        facts = list({fact for _, fact, *_ in quick(self._conn, _FACTS, (in_list(ns),))})
        layouts = Layouts(self._conn, facts, self._now.seq)
        wanted = set(ns)
        pairs = [pair for pair in walked(layouts, facts, self._then, self._now) if pair.shown.n in wanted]
        return {pair.shown.n: row for pair, row in zip(pairs, self._rows(layouts, pairs), strict=True)}

    def alike(self, ns: Sequence[int]) -> dict[int, PastRow]:
        """The rows of facts that nothing touched: stored as they are believed at both moments."""
        keys = {
            n: key_text(fact, object_key if many else None)
            for n, fact, object_key, many, _ in quick(self._conn, _FACTS, (in_list(ns),))
        }
        rows = {}
        for found in self._lister.rows(ns):
            fact = replace(found, state="current")
            rows[fact.n] = PastRow(
                keys[fact.n], "same", fact.agent_id, fact.subject, fact.predicate, fact, fact, None, None
            )  # fmt: skip
        return rows

    def detail(self, agent_id: str, key: str) -> PastDetail | None:
        """All about the row with this key; None when the agent has no such fact, or believed nothing of it."""
        fact = fact_of(key)
        if fact is None:
            return None
        layouts = Layouts(self._conn, [fact], self._now.seq)
        told = layouts.rows_of(fact)
        if not told or told[0].agent_id != agent_id:
            return None
        pairs = [pair for pair in walked(layouts, [fact], self._then, self._now) if pair.key == key]
        if not pairs:
            return None
        touching = layouts.touching(self._then.seq).get(fact, [])
        return PastDetail(
            row=self._rows(layouts, pairs)[0],
            then=self._record(pairs[0].then, self._then),
            now=self._record(pairs[0].now, self._now),
            decisions=tuple(log_rows(self._conn, touching[-SHOWN_DECISIONS:])),
            withdrawn=_withdrawn(layouts, pairs[0], self._now.seq),
        )

    def _record(self, side: Side | None, at: PastMoment) -> FactRecord | None:
        held = None if side is None else side.held
        return None if held is None else record_then(self._conn, held, to_text(at.at))

    def _rows(self, layouts: Layouts, pairs: Sequence[Pair]) -> list[PastRow]:
        sides = [side for pair in pairs for side in (pair.then, pair.now) if side is not None]
        found = {row.n: row for row in self._lister.rows({side.n for side in sides})}
        touching = layouts.touching(self._then.seq) if pairs else {}
        causes = [
            Why() if pair.kind == "same" else why(layouts, pair, touching[pair.fact], self._then, self._now)
            for pair in pairs
        ]
        decisions = {row.seq: row for row in log_rows(self._conn, [c.seq for c in causes if c.seq is not None])}
        rows = []
        for pair, cause in zip(pairs, causes, strict=True):
            shown = found[pair.shown.n]
            decision = None if cause.seq is None else decisions[cause.seq]
            rows.append(
                PastRow(
                    key=pair.key,
                    kind=pair.kind,
                    agent_id=shown.agent_id,
                    subject=shown.subject,
                    predicate=shown.predicate,
                    then=_as_believed(pair.then, found),
                    now=_as_believed(pair.now, found),
                    since=cause.since if decision is None else decision.at,
                    cause=decision,
                )
            )
        return rows


def _as_believed(side: Side | None, found: dict[int, FactRow]) -> FactRow | None:
    if side is None or side.held is None:
        return None
    return replace(
        found[side.n],
        state="current",
        tainted=side.held.is_tainted,
        valid_from=from_text(side.start),
        valid_until=moment(side.held.segment.until),
        trust=side.trust,
        many=side.is_many,
    )


def _withdrawn(layouts: Layouts, pair: Pair, seq: int) -> str:
    """The stamp of what withdrew the belief that is gone."""
    if pair.now is not None or pair.then is None:
        return ""
    for row, judged in layouts.aside(pair.fact, seq):
        if row.n == pair.then.n and judged.part == "withdrawn":
            return judged.event or ""
    return ""
