"""Asks before many, or something that could do harm, are approved or denied. It must not decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from textual.app import ComposeResult
from textual.widgets import Static

from memstation.domain.decisions import Decision, Effects, FactChange
from memstation.domain.holding import HOLD_KINDS_OF_REASON
from memstation.read.review_rows import HeldRow
from memstation.station.dialogs.base import Choice
from memstation.station.dialogs.proposal import INSIDE, ProposalDialog
from memstation.station.render.cells import Run
from memstation.station.render.effects import effects_counts, effects_lines
from memstation.station.render.held_card import ASKS
from memstation.station.render.held_head import some_rows, source_runs, value_line
from memstation.station.render.safe import Safe
from memstation.station.render.show import content, lines
from memstation.station.render.wrapping import labelled
from memstation.station.widgets.pane import TextPane
from memstation.station.words import _, counted, say

Verdict: TypeAlias = Literal["approve", "deny"]
HANG = 8
FULL = 1.0


@dataclass(frozen=True, slots=True)
class VerdictDraft:
    """What is ticked."""

    also: bool = False
    """Denying: hold the earlier ones of the burst as well."""
    raised: bool = False
    """Approving: raise their trust to 1.0."""


class VerdictDialog(ProposalDialog[VerdictDraft]):
    """The memories, what would change now and later, how many the filter hides; `y` decides.

    Args:
        verdict: which of the two.
        rows: the memories.
        outside: how many of them the filter hides.
        earlier: how many facts in use the same bursts brought before.
        warnings: what else must be known before, line by line.
        propose: what the draft would do.
        draft: what is ticked at the start.
        note: why it is asked again.
    """

    def __init__(
        self,
        verdict: Verdict,
        rows: Sequence[HeldRow],
        outside: int,
        earlier: int,
        warnings: Sequence[Sequence[Run]],
        propose: Callable[[VerdictDraft], tuple[Decision, Effects]],
        draft: VerdictDraft | None = None,
        note: Safe | None = None,
    ) -> None:
        approve = counted("Approve {n} held memory?", "Approve {n} held memories?", len(rows))
        deny = counted("Deny {n} held memory?", "Deny {n} held memories?", len(rows))
        super().__init__(approve if verdict == "approve" else deny, propose, note)
        self.verdict, self.rows, self.outside, self.earlier, self.warnings = verdict, rows, outside, earlier, warnings
        self.kept = draft or VerdictDraft()

    def compose_body(self) -> ComposeResult:
        """The memories and every change; the counts; the tick."""
        yield TextPane(id="preview")
        yield Static(id="facts", classes="spaced")
        yield Static(id="tick")

    def choices(self) -> Sequence[Choice]:
        """No first."""
        n = len(self.rows)
        approve, deny = counted("Yes, approve {n}", "Yes, approve {n}", n), counted("Yes, deny {n}", "Yes, deny {n}", n)
        return [Choice("n", _("No, keep"), "no"), Choice("y", approve if self.verdict == "approve" else deny, "yes")]

    def footer(self) -> Sequence[tuple[str, Safe, bool]]:
        """What the keys do here."""
        keys = [("y", _("yes"), False), ("n", _("no"), False), ("up/down", _("look through"), False)]
        if self.verdict == "approve":
            keys.append(("r", _("full trust"), False))
        elif self.earlier:
            keys.append(("H", _("hold earlier"), False))
        return [*keys, ("escape", _("no"), False)]

    def fill(self) -> None:
        """What it would do is not known yet."""
        self.query_one("#facts", Static).update(content([(_("looking .."), "muted")]))
        self._show_tick()
        self.changed()

    # -- the tick -----------------------------------------------------------------------------------------------

    def do_dialog_tick(self) -> None:
        """Approving: full trust or not."""
        if self.verdict == "approve":
            self.kept = replace(self.kept, raised=not self.kept.raised)
            self._show_tick()
            self.changed()

    def do_dialog_also(self) -> None:
        """Denying: the earlier ones too, or not."""
        if self.verdict == "deny" and self.earlier:
            self.kept = replace(self.kept, also=not self.kept.also)
            self._show_tick()
            self.changed()

    def _show_tick(self) -> None:
        tick = self.query_one("#tick", Static)
        tick.display = self.verdict == "approve" or bool(self.earlier)
        if self.verdict == "approve":
            is_on, key, words = self.kept.raised, "r", _("trust them fully, like your own words")
        else:
            is_on, key = self.kept.also, "H"
            words = counted(
                "also hold the {n} earlier one of this burst", "also hold the {n} earlier ones of this burst",
                self.earlier,
            )  # fmt: skip
        tick.update(content([(Safe("[x] " if is_on else "[ ] "), "strong" if is_on else "muted"), (Safe(key), "key"),
                             (Safe(f"  {words}"), "" if is_on else "muted")]))  # fmt: skip

    # -- what it would do ---------------------------------------------------------------------------------------

    def draft(self) -> VerdictDraft:
        """What is ticked now."""
        return self.kept

    def effect_rows(self, draft: VerdictDraft, effects: Effects) -> Sequence[Sequence[Run]]:
        """The memories, then every change; the counts stand below in full."""
        self.query_one("#facts", Static).update(lines(self._facts(effects)))
        cells = min(INSIDE, self.size.width - 4)
        shown = some_rows(self.rows, cells)
        if len(self.rows) > len(shown):
            shown = [value_line(self.rows), *shown]
        others = self._others(effects)
        if not (others or effects.emptied or effects.gaps):
            return shown
        told = Effects(effects.emptied, effects.gaps, (), (), {}, lambda: others, str)
        return [*shown, [], *effects_lines(told, self.station.glyphs, self.station.now())]

    def _others(self, effects: Effects) -> tuple[FactChange, ...]:
        """What happens to others than the memories that are listed."""
        ids = {row.id for row in self.rows}
        return tuple(change for change in effects.changes if change.id not in ids)

    def _facts(self, effects: Effects) -> list[list[Run]]:
        others = self._others(effects)
        rows = labelled(_("From"), source_runs(self.rows), INSIDE, HANG)
        if self.verdict == "approve":
            rows += labelled(_("Now"), effects_counts(effects) or [(_("nothing changes"), "")], INSIDE, HANG)
            full = sum(change.kind == "closed" and change.trust >= FULL for change in others)
            if full:
                words = counted("! {n} that closes has full trust", "! {n} that close have full trust", full)
                rows += labelled(Safe(""), [(words, "warning")], INSIDE, HANG)
            # What warns about a single memory gives its reasons.
            rows += [] if self.warnings and len(self.rows) == 1 else self._reasons()
        else:
            words = _("nothing changes for the agents: what is held is not in use")
            now = [(words, "")] if not others else effects_counts(effects)
            rows += labelled(_("Now"), now, INSIDE, HANG)
            rejected = sum(order.about == "rejected" and order.rules for order in effects.orders)
            later = counted("{n} value stays rejected, from any source, until you lift it",
                            "{n} values stay rejected, from any source, until you lift them", rejected)  # fmt: skip
            rows += labelled(_("Later"), [(later, "")], INSIDE, HANG)
        for warning in self.warnings:
            rows += labelled(Safe(""), warning, INSIDE, HANG)
        hidden = counted("{n} of them is outside the filter", "{n} of them are outside the filter", self.outside)
        parts: list[Run] = [(hidden, "warning" if self.outside else "muted"),
                            (_("; one entry in the Log, one undo"), "muted")]  # fmt: skip
        return rows + labelled(_("Hidden"), parts, INSIDE, HANG)

    def _reasons(self) -> list[list[Run]]:
        """How many are held for a reason that asks, each in words."""
        rows: list[list[Run]] = []
        for reason, count in Counter(row.reason for row in self.rows).most_common():
            kind = HOLD_KINDS_OF_REASON.get(reason)
            if kind is not None and kind.asks and reason in ASKS:
                words = say("! {n}: {why}", n=f"{count:,}", why=_(ASKS[reason]))
                rows += labelled(Safe(""), [(words, "warning")], INSIDE, HANG)
        return rows
