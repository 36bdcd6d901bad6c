"""Why a hit stands where it stands: its terms, its words, the way to it. It must not import textual."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from memstation.domain.memory import FactRecord
from memstation.domain.names import fold_name
from memstation.station.finding import FoundRow, Looked, Steps
from memstation.station.render.cells import Run, fit, runs
from memstation.station.render.glyphs import GlyphSet, state_sign
from memstation.station.render.hits import TERMS, term_of, weight_of
from memstation.station.render.provenance import HANG, Rows, window_of
from memstation.station.render.reasons import teller
from memstation.station.render.safe import Safe
from memstation.station.render.when import spoken_day, window
from memstation.station.render.wrapping import labelled, wrap_runs
from memstation.station.words import N_, _, counted, say

if TYPE_CHECKING:
    from memstation.recall.ranking import RetrievalWeights, Terms
    from memstation.recall.results import Hit, Path, Trace

TERM, WIDE = 7, 9
"""Cells of a term's column; of the columns of sum, trust and score."""
TABLE = HANG + len(TERMS) * TERM + 3 * WIDE
"""Cells of the table."""
_WHYS = {
    "closed": N_("{n} over"), "scheduled": N_("{n} planned"), "held": N_("{n} held"),
    "withdrawn": N_("{n} withdrawn"),
    "gone": N_("{n} gone"), "not believed": N_("{n} not believed then"), "layer": N_("{n} of another layer"),
}  # fmt: skip


def why_title(row: FoundRow, key: str) -> tuple[list[Run], list[Run]]:
    """What the pane says, and the key that hides it."""
    title = _("WHY THIS ONE") if row.hit is not None else _("WHY IT IS NO HIT")
    return [(title, "strong")], [(say("{key} hides", key=key), "muted")]


def why_rows(
    row: FoundRow, steps: Steps, looked: Looked, glyphs: GlyphSet, now: datetime, cells: int
) -> Rows:  # fmt: skip
    """All terms of a hit, its words, how the graph leads to it; for what is no hit, what it is."""
    if row.hit is None:
        return _no_hit_rows(row, glyphs, now, cells)
    made = term_rows if cells >= TABLE else term_lines
    sense = any(hit.terms.vector is not None for hit in looked.result)
    rows = made(row.hit.terms, looked.weights, row.hit.memory.origin_trust, sense=sense)
    rows += labelled(_("words"), _words(row.hit, looked), cells, HANG)
    if row.hit.path is not None:
        rows += labelled(_("links"), path_runs(row.hit.path, steps), cells, HANG)
    if looked.result.trace is not None:
        rows += trace_rows(looked.result.trace, looked.asking.query, cells)
    return rows


def _words(hit: Hit, looked: Looked) -> list[Run]:
    """Those of the query that are in it, as they were typed."""
    return _listed(typed_words(looked.asking.query, hit.words)) or [(_("none of the query's"), "muted")]


