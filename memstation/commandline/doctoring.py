"""The command that says what ails a store, and what to do. It repairs what is derived, only where it is asked to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memstation.commandline.moving import interruptible
from memstation.commandline.session import Session, pass_session
from memstation.commandline.showing import Meter, print_json
from memstation.commandline.verbs import DONE, INTERRUPTED, NOT_DONE, Verb, fail, json_option, option, store_option
from memstation.station.render.safe import safe_line
from memstation.station.words import _, counted
from memstation.words import N_

if TYPE_CHECKING:
    from memstation.engine import Finding, MemoryEngine

_OLD_BACKUP_DAYS = 30
_SEVERITIES = {"wrong": N_("wrong"), "look": N_("look"), "note": N_("note")}
_ORDER = list(_SEVERITIES)


@click.command(
    "doctor", cls=Verb, example="memstation doctor --repair",
    help=N_("Say what ails the store and what to do about it. Repairs only when asked, and only what is derived."),
)  # fmt: skip
@option("--repair", is_flag=True, help=N_("Compute anew windows, links, standing and the text index."))
@store_option
@json_option
@pass_session
def doctor(session: Session, repair: bool, store: Path | None, as_json: bool) -> int:
    """Say what ails the store; exit code 1 where something is wrong."""
    session.checks_head = True
    repaired = None
    with session.engine(store) as engine, interruptible(Meter(_("checking"))) as progress:
        if repair:
            repaired = engine.repair()
        found, stopped = engine.examine(progress)
        found += _outside(session, engine)
    found.sort(key=lambda one: _ORDER.index(one.severity))
    wrong = sum(one.severity == "wrong" for one in found)
    if as_json:
        print_json({"findings": found, "repaired": repaired, "stopped": stopped})
    else:
        if repaired is not None and repaired.seq is not None:
            click.echo(counted("{n} thing repaired", "{n} things repaired", repaired.count) + f" (#{repaired.seq})")
        elif repaired is not None:
            click.echo(_("Nothing had to be repaired."))
        for one in found:
            click.echo(safe_line(f"{_(_SEVERITIES[one.severity])}: {one.words}"))
            if one.advice:
                click.echo(safe_line(f"  {one.advice}"))
    if stopped:
        return fail(_("stopped"), _("not all was checked"), code=INTERRUPTED)
    if not as_json and not wrong:
        click.echo(_("Nothing is wrong with the store."))
    return NOT_DONE if wrong else DONE


def _outside(session: Session, engine: MemoryEngine) -> Iterator[Finding]:
    """What is to be said of the store beside its file: the head that was seen, its backups."""
    from memstation.engine import Finding

    kept = session.heads.check(engine.uuid, engine)
    if kept.words:
        advice = _("restore a backup; memstation verify --accept-head keeps this file as the true one")
        yield Finding("wrong", "head", kept.words, advice)
    newest = max((at for at in _backups(session, engine)), default=None)
    if newest is None:
        yield Finding("look", "backups", _("there is no backup in the data folder"), _("memstation backup makes one"))
    elif (days := (engine.clock().timestamp() - newest) / 86_400) > _OLD_BACKUP_DAYS:
        words = counted("the newest backup is {n} day old", "the newest backup is {n} days old", int(days))
        yield Finding("look", "backups", words, _("memstation backup makes a new one"))


def _backups(session: Session, engine: MemoryEngine) -> Iterator[float]:
    """When each backup of this store in the data folder was made, in seconds since 1970."""
    folder = session.paths.backups
    for file in folder.glob("*.db") if folder.is_dir() else ():
        if engine.is_backup(file):
            yield file.stat().st_mtime
