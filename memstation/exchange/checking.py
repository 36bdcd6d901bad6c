"""The first reading of what is to be restored: all of it is judged before anything is written. It must not write."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Protocol

from memstation.domain.decisions import Claim, End, Mark, Order
from memstation.domain.errors import InvalidInput, MemstationError, Refused
from memstation.exchange.jsonlines import Told
from memstation.exchange.overflow import Digests
from memstation.exchange.report import Progress
from memstation.exchange.stored import Known, known
from memstation.store.ledger import Ledger
from memstation.store.lines import batches
from memstation.store.rules import key_of

BATCH = 500

_NOT_TOLD = {"access_count", "last_accessed", "embedding", "embedding_model"}
_TOLD_FIELDS = {kind: tuple(item.name for item in fields(kind) if item.name not in _NOT_TOLD) for kind in (Claim, End)}


class Source(Protocol):
    """Where statements come from. They are read twice."""

    @property
    def name(self) -> str:
        """The file's name."""

    @property
    def repaired(self) -> int:
        """Statements whose text was repaired, in the last reading."""

    def statements(self) -> Iterator[tuple[str, Told]]:
        """Each statement with its place, such as ``line 12``; refuses what cannot be taken."""

    def left_out(self) -> tuple[tuple[str, int], ...]:
        """What the file has and cannot be carried, after a reading."""


@dataclass(slots=True)
class Checked:
    """What the first reading found. Claims and ends are kept as digests, marks and orders as they are."""

    total: int = 0
    digests: Digests = field(default_factory=Digests)
    """By the digest of its id, the digest of what the file tells about it."""
    repeats: set[int] = field(default_factory=set)
    """Places, counted from 0, of claims and ends that the file tells a second time in the same words."""
    marks: dict[str, list[Mark]] = field(default_factory=lambda: defaultdict(list))
    places: dict[str, str] = field(default_factory=dict)
    """Where in the file each marked id was first named."""
    orders: list[Order] = field(default_factory=list)
    stopped: bool = False

    def has(self, memory_id: str) -> bool:
        """Whether the file tells this memory."""
        return self.digests.has(_digest(memory_id))


def check(ledger: Ledger, source: Source, progress: Progress | None = None) -> Checked:
    """Read everything once and refuse what cannot be restored.

    Raises:
        InvalidInput: a statement is ill-formed, an id is told twice with other content, or a mark names nothing.
        Refused: the store has an id with other content.
    """
    found = Checked()
    for batch in batches(enumerate(source.statements()), BATCH):
        rows: list[tuple[str, Claim | End]] = []
        for at, (place, told) in batch:
            found.total += 1
            match told:
                case Claim() | End():
                    if _is_new(found, at, place, told):
                        rows.append((place, told))
                case Mark():
                    found.marks[told.id].append(told)
                    found.places.setdefault(told.id, place)
                case Order():
                    _check_order(place, told)
                    found.orders.append(told)
        with ledger.looking() as looking:
            _check_known(known(looking.cursor, [told.id for _, told in rows]), rows)
        if progress is not None and not progress(found.total, 0):
            found.stopped = True
            return found
    _check_marks(ledger, found)
    return found


def _is_new(found: Checked, at: int, place: str, told: Claim | End) -> bool:
    key, digest = _digest(told.id), _digest(repr(told))
    before = found.digests.kept(key, digest)
    if before is None:
        return True
    if before != digest:
        raise InvalidInput(
            "{place}: the id is told twice", "{id!r} stands before it with other content", place=_at(place), id=told.id
        )
    found.repeats.add(at)
    return False


def _check_order(place: str, order: Order) -> None:
    try:
        key_of(order)
    except MemstationError as error:
        raise InvalidInput(
            "{place}: {title}",
            "{detail}",
            "{hint}",
            place=_at(place),
            title=uncapped(error.title),
            detail=error.detail,
            hint=error.hint,
        ) from error


def _check_known(stored: dict[str, Known], rows: list[tuple[str, Claim | End]]) -> None:
    for place, told in rows:
        if told.id in stored and (differs := difference(told, stored[told.id].told)):
            raise Refused(
                "{place}: the store has this id with other content",
                "{id!r} differs in {fields}",
                "nothing was written; restore into a new store, or take the line out",
                place=_at(place),
                id=told.id,
                fields=differs,
            )


def _check_marks(ledger: Ledger, found: Checked) -> None:
    for batch in batches([memory_id for memory_id in found.marks if not found.has(memory_id)], BATCH):
        with ledger.looking() as looking:
            stored = known(looking.cursor, batch)
        for memory_id in batch:
            if memory_id not in stored:
                raise InvalidInput(
                    "{place}: a mark names no memory",
                    "{id!r} is neither in the file nor in the store",
                    place=_at(found.places[memory_id]),
                    id=memory_id,
                )


def difference(told: Claim | End, stored: Claim | End) -> str:
    """Names of the fields in which a statement differs from the one in the store; empty when it is the same.

    A time that the file does not tell is the time of telling, and so agrees with any.
    """
    if type(told) is not type(stored):
        return "kind"
    names = []
    for name in _TOLD_FIELDS[type(told)]:
        mine = getattr(told, name)
        if mine is None and isinstance(told, Claim) and name in ("timestamp", "created_at"):
            mine = told.timestamp or told.ingested_at
        if mine is None and name in ("asserted_from", "ingested_at", "timestamp", "created_at"):
            continue
        if mine != getattr(stored, name):
            names.append(name)
    return ", ".join(names)


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _at(place: str) -> str:
    return place[0].upper() + place[1:]


def uncapped(title: str) -> str:
    """A title to stand within a sentence."""
    return title[:1].lower() + title[1:]
