"""`lay_out` against the oracle: brute force over instants, on lines generated from tiny alphabets."""

from __future__ import annotations

from itertools import pairwise, permutations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from memstation.domain.timeline import Element, Segment, lay_out

from engine_oracle import Stretch, Told, brute_force

A, B, C = b"A", b"B", b"C"


def day(number: int) -> str:
    return f"2026-01-{number + 1:02d}T00:00:00.000000+00:00"


def claim(n: int, start: int, value: bytes, until: int | None = None) -> Told:
    return Told(n, day(start), value, None if until is None else day(until))


def end(n: int, at: int, value: bytes) -> Told:
    return Told(n, day(at), value, is_end=True)


def engine_layout(told: list[Told]) -> list[Stretch]:
    segments = lay_out(Element(t.n, t.start, t.value, t.until, t.is_end) for t in told)
    return [as_stretch(s) for s in segments]


def as_stretch(segment: Segment) -> Stretch:
    return Stretch(segment.founder, segment.members, segment.start, segment.until, segment.ended_by)


def answers(told: list[Told]) -> list[bytes | None]:
    """The value that holds on each day, by the engine's segments."""
    value = {t.n: t.value for t in told}
    segments = engine_layout(told)
    found = []
    for number in range(12):
        held = [s for s in segments if s.start <= day(number) and (s.until is None or day(number) < s.until)]
        assert len(held) <= 1
        found.append(value[held[0].founder] if held else None)
    return found


def windows(told: list[Told]) -> list[tuple[bytes, int, int | None]]:
    """(value, first day, day after the last or None) of each segment that the engine lays out."""
    value = {t.n: t.value for t in told}
    number = {day(i): i for i in range(13)}
    return [
        (value[s.founder], number[s.start], None if s.until is None else number[s.until]) for s in engine_layout(told)
    ]


@st.composite
def lines(draw: st.DrawFn, ends: bool = True, distinct_starts: bool = False) -> list[Told]:
    """Up to eight claims and ends, told in a random order, with ties and overlaps on purpose."""
    starts = draw(st.lists(st.integers(0, 7), min_size=1, max_size=8, unique=distinct_starts))
    told = []
    for n, start in enumerate(starts, 1):
        value = draw(st.sampled_from([A, A, B, C]))
        if ends and draw(st.integers(0, 3)) == 0:
            told.append(end(n, start, value))
        else:
            length = draw(st.sampled_from([None, None, None, 1, 2, 4]))
            told.append(claim(n, start, value, None if length is None else start + length))
    return told


@given(lines())
@example([claim(2, 1, A), end(1, 1, A), claim(3, 4, A)])
@example([claim(1, 0, A, 4), claim(2, 1, A, 4), claim(3, 2, A, 3), claim(4, 6, A)])
@example([claim(1, 3, A), claim(2, 3, B), claim(3, 3, A), end(4, 3, B)])
@example([claim(1, 0, A), end(2, 5, A), claim(3, 6, B), claim(4, 7, A), end(5, 5, B)])
def test_the_walk_gives_what_brute_force_gives(told: list[Told]) -> None:
    assert engine_layout(told) == brute_force(told)


@pytest.mark.slow
def test_the_walk_gives_what_brute_force_gives_on_every_small_line() -> None:
    """All lines of up to four elements over two values, three starts, two kinds of stated end."""
    shapes = [(s, v, u) for s in range(3) for v in (A, B) for u in (None, 1, 2)]
    shapes += [(s, v, "end") for s in range(3) for v in (A, B)]

    def lay(picked: tuple[tuple[int, bytes, object], ...]) -> list[Told]:
        return [
            end(n, s, v) if u == "end" else claim(n, s, v, None if u is None else s + int(str(u)))
            for n, (s, v, u) in enumerate(picked, 1)
        ]

    checked = 0
    for a in shapes:
        for b in shapes:
            for c in shapes:
                for picked in ((a, b, c), *((a, b, c, d) for d in shapes[::5])):
                    told = lay(picked)
                    assert engine_layout(told) == brute_force(told), told
                    checked += 1
    assert checked > 50_000


@given(lines(), st.randoms(use_true_random=False))
def test_the_order_in_which_a_line_is_listed_does_not_matter(told: list[Told], random: object) -> None:
    shuffled = list(told)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert engine_layout(shuffled) == engine_layout(told)


@given(lines(ends=False, distinct_starts=True), st.data())
def test_any_order_of_arrival_gives_the_same_answers_when_starts_differ(told: list[Told], data: st.DataObject) -> None:
    arrival = data.draw(st.permutations([t.n for t in told]))
    retold = [Told(n, t.start, t.value, t.until) for n, t in zip(arrival, told, strict=True)]
    assert answers(retold) == answers(told)


@given(lines())
def test_no_two_windows_overlap(told: list[Told]) -> None:
    segments = engine_layout(told)
    for earlier, later in pairwise(segments):
        assert earlier.start <= later.start
        assert earlier.until is not None and earlier.until <= later.start
    for s in segments:
        assert s.until is None or s.start <= s.until


@given(lines())
def test_every_claim_is_in_at_most_one_segment_and_no_end_is_in_any(told: list[Told]) -> None:
    members = [n for s in engine_layout(told) for n in s.members]
    assert len(members) == len(set(members))
    assert not {t.n for t in told if t.is_end} & set(members)


@given(lines(ends=False))
def test_without_ends_every_claim_is_a_member(told: list[Told]) -> None:
    assert sorted(n for s in engine_layout(told) for n in s.members) == sorted(t.n for t in told)


