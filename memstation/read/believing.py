"""Everything that an agent believed at a moment, on one snapshot, for a report. It never writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from memstation.domain.instants import from_text, to_text
from memstation.domain.names import fold_name
from memstation.read import evidence
from memstation.read.comparing import FACTS_AT_ONCE
from memstation.read.log_rows import log_rows
from memstation.read.past import PastSource
from memstation.read.querying import IN_LIST, Values, ask, ask_one, in_list, quick
from memstation.read.records import moment
from memstation.read.rows import LogRow, PastMoment
from memstation.read.touched import Touched, apart
from memstation.read.walking import Held, Layouts
from memstation.store.database import Snapshot
from memstation.store.lines import batches

_NAMES = f"SELECT n, subject, predicate FROM memories WHERE n IN {IN_LIST}"
_ROWS = f"""SELECT m.n, m.id, m.subject, m.predicate, m.object, m.content, m.origin, m.seq, m.fact_key, m.line_key,
    m.valid_from, m.valid_until, m.origin_trust, m.asserted_from, m.asserted_until, j.at
    FROM memories AS m CROSS JOIN journal AS j ON j.seq = m.seq WHERE m.n IN {IN_LIST}"""
_HASH = "SELECT hash FROM journal WHERE seq = ?"


@dataclass(frozen=True, slots=True)
class Stated:
    """A memory as it was at a moment: believed, held or withdrawn."""

    n: int
    id: str
    subject: str | None
    predicate: str | None
    object: str | None
    content: str
    valid_from: datetime
    valid_until: datetime | None
    origin: str | None
    trust: float
    learned: datetime
    """When the decision that told it was taken."""
    seq: int
    """The decision that told it."""
    confirmations: int
    stamp: str = ""
    """What withdrew it; ``held`` where it waited for a person; empty where it was believed."""


@dataclass(frozen=True, slots=True)
class Head:
    """The newest entry of the journal, as evidence of what the report was made from."""

    row: LogRow
    hash: bytes


class Believing:
    """The beliefs of one agent at one moment. Valid as long as its snapshot is open."""

    def __init__(self, conn: Snapshot, source: PastSource, agent_id: str) -> None:
        self._conn = conn
        self._agent_id = agent_id
        self.moment: PastMoment
        self.moment, self._touched, self._numbers = source.at_once(conn)

    @property
    def count(self) -> int:
        """How many beliefs there are."""
        return len(self._numbers)

    @property
    def touched(self) -> Touched:
        """What was spoken of since the moment."""
        return self._touched

    def head(self, seq: int | None = None) -> Head | None:
        """The journal's entry with this number, or its newest; None when there is none."""
        found = ask_one(self._conn, "SELECT max(seq) AS seq FROM journal") if seq is None else None
        wanted = seq if found is None else found.seq
        rows = [] if not wanted else log_rows(self._conn, [wanted])
        hashed = ask_one(self._conn, _HASH, (wanted,))
        return None if not rows or hashed is None else Head(rows[0], hashed.hash)

    def beliefs(self) -> Iterator[Stated]:
        """Every belief: notes last, else by subject and predicate (folded), then by the order told."""
        names = quick(self._conn, _NAMES, (in_list(self._numbers),))
        for batch in batches([n for *_, n in sorted(map(_place, names))], FACTS_AT_ONCE):
            yield from self._stated(batch)

    def aside(self) -> Iterator[Stated]:
        """What was held or withdrawn then, in the order told."""
        walked = sorted(self._touched.walked)
        found: list[tuple[int, str, float]] = []
        for batch in batches(walked, FACTS_AT_ONCE):
            layouts = Layouts(self._conn, batch, self.moment.seq)
            for fact in batch:
                for row, judged in layouts.aside(fact, self.moment.seq):
                    trust = judged.own_trust(layouts.counts_for(row, self.moment.seq))
                    found.append((row.n, judged.event or "held", trust))
        sql, values = apart(self._agent_id, self._touched).whole()
        stored = quick(
            self._conn,
            f"""SELECT n, coalesce(invalidated_by_event, 'held'), origin_trust
                FROM memories INDEXED BY memories_learned WHERE {sql}""",
            values,
        )
        for part in batches(sorted([*found, *stored]), FACTS_AT_ONCE):
            rows = {row.n: row for row in ask(self._conn, _ROWS, (in_list(n for n, *_ in part),))}
            for n, stamp, trust in part:
                row = rows[n]
                window = from_text(row.asserted_from), moment(row.asserted_until)
                yield _stated(row, window, trust, 0, stamp)

    def _stated(self, ns: Sequence[int]) -> Iterator[Stated]:
        rows = {row.n: row for row in ask(self._conn, _ROWS, (in_list(ns),))}
        anew = {row.fact_key for row in rows.values()} & self._touched.walked
        held = self._held(sorted(anew))
        for n in ns:
            row = rows[n]
            if row.fact_key in anew:
                segment = held[n].segment
                window = from_text(segment.start), moment(segment.until)
                yield _stated(row, window, held[n].trust, len(segment.members) - 1)
                continue
            span = evidence.span_of(self._conn, row.line_key, row.valid_from, n)
            told = 0 if span is None else evidence.count_of(self._conn, span)
            yield _stated(row, (from_text(row.valid_from), moment(row.valid_until)), row.origin_trust, told)

    def _held(self, facts: Sequence[bytes]) -> dict[int, Held]:
        layouts = Layouts(self._conn, facts, self.moment.seq)
        at = to_text(self.moment.at)
        holding = (held for fact in facts for held in layouts.holding(fact, self.moment.seq, at))
        return {held.shown.n: held for held in holding}


def _place(names: tuple[int, str | None, str | None]) -> tuple[bool, str, str, int]:
    n, subject, predicate = names
    about, says = fold_name(subject or ""), fold_name(predicate or "")
    return (not about, about, says, n)


def _stated(
    row: Values, window: tuple[datetime, datetime | None], trust: float, confirmations: int, stamp: str = ""
) -> Stated:
    return Stated(
        row.n, row.id, row.subject, row.predicate, row.object, row.content, *window, row.origin, trust,
        from_text(row.at), row.seq, confirmations, stamp,
    )  # fmt: skip
