"""Stores for the tests of this room: opened by the ledger, told by raw statements, read by a Reader."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memstation.domain.decisions import Applied, Claim, Decision, End, Mark, Order, Statement
from memstation.read.reader import Reader
from memstation.store.database import Database
from memstation.store.ledger import Ledger
from memstation.store.opening import open_database

START = datetime(2026, 4, 1, 9, tzinfo=UTC)


def day(text: str | datetime) -> str:
    """Stored text of a day as in ``04-01`` (of 2026), or of an instant."""
    moment = text if isinstance(text, datetime) else datetime.fromisoformat(f"2026-{text}").replace(tzinfo=UTC)
    return moment.isoformat(timespec="microseconds")


@dataclass
class Store:
    """An open store, its clock, and a reader on it."""

    database: Database
    now: datetime = START
    made: int = 0
    told: list[Decision] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.database, self.clock)
        self.reader = Reader(self.database, self.clock)

    def clock(self) -> datetime:
        return self.now

    def advance(self, **span: float) -> None:
        self.now += timedelta(**span)

    def apply(self, *statements: Statement, **more: Any) -> Applied:
        more = {"kind": "store", "actor": "agent", "agent_id": "dudu", **more}
        return self.ledger.apply(Decision(statements=statements, **more))

    def claim(self, value: str | None, start: str | None = None, until: str | None = None, **more: Any) -> Claim:
        """A claim that user's city is `value`, unless told otherwise."""
        self.made += 1
        names = {"id": f"m_{self.made:04d}", "agent_id": "dudu", "subject": "user", "predicate": "city", **more}
        names.setdefault("content", f"{names['subject']} {names['predicate']} {value}")
        return Claim(
            object=value,
            asserted_from=None if start is None else day(start),
            asserted_until=None if until is None else day(until),
            **names,
        )

    def tell(self, value: str | None, start: str | None = None, until: str | None = None, **more: Any) -> str:
        """Tell one such claim in a decision of its own; returns its id."""
        claim = self.claim(value, start, until, **more)
        self.apply(claim, agent_id=claim.agent_id)
        return claim.id

    def hold(self, value: str, start: str | None = None, **more: Any) -> str:
        """Tell a claim that is held at once."""
        claim = self.claim(value, start, **more)
        self.apply(claim, Mark(claim.id, "held", "burst"), agent_id=claim.agent_id)
        return claim.id

    def mark(self, memory_id: str, kind: Any, reason: str = "", value: float | None = None) -> Applied:
        return self.apply(Mark(memory_id, kind, reason, value), kind="retract", actor="operator")

    def end(self, claim: Claim, at: str, **more: Any) -> Applied:
        """Tell that a claim's value stops to hold on a day."""
        self.made += 1
        end = End(
            f"m_{self.made:04d}", claim.agent_id, day(at), claim.subject, claim.predicate, claim.object,
            claim.content, claim.id, "operator", "ended",
        )  # fmt: skip
        return self.apply(end, **{"kind": "end", "actor": "operator", "agent_id": claim.agent_id, **more})

    def many(self, predicate: str = "city", agent: str = "dudu", verdict: str = "many") -> Applied:
        order = Order("predicate", verdict, agent, predicate=predicate)
        return self.apply(order, kind="predicate", actor="operator", agent_id=agent)

    def undo(self, seq: int) -> Applied:
        return self.ledger.undo(seq, "operator")


@contextmanager
def open_store(path: Path) -> Iterator[Store]:
    database = open_database(path)
    try:
        yield Store(database)
    finally:
        database.close()
