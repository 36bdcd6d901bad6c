"""``memstation review``: what is held, shown and decided. The decisions themselves are built in `ops.review`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memstation.commandline.held_ids import Which, ids_named
from memstation.commandline.moments import number
from memstation.commandline.session import Session, pass_session
from memstation.commandline.showing import print_json
from memstation.commandline.taking import show_taken, take
from memstation.commandline.verbs import DONE, Verb, Verbs, dry_option, json_option, option, reason_option, store_option
from memstation.commandline.verdicts import (
    PENDING,
    agent_option,
    approve,
    code_option,
    deny,
    edit,
    extend,
    hold,
    origin_option,
    restore,
)
from memstation.domain.errors import NotFound, Refused
from memstation.domain.origins import OPERATOR
from memstation.guard.shape import repaired
from memstation.station.words import _, counted
from memstation.words import N_

if TYPE_CHECKING:
    from memstation.engine import MemoryEngine
    from memstation.read.rows import LogRow

MORE_VERDICTS = ("lapse", "lift")
"""Decisions about what is held that `review undo` takes back when they are named, beside a person's verdicts."""
LOOKED_AT = 1_000
"""Verdicts among which the newest that stands is looked for."""


@click.group(
    "review",
    cls=Verbs,
    example="memstation review list",
    help=N_("What is held for review: list it, show it, decide it, take a decision back."),
)
def review() -> None:
    """Decide what is held."""


@review.command(
    "list", cls=Verb, example="memstation review list --origin channel:telegram/42",
    help=N_("List what waits for a person, by source, subject and reason, the weakest trust first."),
)  # fmt: skip
@agent_option
@origin_option
@code_option
@option("--lapsed", is_flag=True, help=N_("What ran out undecided instead."))
@option("--each", type=click.IntRange(1), default=10, show_default=True, help=N_("Rows of each group."))
@store_option
@json_option
@pass_session
def list_(
    session: Session, agent: str | None, origin: str | None, code: str | None, lapsed: bool, each: int,
    store: Path | None, as_json: bool,
) -> int:  # fmt: skip
    """List what is held."""
    from memstation.commandline.held_showing import print_queue

    which = Which(agent, origin, code)
    with session.engine(store) as engine:
        rows = which.rows(engine, lapsed=lapsed)
        counts, now = engine.review_counts(agent), engine.clock()
    if as_json:
        print_json(rows)
        return DONE
    print_queue(rows, now, each, fold_blocked=origin is None and code is None)
    if not rows:
        click.echo(_("Nothing ran out undecided.") if lapsed else _("Nothing is held for review."))
    if counts.lapsed and not lapsed:
        click.echo(
            counted("{n} ran out undecided (--lapsed)", "{n} ran out undecided (--lapsed)", counts.lapsed), err=True
        )
    return DONE


@review.command(
    "show", cls=Verb, example="memstation review show m_8f31c2",
    help=N_("Show one held memory: what it says and what holds now, why it waits, what each verdict would do."),
)  # fmt: skip
@click.argument("memory_id", metavar="ID")
@store_option
@json_option
@pass_session
def show(session: Session, memory_id: str, store: Path | None, as_json: bool) -> int:
    """Show a held memory."""
    from memstation.commandline.held_showing import print_card

    with session.engine(store) as engine:
        (found,) = ids_named(engine, [memory_id], PENDING)
        card = engine.held_card(found)
        if card is None:
            parts = engine.reader.held(found)
            raise Refused("It is not held", "{id}: {status}", "memstation review list", id=found,
                          status="never held" if parts is None else parts.row.status)  # fmt: skip
        now = engine.clock()
    if as_json:
        print_json(card)
    else:
        print_card(card, session.glyphs, now)
    return DONE


@review.command(
    "undo", cls=Verb, example="memstation review undo --dry-run",
    help=N_("Take back your newest verdict that stands, or the one with this number."),
)  # fmt: skip
@click.argument("seq", required=False)
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def undo(session: Session, seq: str | None, reason: str, dry: bool, store: Path | None, as_json: bool) -> int:
    """Take a verdict back."""
    with session.engine(store) as engine:
        target = _newest_verdict(engine) if seq is None else _verdict(engine, number(seq))
        decision = engine.ledger.undoing(target, OPERATOR, repaired(reason))
        return take(session, engine, lambda _: decision, dry, as_json)


@review.command(
    "expire", cls=Verb, example="memstation review expire",
    help=N_("Let what ran out undecided lapse: withdrawn, not rejected, and brought back by restore."),
)  # fmt: skip
@dry_option
@store_option
@json_option
@pass_session
def expire(session: Session, dry: bool, store: Path | None, as_json: bool) -> int:
    """Let what ran out lapse."""
    from memstation.ops import review as ops

    with session.engine(store) as engine:
        with engine.ledger.looking() as looking:
            decision = ops.lapse(looking)
        parts = [] if dry else list(iter(engine.expire_due, None))
        if decision is None or not (parts or dry):
            if as_json:
                print_json({"seq": None, "at": None, "dry_run": dry, "kind": "lapse", "effects": None})
            else:
                click.echo(_("Nothing has run out."))
            return DONE
        if not parts:
            show_taken(session, engine, decision.kind, engine.preview(decision), None, as_json)
        for applied in parts[-1:] if as_json else parts:
            also = {"parts": [part.seq for part in parts]}
            show_taken(session, engine, decision.kind, applied.effects, applied, as_json, also)
    return DONE


def _newest_verdict(engine: MemoryEngine) -> int:
    row = next((row for row in engine.last_verdicts(OPERATOR, LOOKED_AT) if row.stands), None)
    if row is None:
        raise NotFound("There is no verdict of yours to take back", "", "memstation journal")
    return row.seq


def _verdict(engine: MemoryEngine, seq: int) -> int:
    from memstation.read.review import VERDICTS

    rows: list[LogRow] = engine.journal(seq - 1, 1) if seq > 0 else []
    if rows and rows[0].seq == seq and rows[0].kind not in (*VERDICTS, *MORE_VERDICTS):
        raise Refused("That is no verdict", "#{seq}", "memstation undo {seq} takes back any decision", seq=seq)
    return seq


for _verb in (approve, deny, edit, hold, extend, restore):
    review.add_command(_verb)
