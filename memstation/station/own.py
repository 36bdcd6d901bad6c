"""Which decision `u` and `U` mean: the operator's own last one, and the last one taken back. It must not write."""

from __future__ import annotations

from dataclasses import dataclass

from memstation.domain.decisions import DECISION_KINDS
from memstation.read.rows import LogRow
from memstation.station.services import LogQuery, Reader

PAGES = 10
"""Pages of the log that are looked through: 2,000 decisions."""


@dataclass(frozen=True, slots=True)
class Own:
    """The operator's own decisions within reach."""

    last: LogRow | None = None
    """The newest that stands and is no undo: what `u` takes back."""
    undone: LogRow | None = None
    """The newest own undo that stands and that no own decision followed: what `U` takes back."""
    newest: int = 0
    """Number of the newest entry of all, by anybody."""


def find_own(reader: Reader, actor: str) -> Own:
    """Look through the newest decisions. A few milliseconds; call it in a thread.

    An undo of an undo brings a decision back: it is neither a decision to take back nor an undo to take back.
    """
    source = reader.log(LogQuery())
    rows = source.head()
    newest = rows[0].seq if rows else 0
    last: LogRow | None = None
    undone: LogRow | None = None
    for _ in range(PAGES):
        for row in rows:
            if row.actor != actor or not row.stands:
                continue
            if row.kind == "undo":
                if undone is None and last is None and _took_back(reader, row):
                    undone = row
            elif is_undoable(row):
                last = row
                return Own(last, undone, newest)
        if len(rows) < 2:
            break
        rows = source.page(source.key(rows[-1]))[1:]
    return Own(last, undone, newest)


def _took_back(reader: Reader, undo: LogRow) -> bool:
    """Whether an undo took a decision back, rather than an undo."""
    detail = reader.decision(undo.target) if undo.target is not None else None
    return detail is not None and detail.row.kind != "undo"


def is_undoable(row: LogRow) -> bool:
    """Whether this kind of decision can be taken back at all."""
    kind = DECISION_KINDS.get(row.kind)
    return kind is None or kind.undoable
