"""The only door to the screen: nothing that a terminal obeys or an eye cannot see passes; all else is untouched."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memstation.station.render.cells import cut, fit, fit_runs, runs, runs_width, width
from memstation.station.render.safe import Safe, has_hidden, safe_block, safe_line, typed
from memstation.station.words import say

ANY = st.text(st.characters(), max_size=60)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J\x1b[H", "[U+001B][2J[U+001B][H"),
        ("\x1b]52;c;QUJD\x07", "[U+001B]]52;c;QUJD[U+0007]"),
        ("\x9b2J", "[U+009B]2J"),
        ("safe\rEVIL", "safe[U+000D]EVIL"),
        ("a\x7fb\x00\x08", "a[U+007F]b[U+0000][U+0008]"),
        ("x\u202eevil\u202c", "x[U+202E]evil[U+202C]"),
        ("a\u200b\u200b\u200bb", "a[U+200B x3]b"),
        ("ok \ud83d end", "ok [U+D83D] end"),
        ("l1\nl2\r\nl3\tt", "l1↵l2↵l3⇥t"),
        ("a\u2028b\u2029c", "a[U+2028]b[U+2029]c"),
        ("hi\U000e0068\U000e0069", "hi[U+E0068][U+E0069]"),
        ("a\ufe0fb", "a[U+FE0F]b"),
        ("❤\ufe0f\ufe0f", "❤\ufe0f[U+FE0F]"),
        ("日\u200d本", "日[U+200D]本"),
        ("a\u200cb", "a[U+200C]b"),
        ("\u0301a", "[U+0301]a"),
        ("a" + "\u0301" * 30, "a" + "\u0301" * 8 + "[U+0301 x22]"),
        ("soft\u00adhyphen \ufeff", "soft[U+00AD]hyphen [U+FEFF]"),
        ("\u3164\u115f\u2800", "[U+3164][U+115F][U+2800]"),
        ("\ue000", "[U+E000]"),
        ("\ufdd0", "[U+FDD0]"),
        ("葛\U000e01ef", "葛[U+E01EF]"),
    ],
)
def test_what_is_hidden_is_shown(text: str, shown: str) -> None:
    assert safe_line(text) == shown
    assert has_hidden(text) == ("[U+" in shown)


@pytest.mark.parametrize(
    "text",
    [
        "plain text, 'quotes' & <tags> [/] [@click=app.bell]x[/] \\[bold] [[a]]",
        "老闆 office 台北, 会議室 五階, がﾊﾟ, 한글, ไทย, Ελληνικά, кириллица",
        "👩\u200d👩\u200d👧 👍🏽 ❤\ufe0f 1\ufe0f\u20e3 ☎\ufe0e 🏳\ufe0f\u200d🌈 👩🏽\u200d🚀 🇹🇼",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "مرحبا שלום می\u200cخواهم क्\u200dष",
        "葛\U000e0100城 e\u0301 한\u1100",
        "\u3000full width\u00a0",
    ],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert safe_line(text) == text
    assert not has_hidden(text)


@given(ANY)
def test_nothing_that_a_terminal_obeys_passes(text: str) -> None:
    for char in safe_line(text):
        assert unicodedata.category(char) not in ("Cc", "Cs", "Co", "Zl", "Zp")
        assert not "\u202a" <= char <= "\u202e" and not "\u2066" <= char <= "\u2069"
    assert set(safe_block(text)) & {"\n"} == (set("\n") & set(text.replace("\r\n", "\n")))


@given(ANY)
def test_making_safe_twice_changes_nothing(text: str) -> None:
    once = safe_line(text)
    assert safe_line(once) == once
    once.encode("utf-8")


@given(ANY)
def test_no_ordinary_character_is_lost(text: str) -> None:
    """What is no token is the text, in its order; printable text without marks or format characters is all there."""
    plain = "".join(piece for piece, role in runs(text) if role == "")
    left = iter(text)
    assert all(char in left for char in plain), "a piece of the text, in order"
    for char in text:
        if unicodedata.category(char) in ("Lu", "Ll", "Nd", "Po", "Sm") and char not in "\u3164":
            assert char in plain


def test_values_go_into_sentences_through_the_door() -> None:
    assert say("{n} from {origin}", n=3, origin="a\x1b]0;x\x07") == "3 from a[U+001B]]0;x[U+0007]"
    assert say("{x}", x="{n} {x.__class__}") == "{n} {x.__class__}"


def test_what_is_typed_can_be_stored_and_shown() -> None:
    assert typed("a\x1b[2J\ud83d\nb\u202e") == "a\ufffd[2J\ufffd b\ufffd"
    assert typed("老闆 👩\u200d👧 [/") == "老闆 👩\u200d👧 [/"


@given(ANY, st.integers(0, 40), st.booleans())
def test_a_cell_is_exactly_as_wide_as_it_should_be(text: str, cells: int, right: bool) -> None:
    safe = safe_line(text)
    assert width(cut(safe, cells)) <= cells
    assert width(fit(safe, cells, right=right)) == cells
    assert runs_width(fit_runs(runs(text), cells, right=right)) == cells


def test_cut_text_ends_in_two_dots_and_no_wide_character_is_split() -> None:
    assert cut(Safe("Cloudflare Workers"), 12) == "Cloudflare.."
    assert cut(Safe("日本語日本語"), 7) == "日本.."
    assert fit(Safe("日本語日本語"), 8) == "日本語.."
    assert fit(Safe("日本語日本語"), 7) == "日本.. "
    assert cut(Safe("👩\u200d👩\u200d👧👩\u200d👩\u200d👧"), 3) == ".."
