"""The operator's last ten verdicts, each with its take-back. It must not take back but by the station."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from textual import on

from memstation.domain.errors import MemstationError
from memstation.read.rows import LogRow
from memstation.station.commands import Command
from memstation.station.render.cells import Run
from memstation.station.render.log_words import did, summary_runs
from memstation.station.render.safe import Safe, safe_line
from memstation.station.render.when import lately
from memstation.station.screens.review.rewriting import Rewriting
from memstation.station.taking_back import cannot_take_back
from memstation.station.widgets.bars import Rule
from memstation.station.widgets.columns import Column
from memstation.station.widgets.pages import FixedRows
from memstation.station.widgets.virtual_list import VirtualList
from memstation.station.words import _

LAST = 10
_SIGNS = {"approve": "current", "edit": "current", "deny": "withdrawn", "hold": "held", "bring_back": "held"}


class Strip(Rewriting):
    """The list below the queue."""

    _strip_error: MemstationError | None = None

    @property
    def strip(self) -> VirtualList[LogRow]:
        """The last ten."""
        return self.query_one("#strip", VirtualList)

    def strip_columns(self, width: int) -> Sequence[Column[LogRow]]:
        """What was decided, about what, when, as which decision."""
        now = self.station.now()
        return [
            Column(Safe(""), 14, self._strip_did),
            Column(Safe(""), 16, self._strip_what, flex=1),
            Column(Safe(""), 9, lambda row: [(lately(row.at, now), "muted")], right=True),
            Column(Safe(""), 7, lambda row: [(Safe(f"#{row.seq}"), "key")], right=True, rank=1),
        ]

    def _strip_did(self, row: LogRow) -> list[Run]:
        state = _SIGNS.get(row.kind, "held")
        if not row.stands:
            return [(Safe(f"{self.station.glyphs.signs['past']} "), "muted"), (_("taken back"), "muted")]
        return [(Safe(f"{self.station.glyphs.states[state]} "), state), (did(row), state)]

    @staticmethod
    def _strip_what(row: LogRow) -> list[Run]:
        return summary_runs(row) if row.stands else [(text, role or "muted") for text, role in summary_runs(row)]

    def read_strip(self) -> None:
        """Read the last ten, in a thread."""
        if self.engine is not None:
            call = partial(self.engine.last_verdicts, self.station.station_actor(), LAST)
            self.in_thread("strip", call, self._put_strip, self._strip_failed)

    def _put_strip(self, rows: list[LogRow]) -> None:
        self._strip_error = None
        source = FixedRows(rows, key=lambda row: row.seq)
        is_new = not self.strip.count or self.focused is not self.strip
        if is_new:
            self.strip.show(source)
        else:
            self.strip.renew(source)
        self.query_one("#shell").set_class(not rows, "-no-strip")
        self._title_strip(len(rows))

    def _strip_failed(self, error: MemstationError) -> None:
        self._strip_error = error
        self._title_strip(0)

    def _title_strip(self, count: int) -> None:
        title = self.query_one("#strip-title", Rule)
        if self._strip_error is not None:
            title.put([(_("your last verdicts cannot be read: "), "withdrawn"),
                       (safe_line(self._strip_error.title), "withdrawn")])  # fmt: skip
            return
        if self.focused is self.strip:
            hint = _("z takes back the one under the cursor, escape goes to the queue")
        else:
            hint = _("tab goes there")
        title.put([(_("YOUR LAST VERDICTS"), "muted")], [(hint, "muted")])

    def on_descendant_focus(self) -> None:
        """The last ten get room when they have the keys."""
        is_here = self.focused is self.strip
        if self.query_one("#shell").has_class("-strip") != is_here:
            self.query_one("#shell").set_class(is_here, "-strip")
            self._title_strip(self.strip.count)
            self.call_after_refresh(self.say_card_again)
        self.refresh_place()

    # -- taking back --------------------------------------------------------------------------------------------

    def why_not(self, command: Command) -> str:
        """`z` acts in the last ten; the verbs of the queue act outside of it."""
        why = super().why_not(command)
        if why or command.id not in ("undo.this", *_QUEUE_ONLY):
            return why
        if command.id in _QUEUE_ONLY:
            return _("these are your last verdicts; escape goes to the queue") if self.focused is self.strip else ""
        row = self.strip.selected
        if row is None:
            return _("you have decided nothing here yet")
        if self.focused is not self.strip:
            return _("tab goes to your last verdicts; there it takes back the one under the cursor")
        return cannot_take_back(row)

    def do_undo_this(self) -> None:
        """Take back the verdict under the cursor of the strip."""
        row = self.strip.selected
        if row is not None:
            self.station.take_back(row)

    @on(VirtualList.Highlighted, "#strip")
    def _strip_highlighted(self) -> None:
        self.refresh_place()

    def close_strip(self) -> bool:
        """Back to the queue; whether the strip had the keys."""
        if self.focused is not self.strip:
            return False
        self.focus_main()
        return True


_QUEUE_ONLY = (
    "review.approve", "review.deny", "review.promote", "review.skip", "review.edit", "review.editor", "review.extend",
    "review.hold_burst", "review.restore", "mark.toggle", "mark.range",
)  # fmt: skip
"""What must not act on a queue that does not have the keys."""
