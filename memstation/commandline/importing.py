"""The command that takes foreign memories in. They pass the gate; it must not restore anything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memstation.commandline.moving import interruptible
from memstation.commandline.session import Session, pass_session
from memstation.commandline.showing import Meter, print_json
from memstation.commandline.verbs import DONE, FILE, INTERRUPTED, Verb, fail, json_option, option, store_option
from memstation.domain.errors import NotFound
from memstation.station.words import _, counted, say
from memstation.words import N_

if TYPE_CHECKING:
    from memstation.exchange.checking import Source
    from memstation.exchange.importing import ImportReport


@click.command(
    "import", cls=Verb, example="memstation import jsonl theirs.jsonl --name research-team",
    help=N_("Take foreign memories in through the gate: as import:NAME, trusted to 0.7 at most."),
)  # fmt: skip
@click.argument("kind", type=click.Choice(["jsonl", "duduclaw"]))
@click.argument("file", type=FILE)
@option("--name", required=True, metavar="NAME", help=N_("Where they come from; their origin is import:NAME."))
@option("--owner", metavar="AGENT", help=N_("The agent that gets memories of DuDuClaw without one."))
@store_option
@json_option
@pass_session
def import_(
    session: Session, kind: str, file: Path, name: str, owner: str | None, store: Path | None, as_json: bool
) -> int:
    """Take foreign memories in."""
    if not file.exists():
        raise NotFound("There is no such file", "{path}", path=file)
    from memstation.exchange.importing import import_foreign

    with ExitStack() as stack:
        engine = stack.enter_context(session.engine(store, create=True))
        progress = stack.enter_context(interruptible(Meter(_("importing"))))
        report = import_foreign(
            engine.ledger, stack.enter_context(_source(kind, file, owner)), name, progress, settings=engine.guard
        )
    if as_json:
        print_json(report)
    else:
        _print_import(report)
    if not report.stopped:
        return DONE
    return fail(_("stopped"), _("not all of it is in the store"), _("run it again to go on"), INTERRUPTED)


@contextmanager
def _source(kind: str, file: Path, owner: str | None) -> Iterator[Source]:
    if kind == "jsonl":
        from memstation.exchange.jsonfile import JsonFile

        yield JsonFile(file)
        return
    from memstation.exchange.duduclaw import SeedMemories
    from memstation.exchange.duduclaw_file import open_seed_file

    with open_seed_file(file) as seed:
        yield SeedMemories(seed, owner=owner)


def _print_import(report: ImportReport) -> None:
    numbers = "" if not report.parts else f" (#{report.parts[0]})"
    click.echo(counted("{n} memory imported", "{n} memories imported", report.told) + numbers)
    if report.held:
        click.echo(counted("{n} is held for review: memstation review list",
                           "{n} are held for review: memstation review list", report.held))  # fmt: skip
    if report.dropped:
        click.echo(counted("{n} was dropped: it reads like an attack", "{n} were dropped: they read like attacks",
                           report.dropped))  # fmt: skip
    if report.skipped:
        click.echo(counted("{n} was here already", "{n} were here already", report.skipped))
    for word, count in report.left_out:
        click.echo(say("not carried: {word} ({n})", n=f"{count:,}", word=word))
