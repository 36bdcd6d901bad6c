"""Commands about the graph of names: export it, show what lies around a name. They write nothing to the store."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memstation.commandline.session import Session, known_agent, pass_session
from memstation.commandline.showing import jsonable, print_json, width
from memstation.commandline.verbs import DONE, FILE, Verb, Verbs, json_option, option, store_option
from memstation.domain.errors import NotFound
from memstation.guard import shape
from memstation.station.render.safe import Safe, safe_line
from memstation.station.words import _, counted, say
from memstation.words import N_

if TYPE_CHECKING:
    from memstation.recall.exporting import ExportedGraph, Link, Near

FORMATS = ("json", "graphml", "dot")


@click.group(
    "graph", cls=Verbs, example="memstation graph show dudu user",
    help=N_("Look at how an agent's facts link the names in them."),
)  # fmt: skip
def graph() -> None:
    """Hold the commands about the graph."""


@graph.command(
    "export", cls=Verb, example="memstation graph export dudu dudu.graphml --format graphml",
    help=N_("Write an agent's graph to a new file, or with - to the output: names, and the facts that link them."),
)  # fmt: skip
@click.argument("agent")
@click.argument("file", type=FILE)
@option("--format", "form", type=click.Choice(FORMATS), help=N_("Else by the file's ending, else json."))
@option("--limit", type=int, default=1000, show_default=True, help=N_("Of the newest facts so many, 1 to 1,000."))
@option("--force", is_flag=True, help=N_("Write over a file that is there."))
@store_option
@pass_session
def export(
    session: Session, agent: str, file: Path, form: str | None, limit: int, force: bool, store: Path | None
) -> int:
    """Write an agent's graph to a file."""
    from memstation.exchange.whole_file import write_whole

    shape.limit_of(limit)
    form = form or (file.suffix[1:] if file.suffix[1:] in FORMATS else FORMATS[0])
    with session.engine(store) as engine:
        found = engine.export_graph(known_agent(engine, agent), limit)
        text = _written(found, form)
        if str(file) == "-":
            sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
            return DONE
        write_whole(file, lambda write: write(text), store=engine.path, force=force)
    links = counted("{n} link", "{n} links", len(found.edges))
    click.echo(say("{links} written to {file}", links=links, file=str(file)))
    if found.truncated:
        click.echo(say("there are more; these are the newest (--limit)"), err=True)
    return DONE


def _written(found: ExportedGraph, form: str) -> str:
    from memstation.exchange.plain_json import indented
    from memstation.recall import exporting

    if form == "graphml":
        return exporting.as_graphml(found)
    return exporting.as_dot(found) if form == "dot" else indented(jsonable(found)) + "\n"


@graph.command(
    "show", cls=Verb, example="memstation graph show dudu user --depth 2",
    help=N_("Show what lies around a name, as a tree; of each name the most trusted links come first."),
)  # fmt: skip
@click.argument("agent")
@click.argument("name")
@option("--depth", type=click.IntRange(1, 5), default=2, show_default=True, help=N_("Links from the name, 1 to 5."))
@option("--width", "most", type=click.IntRange(1, 100), default=12, show_default=True, help=N_("Links of each name."))
@store_option
@json_option
@pass_session
def show(session: Session, agent: str, name: str, depth: int, most: int, store: Path | None, as_json: bool) -> int:
    """Show what lies around a name."""
    with session.engine(store) as engine:
        found = engine.finder.around(known_agent(engine, agent), name, depth, most)
    if found is None:
        raise NotFound("No such name", "nothing that holds or waits names {name!r}", "memstation list", name=name)
    if as_json:
        print_json(found)
        return DONE
    cells = width()
    click.echo(safe_line(found.name))
    for line in tree_lines(found):
        if cells is not None:
            from memstation.station.render.cells import cut

            line = cut(line, cells)
        click.echo(line)
    return DONE


def tree_lines(near: Near, indent: str = "") -> Iterator[Safe]:
    """A line for each link, those that lead on from it further in."""
    for place, link in enumerate(near.links):
        is_last = place == len(near.links) - 1
        yield Safe(f"{indent}{'`- ' if is_last else '|- '}{link_line(link)}")
        if link.to is not None:
            yield from tree_lines(link.to, indent + ("   " if is_last else "|  "))


def link_line(link: Link) -> Safe:
    """``city > Taipei  trust 0.70``, the other way round where it is the other name that says something."""
    edge = link.edge
    predicate = safe_line(edge.predicate or "")
    other = Safe("") if link.to is None else safe_line(link.to.name)
    said = f"{predicate} > {other}" if link.to_object else f"< {predicate} {other}"
    mark = f"  {_('held')}" if edge.held else ""
    return Safe(f"{said if other else predicate}  {say('trust {n}', n=f'{edge.trust:.2f}')}{mark}")
