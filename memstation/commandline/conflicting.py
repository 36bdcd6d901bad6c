"""``memstation conflicts``: what disagrees, looks alike or goes to and fro, and how each is settled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memstation.commandline.moments import about
from memstation.commandline.session import Session, known_agent, pass_session
from memstation.commandline.showing import minute, print_json, print_table
from memstation.commandline.taking import take
from memstation.commandline.verbs import DONE, Verb, Verbs, dry_option, json_option, option, reason_option, store_option
from memstation.domain.errors import InvalidInput, NotFound
from memstation.domain.origins import OPERATOR
from memstation.guard.shape import repaired
from memstation.station.render.safe import Safe, safe_line
from memstation.station.words import _
from memstation.words import N_

if TYPE_CHECKING:
    from memstation.domain.decisions import Decision
    from memstation.engine import MemoryEngine
    from memstation.read.conflict_rows import Conflict
    from memstation.store.ledger import Looking

LEAST = 4
"""Letters of a conflict's name that are enough to name it."""

agent_option = option("--agent", metavar="NAME", help=N_("Of this agent: two may have the same conflict."))


@click.group(
    "conflicts",
    cls=Verbs,
    invoke_without_command=True,
    example="memstation conflicts --agent dudu",
    help=N_("List what disagrees under joined names, what looks alike, and what goes to and fro; and settle it."),
)
@option("--agent", metavar="NAME", help=N_("Only the facts of this agent."))
@option("--dismissed", is_flag=True, help=N_("Those that you dismissed instead."))
@store_option
@json_option
@click.pass_context
def conflicts(context: click.Context, agent: str | None, dismissed: bool, store: Path | None, as_json: bool) -> int:
    """List conflicts."""
    session = context.ensure_object(Session)
    if context.invoked_subcommand is not None:
        # What is said before the verb holds for it, too.
        session.store = store or session.store
        context.default_map = {context.invoked_subcommand: {"agent": agent}}
        return DONE
    with session.engine(store) as engine:
        agents = engine.reader.agents() if agent is None else [known_agent(engine, agent)]
        found = [each for name in agents for each in engine.conflicts(name, dismissed=dismissed)]
    if as_json:
        print_json([{"name": each.name, **{key: getattr(each, key) for key in each.__slots__}} for each in found])
        return DONE
    if not found:
        click.echo(_("No conflict is dismissed.") if dismissed else _("Nothing is in conflict."))
        return DONE
    _print_conflicts(found)
    return DONE


def _print_conflicts(found: Sequence[Conflict]) -> None:
    from memstation.station.render.conflict_words import conflict_text, kind_word, sides_text

    for each in found:
        print_table([[Safe(each.name), safe_line(each.agent_id), kind_word(each), minute(each.since),
                      conflict_text(each)]])  # fmt: skip
        for line in sides_text(each):
            click.echo(f"    {line}")


@conflicts.command(
    "settle", cls=Verb, example="memstation conflicts settle 8f31c2a0 --retract m_8f31c2 --dry-run",
    help=N_("Settle a conflict in one of four ways. Its name and the ids of its facts are in the list."),
)  # fmt: skip
@click.argument("name")
@option("--retract", metavar="ID", help=N_("This fact was never true."))
@option("--end", metavar="ID", help=N_("This fact stopped being true; wants --on."))
@option("--on", "day", metavar="DAY", help=N_("The first day on which it no longer held."))
@option("--many", is_flag=True, help=N_("Both are true: the property holds many values."))
@option("--join", "joined", is_flag=True, help=N_("Names that look alike are one: the first stays the title."))
@agent_option
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def settle(
    session: Session, /, name: str, retract: str | None, end: str | None, day: str | None, many: bool, joined: bool,
    agent: str | None, reason: str, dry: bool, store: Path | None, as_json: bool,
) -> int:  # fmt: skip
    """Settle a conflict."""
    from memstation.ops import alias, correct

    if sum((retract is not None, end is not None, many, joined)) != 1 or (end is None) != (day is None):
        raise InvalidInput("It is not clear how", "one of --retract, --end with --on, --many and --join is wanted")
    with session.engine(store) as engine:
        (found,) = _named(engine, [name], agent)
        why, first = repaired(reason), about(day, engine.clock())

        def build(looking: Looking) -> Decision:
            if retract is not None:
                return correct.never_true(looking, _side(found, retract), actor=OPERATOR, reason=why)
            if end is not None and first is not None:
                return correct.stopped_being_true(
                    looking, _side(found, end), first, lambda _: engine.new_id(), actor=OPERATOR, reason=why
                )
            if many:
                return correct.holds(looking, found.agent_id, _predicate(found), "many", actor=OPERATOR, reason=why)
            decision = alias.join(looking, found.agent_id, *_pair(found), actor=OPERATOR, reason=why)
            assert decision is not None
            return decision

        return take(session, engine, build, dry, as_json)


