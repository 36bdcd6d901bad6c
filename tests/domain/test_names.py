"""Folding of names and the keys that are made of them (case C10 at its root)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memstation.domain import names


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Gateway", "gateway"),
        ("gateway ", "gateway"),
        ("Ｇａｔｅｗａｙ", "gateway"),
        ("  Two \t\n words  ", "two words"),
        ("ideographic\u3000space", "ideographic space"),
        ("no\u00a0break", "no break"),
        ("cafe\u0301", "caf\u00e9"),
        ("Straße", "strasse"),
        ("STRASSE", "strasse"),
        ("ΣΊΣΥΦΟΣ", "σίσυφοσ"),
        ("ﬁle", "file"),
        ("老闆", "老闆"),
        ("", ""),
        (" \t", ""),
    ],
)
def test_fold_name(written: str, folded: str) -> None:
    assert names.fold_name(written) == folded


def test_simplified_and_traditional_stay_different() -> None:
    assert names.fold_name("老闆") != names.fold_name("老板")


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    once = names.fold_name(text)
    assert names.fold_name(once) == once


@given(st.text(), st.sampled_from([str.upper, str.lower, str.title, lambda t: f" {t}\u3000"]))
def test_case_and_outer_space_never_tell_names_apart(text: str, respell: object) -> None:
    if any(ord(c) > 0x24F for c in text):
        text = "plain"  # case mappings of other scripts are not always reversible
    assert names.fold_name(respell(names.fold_name(text))) == names.fold_name(text)  # type: ignore[operator]


@pytest.mark.parametrize("missing", [None, "", "  ", "\u3000", "\n"])
def test_a_blank_name_is_no_key(missing: str | None) -> None:
    assert names.is_blank(missing)


@pytest.mark.parametrize("present", ["0", ".", "老"])
def test_a_name_of_one_character_is_a_key(present: str) -> None:
    assert not names.is_blank(present)


def test_wording_keeps_case_and_folds_space_and_composition() -> None:
    assert names.same_wording(" Cat  eats\ttuna ") == "Cat eats tuna"
    assert names.same_wording("cafe\u0301") == "caf\u00e9"
    assert names.same_wording("Ｇ") == "Ｇ"
    assert names.same_wording("tuna") != names.same_wording("Tuna")


def test_a_fact_is_agent_exact_and_names_folded() -> None:
    key = names.fact_key("tide", "Gateway", "port")
    assert key == names.fact_key("tide", "Ｇａｔｅｗａｙ ", " PORT")
    assert len(key) == 16
    others = [
        names.fact_key("Tide", "Gateway", "port"),
        names.fact_key("tide ", "Gateway", "port"),
        names.fact_key("tide", "port", "Gateway"),
        names.fact_key("tide", "Gatewayport", ""),
        names.fact_key("tideGateway", "", "port"),
    ]
    assert len({key, *others}) == 6


def test_note_keys_are_one_a_memory_and_exact() -> None:
    keys = {names.note_key("a", "m_1"), names.note_key("a", "M_1"), names.note_key("b", "m_1")}
    keys.add(names.fact_key("a", "m_1", ""))
    assert len(keys) == 4


def test_objects_are_folded_and_content_stands_in_for_a_missing_one() -> None:
    assert names.object_key("Tea", "x") == names.object_key(" tea", "another sentence")
    assert names.object_key(None, "Likes  tea") == names.object_key("  ", "likes tea")
    assert names.object_key(None, "tea") == names.object_key("tea", "another sentence")
    assert names.object_key("tea", "x") != names.object_key("milk", "x")


def test_a_line_is_the_fact_itself_or_one_for_each_object() -> None:
    fact = names.fact_key("a", "s", "p")
    tea, milk = names.object_key("tea", ""), names.object_key("milk", "")
    assert names.line_key(fact, tea, many=False) == names.line_key(fact, milk, many=False) == fact
    assert len({fact, names.line_key(fact, tea, many=True), names.line_key(fact, milk, many=True)}) == 3


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("tuna", "Cat eats tuna"), ("tuna", "Cat eats tuna"), True),
        (("tuna", "Cat eats tuna"), (" tuna ", "Cat  eats\ntuna "), True),
        (("caf\u00e9", "x"), ("cafe\u0301", "x"), True),
        (("tuna", "Cat eats tuna"), ("Tuna", "Cat eats tuna"), False),
        (("tuna", "Cat eats tuna"), ("tuna", "Cat eats tuna."), False),
        ((None, "tuna"), ("tuna", "tuna"), False),
        ((None, "tuna"), ("", "tuna"), False),
        (("ab", "c"), ("a", "bc"), False),
    ],
)
def test_a_value_is_object_and_content_as_worded(
    one: tuple[str | None, str], other: tuple[str | None, str], same: bool
) -> None:
    assert (names.value_digest(*one) == names.value_digest(*other)) is same
