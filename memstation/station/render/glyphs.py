"""The signs of states and frames, in two sets. It must not import textual; a sign never stands without its word."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from memstation.domain.decisions import ChangeKind
from memstation.domain.memory import State
from memstation.read.rows import ChangeDone, DifferenceKind
from memstation.station.render.safe import Safe
from memstation.station.words import N_, _

GlyphSetName: TypeAlias = Literal["fine", "plain"]

TAINTED = "tainted"
STATE_WORDS: dict[str, str] = {
    "current": N_("current"),
    "scheduled": N_("scheduled"),
    "closed": N_("closed"),
    "held": N_("held"),
    "withdrawn": N_("withdrawn"),
    TAINTED: N_("tainted"),
}


@dataclass(frozen=True, slots=True)
class Sign:
    """A glyph, its word, and the role that colours both."""

    glyph: Safe
    word: Safe
    role: str

    def __str__(self) -> str:
        return f"{self.glyph} {self.word}"


@dataclass(frozen=True, slots=True)
class GlyphSet:
    """The signs that a terminal can show in one cell each."""

    name: GlyphSetName
    states: dict[str, str]
    cursor: str
    across: str
    """A horizontal rule."""
    down: str
    """A vertical rule."""
    border: str
    """Name of textual's border of the same look."""
    bars: str
    """From nothing to most."""
    fill: str
    """A cell of a bar that lies, from empty to full."""
    tree: tuple[str, str, str, str, str]
    """In front of a branch: of some trust, of little; the last one so, too; and what goes on beside its twigs."""
    signs: dict[str, str] = field(
        default_factory=lambda: dict(zip(
            ("added", "removed", "changed", "same", "warning", "marked", "past"), "+-~=!*«", strict=True
        ))
    )  # fmt: skip


FINE = GlyphSet(
    name="fine",
    states={"current": "●", "scheduled": "◇", "closed": "○", "held": "▲", "withdrawn": "✗", TAINTED: "!"},
    cursor="❯", across="─", down="│", border="round", bars="▁▂▃▄▅▆▇█",
    fill="·▏▎▍▌▋▊▉█", tree=("├─ ", "├╌ ", "└─ ", "└╌ ", "│  "),
)  # fmt: skip
PLAIN = GlyphSet(
    name="plain",
    states={"current": "=", "scheduled": "»", "closed": "-", "held": "?", "withdrawn": "✗", TAINTED: "!"},
    cursor=">", across="-", down="|", border="ascii", bars="⡀⣀⣠⣤⣴⣶⣾⣿",
    fill=".#", tree=("|- ", "|. ", "`- ", "`. ", "|  "),
)  # fmt: skip
GLYPHS: dict[str, GlyphSet] = {"fine": FINE, "plain": PLAIN}


def state_sign(glyphs: GlyphSet, state: State, tainted: bool = False) -> Sign:
    """How a fact's state is shown. A tainted fact shows that, unless it is out of use anyway."""
    name = TAINTED if tainted and state in ("current", "scheduled") else state
    return Sign(Safe(glyphs.states[name]), _(STATE_WORDS[name]), name)


# What a change of a fact is called, and the state whose glyph and colour it takes.
_CHANGES: dict[ChangeKind, tuple[str, str]] = {
    "new": ("current", N_("becomes current")),
    "scheduled": ("scheduled", N_("is scheduled")),
    "historical": ("closed", N_("goes into the history")),
    "confirms": ("added", N_("confirms")),
    "ends": ("removed", N_("ends")),
    "held": ("held", N_("is held for review")),
    "closed": ("closed", N_("closes")),
    "moved": ("changed", N_("changes its dates")),
    "came_back": ("current", N_("comes back")),
    "released": ("current", N_("is released")),
    "withdrawn": ("withdrawn", N_("is withdrawn")),
    "trust": ("changed", N_("changes its trust")),
    "erased": ("withdrawn", N_("is erased")),
}


# What a belief of then is beside that of now: glyph, role, word.
_DIFFERENCES: dict[DifferenceKind, tuple[str, str, str]] = {
    "changed": ("changed", "changed", N_("changed")),
    "gone": ("removed", "removed", N_("gone")),
    "new": ("added", "added", N_("new")),
    "same": ("same", "muted", N_("same")),
}


def difference_sign(glyphs: GlyphSet, kind: DifferenceKind) -> Sign:
    """How a difference between two beliefs is shown."""
    glyph, role, word = _DIFFERENCES[kind]
    return Sign(Safe(glyphs.signs[glyph]), _(word), role)


# What was done to a fact by a decision of the past: glyph, role, word of nine cells at most in English.
_DONE: dict[ChangeDone, tuple[str, str, str]] = {
    "told": ("added", "added", N_("told")),
    "ended": ("closed", "closed", N_("ended")),
    "undone": ("removed", "removed", N_("undone")),
    "withdrawn": ("withdrawn", "withdrawn", N_("withdrawn")),
    "held": ("held", "held", N_("held")),
    "released": ("current", "current", N_("released")),
    "denied": ("withdrawn", "withdrawn", N_("denied")),
    "lapsed": ("withdrawn", "withdrawn", N_("ran out")),
    "extended": ("held", "held", N_("more time")),
    "trust": ("changed", "changed", N_("trust set")),
    "cap": ("changed", "changed", N_("trust cut")),
}


def done_sign(glyphs: GlyphSet, done: ChangeDone, state: State, tainted: bool = False) -> Sign:
    """How it is shown what a decision did to a fact. Of what was told its state, where that is still so."""
    if done == "told" and state in ("current", "scheduled", "held"):
        return state_sign(glyphs, state, tainted)
    glyph, role, word = _DONE[done]
    return Sign(Safe(glyphs.states.get(glyph) or glyphs.signs[glyph]), _(word), role)


def change_sign(glyphs: GlyphSet, kind: ChangeKind) -> Sign:
    """How one change in a decision's effects is shown."""
    name, word = _CHANGES[kind]
    glyph = glyphs.states.get(name) or glyphs.signs[name]
    return Sign(Safe(glyph), _(word), name)
