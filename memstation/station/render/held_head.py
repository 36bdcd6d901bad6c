"""What stands beside the head of a group, and in the dialog of many: counts and a few of them. No textual here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

from memstation.read.review_rows import HeldRow
from memstation.station.render.cells import Run, fit_runs, runs
from memstation.station.render.held_columns import MEASURED
from memstation.station.render.held_groups import Head, soonest
from memstation.station.render.provenance import joined, trust
from memstation.station.render.reasons import reason_runs, teller
from memstation.station.render.safe import Safe
from memstation.station.render.when import left, spoken
from memstation.station.words import _, counted, say

ENDS = 5
"""Memories that are shown of the beginning and of the end."""
VALUES = 3
LATELY = timedelta(minutes=1)
"""A flood that goes on says so."""


def head_rows(head: Head, now: datetime, cells: int, keys: tuple[str, str]) -> list[list[Run]]:
    """All about a group: how many, from whom, why, since when, of which values; its first and last."""
    if not head.rows:
        return [[(counted("{n} memory ran out undecided.", "{n} memories ran out undecided.", head.count), "")],
                [(_("What ran out is not in use, and its value is not rejected."), "muted")]]  # fmt: skip
    rows = head.rows
    first: list[Run] = [(counted("{n} held memory", "{n} held memories", head.count), "strong"),
                        (_(" from "), "muted"), *source_runs(rows)]  # fmt: skip
    trusts = sorted({row.trust for row in rows})
    words = trust(trusts[0]) if len(trusts) == 1 else f"{trust(trusts[0])} .. {trust(trusts[-1])}"
    first.append((say(", trust {t}", t=words), "muted"))
    lines = [first, _reasons(rows)]
    if len(rows) > 1:
        first_at, last_at = min(row.created_at for row in rows), max(row.created_at for row in rows)
        lines.append([(say("came from {a} to {b}", a=spoken(first_at, now), b=spoken(last_at, now)), "muted")])
        if (rate := sum(row.created_at > now - LATELY for row in rows)) > 1:
            lines[-1].append((counted(", {n} in the last minute", ", {n} in the last minute", rate), "held"))
    if (deadline := soonest(rows)) is not None and head.lane != "lapsed":
        lines.append([(_("the first runs out: "), "muted"), (left(deadline, now), "")])
    lines += [value_line(rows)]
    if head.lane == "waiting":
        lines.append([(say("{a} and {d} act on all of them, and ask first", a=keys[0], d=keys[1]), "muted")])
    return [*lines, [], *some_rows(rows, cells)]


def source_runs(rows: Sequence[HeldRow]) -> list[Run]:
    """Who told these, or how many did."""
    origins = {row.origin for row in rows}
    if len(origins) == 1:
        return teller(rows[0].origin)
    return [(counted("{n} source", "{n} sources", len(origins)), "")]


def _reasons(rows: Sequence[HeldRow]) -> list[Run]:
    parts: list[Run] = []
    for reason, count in Counter(row.reason for row in rows).most_common():
        parts += [(Safe(", "), "muted")] if parts else []
        parts += [(Safe(f"{count:,}: "), "muted"), *reason_runs(reason)]
    return parts


def value_line(rows: Sequence[HeldRow]) -> list[Run]:
    """``3 values: Heroku x1,964, ...``: a flood often says few things often."""
    values = Counter(row.value for row in rows)
    parts: list[Run] = [(counted("{n} value: ", "{n} values: ", len(values)), "muted")]
    for place, (value, count) in enumerate(values.most_common(VALUES)):
        parts += [(Safe(", "), "muted")] if place else []
        parts += joined(runs(value[:MEASURED]), 24)
        if count > 1:
            parts.append((Safe(f" x{count:,}"), "muted"))
    if len(values) > VALUES:
        parts.append((Safe(", .."), "muted"))
    return parts


def some_rows(rows: Sequence[HeldRow], cells: int) -> list[list[Run]]:
    """The first and the last five, numbered; their sources where they have several."""
    source = len({row.origin for row in rows}) > 1
    shown = [(place, row) for place, row in enumerate(rows) if place < ENDS or place >= len(rows) - ENDS]
    lines: list[list[Run]] = []
    for before, (place, row) in enumerate(shown):
        if before and place != shown[before - 1][0] + 1:
            skipped = place - shown[before - 1][0] - 1
            lines.append([(Safe("      "), ""), (counted("and {n} more", "and {n} more", skipped), "muted")])
        lines.append(_numbered(place + 1, row, cells, source))
    return lines


def _numbered(number: int, row: HeldRow, cells: int, source: bool) -> list[Run]:
    about = " ".join(name for name in (row.subject, row.predicate) if name)
    named = runs(about) or [(_("a note"), "muted")]
    parts = 3 if source else 2
    share = max(8, (cells - 5 - parts) // parts)
    line: list[Run] = [(Safe(f"{number:>4}  "), "muted"), *fit_runs(named, share), (Safe(" "), ""),
                       *fit_runs(runs(row.value[:MEASURED], "strong"), share)]  # fmt: skip
    return [*line, (Safe(" "), ""), *joined(teller(row.origin), share)] if source else line
