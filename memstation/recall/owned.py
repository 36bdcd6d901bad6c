"""Which memories are facts of an agent, a flag each, kept between searches. It holds no text, and nothing of rank.

The index finds a word's memories fast, and slowly those of one agent among them: it walks through all that the agent
was told in between. For an agent with very many facts it is asked for the word alone, and what it finds is sifted here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from memstation.domain.instants import from_text
from memstation.read.kept import listed
from memstation.read.moments import head_of
from memstation.read.querying import IN_LIST, in_list, quick
from memstation.read.rows import PastMoment
from memstation.read.touched import last_row, touched
from memstation.recall.ranking import MOST_COUNTED
from memstation.recall.triples import newest_erasure, rows_of
from memstation.store.database import Snapshot
from memstation.store.text_index import label

Ints = NDArray[np.int64]

KEPT_FROM = MOST_COUNTED
"""Facts from which on it is worth to keep their flags."""

MOST_KEPT = 8
"""Agents whose flags are kept, those asked for last."""

_MOST_NEW = 20_000
_MOST_TOUCHED = 2_000
"""Memories told since, and older facts spoken of since, up to which flags are kept current; else they are made anew."""

_FACTS = "SELECT rowid AS n FROM memory_text WHERE memory_text MATCH ? AND rowid > ? AND rowid <= ?"
_STILL = f"SELECT n FROM memories WHERE n IN {IN_LIST} AND agent_id = ? AND role = 'fact'"


@dataclass(frozen=True, slots=True)
class Owned:
    """An agent's facts at one moment, closed ones too."""

    flags: NDArray[np.bool_]
    """By number; those behind the end are none."""

    def among(self, ns: Ints) -> Ints:
        """Those of these numbers that are facts of the agent, in their order."""
        inside = ns[ns < len(self.flags)]
        return inside[self.flags[inside]]

    def count_from(self, first: int, most: int) -> int:
        """How many there are from a number on, up to so many."""
        return min(most, int(np.count_nonzero(self.flags[first:])))


@dataclass(frozen=True, slots=True)
class _Kept:
    owned: Owned
    generation: int
    seq: int
    last: int
    """The newest memory of the store."""
    erased: int


class OwnedCache:
    """The facts of agents who have very many. Calls may come from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def current(self, conn: Snapshot, agent_id: str, generation: int, now: str, count: int) -> Owned | None:
        """The agent's facts; None where there are too few to be worth it.

        Args:
            conn: what is searched.
            agent_id: whose facts.
            generation: the agent's, in this snapshot.
            now: stored text.
            count: how many there were at last.
        """
        if count < KEPT_FROM:
            return None
        with self._lock:
            kept = self._kept.pop(agent_id, None)
            if kept is None or kept.generation != generation:
                kept = _renewed(conn, agent_id, generation, now, kept)
            self._kept[agent_id] = kept
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return kept.owned


def _renewed(conn: Snapshot, agent_id: str, generation: int, now: str, kept: _Kept | None) -> _Kept:
    head, erased = head_of(conn), newest_erasure(conn)
    last = last_row(conn, head)
    flags = None
    if kept is not None and kept.erased == erased and kept.seq <= head and last - kept.last <= _MOST_NEW:
        flags = _changed(conn, agent_id, kept, head, last, now)
    if flags is None:
        flags = np.zeros(last + 1, dtype=np.bool_)
        flags[_found(conn, agent_id, 0, last)] = True
    return _Kept(Owned(flags), generation, head, last, erased)


def _changed(conn: Snapshot, agent_id: str, kept: _Kept, head: int, last: int, now: str) -> NDArray[np.bool_] | None:
    """The flags with what was told since, and what became of older facts; None when too many were spoken of."""
    at = from_text(now)
    walked = touched(conn, agent_id, PastMoment(at, kept.seq, at), PastMoment(at, head, at), head).walked
    if len(walked) > _MOST_TOUCHED:
        return None
    flags = np.zeros(last + 1, dtype=np.bool_)
    flags[: len(kept.owned.flags)] = kept.owned.flags
    older = [n for n in rows_of(conn, walked) if n <= kept.last]
    flags[older] = False
    flags[[n for (n,) in quick(conn, _STILL, (in_list(older), agent_id))]] = True
    flags[_found(conn, agent_id, kept.last, last)] = True
    return flags


def _found(conn: Snapshot, agent_id: str, after: int, last: int) -> Ints:
    """The agent's facts in the index behind one number, up to another."""
    return ints(conn, _FACTS, (f'whose : "{label(agent_id, "fact")}"', after, last))


def ints(conn: Snapshot, sql: str, values: Sequence[object]) -> Ints:
    """The integers that a query gives under the name `n`, in its order."""
    joined = listed(conn, sql, values)
    return np.fromstring(joined, dtype=np.int64, sep=",") if joined else np.empty(0, dtype=np.int64)
