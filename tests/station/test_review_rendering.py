"""Groups, filters and differences of the Review room, without a screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memstation.domain.errors import InvalidInput
from memstation.domain.findings import Finding, Scan
from memstation.read.review_rows import HeldRow
from memstation.station.render.cells import runs_width
from memstation.station.render.glyphs import FINE
from memstation.station.render.held_columns import held_columns
from memstation.station.render.held_filter import read_filter
from memstation.station.render.held_groups import FLOOD, Entries, Entry, Head, Item, entries, in_turn, without
from memstation.station.render.held_head import head_rows
from memstation.station.render.held_text import MOST, compared, hidden_runs, text_runs
from memstation.station.render.when import left, remaining
from memstation.station.render.word_diff import tokens, word_diff
from memstation.station.waiting import short_count
from memstation.station.widgets.columns import laid_out, shared_widths

from station.fakes import HOSTILE, NOW


def held(n: int, **changes: Any) -> HeldRow:
    row = HeldRow(
        n=n, id=f"m_{n:04}", version=n, agent_id="dudu", subject="user", predicate=f"p{n}", object=f"v{n}",
        content=f"It says v{n}", origin="channel:telegram/42", trust=0.3, reason="burst", status="pending",
        valid_from=NOW, created_at=NOW, deadline=NOW + timedelta(hours=3, minutes=12), seconds=86_400.0, hits=0,
        closes="",
    )  # fmt: skip
    return replace(row, **changes)


def shown(listed: Sequence[Entry]) -> list[str]:
    return [f"[{entry.count} {entry.lane}]" if isinstance(entry, Head) else entry.row.id for entry in listed]


# -- groups ------------------------------------------------------------------------------------------------------


def test_groups_are_by_source_subject_and_reason_the_weakest_first() -> None:
    rows = [held(1, trust=0.6, origin="agent_derived"), held(2), held(3), held(4, subject="build"),
            held(5, reason="over_operator"), held(6, trust=0.6, origin="agent_derived")]  # fmt: skip
    assert shown(entries(rows)) == ["[2 waiting]", "m_0002", "m_0003", "m_0004", "m_0005",
                                    "[2 waiting]", "m_0001", "m_0006"]  # fmt: skip
    assert shown(entries(rows, "subject"))[0] == "[5 waiting]"
    assert shown(entries(rows, "time")) == [f"m_000{n}" for n in (2, 3, 4, 5, 1, 6)]


def test_groups_over_twenty_are_folded_until_they_are_opened() -> None:
    rows = [held(n) for n in range(30)]
    assert shown(entries(rows)) == ["[30 waiting]"]
    (head,) = entries(rows)
    assert isinstance(head, Head)
    assert len(entries(rows, opened={head.key: True})) == 31
    assert len(entries(rows[:20])) == 21
    assert shown(entries(rows[:20], opened={head.key: False})) == ["[20 waiting]"]


def test_lanes_stand_at_the_end() -> None:
    rows = [held(1, reason="blocked_origin"), held(2), held(3), held(4, reason="blocked_origin")]
    listed = entries(rows, skipped={"m_0002"}, lapsed=[held(9, status="lapsed")], lapsed_count=1)
    assert shown(listed) == ["m_0003", "[1 skipped]", "m_0002", "[2 blocked]", "[1 lapsed]"]


def test_sources_take_turns_only_when_one_has_very_many() -> None:
    few = ["a"] * FLOOD + ["b"] * 2
    assert in_turn(few, lambda name: name) == few
    many = ["a"] * (FLOOD + 1) + ["b"] * 2
    assert in_turn(many, lambda name: name)[:5] == ["a", "b", "a", "b", "a"]


ROWS = st.lists(
    st.builds(
        lambda n, origin, subject, reason: (n, origin, subject, reason),
        st.integers(0, 60), st.sampled_from(["a", "b"]), st.sampled_from(["s", "t", None]),
        st.sampled_from(["burst", "over_operator", "blocked_origin"]),
    ),
    unique_by=lambda row: row[0], max_size=40,
)  # fmt: skip


@given(rows=ROWS, gone=st.sets(st.integers(0, 60)), skipped=st.sets(st.integers(0, 60)), folded=st.booleans())
def test_taking_memories_out_leaves_what_listing_anew_would(
    rows: list[tuple[Any, ...]], gone: set[int], skipped: set[int], folded: bool
) -> None:
    """In the same order of groups; which group comes first may be another one when its weakest is gone."""
    every = [held(n, origin=origin, subject=subject, reason=reason) for n, origin, subject, reason in rows]
    aside = {f"m_{n:04}" for n in skipped}
    opened = {(row.origin, row.agent_id, row.subject, row.reason): not folded for row in every}
    opened |= {"blocked": not folded}
    ids = {f"m_{n:04}" for n in gone}
    left_over = without(entries(every, opened=opened, skipped=aside), ids)
    anew = entries([row for row in every if row.id not in ids], opened=opened, skipped=aside)
    assert sorted(shown(left_over)) == sorted(shown(anew))
    assert {entry.row.id: entry.group for entry in left_over if isinstance(entry, Item)} == {
        entry.row.id: entry.group for entry in anew if isinstance(entry, Item)
    }
    source = Entries(left_over)
    assert [source.index_of(source.key(entry)) for entry in left_over] == list(range(len(left_over)))


@pytest.mark.parametrize("width", [40, 59, 76, 116])
def test_every_row_has_the_same_width_whatever_is_stored(width: int) -> None:
    rows = [held(1, object=HOSTILE, subject=HOSTILE, predicate=HOSTILE, origin=HOSTILE, closes=HOSTILE),
            held(2, object="東京" * 40, subject="老闆", predicate="office", deadline=None),
            held(3, subject=None, predicate=None, object=None, content=HOSTILE, reason=HOSTILE),
            held(4), held(5, status="denied", decided_by="kei", decided_seq=9, decided_at=NOW)]  # fmt: skip
    columns = held_columns(width, FINE, NOW, "source", {"m_0004": rows[4]}, {"m_0002"})
    widths = shared_widths(columns, width)
    for entry in entries(rows, lapsed=rows[4:], lapsed_count=1, opened={"lapsed": True}):
        parts = laid_out(columns, widths, entry)
        assert runs_width(parts) == width
        assert not any(char in "".join(text for text, _ in parts) for char in "\x1b\u202e\u200b\r\n\x9b")


# -- filter ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "found"), [
    ("v1", {1}), ("source:telegram", {1, 2}), ("-source:telegram", {3}), ('about:"the user"', {3}), ("", {1, 2, 3}),
    ("reason:burst V2", {2}), ("ｖ１", {1}), ("agent:dudu -v1", {2, 3}), ('"it says" v3', {3}), ("id:m_0002", {2}),
])  # fmt: skip
def test_a_filter_finds(text: str, found: set[int]) -> None:
    rows = [held(1), held(2), held(3, origin="import:notes", subject="the user")]
    matches = read_filter(text)
    assert {row.n for row in rows if matches(row)} == found


@pytest.mark.parametrize("text", ["bad:x", "source:", "-", 'about:""'])
def test_a_filter_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        read_filter(text)


# -- differences -------------------------------------------------------------------------------------------------


def marked(old: str, new: str) -> str:
    signs = {"same": "{}", "gone": "[-{}-]", "new": "{{+{}+}}"}
    return "".join(signs[piece.kind].format(piece.text) for piece in word_diff(old, new))


@pytest.mark.parametrize(("old", "new", "said"), [
    ("moved to Cloudflare Workers", "moved to Heroku for good", "moved to [-Cloudflare Workers-]{+Heroku for good+}"),
    ("会議室は四階です。", "会議室は五階です。", "会議室は[-四-]{+五+}階です。"),
    ("", "new words", "{+new words+}"), ("same", "same", "same"), ("a b", "a", "a[- b-]"),
    ("one 👩‍👩‍👧 two", "one 👩‍👩‍👦 two", "one [-👩‍👩‍👧-]{+👩‍👩‍👦+} two"),
    ("cafe\u0301 a", "cafe a", "[-cafe\u0301-]{+cafe+} a"),
])  # fmt: skip
def test_words_are_compared(old: str, new: str, said: str) -> None:
    assert marked(old, new) == said


@given(old=st.text(max_size=60), new=st.text(max_size=60))
def test_a_difference_holds_both_texts_whole(old: str, new: str) -> None:
    pieces = word_diff(old, new)
    assert "".join(piece.text for piece in pieces if piece.kind != "new") == old
    assert "".join(piece.text for piece in pieces if piece.kind != "gone") == new
    assert all(new[piece.start :].startswith(piece.text) for piece in pieces if piece.kind != "gone")
    assert "".join(tokens(new)) == new


def test_matched_spans_are_coloured_also_inside_what_is_new() -> None:
    pieces = compared("run this", "run setup.sh this")
    parts = text_runs(pieces, [(4, 12)], 17)
    assert parts == [("run ", ""), ("{+setup.sh", "warning"), (" +}", "added"), ("this", "")]


def test_a_long_text_is_cut_and_says_so() -> None:
    parts = text_runs(compared(None, "x" * (MOST + 5)), [], MOST + 5)
    assert parts[-1][0] == " .. and 5 characters more"


def test_hidden_characters_are_counted_by_name() -> None:
    said = "".join(text for text, _role in hidden_runs(Scan("review", (), {"ZERO WIDTH SPACE": 3, "SOFT HYPHEN": 1})))
    assert said == "4 characters that cannot be seen: SOFT HYPHEN, ZERO WIDTH SPACE x3"
    assert hidden_runs(Scan("pass", (Finding("r", "f", "review", "content", 0, 1, "written", "en"),))) == []


# -- numbers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("minutes", "said"), [
    (192, "3h 12m"), (21 * 60 + 59, "21h"), (47 * 60, "47h"), (96 * 60, "4 days"), (5, "5m"), (0, "due"), (-9, "due"),
])  # fmt: skip
def test_the_time_left(minutes: int, said: str) -> None:
    deadline = NOW + timedelta(minutes=minutes)
    assert remaining(deadline, NOW) == said
    assert left(deadline, NOW) == ("due" if said == "due" else f"{said} left")


@pytest.mark.parametrize(("count", "said"), [(12, "12"), (999, "999"), (1_000, "1k"), (2_013, "2k")])
def test_thousands_in_the_badge(count: int, said: str) -> None:
    assert short_count(count) == said


@pytest.mark.parametrize(("ages", "said"), [((5, 30, 59, 61), "3 in the last minute"), ((5, 61), ""), ((90, 200), "")])
def test_a_flood_that_goes_on_says_so(ages: tuple[int, ...], said: str) -> None:
    rows = [held(n, created_at=NOW - timedelta(seconds=age)) for n, age in enumerate(ages)]
    head = Head("x", "waiting", tuple(rows), len(rows), False)
    text = "\n".join("".join(part for part, _ in line) for line in head_rows(head, NOW, 60, ("a", "d")))
    assert ("in the last minute" in text) == bool(said) and said in text
