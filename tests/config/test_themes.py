"""Themes: contrast is a promise, and a bad file is told and left out."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from memstation.config.paths import find_themes
from memstation.config.themes import ROLES, TEXT_ROLES, Theme, contrast, load_themes

THEMES = load_themes(find_themes()).by_name


def grounds(theme: Theme) -> list[str]:
    """What text is read on. On the cursor row a theme may have one colour for all text."""
    plain = [theme.surfaces["background"], theme.surfaces["panel"]]
    return plain if theme.cursor_text else [*plain, theme.surfaces["cursor"]]


def least(theme: Theme, role: str) -> float:
    return min(contrast(theme.roles[role].color, ground) for ground in grounds(theme))


@pytest.mark.parametrize("name", ["dark", "light", "contrast", "mono"])
def test_text_can_be_read(name: str) -> None:
    theme = THEMES[name]
    floor = 7.0 if name == "contrast" else 4.5
    assert {role: least(theme, role) for role in TEXT_ROLES if least(theme, role) < floor} == {}
    assert all(contrast(pair.text, pair.background) >= floor for pair in theme.pairs.values())
    assert least(theme, "line") >= 3.0
    if theme.cursor_text:
        assert contrast(theme.cursor_text, theme.surfaces["cursor"]) >= floor


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21.0)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


def test_mono_tells_states_apart_without_hue() -> None:
    inks = {role: THEMES["mono"].roles[role] for role in ("current", "scheduled", "held", "withdrawn", "text")}
    assert len({(ink.weights, ink.color) for ink in inks.values()}) == len(inks)


def test_a_theme_of_ones_own_wins_by_name_and_a_bad_one_is_told(tmp_path: Path) -> None:
    own = tmp_path / "themes"
    own.mkdir()
    text = (find_themes() / "dark.toml").read_text()
    (own / "dark.toml").write_text(text.replace("#14171C", "#101010"))
    (own / "bad.toml").write_text('dark = "no"\n[surfaces]\nbackground = "black"\n[roles]\nheld = "#FFFFFF wobbly"\n')
    (own / "torn.toml").write_text("[surfaces")
    themes = load_themes(find_themes(), own)
    assert themes.by_name["dark"].surfaces["background"] == "#101010"
    assert "bad" not in themes.by_name and "torn" not in themes.by_name
    told = [problem.what for problem in themes.problems if problem.where.endswith("bad.toml")]
    assert len(told) == 3 + len(ROLES) + 2 + 1, "every fault at once"
    assert any("not TOML" in problem.what for problem in themes.problems)


def test_no_folder_is_no_fault(tmp_path: Path) -> None:
    assert load_themes(tmp_path / "none").problems == ()


def test_a_folder_can_be_copied_and_read(tmp_path: Path) -> None:
    shutil.copytree(find_themes(), tmp_path / "copy")
    assert set(load_themes(tmp_path / "copy").by_name) == set(THEMES)
