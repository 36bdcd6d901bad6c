"""Rows of `memories` as the ledger handles them. It must not read or write the store."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, TypeAlias

from memstation.domain.timeline import Element

Position: TypeAlias = tuple[str, bool, int]
"""(start, is a claim, n): the order of the walk; see `domain.timeline.Element.position`."""


@dataclass(slots=True)
class Placed:
    """What the walk says of a row: the columns `schema.PLACED_COLUMNS`, in that order."""

    role: str
    stands: int
    founds: int | None
    line_key: bytes
    valid_from: str
    valid_until: str | None
    superseded_by: str | None
    supersedes: str | None
    origin_trust: float
    invalidated_by_event: str | None
    invalidated_at: str | None
    quarantined: int

    def copy(self) -> Placed:
        """The same place, to be changed on its own."""
        return Placed(*self.as_tuple())  # type: ignore[arg-type]

    def as_tuple(self) -> tuple[object, ...]:
        """The values in the order of the columns."""
        return (
            self.role, self.stands, self.founds, self.line_key, self.valid_from, self.valid_until,
            self.superseded_by, self.supersedes, self.origin_trust, self.invalidated_by_event,
            self.invalidated_at, self.quarantined,
        )  # fmt: skip


@dataclass(slots=True)
class Row:
    """A claim or an end with what was told, its keys, and its place in the store (None before it is written)."""

    n: int
    id: str
    agent_id: str
    content: str
    tags: str
    subject: str | None
    predicate: str | None
    object: str | None
    origin: str | None
    source_event: str
    ingested_at: str
    seq: int
    fact_key: bytes
    object_key: bytes
    value_digest: bytes
    asserted_from: str
    asserted_until: str | None
    asserted_trust: float
    is_end: bool
    before: Placed | None

    @property
    def place(self) -> Placed:
        """Its place in the store; only of a row that is written."""
        assert self.before is not None
        return self.before

    @property
    def position(self) -> Position:
        """Where the row stands in the order of the walk."""
        return (self.asserted_from, not self.is_end, self.n)

    def element(self) -> Element:
        """The row as the walk sees it."""
        return Element(self.n, self.asserted_from, self.value_digest, self.asserted_until, self.is_end)


_TOLD = (
    "n", "id", "agent_id", "content", "tags", "subject", "predicate", "object", "origin", "source_event",
    "ingested_at", "seq", "fact_key", "object_key", "value_digest", "asserted_from", "asserted_until",
    "asserted_trust",
)  # fmt: skip

PLACED_NAMES = tuple(field.name for field in fields(Placed))
ROW_SQL = ", ".join(_TOLD + PLACED_NAMES)
"""The select list that `read_row` takes."""

_SPLIT = len(_TOLD)


def read_row(values: tuple[Any, ...]) -> Row:
    """Make a row from the columns of `ROW_SQL`."""
    placed = Placed(*values[_SPLIT:])
    return Row(*values[:_SPLIT], placed.role == "end", placed)  # type: ignore[call-arg]
