"""What the operator decides in the Timeline: correct, tell, many. It must not decide but what was shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from memstation.domain.decisions import Applied, Decision, Effects
from memstation.domain.errors import Changed, MemstationError
from memstation.read.rows import FactDetail
from memstation.station.commands import BY_ID, Command, shown_keys
from memstation.station.dialogs.confirm import ConfirmDialog
from memstation.station.dialogs.correct import CorrectDialog, CorrectDraft
from memstation.station.dialogs.proposal import Proposed
from memstation.station.dialogs.tell import TellDialog, TellDraft
from memstation.station.render.cells import Run, runs_width
from memstation.station.render.correction import result_runs
from memstation.station.render.effects import effects_counts, effects_lines
from memstation.station.render.purge_words import cannot_purge
from memstation.station.render.safe import Safe
from memstation.station.screens.timeline.detail import Detailed
from memstation.station.screens.timeline.proposals import correction, holding, telling
from memstation.station.words import N_, _, fill, say

SOMEBODY = N_("Somebody else decided meanwhile, and nothing was written. Look again:")


class Deciding(Detailed):
    """The verbs."""

    asked: tuple[int, str] | None = None
    """A memory that was asked for, and the fact that it confirms."""
    _drafts: dict[int, CorrectDraft] | None = None
    _tell_draft: TellDraft | None = None
    decided = False
    """Whether what is read anew was changed from here: then the message row keeps saying what was decided."""

    def why_not(self, command: Command) -> str:
        """Why a verb cannot act on what is under the cursor."""
        why = super().why_not(command)
        if why:
            return why
        row = self.main_pane.selected
        if command.id in ("fact.correct", "fact.many", "fact.trust", "source.purge") and row is None:
            return _("no fact is under the cursor")
        if command.id == "fact.correct" and row is not None and row.state == "withdrawn":
            return _("it is withdrawn already; the Log can take that back")
        if command.id == "fact.trust" and row is not None and row.state == "withdrawn":
            return _("it is withdrawn: it is not used, whatever its trust")
        if command.id == "source.purge" and row is not None:
            return cannot_purge(row.origin)
        if command.id == "fact.many" and row is not None and not (row.subject and row.predicate):
            return _("a note does not say anything of which there could be many")
        if command.id == "find.about" and not (row is not None and row.subject):
            return _("no fact about a name is under the cursor")
        if command.id == "fact.add" and self.fact_agent is None:
            return _("there is no agent yet")
        return ""

    # -- correct ------------------------------------------------------------------------------------------------

    def do_fact_correct(self) -> None:
        """Correct the fact under the cursor."""
        row = self.main_pane.selected
        if row is None:
            return
        if self._detail is not None and self._row is not None and self._row.n == row.n:
            self._correct(self._detail)
        else:
            self.in_thread("correct", partial(self.read_detail, row), self._correct, self.station.fail)

    def _correct(self, detail: FactDetail | None, note: Safe | None = None) -> None:
        if detail is None or self.engine is None:
            self.station.say([(_("It is not in the store any more."), "warning")])
            return
        record = detail.record
        if self.asked is not None and self.asked[0] == record.n:
            detail = replace(detail, record=replace(record, asked=self.asked[1]))
        now = self.station.now()
        propose = partial(correction, self.engine, self.station.station_actor(), detail.record, now)
        dialog = CorrectDialog(detail, propose, now, (self._drafts or {}).get(record.n), note)
        self.station.push_screen(dialog, partial(self._corrected, dialog))

    def _corrected(self, dialog: CorrectDialog, answer: Proposed[CorrectDraft] | None) -> None:
        n = dialog.detail.record.n
        self._drafts = {**(self._drafts or {}), n: dialog.kept}
        if answer is None:
            self.station.say([(_("Nothing was corrected."), "muted")])
            return
        self._decide(answer.decision, answer.effects, _("Corrected"), partial(self._correct_again, dialog.detail))

    def _correct_again(self, detail: FactDetail) -> None:
        """Somebody decided meanwhile: read the fact anew, and show what it would do now."""
        assert self.engine is not None
        call = partial(self.engine.reader.fact, detail.record.n)
        self.in_thread("correct", call, partial(self._correct, note=_(SOMEBODY)), self.station.fail)

    # -- tell ---------------------------------------------------------------------------------------------------

    def do_fact_add(self) -> None:
        """Tell the agent a fact; begin with what the one under the cursor is about."""
        row = self.main_pane.selected
        about = row.subject if row is not None and row.subject else ""
        self._tell(self._tell_draft or TellDraft(about=about))

    def _tell(self, draft: TellDraft, note: Safe | None = None) -> None:
        if self.engine is None or self.fact_agent is None:
            return
        now = self.station.now()
        propose = partial(telling, self.engine, self.station.station_actor(), self.fact_agent, now)
        dialog = TellDialog(self.fact_agent, propose, now, draft, note)
        self.station.push_screen(dialog, partial(self._told, dialog))

    def _told(self, dialog: TellDialog, answer: Proposed[TellDraft] | None) -> None:
        if answer is None:
            was_written = bool(dialog.kept.value.strip())
            self._tell_draft = dialog.kept if was_written else None
            words = _("Nothing was told; what you wrote is kept.") if was_written else _("Nothing was told.")
            self.station.say([(words, "muted")])
            return
        self._tell_draft = None
        again = partial(self._tell, answer.draft, _(SOMEBODY))
        self._decide(answer.decision, answer.effects, _("Told"), again)

    # -- many ---------------------------------------------------------------------------------------------------

    def do_fact_many(self) -> None:
        """The predicate holds many values, or one."""
        row = self.main_pane.selected
        if row is not None and row.predicate and self.engine is not None:
            rule = "one" if row.many else "many"
            self._propose_rule(row.agent_id, row.predicate, rule)

    def _propose_rule(self, agent_id: str, predicate: str, rule: str, note: Safe | None = None) -> None:
        assert self.engine is not None
        call = partial(holding, self.engine, self.station.station_actor(), agent_id, predicate, rule)
        self.in_thread("rule", call, partial(self._ask_rule, agent_id, predicate, rule, note), self.station.fail)

    def _ask_rule(
        self, agent_id: str, predicate: str, rule: str, note: Safe | None, proposed: tuple[Decision, Effects]
    ) -> None:
        decision, effects = proposed
        is_many = rule == "many"
        many, one = _("{predicate} holds many values for {agent}?"), _("{predicate} holds one value for {agent}?")
        dialog = ConfirmDialog(
            fill(many if is_many else one, predicate=predicate[:60], agent=agent_id[:40]),
            effects_lines(effects, self.station.glyphs, self.station.now()),
            summary=effects_counts(effects), note=note,
            yes=_("Yes, many") if is_many else _("Yes, one"),
        )  # fmt: skip
        again = partial(self._propose_rule, agent_id, predicate, rule, _(SOMEBODY))
        self.station.push_screen(dialog, partial(self._rule_answered, decision, effects, again))

    def _rule_answered(
        self, decision: Decision, effects: Effects, again: Callable[[], None], answer: bool | None
    ) -> None:
        if answer:
            self._decide(decision, effects, _("Set the rule"), again)
        else:
            self.station.say([(_("Nothing was changed."), "muted")])

    def do_fact_trust(self) -> None:
        """Have this fact count for more or less."""
        row = self.main_pane.selected
        if row is not None:
            self.station.trust_fact(row)

    # -- its source ---------------------------------------------------------------------------------------------

    def do_source_purge(self) -> None:
        """Withdraw what the source of this fact told the agent: look, then type its name."""
        row = self.main_pane.selected
        if row is not None and row.origin is not None:
            self.station.purge_source(row.origin, row.agent_id)

    # -- deciding -----------------------------------------------------------------------------------------------

    def _decide(self, decision: Decision, effects: Effects, verb: Safe, again: Callable[[], Any]) -> None:
        """Take the decision, if its effects are still those that were shown."""
        assert self.engine is not None
        call = partial(self.engine.apply, decision, effects.digest)
        self.in_thread("decide", call, partial(self._decided, verb), partial(self._not_decided, again))

    def _decided(self, verb: Safe, applied: Applied) -> None:
        self.station.session.add(applied.seq)
        self.decided = True
        undo = shown_keys(BY_ID["undo.mine"], self.station.services.keymap, first=True)
        head: list[Run] = [(verb, "strong"), (Safe(f" #{applied.seq}: "), "key")]
        tail: list[Run] = [(say(".  {key} takes it back", key=undo), "muted")]
        room = self.size.width - 2 - runs_width(head) - runs_width(tail)
        self.station.say([*head, *result_runs(applied.effects, room), *tail])
        if self._drafts and self._row is not None:
            self._drafts.pop(self._row.n, None)
        self.station.wrote()

    def _not_decided(self, again: Callable[[], Any], error: MemstationError) -> None:
        if isinstance(error, Changed):
            again()
        else:
            self.station.fail(error)
        self.station.wrote()
