"""Takes a decision for a command: previewed, taken unless it is a dry run, told. It builds no decision itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from memstation.commandline.session import Session
from memstation.commandline.showing import print_json
from memstation.commandline.verbs import DONE
from memstation.domain.errors import MemstationError, Refused
from memstation.station.render.safe import Safe
from memstation.station.words import _, say

if TYPE_CHECKING:
    from memstation.domain.decisions import Applied, Decision, Effects, FactChange
    from memstation.engine import MemoryEngine
    from memstation.store.ledger import Looking


def take(
    session: Session, engine: MemoryEngine, build: Callable[[Looking], Decision], dry: bool, as_json: bool,
    also: Mapping[str, object] | None = None, more: Sequence[Safe] = (),
) -> int:  # fmt: skip
    """Preview a decision, take it unless it is a dry run, and say what it does. Returns the exit code.

    `also` goes into what is told as JSON; `more` are lines to follow the effects.
    """
    decision, effects = engine.propose(build)
    # Taken only if it still does what was computed: somebody may write in between.
    applied = None if dry else engine.apply(decision, effects.digest)
    show_taken(session, engine, decision.kind, effects, applied, as_json, also, more)
    return DONE


@contextmanager
def asking(
    engine: MemoryEngine, build: Callable[[Looking], Decision], as_json: bool,
    also: Mapping[str, object] | None = None,
) -> Iterator[None]:  # fmt: skip
    """Inside, it is refused to do unasked what asks first: a program is told all the same what would have happened."""
    try:
        yield
    except Refused as error:
        if as_json:
            decision, effects = engine.propose(build)
            told = as_object(engine, decision.kind, effects, None)
            print_json({**told, **(also or {}), "refused": refusal(error)})
        raise


def refusal(error: MemstationError) -> dict[str, str]:
    """Why something was refused, for a program."""
    return {"title": error.title, "detail": error.detail, "hint": error.hint}


def show_taken(
    session: Session, engine: MemoryEngine, kind: str, effects: Effects, applied: Applied | None, as_json: bool,
    also: Mapping[str, object] | None = None, more: Sequence[Safe] = (),
) -> None:  # fmt: skip
    """Say what a decision did, or would do where `applied` is None; last of all how it is taken back."""
    if as_json:
        print_json({**as_object(engine, kind, effects, applied), **(also or {})})
        return
    _print_effects(session, engine, kind, effects, applied)
    for line in more:
        click.echo(line)
    if applied is not None:
        click.echo(say("memstation undo {seq} takes it back", seq=applied.seq), err=True)


def as_object(engine: MemoryEngine, kind: str, effects: Effects, applied: Applied | None) -> dict[str, object]:
    """What a decision did, for a program."""
    return {
        "seq": None if applied is None else applied.seq,
        "at": None if applied is None else applied.at,
        "dry_run": applied is None,
        "kind": kind,
        "effects": effects,
        "reads": engine.reads_of([change.id for change in _going(effects)]),
    }


def _going(effects: Effects) -> list[FactChange]:
    """What agents were told and are told no more, or something else in its place."""
    return [change for change in effects.changes if change.state_before in _TOLD and _is_less(change)]


def _is_less(change: FactChange) -> bool:
    """Whether it is withdrawn or held, or holds less long."""
    if change.state in ("withdrawn", "held"):
        return True
    until = change.valid_until
    return until is not None and (change.was_until is None or until < change.was_until)


_TOLD = ("current", "scheduled", "closed")


def _print_effects(
    session: Session, engine: MemoryEngine, kind: str, effects: Effects, applied: Applied | None
) -> None:
    from memstation.domain.decisions import DECISION_KINDS
    from memstation.station.render.effects import effects_lines, plain
    from memstation.station.render.purge_words import read_words

    if applied is None:
        click.echo(_("This would happen (nothing was written):"))
    else:
        click.echo(say("#{seq} {did}", seq=applied.seq, did=_(DECISION_KINDS[kind].did)))
    for line in plain(effects_lines(effects, session.glyphs, engine.clock())).split("\n"):
        click.echo(f"  {line}")
    going = _going(effects)
    reads = engine.reads_of([change.id for change in going])
    if reads.last is not None:
        agents = {change.agent_id for change in going}
        who = going[0].agent_id if len(agents) == 1 else None
        click.echo(f"  {read_words(reads, who, len(going), engine.clock())}")
