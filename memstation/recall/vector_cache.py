"""An agent's vectors as they are kept between searches, and which of them hold. It holds nothing beyond the store.

What is kept is good while the agent's generation and the newest vector are those it was made at, no fact has started
or ended since, and nothing was erased; all of that is in the store, so that another process's write counts as well.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from memstation.read.kept import numbers
from memstation.read.moments import head_of
from memstation.read.querying import IN_LIST, in_list, quick, quick_one
from memstation.recall.embedding import Model, Rows
from memstation.recall.triples import generation_of, next_boundary, touched_rows
from memstation.recall.vectors import VectorRows
from memstation.store.database import Snapshot
from memstation.store.schema import SHOWN_ROLES

MOST_BYTES = 256 << 20
"""Of more vectors of an agent's memories the newest are searched: 131,072 of 512 numbers, 262,144 of 256."""

MOST_KEPT = 2 * MOST_BYTES
"""All that is kept, of the agents asked for last."""

_AT_ONCE = 4_000
_MOST_TOUCHED = 2_000
_HOLDS = f"{SHOWN_ROLES} AND role = 'fact' AND valid_from <= ? AND (valid_until IS NULL OR ? < valid_until)"
_HOLDING = f"SELECT n FROM memories INDEXED BY memories_page WHERE agent_id = ? AND {_HOLDS}"
_SOME_HOLDING = f"SELECT n FROM memories WHERE n IN {IN_LIST} AND agent_id = ? AND {_HOLDS}"
_OF = "model = ? AND agent_id = ? AND dim = ? AND length(vector) = 4 * dim"
_NEWEST = f"""SELECT n, vector FROM memory_embedding INDEXED BY memory_embedding_key
    WHERE {_OF} AND n < ? ORDER BY n DESC LIMIT ?"""
_LATER = f"SELECT n, vector FROM memory_embedding WHERE {_OF} AND id > ? ORDER BY id"
_NAMES = f"SELECT entity, vector FROM entity_embedding WHERE {_OF} AND id > ? ORDER BY id"
_STAMP = """SELECT (SELECT max(id) FROM memory_embedding), (SELECT max(id) FROM entity_embedding),
    (SELECT max(seq) FROM erased)"""


def holding_at(conn: Snapshot, agent_id: str, at: str) -> NDArray[np.int64]:
    """The numbers of an agent's facts that hold at an instant (stored text), as known today, in order."""
    return np.sort(np.asarray(numbers(conn, _HOLDING, (agent_id, at, at)), dtype=np.int64))


@dataclass(frozen=True, slots=True)
class View:
    """The vectors of an agent's memories, and which may be answered with."""

    rows: VectorRows[int]
    allowed: NDArray[np.bool_] | None
    """Of each row that was there, whether it holds; None where that is not known."""
    lacking: int = 0
    """Memories that hold and have no vector among these."""

    def nearest(self, vector: Rows, count: int) -> list[int]:
        """The numbers of the nearest memories, the nearest first."""
        return [n for n, _ in self.rows.nearest(vector, count, self.allowed)]


@dataclass(slots=True)
class Kept:
    """Vectors and what they were made at."""

    model: Model
    stamp: tuple[int, int, int]
    """The newest vector of a memory, that of a name, the newest erasure."""
    rows: VectorRows[int]
    names: VectorRows[str] | None = None
    """Read once they are asked for."""
    names_up_to: int = 0
    generation: int = -1
    seq: int = 0
    at: str = ""
    boundary: str = ""
    holding: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    allowed: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, dtype=np.bool_))

    @property
    def size(self) -> int:
        """Bytes of memory that it takes."""
        return self.rows.size + (0 if self.names is None else self.names.size)


