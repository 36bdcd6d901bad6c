"""The names around a hit as a tree that reads well in a terminal. It must not import textual, nor hide what is held."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memstation.station.render.cells import Run, fit_runs, runs, runs_width
from memstation.station.render.glyphs import GlyphSet
from memstation.station.render.safe import Safe
from memstation.station.words import _, counted, say

if TYPE_CHECKING:
    from memstation.recall.exporting import Link, Near

MUCH = 0.5
"""Trust from which on a branch is drawn in full."""
TRUST = 4
"""Cells of the trust, with a blank before it."""
NAMED = 200
"""Characters of a name that are looked at."""


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


def link_rows(near: Near | None, memory_id: str, glyphs: GlyphSet, cells: int, *, is_past: bool) -> list[list[Run]]:
    """A line for each link, those that lead on from it further in; the one of `memory_id` has its mark."""
    if near is None:
        return [[(_("It names nothing that other memories name."), "muted")]]
    rows = [fit_runs(runs(near.name[:NAMED], "strong"), cells), *_branches(near, "", memory_id, glyphs, cells), []]
    links = list(_all(near))
    if any(link.edge.held for link in links):
        rows.append([(Safe(f"{glyphs.states['held']} "), "held"), (_("held: no search walks it"), "muted")])
    if any(link.edge.trust < MUCH for link in links):
        mark = glyphs.tree[1].strip()
        rows.append([(say("{mark} trust below {n}", mark=mark, n=MUCH), "muted")])
    if is_past:
        rows.append([(_("The links are those of now."), "muted")])
    return rows


def _all(near: Near) -> Iterator[Link]:
    for link in near.links:
        yield link
        if link.to is not None:
            yield from _all(link.to)


def _branches(near: Near, indent: str, memory_id: str, glyphs: GlyphSet, cells: int) -> Iterator[list[Run]]:
    much, little, last_much, last_little, beside = glyphs.tree
    for place, link in enumerate(near.links):
        is_last = place == len(near.links) - 1
        is_much = link.edge.trust >= MUCH
        branch = (last_much if is_much else last_little) if is_last else (much if is_much else little)
        room = max(1, cells - TRUST)
        said: list[Run] = [(Safe(indent + branch), "line"), *link_runs(link, glyphs)]
        if link.edge.memory_id == memory_id:
            mark: Run = (Safe(f"  {_('(this)')}"), "key")
            said = [*fit_runs(said, min(runs_width(said), max(1, room - runs_width([mark])))), mark]
        trust = Safe(f" {link.edge.trust:.1f}")
        yield [*fit_runs(said, room), (trust, "" if is_much else "muted")]
        if link.to is not None:
            yield from _branches(link.to, indent + (" " * len(beside) if is_last else beside), memory_id, glyphs, cells)


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
