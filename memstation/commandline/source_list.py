"""``memstation sources``: who tells what is known. It writes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memstation.commandline.session import Session, known_agent, pass_session
from memstation.commandline.showing import jsonable, minute, print_json, print_table, width
from memstation.commandline.verbs import DONE, Verb, json_option, option, store_option
from memstation.station.render.safe import Safe
from memstation.station.words import _, counted, say
from memstation.words import N_

if TYPE_CHECKING:
    from memstation.read.source_rows import SourceRow

TIME = len(" 09:02")
"""Cells of the last column that a narrow terminal may cut: the time after the day."""


@click.command(
    "sources", cls=Verb, example="memstation sources --agent dudu",
    help=N_("List who told what is known, the weakest trust first: with bursts and drops of 14 days."),
)  # fmt: skip
@option("--agent", metavar="AGENT", help=N_("Only what this agent was told; else all agents together."))
@store_option
@json_option
@pass_session
def sources(session: Session, agent: str | None, store: Path | None, as_json: bool) -> int:
    """List the sources."""
    with session.engine(store) as engine:
        rows = engine.sources(None if agent is None else known_agent(engine, agent))
    if as_json:
        print_json([_told(row) for row in rows])
        return DONE
    _print(rows)
    return DONE


def _told(row: SourceRow) -> dict[str, object]:
    """The row with what follows from its class."""
    told: dict[str, object] = dict(jsonable(row))
    return told | {"class": row.class_name, "ceiling": row.ceiling}


def _print(rows: list[SourceRow]) -> None:
    from memstation.station.render.sources import source_name, trust_run

    if not rows:
        click.echo(_("Nobody has told anything yet."))
        return
    table = [[_("source"), _("facts"), _("held"), _("withdrawn"), _("trust"), _("bursts"), _("drops"), _("last")]]
    for row in rows:
        table.append([
            Safe("".join(text for text, _role in source_name(row.origin))),
            Safe(f"{row.facts:,}"), Safe(f"{row.held:,}"), Safe(f"{row.withdrawn:,}"), trust_run(row)[0],
            Safe(f"{row.bursts:,}"), Safe(f"{row.dropped:,}"), minute(row.last),
        ])  # fmt: skip
    cells = width()
    if cells is not None and _cells_of(table) - TIME > cells:
        # Columns of nothing but zeros go first.
        said = [at for at, column in enumerate(zip(*table[1:], strict=True)) if not at or set(column) != {"0"}]
        table = [[line[at] for at in said] for line in table]
    if cells is None or _cells_of(table) - TIME <= cells:
        print_table(table, right=range(1, len(table[0]) - 1))
        return
    for row, (name, *_rest) in zip(rows, table[1:], strict=True):
        for line in _narrow(row, name, cells):
            click.echo(line)


def _cells_of(table: list[list[Safe]]) -> int:
    """How wide a table is."""
    from memstation.station.render.cells import width as cells_of

    return sum(max(map(cells_of, column)) for column in zip(*table, strict=True)) + 2 * (len(table[0]) - 1)


def _narrow(row: SourceRow, name: Safe, cells: int) -> Iterator[Safe]:
    """A source where a table has no room: its trust and name, then what it told, in as many lines as that takes."""
    from memstation.station.render.cells import cut
    from memstation.station.render.cells import width as cells_of
    from memstation.station.render.sources import trust_run

    yield cut(Safe(f"{trust_run(row)[0]}  {name}"), cells)
    parts = [counted("{n} fact", "{n} facts", row.facts)]
    told = ((row.held, N_("{n} held")), (row.withdrawn, N_("{n} withdrawn")), (row.bursts, N_("{n} in bursts")),
            (row.dropped, N_("{n} dropped")))  # fmt: skip
    parts += [say(words, n=f"{count:,}") for count, words in told if count]
    parts += [say("last {when}", when=minute(row.last))] if row.last is not None else []
    line = Safe("")
    for part in parts:
        longer = Safe(f"{line}, {part}" if line else f"  {part}")
        if line and cells_of(longer) > cells - 1:
            yield Safe(f"{line},")
            longer = Safe(f"  {part}")
        line = longer
    yield cut(line, cells)
