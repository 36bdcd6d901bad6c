"""Search: candidates from the text index and the graph, ranked, and what is said of how. It never writes.

It answers with what holds at the moment asked about, of exactly one agent; what is held or withdrawn is in no answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memstation.domain.instants import from_text
from memstation.domain.memory import FactRecord
from memstation.read import facts
from memstation.read.rows import PastMoment
from memstation.recall import candidates
from memstation.recall.by_graph import ByText, Entered
from memstation.recall.by_vector import REACH, Meaning, Near
from memstation.recall.candidate_rows import Candidate, of_today
from memstation.recall.candidates import Candidates
from memstation.recall.elsewhere import standing
from memstation.recall.owned import Owned
from memstation.recall.past_rows import Believed
from memstation.recall.paths import Ways
from memstation.recall.query import Query, Word
from memstation.recall.ranking import RetrievalWeights, Terms, terms_of, text_score, text_scores
from memstation.recall.results import Hit, Path, SearchResult, Step, Trace
from memstation.store.database import Snapshot

AT_ONCE = candidates.ENOUGH
"""Candidates that are read together."""

Keep = Callable[[Sequence[int]], list[Candidate]]
"""Those of some numbers that may be hits."""


_FACTS = ("fact",)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is searched for, and when."""

    agent_id: str
    query: Query
    limit: int
    at: str
    """The moment in world time, as stored text."""
    weights: RetrievalWeights
    layer: str | None = None
    explain: bool = False
    as_agent: bool = False
    """Whether an agent asks: it is told nothing of what is held."""


@dataclass(slots=True)
class Ranked:
    """A candidate on its way to being a hit."""

    candidate: Candidate
    place: int | None = None
    """0 for the best by text; None where the text does not match."""
    graph: float | None = None
    vector: float | None = None


@dataclass(slots=True)
class Round:
    """What is gathered while one search is answered."""

    asked: Asked
    by_n: dict[int, Ranked] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)
    seeds: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    triples: int = 0
    lacking: int = 0
    notes: list[str] = field(default_factory=list)
    roles: tuple[str, ...] = _FACTS
    """What is looked in: the past has what is withdrawn by now, too."""

    def ranked(self, now: datetime) -> list[tuple[Ranked, Terms]]:
        """Every candidate with its terms, the best first; among equals the better by text, then the newer."""
        weights = self.asked.weights
        last, scored = len(self.by_n), []
        for one in self.by_n.values():
            terms = terms_of(one.candidate.standing, now, weights, place=one.place, graph=one.graph, vector=one.vector)
            place = last if one.place is None else one.place
            scored.append((-terms.score, place, -one.candidate.n, one, terms))
        # A number is there once: nothing behind it is compared.
        return [(one, terms) for *_, one, terms in sorted(scored)]


def pool_of(asked: Asked) -> int:
    """How many of the best by text are ranked: the seed's number."""
    return max(4 * asked.limit, 20)


def by_text(found: Candidates, asked: Asked, keep: Keep) -> list[Candidate]:
    """The candidates that match best, in that order."""
    wanted = max(pool_of(asked), candidates.ENOUGH)
    kept: list[Candidate] = []
    for batch in _batches(found, AT_ONCE):
        kept += keep(batch)
        if len(kept) >= wanted:
            break
    scores = text_scores(found.words, (one.text for one in kept))
    matching = [pair for pair in zip(scores, kept, strict=True) if pair[0] > 0]
    matching.sort(key=lambda pair: (-pair[0], -pair[1].n))
    return [one for _, one in matching[: pool_of(asked)]]


def _batches(found: Candidates, size: int) -> Iterator[list[int]]:
    for first in range(0, len(found.ns), size):
        yield found.ns[first : first + size].tolist()


Enter = Callable[[Asked, ByText], Entered]
"""The graph of the moment asked about, entered at the names in the query."""


def search_today(
    conn: Snapshot, asked: Asked, enter: Enter, among: int | None = None, owned: Owned | None = None,
    meaning: Meaning | None = None,
) -> SearchResult:  # fmt: skip
    """Search what is known today, about any moment.

    Args:
        conn: what is searched.
        asked: what for.
        enter: the graph.
        among: the agent's `candidates.count_of`, where it is known.
        owned: the agent's facts, where they are kept.
        meaning: what the query means, where an embedder says so.
    """
    round_ = Round(asked)

    def keep(ns: Sequence[int]) -> list[Candidate]:
        return of_today(conn, asked.agent_id, ns, asked.at, asked.layer, round_.dropped)

    found = candidates.of_facts(conn, asked.agent_id, asked.query, among, owned)
    if asked.explain and not asked.as_agent:
        round_.dropped.update(candidates.others_matching(conn, asked.agent_id, asked.query))
    return _answered(conn, round_, found, keep, lambda ns: facts.numbered(conn, ns, asked.at), enter, meaning)


def search_past(
    conn: Snapshot, asked: Asked, moment: PastMoment, enter: Enter, meaning: Meaning | None = None
) -> SearchResult:
    """Search what was believed once. Use counts are today's, as in every answer about the past."""
    round_ = Round(asked, roles=("fact", "held"))
    believed = Believed(conn, asked.agent_id, moment, asked.layer, round_.dropped)
    found = candidates.of_all(conn, asked.agent_id, asked.query)
    return _answered(conn, round_, found, believed.keep, believed.records, enter, meaning)


