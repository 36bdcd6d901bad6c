"""A past in memory for the station: five differences from now among many beliefs, whatever the moment."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from memstation.domain.errors import InvalidInput, MemstationError
from memstation.domain.memory import FactRecord
from memstation.read.rows import FactRow, PastDetail, PastMoment, PastRow

from station.fakes import NOW, FakeEngine, FakeReader, ListSource, entry, fact

FIRST = datetime(2026, 1, 1, 9, 0, tzinfo=UTC)
"""When #1 was taken."""


def at(day: int, hour: int = 0, minute: int = 0, month: int = 4) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


def belief(n: int, predicate: str, kind: str, then: str | None, now: str | None, **changes: Any) -> PastRow:
    """A row of a comparison about the user."""
    old = None if then is None else fact(n, predicate=predicate, object=then, origin="user_direct", trust=1.0,
                                         valid_from=at(2, month=2))  # fmt: skip
    new = None if now is None else fact(n + 1000, predicate=predicate, object=now, origin="channel:line/7", trust=0.3,
                                        valid_from=at(11))  # fmt: skip
    row = PastRow(key=f"k{n}", kind=kind, agent_id="dudu", subject="user", predicate=predicate, then=old, now=new,
                  since=None, cause=None)  # type: ignore[arg-type] # fmt: skip
    return replace(row, **changes)


def the_differences() -> list[PastRow]:
    """Those of the wireframes; one that only time made."""
    denied = entry(408, at=at(13, 18, 1), actor="operator", kind="retract", facts=0, closed=2,
                   reason="a poisoned channel", summary="user deploy_owner @ops_helper")  # fmt: skip
    told = entry(410, at=at(14, 7, 31), summary="user standup_time 09:30")
    raised = entry(402, at=at(10, 8, 0), actor="operator", kind="store", summary="user prefers_editor Helix")
    helix = fact(31, predicate="prefers_editor", object="Helix", origin="channel:line/7", trust=0.3)
    return [
        belief(10, "standup_time", "changed", "10:00", "09:30", since=told.at, cause=told),
        belief(20, "deploy_owner", "gone", "@ops_helper", None, since=denied.at, cause=denied),
        belief(25, "budget_cap", "new", None, "USD 400", since=at(11, 9), cause=entry(404, at=at(11, 9))),
        replace(belief(30, "prefers_editor", "changed", None, None, since=raised.at, cause=raised),
                then=helix, now=replace(helix, trust=1.0)),
        belief(40, "trial_plan", "gone", "Pro", None, since=at(12)),
    ]  # fmt: skip


def record(row: FactRow) -> FactRecord:
    """A row's record, as far as a detail shows it."""
    learned = at(2, 8, month=2) if row.n < 1000 else at(14, 7, 31)
    return FactRecord(
        id=row.id, agent_id=row.agent_id, content=row.content, timestamp=learned, tags=(), created_at=learned,
        layer="semantic", importance=5.0, access_count=0, last_accessed=None, source_event="",
        valid_from=row.valid_from, valid_until=row.valid_until,
        superseded_by=None, supersedes=None, subject=row.subject, predicate=row.predicate,
        object=row.object, confidence=1.0, metadata={}, origin=row.origin, origin_trust=row.trust, derived_from=(),
        ingested_at=learned, invalidated_by_event=None, invalidated_at=None, quarantined=False, n=row.n, seq=1,
        role="fact", asserted_from=row.valid_from, asserted_until=None, asserted_trust=row.trust, state="current",
    )  # fmt: skip


class HeldSource(ListSource):
    """A comparison that may take as long as a test wants."""

    def __init__(self, rows: Sequence[PastRow], go: threading.Event) -> None:
        super().__init__(rows, key=lambda row: (row.now or row.then).n)
        self.go = go

    def head(self) -> list[Any]:
        self.go.wait(60)
        return super().head()


class PastReader(FakeReader):
    """A reader that has a past."""

    def __init__(self, engine: FakeEngine, rows: Sequence[PastRow] | None = None, same: int = 3) -> None:
        super().__init__(engine)
        self.rows = list(the_differences() if rows is None else rows)
        self.rows += [belief(9000 - n, f"fact_{n}", "same", f"v{n}", f"v{n}") for n in range(same)]
        self.queries: list[Any] = []
        self.sources: list[ListSource] = []
        self.go = threading.Event()
        """While it is cleared, no moment and no head of a list is answered."""
        self.go.set()
        self.past_error: MemstationError | None = None

    def past(self, query: Any) -> ListSource:
        if query.filter_text.startswith("bad:"):
            raise InvalidInput("This filter cannot be read", "there is no field 'bad'", "try about:user")
        self.queries.append(query)
        rows = [row for row in self.rows if not (query.only_differences and row.kind == "same")]
        text = query.filter_text.casefold()
        rows = [row for row in rows if text in f"{row.subject} {row.predicate}".casefold()]
        source = HeldSource(rows, self.go)
        source.error = self.past_error
        self.sources.append(source)
        return source

    def past_moment(self, query: Any) -> PastMoment:
        self._check()
        self.go.wait(60)
        known = query.known_at
        if isinstance(known, int):
            return PastMoment(query.at or NOW, known, NOW)
        return PastMoment(query.at or NOW, 414 if known is None else 398, known or NOW)

    def past_detail(self, agent_id: str, key: Any, query: Any) -> PastDetail | None:
        self._check()
        row = next((row for row in self.rows if row.key == key), None)
        if row is None:
            return None
        then, now = (None if side is None else record(side) for side in (row.then, row.now))
        decisions = () if row.cause is None else (row.cause,)
        return PastDetail(row, then, now, decisions, "retracted" if row.kind == "gone" and row.cause else "")

    def timeline(self, query: Any) -> ListSource:
        rows = [fact(n, agent_id=query.agent_id, predicate=f"fact_{n}") for n in range(3)]
        return ListSource(rows, key=lambda row: row.n)

    def fact(self, n: int) -> None:
        return None


def past_engine(rows: Sequence[PastRow] | None = None, same: int = 3) -> Any:
    """A store in memory with a past; its first decision was taken on `FIRST`."""
    engine = FakeEngine()
    engine.log[-1] = replace(engine.log[-1], at=FIRST)
    engine.reader = PastReader(engine, rows, same)
    return engine
