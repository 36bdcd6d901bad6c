"""Names that are easily taken for one another. It must not know what they name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

from memstation.domain.names import fold_name, visible

MOST_NEAR = 3
_ALIKE = 0.88
"""How much of two names must agree, 0 to 1."""
_LONGER = 3
"""Characters by which one may be longer than the other."""


def near_named(name: str, others: Iterable[str], most: int = MOST_NEAR) -> tuple[str, ...]:
    """Other names that look nearly like this one, the nearest first: another case, invisible characters, a letter."""
    looks = fold_name(visible(name))
    found: list[tuple[float, str]] = []
    for other in others:
        if other == name or abs(len(other) - len(name)) > _LONGER:
            continue
        alike = SequenceMatcher(None, looks, fold_name(visible(other)))
        if alike.quick_ratio() >= _ALIKE and (ratio := alike.ratio()) >= _ALIKE:
            found.append((-ratio, other))
    return tuple(other for _ratio, other in sorted(found)[:most])
