"""What the room shows of what is held, beside what was read since. It must not know a widget, nor read anything."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from memstation.domain.holding import HOLD_SECONDS
from memstation.read.review_rows import HeldRow
from memstation.station.render.held_groups import BLOCKED, Entries, Entry, Grouping, Head, entries, replaced, without

_NEVER = datetime.max.replace(tzinfo=UTC)


def order_of(row: HeldRow) -> tuple[float, datetime, int]:
    """The order of the queue: weakest trust, soonest deadline, first told."""
    return row.trust, row.deadline or _NEVER, row.n


def _is_ours(fate: HeldRow, shown: HeldRow, own: Collection[int]) -> bool:
    """Whether a memory left the queue by a decision of ours, or by taking back the one that brought it there."""
    return fate.decided_seq is not None and (fate.decided_seq in own or fate.decided_seq < shown.version)


@dataclass
class Queue:
    """Rows by id, in the order in which they were shown: nothing comes or goes under the cursor by itself."""

    rows: dict[str, HeldRow] = field(default_factory=dict)
    lapsed: list[HeldRow] = field(default_factory=list)
    lapsed_count: int = 0
    fates: dict[str, HeldRow] = field(default_factory=dict)
    """Shown rows that somebody else decided, as they are now."""
    fresh: int = 0
    """How many came in that are not shown."""
    skipped: set[str] = field(default_factory=set)
    marks: set[str] = field(default_factory=set)
    opened: dict[Hashable, bool] = field(default_factory=dict)
    grouping: Grouping = "source"
    matches: Callable[[HeldRow], bool] | None = None
    """The filter; None shows everything."""
    mine: set[str] = field(default_factory=set)
    """Decided from here: taken back, they are shown at once."""

    # -- what is shown ------------------------------------------------------------------------------------------

    def shown(self) -> list[HeldRow]:
        """The rows that the filter lets through."""
        return [row for row in self.rows.values() if self.matches is None or self.matches(row)]

    def listed(self) -> Entries:
        """The entries of the list."""
        return Entries(self._entries(self.shown()))

    def _entries(self, rows: Sequence[HeldRow]) -> list[Entry]:
        lapsed = [row for row in self.lapsed if self.matches is None or self.matches(row)]
        count = self.lapsed_count if self.matches is None or not self.lapsed else len(lapsed)
        return entries(rows, self.grouping, opened=self.opened, skipped=self.skipped, lapsed=lapsed,
                       lapsed_count=count)  # fmt: skip

    def is_open(self, row: HeldRow) -> bool:
        """Whether a row still waits for a verdict."""
        return row.id in self.rows and row.id not in self.fates

    def is_undecided(self, row: HeldRow) -> bool:
        """Whether a row waits, and was not skipped."""
        return self.is_open(row) and row.id not in self.skipped

    def of(self, head: Head) -> list[HeldRow]:
        """The rows of a group that still wait."""
        return [row for row in head.rows if self.is_open(row)]

    def marked(self) -> list[HeldRow]:
        """The marked rows that still wait, also those outside the filter."""
        if not self.marks:
            return []
        return [row for row in self.rows.values() if row.id in self.marks and self.is_open(row)]

    def outside(self, rows: Iterable[HeldRow]) -> int:
        """How many of these rows the filter hides."""
        return 0 if self.matches is None else sum(not self.matches(row) for row in rows)

    def waiting(self, now: datetime) -> tuple[int, int, int]:
        """(Shown rows that wait, their sources, those that run out before the day ends), blocked sources left out."""
        midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        fates, count, due = self.fates, 0, 0
        sources: set[str | None] = set()
        for row in self.shown():
            if row.reason != BLOCKED and row.id not in fates:
                count += 1
                sources.add(row.origin)
                due += row.deadline is not None and row.deadline < midnight
        return count, len(sources), due

    # -- what was read ------------------------------------------------------------------------------------------

    def take(self, rows: Sequence[HeldRow]) -> None:
        """Show what was read, and nothing else."""
        self.rows = {row.id: row for row in rows}
        self.fates, self.fresh = {}, 0
        self.skipped &= self.rows.keys()
        self.marks &= self.rows.keys()
        self.mine -= self.rows.keys()

    def compare(self, rows: Sequence[HeldRow], now: Mapping[str, HeldRow], own: Collection[int]) -> None:
        """What was read beside what is shown: rows keep their places, new ones wait, decided ones say so.

        Args:
            rows: what waits now.
            now: shown rows that do not wait any more, as they are, as far as that is known.
            own: decisions that were taken here, which need not be told.
        """
        read = {row.id: row for row in rows}
        for id_, shown in list(self.rows.items()):
            if id_ in read:
                self.rows[id_] = read[id_]
                self.fates.pop(id_, None)
            elif (fate := now.get(id_)) is not None and _is_ours(fate, shown, own):
                del self.rows[id_]
                self.mine.add(id_)
            else:
                self.fates[id_] = fate or self.fates.get(id_) or replace(shown, status="withdrawn")
        back = [row for row in rows if row.id in self.mine and row.id not in self.rows]
        if back:
            ordered = list(self.rows.values())
            for row in back:
                insort(ordered, row, key=order_of)
            self.rows = {row.id: row for row in ordered}
            self.mine -= self.rows.keys()
        self.fresh = sum(id_ not in self.rows for id_ in read)
        self.marks &= self.rows.keys()

    def decided(self, ids: Iterable[str], listed: Entries) -> Entries:
        """These were decided here; they go, and with them what was decided elsewhere. Returns the list without them."""
        gone = set(ids)
        self.mine |= gone
        all_gone = gone | self.fates.keys()
        for id_ in all_gone:
            self.rows.pop(id_, None)
        self.lapsed = [row for row in self.lapsed if row.id not in gone]
        self.fates = {}
        self.skipped -= gone
        self.marks &= self.rows.keys()
        return Entries(without(listed.all, all_gone))

    def skip(self, ids: set[str], listed: Entries) -> Entries:
        """These go to the end, or back to their places when all were skipped. Returns the list as it is then."""
        self.marks -= ids
        if ids <= self.skipped:
            self.skipped -= ids
            return self.listed()
        self.skipped |= ids
        waiting = without([entry for entry in listed.all if entry.lane == "waiting"], ids)
        aside = [row for row in self.shown() if row.id in self.skipped or row.reason == BLOCKED]
        return Entries([*waiting, *self._entries(aside)])

    def extended(self, ids: Iterable[str], now: datetime, listed: Entries) -> Entries:
        """These were given a day more. Returns the list with them in their places."""
        changed: dict[str, HeldRow] = {}
        for row in [self.rows[id_] for id_ in ids if id_ in self.rows]:
            if row.deadline is not None:
                deadline = max(row.deadline, now) + timedelta(seconds=HOLD_SECONDS)
                changed[row.id] = replace(row, deadline=deadline)
        self.rows |= changed
        return Entries(replaced(listed.all, changed))

    def came_back(self, rows: Iterable[HeldRow]) -> None:
        """These ran out and were brought back here: they are shown when the queue is read again."""
        ids = {row.id for row in rows}
        self.mine |= ids
        self.lapsed = [row for row in self.lapsed if row.id not in ids]
        self.lapsed_count = max(0, self.lapsed_count - len(ids))
