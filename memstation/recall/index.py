"""The text index as one search asks it: of one agent's memories alone, the newest first. It never writes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from memstation.read.querying import quick_one
from memstation.recall.owned import Ints, Owned, ints
from memstation.recall.ranking import MOST_COUNTED
from memstation.store.database import Snapshot
from memstation.store.text_index import label

_NEWEST = "SELECT rowid AS n FROM memory_text WHERE memory_text MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?"
_FROM = """SELECT count(*) FROM (
    SELECT rowid FROM memory_text WHERE memory_text MATCH ? AND rowid >= ? ORDER BY rowid DESC LIMIT ?)"""

_ALL = 2**63 - 1
_MOST_PAGES = 4
"""Of everybody's hits, before the index is asked for the agent's own."""


@dataclass(frozen=True, slots=True)
class Index:
    """An agent's part of it."""

    conn: Snapshot
    whose: str
    """The labels of what is looked through, as an FTS5 query."""
    owned: Owned | None = None
    """The same as flags, where they are kept."""

    def newest(self, match: str, limit: int, before: int = _ALL) -> Ints:
        """The newest so many memories that an FTS5 query finds, of those told before one (its number)."""
        if self.owned is not None:
            found = self._sifted(self.owned, match, limit, before)
            if found is not None:
                return found
        return ints(self.conn, _NEWEST, (f"{self.whose} AND {match}", before, limit))

    def _sifted(self, owned: Owned, match: str, limit: int, before: int) -> Ints | None:
        """The same from what everybody's memories hold; None where too few of these are the agent's own."""
        asked, ns = limit, ints(self.conn, _NEWEST, (match, before, limit))
        found = owned.among(ns)
        for _ in range(_MOST_PAGES):
            if len(found) >= limit or len(ns) < asked:
                return found[:limit]
            asked = min(limit, 64 + 4 * (limit - len(found)))
            ns = ints(self.conn, _NEWEST, (match, int(ns[-1]), asked))
            found = np.concatenate([found, owned.among(ns)])
        return None

    def count_from(self, first: int, most: int) -> int:
        """How many memories there are from a number on, up to so many."""
        if self.owned is not None:
            return self.owned.count_from(first, most)
        found = quick_one(self.conn, _FROM, (self.whose, first, most))
        return 0 if found is None else int(found[0])

    def count(self) -> int:
        """How many memories there are, counted up to `MOST_COUNTED`."""
        return self.count_from(0, MOST_COUNTED)


def facts_of(conn: Snapshot, agent_id: str, owned: Owned | None = None) -> Index:
    """An agent's facts, closed ones too."""
    return Index(conn, f'whose : "{label(agent_id, "fact")}"', owned)


def held_of(conn: Snapshot, agent_id: str) -> Index:
    """What is held of an agent's, and what was withdrawn."""
    return Index(conn, f'whose : "{label(agent_id, "held")}"')


def all_of(conn: Snapshot, agent_id: str) -> Index:
    """All that an agent was told."""
    return Index(conn, f'whose : ("{label(agent_id, "fact")}" OR "{label(agent_id, "held")}")')
