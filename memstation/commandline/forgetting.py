"""The command that erases a person: a preview with a phrase, and the act once it is typed. Never a default yes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memstation.commandline.session import Session, pass_session
from memstation.commandline.showing import print_json
from memstation.commandline.taking import refusal
from memstation.commandline.verbs import DONE, Verb, dry_option, json_option, option, store_option, warn
from memstation.domain.errors import Refused
from memstation.station.render.forgetting import forgetting_lines, forgotten_lines
from memstation.station.words import _
from memstation.words import N_

if TYPE_CHECKING:
    from memstation.ops.forget import Forgetting, Forgotten


@click.command(
    "forget", cls=Verb, example="memstation forget dudu --about mira --dry-run",
    help=N_("Erase all that an agent was told about somebody, for good. It cannot be taken back."),
)  # fmt: skip
@click.argument("agent")
@option("--about", required=True, metavar="NAME", help=N_("Whom; names joined to this one are the same."))
@option("--mentions", is_flag=True, help=N_("Also memories about something else that name it in whole words."))
@option("--yes", "phrase", metavar="PHRASE", help=N_("The phrase that --dry-run shows."))
@dry_option
@store_option
@json_option
@pass_session
def forget(
    session: Session, agent: str, about: str, mentions: bool, phrase: str | None, dry: bool, store: Path | None,
    as_json: bool,
) -> int:  # fmt: skip
    """Erase a person."""
    with session.engine(store) as engine:
        if dry:
            found = engine.preview_forget(agent, about, mentions=mentions)
            if as_json:
                print_json({"dry_run": True, **_preview(found)})
            else:
                _print(forgetting_lines(found))
            return DONE
        if phrase is None:
            refused = Refused(
                "An erasure wants its phrase", "nothing was erased",
                "--dry-run shows what would go, and the phrase for --yes",
            )  # fmt: skip
            if as_json:
                found = engine.preview_forget(agent, about, mentions=mentions)
                print_json({"dry_run": True, **_preview(found), "refused": refusal(refused)})
            raise refused
        done = engine.forget(agent, about, phrase=phrase, mentions=mentions)
        _forget_queries(session, engine.uuid)
    if as_json:
        print_json({"dry_run": False, **_done(done)})
    else:
        _print(forgotten_lines(done))
    return DONE


def _forget_queries(session: Session, uuid: str) -> None:
    """What the station remembers of searches may name the person."""
    from memstation.config.state import StationState

    state = StationState(session.paths.station_state)
    try:
        if state.visit(uuid).queries:
            state.keep(uuid, queries=())
    except OSError as error:
        warn(_("what was searched for in the station is still in its state file"), str(error))


def _print(lines: list[str]) -> None:
    for line in lines:
        click.echo(line)


def _preview(found: Forgetting) -> dict[str, object]:
    reach = found.found
    return {
        "agent": found.agent_id, "about": found.about, "names": reach.names, "phrase": found.phrase,
        "memories": len(reach.ids), "roles": dict(reach.roles), "values": reach.texts, "indexed": reach.indexed,
        "orders": len(reach.orders), "reasons": len(reach.reasons) + len(reach.marks), "ids": reach.ids,
        "mentions_left": reach.mentions, "copy": None if found.copy is None else str(found.copy),
    }  # fmt: skip


def _done(done: Forgotten) -> dict[str, object]:
    return {"seq": done.seq, **_preview(done.forgetting), "copy_state": done.copy, "scrubbed": done.is_scrubbed}
