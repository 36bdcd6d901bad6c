"""What a decision does, in lines: everything that is taken away comes first, nothing is left out, all is safe."""

from __future__ import annotations

from dataclasses import replace

from memstation.domain.decisions import OrderChange
from memstation.station.render.effects import SHOWN, effects_counts, effects_lines, plain
from memstation.station.render.glyphs import PLAIN

from station.fakes import HOSTILE, NOW, FakeEngine, change

EFFECTS = FakeEngine().effects


def text(effects: object) -> str:
    return plain(effects_lines(effects, PLAIN, NOW))  # type: ignore[arg-type]


def test_each_change_says_what_it_is_about() -> None:
    assert text(EFFECTS).split("\n") == [
        "✗ user deploy_target: Heroku is withdrawn (14 Apr, no end)",
        "= user deploy_target: Vercel comes back (14 Apr, no end)",
        "! dudu has no value any more for user pager",
    ]
    assert "".join(part for part, _ in effects_counts(EFFECTS)) == "1 withdrawn, 1 comes back"


def test_nothing_says_so() -> None:
    assert "Nothing changes" in text(replace(EFFECTS, listed=tuple, emptied=()))
    assert effects_counts(replace(EFFECTS, listed=tuple)) == []


def test_many_changes_are_counted() -> None:
    many = replace(EFFECTS, listed=lambda: tuple(change(id=str(n)) for n in range(2000)), emptied=())
    lines = text(many).split("\n")
    assert len(lines) == SHOWN + 1
    assert lines[-1] == "and 1,700 more changes"


def test_orders_are_told_in_words_and_safe() -> None:
    order = OrderChange("predicate", "many", "*", None, "speaks\x1b[2J", None, None, True)
    said = text(replace(EFFECTS, listed=tuple, emptied=(), orders=(order, replace(order, rules=False))))
    assert said.split("\n") == [
        "~ speaks[U+001B][2J holds many values, for all agents",
        "~ no longer: speaks[U+001B][2J holds many values, for all agents",
    ]


def test_hostile_values_stay_in_their_line() -> None:
    said = text(replace(EFFECTS, listed=lambda: (change(object=HOSTILE, subject=HOSTILE),), emptied=()))
    assert "\x1b" not in said and "\u202e" not in said and said.count("\n") == 0