class VectorCache:
    """The vectors of a store's agents. Calls may come from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[str, Kept] = OrderedDict()

    def present(self, conn: Snapshot, agent_id: str, model: Model, at: str) -> View:
        """The vectors of what holds at the present (stored text)."""
        with self._lock:
            kept = self._read(conn, agent_id, model)
            generation = generation_of(conn, agent_id)
            is_held = kept.generation == generation and kept.at <= at < kept.boundary
            if not is_held:
                _look_again(conn, agent_id, kept, generation, at)
            if not is_held or len(kept.allowed) != len(kept.rows):
                kept.allowed = among(kept.rows, kept.holding)
            lacking = len(kept.holding) - int(np.count_nonzero(kept.allowed))
            return View(kept.rows, kept.allowed, lacking)

    def past(self, conn: Snapshot, agent_id: str, model: Model, at: str | None) -> View:
        """The same of what held at another instant, as known today; all that there are where it is None."""
        with self._lock:
            rows = self._read(conn, agent_id, model).rows
            if at is None:
                return View(rows, None)
            holding = holding_at(conn, agent_id, at)
            allowed = among(rows, holding)
            return View(rows, allowed, len(holding) - int(np.count_nonzero(allowed)))

    def near_names(
        self, conn: Snapshot, agent_id: str, model: Model, vector: Rows, count: int, is_there: Callable[[str], bool]
    ) -> list[str]:
        """The names nearest to a query of those that are there, the nearest first."""
        with self._lock:
            kept = self._read(conn, agent_id, model)
            names = kept.names
            if names is None:
                kept.names = names = VectorRows[str](model.dim)
                kept.names_up_to = 0
            if kept.names_up_to < kept.stamp[1]:
                _append(conn, _NAMES, agent_id, model, names, kept.names_up_to)
                kept.names_up_to = kept.stamp[1]
            looked = count
            while True:
                nearest = names.nearest(vector, looked)
                found = [name for name, _ in nearest if is_there(name)]
                if len(found) >= count or len(nearest) < looked:
                    return found[:count]
                looked *= 4

    def _read(self, conn: Snapshot, agent_id: str, model: Model) -> Kept:
        """All vectors of an agent, made anew where something was erased, else with those that came since."""
        found = quick_one(conn, _STAMP)
        assert found is not None
        memories, names, erased = (value or 0 for value in found)
        kept = self._kept.pop(agent_id, None)
        is_good = kept is not None and (kept.model, kept.stamp[2]) == (model, erased)
        if kept is None or not is_good or kept.stamp[0] > memories or kept.stamp[1] > names:
            kept = Kept(model, (memories, names, erased), newest(conn, agent_id, model))
        elif kept.stamp[0] < memories:
            _append(conn, _LATER, agent_id, model, kept.rows, kept.stamp[0])
            if kept.rows.size > 2 * MOST_BYTES:
                kept.rows = newest(conn, agent_id, model)
                kept.generation = -1
        kept.stamp = memories, names, erased
        self._kept[agent_id] = kept
        while len(self._kept) > 1 and sum(one.size for one in self._kept.values()) > MOST_KEPT:
            self._kept.popitem(last=False)
        return kept


def newest(conn: Snapshot, agent_id: str, model: Model) -> VectorRows[int]:
    """The vectors of an agent's newest memories, as many as `MOST_BYTES` hold."""
    rows = VectorRows[int](model.dim)
    most, before = max(1, MOST_BYTES // (4 * model.dim)), 1 << 62
    while len(rows) < most:
        found = quick(conn, _NEWEST, (*_key(agent_id, model), before, min(_AT_ONCE, most - len(rows))))
        if not found:
            break
        rows.add([(n, vector) for n, vector in found])
        before = found[-1][0]
    return rows


def among(rows: VectorRows[int], holding: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Of each row, whether it is among these numbers, which are in order."""
    ns = np.asarray(rows.keys, dtype=np.int64)
    if not len(holding):
        return np.zeros(len(ns), dtype=np.bool_)
    places = np.minimum(np.searchsorted(holding, ns), len(holding) - 1)
    found: NDArray[np.bool_] = holding[places] == ns
    return found


def _append(
    conn: Snapshot, sql: str, agent_id: str, model: Model, rows: VectorRows[int] | VectorRows[str], after: int
) -> None:
    rows.add([(key, vector) for key, vector in quick(conn, sql, (*_key(agent_id, model), after))])


def _key(agent_id: str, model: Model) -> tuple[str, str, int]:
    return model.name, agent_id, model.dim


def _look_again(conn: Snapshot, agent_id: str, kept: Kept, generation: int, at: str) -> None:
    """Say anew which memories hold: of those that were touched where that is known, else of all."""
    head, boundary = head_of(conn), next_boundary(conn, agent_id, at)
    touched = None
    if kept.generation >= 0 and kept.at <= at and kept.seq <= head:
        touched = touched_rows(conn, agent_id, kept.seq, kept.at, head, at, _MOST_TOUCHED)
    if touched is None:
        kept.holding = holding_at(conn, agent_id, at)
    else:
        stays = kept.holding[~np.isin(kept.holding, np.asarray(touched, dtype=np.int64))]
        holds = numbers(conn, _SOME_HOLDING, (in_list(touched), agent_id, at, at))
        kept.holding = np.sort(np.concatenate([stays, np.asarray(holds, dtype=np.int64)]))
    kept.generation, kept.seq, kept.at, kept.boundary = generation, head, at, boundary
