"""Commands that decide: tell, retract, end, set a rule, take back. Each is previewed by the same plan that it takes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memstation.commandline.moments import about, number
from memstation.commandline.session import Session, pass_session
from memstation.commandline.showing import instant, print_json
from memstation.commandline.taking import take
from memstation.commandline.verbs import (
    DONE,
    Verb,
    dry_option,
    json_option,
    option,
    reason_option,
    store_option,
)
from memstation.domain.origins import OPERATOR
from memstation.guard import shape
from memstation.station.render.safe import safe_line
from memstation.station.words import _, say
from memstation.words import N_

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstation.domain.decisions import Decision
    from memstation.store.ledger import Looking
    from memstation.store.purging import Source


@click.command(
    "add", cls=Verb,
    example="memstation add dudu 'Lives in Taipei' --subject user --predicate city --object Taipei",
    help=N_("Tell an agent a fact of your own."),
)  # fmt: skip
@click.argument("agent")
@click.argument("content")
@option("--subject", metavar="TEXT", help=N_("What it is about."))
@option("--predicate", metavar="TEXT", help=N_("What is said of it."))
@option("--object", "object_", metavar="TEXT", help=N_("The value."))
@option("--from", "start", metavar="DAY", help=N_("Since when it holds; now when left out."))
@option("--until", metavar="DAY", help=N_("The first instant at which it no longer holds."))
@option("--trust", type=float, metavar="0..1", help=N_("How far to trust it; 1 when left out."))
@option("--tag", "tags", multiple=True, metavar="TEXT", help=N_("A tag; may be given several times."))
@option("--layer", default="semantic", show_default=True, metavar="WORD", help=N_("episodic, semantic or procedural."))
@option("--importance", type=float, default=5.0, show_default=True, metavar="0..10", help=N_("How much it matters."))
@store_option
@json_option
@pass_session
def add(session: Session, /, agent: str, content: str, store: Path | None, as_json: bool, **told: Any) -> int:
    """Tell an agent a fact."""
    from memstation.domain.memory import MemoryEntry, TemporalMeta

    entry = MemoryEntry(
        agent, content, tags=told["tags"], layer=told["layer"], importance=told["importance"], source_event="cli"
    )
    with session.engine(store, create=True) as engine:
        now = engine.clock()
        meta = TemporalMeta(
            told["subject"], told["predicate"], told["object_"], valid_from=about(told["start"], now),
            valid_until=about(told["until"], now), origin=OPERATOR, origin_trust=told["trust"],
        )  # fmt: skip
        outcome = engine.store_temporal(entry, meta, actor=OPERATOR)
    if as_json:
        print_json(outcome)
        return DONE
    click.echo(say("{id} {status} (#{seq})", id=outcome.id, status=_(_STATUS[outcome.status]), seq=outcome.seq))
    for closed in outcome.closed:
        click.echo(say("  ends {id}", id=closed))
    if outcome.leaves_gap is not None:
        click.echo(say("  nothing holds from {day} on", day=instant(outcome.leaves_gap)))
    if outcome.reason:
        click.echo(f"  {safe_line(outcome.reason)}")
    return DONE


_STATUS = {
    "stored": N_("stored"),
    "superseded": N_("stored, in place of what held before"),
    "reaffirmed": N_("confirmed: it was known already"),
    "historical": N_("stored as history"),
    "scheduled": N_("stored; it starts later"),
    "held": N_("held for review"),
    "dropped": N_("dropped"),
}


@click.command(
    "retract", cls=Verb, example="memstation retract m_8f31c2 --reason 'a misunderstanding' --dry-run",
    help=N_("Say that a memory was never true: it is withdrawn, and what it displaced comes back."),
)  # fmt: skip
@click.argument("memory_id", metavar="ID")
@reason_option
@option("--no-reject", is_flag=True, help=N_("Do not remember its value as rejected."))
@dry_option
@store_option
@json_option
@pass_session
def retract(
    session: Session, memory_id: str, reason: str, no_reject: bool, dry: bool, store: Path | None, as_json: bool
) -> int:
    """Say that a memory was never true."""
    from memstation.ops import correct

    def build(looking: Looking) -> Decision:
        return correct.never_true(
            looking, memory_id, actor=OPERATOR, reason=shape.repaired(reason), reject=not no_reject
        )

    with session.engine(store) as engine:
        sources = engine.made_from(memory_id)
        code = take(session, engine, build, dry, as_json, {"made_from": sources})
        return code if as_json else _point_to(sources, code)


def _point_to(sources: Sequence[Source], code: int) -> int:
    """Name what a memory was made from: what is wrong in it may be wrong there."""
    for source in sources:
        said = " ".join(part for part in (source.subject, source.predicate, source.object or source.content) if part)
        click.echo(say("made from {id} ({origin}): {said}", id=source.id, origin=source.origin or "-", said=said))
    return code


@click.command(
    "end", cls=Verb, example="memstation end m_8f31c2 2026-06-30",
    help=N_("Say that a memory stopped being true on a day; that day it no longer holds."),
)  # fmt: skip
@click.argument("memory_id", metavar="ID")
@click.argument("day")
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def end(session: Session, memory_id: str, day: str, reason: str, dry: bool, store: Path | None, as_json: bool) -> int:
    """Say that a memory stopped being true."""
    from memstation.ops import correct

    with session.engine(store) as engine:
        first = about(day, engine.clock())
        assert first is not None

        def build(looking: Looking) -> Decision:
            return correct.stopped_being_true(
                looking, memory_id, first, lambda _: engine.new_id(), actor=OPERATOR, reason=shape.repaired(reason)
            )

        sources = engine.made_from(memory_id)
        code = take(session, engine, build, dry, as_json, {"made_from": sources})
        return code if as_json else _point_to(sources, code)


@click.command(
    "predicate", cls=Verb, example="memstation predicate dudu speaks many",
    help=N_("Say whether a predicate holds one value or many, for an agent or for all ('*')."),
)  # fmt: skip
@click.argument("agent")
@click.argument("name")
@click.argument("rule", type=click.Choice(["one", "many"]))
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def predicate(
    session: Session, agent: str, name: str, rule: str, reason: str, dry: bool, store: Path | None, as_json: bool
) -> int:
    """Set the rule of a predicate."""
    from memstation.ops import correct

    def build(looking: Looking) -> Decision:
        return correct.holds(looking, agent, name, rule, actor=OPERATOR, reason=shape.repaired(reason))

    with session.engine(store) as engine:
        return take(session, engine, build, dry, as_json)


@click.command(
    "undo", cls=Verb, example="memstation undo 12 --dry-run",
    help=N_("Take a whole decision back; an undo too, which brings back what it took."),
)  # fmt: skip
@click.argument("seq")
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def undo(session: Session, seq: str, reason: str, dry: bool, store: Path | None, as_json: bool) -> int:
    """Take a decision back."""
    target = number(seq)
    with session.engine(store) as engine:
        decision = engine.ledger.undoing(target, OPERATOR, shape.repaired(reason))
        return take(session, engine, lambda _: decision, dry, as_json)
