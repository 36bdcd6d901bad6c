"""Why a belief differs between two moments: the decision that made it so, or the time that passed. It never writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import TypeAlias

from memstation.domain.instants import from_text, to_text
from memstation.read.comparing import Pair
from memstation.read.rows import PastMoment
from memstation.read.walking import Held, Layouts

MOST_TRIED = 1000
"""Decisions that are tried for a cause, from the newest on; where all of them leave it open, the newest is given."""

_MOST_ROWS = 200_000
"""Rows that are laid out for it at most, so that a fact of very many changes is tried less often."""

Answer: TypeAlias = tuple[tuple[bytes, float], ...]


@dataclass(frozen=True, slots=True)
class Why:
    """The decision that made a difference, or the instant at which it arose by the clock."""

    seq: int | None = None
    since: datetime | None = None


def why(layouts: Layouts, pair: Pair, touching: Sequence[int], then: PastMoment, now: PastMoment) -> Why:
    """Why a pair differs.

    The way from `then` to `now` leads first through world time, with what was believed then, and after that through
    the decisions: the cause is the newest of these before which something else was believed about now. Where there is
    none, time alone made the difference.

    Args:
        layouts: of the pair's fact, up to `now`.
        pair: two beliefs that differ.
        touching: the decisions after `then` that touched the fact, ascending.
        then: the earlier moment.
        now: the later moment.
    """
    said = _Answers(layouts, pair)
    final = said.at(now.seq, to_text(now.at))
    tries = max(1, min(MOST_TRIED, _MOST_ROWS // max(1, len(layouts.rows_of(pair.fact)))))
    for seq in reversed(touching[-tries:]):
        if said.at(seq - 1, to_text(now.at)) != final:
            return Why(seq)
    if len(touching) > tries:
        return Why(touching[-1])
    return Why(None, _boundary(said, final, then, now))


def _boundary(said: _Answers, final: Answer, then: PastMoment, now: PastMoment) -> datetime | None:
    """The instant at which the answer became the final one, with what was believed then."""
    low, high = sorted((to_text(then.at), to_text(now.at)))
    instants = sorted(instant for instant in said.boundaries(then.seq) if low < instant <= high)
    if then.at > now.at:
        for instant in instants:
            if said.at(then.seq, instant) != final:
                return from_text(instant)
        return None
    for earlier, instant in reversed(list(pairwise([low, *instants]))):
        if said.at(then.seq, earlier) != final:
            return from_text(instant)
    return None


class _Answers:
    """What was believed of the fact, or of the object, that a pair is about."""

    def __init__(self, layouts: Layouts, pair: Pair) -> None:
        self._layouts = layouts
        self._fact = pair.fact
        self._object_key = pair.object_key
        self._segments: tuple[int, list[Held]] | None = None

    def _at(self, seq: int) -> list[Held]:
        """Its segments once `seq` was taken; those of one decision are kept."""
        if self._segments is None or self._segments[0] != seq:
            found = [
                held
                for held in self._layouts.segments(self._fact, seq)
                if self._object_key in (None, held.shown.object_key)
            ]
            self._segments = (seq, found)
        return self._segments[1]

    def at(self, seq: int, instant: str) -> Answer:
        """Values with their trust."""
        holding = (held for held in self._at(seq) if held.covers(instant))
        return tuple(sorted((held.shown.value_digest, held.trust) for held in holding))

    def boundaries(self, seq: int) -> set[str]:
        """Starts and ends of its segments."""
        found = {held.segment.start for held in self._at(seq)}
        return found | {held.segment.until for held in self._at(seq) if held.segment.until is not None}
