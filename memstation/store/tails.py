"""Places claims that come after all else on their line, and finds lines that are left empty. It never writes.

What `placing` would find with two walks is plain here: a claim confirms the last segment, or starts one of its own.
`placing` places everything else, and is checked against the same oracle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from memstation.domain.origins import raises_trust
from memstation.domain.timeline import Walk
from memstation.store.lines import Lines, batches
from memstation.store.rows import Placed, Row

Places = tuple[dict[int, Placed], dict[int, int]]
"""What `Placing.place` returns."""

_AT_ONCE = 250
"""Lines asked about in one query."""


def find_tails(lines: Lines, added: Iterable[tuple[bytes, Sequence[Row]]]) -> dict[bytes, Row | None]:
    """Those of the lines on which new claims come last, each with the founder of its last segment so far.

    The claims of a line are given as they were told. They must start in that order, too, so that in each segment the
    first is the one that is shown. Lines on which an end stands are left out: an end speaks about claims that come
    later too.
    """
    tails: dict[bytes, int | None] = {}
    in_order = {line: rows for line, rows in added if _arrive_in_order(rows)}
    coming_back = [line for line, rows in in_order.items() if rows[0].before is not None]
    there = lines.standing(coming_back)
    tails.update((line, None) for line in coming_back if line not in there)
    asked = ((line, rows[0].asserted_from) for line, rows in in_order.items() if line not in tails)
    for batch in batches(asked, _AT_ONCE):
        tails.update(lines.last_founders(batch))
    # What comes back may have been told before what is there, and would then be shown for it.
    tails = {line: n for line, n in tails.items() if n is None or all(row.before is None for row in in_order[line])}
    founders = {row.n: row for row in lines.load(n for n in tails.values() if n is not None)}
    lines.load(row.before.founds for row in founders.values() if row.before and row.before.founds not in (None, row.n))
    return {line: None if n is None else founders[n] for line, n in tails.items()}


def find_emptied(lines: Lines, removed: Mapping[bytes, Sequence[Row]]) -> set[bytes]:
    """Those of the lines on which nothing stands any more once these rows are taken from them."""
    return {line for line, count in lines.standing(removed).items() if count == len(removed[line])}


def _arrive_in_order(rows: Sequence[Row]) -> bool:
    return not any(row.is_end for row in rows) and all(
        row.asserted_from <= following.asserted_from for row, following in pairwise(rows)
    )


def place_tail(
    lines: Lines, rows: Sequence[Row], line: bytes, founder: Row | None, own_trust: Callable[[Row], float]
) -> Places:
    """Lay a line out anew with claims at its end.

    Args:
        lines: the lines as stored.
        rows: the claims, as they were told and start.
        line: their line.
        founder: the claim that starts the last segment so far; None on an empty line.
        own_trust: gives each claim's own.
    """
    places: dict[int, Placed] = {}
    shown_of: dict[int, int] = {}
    walk, shown, last = Walk(), None, None
    if founder is not None:
        assert founder.before is not None and founder.before.founds is not None
        walk.found(founder.element())
        shown = lines.row(founder.before.founds)
        last = shown.before
        assert last is not None
        last = last.copy()
    for row in rows:
        start, trust = row.asserted_from, own_trust(row)
        if walk.step(row.element()) == "confirms":
            assert shown is not None and last is not None
            places[row.n] = Placed("confirms", 1, None, line, start, start, None, None, trust, None, None, 0)
            shown_of[row.n] = shown.n
            if raises_trust(row.origin) and trust > last.origin_trust:
                last.origin_trust = trust
                places[shown.n] = last
            continue
        place = Placed("fact", 1, row.n, line, start, row.asserted_until, None, None, trust, None, None, 0)
        if shown is not None and last is not None and (last.valid_until is None or last.valid_until >= start):
            last.valid_until, last.superseded_by = start, row.id
            last.invalidated_by_event, last.invalidated_at = row.source_event, row.ingested_at
            places[shown.n] = last
            place.supersedes = shown.id
        places[row.n], shown_of[row.n] = place, row.n
        shown, last = row, place
    return places, shown_of