def _answered(
    conn: Snapshot,
    round_: Round,
    found: Candidates,
    keep: Keep,
    records: Callable[[Sequence[int]], list[FactRecord]],
    enter: Enter,
    meaning: Meaning | None,
) -> SearchResult:
    asked = round_.asked
    matching = by_text(found, asked, keep)
    for place, candidate in enumerate(matching):
        round_.by_n[candidate.n] = Ranked(candidate, place)
    entered = _by_graph(round_, keep, enter, ByText(asked.query, found.words, matching))
    if meaning is not None:
        _by_vector(round_, keep, meaning)
    now = from_text(asked.at)
    best = round_.ranked(now)[: asked.limit]
    ns = [one.candidate.n for one, _ in best]
    named = {record.n: record for record in records(ns)}
    paths = _paths(conn, entered, ns) if asked.explain and entered is not None else {}
    hits = tuple(
        _hit(named[one.candidate.n], one, terms, found.words, asked, paths.get(one.candidate.n)) for one, terms in best
    )
    return SearchResult(hits, now, _trace(conn, round_, found) if asked.explain else None)


def _by_graph(round_: Round, keep: Keep, enter: Enter, matching: ByText) -> Entered | None:
    """Give the candidates their rank in the graph, and let those of the best in that the text missed."""
    asked = round_.asked
    if not asked.weights.w_graph or not asked.query.words:
        return None
    entered = enter(asked, matching)
    round_.seeds, round_.near, round_.triples = entered.titles, entered.near, len(entered.graph)
    for one in round_.by_n.values():
        one.graph = entered.share_of(one.candidate.n)
    if not asked.query.phrases:
        # What stands in quotes must be in a hit; the graph's own have other words.
        missed = [n for n in entered.best(asked.weights.graph_candidates) if n not in round_.by_n]
        for candidate in keep(missed[: asked.weights.appended]):
            round_.by_n.setdefault(candidate.n, Ranked(candidate, None, entered.share_of(candidate.n)))
    return entered


def _by_vector(round_: Round, keep: Keep, meaning: Meaning) -> None:
    """Give the candidates their cosine, and let those of the nearest in that text and graph missed."""
    asked = round_.asked
    if meaning.note:
        round_.notes.append(meaning.note)
    if meaning.sensed is None or meaning.view is None or not asked.weights.w_vec or not asked.query.words:
        return
    near = Near(meaning.sensed, meaning.view())
    round_.lacking = near.view.lacking
    if not asked.query.phrases:
        is_known = near.view.allowed is not None and asked.layer is None
        wanted = asked.weights.vector_candidates
        missed = [n for n in near.nearest(wanted if is_known else REACH) if n not in round_.by_n]
        # What is only near and no hit is none of the likeliest, of which the trace tells why they were left out.
        dropped = round_.dropped.copy()
        for candidate in keep(missed)[: asked.weights.appended]:
            round_.by_n.setdefault(candidate.n, Ranked(candidate))
        round_.dropped = dropped
    for n, cosine in near.cosines(round_.by_n).items():
        round_.by_n[n].vector = cosine


def _paths(conn: Snapshot, entered: Entered, ns: Sequence[int]) -> dict[int, Path]:
    """How the graph leads to each hit, with the ids of the memories on the way."""
    if not entered.titles:
        return {}
    ways = Ways(entered.graph, entered.places()).to(ns)
    if entered.told and len(ways) < len(ns):
        ways = {**Ways(entered.graph, entered.places_told()).to([n for n in ns if n not in ways]), **ways}
    ids = facts.ids_of(conn, {n for way in ways.values() for n, _ in way.steps})
    return {n: Path(way.seed, tuple(Step(ids[over], to) for over, to in way.steps)) for n, way in ways.items()}


def _hit(
    record: FactRecord,
    one: Ranked,
    terms: Terms,
    words: Sequence[tuple[Word, float]],
    asked: Asked,
    path: Path | None,
) -> Hit:
    """The hit, with the words of the query that are in it where that is asked for."""
    said = tuple(
        word.text for word, weight in words if asked.explain and text_score([(word, weight)], one.candidate.text) > 0
    )
    return Hit(_as_used(record, one.candidate), terms.score, terms, said, path)


def _as_used(record: FactRecord, candidate: Candidate) -> FactRecord:
    """The record with agents' reads counted in, as it was ranked."""
    if candidate.access_count == record.access_count:
        return record
    return replace(record, access_count=candidate.access_count, last_accessed=from_text(candidate.seen))


def _trace(conn: Snapshot, round_: Round, found: Candidates) -> Trace:
    """How the hits were come by."""
    query = round_.asked.query
    there = {word for word, _ in found.words}
    if query.phrases:
        # Each was looked for together with the phrases; alone it may be there all the same.
        alone = (word for word in query.words if word not in there)
        there |= standing(conn, round_.asked.agent_id, alone, round_.roles)
    count, dropped = len(found.ns), round_.dropped
    if round_.asked.as_agent and round_.roles != _FACTS:
        # In the past what was held is looked through, too: an agent is told of nothing but what it could be given.
        texts = [one.candidate.text for one in round_.by_n.values()]
        there = {word for word, weight in found.words if any(text_scores([(word, weight)], texts))}
        count, dropped = len(texts), Counter()
    return Trace(
        words=tuple(word.text for word in query.words),
        unread=query.unread,
        missing=tuple(word.text for word in query.words if word not in there),
        common=tuple(word.text for word in found.common if word in there),
        found=count,
        dropped={why: times for why, times in sorted(dropped.items()) if times},
        ranked=len(round_.by_n),
        seeds=round_.seeds,
        near=round_.near,
        triples=round_.triples,
        lacking=round_.lacking,
        notes=tuple(round_.notes),
    )
