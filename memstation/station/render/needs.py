"""What needs the operator, as rows of Today. It must not import textual."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from datetime import UTC, datetime

from memstation.read.conflict_rows import NamesDue
from memstation.read.gate_rows import GateCounts, HeldGroup, Waiting
from memstation.read.rows import FactRow, Overview
from memstation.station.render.cells import Run, runs
from memstation.station.render.facts import about
from memstation.station.render.glyphs import GlyphSet, state_sign
from memstation.station.render.safe import Safe, safe_line
from memstation.station.render.when import lately, left, spoken
from memstation.station.words import N_, _, counted, say

WHY = {
    "burst": N_("a burst"),
    "injection_suspect": N_("text that gives orders"),
    "rejected_before": N_("rejected before, back again"),
    "over_operator": N_("it would replace what you told"),
    "contaminated": N_("made from something withdrawn"),
}
"""Why something waits, in a few words; the words of other programs are shown as stored."""

_LAST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Need:
    """One row: what it says, and where it leads. Rows with the same key are the same row."""

    key: Hashable
    state: tuple[Run, ...]
    text: tuple[Run, ...]
    when: Run
    agent_id: str | None = None
    """Where it leads: this agent's Timeline; nowhere for None."""
    filter_text: str = ""
    focus_n: int | None = None
    more: tuple[Run, ...] = ()
    """What follows the text where there is room for it."""
    review_filter: str | None = None
    """Where it leads instead where there is such a room: to Review with this filter; None for the Timeline."""
    names_of: str | None = None
    """Where it leads instead where there is such a room: to the names of this agent."""
    source: str | None = None
    """Where it leads instead: to this source."""


def needs_of(overview: Overview, glyphs: GlyphSet, now: datetime) -> list[Need]:
    """What starts, ends or runs out, soonest first; then what waits for ever, blocked sources, and what ran out.

    One row that says so when there is nothing.
    """
    waiting = overview.waiting
    dated = [(row.at, _due(row.fact, row.at, row.starts, glyphs, now)) for row in overview.due]
    dated += [(group.deadline or _LAST, _held(group, glyphs, now)) for group in waiting.groups]
    needs = [need for _at, need in sorted(dated, key=lambda pair: pair[0])]
    if waiting.blocked is not None:
        needs.append(_blocked(waiting.blocked, glyphs))
    for due in overview.names:
        needs += _names(due, glyphs, now)
    if waiting.lapsed:
        needs.append(_lapsed(waiting, glyphs, now))
    needs += [_dropped(*noted, glyphs) for noted in overview.dropped_from]
    return needs or [_nothing()]


def gate_runs(gate: GateCounts) -> list[Run]:
    """``24 h: held 12, dropped 2, rejected values seen again 5``."""
    words = say("{h} h: held {held}, dropped {dropped}, rejected values seen again {again}", h=gate.hours,
                held=f"{gate.held:,}", dropped=f"{gate.dropped:,}", again=f"{gate.seen_again:,}")  # fmt: skip
    return [(words, "" if gate.held or gate.dropped or gate.seen_again else "muted")]


def _nothing() -> Need:
    text = _("Nothing: no memory is held, and none starts or ends within a day.")
    return Need("nothing", (), ((text, "muted"),), (Safe(""), ""))


def _due(fact: FactRow, at: datetime, starts: bool, glyphs: GlyphSet, now: datetime) -> Need:
    name, word = ("scheduled", N_("starts")) if starts else ("closed", N_("ends"))
    text: tuple[Run, ...] = (
        *runs(fact.agent_id), (Safe("  "), ""), *runs(about(fact), "muted"), (Safe(": "), "muted"),
        *runs(fact.value),
    )  # fmt: skip
    state: tuple[Run, ...] = ((Safe(f"{glyphs.states[name]} {_(word)}"), name),)
    return Need(("due", fact.n, starts), state, text, (spoken(at, now), ""), fact.agent_id, focus_n=fact.n)


def _held(group: HeldGroup, glyphs: GlyphSet, now: datetime) -> Need:
    why = _(WHY[group.reason]) if group.reason in WHY else safe_line(group.reason)
    if group.subject:
        why = say("{why} about {subject}", why=why, subject=group.subject)
    text: tuple[Run, ...] = (
        (counted("{n} from ", "{n} from ", group.count), ""), *_source(group), (Safe(": "), "muted"), (why, ""),
    )  # fmt: skip
    more: tuple[Run, ...] = ((say(", for {agent}", agent=group.agent_id), "muted"),)
    when: Run = (_("no limit"), "muted") if group.deadline is None else (left(group.deadline, now), "")
    return Need(
        ("held", group.agent_id, group.origin, group.reason), _held_sign(glyphs), text, when, group.agent_id,
        "state:held", group.n, more, _filter(group),
    )  # fmt: skip


