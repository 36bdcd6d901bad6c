"""The command that makes vectors of what agents were told. It must not search; search makes none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memstation.commandline.moving import interruptible
from memstation.commandline.session import Session, known_agent, pass_session
from memstation.commandline.showing import Meter, print_json
from memstation.commandline.verbs import DONE, INTERRUPTED, Verb, fail, json_option, store_option
from memstation.station.words import _, counted, say
from memstation.words import N_

if TYPE_CHECKING:
    from memstation.engine.embedding import Embedded


@click.command(
    "embed", cls=Verb, example="memstation embed dudu",
    help=N_("Make vectors of what an agent (or every agent) was told, so that search finds it by meaning, too."),
)  # fmt: skip
@click.argument("agent", required=False)
@store_option
@json_option
@pass_session
def embed(session: Session, agent: str | None, store: Path | None, as_json: bool) -> int:
    """Make the vectors that are missing."""
    made: dict[str, Embedded] = {}
    with session.engine(store) as engine, interruptible(Meter(_("embedding"))) as progress:
        if engine.embedder is None:
            return fail(_("No embedder is set"), hint=_("MEMSTATION_EMBEDDER=use, or embedder in the settings"))
        for name in engine.reader.agents() if agent is None else [known_agent(engine, agent)]:
            made[name] = engine.embed_missing(name, progress)
            if made[name].stopped:
                break
    if as_json:
        print_json(made)
    else:
        for name, one in made.items():
            _tell(name, one)
    if any(one.stopped for one in made.values()):
        return fail(_("stopped"), _("what was made is kept"), _("run it again to go on"), INTERRUPTED)
    return DONE


def _tell(agent: str, made: Embedded) -> None:
    memories = counted("{n} memory", "{n} memories", made.memories)
    names = counted("{n} name", "{n} names", made.names)
    click.echo(say("{agent}: {memories}, {names} ({model})", agent=agent, memories=memories, names=names,
                   model=made.model))  # fmt: skip
    if made.failed:
        click.echo(counted("{n} text has no vector: the model gave no numbers",
                           "{n} texts have no vector: the model gave no numbers", made.failed))  # fmt: skip
