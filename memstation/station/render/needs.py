"""What needs the operator, as rows of Today. It must not import textual."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from datetime import datetime

from memstation.read.rows import FactRow, Overview
from memstation.station.render.cells import Run, runs
from memstation.station.render.facts import about
from memstation.station.render.glyphs import GlyphSet, state_sign
from memstation.station.render.safe import Safe
from memstation.station.render.when import lately, spoken
from memstation.station.words import N_, _, counted, say


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


def needs_of(overview: Overview, glyphs: GlyphSet, now: datetime) -> list[Need]:
    """What starts or ends soon, then what is held, by source. One row that says so when there is nothing."""
    needs = [_due(row.fact, row.at, row.starts, glyphs, now) for row in overview.due]
    needs += _held(overview, glyphs, now)
    return needs or [_nothing()]


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


def _held(overview: Overview, glyphs: GlyphSet, now: datetime) -> list[Need]:
    groups: dict[tuple[str, str | None], list[FactRow]] = {}
    for fact in overview.held:
        groups.setdefault((fact.agent_id, fact.origin), []).append(fact)
    sign = state_sign(glyphs, "held")
    state: tuple[Run, ...] = ((Safe(str(sign)), sign.role),)
    needs = []
    for (agent_id, origin), facts in groups.items():
        newest = facts[0]
        text: tuple[Run, ...] = (
            (counted("{n} from ", "{n} from ", len(facts)), ""),
            *(runs(origin) if origin else [(_("nobody named"), "")]),
            (say(" to {agent}: ", agent=agent_id), "muted"), *runs(about(newest), "muted"), (Safe(" "), ""),
            *runs(newest.value),
        )  # fmt: skip
        when = (lately(newest.valid_from, now), "muted")
        needs.append(Need(("held", agent_id, origin), state, text, when, agent_id, "state:held", newest.n))
    rest = overview.held_count - len(overview.held)
    if rest > 0 and overview.held:
        more = (counted("{n} more", "{n} more", rest), "muted")
        needs.append(Need("held more", state, (more,), (Safe(""), ""), overview.held[-1].agent_id, "state:held"))
    return needs
