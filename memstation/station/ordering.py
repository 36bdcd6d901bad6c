"""Orders about sources and trust from the station: block, set trust, promote. It must not decide what was not shown.

The store's modules are imported where they are used: they load after the first paint.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from memstation.domain.decisions import EVERY_AGENT, Applied, Decision, Effects
from memstation.domain.errors import Changed, MemstationError
from memstation.read.rows import FactRow
from memstation.read.source_rows import SourceRow
from memstation.station.commands import BY_ID, shown_keys
from memstation.station.dialogs.confirm import ConfirmDialog
from memstation.station.dialogs.proposal import Proposed
from memstation.station.dialogs.trust import TrustDialog, TrustDraft, read_trust
from memstation.station.render.cells import Run, runs
from memstation.station.render.effects import effects_counts, effects_lines
from memstation.station.render.facts import about
from memstation.station.render.provenance import joined, trust
from memstation.station.render.safe import Safe
from memstation.station.services import Services
from memstation.station.taking_back import TakingBack
from memstation.station.words import _, counted, say

NAMED = 40
"""Cells of a name in a title or a message."""
Build = Callable[[Any], Decision]


class Ordering(TakingBack):
    """The part of the app that gives orders about sources and trust."""

    services: Services

    # -- block --------------------------------------------------------------------------------------------------

    def block_source(self, row: SourceRow, agent_id: str | None, note: Safe | None = None) -> None:
        """Hold what a source writes from now on, for the agent chosen or for all; or let it write again. Asks."""
        if self.engine is None or self.is_deciding or row.origin is None:
            return
        verdict, whose, origin = "unblocked" if row.blocked_for else "blocked", agent_id, row.origin
        if row.blocked_for and agent_id is None and EVERY_AGENT not in row.blocked_for:
            # Blocked for one agent or more, and none is chosen: theirs is the order to be lifted.
            whose = row.blocked_for[0]
        actor = self.station_actor()

        def build(looking: Any) -> Decision:
            from memstation.ops import block

            return block.blocking(looking, whose or EVERY_AGENT, origin, verdict, actor=actor)

        call = partial(self.engine.propose, build)
        self.in_thread("preview", call, partial(self._ask_block, row, whose, verdict, build, note), self.fail)

    def _ask_block(
        self, row: SourceRow, whose: str | None, verdict: str, build: Build, note: Safe | None,
        proposed: tuple[Decision, Effects],
    ) -> None:  # fmt: skip
        effects, is_block = proposed[1], verdict == "blocked"
        whom = _("all agents") if whose is None else whose
        title = say("Block {origin} for {whom}?" if is_block else "Let {origin} write again for {whom}?",
                    origin=(row.origin or "")[:NAMED], whom=whom[:24])  # fmt: skip
        later = _("From now on, what it writes is held for you; what it told stays in use.") if is_block else _(
            "From now on, what it writes passes the gate like anybody's; what is held stays held.")  # fmt: skip
        rows: list[list[Run]] = [[(later, "")], *effects_lines(effects, self.glyphs, self.now())]
        dialog = ConfirmDialog(title, rows, note=note, yes=_("Yes, block it") if is_block else _("Yes, let it write"))
        words = _("Blocked ") if is_block else _("Not blocked any more: ")
        said: list[Run] = [(words, "strong"), *joined(runs(row.origin), NAMED)]
        again = partial(self.block_source, row, whose, _somebody())
        self.push_screen(dialog, partial(self._block_answered, build, effects, said, again))  # type: ignore[attr-defined]

    def _block_answered(
        self, build: Build, effects: Effects, said: list[Run], again: Callable[[], None], answer: bool | None
    ) -> None:
        if answer:
            self._order(build, effects, said, again)
        else:
            self._nothing_ordered()

    # -- trust --------------------------------------------------------------------------------------------------

    def trust_source(
        self, row: SourceRow, agent_id: str | None, draft: TrustDraft | None = None, note: Safe | None = None
    ) -> None:
        """Have a source count for so much, for the agent chosen or for all."""
        if self.engine is None or self.is_deciding or row.origin is None:
            return
        origin, actor, whom = row.origin, self.station_actor(), agent_id or EVERY_AGENT

        def build(draft: TrustDraft) -> Build:
            def made(looking: Any) -> Decision:
                from memstation.ops import trust as trusts

                number = read_trust(draft.trust) if draft.trust else None
                return trusts.of_origin(looking, whom, origin, number, actor=actor, reason=draft.reason)

            return made

        limit = say("Class {name}: at most {limit} by itself.", name=row.class_name, limit=trust(row.ceiling))
        stands: list[Run] = [(limit, "muted")]
        if row.trust_set is not None:
            stands.append((say("  Set to {trust} now.", trust=trust(row.trust_set)), "changed"))
        stands.append((counted("  {n} fact.", "  {n} facts.", row.facts), "muted"))
        shown = say("Trust of {origin}, for {whom}", origin=origin[:NAMED],
                    whom=_("all agents") if agent_id is None else agent_id[:24])  # fmt: skip
        said: list[Run] = [(_("Trust set: "), "strong"), *joined(runs(origin), NAMED)]
        again = partial(self.trust_source, row, agent_id, note=_somebody())
        self._ask_trust(shown, stands, build, said, again, can_unset=True, draft=draft, note=note)

    def trust_fact(self, row: FactRow, draft: TrustDraft | None = None, note: Safe | None = None) -> None:
        """Have a fact count for so much; who told it stays known."""
        if self.engine is None or self.is_deciding:
            return
        memory_id, actor = row.id, self.station_actor()

        def build(draft: TrustDraft) -> Build:
            def made(looking: Any) -> Decision:
                from memstation.ops import trust as trusts

                number = read_trust(draft.trust)
                assert number is not None
                kind = "promote" if number == trusts.CURATED else "trust"
                return trusts.of_memories(looking, [memory_id], number, actor=actor, reason=draft.reason, kind=kind)

            return made

        name = f"{about(row)} {row.value}".strip()
        stands: list[Run] = [(say("Its trust is {trust} now.", trust=trust(row.trust)), "muted")]
        said: list[Run] = [(_("Trust set: "), "strong"), *joined(runs(name), NAMED)]
        again = partial(self.trust_fact, row, note=_somebody())
        shown = say("Trust of {name}", name=name[:NAMED])
        self._ask_trust(shown, stands, build, said, again, can_unset=False, draft=draft, note=note)

    def _ask_trust(
        self, title: Safe, stands: list[Run], build: Callable[[TrustDraft], Build], said: list[Run],
        again: Callable[[], None], *, can_unset: bool, draft: TrustDraft | None, note: Safe | None,
    ) -> None:  # fmt: skip
        engine = self.engine
        assert engine is not None
        dialog = TrustDialog(title, stands, lambda draft: engine.propose(build(draft)), can_unset=can_unset,
                             draft=draft, note=note)  # fmt: skip
        self.push_screen(dialog, partial(self._trust_answered, build, said, again))  # type: ignore[attr-defined]

    def _trust_answered(
        self, build: Callable[[TrustDraft], Build], said: list[Run], again: Callable[[], None],
        answer: Proposed[TrustDraft] | None,
    ) -> None:  # fmt: skip
        if answer is None:
            self._nothing_ordered()
            return
        number = read_trust(answer.draft.trust) if answer.draft.trust else None
        words = _(" has the trust of its class") if number is None else say(" to {trust}", trust=trust(number))
        self._order(build(answer.draft), answer.effects, [*said, (words, "strong")], again)

    # -- deciding -----------------------------------------------------------------------------------------------

    def _nothing_ordered(self) -> None:
        self.say([(_("Nothing was changed."), "muted")])

    def _order(self, build: Build, effects: Effects, said: list[Run], again: Callable[[], None]) -> None:
        """Take the decision, if its effects are still those that were shown."""
        if self.engine is None or self.is_deciding:
            return
        self.is_deciding = True
        call = partial(self.engine.decide, build, effects.digest)
        self.in_thread("decide", call, partial(self._ordered, said), partial(self._not_ordered, again))

    def _ordered(self, said: list[Run], applied: Applied) -> None:
        self.is_deciding = False
        self.session.add(applied.seq)
        undo = shown_keys(BY_ID["undo.mine"], self.services.keymap, first=True)
        counts = effects_counts(applied.effects)
        more: list[Run] = [(Safe(": "), ""), *counts] if counts else []
        self.say([*said, (Safe(f" #{applied.seq}"), "key"), *more, (say(".  {key} takes it back", key=undo), "muted")])
        self.wrote()

    def _not_ordered(self, again: Callable[[], None], error: MemstationError) -> None:
        self.is_deciding = False
        if isinstance(error, Changed):
            again()
        else:
            self.fail(error)
        self.wrote()


def _somebody() -> Safe:
    return _("Somebody else decided meanwhile, and nothing was written. Look again:")
