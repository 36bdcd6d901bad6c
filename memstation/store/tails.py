"""Places a claim that comes after all else on its line: most of what agents tell. It never writes.

What `placing` would find with two walks is plain here: the claim confirms the last segment, or starts one of its own.
`placing` places everything else, and is checked against the same oracle.
"""

from __future__ import annotations

from collections.abc import Iterable

from memstation.domain.origins import raises_trust
from memstation.domain.timeline import Walk
from memstation.store.lines import Lines, batches
from memstation.store.rows import Placed, Row

Places = tuple[dict[int, Placed], dict[int, int]]
"""What `Placing.place` returns."""

_AT_ONCE = 250
"""Lines asked about in one query."""


def find_tails(lines: Lines, claims: Iterable[tuple[bytes, Row]]) -> dict[bytes, Row | None]:
    """Those of the lines on which the one new claim comes last, each with the founder of its last segment so far.

    Lines on which an end stands are left out: an end speaks about claims that come later too.
    """
    tails: dict[bytes, int | None] = {}
    for batch in batches(((line, row) for line, row in claims if row.before is None and not row.is_end), _AT_ONCE):
        tails.update(lines.last_founders([(line, row.asserted_from) for line, row in batch]))
    founders = {row.n: row for row in lines.load(n for n in tails.values() if n is not None)}
    lines.load(row.before.founds for row in founders.values() if row.before and row.before.founds not in (None, row.n))
    return {line: None if n is None else founders[n] for line, n in tails.items()}


def place_tail(lines: Lines, row: Row, line: bytes, founder: Row | None, trust: float) -> Places:
    """Lay a line out anew with one claim at its end.

    Args:
        lines: the lines as stored.
        row: the claim.
        line: its line.
        founder: the claim that starts the last segment; None on an empty line.
        trust: the claim's own.
    """
    start = row.asserted_from
    place = Placed("fact", 1, row.n, line, start, row.asserted_until, None, None, trust, None, None, 0)
    if founder is None:
        return {row.n: place}, {row.n: row.n}
    assert founder.before is not None and founder.before.founds is not None
    shown = lines.row(founder.before.founds)
    assert shown.before is not None
    walk = Walk()
    walk.found(founder.element())
    if walk.step(row.element()) == "confirms":
        places = {row.n: Placed("confirms", 1, None, line, start, start, None, None, trust, None, None, 0)}
        if raises_trust(row.origin) and trust > shown.before.origin_trust:
            places[shown.n] = shown.before.copy()
            places[shown.n].origin_trust = trust
        return places, {row.n: shown.n}
    if shown.before.valid_until is not None and shown.before.valid_until < start:
        return {row.n: place}, {row.n: row.n}
    last = shown.before.copy()
    last.valid_until, last.superseded_by = start, row.id
    last.invalidated_by_event, last.invalidated_at = row.source_event, row.ingested_at
    place.supersedes = shown.id
    return {row.n: place, shown.n: last}, {row.n: row.n}
