"""What a purge says again because an earlier one said it: an undo of that one alone must give nothing back.

It must not judge anew: what the earlier purge found tainted was judged then, and a person may have judged it since.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from memstation.domain.decisions import Mark, Order
from memstation.domain.names import is_blank, order_key
from memstation.domain.purging import CONTAMINATED, TAINTED_CAP
from memstation.store import holding, purging
from memstation.store.ledger import Looking
from memstation.store.rows import Row


@dataclass(frozen=True, slots=True)
class Told:
    """What a source told: what no standing purge has withdrawn yet, and what one has."""

    all: list[Row]
    fresh: list[Row]
    again: list[Row]
    seqs: frozenset[int]
    """The purges that withdrew some of `again`."""
    is_done: bool
    """Whether one purge that stands has withdrawn all of it: there is nothing to do."""


def told(looking: Looking, found: list[Row]) -> Told:
    """Divide what a source told by what standing purges withdrew."""
    gone = [part.n for part in found if part.place.role in ("withdrawn", "end")]
    purged = purging.purged_by(looking.cursor, gone)
    fresh = [part for part in found if part.n not in purged]
    again = [part for part in found if part.n in purged]
    seqs = frozenset(seq for by in purged.values() for seq in by)
    is_done = not fresh and (not again or any(all(seq in by for by in purged.values()) for seq in seqs))
    return Told(found, fresh, again, seqs, is_done)


def rejecting(part: Row) -> tuple[bytes, Order]:
    """The order, with its key, by which the value of a memory is rejected."""
    value = part.content if is_blank(part.object) or part.object is None else part.object
    key = order_key("rejected", part.agent_id, part.subject or "", part.predicate or "", value)
    return key, Order(
        "rejected", "rejected", part.agent_id, subject=part.subject, predicate=part.predicate, value=value
    )


def rejected(looking: Looking, before: Told) -> dict[bytes, Order]:
    """By key: the values of `before.again` that were remembered when they were purged, and that nobody lifted since."""
    said = purging.rejected_by(looking.cursor, before.seqs)
    return {key: order for key, order in map(rejecting, before.again) if key in said}


def marks(looking: Looking, before: Told, taken: Collection[int]) -> list[Mark]:
    """The marks of earlier purges on what was made from `before.again`, or echoed it.

    What waits goes on waiting, and trust stays cut; what a person let go since stays let go. `taken` is marked anyway.
    """
    if not before.again:
        return []
    said = purging.tainted_by(looking.cursor, before.seqs)
    parts = purging.parts(looking.cursor, said)
    for part in parts.values():
        looking.known[part.id] = part
    holds = holding.latest_holds(looking.cursor, sorted(parts))
    found: list[Mark] = []
    for n in sorted(_reached(looking, before.again, parts)):
        if n in taken:
            continue
        if "cap" in said[n]:
            found.append(Mark(parts[n].id, "cap", CONTAMINATED, TAINTED_CAP))
        if "held" in said[n] and holds[n].kind == "held":
            found.append(Mark(parts[n].id, "held", CONTAMINATED))
    return found


def _reached(looking: Looking, again: list[Row], parts: Mapping[int, Row]) -> set[int]:
    """Of what was tainted then: what was made from these, at any depth, or stood on the line of one of them."""
    on_line: dict[bytes, set[int]] = {}
    for part in parts.values():
        on_line.setdefault(part.place.line_key, set()).add(part.n)
    found: set[int] = set()
    frontier = list(again)
    while frontier:
        ns = {child for _, child in purging.children(looking.cursor, (part.n for part in frontier))}
        ns |= {n for part in frontier for n in on_line.get(part.place.line_key, ())}
        frontier = [parts[n] for n in ns if n in parts and n not in found]
        found.update(part.n for part in frontier)
    return found