def _source(group: HeldGroup) -> list[Run]:
    return runs(group.origin) if group.origin else [(_("nobody named"), "")]


def _filter(group: HeldGroup) -> str:
    """The filter of Review for a group: a source that cannot be quoted is left out."""
    parts = [f'agent:"{group.agent_id}"'] if '"' not in group.agent_id else []
    if group.origin and '"' not in group.origin:
        parts.append(f'source:"{group.origin}"')
    return " ".join([*parts, *([f"reason:{group.reason}"] if group.reason else [])])


def _blocked(group: HeldGroup, glyphs: GlyphSet) -> Need:
    """All of blocked sources in one row, without a reminder."""
    text = counted("{n} from blocked sources", "{n} from blocked sources", group.count)
    return Need("blocked", _held_sign(glyphs), ((text, "muted"),), (Safe(""), ""), group.agent_id, "state:held",
                group.n, review_filter="reason:blocked_origin")  # fmt: skip


def _names(due: NamesDue, glyphs: GlyphSet, now: datetime) -> list[Need]:
    """``~ names  1 conflict: 老闆 and 李老闆 on prefers_editor``; what agents joined; what is suggested."""
    told: list[tuple[str, list[Run], datetime | None]] = []
    if due.conflicts:
        newest = due.conflicts[0]
        words: list[Run] = [(counted("{n} conflict: ", "{n} conflicts: ", len(due.conflicts)), "")]
        for name in newest.names[:2]:
            words += [(_(" and "), "muted")] if len(words) > 1 else []
            words += runs(name)
        words += [(_(" on "), "muted"), *runs(newest.predicate or "")]
        told.append(("conflicts", words, newest.since))
    if due.joined:
        last = due.joined[-1]
        words = [(counted("{n} joined by agents: ", "{n} joined by agents: ", len(due.joined)), "")]
        told.append(("joined", [*words, *runs(last.name), (Safe(" -> "), "muted"), *runs(last.under or "")], last.at))
    if due.suggested:
        told.append(("suggested", [(counted("{n} suggested", "{n} suggested", due.suggested), "")], None))
    state: tuple[Run, ...] = ((Safe(f"{glyphs.signs['changed']} {_('names')}"), "changed"),)
    more: tuple[Run, ...] = ((say(", for {agent}", agent=due.agent_id), "muted"),)
    return [
        Need(("names", due.agent_id, what), state, tuple(words), (Safe("") if at is None else lately(at, now), "muted"),
             due.agent_id, more=more, names_of=due.agent_id) for what, words, at in told
    ]  # fmt: skip


def _lapsed(waiting: Waiting, glyphs: GlyphSet, now: datetime) -> Need:
    text = counted("{n} ran out undecided", "{n} ran out undecided", waiting.lapsed)
    when = Safe("") if waiting.lapsed_at is None else lately(waiting.lapsed_at, now)
    state: tuple[Run, ...] = ((Safe(f"{glyphs.states['withdrawn']} {_('lapsed')}"), "withdrawn"),)
    return Need("lapsed", state, ((text, ""),), (when, "muted"), review_filter="")


def _dropped(origin: str, agent_id: str, count: int, glyphs: GlyphSet) -> Need:
    """Nothing is to be decided: whose it was is to be seen."""
    text: tuple[Run, ...] = (
        (counted("{n} from ", "{n} from ", count), ""), *runs(origin), (_(": dropped by the gate"), "muted"),
    )  # fmt: skip
    more: tuple[Run, ...] = ((say(", for {agent}", agent=agent_id), "muted"),)
    state: tuple[Run, ...] = ((Safe(f"{glyphs.states['withdrawn']} {_('dropped')}"), "withdrawn"),)
    return Need(("dropped", agent_id, origin), state, text, (Safe(""), ""), agent_id, more=more, source=origin)


def _held_sign(glyphs: GlyphSet) -> tuple[Run, ...]:
    sign = state_sign(glyphs, "held")
    return ((Safe(str(sign)), sign.role),)
