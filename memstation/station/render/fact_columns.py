"""The columns of the Timeline's list. It must not import textual, nor ask for more of a row than it carries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from memstation.read.rows import FactRow
from memstation.station.render.cells import Run, fit, fit_runs, runs, runs_width
from memstation.station.render.facts import short_origin
from memstation.station.render.glyphs import GlyphSet, state_sign
from memstation.station.render.provenance import trust
from memstation.station.render.safe import Safe
from memstation.station.render.shares import shares
from memstation.station.render.when import day
from memstation.station.widgets.columns import Column
from memstation.station.words import _

STATE, FROM, SOURCE, TRUST = 11, 7, 11, 3
VALUE = 18
"""The least cells of the value."""
MEASURED = 4_000
"""Characters of a value that are looked at: a cell shows fewer."""


def fact_columns(
    width: int, glyphs: GlyphSet, now: datetime, sample: Iterable[FactRow], *, source: bool = True
) -> Sequence[Column[FactRow]]:
    """State, what is said, from when, who said it, trust. Subject and predicate are as wide as a sample of rows needs.

    What is said is one column of three parts, so that a note without a subject has the room of all three.
    """
    source = source and width >= 74
    fixed = STATE + 1 + 1 + FROM + 1 + TRUST + (1 + SOURCE if source else 0)
    said = max(20, width - fixed)
    about, says = shares(said, [_needed(row) for row in sample if row.subject or row.predicate], VALUE)

    def state(row: FactRow) -> list[Run]:
        sign = state_sign(glyphs, row.state, row.tainted)
        return [(Safe(str(sign)), sign.role)]

    def what(row: FactRow) -> list[Run]:
        if not row.subject and not row.predicate:
            return [(fit(_("note"), about), "muted"), (Safe(" "), ""), *_runs(row.content, row)]
        return [
            *fit_runs(_runs(row.subject, row), about), (Safe(" "), ""),
            *fit_runs([*_runs(row.predicate, row), *_many(row)], says), (Safe(" "), ""),
            *_runs(row.value, row),
        ]  # fmt: skip

    title = Safe(f"{fit(_('ABOUT'), about)} {fit(_('SAYS'), says)} {_('VALUE')}")
    columns: list[Column[FactRow]] = [
        Column(_("STATE"), STATE, state),
        Column(title, said, what),
        Column(_("FROM"), FROM, lambda row: [(day(row.valid_from, now), "muted")]),
    ]
    if source:
        columns.append(Column(_("SOURCE"), SOURCE, lambda row: runs(short_origin(row.origin), "muted")))
    return [*columns, Column(_("TR"), TRUST, lambda row: [(Safe(trust(row.trust)[:3]), "")], right=True)]


def _runs(text: str | None, row: FactRow) -> list[Run]:
    """Out of use is told by the colour of the whole row too; the word stands in its state."""
    return runs((text or "")[:MEASURED], row.state if row.state in ("closed", "withdrawn") else "")


def _many(row: FactRow) -> list[Run]:
    return [(_(" (many)"), "muted")] if row.many else []


def _needed(row: FactRow) -> tuple[int, int]:
    """Cells that subject and predicate of a row need."""
    predicate = [*runs((row.predicate or "")[:80]), *_many(row)]
    return runs_width(runs((row.subject or "")[:80])), runs_width(predicate)
