"""``memstation alias``: names that are one, listed, joined, parted, suggested. `ops.alias` builds the decisions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memstation.commandline.session import Session, known_agent, pass_session
from memstation.commandline.showing import minute, print_json, print_table
from memstation.commandline.taking import asking, show_taken, take
from memstation.commandline.verbs import DONE, Verb, Verbs, dry_option, json_option, option, reason_option, store_option
from memstation.domain.errors import NotFound, Refused
from memstation.domain.origins import OPERATOR
from memstation.guard.shape import repaired
from memstation.station.render.safe import Safe, safe_line
from memstation.station.words import _, say
from memstation.words import N_

if TYPE_CHECKING:
    from memstation.domain.decisions import Decision
    from memstation.engine import MemoryEngine
    from memstation.read.conflict_rows import AgentNames
    from memstation.store.ledger import Looking

agent_option = option("--agent", metavar="NAME", help=N_("Only the names of this agent."))
file_argument = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))


@click.group(
    "alias",
    cls=Verbs,
    example="memstation alias list --agent dudu",
    help=N_("Names that are one in search and in the graph: list, join and part them. A join never closes a fact."),
)
def alias() -> None:
    """Decide which names are one."""


@alias.command(
    "list", cls=Verb, example="memstation alias list --agent dudu",
    help=N_("List the names that others are joined to, and what is suggested."),
)  # fmt: skip
@agent_option
@store_option
@json_option
@pass_session
def list_(session: Session, agent: str | None, store: Path | None, as_json: bool) -> int:
    """List groups of names."""
    with session.engine(store) as engine:
        agents = engine.reader.agents() if agent is None else [known_agent(engine, agent)]
        found = [engine.names(name) for name in agents]
    if as_json:
        print_json([{"agent_id": each.agent_id, "groups": each.groups, "suggested": each.suggested} for each in found])
        return DONE
    _print_groups(found)
    return DONE


def _print_groups(found: list[AgentNames]) -> None:
    from memstation.station.render.log_words import who

    groups = [group for each in found for group in each.groups]
    waiting = [row for each in found for row in each.suggested]
    if not groups:
        click.echo(_("No names are joined."))
    else:
        head = [_("agent"), _("name"), _("facts"), _("also known as")]
        rows = [
            [safe_line(group.agent_id), safe_line(group.title), Safe(f"{group.facts:,}"),
             Safe(", ".join(safe_line(name.name) for name in group.names[1:]))] for group in groups
        ]  # fmt: skip
        print_table([head, *rows], right=(2,))
    if waiting:
        click.echo("")
        head = [_("agent"), _("suggested"), _("shared facts"), _("by"), _("since")]
        rows = [
            [safe_line(row.agent_id), say("{alias} -> {name}", alias=row.alias, name=row.canonical),
             Safe(f"{row.shared:,}"), safe_line(row.reason) if row.reason else who(row.actor), minute(row.at)]
            for row in waiting
        ]  # fmt: skip
        print_table([head, *rows], right=(2,))


@alias.command(
    "join", cls=Verb, example="memstation alias join dudu 李老闆 老闆 --dry-run",
    help=N_("Say that ALIAS is another name for NAME, which stays the title. Facts are found together; none closes."),
)  # fmt: skip
@click.argument("agent")
@click.argument("other", metavar="ALIAS")
@click.argument("name")
@option("--yes", is_flag=True, help=N_("Do it although ALIAS is joined to another name, which it leaves."))
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def join(
    session: Session, agent: str, other: str, name: str, yes: bool, reason: str, dry: bool, store: Path | None,
    as_json: bool,
) -> int:  # fmt: skip
    """Join a name."""
    from memstation.commandline.joining import as_joined, joining_lines
    from memstation.ops import alias as ops

    def build(looking: Looking) -> Decision:
        decision = ops.join(looking, agent, name, other, actor=OPERATOR, reason=repaired(reason))
        if decision is None:
            raise Refused("They are one name already", "nothing was written")
        return decision

    with session.engine(store) as engine:
        with engine.ledger.looking() as looking:
            decision = ops.join(looking, agent, name, other, actor=OPERATOR, reason=repaired(reason))
        if decision is None:
            if as_json:
                print_json({"seq": None, "at": None, "dry_run": dry, "kind": "join", "effects": None})
            else:
                click.echo(_("They are one name already; nothing was written."))
            return DONE
        preview = engine.preview_alias(agent, name, other)
        with asking(engine, build, as_json, {"joins": as_joined(preview)}):
            if preview.moves_from is not None and not (yes or dry):
                raise Refused(
                    "That name would leave another", "{alias} stands under {name} now; nothing was written",
                    "--dry-run shows it, --yes does it", alias=other, name=preview.moves_from,
                )  # fmt: skip
        effects = engine.preview(decision)
        # Built anew as it is taken: another join in between could have closed a circle.
        applied = None if dry else engine.decide(build, effects.digest)
        show_taken(
            session, engine, decision.kind, effects, applied, as_json, {"joins": as_joined(preview)},
            joining_lines(preview),
        )  # fmt: skip
    return DONE


@alias.command(
    "part", cls=Verb, example="memstation alias part dudu 李老闆",
    help=N_("Take a name out again: search goes back to exactly what it was."),
)  # fmt: skip
@click.argument("agent")
@click.argument("other", metavar="ALIAS")
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def part(session: Session, agent: str, other: str, reason: str, dry: bool, store: Path | None, as_json: bool) -> int:
    """Part a name."""
    from memstation.ops import alias as ops

    with session.engine(store) as engine:
        return take(
            session, engine, lambda looking: ops.part(looking, agent, other, actor=OPERATOR, reason=repaired(reason)),
            dry, as_json,
        )  # fmt: skip


@alias.command(
    "suggest", cls=Verb, example="memstation alias suggest dudu 'Zhixu Li' 老闆",
    help=N_("Keep a join for yourself to confirm. `alias join` confirms it, `alias dismiss` does away with it."),
)  # fmt: skip
@click.argument("agent")
@click.argument("other", metavar="ALIAS")
@click.argument("name")
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def suggest(
    session: Session, agent: str, other: str, name: str, reason: str, dry: bool, store: Path | None, as_json: bool
) -> int:
    """Suggest a join."""
    with session.engine(store) as engine:
        return _suggest(session, engine, agent, [(name, other)], repaired(reason), dry, as_json)


@alias.command(
    "dismiss", cls=Verb, example="memstation alias dismiss dudu 'Zhixu Li' 老闆",
    help=N_("Say that suggested names are two: they are not suggested again."),
)  # fmt: skip
@click.argument("agent")
@click.argument("other", metavar="ALIAS")
@click.argument("name")
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def dismiss(
    session: Session, agent: str, other: str, name: str, reason: str, dry: bool, store: Path | None, as_json: bool
) -> int:
    """Dismiss a suggestion."""
    from memstation.ops import alias as ops

    with session.engine(store) as engine:
        return take(
            session, engine,
            lambda looking: ops.dismiss(looking, agent, [(name, other)], actor=OPERATOR, reason=repaired(reason)),
            dry, as_json,
        )  # fmt: skip


@alias.command(
    "import", cls=Verb, example="memstation alias import dudu names.csv --dry-run",
    help=N_("Read a list of names (CSV or JSONL: canonical, alias) as suggestions. Nothing is joined by it."),
)  # fmt: skip
@click.argument("agent")
@file_argument
@option("--all", "every", is_flag=True, help=N_("Also names that no fact of the agent has."))
@dry_option
@store_option
@json_option
@pass_session
def import_(session: Session, agent: str, file: Path, every: bool, dry: bool, store: Path | None, as_json: bool) -> int:
    """Import a list of names as suggestions."""
    from memstation.domain.names import fold_name
    from memstation.exchange.name_lists import read_names

    pairs = [pair for pair in read_names(file) if fold_name(pair[0]) != fold_name(pair[1])]
    with session.engine(store) as engine:
        if not every:
            known = engine.reader.known_names(known_agent(engine, agent))
            listed = len(pairs)
            pairs = [pair for pair in pairs if fold_name(pair[0]) in known or fold_name(pair[1]) in known]
            if listed and not pairs:
                raise NotFound(
                    "No fact has any of these names", "{n:,} are in the list", "--all suggests them anyway", n=listed
                )
        return _suggest(session, engine, agent, pairs, repaired(f"import {file.name}"), dry, as_json)


def _suggest(
    session: Session, engine: MemoryEngine, agent: str, pairs: list[tuple[str, str]], reason: str, dry: bool,
    as_json: bool,
) -> int:  # fmt: skip
    from memstation.ops import alias as ops

    with engine.ledger.looking() as looking:
        decision = ops.suggest(looking, agent, pairs, actor=OPERATOR, reason=reason)
    if decision is None:
        if as_json:
            print_json({"seq": None, "at": None, "dry_run": dry, "kind": "suggest", "effects": None})
        else:
            click.echo(_("Nothing new to suggest: they are one name, wait already, or were dismissed."))
        return DONE
    effects = engine.preview(decision)
    applied = None if dry else engine.apply(decision, effects.digest)
    show_taken(session, engine, decision.kind, effects, applied, as_json)
    return DONE
