"""``memstation purge``, ``block`` and ``unblock``: what can be done about a source. `ops` builds the decisions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memstation.commandline.session import Session, pass_session
from memstation.commandline.showing import jsonable, print_json
from memstation.commandline.sources import origin_argument, told_so_far, whose, whose_options
from memstation.commandline.taking import refusal, take
from memstation.commandline.verbs import (
    DONE,
    NOT_DONE,
    Verb,
    dry_option,
    json_option,
    option,
    reason_option,
    store_option,
)
from memstation.domain.days import read_day
from memstation.domain.decisions import EVERY_AGENT
from memstation.domain.errors import NotFound, Refused
from memstation.domain.origins import OPERATOR
from memstation.guard.shape import repaired
from memstation.station.words import _, say
from memstation.words import N_

if TYPE_CHECKING:
    from memstation.domain.decisions import Decision
    from memstation.domain.purging import PurgeReport
    from memstation.engine import MemoryEngine
    from memstation.store.ledger import Looking


@click.command(
    "purge", cls=Verb, example="memstation purge channel:telegram/42 --agent dudu --dry-run",
    help=N_("Withdraw everything that a source told. What it displaced comes back; what was made from it is held."),
)  # fmt: skip
@origin_argument
@whose_options
@option("--since", metavar="DAY", help=N_("Only what was learned on or after that day or time."))
@option("--no-block", is_flag=True, help=N_("Do not hold what the source writes from now on."))
@option("--no-reject", is_flag=True, help=N_("Do not remember its values as rejected."))
@option("--spare-derived", is_flag=True, help=N_("Leave what was made from it in use, with its trust cut."))
@reason_option
@option("--yes", is_flag=True, help=N_("Do it; without this, only --dry-run is answered."))
@dry_option
@store_option
@json_option
@pass_session
def purge(
    session: Session, /, origin: str, agent: str | None, everybody: bool, since: str | None, yes: bool, dry: bool,
    reason: str, store: Path | None, as_json: bool, **chosen: Any,
) -> int:  # fmt: skip
    """Purge a source."""
    from memstation.domain.purging import PurgeChoices

    choices = PurgeChoices(not chosen["no_block"], not chosen["no_reject"], chosen["spare_derived"])
    with session.engine(store) as engine:
        who = whose(engine, agent, everybody)
        start = None if since is None else read_day(since, engine.clock())
        report = engine.preview_purge(who, origin, start, choices=choices, reason=reason)
        if report.effects is None:
            return _nothing(engine, report, as_json)
        if not (yes or dry):
            refused = Refused(
                "Purging asks first", "{n:,} memories of {origin!r} would be withdrawn; nothing was",
                "--dry-run shows what would change, --yes does it", n=len(report.withdrawn), origin=origin,
            )  # fmt: skip
            if as_json:
                print_json({**_as_object(engine, report), "refused": refusal(refused)})
            raise refused
        if not dry:
            # Done only if it still does what was computed: somebody may write in between.
            report = engine.invalidate_by_origin(
                who, origin, start, choices=choices, reason=reason, expect=report.digest
            )
        show_purge(session, engine, report, as_json)
    return DONE


def _nothing(engine: MemoryEngine, report: PurgeReport, as_json: bool) -> int:
    """Say that a source told nothing that could be withdrawn, and which others are named much like it."""
    if as_json:
        print_json(_as_object(engine, report))
        return NOT_DONE
    plan = report.plan
    if plan.since is not None and engine.preview_purge(plan.agent_id, plan.origin, choices=plan.choices).effects:
        raise NotFound(
            "Nothing to purge", "{origin!r} told nothing since {since} that is in use or held; nothing was written",
            "without --since its older memories go, too", origin=plan.origin, since=f"{plan.since:%Y-%m-%d %H:%M} UTC",
        )  # fmt: skip
    near = engine.near_origins(plan.origin)
    hint = say(N_("did you mean {near}?"), near=", ".join(map(repr, near))) if near else ""
    raise NotFound(
        "Nothing to purge", "0 memories of {origin!r} are in use or held there, and nothing was written", hint,
        origin=report.plan.origin,
    )  # fmt: skip


def show_purge(session: Session, engine: MemoryEngine, report: PurgeReport, as_json: bool) -> None:
    """Say what a purge did or would do: the counts, then each change."""
    if as_json:
        print_json(_as_object(engine, report))
        return
    from memstation.station.render.effects import effects_lines, plain
    from memstation.station.render.purge_words import read_words
    from memstation.station.render.purging import purge_lines

    assert report.effects is not None
    now = engine.clock()
    if report.seq is None:
        click.echo(_("This would happen (nothing was written):"))
    else:
        click.echo(say("#{seq} {did}", seq=report.seq, did=_("purged")))
    for line in plain([*purge_lines(report), *effects_lines(report.effects, session.glyphs, now)]).split("\n"):
        click.echo(f"  {line}")
    if going := report.withdrawn:
        who = next(iter(report.plan.agents)) if len(report.plan.agents) == 1 else None
        click.echo(f"  {read_words(engine.reads_of(going), who, len(going), now)}")
    if report.seq is not None:
        click.echo(say("memstation undo {seq} takes it back", seq=report.seq), err=True)


def _as_object(engine: MemoryEngine, report: PurgeReport) -> dict[str, Any]:
    """The report for a program: ids each, then the effects as every other command gives them."""
    plan = report.plan
    return {
        "seq": report.seq, "dry_run": report.seq is None, "kind": "purge", "origin": plan.origin,
        "agent": plan.agent_id, "since": plan.since, "choices": jsonable(plan.choices), "states": plan.states,
        "agents": plan.agents, "withdrawn": report.withdrawn, "reinstated": report.reinstated,
        "carried": report.carried, "emptied": report.emptied, "contaminated": report.contaminated,
        "spared": report.spared, "confirmations": report.confirmations, "voided": report.voided,
        "already": report.already, "beyond": report.beyond,
        "rejected": report.rejected, "paths": report.paths, "effects": report.effects,
        "reads": engine.reads_of(report.withdrawn),
    }  # fmt: skip


def _whose_key(engine: MemoryEngine, agent: str | None, everybody: bool) -> str:
    return whose(engine, agent, everybody) or EVERY_AGENT


def _blocking(
    session: Session, verdict: str, origin: str, agent: str | None, everybody: bool, reason: str, dry: bool,
    store: Path | None, as_json: bool,
) -> int:  # fmt: skip
    from memstation.ops import block as ops

    with session.engine(store) as engine:
        who = _whose_key(engine, agent, everybody)

        def build(looking: Looking) -> Decision:
            return ops.blocking(looking, who, origin, verdict, actor=OPERATOR, reason=repaired(reason))

        return take(session, engine, build, dry, as_json, *told_so_far(engine, origin, who))


@click.command(
    "block", cls=Verb, example="memstation block channel:telegram/42 --all-agents",
    help=N_("Hold what a source writes from now on; what it told before stays in use."),
)  # fmt: skip
@origin_argument
@whose_options
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def block(session: Session, /, **given: Any) -> int:
    """Block a source."""
    return _blocking(session, "blocked", **given)


@click.command(
    "unblock", cls=Verb, example="memstation unblock channel:telegram/42 --all-agents",
    help=N_("Let a source write again; what is held goes on waiting."),
)  # fmt: skip
@origin_argument
@whose_options
@reason_option
@dry_option
@store_option
@json_option
@pass_session
def unblock(session: Session, /, **given: Any) -> int:
    """Let a source write again."""
    return _blocking(session, "unblocked", **given)
