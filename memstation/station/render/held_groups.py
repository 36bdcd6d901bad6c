"""What is held, in groups and lanes, as the entries of a list. Pure; it must not import textual, nor drop a row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal, TypeAlias, TypeVar

from memstation.read.review_rows import HeldRow
from memstation.read.rows import PAGE

Grouping: TypeAlias = Literal["source", "subject", "time"]
GROUPINGS: tuple[Grouping, ...] = ("source", "subject", "time")
Lane: TypeAlias = Literal["waiting", "skipped", "blocked", "lapsed"]

FOLDED_FROM = 21
"""A group of so many is folded until it is opened."""
FLOOD = 20
"""A source with more groups (or, without groups, more memories) than this takes turns with the others."""
BLOCKED = "blocked_origin"

_NEVER = datetime.max.replace(tzinfo=UTC)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Head:
    """The first line of a group, or of a lane."""

    key: Hashable
    lane: Lane
    rows: tuple[HeldRow, ...]
    count: int
    """How many it stands for; more than its rows where they are not read yet."""
    is_open: bool


@dataclass(frozen=True, slots=True)
class Item:
    """One held memory. `group` is the key of its head, None where it stands alone."""

    row: HeldRow
    lane: Lane
    group: Hashable | None


Entry: TypeAlias = Head | Item


def key_of(entry: Entry) -> Hashable:
    """What tells an entry from all others, also after the list was read again."""
    return ("head", entry.key) if isinstance(entry, Head) else entry.row.id


def entries(
    rows: Iterable[HeldRow],
    grouping: Grouping = "source",
    *,
    opened: Mapping[Hashable, bool] | None = None,
    skipped: Collection[str] = (),
    lapsed: Sequence[HeldRow] = (),
    lapsed_count: int = 0,
) -> list[Entry]:
    """The list of the room: groups, the weakest trust first; then what was skipped, blocked sources, what ran out.

    Args:
        rows: what waits, in the order of the queue: weakest trust, soonest deadline, first told.
        grouping: ``source`` is by source, subject and reason; ``subject`` by agent and subject; ``time`` has no groups.
        opened: by key of a head, whether the operator opened or folded it.
        skipped: ids that go to the end.
        lapsed: what ran out undecided, as far as it was read.
        lapsed_count: how many ran out.
    """
    lanes: dict[Lane, list[HeldRow]] = {"waiting": [], "skipped": [], "blocked": []}
    for row in rows:
        lane: Lane = "skipped" if row.id in skipped else "blocked" if row.reason == BLOCKED else "waiting"
        lanes[lane].append(row)
    folds = opened or {}
    listed: list[Entry] = []
    if grouping == "time":
        listed += [Item(row, "waiting", None) for row in in_turn(sorted(lanes["waiting"], key=_by_time), _source)]
    else:
        for key, group in _groups(lanes["waiting"], grouping):
            if len(group) == 1:
                listed.append(Item(group[0], "waiting", None))
            else:
                listed += _listed(key, "waiting", group, len(group), folds, len(group) < FOLDED_FROM)
    if lanes["skipped"]:
        listed += _listed("skipped", "skipped", lanes["skipped"], len(lanes["skipped"]), folds, True)
    if lanes["blocked"]:
        listed += _listed("blocked", "blocked", lanes["blocked"], len(lanes["blocked"]), folds, False)
    if lapsed_count:
        listed += _listed("lapsed", "lapsed", lapsed, lapsed_count, folds, False)
    return listed


def _listed(
    key: Hashable, lane: Lane, rows: Sequence[HeldRow], count: int, folds: Mapping[Hashable, bool], is_open: bool
) -> list[Entry]:  # fmt: skip
    """A head and what is under it."""
    is_open = folds.get(key, is_open)
    under: list[Entry] = [Item(row, lane, key) for row in rows] if is_open else []
    return [Head(key, lane, tuple(rows), count, is_open), *under]


def without(listed: Sequence[Entry], gone: Collection[str]) -> list[Entry]:
    """The list without some memories, each other one where it was: what a verdict leaves, in a fraction of the time."""
    left: list[Entry] = []
    alone: set[Hashable] = set()
    for entry in listed:
        if isinstance(entry, Item):
            if entry.row.id not in gone:
                left.append(Item(entry.row, entry.lane, None) if entry.group in alone else entry)
        elif not any(row.id in gone for row in entry.rows):
            left.append(entry)
        elif rows := tuple(row for row in entry.rows if row.id not in gone):
            count = entry.count - len(entry.rows) + len(rows)
            if entry.lane == "waiting" and count == 1:
                alone.add(entry.key)
                left += [] if entry.is_open else [Item(rows[0], "waiting", None)]
            else:
                left.append(Head(entry.key, entry.lane, rows, count, entry.is_open))
    return left


def replaced(listed: Sequence[Entry], rows: Mapping[str, HeldRow]) -> list[Entry]:
    """The list with other rows, by id, in the same places."""

    def of(entry: Entry) -> Entry:
        if isinstance(entry, Item):
            return replace(entry, row=rows[entry.row.id]) if entry.row.id in rows else entry
        if any(row.id in rows for row in entry.rows):
            return replace(entry, rows=tuple(rows.get(row.id, row) for row in entry.rows))
        return entry

    return [of(entry) for entry in listed]


def group_key(row: HeldRow, grouping: Grouping) -> Hashable:
    """The group of a row."""
    if grouping == "source":
        return row.origin, row.agent_id, row.subject, row.reason
    return row.agent_id, row.subject


def _groups(rows: Iterable[HeldRow], grouping: Grouping) -> list[tuple[Hashable, list[HeldRow]]]:
    found: defaultdict[Hashable, list[HeldRow]] = defaultdict(list)
    for row in rows:
        found[group_key(row, grouping)].append(row)
    groups = sorted(found.items(), key=lambda group: _by_trust(group[1]))
    return in_turn(groups, lambda group: group[1][0].origin)


def in_turn(items: Sequence[T], source: Callable[[T], Hashable]) -> list[T]:
    """The items in their order; when one source has very many of them, one of each source after the other."""
    turns: list[list[T]] = []
    counts: dict[Hashable, int] = {}
    for item in items:
        name = source(item)
        turn = counts[name] = counts.get(name, -1) + 1
        if turn == len(turns):
            turns.append([])
        turns[turn].append(item)
    if len(turns) <= FLOOD:
        return list(items)
    return [item for turn in turns for item in turn]


def _source(row: HeldRow) -> Hashable:
    return row.origin


def _by_time(row: HeldRow) -> tuple[datetime, float, int]:
    return row.deadline or _NEVER, row.trust, row.n


def _by_trust(rows: Sequence[HeldRow]) -> tuple[float, datetime, int]:
    if len(rows) == 1:
        return rows[0].trust, rows[0].deadline or _NEVER, rows[0].n
    return (min(row.trust for row in rows), soonest(rows) or _NEVER, min(row.n for row in rows))


def soonest(rows: Iterable[HeldRow]) -> datetime | None:
    """When the first of them runs out; None where all wait for ever."""
    return min((row.deadline for row in rows if row.deadline is not None), default=None)


@dataclass(frozen=True, slots=True)
class _Anchors:
    count: int
    keys: tuple[Hashable, ...]


class Entries:
    """Entries in the shape of a list's source. Making one looks at the start of each page only."""

    def __init__(self, listed: Sequence[Entry] = ()) -> None:
        self.all = list(listed)
        self._starts = {key_of(entry): place * PAGE for place, entry in enumerate(self.all[::PAGE])}

    def head(self) -> list[Entry]:
        """The first page."""
        return self.all[:PAGE]

    def anchors(self) -> _Anchors:
        """Length and page starts."""
        return _Anchors(len(self.all), tuple(self._starts))

    def page(self, key: Hashable) -> list[Entry]:
        """The page from this key on."""
        place = self._starts[key]
        return self.all[place : place + PAGE]

    def key(self, row: Entry) -> Hashable:
        """The identity of an entry."""
        return key_of(row)

    def index_of(self, key: Hashable) -> int | None:
        """The place of an entry; None when it is not in the list."""
        return next((place for place, entry in enumerate(self.all) if key_of(entry) == key), None)
