"""How subject and predicate share a list's width with what they say. It must not import textual, nor know the rows."""

from __future__ import annotations

from collections.abc import Sequence

ABOUT, SAYS = (6, 20), (8, 20)
"""Least and most cells of subject and predicate."""


def shares(said: int, needed: Sequence[tuple[int, int]], rest: int) -> tuple[int, int]:
    """Cells of subject and predicate: what all rows need, or nine of ten, as long as `rest` cells are left.

    Args:
        said: cells for all of it, with one blank after subject and predicate each.
        needed: cells that subject and predicate of each row need.
        rest: the least that is left for what is said.
    """
    subjects, predicates = sorted(need for need, _ in needed), sorted(need for _, need in needed)
    about, says = _within(subjects[-1:], *ABOUT), _within(predicates[-1:], *SAYS)
    if about + says + 2 + rest <= said:
        return about, says
    tenth = len(needed) * 9 // 10
    about, says = _within(subjects[tenth : tenth + 1], *ABOUT), _within(predicates[tenth : tenth + 1], *SAYS)
    while about + says + 2 + rest > said and (about > ABOUT[0] or says > SAYS[0]):
        if about > ABOUT[0]:
            about -= 1
        else:
            says -= 1
    return about, says


def _within(needed: Sequence[int], least: int, most: int) -> int:
    return min(most, max(least, *needed)) if needed else least
