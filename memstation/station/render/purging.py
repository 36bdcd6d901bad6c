"""What a purge or its undo does, in counts. It must not import textual."""

from __future__ import annotations

from memstation.domain.purging import PurgeReport
from memstation.station.render.cells import Run, runs
from memstation.station.render.safe import Safe, safe_line
from memstation.station.words import N_, _, counted, say

_STATES = {
    "current": N_("{n} current"), "scheduled": N_("{n} scheduled"), "closed": N_("{n} closed"),
    "evidence": N_("{n} only confirmed"),
}  # fmt: skip


_DOES: tuple[tuple[str, str, str, str], ...] = (
    ("withdrawn", N_("{n} memory is withdrawn"), N_("{n} memories are withdrawn"), "withdrawn"),
    ("reinstated", N_("{n} fact comes back"), N_("{n} facts come back"), "current"),
    ("carried", N_("{n} fact goes on from another source"), N_("{n} facts go on from other sources"), "current"),
    ("emptied", N_("{n} fact has no value any more"), N_("{n} facts have no value any more"), "warning"),
    ("contaminated", N_("{n} made from them is held"), N_("{n} made from them are held"), "tainted"),
    ("spared", N_("{n} made from them stays in use, its trust cut"),
     N_("{n} made from them stay in use, their trust cut"), "tainted"),
    ("confirmations", N_("{n} echo of them is held"), N_("{n} echoes of them are held"), "tainted"),
    ("beyond", N_("{n} of what was made from them is another agent's"),
     N_("{n} of what was made from them are other agents'"), "warning"),
    ("voided", N_("{n} that was held leaves the queue"), N_("{n} that were held leave the queue"), "held"),
    ("already", N_("{n} that was withdrawn before stays away"),
     N_("{n} that were withdrawn before stay away"), "muted"),
    ("rejected", N_("{n} value is remembered as rejected"), N_("{n} values are remembered as rejected"), "muted"),
)  # fmt: skip
"""What of a purge (an attribute of `PurgeReport`) is told how, for one and for many."""

_UNDOES: tuple[tuple[str, str, str, str], ...] = (
    ("withdrawn", N_("{n} memory stands again"), N_("{n} memories stand again"), "current"),
    ("reinstated", N_("{n} fact closes again"), N_("{n} facts close again"), "closed"),
    ("contaminated", N_("{n} made from them is let go"), N_("{n} made from them are let go"), "current"),
    (
        "spared",
        N_("{n} made from them is trusted as before"),
        N_("{n} made from them are trusted as before"),
        "changed",
    ),
    ("confirmations", N_("{n} echo of them is let go"), N_("{n} echoes of them are let go"), "current"),
    ("voided", N_("{n} is held again"), N_("{n} are held again"), "held"),
    ("rejected", N_("{n} value is not rejected any more"), N_("{n} values are not rejected any more"), "muted"),
)


def states_line(report: PurgeReport) -> Safe:
    """``19 current, 2 scheduled, 10 closed``."""
    return Safe(", ".join(say(_STATES[state], n=f"{n:,}") for state, n in report.plan.states.items() if n))


def purge_lines(report: PurgeReport) -> list[list[Run]]:
    """Which source, for whom; then a line for each thing that it does. What there is none of is left out."""
    whose = _("all agents") if report.plan.agent_id is None else safe_line(report.plan.agent_id)
    rows: list[list[Run]] = [[*runs(report.plan.origin, "strong"), (say(", {agent}", agent=whose), "muted")]]
    for name, one, many, role in _UNDOES if report.is_undo else _DOES:
        value = getattr(report, name)
        count = value if isinstance(value, int) else len(value)
        if not count:
            continue
        line: list[Run] = [(counted(one, many, count), role)]
        if name == "withdrawn" and report.plan.states:
            line.append((say(" ({states})", states=states_line(report)), "muted"))
        rows.append(line)
    if not (report.is_undo or report.withdrawn or report.voided) and report.already:
        rows.append([(_("it only keeps away what is away already, whatever is taken back later"), "muted")])
    return rows
