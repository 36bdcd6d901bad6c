"""What a plan does to facts, in the operator's terms. Computed alike for a preview and for the act; it never writes."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import accumulate
from typing import cast

from memstation.domain.decisions import ChangeKind, Effects, FactChange, OrderChange, Told
from memstation.domain.instants import from_text
from memstation.domain.memory import Role, State
from memstation.store.plan import Plan
from memstation.store.rows import Placed, Row
from memstation.store.rules import OrderRow, orders_of
from memstation.store.uncollected import uncollected

Changed = tuple[Row, Placed]

_encode = json.JSONEncoder().encode
_OPEN = "~"
"""Later than every instant."""


def state_of(place: Placed, now: str) -> State | None:
    """What a row is at a moment; None for evidence and ends."""
    if place.role == "held":
        return "held"
    if place.role == "withdrawn":
        return "withdrawn"
    if place.role != "fact":
        return None
    if place.valid_until is not None and (place.valid_until <= now or place.valid_until <= place.valid_from):
        return "closed"
    return "scheduled" if place.valid_from > now else "current"


_BORN: dict[State | None, ChangeKind] = {
    "current": "new",
    "scheduled": "scheduled",
    "closed": "historical",
    "held": "held",
    "withdrawn": "withdrawn",
    None: "confirms",
}


def _kind(row: Row, place: Placed, now: str) -> ChangeKind | None:
    """What happened to a row, in one word; None when nothing that an operator would call a change."""
    if place.role == "erased":
        return "erased" if row.before is None or row.before.role != "erased" else None
    after = state_of(place, now)
    if row.before is None:
        return "ends" if row.is_end else _BORN[after]
    before = state_of(row.before, now)
    if after != before:
        if after in ("held", "withdrawn"):
            return cast(ChangeKind, after)
        if before == "held":
            return "released"
        if after is None:
            return "confirms"
        if after == "current":
            return "came_back"
        return "closed" if before == "current" else "moved"
    old = row.before
    if after is not None and (old.valid_from, old.valid_until) != (place.valid_from, place.valid_until):
        return "moved"
    return "trust" if after is not None and old.origin_trust != place.origin_trust else None


def effects_of(plan: Plan, cursor: sqlite3.Cursor) -> Effects:
    """The effects of a plan at its own time."""
    changed = plan.changed
    counts: dict[ChangeKind, int] = {}
    for row, place in changed:
        if (kind := _kind(row, place, plan.at)) is not None:
            counts[kind] = counts.get(kind, 0) + 1
    emptied = _emptied(plan, changed, cursor)
    gaps = _gaps(changed)
    orders = tuple(_order_changes(plan, cursor))
    told = tuple(_told(plan, changed))
    return Effects(
        emptied, gaps, orders, told, counts,
        lambda: tuple(_changes(changed, plan.at)), lambda: _digest(plan, changed, orders),
    )  # fmt: skip


def _changes(changed: list[Changed], now: str) -> Iterator[FactChange]:
    for row, place in changed:
        if (kind := _kind(row, place, now)) is not None:
            yield _change(kind, row, place, now)


def _change(kind: ChangeKind, row: Row, place: Placed, now: str) -> FactChange:
    old = row.before
    return FactChange(
        kind=kind,
        id=row.id,
        agent_id=row.agent_id,
        subject=row.subject,
        predicate=row.predicate,
        object=row.object,
        content=row.content,
        origin=row.origin,
        state_before=None if old is None else state_of(old, now),
        state=state_of(place, now),
        valid_from=from_text(place.valid_from),
        valid_until=None if place.valid_until is None else from_text(place.valid_until),
        was_from=None if old is None else from_text(old.valid_from),
        was_until=None if old is None or old.valid_until is None else from_text(old.valid_until),
        trust=place.origin_trust,
        trust_before=None if old is None else old.origin_trust,
    )


def _emptied(plan: Plan, changed: list[Changed], cursor: sqlite3.Cursor) -> tuple[tuple[str, str, str], ...]:
    """Facts that had a current value and have none afterwards."""
    had: dict[bytes, Changed] = {}
    has: set[bytes] = set()
    seen: dict[bytes, set[int]] = defaultdict(set)
    for row, place in changed:
        seen[row.fact_key].add(row.n)
        if row.before is not None and state_of(row.before, plan.at) == "current":
            had.setdefault(row.fact_key, (row, place))
        if state_of(place, plan.at) == "current":
            has.add(row.fact_key)
    empty = []
    for key, (row, place) in had.items():
        if key in has or row.subject is None or row.predicate is None:
            continue
        # A predicate that holds one value has one line, and that line has just been looked at.
        if place.line_key == key or not _holds_otherwise(plan, key, seen[key], cursor):
            empty.append((row.agent_id, row.subject, row.predicate))
    return tuple(empty)


def _holds_otherwise(plan: Plan, key: bytes, without: set[int], cursor: sqlite3.Cursor) -> bool:
    """Whether a fact that the plan leaves alone is current under a key."""
    sql = """SELECT n FROM memories WHERE fact_key = ? AND role = 'fact' AND valid_from <= ?
        AND (valid_until IS NULL OR valid_until > ?) LIMIT ?"""
    found = cursor.execute(sql, (key, plan.at, plan.at, len(without) + 1)).fetchall()
    return any(row[0] not in without for row in found)


class _Cover:
    """The instants at which one of some facts holds: asked of each end on a line, so it may not look at each fact."""

    def __init__(self, places: Iterable[Placed | None]) -> None:
        windows = sorted(
            (place.valid_from, place.valid_until or _OPEN) for place in places if place and place.role == "fact"
        )
        self._starts = [start for start, _ in windows]
        self._furthest = list(accumulate((until for _, until in windows), max))
        """The latest end of the facts that start no later."""

    def holds(self, instant: str) -> bool:
        before = bisect_right(self._starts, instant)
        return before > 0 and self._furthest[before - 1] > instant


def _gaps(changed: list[Changed]) -> tuple[tuple[str, str, str, datetime], ...]:
    """Ends after which nothing holds any more, where something did before."""
    ending = [(row, place) for row, place in changed if row.subject is not None and _ends(place)]
    lines = {place.line_key for _, place in ending}
    by_line: dict[bytes, list[Changed]] = defaultdict(list)
    for row, place in changed if lines else ():
        if place.line_key in lines:
            by_line[place.line_key].append((row, place))
    before = {line: _Cover(row.before for row, _ in members) for line, members in by_line.items()}
    now = {line: _Cover(place for _, place in members) for line, members in by_line.items()}
    gaps = []
    for row, place in ending:
        until, line = place.valid_until, place.line_key
        if until is not None and row.subject is not None and before[line].holds(until) and not now[line].holds(until):
            gaps.append((row.agent_id, row.subject, row.predicate or "", from_text(until)))
    return tuple(gaps)


def _ends(place: Placed) -> bool:
    """Whether a place is that of a fact which holds, and stops doing so."""
    return place.role == "fact" and place.valid_until is not None and place.valid_until > place.valid_from


def _order_changes(plan: Plan, cursor: sqlite3.Cursor) -> Iterable[OrderChange]:
    made = {(order.seq, order.k): order for order in plan.orders}
    stored: dict[tuple[int, int], OrderRow] = {}
    for key in {order.key for order in plan.orders} | _keys_of(plan, cursor):
        stored.update({(order.seq, order.k): order for order in orders_of(cursor, key)})
    for place, rules in sorted(plan.ruling.items()):
        order = made.get(place) or stored[place]
        if (place in made and not rules) or order.about == "erased":
            continue
        yield OrderChange(
            order.about,  # type: ignore[arg-type]
            order.verdict,
            order.agent_id,
            order.subject,
            order.predicate,
            order.value,
            order.number,
            rules,
        )


def _keys_of(plan: Plan, cursor: sqlite3.Cursor) -> set[bytes]:
    keys = set()
    for seq, k in plan.ruling:
        found = cursor.execute("SELECT key FROM orders WHERE seq = ? AND k = ?", (seq, k)).fetchone()
        if found is not None:
            keys.add(found[0])
    return keys


def _told(plan: Plan, changed: list[Changed]) -> Iterable[Told]:
    closed: dict[str, list[str]] = defaultdict(list)
    for row, place in changed:
        before = None if row.before is None else row.before.superseded_by
        if place.superseded_by is not None and place.superseded_by != before:
            closed[place.superseded_by].append(row.id)
    for new in plan.new:
        row = new.row
        place = plan.placed[row.n]
        shown = plan.lines.row(plan.shown_of.get(row.n, row.n))
        yield Told(
            id=row.id,
            role=cast(Role, place.role),
            fact_id=shown.id,
            state=state_of(place, plan.at),
            valid_from=from_text(place.valid_from),
            valid_until=None if place.valid_until is None else from_text(place.valid_until),
            closed=tuple(closed[row.id]),
        )


def _line(place: Placed) -> str:
    # A stub may get an id by chance, and is alone on the line that is named by it.
    return "" if place.role == "erased" else place.line_key.hex()


def _digest(plan: Plan, changed: list[Changed], orders: tuple[OrderChange, ...]) -> str:
    """A digest of the effects in which the decision's own time is just "now", so that a preview can match an act.

    What a row was is part of it: withdrawing what another process has let in meanwhile is no longer a denial.
    """

    def told(text: str | None) -> str | None:
        return "now" if text == plan.at else text

    with uncollected():
        facts = sorted(
            [
                row.id, place.role, _line(place), told(place.valid_from), told(place.valid_until),
                place.superseded_by or "", place.supersedes or "", place.origin_trust, place.quarantined,
                place.invalidated_by_event or "", state_of(place, plan.at) or "",
                "" if row.before is None else state_of(row.before, plan.at) or row.before.role,
            ]
            for row, place in changed
        )  # fmt: skip
        rules = [[o.about, o.verdict, o.agent_id, o.subject, o.predicate, o.value, o.number, o.rules] for o in orders]
        text = _encode([facts, rules, sorted(plan.flips.items())])
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
