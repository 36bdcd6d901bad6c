"""The Timeline's filter for a list of the past: a row passes when either of its two beliefs does. It never writes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

from memstation.domain.errors import InvalidInput
from memstation.read.comparing import Pair, Side
from memstation.read.conditions import Condition
from memstation.read.filter import FILTER_TERMS, Ask, TimelineFilter
from memstation.read.grammar import Item
from memstation.read.querying import quick
from memstation.store.database import Snapshot

_AS_BELIEVED = """(SELECT m.n, m.id, m.agent_id, m.subject, m.predicate, m.object, m.content, m.object_key, m.origin,
        m.tags, m.layer, m.role, side.value ->> 1 AS valid_from, side.value ->> 2 AS origin_trust
    FROM json_each(?) AS side CROSS JOIN memories AS m ON m.n = side.value ->> 0) AS memories"""
"""Rows with the start and the trust that they were believed to have; a filter's condition reads no other columns."""


def _no_state(_items: Sequence[Item]) -> Ask:
    raise InvalidInput(
        "{term}: is no term of a list of the past", "such a list shows what was believed, nothing held or closed",
        "leave it out", term="state",
    )  # fmt: skip


PAST_TERMS = tuple(replace(term, read=_no_state) if term.name == "state" else term for term in FILTER_TERMS)


class PastFilter:
    """A filter that was read.

    Raises:
        InvalidInput: it cannot be read.
    """

    def __init__(self, text: str, agent_id: str) -> None:
        self._filter = TimelineFilter(text, agent_id, PAST_TERMS)

    @property
    def is_empty(self) -> bool:
        """Whether it lets everything through."""
        return self._filter.is_empty

    def stored(self) -> Condition:
        """What must be true of a row that is believed as it is stored; the connection must know `names.teach`."""
        return self._filter.condition("")

    def passing(self, conn: Snapshot, pairs: Sequence[Pair]) -> list[Pair]:
        """The pairs of which either belief passes."""
        if self.is_empty or not pairs:
            return list(pairs)
        passed = [self._passing(conn, [pair.then for pair in pairs]), self._passing(conn, [pair.now for pair in pairs])]
        return [
            pair
            for pair in pairs
            if any(side is not None and side.n in ns for side, ns in zip((pair.then, pair.now), passed, strict=True))
        ]

    def _passing(self, conn: Snapshot, sides: Iterable[Side | None]) -> set[int]:
        believed = json.dumps([[side.n, side.start, side.trust] for side in sides if side is not None])
        sql, values = self.stored().whole()
        return {n for (n,) in quick(conn, f"SELECT n FROM {_AS_BELIEVED} WHERE {sql}", (believed, *values))}
