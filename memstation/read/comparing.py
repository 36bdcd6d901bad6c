"""Facts at two moments, side by side: which belief answers which, and whether they differ. It never writes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memstation.domain.instants import to_text
from memstation.read.querying import quick
from memstation.read.rows import DifferenceKind, PastMoment
from memstation.read.touched import COVERS
from memstation.read.walking import Held, Layouts
from memstation.store.database import Snapshot
from memstation.store.lines import batches, holes

FACTS_AT_ONCE = 500
"""Facts that are laid out together: what was told of more of them is not kept in memory."""

_STORED = f"""SELECT fact_key, n, object_key, value_digest, origin_trust, valid_from, line_key <> fact_key
    FROM memories INDEXED BY memories_fact WHERE fact_key IN ({{}}) AND role = 'fact' AND {COVERS}"""


@dataclass(frozen=True, slots=True)
class Side:
    """A belief as it is compared."""

    n: int
    object_key: bytes
    value: bytes
    trust: float
    start: str
    """Stored text of its window's start."""
    is_many: bool
    """Whether the predicate held many values."""
    held: Held | None = None
    """How it was laid out; None for one that is read as it is stored."""

    def says_as(self, other: Side) -> bool:
        """Whether both say the same with the same trust."""
        return self.value == other.value and self.trust == other.trust


@dataclass(frozen=True, slots=True)
class Pair:
    """What is believed of one fact, or of one object where many values hold, at two moments; never two Nones."""

    fact: bytes
    object_key: bytes | None
    """Set where the predicate holds many values at either moment."""
    then: Side | None
    now: Side | None

    @property
    def kind(self) -> DifferenceKind:
        """How the two differ."""
        if self.then is None:
            return "new"
        if self.now is None:
            return "gone"
        return "same" if self.then.says_as(self.now) else "changed"

    @property
    def shown(self) -> Side:
        """The belief by which the pair is known and ordered: that of the later moment, where there is one."""
        side = self.now if self.now is not None else self.then
        assert side is not None
        return side

    @property
    def key(self) -> str:
        """See `rows.PastRow.key`."""
        return key_text(self.fact, self.object_key)


def key_text(fact: bytes, object_key: bytes | None) -> str:
    """The key of a row: the fact's in hex, then its object's."""
    return fact.hex() if object_key is None else f"{fact.hex()}:{object_key.hex()}"


def fact_of(key: str) -> bytes | None:
    """The fact that a row's key names; None when it is none."""
    try:
        return bytes.fromhex(key.split(":")[0]) or None
    except ValueError:
        return None


def walked(layouts: Layouts, facts: Iterable[bytes], then: PastMoment, now: PastMoment) -> Iterator[Pair]:
    """The pairs of facts that are laid out anew at both moments."""
    for fact in facts:
        yield from _pairs(fact, *(_then(layouts, fact, moment) for moment in (then, now)))


def _then(layouts: Layouts, fact: bytes, moment: PastMoment) -> list[Side]:
    many = layouts.is_many(fact, moment.seq)
    sides = []
    for held in layouts.holding(fact, moment.seq, to_text(moment.at)):
        row = held.shown
        side = Side(row.n, row.object_key, row.value_digest, held.trust, held.segment.start, many, held)
        sides.append(side)
    return sides


def compared(
    conn: Snapshot, facts: Sequence[bytes], then: PastMoment, now: PastMoment, *, stored: bool
) -> Iterator[Pair]:
    """The pairs of facts, read as they are stored at both moments, or laid out anew at both."""
    for batch in batches(facts, FACTS_AT_ONCE):
        if stored:
            sides = [_stored(conn, batch, to_text(moment.at)) for moment in (then, now)]
            for fact in batch:
                yield from _pairs(fact, *(found.get(fact, []) for found in sides))
        else:
            yield from walked(Layouts(conn, batch, now.seq), batch, then, now)


def _stored(conn: Snapshot, facts: Sequence[bytes], at: str) -> dict[bytes, list[Side]]:
    found: dict[bytes, list[Side]] = defaultdict(list)
    for fact, n, object_key, value, trust, start, many in quick(conn, _STORED.format(holes(facts)), (*facts, at, at)):
        found[fact].append(Side(n, object_key, value, trust, start, bool(many)))
    return found


def _pairs(fact: bytes, then: list[Side], now: list[Side]) -> Iterator[Pair]:
    if not any(side.is_many for side in (*then, *now)):
        # One value at most at either moment.
        if then or now:
            yield Pair(fact, None, then[0] if then else None, now[0] if now else None)
        return
    before, after = ({side.object_key: side for side in sides} for sides in (then, now))
    for object_key in before.keys() | after.keys():
        yield Pair(fact, object_key, before.get(object_key), after.get(object_key))
