"""Read a list of names as suggestions: the file, and what would be suggested. It must not decide, nor join anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from memstation.domain.decisions import Decision, Effects
from memstation.station.dialogs.base import Choice
from memstation.station.dialogs.proposal import ProposalDialog
from memstation.station.render.cells import Run, runs
from memstation.station.render.safe import Safe
from memstation.station.render.show import content
from memstation.station.widgets.field import Field
from memstation.station.widgets.pane import TextPane
from memstation.station.words import _, counted, say

SHOWN = 200
"""Suggestions that are listed; the rest is counted."""


@dataclass(frozen=True, slots=True)
class NameListDraft:
    """Where the list lies."""

    path: str = ""


class NameListDialog(ProposalDialog[NameListDraft]):
    """Returns what the list would suggest."""

    def __init__(
        self, agent_id: str, propose: Callable[[NameListDraft], tuple[Decision, Effects]], draft: NameListDraft,
        note: Safe | None = None,
    ) -> None:  # fmt: skip
        super().__init__(say("A list of names for {agent}", agent=agent_id[:40]), propose, note)
        self.kept = draft

    def compose_body(self) -> ComposeResult:
        """The file, then what it suggests."""
        yield Static(content([(_("CSV or JSONL: canonical, alias. Nothing is joined until you say so."), "muted")]))
        with Horizontal(classes="line spaced"):
            yield Static(content([(_("File"), "muted")]), classes="label")
            yield Field(self.kept.path, id="path")
        yield TextPane(id="preview", classes="spaced")

    def choices(self) -> Sequence[Choice]:
        """No first."""
        return [Choice("n", _("No, go back"), "no"), Choice("y", _("Yes, suggest them"), "yes")]

    def footer(self) -> Sequence[tuple[str, Safe, bool]]:
        """What the keys do here."""
        return [("enter", _("leave the field"), False), ("y", _("yes, suggest them"), False), ("n", _("no"), False),
                ("escape", _("no"), False)]  # fmt: skip

    def fill(self) -> None:
        """What the last file would suggest, where there was one."""
        self.changed()

    def start(self) -> None:
        """The file is what has to be written."""
        self.query_one("#path", Field).focus()

    def draft(self) -> NameListDraft:
        """What is written."""
        return NameListDraft(self.query_one("#path", Field).value)

    def is_unfinished(self, draft: NameListDraft) -> Safe:
        """Nothing is written yet."""
        self.kept = draft
        return Safe("") if draft.path.strip() else _("Write where the list lies.")

    def effect_rows(self, draft: NameListDraft, effects: Effects) -> Sequence[Sequence[Run]]:
        """How many names, and which."""
        orders = effects.orders
        rows: list[list[Run]] = [
            [(counted("{n} would be suggested:", "{n} would be suggested:", len(orders)), "strong")]
        ]
        rows += [[(Safe("? "), "held"), *runs(order.subject), (Safe(" -> "), "muted"), *runs(order.value)]
                 for order in orders[:SHOWN]]  # fmt: skip
        if len(orders) > SHOWN:
            rows.append([(say("and {n} more", n=f"{len(orders) - SHOWN:,}"), "muted")])
        return rows