@conflicts.command(
    "dismiss", cls=Verb, example="memstation conflicts dismiss 8f31c2a0",
    help=N_("Say that these are no conflicts: they are not listed again until their values change."),
)  # fmt: skip
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@agent_option
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def dismiss(
    session: Session, names: Sequence[str], agent: str | None, reason: str, dry: bool, store: Path | None,
    as_json: bool,
) -> int:  # fmt: skip
    """Dismiss conflicts."""
    from memstation.ops import differing

    with session.engine(store) as engine:
        found = _named(engine, names, agent)
        return take(
            session, engine,
            lambda looking: differing.dismiss(looking, found, actor=OPERATOR, reason=repaired(reason)), dry, as_json,
        )  # fmt: skip


@conflicts.command(
    "reopen", cls=Verb, example="memstation conflicts reopen 8f31c2a0",
    help=N_("List dismissed conflicts again."),
)  # fmt: skip
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@agent_option
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def reopen(
    session: Session, names: Sequence[str], agent: str | None, reason: str, dry: bool, store: Path | None,
    as_json: bool,
) -> int:  # fmt: skip
    """Reopen dismissed conflicts."""
    from memstation.ops import differing

    with session.engine(store) as engine:
        found = _named(engine, names, agent, dismissed=True)
        return take(
            session, engine,
            lambda looking: differing.reopen(looking, found, actor=OPERATOR, reason=repaired(reason)), dry, as_json,
        )  # fmt: skip


def _named(engine: MemoryEngine, names: Sequence[str], agent: str | None, *, dismissed: bool = False) -> list[Conflict]:
    """The conflicts with these names, or beginnings of theirs; of one agent, where two have the same.

    Raises:
        NotFound: there is none, or more than one.
    """
    agents = engine.reader.agents() if agent is None else [known_agent(engine, agent)]
    every = [each for one in agents for each in engine.conflicts(one, dismissed=dismissed)]
    found = []
    for name in names:
        like = [each for each in every if len(name) >= LEAST and each.name.startswith(name.lower())]
        if not like:
            raise NotFound("No such conflict", "{name!r} is not in the list", "memstation conflicts", name=name)
        if len(like) > 1:
            hint = N_("give more of it") if len({each.name for each in like}) > 1 else N_("say whose: --agent NAME")
            raise NotFound("More than one conflict", "{n} begin with {name}", hint, n=len(like), name=name)
        found += like
    return found


def _side(conflict: Conflict, named: str) -> str:
    like = [side.id for side in conflict.sides if len(named) >= LEAST and side.id.startswith(named)]
    if len(like) != 1:
        raise NotFound(
            "No such fact in this conflict", "{named!r}; it has {ids}", named=named,
            ids=", ".join(side.id for side in conflict.sides),
        )  # fmt: skip
    return like[0]


def _predicate(conflict: Conflict) -> str:
    if conflict.predicate is None:
        raise InvalidInput("These are names that look alike", "no property is in conflict", "--join makes them one")
    return conflict.predicate


def _pair(conflict: Conflict) -> tuple[str, str]:
    if conflict.kind != "alike":
        raise InvalidInput(
            "These are one name already", "their facts disagree", "--retract, --end or --many settles it"
        )
    return conflict.names[0], conflict.names[1]
