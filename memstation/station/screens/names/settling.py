"""Names, how a conflict is settled, and how a decision is taken. It must not decide but what was shown."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from memstation.domain.decisions import Applied, Decision, Effects
from memstation.domain.errors import Changed, MemstationError
from memstation.read.conflict_rows import Conflict, Side
from memstation.read.rows import FactDetail
from memstation.station.dialogs.confirm import ConfirmDialog
from memstation.station.dialogs.correct import CorrectDialog, CorrectDraft
from memstation.station.dialogs.pick import Option, PickDialog
from memstation.station.dialogs.proposal import Proposed
from memstation.station.render.cells import Run, runs
from memstation.station.render.effects import effects_counts, effects_lines
from memstation.station.render.names_detail import SETTLES, WAYS
from memstation.station.render.safe import Safe
from memstation.station.screens.names.lists import NamesLists
from memstation.station.screens.timeline.deciding import SOMEBODY
from memstation.station.screens.timeline.proposals import correction, holding
from memstation.station.words import _, fill, say

Then = Callable[[], Any]
Build = Callable[[Any], Decision]


class Settling(NamesLists):
    """What is done about a conflict."""

    @abstractmethod
    def do_names_accept(self) -> None:
        """Join what is suggested, or what looks alike."""

    @abstractmethod
    def do_names_dismiss(self) -> None:
        """It is none."""

    def settle(self, row: Conflict) -> None:
        """Ask how."""
        options = [
            Option(command, str(_(SETTLES[command])), (((Safe(self.key_name(command)), "key"),), (
                (_(SETTLES[command]), ""),))) for command in WAYS[row.kind]
        ]  # fmt: skip
        self.station.push_screen(PickDialog(_("How is it settled?"), options, widths=(4, 64)), self._way_chosen)

    def _way_chosen(self, option: Option | None) -> None:
        ways: dict[str, Then] = {
            "fact.correct": self.do_fact_correct, "fact.many": self.do_fact_many,
            "names.accept": self.do_names_accept, "names.dismiss": self.do_names_dismiss,
        }  # fmt: skip
        if option is not None:
            ways[option.value]()

    # -- settle -------------------------------------------------------------------------------------------------

    def do_fact_correct(self) -> None:
        """One of the facts was never true, stopped being true, or says something wrong."""
        row = self.selected()
        if not isinstance(row, Conflict):
            return
        options = [
            Option(side, f"{side.name} {side.value}", (tuple(runs(side.name, "strong")), tuple(runs(side.value))))
            for side in row.sides
        ]
        self.station.push_screen(PickDialog(_("Which one is wrong?"), options, widths=(30, 38)), self._side_picked)

    def _side_picked(self, option: Option | None) -> None:
        if option is not None:
            self._read_side(option.value)

    def _read_side(self, side: Side, note: Safe | None = None) -> None:
        assert self.engine is not None
        call = partial(self.engine.reader.fact, side.n)
        self.in_thread("correct", call, partial(self._correct, side, note), self.station.fail)

    def _correct(self, side: Side, note: Safe | None, detail: FactDetail | None) -> None:
        if detail is None or self.engine is None:
            self.station.say([(_("It is not in the store any more."), "warning")])
            return
        now = self.station.now()
        propose = partial(correction, self.engine, self.station.station_actor(), detail.record, now)
        dialog = CorrectDialog(detail, propose, now, None, note)
        self.station.push_screen(dialog, partial(self._corrected, side))

    def _corrected(self, side: Side, answer: Proposed[CorrectDraft] | None) -> None:
        if answer is None:
            self.station.say([(_("Nothing was corrected."), "muted")])
            return
        again = partial(self._read_side, side, _(SOMEBODY))
        self.decide((answer.decision, answer.effects), [(_("corrected "), ""), *runs(side.value, "strong")], again)

    def do_fact_many(self) -> None:
        """Both are true: the property holds many values. Shows first what would change."""
        row = self.selected()
        if isinstance(row, Conflict) and row.predicate is not None and self.engine is not None:
            call = partial(holding, self.engine, self.station.station_actor(), row.agent_id, row.predicate, "many")
            self.in_thread("rule", call, partial(self._ask_many, row), self.station.fail)

    def _ask_many(self, row: Conflict, proposed: tuple[Decision, Effects]) -> None:
        _decision, effects = proposed
        dialog = ConfirmDialog(
            fill(_("{predicate} holds many values for {agent}?"), predicate=(row.predicate or "")[:60],
                 agent=row.agent_id[:40]),
            effects_lines(effects, self.station.glyphs, self.station.now()), summary=effects_counts(effects),
            yes=_("Yes, many"),
        )  # fmt: skip
        self.station.push_screen(dialog, partial(self._many_answered, row, proposed))

    def _many_answered(self, row: Conflict, proposed: tuple[Decision, Effects], answer: bool | None) -> None:
        if answer:
            said = [*runs(row.predicate or "", "strong"), (_(" holds many values"), "")]
            self.decide(proposed, said, self._read)
        else:
            self.station.say([(_("Nothing was changed."), "muted")])

    # -- deciding -----------------------------------------------------------------------------------------------

    def decide(
        self, proposed: tuple[Decision, Effects], said: Sequence[Run], again: Then, build: Build | None = None
    ) -> None:
        """Take the decision, built anew where `build` is given, if its effects are still those that were shown."""
        assert self.engine is not None
        decision, effects = proposed
        call = partial(self.engine.apply, decision, effects.digest)
        if build is not None:
            call = partial(self.engine.decide, build, effects.digest)
        self.in_thread("decide", call, partial(self._decided, said), partial(self._not_decided, again))

    def _decided(self, said: Sequence[Run], applied: Applied) -> None:
        self.station.session.add(applied.seq)
        undo: Run = (say(".  {key} takes it back", key=self.key_name("undo.mine")), "muted")
        self.station.say([(Safe(f"#{applied.seq} "), "key"), *said, undo])
        self.station.wrote()

    def _not_decided(self, again: Then, error: MemstationError) -> None:
        if isinstance(error, Changed):
            again()
        else:
            self.station.fail(error)
        self.station.wrote()
