"""`u`, `U` and `z`: taking decisions back; where it asks, with what would change. It must not guess what to undo."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

from memstation.domain.decisions import Applied, Effects
from memstation.domain.errors import Changed, MemstationError
from memstation.read.rows import LogRow
from memstation.station.background import Background
from memstation.station.dialogs.confirm import ConfirmDialog
from memstation.station.own import Own, find_own, is_undoable
from memstation.station.render.cells import Run
from memstation.station.render.effects import effects_counts, effects_lines
from memstation.station.render.glyphs import GlyphSet
from memstation.station.render.log_words import did, summary_runs, who
from memstation.station.render.safe import Safe
from memstation.station.render.when import spoken
from memstation.station.services import Engine
from memstation.station.words import _, say


class TakingBack(Background):
    """The part of the app that takes back."""

    own = Own()
    """The operator's own last decisions, as far as known."""
    engine: Engine | None
    glyphs: GlyphSet
    session: set[int]
    """Decisions of this session: `u` takes them back without asking."""

    def undo_mine(self) -> None:
        """Take back the operator's own last decision; ask when it is older than this session."""
        self._find_own(self._undo_found)

    def redo_mine(self) -> None:
        """Take back the operator's own last undo."""
        self._find_own(self._redo_found)

    is_deciding = False
    """Whether a decision of ours is being written: another one waits for the operator to press again."""

    def _find_own(self, then: Callable[[Own], None]) -> None:
        if self.engine is not None and not self.is_deciding:
            reader, actor = self.engine.reader, self.station_actor()
            self.in_thread("own", partial(find_own, reader, actor), then, self.fail)

    def _undo_found(self, own: Own) -> None:
        self.own = own
        if own.last is None:
            self.say([(_("There is no decision of yours to take back."), "")])
        else:
            self.take_back(own.last, ask=own.last.seq not in self.session)

    def _redo_found(self, own: Own) -> None:
        self.own = own
        if own.undone is None:
            self.say([(_("There is no undo of yours to take back."), "")])
        else:
            self.take_back(own.undone, ask=own.undone.seq not in self.session)

    def take_back(self, row: LogRow, *, ask: bool = True, note: Safe | None = None) -> None:
        """Take a decision back: at once, or after showing what would change."""
        why = cannot_take_back(row)
        if why:
            self.say([(Safe(f"#{row.seq} "), "strong"), (why, "warning")])
            return
        assert self.engine is not None
        if ask:
            call = partial(self.engine.preview_undo, row.seq)
            self.in_thread("preview", call, partial(self._ask, row, note), self.fail)
        else:
            self._undo(row, None)

    def _ask(self, row: LogRow, note: Safe | None, effects: Effects) -> None:
        now = self.now()
        dialog = ConfirmDialog(
            say("Take back #{n}?", n=row.seq),
            [
                [(Safe(f"#{row.seq} "), "muted"), (who(row.actor), ""), (Safe(" "), ""), (did(row), "strong"),
                 (Safe(" "), ""), *summary_runs(row), (Safe(f", {spoken(row.at, now)}"), "muted")],
                [],
                *effects_lines(effects, self.glyphs, now),
            ],
            summary=effects_counts(effects),
            note=note,
            yes=_("Yes, take back"),
        )  # fmt: skip
        self.push_screen(dialog, partial(self._answered, row, effects.digest))  # type: ignore[attr-defined]

    def _answered(self, row: LogRow, digest: str, answer: bool | None) -> None:
        if answer:
            self._undo(row, digest)
        else:
            self.say([(say("#{n} stays as it is.", n=row.seq), "muted")])

    def _undo(self, row: LogRow, expect: str | None) -> None:
        assert self.engine is not None
        if self.is_deciding:
            return
        self.is_deciding = True
        call = partial(self.engine.undo, row.seq, actor=self.station_actor(), expect=expect)
        self.in_thread("decide", call, partial(self._undone, row), partial(self._not_undone, row))

    def _undone(self, row: LogRow, applied: Applied) -> None:
        self.is_deciding = False
        self.session.add(applied.seq)
        if row.kind == "undo":
            parts: list[Run] = [(say("Brought back what #{n} took", n=row.seq), "strong")]
        else:
            parts = [(say("Took back #{n}", n=row.seq), "strong"), (Safe(f", {did(row)}"), "")]
        counts = effects_counts(applied.effects)
        parts += [(Safe(": "), ""), *counts] if counts else []
        if row.kind != "undo":
            parts.append((_("   U brings it back"), "muted"))
        self.say(parts)
        self.wrote()

    def _not_undone(self, row: LogRow, error: MemstationError) -> None:
        self.is_deciding = False
        if isinstance(error, Changed):
            self.take_back(row, note=_("Somebody else decided meanwhile, and nothing was written. Look again:"))
        else:
            self.fail(error)
            self.wrote()

    # -- what the app gives -------------------------------------------------------------------------------------

    def station_actor(self) -> str:
        """Who decides here."""
        raise NotImplementedError

    def fail(self, error: MemstationError) -> None:
        """Show an error until it is dismissed."""
        raise NotImplementedError

    def say(self, parts: list[Run]) -> None:
        """Say what just happened, in the message row."""
        raise NotImplementedError

    def now(self) -> datetime:
        """The present."""
        raise NotImplementedError

    def wrote(self) -> None:
        """We wrote: look at once."""
        raise NotImplementedError


def cannot_take_back(row: LogRow) -> Safe:
    """Why a decision cannot be taken back, as far as its row tells; empty when it can."""
    if not row.stands:
        if row.taken_back_by is not None:
            return say("was taken back already, by #{n}", n=row.taken_back_by)
        return _("does not stand")
    if not is_undoable(row):
        return _("is of a kind that cannot be taken back")
    return Safe("")
