"""Scripts without spaces: which characters they have, and what the pairs of a text are."""

from __future__ import annotations

import unicodedata

import pytest
from memstation.store.scripts import RUN, pairs, signs
from memstation.store.text_index import phrase, segment

NAMES = ("THAI ", "LAO ", "KHMER ", "MYANMAR ", "YI ", "JAVANESE ", "BALINESE ", "TAI ", "NEW TAI ")


def test_every_letter_and_mark_of_them_is_in_a_run_and_no_digit_or_sign_is() -> None:
    for code in range(0x0E00, 0xAB00):
        char = chr(code)
        if unicodedata.name(char, "").startswith(NAMES):
            assert (RUN.fullmatch(char) is not None) == (unicodedata.category(char)[0] in "LM"), f"{code:04x}"


def test_a_mark_is_no_sign_of_its_own() -> None:
    for code in range(0x0E00, 0xAB00):
        char = chr(code)
        if RUN.fullmatch(char) and unicodedata.category(char).startswith("M") and code not in (0x3099, 0x309A):
            base = "ก"
            assert list(signs(base + char)) == [base + char], f"{code:04x}"


@pytest.mark.parametrize(
    ("run", "found"),
    [
        ("กาแฟ", ["กา", "าแ", "แฟ", "ฟ"]),
        ("ที่นี่", ["ที่นี่", "นี่"]),
        ("ကော်ဖီ", ["ကော်ဖီ", "ဖီ"]),
        ("東京駅", ["東京", "京駅", "駅"]),
        ("か\u3099な", ["か\u3099", "\u3099な", "な"]),
        ("ก", ["ก"]),
        ("่", ["่"]),
        ("ก" + "่" * 20, ["ก" + "่" * 20, "่" * 5]),
    ],
)
def test_pairs(run: str, found: list[str]) -> None:
    assert pairs(run) == found


def test_digits_and_spaces_end_a_run() -> None:
    assert segment("ปี๒๕๖๗ ดี").split() == ["ปี", "๒๕๖๗", "ดี"]
    assert segment("日本กา").split() == ["日本", "本ก", "กา", "า"]


def test_a_name_that_is_begun_finds_its_marked_end() -> None:
    """What a filter takes for the beginning of a name must be found though the name goes on with a mark."""
    assert phrase("กาที").endswith('"*') and not phrase("東京").endswith('"*')
