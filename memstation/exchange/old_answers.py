"""Which answers of the seed's file are others in a store that was told it. It must not write.

The old answer at an instant is the memory with the latest start among those whose window (``valid_from``, else
``timestamp``, up to but without ``valid_until``) covers it, that are neither quarantined nor were taken out by a purge
or a denial. The old answer for the present is the memory with the latest start whose ``valid_until`` and
``superseded_by`` are empty, whenever it starts: that is what a search of that system gives. Two answers are the same
when their values are.
"""

from __future__ import annotations

import heapq
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from memstation.domain.names import is_blank
from memstation.exchange.duduclaw import WITHDRAWING, time_of
from memstation.exchange.duduclaw_file import Row, SeedFile
from memstation.guard.shape import repaired
from memstation.words import N_

NOW = "now"
"""Stands in `since` for the present of that system."""
_ROWS = 500

OVERLAP = N_("windows overlapped: a later start ends what held before")
NOTHING_RESUMES = N_("nothing resumes after a stated end")
CAME_BACK = N_("what replaced it was taken out, so it holds again")
NO_GAP = N_("it ends where its successor begins, and no sooner")
TOLD_AGAIN = N_("the same value told again holds from its earliest start")
ONE_LINE = N_("names that differ in case, width or blanks are one")
SCHEDULED = N_("it starts later, so it does not hold yet")
ENDS_LATER = N_("it has an end that is still to come")

_LINES = """SELECT fact_key, id, role, valid_from, valid_until, hex(value_digest), object, content FROM memories
    WHERE role IN ('fact', 'confirms', 'withdrawn', 'held') ORDER BY fact_key, asserted_from, n"""


@dataclass(frozen=True, slots=True)
class ChangedAnswer:
    """A stretch of time for which a key has another answer. Instants are stored text; `until` None is open."""

    agent_id: str
    subject: str
    predicate: str
    since: str
    """The first instant, or ``now``."""
    until: str | None
    old_id: str | None
    old: str | None
    new_id: str | None
    new: str | None
    why: str


@dataclass(frozen=True, slots=True)
class _Here:
    """A row of the store."""

    id: str
    role: str
    start: str
    until: str | None
    value: str
    says: str


@dataclass(frozen=True, slots=True)
class _There:
    """A row of the file that can answer."""

    id: str
    start: str
    until: str | None
    is_superseded: bool
    value: str
    says: str

    def covers(self, at: str) -> bool:
        """Whether it holds at an instant."""
        return self.start <= at and (self.until is None or at < self.until)


def changed_answers(file: SeedFile, cursor: sqlite3.Cursor, now: str) -> Iterator[ChangedAnswer]:
    """Every key whose answer is another one, in the order of the store's lines; one line at a time is held."""
    with closing(cursor.connection.cursor()) as own:
        waiting: list[list[_Here]] = []
        size = 0
        for _, found in groupby(own.execute(_LINES), itemgetter(0)):
            line = [_Here(v[1], v[2], v[3], v[4], v[5], v[6] or v[7]) for v in found]
            waiting.append(line)
            size += len(line)
            if size >= _ROWS:
                yield from _of_lines(file, waiting, now)
                waiting, size = [], 0
        yield from _of_lines(file, waiting, now)


def _of_lines(file: SeedFile, lines: list[list[_Here]], now: str) -> Iterator[ChangedAnswer]:
    rows = {str(row["id"]): row for row in file.by_ids([here.id for line in lines for here in line])}
    for line in lines:
        keys: dict[tuple[str, str, str], list[_There]] = defaultdict(list)
        for here in line:
            row = rows.get(here.id)
            if row is None or is_blank(row.get("subject")) or is_blank(row.get("predicate")):
                continue
            keys[row["agent_id"] or "", row["subject"], row["predicate"]] += _there(row, here)
        facts = [here for here in line if here.role == "fact" and here.start != here.until]
        taken_out = any(here.role in ("withdrawn", "held") for here in line)
        for key, theirs in keys.items():
            if key[0]:
                yield from _of_key(key, theirs, facts, now, _Why(len(keys) > 1, taken_out, theirs))


