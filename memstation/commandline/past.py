"""Commands about the past: what differs from then, and a report of what was believed. They write no store."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import click

from memstation.commandline.moments import about, at_option, known, known_option
from memstation.commandline.session import Session, known_agent, pass_session
from memstation.commandline.showing import minute, print_json, print_table
from memstation.commandline.verbs import DONE, FILE, Verb, json_option, option, store_option
from memstation.read.rows import FactRow, PastRow
from memstation.station.render.glyphs import GlyphSet, difference_sign
from memstation.station.render.safe import Safe, safe_line
from memstation.station.words import _, counted, say
from memstation.words import N_


@click.command(
    "diff", cls=Verb, example="memstation diff dudu 'last tue'",
    help=N_("Show what an agent believes otherwise than then, and which decision made it so. THEN and NOW are days"
            " (last tue, -7d, 2026-04-07 18:00) or decisions: #408 as THEN is the moment before it, as NOW after it."),
    context_settings={"ignore_unknown_options": True},
)  # fmt: skip
@click.argument("agent")
@click.argument("then")
@click.argument("now", required=False)
@option("--filter", "filter_text", default="", metavar="TEXT", help=N_("The Timeline's filter, without state:."))
@store_option
@json_option
@pass_session
def diff(
    session: Session, agent: str, then: str, now: str | None, filter_text: str, store: Path | None, as_json: bool
) -> int:
    """Show what differs between two moments."""
    with session.engine(store) as engine:
        rows = engine.differences(known_agent(engine, agent), then, now, filter_text=filter_text)
    if as_json:
        print_json(rows)
        return DONE
    glyphs = session.glyphs
    print_table([_difference(row, glyphs) for row in rows])
    click.echo(_counts(rows) if rows else _("Nothing matches that differs.") if filter_text else _("Nothing differs."))
    return DONE


def _difference(row: PastRow, glyphs: GlyphSet) -> list[Safe]:
    names = Safe(" ".join(safe_line(name) for name in (row.subject, row.predicate) if name)) or _("note")
    arrow = "→" if glyphs.name == "fine" else "->"
    then, now = _value(row.then), _value(row.now)
    if row.then is not None and row.now is not None and then == now:
        is_text = row.then.content != row.now.content
        then, now = (safe_line(fact.content) if is_text else _with_trust(fact) for fact in (row.then, row.now))
    cause = _("time passed") if row.cause is None else Safe(f"#{row.cause.seq} {safe_line(row.cause.actor)}")
    sign = Safe(str(difference_sign(glyphs, row.kind)))
    return [sign, names, Safe(f"{then} {arrow} {now}"), minute(row.since), cause]


def _value(fact: FactRow | None) -> Safe:
    return _("nothing") if fact is None else safe_line(fact.value)


def _with_trust(fact: FactRow) -> Safe:
    return say("{value} (trust {n})", value=fact.value, n=f"{fact.trust:.2f}")


def _counts(rows: list[PastRow]) -> Safe:
    kinds = Counter(row.kind for row in rows)
    parts = [
        counted("{n} changed", "{n} changed", kinds["changed"]),
        counted("{n} gone", "{n} gone", kinds["gone"]),
        counted("{n} new", "{n} new", kinds["new"]),
    ]
    return Safe(", ".join(parts))


@click.command(
    "report", cls=Verb, example="memstation report dudu --at 2026-03-31 --known-at 2026-03-31 --output dudu.md",
    help=N_("Write what an agent believed, as Markdown for an auditor: every belief with its source, trust and"
            " decision, and the head of the log."),
)  # fmt: skip
@click.argument("agent")
@at_option
@known_option
@option("--output", type=FILE, metavar="FILE", help=N_("The file to write; else the standard output."))
@option("--force", is_flag=True, help=N_("Write over a file that is there."))
@option("--all", "everything", is_flag=True, help=N_("List what was held and withdrawn too."))
@store_option
@pass_session
def report(
    session: Session,
    agent: str,
    at: str | None,
    known_at: str | None,
    output: Path | None,
    force: bool,
    everything: bool,
    store: Path | None,
) -> int:
    """Write a report of what was believed."""
    from memstation.commandline.reporting import write_report
    from memstation.exchange.whole_file import write_whole

    with session.engine(store) as engine:
        agent = known_agent(engine, agent)
        now = engine.clock()
        with engine.reader.believing(agent, about(at, now), known(known_at, now)) as believing:
            uuid = engine.uuid
            if output is None or str(output) == "-":
                out = sys.stdout.buffer
                write_report(believing, agent, uuid, lambda text: out.write(text.encode()), everything=everything)
                out.flush()
                return DONE
            count = write_whole(
                output,
                lambda write: write_report(believing, agent, uuid, write, everything=everything),
                store=engine.path,
                force=force,
            )
    click.echo(counted("{n} belief written to {file}", "{n} beliefs written to {file}", count or 0,
                       file=safe_line(str(output))))  # fmt: skip
    return DONE
