"""Commands that look after a store and show the station at work: verify, reindex, backup, bench, demo."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path

import click

from memstation.commandline.moving import interruptible
from memstation.commandline.opening import now
from memstation.commandline.session import Session, pass_session
from memstation.commandline.showing import Meter, print_json
from memstation.commandline.verbs import (
    DONE,
    FILE,
    INTERRUPTED,
    NOT_DONE,
    Verb,
    Verbs,
    fail,
    json_option,
    option,
    store_option,
)
from memstation.domain.heads import read_head
from memstation.station.render.safe import safe_line
from memstation.station.words import _, counted, say
from memstation.words import N_


@click.command(
    "verify", cls=Verb, example="memstation verify --expect-head 9f2c..",
    help=N_("Check the whole store against itself: digests, chain, layout and index. Writes nothing."),
)  # fmt: skip
@option("--expect-head", metavar="[#SEQ:]HEX", help=N_("A head that you kept yourself: it must be in the chain."))
@option("--accept-head", is_flag=True, help=N_("Keep this file's head as the true one, if the file is whole."))
@store_option
@json_option
@pass_session
def verify(session: Session, expect_head: str | None, accept_head: bool, store: Path | None, as_json: bool) -> int:
    """Check the whole store, and that the head that was seen last is in it."""
    number, head = (None, None) if expect_head is None else read_head(expect_head)
    session.checks_head = True
    with session.engine(store) as engine, interruptible(Meter(_("checking"))) as progress:
        kept = session.heads.check(engine.uuid, engine)
        here = engine.head()
        report = engine.verify(head, progress)
        if number is not None and engine.hash_of(number) != head:
            report = report.with_problem(say("#{seq} has not the hash that was expected", seq=number))
        if accept_head and report.ok:
            session.heads.accept(engine.uuid, here)
        elif kept.words:
            report = report.with_problem(kept.words)
    if as_json:
        print_json(report)
    else:
        for problem in report.problems:
            click.echo(safe_line(problem))
    if report.stopped:
        return fail(_("stopped"), _("not all was checked"), code=INTERRUPTED)
    if not report.ok:
        return fail(_("The store is not whole"), counted("{n} problem", "{n} problems", len(report.problems)))
    if not as_json:
        entries = counted("{n} decision", "{n} decisions", report.entries)
        memories = counted("{n} memory", "{n} memories", report.memories)
        click.echo(say("The store is whole: {entries}, {memories}.", entries=entries, memories=memories))
        click.echo(say("head {head}", head=report.head))
    return DONE


@click.command("reindex", cls=Verb, example="memstation reindex", help=N_("Build the text index anew."))
@store_option
@json_option
@pass_session
def reindex(session: Session, store: Path | None, as_json: bool) -> int:
    """Build the text index anew."""
    with session.engine(store) as engine:
        count = engine.reindex()
    if as_json:
        print_json({"indexed": count})
    else:
        click.echo(counted("{n} memory is in the index", "{n} memories are in the index", count))
    return DONE


@click.group(
    "bench", cls=Verbs, invoke_without_command=True, example="memstation bench --size 10000",
    help=N_("Measure the store against raw SQLite in temporary folders."),
)  # fmt: skip
@option("--size", "sizes", type=int, multiple=True, metavar="N", help=N_("Memories in the store; may be repeated."))
@option("--no-station", is_flag=True, help=N_("Only the store, not the screen."))
@json_option
@click.pass_context
def bench(context: click.Context, sizes: tuple[int, ...], no_station: bool, as_json: bool) -> int:
    """Measure the store, unless something else to measure is named."""
    if context.invoked_subcommand is not None:
        return DONE
    from memstation.bench import main

    if any(not 1 <= size <= 10_000_000 for size in sizes):
        return fail(_("The size is out of range"), _("1 to 10,000,000 memories"))
    more = {"sizes": sizes} if sizes else {}
    return main(**more, as_json=as_json, station=not no_station)


@bench.command(
    "injection", cls=Verb, example="memstation bench injection labelled.jsonl",
    help=N_("Say how many attacks of a labelled file the scan catches, and what else it takes for one."),
)  # fmt: skip
@click.argument("file", type=FILE)
@json_option
def bench_injection(file: Path, as_json: bool) -> int:
    """Measure the injection scan on lines of JSON with text, label, source and lang."""
    from memstation.bench.injection import main

    return main(file, as_json=as_json)


@bench.command(
    "returns", cls=Verb, example="memstation bench returns",
    help=N_("Count how often a value that was purged, denied or retracted comes back, by eight roads."),
)  # fmt: skip
@json_option
def bench_returns(as_json: bool) -> int:
    """Try to bring values back that a person put out of use."""
    from memstation.bench.returns import main

    return main(as_json=as_json)


@bench.command(
    "recall", cls=Verb, example="memstation bench recall hipporag/",
    help=N_("Say how many of the passages that questions need are found, by words, by the graph, by both, by meaning."),
)  # fmt: skip
@click.argument("folder", type=FILE)
@json_option
def bench_recall(folder: Path, as_json: bool) -> int:
    """Measure recall on a folder with HippoRAG's MuSiQue sample."""
    from memstation.bench.recall import main

    return main(folder, as_json=as_json)


@bench.command(
    "poison", cls=Verb, example="memstation bench poison poisonedrag_targeted.jsonl",
    help=N_("Say how far trust pushes poisoned passages down when nothing is held."),
)  # fmt: skip
@click.argument("file", type=FILE)
@json_option
def bench_poison(file: Path, as_json: bool) -> int:
    """Measure ranking by trust on PoisonedRAG's questions."""
    from memstation.bench.poisoning import main

    return main(file, as_json=as_json)


@click.command(
    "demo", cls=Verb, example="memstation demo --keep demo.db",
    help=N_("Open the station on a demonstration store, which is gone afterwards unless it is kept."),
)  # fmt: skip
@option("--keep", type=FILE, metavar="FILE", help=N_("Keep the store in this new file."))
@pass_session
def demo(session: Session, keep: Path | None) -> int:
    """Open the station on a demonstration store."""
    from memstation.commandline.opening import need_terminal, open_demo

    need_terminal()
    if keep is not None and keep.exists():
        hint = say("memstation --store {file} opens it", file=safe_line(str(keep)))
        return fail(_("The file is there already"), str(keep), hint, NOT_DONE)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="memstation-demo-")))
        return open_demo(session, keep or folder / "demo.db", folder)


@click.command(
    "backup", cls=Verb, example="memstation backup ~/memory-backup.db",
    help=N_("Copy the store to a new file while it is in use; without FILE, into the data folder."),
)  # fmt: skip
@click.argument("file", type=FILE, required=False)
@store_option
@json_option
@pass_session
def backup(session: Session, file: Path | None, store: Path | None, as_json: bool) -> int:
    """Copy the store to a new file."""
    with session.engine(store) as engine, interruptible(Meter(_("copying"))) as progress:
        if file is None:
            file = session.paths.new_backup(engine.path, now())
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        head = engine.back_up(file, progress)
        uuid = engine.uuid
    if head is None:
        return fail(_("stopped"), _("no file was written"), code=INTERRUPTED)
    if as_json:
        print_json({"file": str(file), "seq": head.seq, "head": head.hash, "uuid": uuid})
    else:
        click.echo(say("copied to {file}, up to #{seq}", file=safe_line(str(file)), seq=head.seq))
        click.echo(say("head {head}", head=head.hash))
    return DONE
