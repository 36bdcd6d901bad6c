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


limit_option = option(
    "--limit", type=click.IntRange(1), default=1000, show_default=True, help=N_("Of the newest facts so many at most.")
)
all_option = option("--all", "every", is_flag=True, help=N_("Of all facts, however many."))


@graph.command(
    "export", cls=Verb, example="memstation graph export dudu dudu.graphml --format graphml",
    help=N_("Write an agent's graph to a new file, or with - to the output: names, and the facts that link them."),
)  # fmt: skip
@click.argument("agent")
@click.argument("file", type=FILE)
@option("--format", "form", type=click.Choice(FORMATS), help=N_("Else by the file's ending, else json."))
@limit_option
@all_option
@option("--force", is_flag=True, help=N_("Write over a file that is there."))
@store_option
@pass_session
def export(
    session: Session,
    agent: str,
    file: Path,
    form: str | None,
    limit: int,
    every: bool,
    force: bool,
    store: Path | None,
) -> int:
    """Write an agent's graph to a file."""
    from memstation.exchange.whole_file import write_whole

    form = form or (file.suffix[1:] if file.suffix[1:] in FORMATS else FORMATS[0])
    with session.engine(store) as engine:
        found = engine.finder.export(known_agent(engine, agent), most_of(limit, every))
        text = _written(found, form)
        if str(file) == "-":
            sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
            say_truncated(found)
            return DONE
        write_whole(file, lambda write: write(text), store=engine.path, force=force)
    links = counted("{n} link", "{n} links", len(found.edges))
    click.echo(say("{links} written to {file}", links=links, file=str(file)))
    say_truncated(found)
    return DONE


def most_of(limit: int, every: bool) -> int:
    """How many facts are read at most."""
    from memstation.recall.exporting import EVERY

    return EVERY if every else limit


def say_truncated(found: ExportedGraph) -> None:
    """Say it where there are more facts than were read."""
    if found.truncated:
        click.echo(say("there are more; these are the newest (--limit, --all)"), err=True)


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
    for line in tree_lines(found, cells):
        click.echo(line)
    return DONE


def tree_lines(near: Near, cells: int | None = None, indent: str = "") -> Iterator[Safe]:
    """A line for each link, those that lead on from it further in; how many are left out. Trust and marks stay."""
    from memstation.station.render.links import more_words

    for place, link in enumerate(near.links):
        is_last = place == len(near.links) - 1 and not near.more
        yield _fitted(Safe(f"{indent}{'`- ' if is_last else '|- '}{link_line(link)}"), link_end(link), cells)
        if link.to is not None:
            yield from tree_lines(link.to, cells, indent + ("   " if is_last else "|  "))
    if near.more:
        yield _fitted(Safe(f"{indent}`- "), more_words(near), cells)


def _fitted(line: Safe, end: Safe, cells: int | None) -> Safe:
    """A line with its end, the middle cut so that the end is seen."""
    from memstation.station.render.cells import cut
    from memstation.station.render.cells import width as cells_of

    if cells is None:
        return Safe(f"{line}{end}")
    return cut(Safe(f"{cut(line, max(1, cells - cells_of(end)))}{end}"), cells)


def link_line(link: Link) -> Safe:
    """``city > Taipei``, the other way round where it is the other name that says something."""
    edge = link.edge
    predicate = safe_line(edge.predicate or "")
    other = Safe("") if link.to is None else safe_line(link.to.name)
    said = f"{predicate} > {other}" if link.to_object else f"< {predicate} {other}"
    return Safe(said) if other else predicate


def link_end(link: Link) -> Safe:
    """``  trust 0.30  held``."""
    mark = f"  {_('held')}" if link.edge.held else ""
    return Safe(f"  {say('trust {n}', n=f'{link.edge.trust:.2f}')}{mark}")


@graph.command(
    "components", cls=Verb, example="memstation graph components dudu",
    help=N_("List the names that hang together, the largest group first. What is held joins nothing."),
)  # fmt: skip
@click.argument("agent")
@option("--most", type=click.IntRange(1), default=20, show_default=True, help=N_("Groups that are listed at most."))
@limit_option
@all_option
@store_option
@json_option
@pass_session
def components(
    session: Session, agent: str, most: int, limit: int, every: bool, store: Path | None, as_json: bool
) -> int:
    """List the names that hang together."""
    from memstation.recall import exporting

    with session.engine(store) as engine:
        found = engine.finder.export(known_agent(engine, agent), most_of(limit, every))
    spelled = {node.entity: node.name for node in found.nodes}
    groups = [[spelled[entity] for entity in part] for part in exporting.components(found)]
    if as_json:
        print_json({"components": groups[:most], "count": len(groups), "truncated": found.truncated})
        return DONE
    cells = width()
    for names in groups[:most]:
        head = counted("{n} name: ", "{n} names: ", len(names))
        click.echo(_fitted(Safe(head + ", ".join(map(safe_line, names))), Safe(""), cells))
    if len(groups) > most:
        click.echo(counted("and {n} smaller group", "and {n} smaller groups", len(groups) - most))
    say_truncated(found)
    return DONE
