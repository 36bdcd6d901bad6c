"""Conflicts in words. It must not import textual."""

from __future__ import annotations

from memstation.read.conflict_rows import Conflict, Likeness
from memstation.station.render.cells import Run, runs
from memstation.station.render.safe import Safe, safe_line
from memstation.station.words import N_, _, counted, say

KINDS = {"disagree": N_("conflict"), "alike": N_("alike"), "flaps": N_("flaps")}
"""What a conflict is called in a list."""

HOW: dict[Likeness, str] = {
    "letter": N_("differ in one letter"),
    "script": N_("traditional and simplified"),
    "signs": N_("differ only in signs or spaces"),
    "hidden": N_("differ only in what cannot be seen"),
}


def kind_word(conflict: Conflict) -> Safe:
    """``conflict``, ``alike`` or ``flaps``."""
    return _(KINDS[conflict.kind])


def names_runs(conflict: Conflict) -> list[Run]:
    """``老闆 / 李老闆``."""
    parts: list[Run] = []
    for name in conflict.names:
        parts += [(Safe(" / "), "muted")] if parts else []
        parts += runs(name)
    return parts


def says_runs(conflict: Conflict) -> list[Run]:
    """What stands against what: the values, how often they changed, how the names differ."""
    if conflict.kind == "alike":
        facts = sum(side.facts for side in conflict.sides)
        how = _(HOW[conflict.likeness or "letter"])
        return [(how, ""), (counted(", {n} fact", ", {n} facts", facts), "muted")]
    parts: list[Run] = []
    for side in conflict.sides[:2]:
        parts += [(Safe(" | "), "muted")] if parts else []
        parts += runs(side.value)
    if len(conflict.sides) > 2:
        parts.append((say(" and {n} more", n=len(conflict.sides) - 2), "muted"))
    if conflict.kind == "flaps":
        parts.append((say(", {often}", often=how_often(conflict)), "muted"))
    return parts


def how_often(conflict: Conflict) -> Safe:
    """``4 times in 1 day``."""
    times = counted("{n} time", "{n} times", conflict.times)
    return counted("{times} in {n} day", "{times} in {n} days", conflict.days, times=times)


def conflict_text(conflict: Conflict) -> Safe:
    """All of it in one line."""
    about = [*names_runs(conflict), *([(Safe(" "), ""), *runs(conflict.predicate)] if conflict.predicate else [])]
    return Safe("".join(text for text, _role in [*about, (Safe(": "), ""), *says_runs(conflict)]))


def sides_text(conflict: Conflict) -> list[Safe]:
    """A line for each fact: its id, its name, what it says."""
    return [Safe(f"{safe_line(side.id)}  {safe_line(side.name)}  {safe_line(side.value)}") for side in conflict.sides]
