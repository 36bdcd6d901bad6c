"""The verdicts of the Review room. It must not decide but what is painted, in the version that was painted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from memstation.domain.decisions import Applied, Decision, Effects
from memstation.domain.errors import Changed, MemstationError, Refused
from memstation.read.review_rows import HeldCard, HeldRow
from memstation.read.rows import FactRow
from memstation.station.commands import BY_ID, Command
from memstation.station.dialogs.confirm import ConfirmDialog
from memstation.station.dialogs.edit_held import EditDraft
from memstation.station.dialogs.proposal import Proposed
from memstation.station.dialogs.verdict import Verdict, VerdictDialog, VerdictDraft
from memstation.station.render.cells import Run
from memstation.station.render.effects import effects_counts, effects_lines
from memstation.station.render.held_card import ask_rows
from memstation.station.render.held_groups import BLOCKED, Head, Item
from memstation.station.render.held_message import done_runs
from memstation.station.render.safe import Safe, safe_line
from memstation.station.screens.review import proposals
from memstation.station.screens.review.marking import Marking
from memstation.station.words import _, counted, say

D = TypeVar("D")
_ON_HELD = ("review.approve", "review.deny", "review.promote", "review.skip", "review.edit", "review.editor",
            "review.extend")  # fmt: skip


class Deciding(Marking):
    """The verbs."""

    is_deciding = False
    """Whether a verdict is being written."""
    _ignored = 0
    """Keys that were dropped one after the other."""
    _drafts: dict[str, EditDraft] | None = None

    # -- what can be done ---------------------------------------------------------------------------------------

    def why_not(self, command: Command) -> str:
        """Why a verb cannot act on what is under the cursor, in words."""
        why = super().why_not(command)
        entry = self.main_pane.selected
        if why or not command.id.startswith(("review.", "mark.")) or command.id in ("review.load_new", "mark.all"):
            return why
        if entry is None:
            return _("nothing is held here")
        if command.id == "review.restore":
            return "" if entry.lane == "lapsed" else _("it did not run out")
        if command.id in _ON_HELD and not self.targets():
            return self._why_no_target(entry.row if isinstance(entry, Item) else None, entry.lane)
        if command.id in ("review.edit", "review.editor") and self.is_many():
            return _("one memory at a time: take the marks away, or go to one")
        return ""

    def _why_no_target(self, row: HeldRow | None, lane: str) -> str:
        if lane == "lapsed":
            return say("it ran out; {key} brings it back to review", key=self.key_name("review.restore"))
        fate = self.queue.fates.get(row.id) if row is not None else None
        if fate is None or fate.decided_seq is None:
            return _("it does not wait any more")
        return say("it was decided elsewhere (#{seq}); {key} tidies the list", seq=fate.decided_seq,
                   key=self.key_name("review.load_new"))  # fmt: skip

    def _is_unseen(self, command_id: str) -> bool:
        """Drop a key that was pressed before what it acts on was on the screen, and say so."""
        busy = self.is_deciding or self.station.is_deciding
        if not busy and (bool(self.queue.marks) or self.is_painted):
            self._ignored = 0
            return False
        self._ignored += 1
        why = _("the last verdict is still being written") if busy else _("its card was not on the screen yet")
        self.station.say([
            (_(BY_ID[command_id].title), "strong"), (Safe(": "), ""), (why, "warning"),
            (counted("; {n} key ignored", "; {n} keys ignored", self._ignored), "warning"),
        ])  # fmt: skip
        return True

    # -- approve and deny ---------------------------------------------------------------------------------------

    def do_review_approve(self) -> None:
        """One at once, unless that could do harm; marks and groups ask."""
        if self._is_unseen("review.approve"):
            return
        card = self._card_alone()
        if card is None or card.asks:
            self._ask_many("approve")
        else:
            build = proposals.approving(self.station.station_actor(), [card.row], VerdictDraft())
            self._decide(build, card.approve.digest, "approve", [card.row])

    def do_review_promote(self) -> None:
        """Approve with full trust; it asks."""
        if not self._is_unseen("review.promote"):
            self._ask_many("approve", VerdictDraft(raised=True))

    def do_review_deny(self) -> None:
        """One at once; marks and groups ask."""
        if self._is_unseen("review.deny"):
            return
        card = self._card_alone()
        if card is None:
            self._ask_many("deny")
        else:
            build = proposals.denying(self.station.station_actor(), [card.row], (), VerdictDraft())
            self._decide(build, card.deny.digest, "deny", [card.row])

    def _card_alone(self) -> HeldCard | None:
        """The painted card, where a verb acts on it alone."""
        return None if self.is_many() else self.card

    def _ask_many(self, verdict: Verdict, draft: VerdictDraft | None = None) -> None:
        """Look up what came earlier in the same bursts, then ask."""
        assert self.engine is not None
        card = self._card_alone()
        rows = list(self.targets()) if card is None else [card.row]
        if verdict == "approve":
            self._ask(verdict, rows, () if card is None else ask_rows(card), draft, ())
        else:
            call = partial(proposals.earlier_of, self.engine, rows)
            self.in_thread("many", call, partial(self._ask, verdict, rows, (), draft), self.station.fail)

    def _ask(
        self,
        verdict: Verdict,
        rows: Sequence[HeldRow],
        warnings: Sequence[Sequence[Run]],
        draft: VerdictDraft | None,
        earlier: Sequence[FactRow],
    ) -> None:
        actor = self.station.station_actor()
        if verdict == "approve":
            build = partial(proposals.approving, actor, rows)
        else:
            build = partial(proposals.denying, actor, rows, earlier)
        dialog = VerdictDialog(
            verdict, rows, self.queue.outside(rows), len(earlier), warnings, partial(self.proposed, build), draft
        )
        self.station.push_screen(dialog, partial(self._answered, verdict, rows, build))

    def _answered(
        self,
        verdict: Verdict,
        rows: Sequence[HeldRow],
        build: Callable[[VerdictDraft], proposals.Build],
        answer: Proposed[VerdictDraft] | None,
    ) -> None:
        if answer is None:
            self.station.say([(_("Nothing was decided."), "muted")])
        else:
            self._decide(build(answer.draft), answer.effects.digest, verdict, rows)

    def proposed(self, build: Callable[[D], proposals.Build], draft: D) -> tuple[Decision, Effects]:
        """What a draft would do. Called in a thread."""
        assert self.engine is not None
        return self.engine.propose(build(draft))

    # -- time ---------------------------------------------------------------------------------------------------

    def do_review_extend(self) -> None:
        """24 hours more, for one, a group or the marks."""
        if not self._is_unseen("review.extend"):
            rows = [card.row] if (card := self._card_alone()) is not None else list(self.targets())
            self._decide(proposals.extending(self.station.station_actor(), rows), None, "extend", rows)

    def do_review_restore(self) -> None:
        """What ran out waits again: the one under the cursor, or all that ran out on their head."""
        entry = self.main_pane.selected
        if entry is None or self._is_unseen("review.restore"):
            return
        rows = list(entry.rows) if isinstance(entry, Head) else [entry.row]
        if rows:
            self._decide(proposals.bringing_back(self.station.station_actor(), rows), None, "bring_back", rows)
        else:
            key = self.key_name("item.open")
            self.station.say([(say("Look at them first: {key} opens them.", key=key), "muted")])

    # -- the earlier ones of a burst ----------------------------------------------------------------------------

    def do_review_hold_burst(self) -> None:
        """Show what holding the earlier facts of the burst would do, and ask."""
        assert self.engine is not None
        call = partial(proposals.earlier_of, self.engine, list(self.targets()))
        self.in_thread("many", call, self._propose_hold, self.station.fail)

    def _propose_hold(self, earlier: Sequence[FactRow]) -> None:
        if not earlier or self.engine is None:
            self.station.say([(_("No earlier fact of this burst is in use."), "muted")])
            return
        build = proposals.holding(self.station.station_actor(), earlier)
        call = partial(self.engine.propose, build)
        self.in_thread("many", call, partial(self._ask_hold, len(earlier), build), self.station.fail)

    def _ask_hold(self, count: int, build: proposals.Build, proposed: tuple[Decision, Effects]) -> None:
        effects = proposed[1]
        title = counted("Hold the {n} earlier fact of this burst?", "Hold the {n} earlier facts of this burst?", count)
        dialog = ConfirmDialog(
            title, effects_lines(effects, self.station.glyphs, self.station.now()), summary=effects_counts(effects),
            yes=_("Yes, hold them"),
        )  # fmt: skip
        self.station.push_screen(dialog, partial(self._hold_answered, build, effects))

    def _hold_answered(self, build: proposals.Build, effects: Effects, answer: bool | None) -> None:
        if answer:
            self._decide(build, effects.digest, "hold", [], effects.counts.get("held", 0))
        else:
            self.station.say([(_("Nothing was decided."), "muted")])

    # -- deciding -----------------------------------------------------------------------------------------------

    def _decide(
        self, build: proposals.Build, expect: str | None, kind: str, rows: Sequence[HeldRow], number: int | None = None
    ) -> None:
        """Take the decision in a thread, if its effects are still those that were shown."""
        assert self.engine is not None
        if self.is_deciding:
            return
        self.is_deciding = True
        call = partial(self.engine.decide, build, expect)
        count = len(rows) if number is None else number
        self.in_thread("decide", call, partial(self._decided, kind, rows, count), self._not_decided)

    def _decided(self, kind: str, rows: Sequence[HeldRow], count: int, applied: Applied) -> None:
        self.is_deciding = False
        self.station.session.add(applied.seq)
        held = {change.id for change in applied.effects.of("held")}
        self.queue.mine |= held
        is_gone = kind in ("approve", "deny", "edit")
        if is_gone:
            self._let_go({row.id for row in rows})
            self.station.fewer_wait(sum(row.reason != BLOCKED for row in rows))
        elif kind == "extend":
            ids = [row.id for row in rows]
            self.main_pane.put(self.queue.extended(ids, self.station.now(), self.main_pane.entries))
            self.show_card(again=True)
            self.show_card_anew()
        elif kind == "bring_back":
            self.queue.came_back(rows)
        undo = self.key_name("undo.mine")
        self.station.say([*done_runs(kind, applied.seq, rows, count),
                          (say(".  {key} takes it back", key=undo), "muted")])  # fmt: skip
        if more := bool(held) or kind == "bring_back":
            self.station.count_waiting()
        self.after_decision(applied.seq, at_once=more)

    def _let_go(self, gone: set[str]) -> None:
        """Decided ones leave the list; the cursor goes to the next."""
        target = self.next_after(gone)
        listed = self.queue.decided(gone, self.main_pane.entries)
        self.go_on()
        self.main_pane.put(listed, None if target is None else listed.index_of(target))
        self.show_marks()
        for memory_id in gone:
            (self._drafts or {}).pop(memory_id, None)

    def _not_decided(self, error: MemstationError) -> None:
        """Somebody was faster, or it cannot be: nothing was written; read it again, and say what happened."""
        self.is_deciding = False
        if isinstance(error, Changed | Refused):
            self.station.say([(_("Nothing was decided: "), "warning"), (safe_line(error.title), "warning"),
                              (Safe(", "), ""), (safe_line(error.detail), "")])  # fmt: skip
        else:
            self.station.fail(error)
        self.look_again()

    def after_decision(self, seq: int, *, at_once: bool) -> None:
        """What is shown beside the queue follows, and the queue itself at once or when it rests. The room does it."""
        raise NotImplementedError

    def look_again(self) -> None:
        """Read the queue and the card again. The room does it."""
        raise NotImplementedError
