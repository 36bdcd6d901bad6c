"""Which of many names look almost alike: one letter apart, other script, other signs. Pure; no quadratic comparing.

Names are reduced to a skeleton (no invisible characters, no punctuation, simplified characters); equal skeletons
look alike. One letter apart is found through neighbours: two texts that one insertion, deletion, exchange or swap
tells apart share a text that lacks one letter of each (the idea of SymSpell, Garbe 2012).
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from memstation.domain.names import fold_name, visible
from memstation.read.conflict_rows import Likeness
from memstation.store.han import simplified

LEAST = 5
"""Letters that a name needs before one of them may be a slip."""
LEAST_ALIKE = 3
"""Letters that a name of plain letters needs before signs may be a slip: c, c++ and c# are three languages."""
MOST_LETTERS = 64
"""Longer names are only compared by their skeletons."""
SERIES = 4
"""Names that all differ in one place are a series (team a, team b, ..), not slips of one another."""
MOST = 200_000
"""Names that are compared letter by letter."""

_ASCII_SIGNS = re.compile(r"(?<![0-9])[^0-9A-Za-z]+|[^0-9A-Za-z]+(?![0-9])")

Pair = tuple[str, str, Likeness]


def skeleton(name: str) -> str:
    """A folded name without what a slip of the hand or another keyboard changes; a sign between digits stays."""
    if name.isascii():
        return _ASCII_SIGNS.sub("", name)
    plain = simplified(fold_name(visible(name)))
    return "".join(
        char
        for before, char, after in zip(" " + plain, plain, plain[1:] + " ", strict=False)
        if unicodedata.category(char)[0] not in "PZCS" or (before.isdigit() and after.isdigit())
    )


def likeness(one: str, other: str) -> Likeness:
    """How two folded names with the same skeleton differ."""
    if fold_name(visible(one)) == fold_name(visible(other)):
        return "hidden"
    return "script" if simplified(one) == simplified(other) else "signs"


def alike(names: Iterable[str]) -> Iterator[Pair]:
    """Pairs of folded names that look almost alike, each once, the lesser name first.

    Digits are no slip: ``room 101`` and ``room 102`` are two rooms. A series counts as none.
    """
    by_skeleton: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        bone = skeleton(name)
        if bone and (len(bone) >= LEAST_ALIKE or not name.isascii()):
            by_skeleton[bone].append(name)
    for same in by_skeleton.values():
        same.sort()
        for first, second in pairwise(same):
            yield first, second, likeness(first, second)
    for one, other in _a_letter_apart([bone for bone in by_skeleton if LEAST <= len(bone) <= MOST_LETTERS][:MOST]):
        first, second = sorted((by_skeleton[one][0], by_skeleton[other][0]))
        yield first, second, "letter"


def _a_letter_apart(bones: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pairs of texts that one edit tells apart, none of its letters a digit."""
    owners: dict[int, int] = {}
    more: defaultdict[int, list[int]] = defaultdict(list)
    for place, bone in enumerate(bones):
        for neighbour in _neighbours(bone):
            first = owners.setdefault(neighbour, place)
            if first != place:
                more[neighbour].append(place)
    found: set[tuple[int, int]] = set()
    for neighbour, places in more.items():
        together = [owners[neighbour], *dict.fromkeys(places)]
        if len(together) < SERIES:
            found.update((together[i], later) for i in range(len(together) - 1) for later in together[i + 1 :])
    yield from sorted((bones[i], bones[j]) for i, j in found if is_a_slip(bones[i], bones[j]))


def _neighbours(bone: str) -> set[int]:
    """The text itself and all that lack one letter of it, as numbers; digits stay."""
    found = {hash(bone)}
    if bone.isalpha():
        found.update([hash(bone[:place] + bone[place + 1 :]) for place in range(len(bone))])
    else:
        found.update([hash(bone[:place] + bone[place + 1 :]) for place, char in enumerate(bone) if not char.isdigit()])
    return found


def is_a_slip(one: str, other: str) -> bool:
    """Whether one letter was put in, left out, exchanged, or swapped with the next; none of them a digit."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    short, long = sorted((one, other), key=len)
    at = next((place for place, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) < len(long):
        return short[at:] == long[at + 1 :] and not long[at].isdigit()
    if short[at + 1 :] == long[at + 1 :]:
        return not (short[at].isdigit() or long[at].isdigit())
    swapped = short[at : at + 2] == long[at : at + 2][::-1] and short[at + 2 :] == long[at + 2 :]
    return swapped and not any(char.isdigit() for char in short[at : at + 2])
