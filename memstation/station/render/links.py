"""The names around a hit as a tree that reads well in a terminal. It must not import textual, nor hide what is held."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memstation.station.render.cells import Run, fit_runs, runs, runs_width
from memstation.station.render.glyphs import GlyphSet
from memstation.station.render.safe import Safe
from memstation.station.widgets.columns import Column
from memstation.station.words import _, counted, say

if TYPE_CHECKING:
    from memstation.recall.exporting import Edge, Link, Near

MUCH = 0.5
"""Trust from which on a branch is drawn in full."""
TRUST = 3
"""Cells of the trust."""
GAP = Safe("   ")
NAMED = 200
"""Characters of a name that are looked at."""


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One line of the tree: the name at its root, or a memory that leads to another name."""

    edge: Edge | None
    """None for the root, and for what says that a name has more links."""
    name: str | None
    """The name it leads to, or speaks of; None where it names nothing else."""
    branch: Safe
    said: tuple[Run, ...]
    is_this: bool = False
    """Whether it is the memory whose links these are."""

    @property
    def key(self) -> Hashable:
        """Its memory, which is in the tree once, as each name is."""
        return (self.name, bool(self.branch)) if self.edge is None else self.edge.memory_id

    @property
    def id(self) -> str:
        """The id of the memory; without one the name."""
        return self.name or "" if self.edge is None else self.edge.memory_id

    @property
    def text(self) -> str:
        """What it says, without its branch."""
        return "".join(part for part, _role in self.said)


def links_title(near: Near | None) -> tuple[list[Run], list[Run]]:
    """Whose links they are, and how many."""
    if near is None:
        return [(_("LINKS"), "muted")], []
    links = list(_all(near))
    held = sum(link.edge.held for link in links)
    note: list[Run] = [(counted("{n} link", "{n} links", len(links)), "muted")]
    if held:
        note = [(say("{n} of {all} held", n=f"{held:,}", all=f"{len(links):,}"), "held")]
    return [(_("LINKS AROUND "), "muted"), *runs(near.name[:NAMED], "strong")], note


def link_rows(near: Near | None, memory_id: str, glyphs: GlyphSet) -> list[LinkRow]:
    """The name, and a row for each link, those that lead on from it further in; the one of `memory_id` is marked."""
    if near is None:
        return []
    root = LinkRow(None, near.name, Safe(""), tuple(runs(near.name[:NAMED], "strong")))
    return [root, *_branches(near, "", memory_id, glyphs)]


def link_notes(near: Near | None, glyphs: GlyphSet, on: str, cells: int, *, is_past: bool) -> list[Run]:
    """What the signs mean, the key that goes on from a name, or that there are no links; a line each if need be."""
    if near is None:
        return [(_("It names nothing that other memories name."), "muted")]
    links = list(_all(near))
    parts: list[list[Run]] = []
    if any(link.edge.held for link in links):
        parts.append([(Safe(f"{glyphs.states['held']} "), "held"), (_("held: no search walks it"), "muted")])
    if any(link.edge.trust < MUCH for link in links):
        parts.append([(say("{mark} trust below {n}", mark=glyphs.tree[1].strip(), n=MUCH), "muted")])
    if is_past:
        parts.append([(_("The links are those of now."), "muted")])
    if on and any(link.to is not None for link in links):
        parts.append([(Safe(f"{on} "), "key"), (_("on from a name"), "muted")])
    is_wide = sum(map(runs_width, parts)) + len(GAP) * (len(parts) - 1) > cells
    gap: Run = (Safe("\n") if is_wide else GAP, "")
    return [run for place, part in enumerate(parts) for run in ([gap, *part] if place else part)]


def link_columns(width: int, _glyphs: GlyphSet) -> Sequence[Column[LinkRow]]:
    """The tree, and the trust of each link, in so many cells."""
    room = max(1, width - TRUST - 1)
    return [
        Column(Safe(""), 8, lambda row: _tree_runs(row, room), flex=1),
        Column(Safe(""), TRUST, _trust_runs, right=True),
    ]


def _tree_runs(row: LinkRow, room: int) -> list[Run]:
    """Branch and words; the mark of the memory itself is never cut off."""
    said: list[Run] = [(row.branch, "line"), *row.said]
    if not row.is_this:
        return said
    mark: Run = (Safe(f"  {_('(this)')}"), "key")
    return [*fit_runs(said, min(runs_width(said), max(1, room - runs_width([mark])))), mark]


def _trust_runs(row: LinkRow) -> list[Run]:
    if row.edge is None:
        return []
    return [(Safe(f"{row.edge.trust:.1f}"), "" if row.edge.trust >= MUCH else "muted")]


def _all(near: Near) -> Iterator[Link]:
    for link in near.links:
        yield link
        if link.to is not None:
            yield from _all(link.to)


def _branches(near: Near, indent: str, memory_id: str, glyphs: GlyphSet) -> Iterator[LinkRow]:
    much, little, last_much, last_little, beside = glyphs.tree
    for place, link in enumerate(near.links):
        is_last = place == len(near.links) - 1 and not near.more
        is_much = link.edge.trust >= MUCH
        branch = (last_much if is_much else last_little) if is_last else (much if is_much else little)
        name = None if link.to is None else link.to.name
        said = tuple(link_runs(link, glyphs))
        yield LinkRow(link.edge, name, Safe(indent + branch), said, link.edge.memory_id == memory_id)
        if link.to is not None:
            yield from _branches(link.to, indent + (" " * len(beside) if is_last else beside), memory_id, glyphs)
    if near.more:
        more: Run = (more_words(near), "held" if near.more_held else "muted")
        yield LinkRow(None, near.name, Safe(indent + last_little), (more,))


def more_words(near: Near) -> Safe:
    """``5 more links, 2 of them held``: what a neighbourhood leaves out at a name."""
    more = counted("{n} more link", "{n} more links", near.more)
    return say("{more}, {n} of them held", more=more, n=f"{near.more_held:,}") if near.more_held else more


def link_runs(link: Link, glyphs: GlyphSet) -> list[Run]:
    """``city > Taipei``, or the other way round; what is held has its sign."""
    edge = link.edge
    role = "held" if edge.held else ""
    parts: list[Run] = [(Safe(f"{glyphs.states['held']} "), "held")] if edge.held else []
    if not link.to_object:
        parts.append((Safe("< "), "muted"))
    parts += runs((edge.predicate or "")[:NAMED], role or "muted")
    if link.to is not None:
        parts.append((Safe(" > " if link.to_object else " "), "muted"))
        parts += runs(link.to.name[:NAMED], role)
    return parts
