"""What Find asks for and what comes back, as a list that a thread can read. It must not count anything as use."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from memstation.domain.memory import FactRecord, State
from memstation.read.rows import FactRow
from memstation.station.moments import Moment
from memstation.station.services import Engine, TimelineQuery
from memstation.station.widgets.pages import Spine

if TYPE_CHECKING:
    from memstation.recall.exporting import Link, Near
    from memstation.recall.ranking import RetrievalWeights
    from memstation.recall.results import Hit, SearchResult

AGENTS_OWN = 10
"""Hits that an agent gets where it does not ask for another number."""
MOST = 100
"""Hits that the operator sees."""
MOST_LEFT_OUT = 90
"""Memories below them that agents are not told."""
DEPTH, WIDTH = 2, 40
"""Links from the name at the root, and links of each name, in a neighbourhood."""
_LEFT_OUT = "state:held,withdrawn,closed,scheduled"


@dataclass(frozen=True, slots=True)
class Asking:
    """One search, as the room wants it."""

    agent_id: str
    query: str
    moment: Moment | None = None
    """A moment of the past; None for now."""
    as_agent: bool = False
    """Exactly what the agent would get."""
    with_left_out: bool = False
    """With what agents are not told."""


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A hit; or a memory that has a word of the query and is none."""

    place: int
    """1 for the best; 0 for what is no hit."""
    hit: Hit | None
    fact: FactRow | None = None
    """What is no hit."""

    @property
    def record(self) -> FactRecord | FactRow:
        """The memory."""
        if self.hit is not None:
            return self.hit.memory
        assert self.fact is not None
        return self.fact

    @property
    def state(self) -> State:
        """What the memory is."""
        return self.record.state


@dataclass(frozen=True, slots=True)
class Looked:
    """The answer to one search."""

    asking: Asking
    rows: tuple[FoundRow, ...]
    result: SearchResult
    weights: RetrievalWeights

    @property
    def hits(self) -> int:
        """How many hits; what was left out is not among them."""
        return len(self.result)


Steps: TypeAlias = Mapping[str, FactRecord]
"""By id, the memories that the way to a hit goes over; those that are not in use any more are missing."""


class Finding:
    """A search in the shape of a list's source. `head` searches; until then there is no answer."""

    def __init__(self, engine: Engine, asking: Asking) -> None:
        self._engine = engine
        self.asking = asking
        self.looked: Looked | None = None

    def head(self) -> list[FoundRow]:
        """All rows: they are fewer than a page.

        Raises:
            MemstationError: the store cannot be read.
        """
        self.looked = look(self._engine, self.asking)
        return list(self.looked.rows)

    def _rows(self) -> Sequence[FoundRow]:
        return () if self.looked is None else self.looked.rows

    def anchors(self) -> Spine:
        """Length and page starts."""
        rows = self._rows()
        return Spine(len(rows), tuple(self.key(row) for row in rows[:1]))

    def page(self, key: Any) -> list[FoundRow]:
        """The only page."""
        return list(self._rows())

    def key(self, row: FoundRow) -> Hashable:
        """The identity of a row: its memory."""
        return row.record.id

    def index_of(self, key: Any) -> int | None:
        """The place of a row; None when it is not in the list."""
        return next((place for place, row in enumerate(self._rows()) if self.key(row) == key), None)


def look(engine: Engine, asking: Asking) -> Looked:
    """Search, as the operator or exactly as the agent. May take a while: call it in a thread.

    Raises:
        MemstationError: the store cannot be read.
    """
    past = None if asking.moment is None else asking.moment.query(asking.agent_id)
    weights = engine.weights
    result = engine.finder.search(
        asking.agent_id, asking.query, AGENTS_OWN if asking.as_agent else MOST,
        at=None if past is None else past.at, known_at=None if past is None else past.known_at,
        weights=weights, explain=True, as_agent=asking.as_agent,
    )  # fmt: skip
    rows = [FoundRow(place, hit) for place, hit in enumerate(result, 1)]
    if asking.with_left_out and not asking.as_agent:
        rows += [FoundRow(0, None, fact) for fact in left_out(engine, asking.agent_id, result)]
    return Looked(asking, tuple(rows), result, weights)


def left_out(engine: Engine, agent_id: str, result: SearchResult) -> list[FactRow]:
    """Memories that are not in use now and have a word of the query, the newest first, at most `MOST_LEFT_OUT`."""
    if result.trace is None:
        return []
    hits = {hit.memory.n for hit in result}
    found: dict[int, FactRow] = {}
    for word in result.trace.words:
        query = TimelineQuery(agent_id, f'{_LEFT_OUT} "{word}"')
        found.update((fact.n, fact) for fact in engine.reader.timeline(query).head() if fact.n not in hits)
    return sorted(found.values(), key=lambda fact: -fact.n)[:MOST_LEFT_OUT]


def steps_to(engine: Engine, row: FoundRow) -> Steps:
    """The memories that the way to a row goes over. Call it in a thread.

    Raises:
        MemstationError: the store cannot be read.
    """
    if row.hit is None or row.hit.path is None:
        return {}
    ids = [step.memory_id for step in row.hit.path.steps]
    return {record.id: record for record in engine.get_by_ids(row.record.agent_id, ids).memories}


def links_around(engine: Engine, row: FoundRow) -> Near | None:
    """The neighbourhood of the first of its names that has the memory itself among the links; else of its subject.

    In a large store it takes up to half a second: call it in a thread.

    Raises:
        MemstationError: the store cannot be read.
    """
    first = None
    for name in (row.record.subject, row.record.object):
        near = engine.finder.around(row.record.agent_id, name, DEPTH, WIDTH) if name else None
        if near is not None and has_link(near, row.record.id):
            return near
        first = first or near
    return first


def links_of(engine: Engine, agent_id: str, name: str) -> Near | None:
    """The neighbourhood of a name; None where nothing names it any more. Call it in a thread.

    Raises:
        MemstationError: the store cannot be read.
    """
    return engine.finder.around(agent_id, name, DEPTH, WIDTH)


def has_link(near: Near, memory_id: str) -> bool:
    """Whether a memory is among the links of a neighbourhood."""
    return any(_is_or_has(link, memory_id) for link in near.links)


def _is_or_has(link: Link, memory_id: str) -> bool:
    return link.edge.memory_id == memory_id or (link.to is not None and has_link(link.to, memory_id))
