"""The program's entry: options that stand before a command, and the commands. Without one it opens the station."""

from __future__ import annotations

from pathlib import Path

import click

import memstation
from memstation.commandline import (
    adopting,
    aliasing,
    caring,
    conflicting,
    deciding,
    doctoring,
    forgetting,
    graphing,
    importing,
    moving,
    past,
    purging,
    reading,
    rejecting,
    reviewing,
    scanning,
    searching,
    source_list,
    summarizing,
    trusting,
)
from memstation.commandline.session import Session
from memstation.commandline.verbs import FILE, Root, option
from memstation.words import N_


@click.group(
    cls=Root,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=N_("Curate what AI agents remember. Without a command, the station opens."),
)
@option("--store", type=FILE, metavar="FILE", envvar="MEMSTATION_STORE", help=N_("The store to open."))
@option("--home", type=FILE, metavar="FOLDER", help=N_("Keep settings, state and store under this folder."))
@option("--read-only", is_flag=True, help=N_("Open the store for reading only."))
@click.version_option(memstation.__version__, prog_name="memstation")
@click.pass_context
def cli(context: click.Context, store: Path | None, home: Path | None, read_only: bool) -> int:
    """Keep what stands before the command; open the station where none follows."""
    context.obj = Session(home, store, read_only)
    if context.invoked_subcommand is not None:
        return 0
    from memstation.commandline.opening import open_station

    return open_station(context.obj)


for _verb in (
    caring.demo, reading.agents, reading.list_, deciding.add, reading.history, reading.at, deciding.retract,
    deciding.end, deciding.predicate, forgetting.forget, moving.restore, importing.import_, moving.export,
    adopting.adopt, reading.journal, deciding.undo, reviewing.review, rejecting.rejected, purging.purge, purging.block,
    purging.unblock, trusting.trust, trusting.promote, aliasing.alias, conflicting.conflicts, scanning.scan,
    caring.verify, doctoring.doctor, caring.reindex, caring.backup, caring.bench, reading.paths, past.diff, past.report,
    source_list.sources, searching.search, summarizing.summarize, graphing.graph,
):  # fmt: skip
    cli.add_command(_verb)


def main() -> None:
    """Run the program and leave with its exit code."""
    cli(prog_name="memstation")
