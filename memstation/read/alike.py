"""Which of many names look almost alike: one letter apart, other script, other signs. Pure; no quadratic comparing.

Names are reduced to a skeleton (no invisible characters, no punctuation, simplified characters); equal skeletons
look alike. One letter apart is found through neighbours: two texts that one insertion, deletion, exchange or swap
tells apart share a text that lacks one letter of each (the idea of SymSpell, Garbe 2012).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise

from memstation.domain.names import fold_name, visible
from memstation.read.conflict_rows import Likeness
from memstation.store.han import simplified
from memstation.store.scripts import CJK

LEAST = 5
"""Letters that a name needs before one of them may be a slip: a sign of Chinese, Japanese or Korean counts for two."""
LEAST_ALIKE = 3
"""Letters that a name of plain letters needs before signs may be a slip: c, c++ and c# are three languages."""
MOST_LETTERS = 64
"""Longer names are only compared by their skeletons."""
SERIES = 3
"""Other names that a name differs from by a letter: so many make a series, not slips of one another."""
MOST_NEAR = 60
"""Words that share a neighbour and are compared with each other."""
MOST = 200_000
"""Names that are compared letter by letter."""

_DENSE = re.compile(f"[{CJK}]+")
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


def alike(names: Iterable[str]) -> list[Pair]:
    """Pairs of folded names that look almost alike, each once, the lesser name first.

    Digits are no slip: ``room 101`` and ``room 102`` are two rooms. Nor is a series (``mirabel``, ``mirabem``, ..).
    """
    by_skeleton: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        bone = skeleton(name)
        if bone and (len(bone) >= LEAST_ALIKE or not name.isascii()):
            by_skeleton[bone].append(name)
    found: list[Pair] = []
    for same in by_skeleton.values():
        if len(same) > 1:
            same.sort()
            found += [(first, second, likeness(first, second)) for first, second in pairwise(same)]
    for one, other in _slips(by_skeleton):
        first, second = sorted((by_skeleton[one][0], by_skeleton[other][0]))
        found.append((first, second, "letter"))
    return found


def _slips(by_skeleton: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """Pairs of skeletons that one letter tells apart, but for series of them.

    Two such names differ in one word, so words are compared and not names: there are far fewer.
    """
    spelled: dict[tuple[str, ...], str] = {}
    for bone, names in by_skeleton.items():
        if _size(bone) >= LEAST and len(spelled) < MOST:
            spelled.update((tuple(map(skeleton, name.split())), bone) for name in names)
    near = _near_words({word for words in spelled for word in words})
    pairs: set[tuple[str, str]] = set()
    for words, bone in spelled.items():
        for place, word in enumerate(words):
            for other in near.get(word, ()):
                twin = spelled.get((*words[:place], other, *words[place + 1 :]))
                # 以色列 and 以色列鎊 are two things: of so few signs one more is a word, and no slip.
                if twin is not None and twin > bone and (len(bone) == len(twin) or min(len(bone), len(twin)) >= LEAST):
                    pairs.add((bone, twin))
    times = Counter(bone for pair in pairs for bone in pair)
    return sorted(pair for pair in pairs if all(times[bone] < SERIES for bone in pair))


def _size(bone: str) -> int:
    """How many letters a skeleton counts for: a name of three syllables is as long as one of five letters."""
    return len(bone) if bone.isascii() else len(bone) + sum(map(len, _DENSE.findall(bone)))


def _near_words(words: Iterable[str]) -> dict[str, list[str]]:
    """By word: those that a slip tells apart from it."""
    owners: dict[int, str] = {}
    shared: defaultdict[int, list[str]] = defaultdict(list)
    for word in words:
        if not 1 < len(word) <= MOST_LETTERS:
            continue
        for neighbour in _neighbours(word):
            first = owners.setdefault(neighbour, word)
            if first is not word:
                shared[neighbour].append(word)
    near: defaultdict[str, set[str]] = defaultdict(set)
    for neighbour, others in shared.items():
        together = [owners[neighbour], *others][:MOST_NEAR]
        for one, other in combinations(together, 2):
            if is_a_slip(one, other):
                near[one].add(other)
                near[other].add(one)
    return {word: sorted(others) for word, others in near.items()}


def _neighbours(word: str) -> set[int]:
    """The word itself and all that lack one letter of it, as numbers; digits stay."""
    found = {hash(word[:place] + word[place + 1 :]) for place, char in enumerate(word) if not char.isdigit()}
    found.add(hash(word))
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
