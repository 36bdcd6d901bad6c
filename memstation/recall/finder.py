"""Finder: what the engine and the station ask of recall. It opens one snapshot for one answer, and never writes."""

from __future__ import annotations

from memstation.domain.instants import Clock, InstantLike, from_text, to_text
from memstation.guard import shape
from memstation.read.moments import moment_at
from memstation.read.querying import agent_named, now_of
from memstation.recall.query import read_query
from memstation.recall.ranking import DEFAULT_WEIGHTS, RetrievalWeights
from memstation.recall.results import SearchResult
from memstation.recall.searching import Asked, search_past, search_today
from memstation.store.database import Database


class Finder:
    """Searches one store. Calls may come from several threads."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def search(
        self,
        agent_id: str,
        query: str,
        limit: int = 10,
        *,
        layer: str | None = None,
        at: InstantLike | None = None,
        known_at: InstantLike | int | None = None,
        weights: RetrievalWeights = DEFAULT_WEIGHTS,
        explain: bool = False,
        as_agent: bool = False,
    ) -> SearchResult:
        """The memories of an agent that answer a query best; see `engine.recalling.Recalling.search`."""
        shape.limit_of(limit)
        wanted = None if layer is None else shape.layer_of(layer)
        read = read_query(shape.repaired(query))
        with self._database.reading() as conn:
            now = from_text(now_of(conn, self._clock))
            moment = moment_at(conn, at, known_at, now)
            asked = Asked(agent_named(agent_id), read, limit, to_text(moment.at), weights, wanted, explain, as_agent)
            return search_today(conn, asked) if known_at is None else search_past(conn, asked, moment)
