"""The columns of Find's list: hits with a bar for each term, or what an agent reads. It must not import textual."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memstation.station.finding import FoundRow
from memstation.station.render.cells import Run, runs
from memstation.station.render.glyphs import GlyphSet, state_sign
from memstation.station.render.provenance import trust
from memstation.station.render.safe import Safe
from memstation.station.render.when import day
from memstation.station.widgets.columns import Column
from memstation.station.words import N_, _, say

if TYPE_CHECKING:
    from memstation.recall.ranking import RetrievalWeights, Terms

BAR = 5
"""Cells of a bar."""
MEASURED = 4_000
"""Characters of a text that are looked at: a cell shows fewer."""
TERMS = (
    ("text", "w_fts", N_("words")), ("recency", "w_recency", N_("fresh")), ("importance", "w_importance", N_("worth")),
    ("graph", "w_graph", N_("links")), ("vector", "w_vec", N_("sense")),
)  # fmt: skip
"""The terms of a score: its field, the field of its weight, its word in five letters."""


def term_of(terms: Terms, field: str) -> float | None:
    """A term, weighted; None where it took no part."""
    value: float | None = getattr(terms, field)
    return value


def weight_of(weights: RetrievalWeights, field: str) -> float:
    """How much a term counts at most."""
    value: float = getattr(weights, field)
    return value


def share_of(terms: Terms, weights: RetrievalWeights, field: str, weight: str) -> float | None:
    """A term as a share of what it can be, 0 to 1; None where it took no part or counts for nothing."""
    term, most = term_of(terms, field), weight_of(weights, weight)
    return None if term is None or most <= 0 else min(max(term / most, 0.0), 1.0)


def bar(share: float | None, fill: str, cells: int = BAR) -> Safe:
    """A bar of so many cells; a blank one where there is no share. What is there at all shows at least a little."""
    if share is None:
        return Safe(" " * cells)
    steps = len(fill) - 1
    done = round(share * cells * steps) or (1 if share > 0 else 0)
    return Safe("".join(fill[min(steps, max(0, done - place * steps))] for place in range(cells)))


def hit_columns(
    width: int, glyphs: GlyphSet, weights: RetrievalWeights | None, *, sense: bool
) -> Sequence[Column[FoundRow]]:
    """Score, what it says, a bar for each term, trust. `sense` is whether any hit has the term of meaning."""

    def score(row: FoundRow) -> list[Run]:
        if row.hit is None:
            return [(Safe(glyphs.states[row.state]), row.state)]
        return [(Safe(f"{row.hit.score:.2f}"), "strong")]

    def term(row: FoundRow, field: str, weight: str) -> list[Run]:
        if row.hit is None or weights is None:
            return []
        return [(bar(share_of(row.hit.terms, weights, field, weight), glyphs.fill), "key")]

    def term_column(field: str, weight: str, word: str, rank: int) -> Column[FoundRow]:
        return Column(_(word), BAR, lambda row: term(row, field, weight), rank=rank)

    bars = [
        term_column(field, weight, word, rank)
        for rank, (field, weight, word) in enumerate(TERMS, 1) if field != "vector" or sense
    ]  # fmt: skip
    return [
        Column(_("ALL"), 4, score, right=True),
        Column(_("WHAT"), 20, lambda row: what_runs(row, glyphs), flex=1),
        *bars,
        Column(_("TR"), 3, lambda row: [(Safe(trust(trust_of(row))[:3]), "")], right=True),
    ]


def trust_of(row: FoundRow) -> float:
    """Its trust, 0 to 1."""
    return row.hit.memory.origin_trust if row.hit is not None else row.fact.trust if row.fact is not None else 0.0


def what_runs(row: FoundRow, glyphs: GlyphSet) -> list[Run]:
    """``user deploy_target  Cloudflare Workers``; a note by its text. What is no hit says first what it is."""
    record = row.record
    role = record.state if row.hit is None else ""
    sign: list[Run] = []
    if row.hit is None:
        sign = [(state_sign(glyphs, record.state).word, role), (Safe("  "), "")]
    if not record.subject and not record.predicate:
        return [*sign, *runs(record.content[:MEASURED], role)]
    value = record.object or record.content
    names = " ".join(name for name in (record.subject, record.predicate) if name)
    return [*sign, *runs(names[:MEASURED], "muted"), (Safe("  "), ""), *runs(value[:MEASURED], role or "strong")]


def agent_columns(width: int, agent_id: str, now: datetime) -> Sequence[Column[FoundRow]]:
    """Its place, the text that the agent reads, since when it holds, its trust."""
    return [
        Column(_("NO"), 3, lambda row: [(Safe(f"{row.place}"), "strong")], right=True),
        Column(say("WHAT {agent} READS", agent=agent_id[:40]), 20, lambda row: runs(row.record.content[:MEASURED]),
               flex=1),
        Column(_("FROM"), 7, lambda row: [(day(row.record.valid_from, now), "muted")], rank=1),
        Column(_("TR"), 3, lambda row: [(Safe(trust(trust_of(row))[:3]), "")], right=True),
    ]  # fmt: skip
