"""The command that sums up what an agent knows. It writes nothing, and nothing in it is counted as read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from memstation.commandline.moments import about
from memstation.commandline.session import Session, known_agent, pass_session
from memstation.commandline.showing import print_facts, print_json
from memstation.commandline.verbs import DONE, Verb, json_option, option, store_option
from memstation.domain.memory import FactRecord
from memstation.station.render.safe import Safe, safe_line
from memstation.station.words import _, counted, say
from memstation.words import N_


@click.command(
    "summarize", cls=Verb, example="memstation summarize dudu --since 'last mon'",
    help=N_("Sum up what an agent knows now: how much, what matters most, what is newest."
            " What is held, withdrawn or over is not in it."),
)  # fmt: skip
@click.argument("agent")
@option("--since", metavar="DAY", help=N_("Only what it learned from that day on."))
@option("--until", metavar="DAY", help=N_("Only what it learned before that day."))
@option("--limit", type=int, default=5, show_default=True, help=N_("How many of each list, 1 to 1,000."))
@store_option
@json_option
@pass_session
def summarize(
    session: Session, agent: str, since: str | None, until: str | None, limit: int, store: Path | None, as_json: bool
) -> int:
    """Sum up what an agent knows."""
    with session.engine(store) as engine:
        now = engine.clock()
        found = engine.summarize(known_agent(engine, agent), about(since, now), about(until, now), limit)
    if as_json:
        print_json(found)
        return DONE
    layers = ", ".join(f"{count:,} {_(name)}" for name, count in found.layers.items() if count)
    total = counted("{n} memory holds now", "{n} memories hold now", found.total)
    kinds = (counted("{n} fact", "{n} facts", found.facts), counted("{n} note", "{n} notes", found.notes))
    click.echo(say("{agent}: {total}", agent=found.agent_id, total=total))
    if found.total:
        click.echo(Safe(f"{kinds[0]}, {kinds[1]}; {safe_line(layers)}"))
        _listed(session, _("The most important:"), found.important)
        _listed(session, _("The newest:"), found.newest)
    return DONE


def _listed(session: Session, title: Safe, facts: Sequence[FactRecord]) -> None:
    click.echo()
    click.echo(title)
    print_facts(facts, session.glyphs)
