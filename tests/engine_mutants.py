"""Faults to seed into the walk, the marks and undo, to show that the suite's checks catch them.

Each is a function that takes pytest's monkeypatch and breaks one rule. They name the rule that they break.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from memstation.domain.decisions import Claim, Decision, Mark, Undo
from memstation.domain.timeline import Element, Segment, Walk

Mutant = Callable[[pytest.MonkeyPatch], None]

true_step = Walk.step
true_position = Element.position


# The walk.


def later_told_loses_a_tie(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Element, "position", property(lambda e: (e.start, not e.is_end, -e.n)))


def an_end_is_lost(patch: pytest.MonkeyPatch) -> None:
    def step(walk: Walk, element: Element) -> str:
        return "ends" if element.is_end else true_step(walk, element)

    patch.setattr(Walk, "step", step)


def a_window_includes_its_end(patch: pytest.MonkeyPatch) -> None:
    def holds_at(walk: Walk, instant: str) -> bool:
        return walk.value is not None and not walk.closed and (walk.stated is None or instant <= walk.stated)

    patch.setattr(Walk, "holds_at", holds_at)


def an_end_comes_after_claims_of_its_instant(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Element, "position", property(lambda e: (e.start, e.is_end, e.n)))


def a_repeat_confirms_whatever_end_it_states(patch: pytest.MonkeyPatch) -> None:
    def step(walk: Walk, element: Element) -> str:
        if not element.is_end and walk.value == element.value and walk.holds_at(element.start):
            return "confirms"
        return true_step(walk, element)

    patch.setattr(Walk, "step", step)


def a_repeat_never_confirms_a_bounded_fact(patch: pytest.MonkeyPatch) -> None:
    def step(walk: Walk, element: Element) -> str:
        if not element.is_end and element.until is not None:
            walk.found(element)
            return "founds"
        return true_step(walk, element)

    patch.setattr(Walk, "step", step)


def an_end_silences_what_is_told_after_it_too(patch: pytest.MonkeyPatch) -> None:
    def step(walk: Walk, element: Element) -> str:
        verdict = true_step(walk, element)
        if element.is_end:
            walk.silenced[element.value] = 1 << 60
        return verdict

    patch.setattr(Walk, "step", step)


def an_end_silences_nothing(patch: pytest.MonkeyPatch) -> None:
    def step(walk: Walk, element: Element) -> str:
        walk.silenced.clear()
        return true_step(walk, element)

    patch.setattr(Walk, "step", step)


def the_silence_outlives_another_value(patch: pytest.MonkeyPatch) -> None:
    def found(walk: Walk, element: Element) -> None:
        walk.value, walk.stated, walk.closed = element.value, element.until, False

    patch.setattr(Walk, "found", found)


def a_fact_is_shown_as_the_row_told_last(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Segment, "shown", property(lambda segment: max(segment.members)))


WALK: list[Mutant] = [
    later_told_loses_a_tie,
    an_end_is_lost,
    a_window_includes_its_end,
    an_end_comes_after_claims_of_its_instant,
    a_repeat_confirms_whatever_end_it_states,
    a_repeat_never_confirms_a_bounded_fact,
    an_end_silences_what_is_told_after_it_too,
    an_end_silences_nothing,
    the_silence_outlives_another_value,
]
WALK_ONLY: list[Mutant] = [a_fact_is_shown_as_the_row_told_last]
"""Those that the incremental placing does not share."""


# Undo.


def undo_takes_only_what_it_names(patch: pytest.MonkeyPatch) -> None:
    """An undo of an undo lifts the undo, and brings nothing back."""
    from memstation.store import plan

    patch.setattr(plan, "flips", lambda _cursor, named: dict.fromkeys(named, False))


def undoing_one_of_two_undos_brings_it_back(patch: pytest.MonkeyPatch) -> None:
    """One `lifted` flag a decision: whoever is taken back last decides."""
    from memstation.store import plan, standing

    def flips(cursor: Any, named: Iterable[int]) -> dict[int, bool]:
        changed: dict[int, bool] = {}
        queue = [(seq, False) for seq in named]
        while queue:
            seq, stands = queue.pop()
            changed[seq] = stands
            queue += [(target, not stands) for target in standing.targets(cursor, seq)]
        return changed

    patch.setattr(plan, "flips", flips)


def undo_tells_the_opposite(patch: pytest.MonkeyPatch) -> None:
    """Stored inverses: what was told is withdrawn, what was marked is marked otherwise."""
    from memstation.engine import MemoryEngine

    true_apply = MemoryEngine.apply
    taken: dict[tuple[int, int], Decision] = {}
    opposite = {"held": "released", "released": "held", "denied": "released", "lapsed": "released"}

    def inverse(store: int, undo: Undo) -> Iterable[Any]:
        for s in taken[(store, undo.target)].statements:
            if isinstance(s, Claim):
                yield Mark(s.id, "withdrawn", "undone")
            elif isinstance(s, Mark) and s.kind in opposite:
                yield Mark(s.id, opposite[s.kind], "undone")  # type: ignore[arg-type]
            elif isinstance(s, Mark) and s.kind in ("trust", "cap"):
                yield Mark(s.id, "trust", "undone", 1.0)
            elif isinstance(s, Undo):
                yield from taken[(store, s.target)].statements
            else:
                yield s

    def apply(engine: MemoryEngine, decision: Decision, expect: str | None = None) -> Any:
        statements: list[Any] = []
        for s in decision.statements:
            statements += inverse(id(engine), s) if isinstance(s, Undo) else [s]
        told = Decision(decision.kind, decision.actor, tuple(statements), decision.agent_id, decision.reason)
        applied = true_apply(engine, told, expect)
        taken[(id(engine), applied.seq)] = decision
        return applied

    patch.setattr(MemoryEngine, "apply", apply)


def undo_forgets_the_marks(patch: pytest.MonkeyPatch) -> None:
    """Claims of a decision that is taken back go, its marks stay."""
    from memstation.store import plan

    true_fold = plan.fold

    def fold(marks: Any, lifted_at: Any) -> Any:
        from dataclasses import replace

        return true_fold([replace(mark, stands=True) for mark in marks], lifted_at)

    patch.setattr(plan, "fold", fold)


UNDO: list[Mutant] = [
    undo_takes_only_what_it_names,
    undoing_one_of_two_undos_brings_it_back,
    undo_tells_the_opposite,
    undo_forgets_the_marks,
]


# Marks, trust and rules.


def _fold_without(patch: pytest.MonkeyPatch, keep: Callable[[list[Any]], list[Any]]) -> None:
    from memstation.store import plan

    true_fold = plan.fold

    def fold(marks: Any, lifted_at: Any) -> Any:
        standing = sorted((m for m in marks if m.stands), key=lambda m: (m.seq, m.k))
        return true_fold(keep(standing), lifted_at)

    patch.setattr(plan, "fold", fold)


def the_first_hold_mark_rules(patch: pytest.MonkeyPatch) -> None:
    def keep(marks: list[Any]) -> list[Any]:
        holds = [m for m in marks if m.kind in ("held", "released", "denied", "lapsed")]
        return [m for m in marks if m not in holds[1:]]

    _fold_without(patch, keep)


def the_last_cap_rules(patch: pytest.MonkeyPatch) -> None:
    def keep(marks: list[Any]) -> list[Any]:
        caps = [m for m in marks if m.kind == "cap"]
        return [m for m in marks if m not in caps[:-1]]

    _fold_without(patch, keep)


def a_release_lifts_a_withdrawal(patch: pytest.MonkeyPatch) -> None:
    def keep(marks: list[Any]) -> list[Any]:
        released = [m for m in marks if m.kind == "released"]
        return [m for m in marks if m.kind != "withdrawn" or not any(r.seq > m.seq for r in released)]

    _fold_without(patch, keep)


def everybody_raises_trust(patch: pytest.MonkeyPatch) -> None:
    from memstation.store import placing

    patch.setattr(placing, "raises_trust", lambda _origin: True)


def the_rule_for_all_goes_before_the_agents_own(patch: pytest.MonkeyPatch) -> None:
    from memstation.store import rules

    patch.setattr(rules.PredicateRules, "is_many", _general_first(rules.PredicateRules.is_many))


def _general_first(true_is_many: Callable[..., bool]) -> Callable[..., bool]:
    def is_many(self: Any, agent_id: str, predicate: str | None) -> bool:
        return true_is_many(self, "*", predicate) or true_is_many(self, agent_id, predicate)

    return is_many


MARKS: list[Mutant] = [
    the_first_hold_mark_rules,
    the_last_cap_rules,
    a_release_lifts_a_withdrawal,
    everybody_raises_trust,
    the_rule_for_all_goes_before_the_agents_own,
]


# The short way for claims that come last.


def a_last_claim_raises_no_trust(patch: pytest.MonkeyPatch) -> None:
    from memstation.store import tails

    patch.setattr(tails, "raises_trust", lambda _origin: False)


def every_claim_counts_as_the_last(patch: pytest.MonkeyPatch) -> None:
    from memstation.store import lines

    patch.setattr(lines, "_LAST_FOUNDERS", lines._LAST_FOUNDERS.split("WHERE NOT EXISTS")[0] + "WHERE 1")


def an_end_is_forgotten_by_what_comes_last(patch: pytest.MonkeyPatch) -> None:
    from memstation.store import lines

    patch.setattr(lines, "_WITHOUT_ENDS", "")


def a_last_claim_is_linked_across_a_gap(patch: pytest.MonkeyPatch) -> None:
    _place_tail_then(patch, lambda place, founder: setattr(place, "supersedes", founder.id))


def a_last_claim_names_nothing_before_it(patch: pytest.MonkeyPatch) -> None:
    _place_tail_then(patch, lambda place, _founder: setattr(place, "supersedes", None))


def _place_tail_then(patch: pytest.MonkeyPatch, change: Callable[[Any, Any], None]) -> None:
    from memstation.store import plan

    true_place = plan.place_tail

    def place_tail(lines: Any, rows: Any, line: bytes, founder: Any, own_trust: Any) -> Any:
        places, shown = true_place(lines, rows, line, founder, own_trust)
        if founder is not None and places[rows[0].n].role == "fact":
            change(places[rows[0].n], founder)
        return places, shown

    patch.setattr(plan, "place_tail", place_tail)


TAILS: list[Mutant] = [
    a_last_claim_raises_no_trust,
    every_claim_counts_as_the_last,
    an_end_is_forgotten_by_what_comes_last,
    a_last_claim_is_linked_across_a_gap,
    a_last_claim_names_nothing_before_it,
]


# Several claims that come last in one decision.


def a_batch_counts_as_in_order(patch: pytest.MonkeyPatch) -> None:
    from memstation.store import tails

    patch.setattr(tails, "_arrive_in_order", lambda rows: all(row.before is None and not row.is_end for row in rows))


def each_of_a_batch_follows_what_was_stored(patch: pytest.MonkeyPatch) -> None:
    from memstation.store import plan

    true_place = plan.place_tail

    def place_tail(lines: Any, rows: Any, line: bytes, founder: Any, own_trust: Any) -> Any:
        places: dict[int, Any] = {}
        shown: dict[int, int] = {}
        for row in rows:
            for into, found in zip((places, shown), true_place(lines, [row], line, founder, own_trust), strict=True):
                into.update(found)
        return places, shown

    patch.setattr(plan, "place_tail", place_tail)


BATCHES: list[Mutant] = [a_batch_counts_as_in_order, each_of_a_batch_follows_what_was_stored]
