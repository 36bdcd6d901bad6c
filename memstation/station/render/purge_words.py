"""A purge in words: what it would do, row by row, and what it did. Every number is the engine's. No textual here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memstation.domain.decisions import FactChange
from memstation.domain.purging import PurgeReport
from memstation.read.rows import ReadCount
from memstation.station.render.cells import Run, runs
from memstation.station.render.effects import SHOWN, change_line, is_of_several, plain
from memstation.station.render.glyphs import GlyphSet
from memstation.station.render.provenance import Rows, joined, moment
from memstation.station.render.safe import Safe, safe_line
from memstation.station.render.when import full, spoken_day
from memstation.station.words import N_, _, counted, say

NAME = 44
"""Cells of a source's name inside a sentence."""
NOTED = 3
"""Names that a row gives as examples."""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that would change: how many, what that means, and which memories they are."""

    name: str
    text: tuple[Run, ...]
    note: tuple[Run, ...]
    ids: tuple[str, ...]


def cannot_purge(origin: str | None) -> Safe:
    """Why a source cannot be purged as one; empty when it can."""
    return Safe("") if origin else _("nobody is named there: it is older than sources are")


def report_lines(report: PurgeReport) -> list[Line]:
    """What a purge would do, each openable; what there is none of is left out, but for the first."""
    made = (*report.contaminated, *report.spared)
    first = Line("already", ((_("nothing more is withdrawn"), "muted"),), _states(report), report.already)
    lines = [
        first if only_lasts(report) else
        Line("withdrawn", _some("{n} memory is withdrawn", "{n} memories are withdrawn", report.withdrawn, "withdrawn"),
             _states(report), report.withdrawn),
        Line("reinstated", _some("{n} fact comes back", "{n} facts come back", report.reinstated, "current"),
             _examples(report, report.reinstated), report.reinstated),
        Line("emptied", _some("{n} has no value any more", "{n} have no value any more", report.emptied, "warning"),
             _examples(report, report.emptied, values=False), report.emptied),
        Line("made", _some("{n} memory was made from them", "{n} memories were made from them", made, "tainted"),
             _made(report), made),
        Line("echoes", _some("{n} only repeated them", "{n} only repeated them", report.confirmations, "tainted"),
             ((_("held for you with them"), "muted"),), report.confirmations),
        Line("voided", _some("{n} held one is closed", "{n} held ones are closed", report.voided, "held"),
             ((_("they leave the review queue"), "muted"),), report.voided),
    ]  # fmt: skip
    return [line for line in lines if line.ids or line.name == "withdrawn"]


def only_lasts(report: PurgeReport) -> bool:
    """Whether all that a purge withdraws was withdrawn before: nothing changes but that it lasts."""
    return bool(report.already) and not (report.withdrawn or report.voided)


def _some(one: str, many: str, ids: Sequence[str], role: str) -> tuple[Run, ...]:
    return ((counted(one, many, len(ids)), role if ids else "muted"),)


_STATES = (("current", N_("{n} current")), ("scheduled", N_("{n} scheduled")), ("closed", N_("{n} closed")),
           ("evidence", N_("{n} confirming")))  # fmt: skip


def _states(report: PurgeReport) -> tuple[Run, ...]:
    told = [say(words, n=f"{report.plan.states[state]:,}") for state, words in _STATES if report.plan.states.get(state)]
    if not told and report.already:
        told = [counted("{n} was withdrawn before", "{n} were withdrawn before", len(report.already))]
    return ((Safe(", ".join(told)), "muted"),)


def _made(report: PurgeReport) -> tuple[Run, ...]:
    parts = []
    if report.contaminated:
        parts.append(counted("{n} will be held", "{n} will be held", len(report.contaminated)))
    if report.spared:
        kept = ("{n} stays in use", "{n} stay in use") if report.plan.choices.spare_derived else (
            "{n} has other support", "{n} have other support")  # fmt: skip
        parts.append(counted(*kept, len(report.spared)))
    if report.beyond:
        parts.append(counted("{n} is another agent's", "{n} are other agents'", len(report.beyond)))
    return ((Safe(", ".join(parts)), "muted"),)


def _examples(report: PurgeReport, ids: Sequence[str], *, values: bool = True) -> tuple[Run, ...]:
    """The first few by name, as far as there is room."""
    parts: list[Run] = []
    for change in _changes(report, ids[:NOTED]):
        parts += [(Safe(", "), "muted")] if parts else []
        about = " ".join(name for name in (change.subject, change.predicate) if name)
        parts += runs(about[:NAME], "muted")
        if values:
            parts += [*([(Safe(": "), "muted")] if about else []), *runs(change.value[:NAME])]
    return tuple(parts)


def _changes(report: PurgeReport, ids: Iterable[str]) -> list[FactChange]:
    """What changes of these memories, in their order; evidence changes nothing that is shown."""
    if report.effects is None:
        return []
    wanted = dict.fromkeys(ids)
    found = {change.id: change for change in report.effects.changes if change.id in wanted}
    return [found[memory_id] for memory_id in wanted if memory_id in found]


def listed(line: Line, report: PurgeReport, glyphs: GlyphSet, now: datetime) -> Rows:
    """The memories behind a line, one each; for what was made from others, by which way it was reached."""
    if line.name == "already":
        words = counted("{n} memory was withdrawn before: it stays away, also when that is taken back",
                        "{n} memories were withdrawn before: they stay away, also when that is taken back",
                        len(line.ids))  # fmt: skip
        return [[(words, "muted")]]
    changes = _changes(report, line.ids)
    known = {} if report.effects is None else {change.id: change for change in report.effects.changes}
    rows: Rows = []
    whose = report.effects is not None and is_of_several(report.effects.changes)
    for change in changes[:SHOWN]:
        rows.append(change_line(change, glyphs, now, whose=whose))
        path = report.path(change.id)[:-1]
        if line.name in ("made", "echoes") and path:
            rows.append([(_("    from "), "muted"), *_way(path, known)])
    if len(changes) > SHOWN:
        rest = len(changes) - SHOWN
        rows.append([(counted("and {n} more", "and {n} more", rest), "muted")])
    if others := len(line.ids) - len(changes):
        words = counted("{n} more changes nothing that is shown: it only confirmed another",
                        "{n} more change nothing that is shown: they only confirmed another", others)  # fmt: skip
        rows.append([(words, "muted")])
    return rows


def _way(path: Sequence[str], known: dict[str, FactChange]) -> list[Run]:
    parts: list[Run] = []
    for memory_id in path:
        parts += [(Safe(" > "), "muted")] if parts else []
        change = known.get(memory_id)
        parts += runs(memory_id if change is None else change.value[:NAME])
    return parts


def scope_runs(origin: str, agent_id: str | None, since: datetime | None) -> list[Run]:
    """What is to go: ``Withdraw everything that channel:telegram/42 ever told dudu``."""
    what = _("Withdraw everything that ") if since is None else _("Withdraw what ")
    told: list[Run] = [(_(" ever told "), "") if since is None else (_(" told "), "")]
    whom = [(_("any agent"), "strong")] if agent_id is None else joined(runs(agent_id, "strong"), 30)
    parts = [(what, ""), *joined(runs(origin, "strong"), NAME), *told, *whom]
    if since is not None:
        parts.append((say(" since {when}", when=full(since)), "strong"))
    return [*parts, (Safe("."), "")]


def short_runs(origin: str, report: PurgeReport) -> list[Run]:
    """``channel:telegram/42 for dudu: 31 withdrawn, 14 come back, 4 held, 7 closed``."""
    plan = report.plan
    whom: list[Run] = [(_("all agents"), "strong")] if plan.agent_id is None else runs(plan.agent_id, "strong")
    parts: list[Run] = [*joined(runs(origin, "strong"), NAME), (_(" for "), "muted"), *joined(whom, 24)]
    if plan.since is not None:
        parts.append((say(", since {when}", when=full(plan.since)), "strong"))
    return [*parts, (Safe(": "), "muted"), *counts_runs(report)]


def counts_runs(report: PurgeReport) -> list[Run]:
    """``31 withdrawn, 14 come back, 4 held, 7 closed``; what there is none of is left out.

    Of a purge that was done, what came back.
    """
    back = len(report.reinstated)
    came = counted("{n} comes back", "{n} come back", back) if report.seq is None else (
        counted("{n} came back", "{n} came back", back))  # fmt: skip
    held = len(report.contaminated) + len(report.confirmations)
    lasts = only_lasts(report)
    told = [
        (counted("{n} withdrawn", "{n} withdrawn", len(report.withdrawn)), "withdrawn", not lasts),
        (counted("{n} stays away for good", "{n} stay away for good", len(report.already)), "withdrawn", lasts),
        (came, "current", bool(back)),
        (counted("{n} held", "{n} held", held), "tainted", bool(held)),
        (counted("{n} kept", "{n} kept", len(report.spared)), "tainted", bool(report.spared)),
        (counted("{n} closed", "{n} closed", len(report.voided)), "held", bool(report.voided)),
        (counted("{n} empty", "{n} empty", len(report.emptied)), "warning", bool(report.emptied)),
    ]
    parts: list[Run] = []
    for text, role, is_said in told:
        if is_said:
            parts += [(Safe(", "), "muted")] if parts else []
            parts.append((text, role))
    return parts


def back_runs(report: PurgeReport) -> list[Run]:
    """What taking a purge back does: ``31 in use again, 14 close again, 6 trusted as before, 7 held again``."""
    trusted = len(report.contaminated) + len(report.spared)
    told = [
        (counted("{n} stands again", "{n} stand again", len(report.withdrawn)), "current", True),
        (counted("{n} closes again", "{n} close again", len(report.reinstated)), "closed", bool(report.reinstated)),
        (counted("{n} trusted as before", "{n} trusted as before", trusted), "changed", bool(trusted)),
        (counted("{n} held again", "{n} held again", len(report.voided)), "held", bool(report.voided)),
    ]
    parts: list[Run] = []
    for text, role, is_said in told:
        if is_said:
            parts += [(Safe(", "), "muted")] if parts else []
            parts.append((text, role))
    return parts


def lifted_runs(report: PurgeReport) -> list[Run]:
    """That the block and the rejected values go with it."""
    orders = () if report.effects is None else report.effects.orders
    is_blocked = any(order.about == "origin" and not order.rules for order in orders)
    words = []
    if is_blocked:
        words.append(_("The block is lifted."))
    if report.rejected:
        words.append(counted("{n} value is not rejected any more.", "{n} values are not rejected any more.",
                             report.rejected))  # fmt: skip
    return [(Safe("  ".join(words)), "muted")] if words else []


def reads_words(reads: ReadCount, agent_id: str | None, now: datetime) -> list[Run]:
    """That undo takes back all of this, but not what agents have read, and how often they did."""
    if reads.last is None or reads.since is None:
        return [(_("Undo takes back all of this.  No agent has read it, as far as it was counted."), "muted")]
    words = _("Undo takes back all of this, but not what agents have read: ")
    who = agent_id if agent_id is not None else _("they")
    count = counted("{who} read it {n} time", "{who} read {m} of them, {n} times together", reads.times, who=who,
                    m=f"{reads.memories:,}")  # fmt: skip
    when = say(" since {day}, last {last}.", day=spoken_day(reads.since, now), last=moment(reads.last, now))
    return [(words, "muted"), (count, "warning"), (when, "warning")]


def read_words(reads: ReadCount, agent_id: str | None, among: int, now: datetime) -> Safe:
    """How often `among` memories that go were read, and when: ``dudu read it 4 times since 3 Mar, last 3 Mar 10:02``.

    For the command line; None is whoever read them.
    """
    if reads.last is None or reads.since is None:
        return _("no agent has read any of it, as far as it was counted")
    who = agent_id if agent_id is not None else _("agents")
    when = {"day": spoken_day(reads.since, now), "last": moment(reads.last, now)}
    if among == 1:
        return counted("{who} read it {n} time since {day}, last {last}; that cannot be taken back",
                       "{who} read it {n} times since {day}, last {last}; that cannot be taken back",
                       reads.times, who=who, **when)  # fmt: skip
    return counted("{who} read {m} of them, {n} time since {day}, last {last}; that cannot be taken back",
                   "{who} read {m} of them, {n} times together since {day}, last {last}; that cannot be taken back",
                   reads.times, who=who, m=f"{reads.memories:,}", **when)  # fmt: skip


def done_rows(origin: str, report: PurgeReport, reads: ReadCount, now: datetime) -> Rows:
    """What a purge did: counts, block and rejected values, what agents read lately."""
    choices = report.plan.choices
    orders = () if report.effects is None else report.effects.orders
    rows: Rows = [counts_runs(report), []]
    parts: list[Run] = []
    if choices.block and any(order.about == "origin" and order.rules for order in orders):
        parts.append((_("The source is blocked.  "), ""))
    if report.rejected:
        parts.append((counted("{n} value is remembered as rejected.", "{n} values are remembered as rejected.",
                              report.rejected), ""))  # fmt: skip
    rows += [parts] if parts else []
    rows.append([(say("Log #{n}.", n=report.seq), "key")])
    if reads.lately:
        whom = report.plan.agent_id if report.plan.agent_id is not None else _("Agents")
        rows += [[], [(say("{who} read {n} of them in the last hour: begin the session anew, or tell it.", who=whom,
                           n=f"{reads.lately:,}"), "warning")]]  # fmt: skip
    return rows


def report_text(
    heading: Safe, rows: Sequence[Sequence[Run]], report: PurgeReport, glyphs: GlyphSet, now: datetime
) -> str:
    """A purge that was done as a text to keep: what the dialog says, and every memory that it changed, by its id."""
    lines = [heading, full(now), Safe(""), plain(rows)]
    changes = () if report.effects is None else report.effects.changes
    known = {change.id: change for change in changes}
    whose = is_of_several(changes)
    for line in report_lines(report):
        lines += [Safe(""), plain([line.text])]
        for memory_id in line.ids:
            change = known.get(memory_id)
            said = Safe("") if change is None else plain([change_line(change, glyphs, now, whose=whose)])
            lines.append(Safe(f"  {safe_line(memory_id)}  {said}".rstrip()))
    return "\n".join(lines) + "\n"


def missing_words(typed: str, name: str, others: Sequence[str]) -> Safe:
    """What is still missing of a name, or where what was typed departs from it."""
    if typed == name:
        return _("It matches.  enter does nothing here; tab goes to the button.")
    if not typed:
        return Safe("")
    if typed in others:
        return say("That is another source: {name}.", name=typed)
    if name.startswith(typed):
        return counted("Not yet: {n} character missing.", "Not yet: {n} characters missing.", len(name) - len(typed))
    place = next((at for at, (a, b) in enumerate(zip(typed, name, strict=False)) if a != b), len(name))
    if place == len(name):
        return counted("{n} character too many.", "{n} characters too many.", len(typed) - len(name))
    return say("It differs from character {n} on.", n=place + 1)
