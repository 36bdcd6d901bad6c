"""Which source and whose memories a command is about, as options. It reads nothing but the names of agents."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from memstation.commandline.session import known_agent
from memstation.commandline.verbs import Function, option
from memstation.domain.errors import InvalidInput
from memstation.station.render.safe import Safe
from memstation.station.words import say
from memstation.words import N_

if TYPE_CHECKING:
    from memstation.engine import MemoryEngine


def whose_options(command: Function) -> Function:
    """``--agent NAME`` or ``--all-agents``: one of them must be given, so that nobody purges more than they meant."""
    add: list[Callable[[Function], Function]] = [
        option("--all-agents", "everybody", is_flag=True, help=N_("In the memories of all agents.")),
        option("--agent", metavar="NAME", help=N_("In the memories of this agent only.")),
    ]
    for one in add:
        command = one(command)
    return command


def whose(engine: MemoryEngine, agent: str | None, everybody: bool) -> str | None:
    """The agent that is meant; None for all.

    Raises:
        InvalidInput: neither or both are given.
        NotFound: there is no such agent; the hint gives the nearest name.
    """
    if everybody == (agent is not None):
        raise InvalidInput("It is not clear whose memories", "give --agent NAME or --all-agents")
    return None if agent is None else known_agent(engine, agent)


def told_so_far(engine: MemoryEngine, origin: str, agent: str | None) -> tuple[dict[str, object], list[Safe]]:
    """For a program and in words: that a source has told nothing yet, where an order about it may be a slip.

    `agent` is None or ``*`` for all.
    """
    if engine.has_told(agent, origin):
        return {"has_told": True, "near": ()}, []
    near = engine.near_origins(origin)
    line = say("! {origin!r} has told nothing so far", origin=origin)
    if near:
        line = Safe(line + say("; did you mean {near}?", near=", ".join(map(repr, near))))
    return {"has_told": False, "near": near}, [line]


origin_argument = click.argument("origin", metavar="SOURCE")
