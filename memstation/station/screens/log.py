"""Log: every decision, newest first; takes back any, checks the whole. It must not undo but by the engine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from textual.binding import BindingType

from memstation.domain.errors import MemstationError
from memstation.read.rows import LogDetail, LogRow
from memstation.station.bindings import room_bindings
from memstation.station.commands import Command
from memstation.station.dialogs.notice import NoticeDialog
from memstation.station.own import Own, find_own
from memstation.station.render.cells import Run, runs
from memstation.station.render.log_detail import decision_rows, decision_title
from memstation.station.render.log_words import changed_runs, did, is_held, summary_runs, who
from memstation.station.render.safe import Safe, safe_block
from memstation.station.render.when import lately, spoken
from memstation.station.screens.list_room import ListRoom
from memstation.station.services import LogQuery, RowSource, VerifyReport
from memstation.station.taking_back import cannot_take_back
from memstation.station.widgets.columns import Column
from memstation.station.words import _, counted, say


class LogScreen(ListRoom[LogRow, LogDetail]):
    """The room Log."""

    ROOM = "log"
    SCOPE = "Log"
    BINDINGS: ClassVar[list[BindingType]] = room_bindings("Log")

    _checking: tuple[int, int] | None = None
    """(done, in all) while the log is being checked."""
    _stop_check = False
    _wanted: int | None = None
    """The decision that the room was opened for."""

    # -- the list -----------------------------------------------------------------------------------------------

    def columns(self, width: int) -> Sequence[Column[LogRow]]:
        """Number, when, who, what was done, what about, what it changed."""
        now = self.station.now()
        return [
            Column(_("NO"), self._digits(), lambda row: [(Safe(str(row.seq)), "")], right=True),
            Column(_("WHEN"), 9, lambda row: [(lately(row.at, now), "muted")]),
            Column(_("WHO"), 7, self._who, rank=1),
            Column(_("DID"), 10, self._did),
            Column(_("WHAT"), 16, self._what, flex=1),
            Column(_("CHANGED"), 12, self._changed, right=True, rank=2),
        ]  # fmt: skip

    def _who(self, row: LogRow) -> list[Run]:
        return [(who(row.actor), "key" if row.actor == self.station.station_actor() else "")]

    @staticmethod
    def _did(row: LogRow) -> list[Run]:
        role = "held" if is_held(row) else "withdrawn" if row.kind == "drop" else ""
        return [(did(row), role if row.stands else "withdrawn")]

    def _digits(self) -> int:
        first = self.main_pane.row(0)
        return max(4, len(str(first.seq))) if first is not None else 4

    @staticmethod
    def _what(row: LogRow) -> list[Run]:
        return summary_runs(row) if row.stands else [(text, role or "muted") for text, role in summary_runs(row)]

    def _changed(self, row: LogRow) -> list[Run]:
        if not row.stands:
            return [(Safe(f"{self.station.glyphs.states['withdrawn']} "), "withdrawn"),
                    (_("taken back"), "withdrawn")]  # fmt: skip
        return changed_runs(row)

    def source(self) -> RowSource[LogRow]:
        """The decisions, of the chosen agent where one is chosen."""
        assert self.engine is not None
        return self.engine.reader.log(LogQuery(self.filter_text, self.station.agent_id))

    def load(self) -> None:
        """The list, and which decision `u` would take back."""
        self.show_list(find=self._wanted)
        self._look_for_own()

    def renew(self) -> None:
        """The same, keeping the cursor."""
        super().renew()
        self._look_for_own()

    def _look_for_own(self) -> None:
        assert self.engine is not None
        call = partial(find_own, self.engine.reader, self.station.station_actor())
        self.in_thread("own", call, self._own_found, self.station.blind)

    def _own_found(self, own: Own) -> None:
        self.station.own = own
        self.refresh_bars()
        if self._detail is not None:
            self.put_detail(self.main_pane.selected, self._detail)

    def agent_chosen(self, agent_id: str | None) -> None:
        """Only this agent's decisions, or all."""
        if self.engine is not None and self._is_loaded:
            self.show_list()

    def show_decision(self, seq: int | None, filter_text: str) -> None:
        """The decisions, filtered, the cursor on one."""
        self.filter_text, self._wanted = filter_text, seq
        if self._is_loaded:
            self.show_list(find=seq)
        self.refresh_bars()

    def empty_words(self) -> tuple[Safe, Sequence[Safe], Sequence[tuple[str, Safe]]]:
        """Nothing was decided, or nothing matches."""
        if self.filter_text:
            why = (_("Without the filter there may be more."),)
            keys = [("escape", _("clear the filter")), ("/", _("another filter"))]
            return say("Nothing matches {text}.", text=self.filter_text), why, keys
        why_none = (
            _("Every write to this file stands here: what agents told, and what you decided."),
            _("From here any of it can be taken back."),
        )
        return _("No decision yet."), why_none, [("1", _("what is new")), (":", _("all commands"))]

    # -- the detail ---------------------------------------------------------------------------------------------

    def read_detail(self, row: LogRow) -> LogDetail | None:
        """The decision and what carries its number."""
        assert self.engine is not None
        return self.engine.reader.decision(row.seq)

    def detail_title(self, row: LogRow, detail: LogDetail | None) -> tuple[Sequence[Run], Sequence[Run]]:
        """Number, who, when; whether it can be taken back."""
        return decision_title(detail.row if detail else row, self.station.now())

    def detail_rows(self, row: LogRow, detail: LogDetail) -> Sequence[Sequence[Run]]:
        """What it told, marked and ordered; what z and u would do."""
        return decision_rows(detail, self.station.glyphs, self.station.now(), self.station.own)

    # -- verbs --------------------------------------------------------------------------------------------------

    def why_not(self, command: Command) -> str:
        """`z` acts on the row that is painted."""
        why = super().why_not(command)
        if why or command.id != "undo.this":
            return why
        row = self.main_pane.selected
        return _("no decision is under the cursor") if row is None else cannot_take_back(row)

    def footer_label(self, command: Command) -> Safe:
        """`u` names the decision that it hits."""
        if command.id == "undo.mine" and self.station.own.last is not None:
            return say("undo #{n}", n=self.station.own.last.seq)
        return super().footer_label(command)

    def do_undo_this(self) -> None:
        """Take back the decision under the cursor."""
        row = self.main_pane.selected
        if row is not None:
            self.station.take_back(row)

    def do_item_copy_id(self) -> None:
        """Copy the number."""
        row = self.main_pane.selected
        if row is not None:
            self.station.copy(f"#{row.seq}")

    def do_item_copy_text(self) -> None:
        """Copy the detail as it is shown: what was hidden stays visible."""
        if self.detail_pane.rows:
            self.station.copy(self.detail_pane.text)

    def do_log_verify(self) -> None:
        """Check the whole store in a thread; escape stops it."""
        assert self.engine is not None
        if self._checking is not None:
            self.station.say([(_("The check is running; escape stops it."), "muted")])
            return
        self._checking, self._stop_check = (0, 0), False
        visit = self.station.services.state.visit(self.engine.uuid)
        call = partial(self.engine.verify, visit.head, self._progress)
        self.in_thread("verify", call, self._checked, self._check_failed)
        self.set_timer(0.2, self._tell_progress)

    def _progress(self, done: int, total: int) -> bool:
        """Called in the thread: only notes how far it is."""
        self._checking = (done, total)
        return not self._stop_check

    def _tell_progress(self) -> None:
        if self._checking is None:
            return
        done, total = self._checking
        self.station.say([
            (_("Checking .."), "strong"), (say(" {n} of {all}", n=f"{done:,}", all=f"{total:,}"), ""),
            (_("   escape stops it"), "muted"),
        ])  # fmt: skip
        self.set_timer(0.2, self._tell_progress)

    def _checked(self, report: VerifyReport) -> None:
        self._checking = None
        if report.stopped:
            self.station.say([(_("The check was stopped; it says nothing about this file."), "warning")])
            return
        kept = {"head": report.head} if report.ok else {}
        self.station.remember(checked=self.station.now(), whole=report.ok, **kept)
        if report.ok:
            self.station.say([
                (_("Checked: whole, unbroken."), "current"),
                (Safe(" "), ""), (counted("{n} entry", "{n} entries", report.entries), ""),
            ])  # fmt: skip
            return
        self.station.say([(_("Checked: the log is broken."), "withdrawn")])
        rows = [runs(safe_block(problem)) for problem in report.problems]
        self.station.push_screen(NoticeDialog(_("The log is broken"), rows, is_danger=True))

    def _check_failed(self, error: MemstationError) -> None:
        self._checking = None
        self.station.fail(error)

    def step_back(self) -> bool:
        """A running check first."""
        if self._checking is not None and not self._stop_check:
            self._stop_check = True
            return True
        return super().step_back()

    # -- rows ---------------------------------------------------------------------------------------------------

    def what(self) -> tuple[Sequence[Run], Sequence[Run]]:
        """How many, when they were checked, the filter."""
        if self.engine is None:
            return [(_("Log"), "muted")], ()
        left: list[Run] = [(self.total_of("{total} entry", "{total} entries"), "")]
        visit = self.station.services.state.visit(self.engine.uuid)
        if visit.checked is not None:
            word = _("whole, unbroken") if visit.whole else _("BROKEN")
            when = spoken(visit.checked, self.station.now())
            left.append((say("   checked {when}: ", when=when), "muted"))
            left.append((word, "muted" if visit.whole else "withdrawn"))
        return left, self.filter_chip()

    def place(self) -> Sequence[Run]:
        """Which entry."""
        place = super().place()
        return [(_("entry "), "muted"), *place] if place else place
