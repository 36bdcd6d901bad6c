"""A dialog that proposes a decision and shows what it would do while it is being made. It must not take the decision.

A subclass says `draft` (what is filled in), and `effect_rows` (what the effects say). `propose`, given from outside,
turns a draft into a decision with its effects; it is called in a thread whenever the draft changes. Yes works only
while the effects on the screen are those of the draft.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from textual import on
from textual.timer import Timer
from textual.widgets import Input

from memstation.domain.decisions import Decision, Effects
from memstation.domain.errors import InvalidInput, MemstationError, Refused
from memstation.station.background import Background
from memstation.station.dialogs.base import Choice, Dialog
from memstation.station.render.cells import Run, runs
from memstation.station.render.safe import Safe
from memstation.station.render.wrapping import wrap_runs
from memstation.station.widgets.field import Field
from memstation.station.widgets.pane import TextPane
from memstation.station.words import _

D = TypeVar("D")
TYPING_DELAY = 0.15
"""Seconds without a key before the effects of what was typed are computed."""
INSIDE = 76
"""Cells inside the box."""


@dataclass(frozen=True, slots=True)
class Proposed(Generic[D]):
    """What was answered with yes: the draft, the decision that it makes, and the effects that were shown."""

    draft: D
    decision: Decision
    effects: Effects


class ProposalDialog(Background, Dialog["Proposed[D] | None"], Generic[D]):
    """Returns what was proposed, None for no. `kept` is the draft as it was left, for the next time."""

    def __init__(self, title: Safe, propose: Callable[[D], tuple[Decision, Effects]], note: Safe | None = None) -> None:
        super().__init__(title)
        self.propose = propose
        self.note = note
        self.ready: Proposed[D] | None = None
        self.refusal: MemstationError | None = None
        self._typing: Timer | None = None
        self._is_done = False

    # -- what a subclass says -----------------------------------------------------------------------------------

    @abstractmethod
    def draft(self) -> D:
        """What is filled in now."""

    @abstractmethod
    def effect_rows(self, draft: D, effects: Effects) -> Sequence[Sequence[Run]]:
        """What would change, in lines."""

    def is_unfinished(self, draft: D) -> Safe:
        """Why nothing can be proposed yet, empty when it can: such as that nothing was typed."""
        return Safe("")

    def echo(self) -> None:
        """Say how what was typed is read."""

    # -- proposing ----------------------------------------------------------------------------------------------

    @property
    def preview(self) -> TextPane:
        """What would change."""
        return self.query_one("#preview", TextPane)

    def changed(self, *, at_once: bool = True) -> None:
        """The draft is another one: what was shown no longer holds."""
        self._set_ready(None)
        self.forget("propose")
        self.echo()
        if self._typing is not None:
            self._typing.stop()
        if at_once:
            self._ask()
        else:
            self._typing = self.set_timer(TYPING_DELAY, self._ask)

    def _ask(self) -> None:
        draft = self.draft()
        why = self.is_unfinished(draft)
        if why:
            self.forget("propose")
            self._show([[(why, "muted")]])
            return
        self.in_thread("propose", partial(self.propose, draft), partial(self._proposed, draft), self._refused)

    def _proposed(self, draft: D, answer: tuple[Decision, Effects]) -> None:
        decision, effects = answer
        self.refusal = None
        self._set_ready(Proposed(draft, decision, effects))
        self._show(self.effect_rows(draft, effects))

    def _refused(self, error: MemstationError) -> None:
        self.refusal = error
        role = "warning" if isinstance(error, InvalidInput | Refused) else "withdrawn"
        rows = [[(Safe("! "), role), *runs(error.title, role)]]
        rows += [runs(error.detail)] if error.detail else []
        rows += [runs(error.hint, "muted")] if error.hint else []
        self._show(rows)

    def _show(self, rows: Sequence[Sequence[Run]]) -> None:
        noted: list[Sequence[Run]] = [[(self.note, "warning")], []] if self.note else []
        wrapped = [line for row in [*noted, *rows] for line in wrap_runs(row, min(INSIDE, self.size.width - 4), 2)]
        self.preview.put(wrapped)

    def _set_ready(self, proposed: Proposed[D] | None) -> None:
        self.ready = proposed
        for choice in self.query(Choice):
            choice.set_class(proposed is None and choice.answer == "yes", "-dim")

    # -- fields -------------------------------------------------------------------------------------------------

    def fields(self) -> list[Field]:
        """The fields that can be seen, in order."""
        return [field for field in self.query(Field) if all(node.display for node in field.ancestors_with_self)]

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self.is_armed:
            self.changed(at_once=False)

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        if not self._next_field(1):
            self.leave_field()

    def _next_field(self, step: int) -> bool:
        fields = self.fields()
        if self.focused not in fields:
            return False
        place = fields.index(self.focused) + step
        if not 0 <= place < len(fields):
            return False
        fields[place].focus()
        return True

    def leave_field(self) -> None:
        """Give the keys to the effects, and compute them now."""
        self.preview.focus()
        self.changed()

    def start(self) -> None:
        """The keys go to the effects: nothing there can be pressed."""
        self.preview.focus()

    # -- keys ---------------------------------------------------------------------------------------------------

    def answered(self, answer: str) -> None:
        """Yes only while the effects of the draft are on the screen."""
        if self._is_done:
            return
        if answer != "yes":
            self._is_done = True
            self.dismiss(None)
        elif self.ready is not None:
            self._is_done = True
            self.dismiss(self.ready)
        elif self.refusal is None:
            self.station.say([(_("1 key ignored: what it would do was not on the screen yet"), "warning")])

    def do_dialog_answer(self, answer: str) -> None:
        """`n` and `escape` close, `y` decides."""
        if self.is_armed or answer == "no":
            self.answered(answer)

    def do_dialog_close(self) -> None:
        """One step a press: out of the field, then out of the dialog."""
        if isinstance(self.focused, Field):
            self.leave_field()
        else:
            self.answered("no")

    def do_dialog_list(self, step: str) -> None:
        """Another field, or through the effects."""
        if isinstance(self.focused, Field):
            self._next_field(int(step))
        else:
            self.preview.move(int(step))

    def do_dialog_page(self, step: str) -> None:
        """By pages."""
        self.preview.page(int(step))
