"""Commands that show what is in the store: agents, facts, history, an instant, the log. They write nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memstation.commandline.moments import about, at_option, known, known_option, number
from memstation.commandline.session import Session, known_agent, pass_session
from memstation.commandline.showing import instant, jsonable, minute, print_facts, print_json, print_table
from memstation.commandline.verbs import DONE, Verb, fail, json_option, option, store_option
from memstation.domain.days import read_day
from memstation.domain.errors import InvalidInput, NotFound
from memstation.domain.memory import FactRecord
from memstation.guard import shape
from memstation.station.render.safe import Safe, safe_line
from memstation.station.words import _, say
from memstation.words import N_

if TYPE_CHECKING:
    from memstation.engine import MemoryEngine
    from memstation.read.rows import FactRow, LogRow

limit_option = option("--limit", type=int, default=100, show_default=True, help=N_("How many at most, 1 to 1,000."))


@click.command("agents", cls=Verb, example="memstation agents", help=N_("List the agents that have memories."))
@store_option
@json_option
@pass_session
def agents(session: Session, store: Path | None, as_json: bool) -> int:
    """List the agents."""
    from memstation.domain.origins import OPERATOR

    with session.engine(store) as engine:
        found = engine.reader.overview(None, OPERATOR).agents
    if as_json:
        print_json(found)
        return DONE
    rows = [[_("agent"), _("facts"), _("held"), _("last write")]]
    for row in found:
        rows.append([safe_line(row.agent_id), Safe(f"{row.facts:,}"), Safe(f"{row.held:,}"), minute(row.last_write)])
    if found:
        print_table(rows, right=(1, 2))
    else:
        click.echo(_("No agent has memories here yet."))
    return DONE


@click.command(
    "list", cls=Verb, example="memstation list dudu 'state:held source:channel'",
    help=N_("List an agent's facts, newest learned first; with a moment, those believed then."
            " The filter is the Timeline's."),
)  # fmt: skip
@click.argument("agent")
@click.argument("filter_text", metavar="[FILTER]", default="")
@limit_option
@option("--order", type=click.Choice(["learned", "start"]), default="learned", help=N_("By when learned, or start."))
@at_option
@known_option
@store_option
@json_option
@pass_session
def list_(
    session: Session,
    agent: str,
    filter_text: str,
    limit: int,
    order: Any,
    at: str | None,
    known_at: str | None,
    store: Path | None,
    as_json: bool,
) -> int:
    """List an agent's facts, or those believed at a moment."""
    from memstation.read.timeline import TimelineQuery

    shape.limit_of(limit)
    with session.engine(store) as engine:
        agent, now = known_agent(engine, agent), engine.clock()
        source: Any
        if at is None and known_at is None:
            source = engine.reader.timeline(TimelineQuery(agent, filter_text, order))
            rows, more = _first(source, limit)
        else:
            if order != "learned":
                raise InvalidInput("The order is not known", "a list of the past is by when learned", "--order learned")
            source = engine.reader.believed(agent, about(at, now), known(known_at, now), filter_text)
            found, more = _first(source, limit)
            rows = [row.then for row in found]
        rows = [_whole(engine, row) for row in rows]
        total = source.anchors().count if more else len(rows)
    if as_json:
        print_json(rows)
        return DONE
    print_facts(rows, session.glyphs)
    if not rows:
        click.echo(_("No fact matches.") if filter_text else _("Nothing to list."))
    if more:
        text = say("{n} of {total} shown (--limit)", n=f"{len(rows):,}", total=f"{total:,}")
        click.echo(text, err=True)
    return DONE


def _first(source: Any, limit: int) -> tuple[list[Any], bool]:
    """The first rows of a list that is read by pages, and whether there are more."""
    rows = list(source.head())
    page = rows
    while page and len(rows) <= limit:
        page = source.page(source.key(rows[-1]))[1:]
        rows += page
    return rows[:limit], len(rows) > limit


def _whole(engine: MemoryEngine, row: FactRow) -> FactRow:
    """The row with all of its text, which a list of the station cuts."""
    from memstation.read.rows import CONTENT_SHOWN

    content = engine.reader.content(row.n) if len(row.content) >= CONTENT_SHOWN else None
    return row if content is None else replace(row, content=content)


@click.command(
    "history", cls=Verb, example="memstation history dudu user city",
    help=N_("Show every value that a fact had, oldest first."),
)  # fmt: skip
@click.argument("agent")
@click.argument("subject")
@click.argument("predicate")
@option("--held", is_flag=True, help=N_("What is held for review too."))
@known_option
@store_option
@json_option
@pass_session
def history(
    session: Session,
    agent: str,
    subject: str,
    predicate: str,
    held: bool,
    known_at: str | None,
    store: Path | None,
    as_json: bool,
) -> int:
    """Show the history of a fact."""
    with session.engine(store) as engine:
        believed = known(known_at, engine.clock())
        # Of the past all is shown, each claim with what was thought of it then.
        found = engine.get_history(
            known_agent(engine, agent), subject, predicate, include_held=held or known_at is not None,
            known_at=believed,
        )  # fmt: skip
        by = engine.reader.withdrawn_by(found)
    if as_json:
        print_json([{**jsonable(record), "withdrawn_by": by.get(record.id)} for record in found])
    else:
        print_facts(found, session.glyphs, partial(_withdrawn_lines, by))
    if found:
        return DONE
    return fail(
        _("No such fact"), say("{agent} knows nothing about {what}", agent=agent, what=f"{subject} {predicate}")
    )


