"""The three lists of Names: groups, suggestions, conflicts. It must not import textual."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memstation.domain.origins import OPERATOR
from memstation.read.conflict_rows import Conflict, NameGroup, Suggested
from memstation.station.render.cells import Run, runs
from memstation.station.render.conflict_words import kind_word, names_runs, says_runs
from memstation.station.render.glyphs import GlyphSet
from memstation.station.render.log_words import who
from memstation.station.render.safe import Safe
from memstation.station.words import _, counted

if TYPE_CHECKING:
    from memstation.station.widgets.columns import Column


def group_columns(width: int) -> Sequence[Column[NameGroup]]:
    """The title, what else it is known as, how many names, facts and conflicts."""
    from memstation.station.widgets.columns import Column

    def numbers(count: int, role: str = "") -> list[Run]:
        return [(Safe(f"{count:,}"), role if count else "muted")]

    return [
        Column(_("NAME"), 20, lambda group: runs(group.title)),
        Column(_("ALSO KNOWN AS"), 12, also_runs, flex=1),
        Column(_("names"), 5, lambda group: numbers(len(group.names) - 1), right=True, rank=2),
        Column(_("facts"), 6, lambda group: numbers(group.facts), right=True),
        Column(_("conflicts"), 9, lambda group: numbers(group.conflicts, "changed"), right=True, rank=1),
    ]  # fmt: skip


def also_runs(group: NameGroup) -> list[Run]:
    """``李老闆, zhixu (by dudu)``: a name that an agent joined says so."""
    parts: list[Run] = []
    for name in group.names[1:]:
        parts += [(Safe(", "), "muted")] if parts else []
        parts += runs(name.name)
        if name.actor not in ("", OPERATOR):
            parts += [(Safe(" ("), "muted"), (by_words(name.actor), "warning"), (Safe(")"), "muted")]
    return parts


def by_words(actor: str) -> Safe:
    """``by agent dudu``: an agent by its own name."""
    head, colon, agent = actor.partition(":")
    if head == "agent" and colon:
        return Safe(_("by ") + Safe("".join(text for text, _role in runs(agent))))
    return Safe(_("by ") + who(actor))


def suggested_columns(width: int, glyphs: GlyphSet) -> Sequence[Column[Suggested]]:
    """``? Zhixu Li -> 老闆``, where it comes from, how many facts say the same of both."""
    from memstation.station.widgets.columns import Column

    sign = Safe(f"{glyphs.states['held']} ")
    return [
        Column(Safe(""), 28, lambda row: [(sign, "held"), *runs(row.alias), (Safe(" -> "), "muted"),
                                          *runs(row.canonical)]),
        Column(Safe(""), 20, lambda row: [*source_runs(row), (counted(", {n} shared fact", ", {n} shared facts",
                                                                     row.shared), "muted")], flex=1),
    ]  # fmt: skip


def source_runs(row: Suggested) -> list[Run]:
    """Where a suggestion comes from."""
    return runs(row.reason) if row.reason else [(by_words(row.actor), "")]


def conflict_columns(width: int, glyphs: GlyphSet) -> Sequence[Column[Conflict]]:
    """``~ conflict  老闆 / 李老闆  prefers_editor  Helix | vim``."""
    from memstation.station.widgets.columns import Column

    sign = glyphs.signs["changed"]
    return [
        Column(Safe(""), 10, lambda row: [(Safe(f"{sign} {kind_word(row)}"), "changed")]),
        Column(Safe(""), 20, lambda row: [*names_runs(row), *(
            [(Safe(" "), ""), *runs(row.predicate, "muted")] if row.predicate else [])], flex=1),
        Column(Safe(""), 22, says_runs, flex=1),
    ]  # fmt: skip


def title_runs(title: Safe, count: int, note: Safe) -> tuple[list[Run], list[Run]]:
    """The rule above a list: what it is, how many, what the keys do."""
    return [(title, "muted")], [(Safe(f"{count:,}"), "strong" if count else "muted"), (Safe(f"  {note}"), "muted")]
