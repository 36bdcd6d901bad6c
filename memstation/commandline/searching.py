"""The command that searches: what an agent would be told, and why. It writes nothing but that an agent read it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memstation.commandline.moments import about, at_option, known, known_option
from memstation.commandline.session import Session, known_agent, pass_session
from memstation.commandline.showing import fact_lines, print_json
from memstation.commandline.verbs import DONE, Verb, json_option, option, store_option
from memstation.domain.memory import LAYERS
from memstation.station.render.safe import Safe, safe_line
from memstation.station.words import _, counted, say
from memstation.words import N_

if TYPE_CHECKING:
    from memstation.recall.ranking import Terms
    from memstation.recall.results import Hit, SearchResult, Trace
    from memstation.recall.results import Path as GraphPath


@click.command(
    "search", cls=Verb, example="memstation search dudu 'deploy \"build cache\"' --explain",
    help=N_("Search an agent's memories as the agent does. Any of the words may match;"
            " what stands in double quotes must be there."),
)  # fmt: skip
@click.argument("agent")
@click.argument("query")
@option("--limit", type=int, default=10, show_default=True, help=N_("How many at most, 1 to 1,000."))
@option("--layer", type=click.Choice(LAYERS), help=N_("Only this layer."))
@option("--explain", is_flag=True, help=N_("Say how each score came about, and what was left out."))
@option("--as-agent", is_flag=True, help=N_("Exactly as the agent is answered; it counts as a reading."))
@at_option
@known_option
@store_option
@json_option
@pass_session
def search(
    session: Session,
    agent: str,
    query: str,
    limit: int,
    layer: str | None,
    explain: bool,
    as_agent: bool,
    at: str | None,
    known_at: str | None,
    store: Path | None,
    as_json: bool,
) -> int:
    """Search an agent's memories."""
    with session.engine(store) as engine:
        agent, now = known_agent(engine, agent), engine.clock()
        moments = {"at": about(at, now), "known_at": known(known_at, now)}
        flags = {"explain": explain, "as_agent": as_agent}
        if layer is None:
            result = engine.search(agent, query, limit, **moments, **flags)  # type: ignore[arg-type]
        else:
            result = engine.search_layer(agent, layer, query, limit, **moments, **flags)  # type: ignore[arg-type]
    if as_json:
        print_json(result)
        return DONE
    for hit in result:
        for line in fact_lines(hit.memory, session.glyphs):
            click.echo(line)
        if explain:
            for line in hit_lines(hit, query):
                click.echo(Safe(f"  {line}"))
    if not result:
        click.echo(_nothing(query))
    if result.trace is not None:
        for line in trace_lines(result.trace, result, query):
            click.echo(line)
    return DONE


def _nothing(query: str) -> Safe:
    """Why there is no hit: signs alone are no word, so nothing was looked for."""
    from memstation.recall.query import read_query

    if read_query(query).words:
        return _("Nothing matches.")
    return _("There is no word in it to look for.") if query.strip() else _("Type a word to look for.")


def hit_lines(hit: Hit, query: str) -> list[Safe]:
    """How a hit's score came about; words as they stand in the query."""
    lines = [say("score {score} = {terms}", score=f"{hit.score:.3f}", terms=_sum(hit.terms))]
    if hit.words:
        lines.append(say("words in it: {words}", words=_typed(query, hit.words)))
    if hit.path is not None:
        lines.append(say("linked: {path}", path=path_line(hit.path)))
    return lines


def _typed(query: str, words: tuple[str, ...]) -> str:
    """Words that were looked for, as they stand in the query."""
    from memstation.recall.query import as_typed

    return ", ".join(map(safe_line, as_typed(query, words)))


def path_line(path: GraphPath) -> Safe:
    """``user > m_12 > Taipei``: names and memories from a name in the query to the hit."""
    parts = [safe_line(path.seed)]
    for step in path.steps:
        parts.append(safe_line(step.memory_id))
        if step.to is not None:
            parts.append(safe_line(step.to))
    return Safe(" > ".join(parts))


def _sum(terms: Terms) -> Safe:
    named = (
        (_("words"), terms.text), (_("recent"), terms.recency), (_("importance"), terms.importance),
        (_("links"), terms.graph), (_("meaning"), terms.vector),
    )  # fmt: skip
    parts = " + ".join(f"{name} {value:.3f}" for name, value in named if value is not None)
    return say("({parts}) x trust {trust}", parts=parts, trust=f"{terms.trust:.3f}")


def trace_lines(trace: Trace, result: SearchResult, query: str) -> list[Safe]:
    """What was looked for, found and left out."""
    whys = {
        "closed": _("over"), "scheduled": _("not yet begun"), "layer": _("of another layer"), "held": _("held"),
        "withdrawn": _("withdrawn"), "gone": _("gone"), "not believed": _("not believed then"),
    }  # fmt: skip
    lines = [
        say(
            "{found} with some of it, {ranked} ranked, {shown} shown",
            found=f"{trace.found:,}",
            ranked=f"{trace.ranked:,}",
            shown=len(result),
        )
    ]
    if trace.dropped:
        dropped = ", ".join(f"{count:,} {whys.get(why, safe_line(why))}" for why, count in trace.dropped.items())
        lines.append(say("left out: {what}", what=dropped))
    if trace.missing:
        lines.append(say("in no memory: {words}", words=_typed(query, trace.missing)))
    if trace.common:
        words = _typed(query, trace.common)
        lines.append(say("in very many, of which the newest were looked at: {words}", words=words))
    if trace.unread:
        lines.append(
            counted("{n} word of the query was not read", "{n} words of the query were not read", trace.unread)
        )
    if trace.seeds:
        names = ", ".join(safe_line(name) for name in trace.seeds if name not in trace.near)
        lines += [say("names in the query: {names}", names=names)] if names else []
    if trace.near:
        lines.append(say("names near the query: {names}", names=", ".join(map(safe_line, trace.near))))
    if trace.lacking:
        lines.append(
            counted(
                "{n} memory has no vector yet and is found by words alone: memstation embed",
                "{n} memories have no vector yet and are found by words alone: memstation embed",
                trace.lacking,
            )
        )
    return [*lines, *(safe_line(note) for note in trace.notes)]
