"""Tell an agent a fact: about, says, value, from, until. It must not tell it: the room does, when the answer is yes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from memstation.domain.decisions import Decision, Effects
from memstation.domain.errors import InvalidInput
from memstation.station.days import read_day
from memstation.station.dialogs.base import Choice
from memstation.station.dialogs.proposal import ProposalDialog
from memstation.station.render.cells import Run, cut
from memstation.station.render.correction import change_rows
from memstation.station.render.effects import effects_lines
from memstation.station.render.safe import Safe, safe_line
from memstation.station.render.show import content
from memstation.station.render.when import full
from memstation.station.widgets.field import Field
from memstation.station.widgets.pane import TextPane
from memstation.station.words import N_, _, say

_FIELDS = (
    ("about", N_("About")), ("says", N_("Says")), ("value", N_("Value")), ("start", N_("From")), ("until", N_("Until")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TellDraft:
    """What the operator has written."""

    about: str = ""
    says: str = ""
    value: str = ""
    start: str = ""
    """Empty means now."""
    until: str = ""
    """Empty means no end."""


class TellDialog(ProposalDialog[TellDraft]):
    """Five fields and what they would do. Enter goes to the next field, `y` tells once they are left."""

    def __init__(
        self,
        agent_id: str,
        propose: Callable[[TellDraft], tuple[Decision, Effects]],
        now: datetime,
        draft: TellDraft | None = None,
        note: Safe | None = None,
    ) -> None:
        super().__init__(cut(say("Tell {agent} a fact", agent=agent_id[:200]), 72), propose, note)
        self.agent_id, self.now = agent_id, now
        self.kept = draft or TellDraft()

    def compose_body(self) -> ComposeResult:
        """The fields, how the days are read, the effects."""
        for name, label in _FIELDS:
            with Horizontal(classes="line"):
                yield Static(content([(_(label), "muted")]), classes="label")
                yield Field(getattr(self.kept, name), id=name)
                if name in ("start", "until"):
                    yield Static(id=f"{name}-reads", classes="reads")
        yield Static(content([(_("What would change"), "muted")]), id="heading", classes="spaced")
        yield TextPane(id="preview")

    def choices(self) -> Sequence[Choice]:
        """No first."""
        return [Choice("n", _("No, go back"), "no"), Choice("y", _("Yes, tell it"), "yes")]

    def footer(self) -> Sequence[tuple[str, Safe, bool]]:
        """What the keys do here."""
        return [("enter", _("next field"), False), ("up/down", _("fields"), False),
                ("escape", _("leave a field"), False), ("y", _("yes"), False), ("n", _("no"), False)]  # fmt: skip

    def fill(self) -> None:
        """Nothing is known yet."""
        self.changed()

    def start(self) -> None:
        """Begin to write where something is missing; a subject that was taken over is replaced by typing."""
        name = next((name for name, _label in _FIELDS[:3] if not getattr(self.kept, name)), "about")
        field = self.query_one(f"#{name}", Field)
        field.focus()

    def draft(self) -> TellDraft:
        """What is written."""
        return TellDraft(*(self.query_one(f"#{name}", Field).value for name, _label in _FIELDS))

    def is_unfinished(self, draft: TellDraft) -> Safe:
        """A value is the least that can be told."""
        self.kept = draft
        if not draft.value.strip():
            return _("Write what it is about, what it says, and the value. Without a subject it is a note.")
        return Safe("")

    def echo(self) -> None:
        """How the days are read."""
        empty = {"start": _("empty is now"), "until": _("empty is no end")}
        for name, word in empty.items():
            text = self.query_one(f"#{name}", Field).value
            said: list[Run] = [(word, "muted")]
            if text.strip():
                try:
                    said = [(_("reads as  "), "muted"), (full(read_day(text, self.now)), "current")]
                except InvalidInput as error:
                    said = [(safe_line(error.title), "warning")]
            self.query_one(f"#{name}-reads", Static).update(content(said))

    def effect_rows(self, draft: TellDraft, effects: Effects) -> Sequence[Sequence[Run]]:
        """What would change: what is left without a value first, since it is easily missed."""
        glyphs = self.station.glyphs
        if not (draft.about.strip() and draft.says.strip()):
            note: list[Run] = [(_("Without both about and says it is kept as a note of that day."), "muted")]
            return [note, *effects_lines(effects, glyphs, self.now)]
        rows = change_rows(effects, (draft.about.strip(), draft.says.strip()), glyphs, self.now)
        rows.sort(key=lambda row: bool(row) and row[0][1] != "warning")
        return [[(Safe("  "), ""), *row] for row in rows] or [[(_("Nothing changes for the agents."), "")]]