@given(lines(ends=False, distinct_starts=True), st.integers(1, 8), st.data())
def test_an_end_survives_the_loss_of_any_earlier_claim(told: list[Told], at: int, data: st.DataObject) -> None:
    """What an end closed does not hold at its instant, whichever of the claims before it are withdrawn."""
    kept = data.draw(st.lists(st.sampled_from(told), unique=True))
    before = [t for t in kept if t.start < day(at) and t.value == A]
    line = [*before, end(9, at, A)]
    assert answers(line)[at:] == [None] * (12 - at)


@pytest.mark.parametrize("arrival", list(permutations([1, 2, 3])))
def test_three_cities_in_any_order(arrival: tuple[int, int, int]) -> None:
    told = [claim(n, s, v) for n, s, v in zip(arrival, (5, 1, 3), (C, A, B), strict=True)]
    assert windows(told) == [(A, 1, 3), (B, 3, 5), (C, 5, None)]


def test_a_late_value_splits_a_fact_that_was_told_twice() -> None:
    first = [claim(1, 0, A), claim(2, 4, A)]
    assert windows(first) == [(A, 0, None)]
    assert windows([*first, claim(3, 2, B)]) == [(A, 0, 2), (B, 2, 4), (A, 4, None)]


def test_at_equal_starts_the_later_told_holds_and_the_other_is_empty() -> None:
    assert windows([claim(1, 2, A), claim(2, 2, B)]) == [(A, 2, 2), (B, 2, None)]
    assert windows([claim(2, 2, A), claim(1, 2, B)]) == [(B, 2, 2), (A, 2, None)]


def test_the_same_value_with_the_same_stated_end_confirms() -> None:
    assert windows([claim(1, 0, A, 6), claim(2, 2, A, 6)]) == [(A, 0, 6)]
    assert windows([claim(1, 0, A, 6), claim(2, 2, A)]) == [(A, 0, 6)]


def test_the_same_value_with_another_stated_end_starts_a_segment() -> None:
    assert windows([claim(1, 0, A, 6), claim(2, 2, A, 8)]) == [(A, 0, 2), (A, 2, 8)]
    assert windows([claim(1, 0, A), claim(2, 2, A, 8)]) == [(A, 0, 2), (A, 2, 8)]


def test_a_repeat_at_the_stated_end_is_a_new_period() -> None:
    assert windows([claim(1, 0, A, 5), claim(2, 5, A)]) == [(A, 0, 5), (A, 5, None)]


def test_nothing_resumes_after_a_stated_end() -> None:
    assert windows([claim(1, 0, A), claim(2, 3, B, 5)]) == [(A, 0, 3), (B, 3, 5)]
    assert windows([claim(1, 0, A, 9), claim(2, 3, B, 5)]) == [(A, 0, 3), (B, 3, 5)]


def test_an_end_closes_the_segment_whenever_its_members_were_told() -> None:
    assert windows([claim(1, 0, A), end(2, 4, A)]) == [(A, 0, 4)]
    assert windows([claim(2, 0, A), end(1, 4, A)]) == [(A, 0, 4)]


def test_an_end_of_another_value_closes_nothing() -> None:
    assert windows([claim(1, 0, A), end(2, 4, B)]) == [(A, 0, None)]


def test_an_end_silences_what_was_told_before_it_and_starts_later() -> None:
    silenced = [claim(1, 0, A), claim(2, 6, A), end(3, 4, A)]
    assert windows(silenced) == [(A, 0, 4)]
    assert windows([claim(1, 0, A), claim(3, 6, A), end(2, 4, A)]) == [(A, 0, 4), (A, 6, None)]


def test_an_end_silences_whoever_holds_at_its_instant() -> None:
    assert windows([claim(1, 0, B), claim(2, 6, A), end(3, 4, A)]) == [(B, 0, None)]


def test_another_value_lifts_the_silence() -> None:
    told = [claim(1, 0, A), claim(2, 8, A), end(3, 4, A), claim(4, 6, B)]
    assert windows(told) == [(A, 0, 4), (B, 6, 8), (A, 8, None)]


def test_the_same_value_told_after_the_end_lifts_the_silence_for_all() -> None:
    told = [claim(1, 0, A), claim(2, 8, A, 10), end(3, 4, A), claim(4, 6, A)]
    assert windows(told) == [(A, 0, 4), (A, 6, 8), (A, 8, 10)]


def test_an_end_at_the_start_comes_before_the_claim() -> None:
    """Told before the end it is silent; told after it, it starts."""
    assert windows([claim(1, 4, A), end(2, 4, A)]) == []
    assert windows([claim(2, 4, A), end(1, 4, A)]) == [(A, 4, None)]


def test_an_end_survives_a_split() -> None:
    told = [claim(1, 0, A), claim(2, 4, A), end(3, 6, A)]
    assert windows(told) == [(A, 0, 6)]
    assert windows([*told, claim(4, 2, B)]) == [(A, 0, 2), (B, 2, 4), (A, 4, 6)]


def test_a_segment_is_shown_as_the_row_told_first() -> None:
    [segment] = lay_out([Element(5, day(0), A), Element(2, day(3), A), Element(7, day(1), A)])
    assert (segment.founder, segment.members, segment.shown) == (5, (5, 7, 2), 2)
    assert (segment.start, segment.until) == (day(0), None)


def test_an_empty_line_has_no_segment() -> None:
    assert lay_out([]) == []
    assert lay_out([Element(1, day(0), A, is_end=True)]) == []
