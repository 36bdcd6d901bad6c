"""Who is named in a text: whole words where a script has them, anywhere where it has none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memstation.domain.mentions import is_named, names_in, strings_of
from memstation.domain.names import fold_name


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("ann", "planning", False),
        ("ann", "annex", False),
        ("ann", "Joann", False),
        ("ann", "Ann's plan", True),
        ("ann", "planning with ANN", True),
        ("ann", "ask_ann (ann@example.org)", True),
        ("ann", "ann2", False),
        ("ann", "ａｎｎ", True),
        ("ann", "ann\u0323e", False),
        ("ann", "小ann說", True),
        ("ann lee", "Ann\n Lee", True),
        ("ann lee", "Ann Leeds", False),
        ("c++", "c++ and C", True),
        ("c++", "xc++", False),
        ("c++", "c++x", True),
        ("小明", "陳小明說", True),
        ("明", "小明", True),
        ("さくら", "さくらさんは", True),
        ("민수", "민수는", True),
        ("มานี", "มานีมา", True),
        ("ที", "ที่นี่", False),
        ("ที", "นาที", True),
        ("ดา", "ดาว ดาดา", True),
        ("สำ", "สำน้ำ", True),
        ("มิ", "มิ้น", False),
        ("កា", "កាហ្វេ", True),
        ("ហ", "កាហ្វេ", False),
        ("វ", "កាហ្វេ", False),
        ("ကော်", "ကော်ဖီ", True),
        ("ကော", "ကော်ဖီ", False),
        ("ລາວ", "ພາສາລາວ", True),
        ("анна", "Анна!", True),
        ("анна", "Жанна", False),
        ("रवि", "रविवार", False),
        ("रवि", "कल रवि आया", True),
        ("", "anything", False),
    ],
)
def test_whole_words(name: str, text: str, expected: bool) -> None:
    assert is_named(text, (fold_name(name),)) is expected


@given(st.text(), st.text(min_size=1), st.text())
def test_a_name_between_spaces_is_found_wherever_it_stands(before: str, name: str, after: str) -> None:
    folded = fold_name(name)
    # Folding composes what stands side by side, white space included: only a name that stays itself is looked for.
    if folded and folded in fold_name(f"{before} {name} {after}"):
        assert is_named(f"{before} {name} {after}", ("nobody", folded))


@pytest.mark.parametrize(
    ("text", "strings"),
    [
        ('["a\\nann", {"k": ["\\u5c0f"]}]', "a\nann\nk\n小"),
        ("3", "3"),
        ("null", ""),
        (None, ""),
        ("no json", "no json"),
    ],
)
def test_strings_of(text: str | None, strings: str) -> None:
    assert strings_of(text) == strings


def test_names_in_a_text_without_spaces_leave_no_mark_behind() -> None:
    known = {"มานี", "มา", "ที", "ชูใจ"}
    assert names_in(fold_name("มานีกับชูใจที่บ้าน"), known, 10) == ["มานี", "ชูใจ"]