def _withdrawn_lines(by: Mapping[str, int], record: FactRecord) -> list[Safe]:
    """When what was withdrawn was, by which decision and why."""
    if record.state != "withdrawn" or record.invalidated_at is None:
        return []
    from memstation.station.render.reasons import reason_runs

    at, seq = minute(record.invalidated_at), by.get(record.id)
    line = say("  withdrawn {at}", at=at) if seq is None else say("  withdrawn {at} by #{seq}", at=at, seq=seq)
    why = "".join(text for text, _role in reason_runs(record.invalidated_by_event or ""))
    return [Safe(f"{line}: {why}") if why else line]


@click.command(
    "at", cls=Verb, example="memstation at dudu user city 2026-03-03 --known-at '#12'",
    help=N_("Show what held at an instant: as known now, or as believed after a decision or on a day."),
)  # fmt: skip
@click.argument("agent")
@click.argument("subject")
@click.argument("predicate")
@click.argument("when")
@known_option
@store_option
@json_option
@pass_session
def at(
    session: Session,
    agent: str,
    subject: str,
    predicate: str,
    when: str,
    known_at: str | None,
    store: Path | None,
    as_json: bool,
) -> int:
    """Show what held at an instant."""
    with session.engine(store) as engine:
        now = engine.clock()
        moment = read_day(when, now)
        believed = known(known_at, now)
        found = engine.holding_at(known_agent(engine, agent), subject, predicate, moment, known_at=believed)
    if as_json:
        print_json(found)
    else:
        print_facts(found, session.glyphs)
    if found:
        return DONE
    return fail(_("Nothing held then"), say("{what} on {day}", what=f"{subject} {predicate}", day=instant(moment)))


@click.command(
    "journal", cls=Verb, example="memstation journal --filter 'who:operator is:standing'",
    help=N_("Show the log of decisions, newest first; with a number, that one with all that it did."),
)  # fmt: skip
@click.argument("seq", required=False)
@limit_option
@option("--after", metavar="SEQ", help=N_("Only decisions after this one, oldest first."))
@option("--filter", "filter_text", default="", metavar="TEXT", help=N_("The Log's filter."))
@store_option
@json_option
@pass_session
def journal(
    session: Session, seq: str | None, limit: int, after: str | None, filter_text: str, store: Path | None,
    as_json: bool,
) -> int:  # fmt: skip
    """Show the log of decisions."""
    shape.limit_of(limit)
    if seq is not None:
        if after is not None or filter_text:
            raise InvalidInput("One decision is shown alone", "--after and --filter choose among many")
        return _decision(session, number(seq), store, as_json)
    with session.engine(store) as engine:
        rows = _decisions(engine, limit, after, filter_text)
    if as_json:
        print_json(rows)
        return DONE
    print_table([_log_row(row) for row in rows], right=(0,))
    if not rows:
        click.echo(_("No decision matches.") if filter_text or after else _("Nothing was decided yet."))
    return DONE


def _decision(session: Session, seq: int, store: Path | None, as_json: bool) -> int:
    """Show one decision with its statements and what the gate noted."""
    with session.engine(store) as engine:
        detail, now = engine.reader.decision(seq), engine.clock()
    if detail is None:
        raise NotFound("No such decision", "#{seq}", "memstation journal", seq=seq)
    if as_json:
        print_json(detail)
        return DONE
    from memstation.station.render.effects import plain
    from memstation.station.render.log_detail import decision_title, statement_rows

    title, note = decision_title(detail.row, now)
    click.echo(f"{plain([title])} ({plain([note])})")
    for line in plain(statement_rows(detail, session.glyphs, now)).split("\n"):
        click.echo(f"  {line}")
    return DONE


def _decisions(engine: MemoryEngine, limit: int, after: str | None, filter_text: str) -> list[LogRow]:
    from memstation.read.log import LogQuery

    if after is None:
        return _first(engine.reader.log(LogQuery(filter_text)), limit)[0]
    first = number(after)
    if not filter_text:
        return engine.reader.journal(first, limit)
    source = engine.reader.log(LogQuery(filter_text))
    rows = list(source.head())
    page = rows
    while page and rows[-1].seq > first:
        page = source.page(source.key(rows[-1]))[1:]
        rows += page
    return [row for row in reversed(rows) if row.seq > first][:limit]


def _log_row(row: LogRow) -> list[Safe]:
    from memstation.station.render.log_words import did, who

    what = safe_line(row.summary)
    if not row.stands and row.taken_back_by is not None:
        what = Safe(say("[taken back by #{seq}] ", seq=row.taken_back_by) + what)
    counts = " ".join([f"+{row.facts:,}"] * bool(row.facts) + [f"-{row.closed:,}"] * bool(row.closed))
    return [Safe(f"#{row.seq}"), minute(row.at), who(row.actor), did(row), Safe(counts), safe_line(row.agent_id), what]


@click.command("paths", cls=Verb, example="memstation paths", help=N_("Show where memstation keeps its files."))
@store_option
@json_option
@pass_session
def paths(session: Session, store: Path | None, as_json: bool) -> int:
    """Show where files lie."""
    found = session.paths
    named = {
        "store": session.store_path(store), "settings": found.settings, "themes": found.user_themes,
        "state": found.station_state, "log": found.log_file,
    }  # fmt: skip
    if as_json:
        print_json({name: str(path) for name, path in named.items()})
        return DONE
    words = {"store": _("store"), "settings": _("settings"), "themes": _("your themes"), "state": _("state"),
             "log": _("program log")}  # fmt: skip
    print_table([[words[name], safe_line(str(path))] for name, path in named.items()])
    return DONE
