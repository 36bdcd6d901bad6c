"""The past of the Timeline: what was believed at a moment, beside what is believed now. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from memstation.domain.errors import InvalidInput
from memstation.read.rows import PastDetail, PastRow
from memstation.station.bindings import room_bindings
from memstation.station.commands import BY_ID, Command, shown_keys
from memstation.station.render.cells import Run, fit_runs, runs
from memstation.station.render.past import banner, past_note, past_rows, showing
from memstation.station.render.past_columns import past_columns
from memstation.station.render.provenance import joined
from memstation.station.render.safe import Safe, has_hidden, safe_line
from memstation.station.screens.timeline.comparing import Comparing
from memstation.station.widgets.bars import Bar
from memstation.station.widgets.columns import Column
from memstation.station.words import _, counted, say


class PastScreen(Comparing):
    """Lies over the Timeline until `t`, escape, or another room."""

    ROOM = "timeline"
    SCOPE = "Past"
    IS_VIEW = True
    BINDINGS: ClassVar[list[BindingType]] = room_bindings("Past")

    # -- parts --------------------------------------------------------------------------------------------------

    def compose_body(self) -> ComposeResult:
        """The banner above list and detail."""
        yield Bar(id="banner")
        yield from super().compose_body()

    def columns(self, width: int) -> Sequence[Column[PastRow]]:
        """What differs, then, now, since when."""
        sample = [row for row in map(self.main_pane.row, range(60)) if row is not None]
        return past_columns(width, self.station.glyphs, self.station.now(), sample, self.moment.question)

    # -- one belief ---------------------------------------------------------------------------------------------------

    def detail_title(self, row: PastRow, detail: PastDetail | None) -> tuple[Sequence[Run], Sequence[Run]]:
        """Subject and predicate; how many decisions lie between."""
        note = past_note(row, detail, self._key("item.why"))
        named = " ".join(name for name in (row.subject, row.predicate) if name)
        return runs(named, "key") or [(_("a note"), "key")], [(note, "muted")] if note else ()

    def detail_rows(self, row: PastRow, detail: PastDetail) -> Sequence[Sequence[Run]]:
        """Then, now, why."""
        cells = self.detail_pane.size.width - 2 or self.size.width - 2
        return past_rows(row, detail, self.station.now(), cells)

    def on_resize(self) -> None:
        """What is said of a row depends on the room there is."""
        super().on_resize()
        self.call_after_refresh(self._say_again)

    def _say_again(self) -> None:
        row = self.main_pane.selected
        if row is not None and self._detail is not None and self._detail.row.key == row.key:
            self.put_detail(row, self._detail)

    # -- which moment -------------------------------------------------------------------------------------------

    def do_past_earlier(self) -> None:
        """A day back."""
        self._step(-1)

    def do_past_later(self) -> None:
        """A day on."""
        self._step(1)

    def _step(self, days: int) -> None:
        self.moment = self.moment.moved(days, self.station.now(), self._first)
        self._known, self._counts = None, {}
        self._again()

    def do_past_diff(self) -> None:
        """Only what differs, or all; the cursor stays on its row."""
        self.only_differences = not self.only_differences
        self._again()

    def agent_chosen(self, agent_id: str | None) -> None:
        """Another agent's beliefs at the same moment."""
        if agent_id is None:
            self.station.say([(say("Timeline shows one agent at a time: {agent}", agent=self.agent), "muted")])
        elif agent_id != self.agent:
            self.agent, self._counts = agent_id, {}
            self.load()

    # -- ways out -----------------------------------------------------------------------------------------------

    def do_past_leave(self) -> None:
        """Back to now."""
        self.station.pop_screen()
        self.station.say([(_("Timeline shows now."), "muted")])

    def step_back(self) -> bool:
        """The detail and the filter first, then the past itself."""
        if not super().step_back():
            self.do_past_leave()
        return True

    def called(self) -> Safe:
        """The past of the room."""
        return say("{room}, the past", room=super().called())

    def left_for(self, title: Safe) -> Sequence[Run]:
        """Another room shows now, unless a decision was followed: that is said already."""
        return () if self.is_followed else [(say("{room} shows now.", room=title), "muted")]

    def is_kept(self, before: str, *, trail: bool) -> bool:
        """Whether coming back finds the past: only from the decision that was followed, or along the way there."""
        was, self.is_followed = self.is_followed, False
        return was and (before == "log" or not trail)

    def do_item_open(self) -> None:
        """The detail; from the detail, the decision that made the difference."""
        if self.query_one("#shell").has_class("-reading"):
            self.run_command(BY_ID["item.why"])
        else:
            super().do_item_open()

    def do_item_why(self) -> None:
        """The decision that made the difference, in the Log."""
        row = self.main_pane.selected
        if row is not None and row.cause is not None:
            self.is_followed = True
            self.station.open_log(seq=row.cause.seq)
            key = self._key("view.back")
            self.station.say([(say("{key} goes back to the past of {agent}", key=key, agent=self.agent), "muted")])

    # -- keys ---------------------------------------------------------------------------------------------------

    def _key(self, command_id: str) -> str:
        return shown_keys(BY_ID[command_id], self.station.services.keymap, first=True)

    def why_not(self, command: Command) -> str:
        """Nothing is decided in the past; a day that is none, and a difference without a decision."""
        if command.decides:
            return say("the past can only be read; {key} goes back to now", key=self._key("past.leave"))
        why = super().why_not(command)
        if why:
            return why
        if command.id in ("past.earlier", "past.later"):
            return self._why_no_step(1 if command.id == "past.later" else -1)
        row = self.main_pane.selected
        if command.id == "item.why" and row is not None and row.cause is None:
            return _("nothing changed it") if row.kind == "same" else _("no decision did it: time passed")
        return ""

    def _why_no_step(self, days: int) -> str:
        try:
            self.moment.moved(days, self.station.now(), self._first)
        except InvalidInput as error:
            return safe_line(", ".join(part for part in (error.title, error.detail) if part))
        return ""

    def footer_label(self, command: Command) -> Safe:
        """What `=` would show."""
        if command.id == "past.diff":
            return _("all") if self.only_differences else _("differences")
        return super().footer_label(command)

    def do_item_copy_id(self) -> None:
        """Copy the id of what is believed now, else of what was."""
        row = self.main_pane.selected
        fact = None if row is None else row.now or row.then
        if fact is not None:
            self.station.copy(fact.id)

    def do_item_copy_text(self) -> None:
        """Copy the text of then, else of now, as it is stored."""
        row, detail = self.main_pane.selected, self._detail
        fact = None if row is None else row.then or row.now
        if row is None or fact is None:
            return
        record = None if detail is None or detail.row.key != row.key else detail.then or detail.now
        text = fact.content if record is None else record.content
        self.station.copy(text)
        if has_hidden(text):
            self.station.say([(_("It has characters that cannot be seen.  "), "warning"), *self.station.message])

    # -- rows ---------------------------------------------------------------------------------------------------

    def agent_name(self) -> Sequence[Run]:
        """Whose beliefs these are."""
        return runs(self.agent)

    def refresh_bars(self) -> None:
        """The banner too."""
        super().refresh_bars()
        for bar in self.query("#banner").results(Bar):
            glyph = self.station.glyphs.signs["past"]
            head: list[Run] = [(Safe(f"{glyph} {_('PAST')}  "), "past")]
            said = banner(
                self.moment, self._known, self.agent, self.station.now(), self.size.width - 1 - len(head[0][0])
            )
            bar.put(fit_runs([*head, *said], max(0, self.size.width - 1)))

    def what(self) -> tuple[Sequence[Run], Sequence[Run]]:
        """Whose beliefs, how many differ, the filter; which moment."""
        left: list[Run] = [*joined(runs(self.agent, "strong"), 24), (Safe("   "), "")]
        if self._is_reading and self.only_differences not in self._counts:
            left.append((_("reading .."), "muted"))
        elif self.is_wide or not self.filter_text:
            left += [*self._how_many(), (Safe("   "), "")]
        if self.filter_text:
            left += [(_("filter "), "muted"), *joined(runs(self.filter_text, "marked"), 24),
                     (Safe(f" ({self.total()})"), "marked"), (_("  escape clears"), "muted")]  # fmt: skip
        return left, [(showing(self.moment, self.station.now(), only_differences=self.only_differences), "marked")]

    def _how_many(self) -> list[Run]:
        """How many differ, of how many, as far as it is known."""
        differ, every = self._counts.get(True), self._counts.get(False)
        if differ is not None and every is not None:
            return [(counted("{some} of {n} belief differs", "{some} of {n} beliefs differ", every,
                             some=f"{differ:,}"), "")]  # fmt: skip
        if differ is not None:
            return [(counted("{n} differs", "{n} differ", differ), "")]
        return [] if every is None else [(counted("{n} belief", "{n} beliefs", every), "")]

    def empty_words(self) -> tuple[Safe, Sequence[Safe], Sequence[tuple[str, Safe]]]:
        """Nothing matches, nothing differs, or nothing was believed."""
        leave = (self._key("past.leave"), _("back to now"))
        other = (self._key("past.earlier"), _("a day back"))
        if self.filter_text:
            keys = [("escape", _("clear the filter")), ("/", _("another filter")), leave]
            if self.only_differences:
                why = (_("Only what differs is looked through."),)
                return (say("Nothing that differs matches {text}.", text=self.filter_text), why,
                        [(self._key("past.diff"), _("look through all")), *keys])  # fmt: skip
            return say("Nothing matches {text}.", text=self.filter_text), (), keys
        if self.only_differences:
            title = say("Nothing differs: what {agent} believed then is what it believes now.", agent=self.agent)
            return title, (), [(self._key("past.diff"), _("all it believed")), other, leave]
        return say("{agent} believed nothing then, and believes nothing now.", agent=self.agent), (), [other, leave]