def typed_words(query: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Words that were looked for, as they stand in the query."""
    from memstation.recall.query import as_typed

    return as_typed(query, words)


def term_rows(terms: Terms, weights: RetrievalWeights, trust: float, *, sense: bool = False) -> Rows:
    """Four lines: the terms, what each can be, its share, what it gives; then sum, trust and score.

    `sense` is whether any hit has the term of meaning: where none has, it is off.
    """
    head, most, share, gives = Safe(""), Safe(_("weight")), Safe(_("this hit")), Safe(_("gives"))
    rows = [fit(text, HANG) for text in (head, most, share, gives)]
    total = 0.0
    for field, weight, word in TERMS:
        term, limit = term_of(terms, field), weight_of(weights, weight)
        total += term or 0.0
        off = _("off") if field == "vector" and not sense else Safe("-")
        cells = (_(word), Safe(f"{limit:.2f}"), off if term is None or limit <= 0 else Safe(f"{term / limit:.2f}"),
                 Safe("-") if term is None else Safe(f"{term:.3f}"))  # fmt: skip
        rows = [Safe(row + fit(cell, TERM, right=True)) for row, cell in zip(rows, cells, strict=True)]
    ends = (
        (_("sum"), "", "", f"{total:.3f}"), (_("trust"), f"{weights.w_trust:.2f}", f"{trust:.2f}",
        f"x {terms.trust:.3f}"), (_("score"), "", "", f"{terms.score:.3f}"),
    )  # fmt: skip
    for end in ends:
        rows = [Safe(row + fit(Safe(cell), WIDE, right=True)) for row, cell in zip(rows, end, strict=True)]
    return [[(row, role)] for row, role in zip(rows, ("muted", "muted", "", "strong"), strict=True)]


def term_lines(terms: Terms, weights: RetrievalWeights, trust: float, *, sense: bool = False) -> Rows:
    """The same a line for each term that took part, where there is no room for the table."""
    rows: Rows = []
    total = 0.0
    for field, weight, word in TERMS:
        term, limit = term_of(terms, field), weight_of(weights, weight)
        if term is None or limit <= 0:
            continue
        total += term
        said = say("{share} x {weight} gives {term}", share=f"{term / limit:.2f}", weight=f"{limit:.2f}",
                   term=f"{term:.3f}")  # fmt: skip
        rows.append([(fit(_(word), HANG), "muted"), (said, "")])
    score = say("{sum} x {trust} is {score}", sum=f"{total:.3f}", trust=f"{terms.trust:.3f}",
                score=f"{terms.score:.3f}")  # fmt: skip
    return [*rows, [(fit(_("trust"), HANG), "muted"), (Safe(f"{trust:.2f}"), "")],
            [(fit(_("score"), HANG), "muted"), (score, "strong")]]  # fmt: skip


def path_runs(path: Path, steps: Steps) -> list[Run]:
    """``老闆 office > 台北 office > this``: from a name in the query over what memories say to the hit."""
    parts = runs(path.seed, "strong")
    for step in path.steps:
        record = steps.get(step.memory_id)
        said = record.predicate if record is not None and record.predicate else step.memory_id
        parts += [(Safe(" "), ""), *runs(said, "muted"), (Safe(" > "), "muted")]
        parts += runs(_spelled(step.to, record), "strong") if step.to is not None else [(_("this"), "key")]
    return parts


def _spelled(name: str, record: FactRecord | None) -> str:
    """A name of the graph, which is folded, as the memory that leads to it writes it."""
    written = (None, None) if record is None else (record.subject, record.object)
    return next((text for text in written if text is not None and fold_name(text) == name), name)


def trace_rows(trace: Trace, query: str, cells: int) -> Rows:
    """Which words are nowhere or everywhere, what did not go as it should."""
    rows: Rows = []
    if trace.missing:
        rows += labelled(_("nowhere"), _listed(typed_words(query, trace.missing)), cells, HANG)
    if trace.common:
        much: list[Run] = [(_(": in very many; only the newest of those were looked at"), "muted")]
        rows += labelled(_("common"), [*_listed(typed_words(query, trace.common)), *much], cells, HANG)
    if trace.unread:
        unread = counted("{n} word of the query", "{n} words of the query", trace.unread)
        rows += labelled(_("not read"), [(unread, "warning")], cells, HANG)
    if trace.near:
        rows += labelled(_("near"), _listed(trace.near), cells, HANG)
    if trace.lacking:
        lacking = counted("{n} memory has no vector yet: memstation embed",
                          "{n} memories have no vector yet: memstation embed", trace.lacking)  # fmt: skip
        rows += labelled(_("note"), [(lacking, "warning")], cells, HANG)
    for note in trace.notes:
        rows += labelled(_("note"), runs(note, "warning"), cells, HANG)
    return rows


def _left_out_order(item: tuple[str, int]) -> tuple[int, str]:
    """What waits for the operator first."""
    return {"held": 0, "withdrawn": 1}.get(item[0], 2), item[0]


def left_out_words(trace: Trace) -> Safe:
    """``4 held, 2 withdrawn, 1 over``; empty where nothing was."""
    parts = [
        say(_WHYS[why], n=f"{count:,}") if why in _WHYS else Safe(f"{count:,}")
        for why, count in sorted(trace.dropped.items(), key=_left_out_order) if count
    ]  # fmt: skip
    return Safe(", ".join(parts))


def _listed(words: tuple[str, ...]) -> list[Run]:
    parts: list[Run] = []
    for word in words:
        parts += [(Safe(", "), "muted")] if parts else []
        parts += runs(word)
    return parts


_NO_HIT = {
    "held": N_("It is held: no agent is told it until you release it in Review."),
    "withdrawn": N_("It was withdrawn: no agent is told it."),
    "closed": N_("It is over: a search finds it only as of a moment when it held."),
    "scheduled": N_("It has not begun: a search finds it from its first day on."),
    "current": N_("It is current, and not among what was found."),
}


def _no_hit_rows(row: FoundRow, glyphs: GlyphSet, now: datetime, cells: int) -> Rows:
    fact = row.fact
    assert fact is not None
    sign = state_sign(glyphs, fact.state, fact.tainted)
    rows = wrap_runs([(Safe(f"{sign}  "), sign.role), (_(_NO_HIT[fact.state]), "")], cells)
    if fact.valid_until is not None and fact.valid_until <= fact.valid_from:
        # What was withdrawn holds at no instant: only its start says something.
        rows += labelled(_("Said of"), [(spoken_day(fact.valid_from, now), "")], cells, HANG)
    else:
        rows += labelled(_("Holds"), [(window(fact.valid_from, fact.valid_until, now), "")], cells, HANG)
    rows += labelled(_("Told by"), teller(fact.origin), cells, HANG)
    rows += labelled(_("In words"), runs(fact.content, lines=True), cells, HANG)
    return [*rows, *labelled(_("id"), runs(fact.id), cells, HANG)]


def reading_title(row: FoundRow, looked: Looked) -> tuple[list[Run], list[Run]]:
    """Which of the agent's lines it is."""
    title = say("WHAT {agent} GETS", agent=looked.asking.agent_id[:40])
    return [(title, "strong")], [(say("{n} of {all}", n=row.place, all=looked.hits), "muted")]


def reading_rows(row: FoundRow, now: datetime, cells: int) -> Rows:
    """All that the agent gets of one hit, field by field."""
    assert row.hit is not None
    record = row.hit.memory
    rows = wrap_runs(runs(record.content, "strong", lines=True), cells)
    if record.subject or record.predicate:
        said = [*runs(record.subject), (Safe(" "), ""), *runs(record.predicate), (Safe(" "), ""), *runs(record.object)]
        rows += labelled(_("Says"), said, cells, HANG)
    rows += labelled(_("Holds"), [(window_of(record), "")], cells, HANG)
    rows += labelled(_("Told by"), [*runs(record.origin or _("nobody named")), (say(", trust {n}, {day}",
                     n=f"{record.origin_trust:.2f}", day=spoken_day(record.ingested_at, now)), "muted")],
                     cells, HANG)  # fmt: skip
    rows += labelled(_("Kept as"), [(say("{layer}, importance {i} of 10", layer=record.layer,
                     i=f"{record.importance:g}"), "")], cells, HANG)  # fmt: skip
    if record.tags:
        rows += labelled(_("Tags"), _listed(record.tags), cells, HANG)
    for name, value in sorted(record.metadata.items(), key=lambda item: str(item[0])):
        rows += labelled(_("Metadata"), [*runs(str(name), "muted"), (Safe(": "), "muted"), *runs(str(value))],
                         cells, HANG)  # fmt: skip
    return [*rows, *labelled(_("id"), runs(record.id), cells, HANG)]
