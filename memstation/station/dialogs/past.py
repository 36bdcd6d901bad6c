"""Show the past: three questions in plain words, and one day. It must not show anything itself, nor guess a day."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.timer import Timer
from textual.widgets import Input, Static

from memstation.domain.errors import InvalidInput, MemstationError
from memstation.read.rows import PastMoment
from memstation.station.background import Background
from memstation.station.dialogs.base import Choice, Dialog
from memstation.station.dialogs.proposal import TYPING_DELAY
from memstation.station.moments import HINT, QUESTIONS, Moment, Question
from memstation.station.render.cells import Run, cut, runs
from memstation.station.render.safe import Safe, safe_line
from memstation.station.render.show import content, lines
from memstation.station.render.when import full
from memstation.station.widgets.field import Field
from memstation.station.words import _, say


@dataclass(frozen=True, slots=True)
class Asked:
    """A moment of the past as it was read."""

    moment: Moment
    known: PastMoment
    """The point on both clocks."""
    first: datetime | None
    """When the first decision was taken."""


class PastDialog(Background, Dialog["Asked | None"]):
    """Returns the moment that was asked for, None for none. `kept` is the question and the text as they were left."""

    def __init__(
        self, agent_id: str, read: Callable[[Question, str], Asked], kept: tuple[Question, str] = ("1", "")
    ) -> None:
        super().__init__(cut(say("Show the past of {agent}", agent=agent_id[:60]), 72))
        self.kept = kept
        self._read = read
        self._ready: Asked | None = None
        self._is_wanted = False
        """Whether enter was pressed while the text was still being read."""
        self._typing: Timer | None = None

    # -- parts --------------------------------------------------------------------------------------------------

    def compose_body(self) -> ComposeResult:
        """Questions, day, how it is read."""
        yield Static(id="questions")
        with Horizontal(classes="line spaced"):
            yield Static(content([(_("Day"), "muted")]), classes="label")
            yield Field(self.kept[1], id="day")
        yield Static(id="reads")

    def choices(self) -> Sequence[Choice]:
        """No first; showing changes nothing."""
        return [Choice("escape", _("No, stay at now"), "no"), Choice("enter", _("Show it"), "yes")]

    def footer(self) -> Sequence[tuple[str, Safe, bool]]:
        """What the keys do here."""
        return [("up/down", _("which question"), False), ("enter", _("show"), False),
                ("tab", _("next field"), False), ("escape", _("no"), False)]  # fmt: skip

    def fill(self) -> None:
        """The question that was asked the last time, else the first."""
        self._choose(self.kept[0])

    def start(self) -> None:
        """The day is what has to be written; what was written the last time goes with the first key."""
        field = self.query_one("#day", Field)
        field.focus()
        field.action_select_all()
        self._ask()

    # -- the question -------------------------------------------------------------------------------------------

    def _choose(self, question: Question) -> None:
        self.kept = (question, self.kept[1])
        rows: list[list[Run]] = []
        for number, words in QUESTIONS.items():
            here = number == question
            rows.append([(Safe("> " if here else "  "), "key"), (Safe(number), "key"),
                         (Safe(f"  {_(words)}"), "strong" if here else "")])  # fmt: skip
        self.query_one("#questions", Static).update(lines(rows))

    def do_dialog_option(self, step: str) -> None:
        """A digit chooses, where it is not typed into the field."""
        question: Question | None = next((number for number in QUESTIONS if number == step), None)
        if question is not None:
            self._choose(question)
            self._ask()

    def do_dialog_list(self, step: str) -> None:
        """The question above or below."""
        numbers = list(QUESTIONS)
        place = numbers.index(self.kept[0]) + int(step)
        if 0 <= place < len(numbers):
            self._choose(numbers[place])
            self._ask()

    # -- the day ------------------------------------------------------------------------------------------------

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if event.value == self.kept[1]:
            return
        self.kept = (self.kept[0], event.value)
        self._drop()
        if self._typing is not None:
            self._typing.stop()
        self._typing = self.set_timer(TYPING_DELAY, self._ask)

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.kept = (self.kept[0], event.value)
        self._show()

    def _drop(self) -> None:
        """What was read is no longer what is written."""
        self._ready, self._is_wanted = None, False
        self.forget("read")

    def _ask(self) -> None:
        if self._typing is not None:
            self._typing.stop()
        wanted = self._is_wanted
        self._drop()
        if not self.kept[1].strip():
            self._say([(_(HINT), "muted")])
            return
        self._is_wanted = wanted
        self.in_thread("read", partial(self._read, *self.kept), self._understood, self._refused)

    def _understood(self, asked: Asked) -> None:
        self._ready = asked
        said: list[Run] = [(_("reads as  "), "muted"), (full(asked.known.at if self.kept[0] != "3" else
                           asked.moment.day), "current")]  # fmt: skip
        if asked.moment.before is not None:
            said.append((say(", just before decision #{n}", n=asked.moment.before), ""))
        elif self.kept[0] == "2":
            said.append((_(", as known today"), ""))
        else:
            said.append((say(", decision #{n}", n=asked.known.seq), ""))
        self._say(said)
        if self._is_wanted:
            self.dismiss(asked)

    def _refused(self, error: MemstationError) -> None:
        self._is_wanted = False
        role = "warning" if isinstance(error, InvalidInput) else "withdrawn"
        said: list[Run] = [(safe_line(error.title), role)]
        if error.detail:
            said += [(Safe(": "), role), *runs(error.detail)]
        self._say(said, [(safe_line(error.hint), "muted")])

    def _say(self, *rows: Sequence[Run]) -> None:
        self.query_one("#reads", Static).update(lines(rows))

    # -- keys ---------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        """Show the moment; where it is not read yet, as soon as it is."""
        if not self.is_armed:
            return
        if self._ready is not None:
            self.dismiss(self._ready)
            return
        self._is_wanted = True
        self._ask()

    def answered(self, answer: str) -> None:
        """Show, or close."""
        if answer == "yes":
            self._show()
        else:
            self.dismiss(None)

    def do_dialog_answer(self, answer: str) -> None:
        """`n` is no; `y` is not how a moment is shown."""
        if answer == "no":
            self.answered(answer)