def _there(row: Row, here: _Here) -> list[_There]:
    """The row as it answers in that system; nothing where it never does."""
    if row.get("quarantined") or row.get("invalidated_by_event") in WITHDRAWING:
        return []
    start = time_of(row, "valid_from") or time_of(row, "timestamp") or ""
    until = time_of(row, "valid_until")
    return [_There(here.id, start, until, bool(row.get("superseded_by")), here.value, here.says)]


@dataclass(frozen=True, slots=True)
class _Why:
    """What can explain a difference on one key."""

    is_folded: bool
    taken_out: bool
    theirs: list[_There]

    def at(self, instant: str, old: _There | None, new: _Here | None) -> str:
        if new is None:
            return NOTHING_RESUMES
        own = next((row for row in self.theirs if row.id == new.id), None)
        if self.is_folded and own is None:
            return ONE_LINE
        if old is not None:
            return OVERLAP if sum(row.covers(instant) for row in self.theirs) > 1 else NO_GAP
        if own is not None and instant < own.start:
            return TOLD_AGAIN
        return CAME_BACK if self.taken_out else NO_GAP


def _of_key(
    key: tuple[str, str, str], theirs: list[_There], facts: list[_Here], now: str, why: _Why
) -> Iterator[ChangedAnswer]:
    windows = [(row.start, row.until) for row in theirs] + [(row.start, row.until) for row in facts]
    bounds = sorted({at for window in windows for at in window if at is not None})
    last: tuple[Any, ...] | None = None
    begun = ""
    was: tuple[_There | None, _Here | None] = (None, None)
    for at, old, new in _answers(theirs, facts, bounds):
        differs = (old.value if old else None) != (new.value if new else None)
        state = (old and old.id, new and new.id) if differs else None
        if state != last:
            if last is not None:
                yield _changed(key, begun, at, *was, why.at(begun, *was))
            last, begun, was = state, at, (old, new)
    if last is not None:
        yield _changed(key, begun, None, *was, why.at(begun, *was))
    yield from _present(key, theirs, facts, now, why)


def _answers(
    theirs: list[_There], facts: list[_Here], bounds: list[str]
) -> Iterator[tuple[str, _There | None, _Here | None]]:
    """Both answers at every bound, by one sweep."""
    olds, news = sorted(theirs, key=lambda row: row.start), sorted(facts, key=lambda row: row.start)
    # The latest start answers, of equal starts the one told later: the one with the highest place.
    active: list[tuple[int, _There]] = []
    i = j = 0
    for at in bounds:
        while i < len(olds) and olds[i].start <= at:
            heapq.heappush(active, (-i, olds[i]))
            i += 1
        while active and not active[0][1].covers(at):
            heapq.heappop(active)
        while j < len(news) and news[j].start <= at:
            j += 1
        new = news[j - 1] if j else None
        holds = new is not None and (new.until is None or at < new.until)
        yield at, (active[0][1] if active else None), (new if holds else None)


def _present(
    key: tuple[str, str, str], theirs: list[_There], facts: list[_Here], now: str, why: _Why
) -> Iterator[ChangedAnswer]:
    """The present answers, where they differ in another way than the answers at this instant do."""
    current = [row for row in theirs if row.until is None and not row.is_superseded]
    old = max(current, key=lambda row: row.start, default=None)
    new = next((row for row in facts if row.start <= now and (row.until is None or now < row.until)), None)
    then = max((row for row in theirs if row.covers(now)), key=lambda row: row.start, default=None)
    if (old.value if old else None) == (new.value if new else None) or (old and old.id) == (then and then.id):
        return
    if old is not None and now < old.start:
        reason = SCHEDULED
    else:
        reason = ENDS_LATER if then is not None and new is not None else why.at(now, old, new)
    yield _changed(key, NOW, None, old, new, reason)


def _changed(
    key: tuple[str, str, str], since: str, until: str | None, old: _There | None, new: _Here | None, why: str
) -> ChangedAnswer:
    agent, subject, predicate = (repaired(name) for name in key)
    return ChangedAnswer(
        agent, subject, predicate, since, until, old.id if old else None, old.says if old else None,
        new.id if new else None, new.says if new else None, why,
    )  # fmt: skip
