"""``memstation rejected``: the values that a person rejected, and lifting them. It builds no decision itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memstation.commandline.moments import number
from memstation.commandline.session import Session, pass_session
from memstation.commandline.showing import minute, print_json, print_table
from memstation.commandline.taking import take
from memstation.commandline.verbs import DONE, Verb, Verbs, dry_option, json_option, option, reason_option, store_option
from memstation.domain.errors import NotFound
from memstation.domain.origins import OPERATOR
from memstation.guard.shape import repaired
from memstation.station.render.safe import Safe, safe_line
from memstation.station.words import _, say
from memstation.words import N_

if TYPE_CHECKING:
    from memstation.read.gate_rows import RejectedRow


@click.group(
    "rejected",
    cls=Verbs,
    example="memstation rejected list",
    help=N_("Values that you rejected: they are held whenever they come again."),
)
def rejected() -> None:
    """List and lift rejected values."""


@rejected.command(
    "list", cls=Verb, example="memstation rejected list --agent dudu",
    help=N_("List the values that are rejected, the newest first, with how often each came again."),
)  # fmt: skip
@option("--agent", metavar="NAME", help=N_("Only what this agent was told."))
@store_option
@json_option
@pass_session
def list_(session: Session, agent: str | None, store: Path | None, as_json: bool) -> int:
    """List rejected values."""
    with session.engine(store) as engine:
        rows = engine.rejected(agent)
    if as_json:
        print_json(rows)
        return DONE
    if not rows:
        click.echo(_("No value is rejected."))
        return DONE
    head = [_("name"), _("agent"), _("about"), _("value"), _("rejected"), _("by"), _("seen again")]
    print_table([head, *(_row(row) for row in rows)])
    return DONE


def _row(row: RejectedRow) -> list[Safe]:
    from memstation.domain.decisions import DECISION_KINDS
    from memstation.station.render.log_words import who

    about = Safe(" ".join(safe_line(name) for name in (row.subject, row.predicate) if name))
    kind = DECISION_KINDS.get(row.kind)
    by = say("{did} by {who}", did=_(kind.did) if kind is not None else row.kind, who=who(row.actor))
    again = say("{n}, last {when}", n=f"{row.hits:,}", when=minute(row.last_seen)) if row.hits else Safe("0")
    return [
        Safe(f"#{row.seq}.{row.k}"),
        safe_line(row.agent_id),
        about,
        safe_line(row.value),
        minute(row.at),
        by,
        again,
    ]


@rejected.command(
    "lift", cls=Verb, example="memstation rejected lift '#412.1' --dry-run",
    help=N_("Let rejected values be said again: one by its name, or all that a decision rejected. Nothing comes back."),
)  # fmt: skip
@click.argument("names", metavar="SEQ[.K]...", nargs=-1, required=True)
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def lift(session: Session, names: Sequence[str], reason: str, dry: bool, store: Path | None, as_json: bool) -> int:
    """Lift rejected values."""
    from memstation.ops import review

    with session.engine(store) as engine:
        ruling = engine.rejected() if any("." not in name for name in names) else []
        places = [place for name in names for place in _places(name, ruling)]
        return take(
            session, engine, lambda looking: review.lift(looking, places, actor=OPERATOR, reason=repaired(reason)),
            dry, as_json,
        )  # fmt: skip


def _places(name: str, ruling: Sequence[RejectedRow]) -> list[tuple[int, int]]:
    """What is meant by ``#412.1``, or by ``#412``: all that this decision rejects.

    Raises:
        InvalidInput: it cannot be read.
        NotFound: that decision rejects nothing (any more).
    """
    seq, dot, k = name.partition(".")
    if dot:
        return [(number(seq), number(k))]
    places = [(row.seq, row.k) for row in ruling if row.seq == number(seq)]
    if not places:
        raise NotFound(
            "That decision rejects nothing", "#{seq} rejects no value, or not any more", "memstation rejected list",
            seq=number(seq),
        )  # fmt: skip
    return places
