"""``memstation trust`` and ``promote``: how far memories and sources are trusted. `ops.trust` builds the decisions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memstation.commandline.session import Session, pass_session
from memstation.commandline.sources import told_so_far, whose, whose_options
from memstation.commandline.taking import take
from memstation.commandline.verbs import Verb, dry_option, json_option, option, reason_option, store_option
from memstation.domain.decisions import EVERY_AGENT
from memstation.domain.errors import InvalidInput
from memstation.domain.origins import OPERATOR
from memstation.guard.shape import repaired
from memstation.words import N_

if TYPE_CHECKING:
    from memstation.domain.decisions import Decision
    from memstation.store.ledger import Looking

CLASS = "class"
"""Stands for the trust that a source's class allows."""


@click.command(
    "trust", cls=Verb, example="memstation trust 0.2 --source channel:telegram/42 --all-agents --dry-run",
    help=N_(
        "Set how far to trust memories, or all that a source told and will tell. "
        "0 is not at all, 1 is fully; for a source, 'class' is what its class allows."
    ),
)  # fmt: skip
@click.argument("level", metavar="0..1|class")
@click.argument("ids", metavar="[ID]...", nargs=-1)
@option("--source", "origin", metavar="SOURCE", help=N_("The source, compared exactly; instead of ids."))
@whose_options
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def trust(
    session: Session, /, level: str, ids: Sequence[str], origin: str | None, agent: str | None, everybody: bool,
    reason: str, dry: bool, store: Path | None, as_json: bool,
) -> int:  # fmt: skip
    """Set the trust of memories or of a source."""
    from memstation.ops import trust as ops

    number = _level(level, origin is not None)
    if bool(ids) == (origin is not None) or (ids and (agent or everybody)):
        raise InvalidInput("It is not clear what", "name ids, or --source with --agent or --all-agents")
    with session.engine(store) as engine:
        who = None if origin is None else whose(engine, agent, everybody) or EVERY_AGENT

        def build(looking: Looking) -> Decision:
            if origin is None or who is None:
                return ops.of_memories(looking, ids, number or 0.0, actor=OPERATOR, reason=repaired(reason))
            return ops.of_origin(looking, who, origin, number, actor=OPERATOR, reason=repaired(reason))

        if origin is None:
            return take(session, engine, build, dry, as_json)
        return take(session, engine, build, dry, as_json, *told_so_far(engine, origin, who))


def _level(text: str, of_source: bool) -> float | None:
    if of_source and text == CLASS:
        return None
    try:
        return float(text)
    except ValueError:
        raise InvalidInput("The trust is not a number", "{text!r}", "a number from 0 to 1", text=text) from None


@click.command(
    "promote", cls=Verb, example="memstation promote m_8f31c2 --reason 'checked with the team'",
    help=N_("Trust memories fully, as what you told yourself; their sources stay."),
)  # fmt: skip
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def promote(session: Session, ids: Sequence[str], reason: str, dry: bool, store: Path | None, as_json: bool) -> int:
    """Trust memories fully."""
    from memstation.ops import trust as ops

    def build(looking: Looking) -> Decision:
        return ops.of_memories(looking, ids, ops.CURATED, actor=OPERATOR, reason=repaired(reason), kind="promote")

    with session.engine(store) as engine:
        return take(session, engine, build, dry, as_json)
