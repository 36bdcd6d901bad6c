"""The command that adopts a file of the seed's system. It must not begin without a yes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memstation.commandline.moving import interruptible
from memstation.commandline.session import Session, pass_session
from memstation.commandline.showing import Meter, print_json
from memstation.commandline.verbs import DONE, FILE, INTERRUPTED, NOT_DONE, Verb, dry_option, fail, json_option, option
from memstation.domain.errors import Refused, Stopped
from memstation.station.render.safe import safe_line
from memstation.station.words import _, counted, say
from memstation.words import N_

if TYPE_CHECKING:
    from memstation.exchange.adoption import AdoptionReport


@click.command(
    "adopt", cls=Verb, example="memstation adopt ~/.duduclaw/memory.db --dry-run",
    help=N_("Make a database of DuDuClaw a store, in place. It is copied aside first, and asked for."),
)  # fmt: skip
@click.argument("file", type=FILE)
@option("--yes", is_flag=True, help=N_("Do it without asking."))
@option("--owner", metavar="NAME", help=N_("The agent that gets memories of DuDuClaw without one."))
@dry_option
@json_option
@pass_session
def adopt(session: Session, file: Path, yes: bool, owner: str | None, dry: bool, as_json: bool) -> int:
    """Make a database of DuDuClaw a store."""
    from memstation.commandline.opening import now
    from memstation.exchange import adoption

    if session.read_only and not dry:
        raise Refused("The store is read-only", "--read-only was given", "nothing was written; --dry-run shows it all")
    asks = not (yes or dry)
    if asks and (as_json or not sys.stdin.isatty()):
        raise Refused(
            "Nobody can be asked", "adopting changes {file} for good", "--dry-run shows what it does, --yes does it",
            file=file,
        )  # fmt: skip
    try:
        if not yes or dry:
            with interruptible(Meter(_("looking"))) as progress:
                preview = adoption.preview_adoption(file, now, progress, owner=owner)
            if not as_json:
                _print_preview(preview)
            elif dry:
                print_json(preview)
            if dry:
                return DONE
            if not click.confirm(_("Adopt this file?"), default=False):
                return fail(_("not adopted"), _("nothing was changed"), code=NOT_DONE)
        with interruptible(Meter(_("adopting"))) as progress:
            report = adoption.adopt(file, now, progress, owner=owner)
    except Stopped as stopped:
        return fail(stopped.title, stopped.detail, stopped.hint, INTERRUPTED)
    if as_json:
        print_json(report)
    else:
        _print_report(report)
    return DONE


def _print_preview(preview: AdoptionReport) -> None:
    from memstation.station.render.adoption import adoption_rows, what_it_is

    click.echo(what_it_is(preview))
    for row in adoption_rows(preview):
        click.echo("".join(text for text, _role in row))


def _print_report(report: AdoptionReport) -> None:
    from memstation.station.render.adoption import SHOWN, answer_line

    click.echo(counted("{n} memory adopted", "{n} memories adopted", report.memories))
    if report.repaired:
        click.echo(counted("{n} had broken characters, now U+FFFD", "{n} had broken characters, now U+FFFD",
                           report.repaired))  # fmt: skip
    for word, count in report.left_out:
        click.echo(say("only in the copy: {word} ({n})", word=safe_line(word), n=f"{count:,}"))
    click.echo(counted("{n} key changed its answer", "{n} keys changed their answer", report.changed_keys))
    for answer in report.changed[:SHOWN]:
        click.echo(answer_line(answer))
    click.echo(say("the original is {file}", file=safe_line(report.copy)))
    if report.changed:
        click.echo(say("all changed answers are in {file}", file=safe_line(report.report)))
