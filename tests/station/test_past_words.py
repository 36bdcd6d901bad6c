"""The past in words: which moment is meant, and what is said of a difference, cell by cell."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from memstation.domain.errors import InvalidInput
from memstation.read.rows import PastMoment, PastRow
from memstation.station.moments import QUESTIONS, Moment, first_decision, read_moment
from memstation.station.render.cells import runs_width
from memstation.station.render.glyphs import FINE, PLAIN, difference_sign
from memstation.station.render.past import banner, past_note, past_rows, showing
from memstation.station.render.past_columns import past_columns
from memstation.station.widgets.columns import laid_out, shared_widths, titles

from station.fakes import HOSTILE, NOW, FakeReader, fact
from station.past_fakes import FIRST, at, belief, past_engine, the_differences

WEEK_AGO = at(7)


def reader() -> FakeReader:
    read: FakeReader = past_engine().reader
    return read


def said(parts: Any) -> str:
    return "".join(part for part, _role in parts)


# -- which moment ------------------------------------------------------------------------------------------------


def test_the_three_questions_are_the_two_clocks() -> None:
    both, world, belief_time = (read_moment(reader(), question, "last tue", NOW) for question in QUESTIONS)
    asked = [(query.at, query.known_at) for query in (moment.query("dudu") for moment in (both, world, belief_time))]
    assert asked == [(WEEK_AGO, WEEK_AGO), (WEEK_AGO, None), (None, WEEK_AGO)]


def test_a_decision_as_a_moment_is_just_before_it() -> None:
    moment = read_moment(reader(), "1", " #408 ", NOW)
    assert (moment.day, moment.before) == (at(13, 18, 1), 408)
    query = moment.query("dudu", "about:user", only_differences=False)
    assert (query.at, query.known_at, query.filter_text, query.only_differences) == (
        at(13, 18, 1), 407, "about:user", False,
    )  # fmt: skip
    assert read_moment(reader(), "2", "#408", NOW).query("dudu").known_at is None
    assert read_moment(reader(), "3", "#408", NOW).query("dudu").at is None


@pytest.mark.parametrize(("question", "text", "why"), [
    ("1", "tomorrow", "Wed 15 Apr 2026 00:00 UTC is still to come"), ("2", "next tue", "is still to come"),
    ("3", "2026-04-14 09:14:01", "is still to come"),
    ("1", "2026-01-01", "is before the first decision"), ("3", "0476-09-04", "is before the first decision"),
    ("1", "#1", "is before the first decision"),
    ("1", "#99999", "There is no decision #99999"), ("1", "#0", "There is no decision #0"),
    ("1", "#", "Give the number of a decision"), ("1", "#４", "Give the number"),
    ("1", "soon", "cannot be read as a day"),
    ("1", "2026-02-30", "cannot be read as a day"), ("1", "2026-03", "Give a day, too"), ("1", " ", "Give a day"),
])  # fmt: skip
def test_what_is_no_moment_of_the_past_is_refused(question: Any, text: str, why: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_moment(reader(), question, text, NOW)
    assert why in refused.value.title


def test_what_is_known_today_may_be_about_any_day_before() -> None:
    assert read_moment(reader(), "2", "0476-09-04", NOW).day.year == 476
    assert read_moment(reader(), "2", "#1", NOW).day == FIRST


def test_now_is_the_last_moment_of_the_past() -> None:
    assert read_moment(reader(), "1", "now", NOW).day == NOW
    assert read_moment(reader(), "1", "2026-01-01 09:00", NOW).day == FIRST


def test_a_file_without_decisions_has_no_past() -> None:
    engine = past_engine()
    engine.log.clear()
    assert first_decision(engine.reader) is None
    with pytest.raises(InvalidInput, match="Nothing was believed yet"):
        read_moment(engine.reader, "1", "yesterday", NOW)


def test_a_day_back_and_on_ends_at_both_ends() -> None:
    moment = Moment("1", WEEK_AGO)
    assert moment.moved(-1, NOW, FIRST).day == at(6)
    assert Moment("1", at(13, 18, 1), 408).moved(-1, NOW, FIRST) == Moment(
        "1", at(12, 18, 1), None, "2026-04-12 18:01:00"
    )
    assert Moment("1", NOW - timedelta(days=1)).moved(1, NOW, FIRST).day == NOW
    with pytest.raises(InvalidInput, match="is still to come"):
        Moment("1", at(14)).moved(1, NOW, FIRST)
    with pytest.raises(InvalidInput, match="before the first decision"):
        Moment("1", at(2, month=1)).moved(-1, NOW, FIRST)
    with pytest.raises(InvalidInput, match="There is no such day"):
        Moment("2", datetime(1, 1, 1, tzinfo=UTC)).moved(-1, NOW, FIRST)


# -- the banner --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", ["dudu", "老闆の秘書" * 9, "a" * 200, HOSTILE])
@pytest.mark.parametrize("question", list(QUESTIONS))
def test_the_banner_fits_and_names_the_day_and_that_it_is_read_only(question: Any, agent: str) -> None:
    for moment in (Moment(question, WEEK_AGO), Moment(question, WEEK_AGO.replace(year=2025), 123456)):
        for cells in (71, 110):
            parts = banner(moment, PastMoment(moment.day, 398, moment.day), agent, NOW, cells)
            assert runs_width(parts) <= cells
            assert f"7 Apr {moment.day.year}" in said(parts)
            assert moment.before is None or question == "2" or "before #123456" in said(parts)
            assert "Read only." in said(parts)


def test_the_banner_says_more_where_there_is_room() -> None:
    known = PastMoment(WEEK_AGO, 398, WEEK_AGO)
    assert said(banner(Moment("1", WEEK_AGO), known, "dudu", NOW, 110)) == (
        "What dudu believed on Tue 7 Apr 2026 00:00 UTC, decision #398, about that same moment.  Read only."
    )
    assert said(banner(Moment("1", WEEK_AGO), known, "dudu", NOW, 71)) == (
        "Believed on Tue 7 Apr 2026 00:00 UTC about that moment.  Read only."
    )
    assert said(banner(Moment("2", WEEK_AGO), known, "dudu", NOW, 110)) == (
        "What is known today of dudu about Tue 7 Apr 2026 00:00 UTC.  Read only."
    )
    assert said(banner(Moment("3", WEEK_AGO), known, "dudu-the-second", NOW, 71)) == (
        "Believed on Tue 7 Apr 2026 00:00 UTC about now.  Read only."
    )


def test_what_is_shown_is_said_in_a_word_or_two() -> None:
    assert showing(Moment("1", WEEK_AGO), NOW, only_differences=True) == "showing: 7 Apr, differences"
    assert showing(Moment("1", at(7, 18)), NOW, only_differences=False) == "showing: 7 Apr 18:00, all"
    assert showing(Moment("1", at(7, 18), 408), NOW, only_differences=True) == "showing: before #408, differences"
    assert "2025" in showing(Moment("1", WEEK_AGO.replace(year=2025)), NOW, only_differences=True)


# -- rows --------------------------------------------------------------------------------------------------------


def cells_of(row: PastRow, width: int, sample: list[PastRow] | None = None, question: Any = "1") -> str:
    columns = past_columns(width, FINE, NOW, sample or the_differences(), question)
    return said(laid_out(columns, shared_widths(columns, width), row))


def test_each_kind_of_difference_has_its_sign_word_and_role_in_both_sets() -> None:
    for glyphs in (FINE, PLAIN):
        signs = {kind: difference_sign(glyphs, kind) for kind in ("changed", "gone", "new", "same")}  # type: ignore[arg-type]
        assert {kind: str(sign) for kind, sign in signs.items()} == {
            "changed": "~ changed", "gone": "- gone", "new": "+ new", "same": "= same",
        }  # fmt: skip
        assert len({sign.role for sign in signs.values()}) == 4


def test_the_rows_of_the_wireframe() -> None:
    shown = [" ".join(cells_of(row, 76).split()) for row in the_differences()]
    assert shown == [
        "~ changed user standup_time 10:00 09:30 14 Apr",
        "- gone user deploy_owner @ops_helper (withdrawn) 13 Apr",
        "+ new user budget_cap (not known) USD 400 11 Apr",
        "~ changed user prefers_editor Helix, trust 0.3 Helix, trust 1.0 10 Apr",
        "- gone user trial_plan Pro (ended) 12 Apr",
    ]
    assert cells_of(the_differences()[0], 116).endswith("#410 14 Apr 07:31 agents".ljust(26))
    assert "time, 12 Apr 00:00" in cells_of(the_differences()[4], 116)


def test_titles_follow_the_question() -> None:
    for question, words in (("1", "BELIEVED THEN"), ("2", "HELD THEN"), ("3", "BELIEVED NOW")):
        columns = past_columns(76, FINE, NOW, the_differences(), question)  # type: ignore[arg-type]
        assert words in titles(columns, shared_widths(columns, 76))


def test_the_trust_that_differs_is_never_cut_away() -> None:
    row = the_differences()[3]
    assert row.then is not None and row.now is not None
    for text in ("a very long value that does not fit at all", "とても長い値とても長い値", HOSTILE):
        odd = replace(row, then=replace(row.then, object=text), now=replace(row.now, object=text))
        for width in (76, 116):
            shown = cells_of(odd, width)
            assert "trust 0.3" in shown and "trust 1.0" in shown


@pytest.mark.parametrize("width", [40, 56, 76, 109, 110, 116, 200])
@pytest.mark.parametrize("text", ["x" * 3000, "日本語" * 500, HOSTILE, "", "👩‍👩‍👧‍👦" * 40])
def test_every_row_has_the_width_of_the_list_whatever_it_says(width: int, text: str) -> None:
    row = belief(1, text, "changed", text, text + "!", subject=text or None, since=at(1), cause=None)
    sample = [row, *the_differences()]
    columns = past_columns(width, FINE, NOW, sample)
    parts = laid_out(columns, shared_widths(columns, width), row)
    assert runs_width(parts) == width
    assert not any(char in said(parts) for char in "\x1b\x07\u202e\u200b\n\r\t\x9b")


def test_a_note_says_that_it_is_one() -> None:
    note = fact(5, subject=None, predicate=None, object=None, content="The printer jams.")
    row = PastRow("n5", "gone", "dudu", None, None, note, None, at(1), None)
    assert " ".join(cells_of(row, 76).split()) == "- gone note The printer jams. (ended) 01 Apr"


# -- the detail --------------------------------------------------------------------------------------------------


def detail_of(place: int) -> tuple[PastRow, Any]:
    row = the_differences()[place]
    return row, past_engine().reader.past_detail("dudu", row.key, None)


def text_of(rows: Any) -> str:
    return "\n".join(said(row) for row in rows)


def test_the_detail_says_then_now_and_why() -> None:
    row, detail = detail_of(0)
    rows = [said(line) for line in past_rows(row, detail, NOW, 118)]
    assert rows[0] == "then   10:00   told by user_direct 2 Feb 08:00, trust 1.0, since 2 Feb"
    assert rows[1] == "now    09:30   told by channel:line/7 14 Apr 07:31, trust 0.3, since 11 Apr"
    assert rows[2] == "why    #410 agents, 14 Apr 07:31: stored user standup_time 09:30"
    assert past_note(row, detail, "w") == "1 decision in between, w opens #410"


def test_why_nothing_is_believed_now_is_said() -> None:
    withdrawn = text_of(past_rows(*detail_of(1), NOW, 118))
    assert "nothing: withdrawn, it was never true" in withdrawn and "(a poisoned channel)" in withdrawn
    ended = text_of(past_rows(*detail_of(4), NOW, 118))
    assert "time passed: it ended by its own date, 12 Apr 00:00" in ended
    assert past_note(*detail_of(4), "w") == ""
    unknown = text_of(past_rows(*detail_of(2), NOW, 118))
    assert "it was not known" in unknown


def test_what_is_alike_says_that_nothing_changed_it() -> None:
    row = belief(1, "p", "same", "a", "a")
    assert "nothing changed it" in text_of(past_rows(row, None, NOW, 78))


def test_a_long_value_stands_in_full_below() -> None:
    row = belief(1, "p", "changed", "x" * 700, "y", since=at(1))
    engine = past_engine([row])
    shown = text_of(past_rows(row, engine.reader.past_detail("dudu", "k1", None), NOW, 78))
    assert shown.replace("\n", "").replace(" ", "").count("x" * 700) == 1


def test_the_detail_of_hostile_text_is_safe() -> None:
    row = belief(1, HOSTILE, "changed", HOSTILE, HOSTILE + "2", since=at(1), subject=HOSTILE)
    engine = past_engine([row])
    for cells in (30, 78, 118):
        rows = past_rows(row, engine.reader.past_detail("dudu", "k1", None), NOW, cells)
        assert not any(char in text_of(rows) for char in "\x1b\x07\u202e\u200b\r\t\x9b")
        assert all(runs_width(line) <= max(cells, 9) for line in rows)
