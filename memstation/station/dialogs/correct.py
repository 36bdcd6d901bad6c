"""Correct a fact: it was never true, it stopped being true on a day, its value is wrong. It must not decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, Static

from memstation.domain.decisions import Decision, Effects
from memstation.domain.errors import InvalidInput
from memstation.read.rows import FactDetail
from memstation.station.days import read_day
from memstation.station.dialogs.base import Choice
from memstation.station.dialogs.proposal import INSIDE, ProposalDialog
from memstation.station.render.cells import Run, cut, fit, runs
from memstation.station.render.correction import correction_rows
from memstation.station.render.safe import Safe, safe_line, typed
from memstation.station.render.show import content, lines
from memstation.station.render.when import full
from memstation.station.render.wrapping import wrap_runs
from memstation.station.widgets.field import Field
from memstation.station.widgets.pane import TextPane
from memstation.station.words import N_, _, say

Option: TypeAlias = Literal["1", "2", "3"]
LONGEST = 500
"""Characters that a field takes; a longer text is written anew, never cut."""

_OPTIONS: dict[Option, str] = {
    "1": N_("It was never true"), "2": N_("It stopped being true on a day"), "3": N_("The value is wrong: I write it"),
}  # fmt: skip
_HEADINGS: dict[Option, str] = {
    "1": N_("NEVER TRUE: what would change"), "2": N_("STOPPED BEING TRUE: what would change"),
    "3": N_("ANOTHER VALUE: what would change"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CorrectDraft:
    """What the operator has chosen and written."""

    option: Option = "1"
    day: str = ""
    value: str = ""
    words: str = ""
    """The sentence, where the fact has one beside its value."""
    reject: bool = True
    """Never true: remember the value as rejected."""
    reject_old: bool = False
    """Another value: remember the old one as rejected."""


class CorrectDialog(ProposalDialog[CorrectDraft]):
    """One dialog, three options, each with its effects. Digits choose; `r` ticks; `y` decides."""

    def __init__(
        self,
        detail: FactDetail,
        propose: Callable[[CorrectDraft], tuple[Decision, Effects]],
        now: datetime,
        draft: CorrectDraft | None = None,
        note: Safe | None = None,
    ) -> None:
        self.detail, self.now = detail, now
        record = detail.record
        about = " ".join(name for name in (record.subject, record.predicate) if name) or _("a note")
        value = record.object or record.content
        title = say("Correct: {about} = {value}", about=about[:200], value=value[:200])
        super().__init__(cut(title, 72), propose, note)
        self.kept = draft or self._first_draft()
        self._words = self._first_draft().words
        self._followed = self.kept.words
        """The sentence as it was last written from the value."""

    def _first_draft(self) -> CorrectDraft:
        """The old texts to be changed, where a field can hold them whole."""
        record = self.detail.record
        value = record.object or record.content
        words = record.content if record.object and record.content != record.object else ""
        return CorrectDraft(value=editable(value), words=editable(words))

    # -- parts --------------------------------------------------------------------------------------------------

    def compose_body(self) -> ComposeResult:
        """Question, options, what the option asks for, effects, tick."""
        yield Static(id="question")
        yield Static(id="options", classes="spaced")
        with Vertical(id="form", classes="spaced"):
            yield Static(id="old")
            with Horizontal(classes="line", id="day-line"):
                yield Static(content([(_("Day"), "muted")]), classes="label")
                yield Field(self.kept.day, id="day")
                yield Static(id="reads")
            with Horizontal(classes="line", id="value-line"):
                yield Static(content([(_("Value"), "muted")]), classes="label")
                yield Field(self.kept.value, id="value")
            with Horizontal(classes="line", id="words-line"):
                yield Static(content([(_("In words"), "muted")]), classes="label")
                yield Field(self.kept.words, id="words")
        yield Static(id="heading", classes="spaced")
        yield TextPane(id="preview")
        yield Static(id="tick")

    def choices(self) -> Sequence[Choice]:
        """No first."""
        return [Choice("n", _("No, go back"), "no"), Choice("y", _("Yes, correct it"), "yes")]

    def footer(self) -> Sequence[tuple[str, Safe, bool]]:
        """What the keys do here."""
        return [("1 2 3", _("what was wrong"), False), ("r", _("reject"), False), ("enter", _("leave a field"), False),
                ("y", _("yes"), False), ("n", _("no"), False)]  # fmt: skip

    def fill(self) -> None:
        """The option that was left the last time, else the first."""
        self._choose(self.kept.option)

    def start(self) -> None:
        """The keys go to the effects, or to what has to be written."""
        super().start()
        self._focus_field()

    # -- options ------------------------------------------------------------------------------------------------

    def do_dialog_option(self, step: str) -> None:
        """Choose what was wrong."""
        if step in _OPTIONS:
            self.kept = self.draft()
            self._choose(step)
            self._focus_field()

    def _choose(self, option: Option) -> None:
        self.kept = CorrectDraft(option, self.kept.day, self.kept.value, self.kept.words, self.kept.reject,
                                 self.kept.reject_old)  # fmt: skip
        has_words = bool(self.detail.record.object and self.detail.record.content != self.detail.record.object)
        self.query_one("#form").display = option != "1"
        self.query_one("#day-line").display = option == "2"
        self.query_one("#value-line").display = option == "3"
        self.query_one("#words-line").display = option == "3" and has_words
        self.query_one("#question", Static).update(content([(self._question(), "strong")]))
        self.query_one("#options", Static).update(lines(self._option_rows(option)))
        self.query_one("#old", Static).update(lines(self._old_rows(option)))
        self.query_one("#heading", Static).update(content([(_(_HEADINGS[option]), "muted")]))
        self._show_tick()
        self.changed()

    def _focus_field(self) -> None:
        fields = {"2": "#day", "3": "#value"}
        if self.kept.option in fields:
            self.query_one(fields[self.kept.option], Field).focus()
        else:
            self.preview.focus()

    def _question(self) -> Safe:
        if self.detail.record.asked is not None:
            return _("It confirms a fact.  Never true: only this claim goes, the fact stays.")
        return _("What was wrong with it?")

    @staticmethod
    def _option_rows(chosen: Option) -> list[list[Run]]:
        def entry(option: Option) -> list[Run]:
            here = option == chosen
            return [(Safe("> " if here else "  "), "key"), (Safe(option), "key"),
                    (Safe(f"  {_(_OPTIONS[option])}"), "strong" if here else "")]  # fmt: skip

        def cell(option: Option) -> list[Run]:
            parts = entry(option)
            return [*parts[:-1], (fit(parts[-1][0], 33), parts[-1][1])]

        return [[*cell("1"), *entry("2")], entry("3")]

    def _old_rows(self, option: Option) -> list[list[Run]]:
        if option == "2":
            return [[(_("The first day on which it no longer held:"), "")]]
        record = self.detail.record
        value = record.object or record.content
        rows = wrap_runs([(_("It says   "), "muted"), *runs(value[:1_000])], INSIDE, 10)[:3]
        if value and not editable(value):
            rows.append([(_("Too long or too odd to be edited here: write it anew."), "warning")])
        return rows

    # -- the tick -----------------------------------------------------------------------------------------------

    def do_dialog_tick(self) -> None:
        """Remember the value as rejected, or not."""
        self.kept = self.draft()
        if self.kept.option == "2":
            return
        first = self.kept.option == "1"
        self.kept = CorrectDraft(
            self.kept.option, self.kept.day, self.kept.value, self.kept.words,
            self.kept.reject != first, self.kept.reject_old != (not first),
        )  # fmt: skip
        self._show_tick()
        self.changed()

    def _show_tick(self) -> None:
        option = self.kept.option
        tick = self.query_one("#tick", Static)
        tick.display = option != "2" and self.detail.record.asked is None
        on = self.kept.reject if option == "1" else self.kept.reject_old
        words = _("remember this value as rejected")
        if option == "3":
            words = _("remember the old value as rejected")
        tick.update(content([(Safe("[x] " if on else "[ ] "), "strong" if on else "muted"), (Safe("r"), "key"),
                             (Safe(f"  {words}"), "" if on else "muted")]))  # fmt: skip

    # -- the sentence -------------------------------------------------------------------------------------------

    @on(Input.Changed, "#value")
    def _value_typed(self, event: Input.Changed) -> None:
        """The sentence follows the value, as long as it was not written anew."""
        before, words = self.detail.record.object, self.query_one("#words", Field)
        if before and before in self._words and words.value == self._followed and event.value.strip():
            self._followed = words.value = self._words.replace(before, event.value.strip())

    # -- proposing ----------------------------------------------------------------------------------------------

    def draft(self) -> CorrectDraft:
        """What is chosen and written."""
        day, value, words = (self.query_one(name, Field).value for name in ("#day", "#value", "#words"))
        return CorrectDraft(self.kept.option, day, value, words, self.kept.reject, self.kept.reject_old)

    def is_unfinished(self, draft: CorrectDraft) -> Safe:
        """Nothing is written yet."""
        self.kept = draft
        if draft.option == "2":
            try:
                read_day(draft.day, self.now)
            except InvalidInput as error:
                return safe_line(error.hint)
        if draft.option == "3" and not draft.value.strip():
            return _("Write the right value.")
        if draft.option == "3" and (draft.value, draft.words) == (self._first_draft().value, self._first_draft().words):
            return _("Write the right value in place of the old one.")
        return Safe("")

    def echo(self) -> None:
        """How the day is read."""
        if self.kept.option != "2":
            return
        text = self.query_one("#day", Field).value
        said: list[Run] = []
        if text.strip():
            try:
                said = [(_("reads as  "), "muted"), (full(read_day(text, self.now)), "current")]
            except InvalidInput as error:
                said = [(safe_line(error.title), "warning")]
        self.query_one("#reads", Static).update(content(said))

    def effect_rows(self, draft: CorrectDraft, effects: Effects) -> Sequence[Sequence[Run]]:
        """What would change for this fact."""
        at = read_day(draft.day, self.now) if draft.option == "2" else None
        rows = correction_rows(effects, self.detail, self.station.glyphs, self.now, at=at)
        return [[(Safe("  "), ""), *row] for row in rows]


def editable(text: str) -> str:
    """The text, where a field shows it exactly; else nothing."""
    return text if len(text) <= LONGEST and typed(text) == text else ""
