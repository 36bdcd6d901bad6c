"""Verdicts of ``memstation review``: approve, deny, edit, hold, extend, restore. `ops.review` builds the decisions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memstation.commandline.held_ids import Which, ids_named
from memstation.commandline.session import Session, pass_session
from memstation.commandline.taking import asking, take
from memstation.commandline.verbs import Verb, dry_option, json_option, option, reason_option, store_option
from memstation.domain.errors import InvalidInput, NotFound, Refused
from memstation.domain.holding import HOLD_KINDS_OF_REASON, HOLD_SECONDS
from memstation.domain.origins import OPERATOR
from memstation.guard.shape import repaired
from memstation.words import N_

if TYPE_CHECKING:
    from memstation.domain.decisions import Decision
    from memstation.engine import MemoryEngine
    from memstation.store.ledger import Looking

PENDING, LAPSED = ("pending",), ("lapsed",)
HOUR = 3600.0

agent_option = option("--agent", metavar="NAME", help=N_("Only what this agent was told."))
origin_option = option("--origin", metavar="TEXT", help=N_("Only what this source told, compared exactly."))
code_option = option(
    "--reason-code", "code", type=click.Choice(sorted(HOLD_KINDS_OF_REASON)), help=N_("Only what is held for this.")
)
yes_option = option("--yes", is_flag=True, help=N_("Do what asks first."))
all_option = option("--all", "every", is_flag=True, help=N_("All that is held of --origin, --agent or --reason-code."))


@click.command(
    "approve", cls=Verb, example="memstation review approve m_8f31c2 --dry-run",
    help=N_("Let held memories take their places, each at its own start."),
)  # fmt: skip
@click.argument("ids", metavar="[ID]...", nargs=-1)
@all_option
@agent_option
@origin_option
@code_option
@option("--raise-trust", is_flag=True, help=N_("Trust them fully from now on; their sources stay."))
@yes_option
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def approve(
    session: Session, /, ids: Sequence[str], raise_trust: bool, yes: bool, reason: str, dry: bool, store: Path | None,
    as_json: bool, every: bool, **which: Any,
) -> int:  # fmt: skip
    """Approve held memories."""
    from memstation.ops import review as ops

    with session.engine(store) as engine:
        if not dry:
            engine.expire_due()
        wanted = _wanted(engine, ids, every, which)

        def build(looking: Looking) -> Decision:
            return ops.approve(looking, wanted, actor=OPERATOR, raise_trust=raise_trust, reason=repaired(reason))

        if not (yes or dry):
            with asking(engine, build, as_json):
                _refuse_many(N_("approve"), wanted, every)
                _refuse_asking(engine, wanted)
        return take(session, engine, build, dry, as_json)


@click.command(
    "deny", cls=Verb, example="memstation review deny m_8f31c2 --reason 'not ours'",
    help=N_("Withdraw held memories, and remember their values as rejected."),
)  # fmt: skip
@click.argument("ids", metavar="[ID]...", nargs=-1)
@all_option
@agent_option
@origin_option
@code_option
@option("--earlier", is_flag=True, help=N_("Hold the earlier ones of the same bursts too, which are in use."))
@yes_option
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def deny(
    session: Session, /, ids: Sequence[str], earlier: bool, yes: bool, reason: str, dry: bool, store: Path | None,
    as_json: bool, every: bool, **which: Any,
) -> int:  # fmt: skip
    """Deny held memories."""
    from memstation.ops import review as ops

    with session.engine(store) as engine:
        if not dry:
            engine.expire_due()
        wanted = _wanted(engine, ids, every, which)
        also = _earlier(engine, wanted) if earlier else ()

        def build(looking: Looking) -> Decision:
            return ops.deny(looking, wanted, actor=OPERATOR, also_hold=also, reason=repaired(reason))

        if not (yes or dry):
            with asking(engine, build, as_json):
                _refuse_many(N_("deny"), wanted, every)
        return take(session, engine, build, dry, as_json)


@click.command(
    "edit", cls=Verb, example="memstation review edit m_8f31c2 --object 'Fly.io'",
    help=N_("Write what a held memory should have said, as your own; the held one is replaced, not rejected."),
)  # fmt: skip
@click.argument("memory_id", metavar="ID")
@option("--object", "object_", metavar="TEXT", help=N_("The value."))
@option("--content", metavar="TEXT", help=N_("The sentence; the value itself when left out."))
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def edit(
    session: Session, memory_id: str, object_: str | None, content: str | None, reason: str, dry: bool,
    store: Path | None, as_json: bool,
) -> int:  # fmt: skip
    """Edit a held memory and approve it."""
    from memstation.ops import review as ops

    with session.engine(store) as engine:
        (found,) = ids_named(engine, [memory_id], PENDING)

        def build(looking: Looking) -> Decision:
            return ops.edit(
                looking, found, lambda _: engine.new_id(), actor=OPERATOR, object=object_, content=content,
                reason=repaired(reason),
            )  # fmt: skip

        return take(session, engine, build, dry, as_json)


@click.command(
    "hold", cls=Verb, example="memstation review hold m_8f31c2 --reason 'wait for the team'",
    help=N_("Hold facts that are in use, each with what its source said again: they wait like any other."),
)  # fmt: skip
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def hold(session: Session, ids: Sequence[str], reason: str, dry: bool, store: Path | None, as_json: bool) -> int:
    """Hold facts in use."""
    from memstation.ops import review as ops

    with session.engine(store) as engine:
        wanted = ids_named(engine, ids)
        return take(
            session, engine, lambda looking: ops.hold(looking, wanted, actor=OPERATOR, reason=repaired(reason)), dry,
            as_json,
        )  # fmt: skip


@click.command(
    "extend", cls=Verb, example="memstation review extend m_8f31c2 --hours 48",
    help=N_("Give held memories more time before they run out."),
)  # fmt: skip
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@option("--hours", type=click.FloatRange(0, 87_600, min_open=True), default=HOLD_SECONDS / HOUR, show_default=True,
        metavar="N", help=N_("How many hours more."))  # fmt: skip
@dry_option
@store_option
@json_option
@pass_session
def extend(session: Session, ids: Sequence[str], hours: float, dry: bool, store: Path | None, as_json: bool) -> int:
    """Extend the time of held memories."""
    from memstation.ops import review as ops

    with session.engine(store) as engine:
        wanted = ids_named(engine, ids, PENDING)
        return take(
            session, engine, lambda looking: ops.extend(looking, wanted, actor=OPERATOR, seconds=hours * HOUR), dry,
            as_json,
        )  # fmt: skip


@click.command(
    "restore", cls=Verb, example="memstation review restore m_8f31c2",
    help=N_("Bring back what ran out undecided: it is held again, with its whole time before it."),
)  # fmt: skip
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def restore(session: Session, ids: Sequence[str], reason: str, dry: bool, store: Path | None, as_json: bool) -> int:
    """Bring back what ran out."""
    from memstation.ops import review as ops

    with session.engine(store) as engine:
        wanted = ids_named(engine, ids, LAPSED)
        return take(
            session, engine, lambda looking: ops.bring_back(looking, wanted, actor=OPERATOR, reason=repaired(reason)),
            dry, as_json,
        )  # fmt: skip


def _wanted(engine: MemoryEngine, ids: Sequence[str], every: bool, which: dict[str, Any]) -> list[str]:
    """The ids that a verdict is about: those named, or all of a choice.

    Raises:
        InvalidInput: neither or both are given.
        NotFound: nothing of the choice is held.
    """
    choice = Which(which["agent"], which["origin"], which["code"])
    if every == bool(ids) or (every and choice.is_any) or (ids and not choice.is_any):
        raise InvalidInput(
            "It is not clear which", "name ids, or --all with --origin, --agent or --reason-code", "review list"
        )
    if ids:
        return ids_named(engine, ids, PENDING)
    rows = choice.rows(engine)
    if not rows:
        raise NotFound("Nothing of these is held", "", "memstation review list")
    return [row.id for row in rows]


def _refuse_many(verb: str, wanted: Sequence[str], every: bool) -> None:
    if every:
        raise Refused(
            "All at once asks first", "{n:,} would be decided by {verb}; nothing was",
            "--dry-run shows them, --yes does it", n=len(wanted), verb=verb,
        )  # fmt: skip


def _refuse_asking(engine: MemoryEngine, wanted: Sequence[str]) -> None:
    """Refuse to release without --yes what the station would ask about."""
    from memstation.commandline.held_showing import asks_words
    from memstation.ops.review_card import asks

    for memory_id in wanted:
        parts = engine.reader.held(memory_id)
        if parts is None or parts.row.status != "pending":
            continue
        why = asks(parts.why, parts.holds, closes=bool(parts.row.closes))
        if why:
            raise Refused(
                "Approving this asks first", "{id}: {why}; nothing was approved", "--dry-run shows it, --yes does it",
                id=memory_id, why=asks_words(why),
            )  # fmt: skip


def _earlier(engine: MemoryEngine, wanted: Sequence[str]) -> list[str]:
    """What came before these in the same bursts and is in use."""
    found: dict[str, None] = {}
    for memory_id in wanted:
        parts = engine.reader.held(memory_id)
        found |= {fact.id: None for fact in parts.why.earlier} if parts is not None else {}
    return list(found)
