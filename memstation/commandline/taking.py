"""Takes a decision for a command: previewed, taken unless it is a dry run, told. It builds no decision itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import click

from memstation.commandline.session import Session
from memstation.commandline.showing import print_json
from memstation.commandline.verbs import DONE
from memstation.station.words import _, say

if TYPE_CHECKING:
    from memstation.domain.decisions import Applied, Decision, Effects
    from memstation.engine import MemoryEngine
    from memstation.store.ledger import Looking


def take(
    session: Session, engine: MemoryEngine, build: Callable[[Looking], Decision], dry: bool, as_json: bool,
    also: Mapping[str, object] | None = None,
) -> int:  # fmt: skip
    """Preview a decision, take it unless it is a dry run, and say what it does. Returns the exit code.

    `also` goes into what is told as JSON.
    """
    decision, effects = engine.propose(build)
    # Taken only if it still does what was computed: somebody may write in between.
    applied = None if dry else engine.apply(decision, effects.digest)
    show_taken(session, engine, decision.kind, effects, applied, as_json, also)
    return DONE


def show_taken(
    session: Session, engine: MemoryEngine, kind: str, effects: Effects, applied: Applied | None, as_json: bool,
    also: Mapping[str, object] | None = None,
) -> None:  # fmt: skip
    """Say what a decision did, or would do where `applied` is None."""
    if not as_json:
        _print_effects(session, engine, kind, effects, applied)
        return
    print_json(
        {
            "seq": None if applied is None else applied.seq,
            "at": None if applied is None else applied.at,
            "dry_run": applied is None,
            "kind": kind,
            "effects": effects,
            **(also or {}),
        }
    )


def _print_effects(
    session: Session, engine: MemoryEngine, kind: str, effects: Effects, applied: Applied | None
) -> None:
    from memstation.domain.decisions import DECISION_KINDS
    from memstation.station.render.effects import effects_lines, plain

    if applied is None:
        click.echo(_("This would happen (nothing was written):"))
    else:
        click.echo(say("#{seq} {did}", seq=applied.seq, did=_(DECISION_KINDS[kind].did)))
    for line in plain(effects_lines(effects, session.glyphs, engine.clock())).split("\n"):
        click.echo(f"  {line}")
    if applied is not None:
        click.echo(say("memstation undo {seq} takes it back", seq=applied.seq), err=True)
