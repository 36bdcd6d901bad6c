"""Write what a held memory should have said, then approve that. It must not write it: the room does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input, Static

from memstation.domain.decisions import Decision, Effects
from memstation.domain.memory import FactRecord
from memstation.station.dialogs.base import Choice
from memstation.station.dialogs.correct import editable
from memstation.station.dialogs.proposal import INSIDE, ProposalDialog
from memstation.station.render.cells import Run, cut, runs
from memstation.station.render.correction import change_rows
from memstation.station.render.safe import Safe
from memstation.station.render.show import content, lines
from memstation.station.render.wrapping import labelled
from memstation.station.widgets.field import Field
from memstation.station.widgets.pane import TextPane
from memstation.station.words import _, say

HANG = 10
OLD_LINES = 4
"""Lines of the old texts that stand above the fields."""


@dataclass(frozen=True, slots=True)
class EditDraft:
    """What the operator has written."""

    value: str = ""
    words: str = ""
    """The sentence, where the memory has one beside its value."""


def draft_of(record: FactRecord) -> EditDraft:
    """The held texts, where a field can hold them whole."""
    words = record.content if record.object and record.content != record.object else ""
    return EditDraft(editable(record.object or record.content), editable(words))


class EditDialog(ProposalDialog[EditDraft]):
    """The held words, a field for the value and one for the sentence, what approving them would do.

    With `is_written` the draft comes from an editor and stands as it is: a field would cut a long text.
    """

    def __init__(
        self,
        record: FactRecord,
        propose: Callable[[EditDraft], tuple[Decision, Effects]],
        draft: EditDraft | None = None,
        note: Safe | None = None,
        *,
        is_written: bool = False,
    ) -> None:
        about = " ".join(name for name in (record.subject, record.predicate) if name) or _("a note")
        super().__init__(cut(say("Edit, then approve: {about}", about=about[:200]), 72), propose, note)
        self.record = record
        self.first = draft_of(record)
        self.kept = draft or self.first
        self.is_written = is_written
        self._followed = self.kept.words
        """The sentence as it was last written from the value."""

    def compose_body(self) -> ComposeResult:
        """What is held, the fields, the effects."""
        yield Static(id="old")
        with Horizontal(classes="line spaced", id="value-line"):
            yield Static(content([(_("Value"), "muted")]), classes="label")
            yield Field(self.kept.value, id="value")
        with Horizontal(classes="line", id="words-line"):
            yield Static(content([(_("In words"), "muted")]), classes="label")
            yield Field(self.kept.words, id="words")
        yield Static(content([(_("What would change; your words have full trust"), "muted")]), classes="spaced")
        yield TextPane(id="preview")

    def choices(self) -> Sequence[Choice]:
        """No first."""
        return [Choice("n", _("No, go back"), "no"), Choice("y", _("Yes, approve it so"), "yes")]

    def footer(self) -> Sequence[tuple[str, Safe, bool]]:
        """What the keys do here."""
        return [("enter", _("leave a field"), False), ("escape", _("leave, keep the draft"), False),
                ("y", _("yes"), False), ("n", _("no"), False)]  # fmt: skip

    def fill(self) -> None:
        """The held words, and what is written so far."""
        record = self.record
        rows = labelled(_("Held"), runs((record.object or record.content)[:1_000]), INSIDE, HANG)
        if record.object and record.content != record.object:
            rows += labelled(_("In words"), runs(record.content[:1_000]), INSIDE, HANG)
        if self.is_written:
            rows += labelled(_("Written"), runs(self.kept.value[:1_000], "strong"), INSIDE, HANG)
            rows += labelled(_("In words"), runs(self.kept.words[:1_000], "strong"), INSIDE, HANG)
        self.query_one("#old", Static).update(lines(rows[: OLD_LINES * 2 if self.is_written else OLD_LINES]))
        has_words = bool(record.object and record.content != record.object)
        self.query_one("#words-line").display = has_words and not self.is_written
        self.query_one("#value-line").display = not self.is_written
        self.changed()

    def start(self) -> None:
        """Begin to write."""
        if self.is_written:
            super().start()
        else:
            self.query_one("#value", Field).focus()

    @on(Input.Changed, "#value")
    def _value_typed(self, event: Input.Changed) -> None:
        """The sentence follows the value, as long as it was not written anew."""
        before, words = self.record.object, self.query_one("#words", Field)
        if before and before in self.first.words and words.value == self._followed and event.value.strip():
            self._followed = words.value = self.first.words.replace(before, event.value.strip())

    def draft(self) -> EditDraft:
        """What is written."""
        if self.is_written:
            return self.kept
        return EditDraft(self.query_one("#value", Field).value, self.query_one("#words", Field).value)

    def is_unfinished(self, draft: EditDraft) -> Safe:
        """Something else than what is held must be written."""
        self.kept = draft
        if not draft.value.strip():
            return _("Write what it should say.")
        if draft == self.first:
            return _("Write something else in place of it; to take it as it is, approve it.")
        return Safe("")

    def effect_rows(self, draft: EditDraft, effects: Effects) -> Sequence[Sequence[Run]]:
        """What would change for this fact; that the held one goes is no change to the agents."""
        about = (self.record.subject, self.record.predicate)
        rows = change_rows(effects, about, self.station.glyphs, self.station.now())
        return rows or [[(_("Nothing changes for the agents."), "")]]
