"""Purges a source from the station: look, type its name, done; and takes a purge back. It must not purge unseen."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from memstation.domain.errors import Changed, MemstationError, NotFound, Refused
from memstation.domain.purging import PurgeReport
from memstation.read.rows import LogRow
from memstation.station.commands import BY_ID, shown_keys
from memstation.station.days import read_day
from memstation.station.dialogs.confirm import ConfirmDialog
from memstation.station.dialogs.purge import Looked, PurgeDialog, PurgeDraft
from memstation.station.dialogs.purge_name import NameDialog, PurgedDialog
from memstation.station.ordering import Ordering
from memstation.station.render.cells import Run, runs
from memstation.station.render.effects import effects_lines
from memstation.station.render.provenance import joined
from memstation.station.render.purge_words import back_runs, counts_runs, done_rows, lifted_runs
from memstation.station.render.safe import Safe
from memstation.station.render.when import spoken
from memstation.station.services import Engine
from memstation.station.taking_back import cannot_take_back
from memstation.station.words import _, say

if TYPE_CHECKING:
    from memstation.read.rows import ReadCount

SLOW = 0.3
"""Seconds after which the message row says that something is being written."""
NAMED = 40
"""Cells of a source's name in the message row."""


def look(engine: Engine, origin: str, now: datetime, draft: PurgeDraft) -> Looked:
    """What purging a source would do, as chosen. Called in a thread.

    Raises:
        MemstationError: the day cannot be read, or it cannot be looked at.
    """
    since = read_day(draft.since, now) if draft.since else None
    report = engine.preview_purge(draft.agent_id, origin, since, choices=draft.choices)
    # What the dialog shows is made here, where it may take a moment.
    _ = report.digest, report.reinstated, report.emptied
    reads = engine.reader.reads_of(report.withdrawn or report.already)
    return Looked(draft, report, reads, engine.near_origins(origin))


def purge(engine: Engine, actor: str, looked: Looked) -> tuple[PurgeReport, ReadCount]:
    """Purge what was looked at, if it would still do the same. Called in a thread.

    Raises:
        Changed: somebody decided meanwhile.
    """
    plan = looked.report.plan
    done = engine.invalidate_by_origin(
        plan.agent_id, plan.origin, plan.since, choices=plan.choices, actor=actor, expect=looked.report.digest
    )
    _ = done.reinstated, done.emptied
    return done, engine.reader.reads_of(done.withdrawn or done.already)


class Purging(Ordering):
    """The part of the app that purges."""

    def purge_source(self, origin: str, agent_id: str | None) -> None:
        """Look first: what purging this source would do, for an agent or for all."""
        self._look_at(origin, PurgeDraft(agent_id))

    def _look_at(self, origin: str, draft: PurgeDraft, note: Safe | None = None) -> None:
        if self.engine is None or self.is_deciding:
            return
        dialog = PurgeDialog(origin, draft, partial(look, self.engine, origin, self.now()), note)
        self.push_screen(dialog, partial(self._looked_at, origin))  # type: ignore[attr-defined]

    def _looked_at(self, origin: str, looked: Looked | None) -> None:
        if looked is None:
            self._nothing_purged()
            return
        dialog = NameDialog(origin, looked.report, looked.near)
        self.push_screen(dialog, partial(self._name_typed, origin, looked))  # type: ignore[attr-defined]

    def _nothing_purged(self) -> None:
        self.say([(_("Nothing was purged."), "muted")])

    def _name_typed(self, origin: str, looked: Looked, answer: bool | None) -> None:
        if not answer or self.engine is None or self.is_deciding:
            self._nothing_purged()
            return
        self.is_deciding = True
        self._say_if_slow(_("Purging .. you can go on meanwhile."))
        call = partial(purge, self.engine, self.station_actor(), looked)
        self.in_thread("decide", call, partial(self._purged, origin), partial(self._not_purged, origin, looked))

    def _say_if_slow(self, words: Safe) -> None:
        def tell() -> None:
            if self.is_deciding:
                self.say([(words, "strong")])

        self.set_timer(SLOW, tell)

    def _purged(self, origin: str, done: tuple[PurgeReport, ReadCount]) -> None:
        report, reads = done
        self.is_deciding = False
        if report.seq is not None:
            self.session.add(report.seq)
        undo = shown_keys(BY_ID["undo.mine"], self.services.keymap, first=True)
        self.say([
            (_("Purged "), "strong"), *joined(runs(origin), NAMED), (Safe(f" #{report.seq}: "), "key"),
            *counts_runs(report), (say("   {key} takes it back", key=undo), "muted"),
        ])  # fmt: skip
        self.wrote()
        dialog = PurgedDialog(origin, report, done_rows(origin, report, reads, self.now()))
        self.push_screen(dialog, partial(self._purge_read, report, dialog))  # type: ignore[attr-defined]

    def _purge_read(self, report: PurgeReport, dialog: PurgedDialog, _answer: None) -> None:
        if dialog.wants_back and report.seq is not None and self.engine is not None:
            call = partial(_row_of, self.engine, report.seq)
            self.in_thread("own", call, self.take_back, self.fail)

    def _not_purged(self, origin: str, looked: Looked, error: MemstationError) -> None:
        self.is_deciding = False
        if isinstance(error, Changed):
            note = _("Somebody else decided meanwhile, and nothing was written. Look again:")
            self._look_at(origin, looked.draft, note)
        else:
            self.fail(error)
        self.wrote()

    # -- taking back --------------------------------------------------------------------------------------------

    def take_back(self, row: LogRow, *, ask: bool = True, note: Safe | None = None) -> None:
        """Take a decision back; a purge never without showing first what that would do."""
        if row.kind != "purge" or cannot_take_back(row) or self.engine is None:
            super().take_back(row, ask=ask, note=note)
            return
        call = partial(self.engine.preview_undo_purge, row.seq)
        self.in_thread("preview", call, partial(self._ask_back, row, note), self.fail)

    def _ask_back(self, row: LogRow, note: Safe | None, report: PurgeReport) -> None:
        now = self.now()
        assert report.effects is not None
        head: list[Run] = [(Safe(f"#{row.seq} "), "muted"), *runs(row.reason[:200]),
                           (Safe(f", {spoken(row.at, now)}"), "muted")]  # fmt: skip
        lifted = lifted_runs(report)
        dialog = ConfirmDialog(
            say("Take back #{n}, the purge of {origin}?", n=row.seq, origin=report.plan.origin[:40]),
            [head, *([lifted] if lifted else []), [], *effects_lines(report.effects, self.glyphs, now)],
            summary=back_runs(report), note=note, yes=_("Yes, take back"),
        )  # fmt: skip
        answered: Any = partial(self._answered, row, report.effects.digest)
        self.push_screen(dialog, answered)  # type: ignore[attr-defined]


def _row_of(engine: Engine, seq: int) -> LogRow:
    detail = engine.reader.decision(seq)
    if detail is None:
        raise NotFound("No such decision", "#{seq} is not in the log", seq=seq)
    if not detail.row.stands:
        raise Refused("It was taken back already", "#{seq}", seq=seq)
    return detail.row
