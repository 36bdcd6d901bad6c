"""Commands that bring memories in and out: restore and export. They can be stopped with ctrl+c between two parts."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from memstation.commandline.session import Session, pass_session
from memstation.commandline.showing import Meter, print_json
from memstation.commandline.verbs import DONE, FILE, INTERRUPTED, Verb, fail, json_option, option, store_option
from memstation.domain.errors import MemstationError, NotFound
from memstation.station.render.safe import safe_line
from memstation.station.words import _, counted, say
from memstation.words import N_

if TYPE_CHECKING:
    from memstation.engine import MemoryEngine
    from memstation.exchange.report import RestoreReport

_LINKS_SHOWN = 20


@contextmanager
def interruptible(meter: Meter) -> Iterator[Callable[[int, int], bool]]:
    """A progress callback that answers False after ctrl+c. A second ctrl+c stops at once."""
    pressed = False

    def press(_number: int, _frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True

    def progress(done: int, total: int) -> bool:
        meter(done, total)
        return not pressed

    try:
        before = signal.signal(signal.SIGINT, press)
    except ValueError:  # only the main thread may
        yield meter
        return
    try:
        yield progress
    finally:
        signal.signal(signal.SIGINT, before)
        meter.clear()


@click.command(
    "restore", cls=Verb, example="memstation restore duduclaw ~/.duduclaw/memory.db",
    help=N_("Bring memories back from an export, from the database of DuDuClaw, or a backup into a new file."),
)  # fmt: skip
@click.argument("what", nargs=-1, required=True, metavar="[jsonl|duduclaw|backup] FILE")
@option("--into", type=FILE, metavar="NEW", help=N_("The new file that a backup is brought back into."))
@option("--owner", metavar="NAME", help=N_("The agent that gets memories of DuDuClaw without one."))
@store_option
@json_option
@pass_session
def restore(
    session: Session, what: tuple[str, ...], into: Path | None, owner: str | None, store: Path | None, as_json: bool
) -> int:
    """Bring memories back."""
    if len(what) > 2 or (len(what) == 2 and what[0] not in ("jsonl", "duduclaw", "backup")):
        raise click.UsageError(
            _("give a FILE, or jsonl FILE, or duduclaw FILE, or backup FILE"), click.get_current_context()
        )
    kind, path = what if len(what) == 2 else ("jsonl", what[0])
    if (kind == "backup") != (into is not None):
        raise click.UsageError(_("restore backup FILE --into NEW"), click.get_current_context())
    if not Path(path).exists():
        # Before a store is made for it.
        raise NotFound("There is no such file", "{path}", path=path)
    if into is not None:
        return _bring_back(session, Path(path), into, store, as_json)
    with session.engine(store, create=True) as engine, interruptible(Meter(_("restoring"))) as progress:
        report = _restore(engine, kind, Path(path), progress, owner)
    if as_json:
        print_json(report)
    else:
        _print_report(report, kind)
    return _stopped(report) if report.stopped else DONE


def _restore(
    engine: MemoryEngine, kind: str, path: Path, progress: Callable[[int, int], bool], owner: str | None
) -> RestoreReport:
    if kind == "duduclaw":
        from memstation.exchange.adopting import restore_duduclaw

        return restore_duduclaw(engine.ledger, path, progress, owner=owner)
    from memstation.exchange.jsonfile import JsonFile
    from memstation.exchange.restoring import restore as restore_file

    return restore_file(engine.ledger, JsonFile(path), progress)


def _bring_back(session: Session, copy: Path, into: Path, store: Path | None, as_json: bool) -> int:
    from memstation.engine import bring_back, open_engine

    with interruptible(Meter(_("checking"))) as progress:
        back = bring_back(copy, into, progress)
    if back is None:
        return fail(_("stopped"), _("no file was written"), code=INTERRUPTED)
    beyond, live = None, session.store_path(store)
    if live.exists():
        with suppress(MemstationError), open_engine(live, read_only=True) as engine:
            if engine.uuid == back.uuid and (not back.head.seq or engine.hash_of(back.head.seq) == back.head.hash):
                beyond = engine.head().seq - back.head.seq
    # Who opens the new file is not to be warned of it for ever.
    session.heads.accept(back.uuid, back.head)
    if as_json:
        print_json({"file": str(into), "seq": back.head.seq, "head": back.head.hash, "at": back.at, "beyond": beyond})
        return DONE
    click.echo(say("brought back into {file}, up to #{seq}", file=safe_line(str(into)), seq=back.head.seq))
    if back.at is not None:
        click.echo(say("its last decision was taken at {at}", at=back.at))
    if beyond is not None:
        click.echo(counted("{file} has {n} decision beyond it", "{file} has {n} decisions beyond it", beyond,
                           file=safe_line(str(live))))  # fmt: skip
    click.echo(say("head {head}", head=back.head.hash))
    click.echo(say("memstation --store {file} opens it", file=safe_line(str(into))))
    return DONE


def _stopped(report: RestoreReport) -> int:
    done, total = f"{report.told + report.skipped:,}", f"{report.total:,}"
    if not report.parts:
        return fail(_("stopped"), _("nothing was written"), code=INTERRUPTED)
    hint = say("run it again to go on; memstation undo {seq} takes it back", seq=report.parts[0])
    return fail(_("stopped"), say("{done} of {total} are in the store", done=done, total=total), hint, INTERRUPTED)


def _print_report(report: RestoreReport, kind: str) -> None:
    numbers = ""
    if report.parts:
        first, last = report.parts[0], report.parts[-1]
        numbers = f" (#{first})" if first == last else f" (#{first} .. #{last})"
    click.echo(counted("{n} statement restored", "{n} statements restored", report.told) + numbers)
    if report.continues is not None:
        click.echo(say("this goes on with the restore that was stopped: memstation undo {seq} takes all of it back",
                       seq=report.continues))  # fmt: skip
    if report.skipped:
        click.echo(counted("{n} was here already", "{n} were here already", report.skipped))
    if report.held:
        click.echo(counted("{n} is held for review: memstation review list",
                           "{n} are held for review: memstation review list", report.held))  # fmt: skip
    for seq in report.taken_back:
        click.echo(say("some of these were taken back: memstation undo {seq} brings them back", seq=seq))
    if report.repaired:
        click.echo(counted("{n} had broken characters, now U+FFFD", "{n} had broken characters, now U+FFFD",
                           report.repaired))  # fmt: skip
    for word, count in report.left_out:
        click.echo(say("not carried: {word} ({n})", n=f"{count:,}", word=word))
    if kind == "duduclaw" and not report.stopped:
        _print_links(report)


def _print_links(report: RestoreReport) -> None:
    click.echo(counted("{n} fact has the successor that the file names", "{n} facts have the successor that the file"
                       " names", report.same_links))  # fmt: skip
    if not report.other_links:
        return
    click.echo(counted("{n} has another, since windows were laid out again:",
                       "{n} have another, since windows were laid out again:", len(report.other_links)))  # fmt: skip
    for memory_id, there, here in report.other_links[:_LINKS_SHOWN]:
        click.echo(say("  {id}: {there} in the file, {here} here", id=memory_id, there=there or _("none"),
                       here=here or _("none")))  # fmt: skip
    rest = len(report.other_links) - _LINKS_SHOWN
    if rest > 0:
        click.echo(counted("  and {n} more (--json)", "  and {n} more (--json)", rest))


@click.command(
    "export", cls=Verb, example="memstation export backup.jsonl",
    help=N_("Write all that stands to a file that restore brings back; - is the standard output."),
)  # fmt: skip
@click.argument("file", type=FILE)
@option("--force", is_flag=True, help=N_("Write over a file that is there."))
@store_option
@json_option
@pass_session
def export(session: Session, file: Path, force: bool, store: Path | None, as_json: bool) -> int:
    """Write all that stands to a file."""
    from memstation.exchange import exporting

    with session.engine(store) as engine, interruptible(Meter(_("exporting"))) as progress:
        if str(file) == "-":
            out = sys.stdout.buffer
            report = exporting.export_to(engine.ledger, lambda text: out.write(text.encode()), progress)
            out.flush()
        else:
            report = exporting.export(engine.ledger, file, store=engine.path, force=force, progress=progress)
    if report is None:
        return fail(_("stopped"), _("no file was written"), code=INTERRUPTED)
    if str(file) == "-":
        return DONE
    if as_json:
        print_json(report)
        return DONE
    click.echo(counted("{n} statement exported to {file}", "{n} statements exported to {file}", report.statements,
                       file=safe_line(str(file))))  # fmt: skip
    for word, count in report.left_out:
        click.echo(say("not carried: {word} ({n})", n=f"{count:,}", word=word))
    return DONE
