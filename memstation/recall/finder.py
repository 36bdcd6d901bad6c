"""Finder: what the engine and the station ask of recall. It opens one snapshot for one answer, and never writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memstation.domain.aliases import Aliases
from memstation.domain.instants import Clock, InstantLike, from_text, to_text
from memstation.guard import shape
from memstation.read.moments import moment_at
from memstation.read.past import PastSource
from memstation.read.querying import agent_named, now_of
from memstation.read.rows import PastMoment
from memstation.recall.by_graph import Entered, enter
from memstation.recall.by_vector import Meaning, is_wanted, sensed_or_why
from memstation.recall.candidates import count_of
from memstation.recall.embedding import Embedder, Sensed
from memstation.recall.exporting import ExportedGraph, Near, Neighbours, exported
from memstation.recall.graph import Graph, Triple
from memstation.recall.graph_cache import GraphCache, surfaces_of
from memstation.recall.query import Query, read_query
from memstation.recall.ranking import DEFAULT_WEIGHTS, RetrievalWeights
from memstation.recall.results import SearchResult
from memstation.recall.searching import Asked, search_past, search_today
from memstation.recall.seeds import Surfaces
from memstation.recall.triples import aliases_of, generation_of, graph_at, next_boundary
from memstation.recall.vector_cache import VectorCache, View
from memstation.store.database import Database, Snapshot

MOST_EDGES = 20_000
"""Memories among which a neighbourhood is looked for, the newest."""


@dataclass(frozen=True, slots=True)
class _Around:
    """An agent's links by name; good while nobody writes to the agent and no fact starts or ends."""

    agent_id: str
    generation: int
    at: str
    boundary: str
    aliases: Aliases
    links: Neighbours


class Finder:
    """Searches one store. Calls may come from several threads."""

    def __init__(
        self, database: Database, clock: Clock, embedder: Callable[[], Embedder | None] = lambda: None
    ) -> None:
        self._database = database
        self._clock = clock
        self._embedder = embedder
        self._vectors = VectorCache()
        self._graphs = GraphCache()
        self._counts: dict[str, tuple[int, int]] = {}
        self._around: _Around | None = None

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
        # Before the snapshot: an embedder may take its time, and nobody should wait for it.
        sensed, note = self._sense(read, weights)
        with self._database.reading() as conn:
            now = from_text(now_of(conn, self._clock))
            moment = moment_at(conn, at, known_at, now)
            is_now = at is None and known_at is None
            meaning = self._meaning(conn, agent_named(agent_id), sensed, note, moment, is_now, known_at is not None)
            asked = Asked(agent_named(agent_id), read, limit, to_text(moment.at), weights, wanted, explain, as_agent)

            def entered(asked: Asked) -> Entered:
                graph, surfaces = self._graph(conn, asked.agent_id, moment, at, known_at)
                near = meaning.seeds(graph, weights) if meaning is not None else []
                return enter(graph, surfaces, asked.query.text, asked.weights, near)

            if known_at is not None:
                return search_past(conn, asked, moment, entered, meaning)
            return search_today(conn, asked, entered, self._count(conn, asked.agent_id), meaning)

    def _sense(self, query: Query, weights: RetrievalWeights) -> tuple[Sensed | None, str]:
        """What a query means, and why that is not known; neither where nobody asks for it."""
        embedder = self._embedder()
        if embedder is None or not query.words or not is_wanted(weights):
            return None, ""
        return sensed_or_why(embedder, query.text)

    def _meaning(
        self,
        conn: Snapshot,
        agent_id: str,
        sensed: Sensed | None,
        note: str,
        moment: PastMoment,
        is_now: bool,
        is_believed: bool,
    ) -> Meaning | None:
        if sensed is None:
            return Meaning(note=note) if note else None
        at = to_text(moment.at)

        def view() -> View:
            if is_now:
                return self._vectors.present(conn, agent_id, sensed.model, at)
            return self._vectors.past(conn, agent_id, sensed.model, None if is_believed else at)

        def names(graph: Graph, count: int) -> list[str]:
            return self._vectors.near_names(
                conn, agent_id, sensed.model, sensed.vector, count, lambda name: graph.has(name) is not None
            )

        return Meaning(sensed, view, names)

    def _count(self, conn: Snapshot, agent_id: str) -> int:
        """How many facts are in the index; counted again only once the agent was written to."""
        generation = generation_of(conn, agent_id)
        kept = self._counts.get(agent_id)
        if kept is None or kept[0] != generation:
            self._counts[agent_id] = kept = generation, count_of(conn, agent_id)
        return kept[1]

    def graph(self, agent_id: str) -> tuple[Graph, Surfaces]:
        """The graph of an agent's facts that hold now, and the names by which it is entered."""
        with self._database.reading() as conn:
            return self._graphs.current(conn, agent_named(agent_id), now_of(conn, self._clock))

    def export(self, agent_id: str, limit: int, *, with_held: bool = True) -> ExportedGraph:
        """The newest edges of an agent's graph; see `exporting.exported`."""
        with self._database.reading() as conn:
            agent_id = agent_named(agent_id)
            now, aliases = now_of(conn, self._clock), aliases_of(conn, agent_id)
            return exported(conn, agent_id, now, aliases, limit, with_held=with_held)

    def around(self, agent_id: str, name: str, depth: int, width: int) -> Near | None:
        """What lies around a name in an agent's graph; None where nothing that holds or waits names it."""
        with self._database.reading() as conn:
            kept = self._links(conn, agent_named(agent_id))
        entity = kept.aliases.title(shape.repaired(name))
        return kept.links.near(entity, depth, width) if entity in kept.links else None

    def _links(self, conn: Snapshot, agent_id: str) -> _Around:
        """The links of one agent, the one asked for last, are kept: whoever looks around looks on from there."""
        kept, generation, now = self._around, generation_of(conn, agent_id), now_of(conn, self._clock)
        is_same = kept is not None and (kept.agent_id, kept.generation) == (agent_id, generation)
        if kept is not None and is_same and kept.at <= now < kept.boundary:
            return kept
        aliases, boundary = aliases_of(conn, agent_id), next_boundary(conn, agent_id, now)
        links = Neighbours(exported(conn, agent_id, now, aliases, MOST_EDGES))
        self._around = kept = _Around(agent_id, generation, now, boundary, aliases, links)
        return kept

    def _graph(
        self,
        conn: Snapshot,
        agent_id: str,
        moment: PastMoment,
        at: InstantLike | None,
        known_at: InstantLike | int | None,
    ) -> tuple[Graph, Surfaces]:
        if at is None and known_at is None:
            return self._graphs.current(conn, agent_id, to_text(moment.at))
        aliases = aliases_of(conn, agent_id)
        if known_at is None:
            graph = graph_at(conn, agent_id, to_text(moment.at), aliases)
        else:
            graph = Graph.of(self._believed(agent_id, moment), aliases.title)
        return graph, surfaces_of(graph, aliases)

    def _believed(self, agent_id: str, moment: PastMoment) -> Iterator[Triple]:
        """The triples that were believed at a moment; names are joined as they are today."""
        source = PastSource(self._database, self._clock, agent_id, lambda *_: (moment, moment), only_differences=False)
        page = source.head()
        while page:
            for row in page:
                fact = row.then
                if fact is not None and fact.subject is not None:
                    yield Triple(fact.n, fact.subject, fact.object, fact.trust)
            last = source.key(page[-1])
            page = [row for row in source.page(last) if source.key(row) != last]
