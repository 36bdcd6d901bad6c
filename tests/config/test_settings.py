"""Settings: defaults without a file, every fault reported, none fatal."""

from __future__ import annotations

from pathlib import Path

import pytest
from memstation.config.settings import Settings, load_settings


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_no_file_means_the_defaults(path: Path) -> None:
    loaded = load_settings(path)
    assert (loaded.settings, loaded.problems) == (Settings(), ())


def test_right_values_are_taken(path: Path) -> None:
    path.write_text(
        'theme = "light"\nmouse = false\nglyphs = "plain"\n[keys]\n"undo.mine" = "x"\nitem.open = ["enter", "e"]\n'
    )
    loaded = load_settings(path)
    assert loaded.problems == ()
    assert (loaded.settings.theme, loaded.settings.mouse, loaded.settings.glyphs) == ("light", False, "plain")
    assert loaded.settings.keys == {"undo.mine": ("x",), "item.open": ("enter", "e")}


def test_every_fault_is_reported_and_left_at_its_default(path: Path) -> None:
    path.write_text('theme = 3\nmouse = "yes"\nglyphs = "emoji"\ncolour = "red"\nrefresh_seconds = 0\n[keys]\na = 1\n')
    loaded = load_settings(path)
    assert loaded.settings == Settings(keys={})
    assert [problem.where.rsplit(": ")[-1] for problem in loaded.problems] == [
        "theme", "mouse", "glyphs", "colour", "refresh_seconds", "keys",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["theme = ", "\x00", "[keys"])
def test_a_file_that_is_not_toml_is_reported(path: Path, text: str) -> None:
    path.write_text(text)
    loaded = load_settings(path)
    assert loaded.settings == Settings()
    assert "not TOML" in loaded.problems[0].what


def test_a_file_that_is_not_text_or_not_a_file_is_reported(tmp_path: Path, path: Path) -> None:
    path.write_bytes(b'theme = "\xff\xfe"')
    assert "UTF-8" in load_settings(path).problems[0].what
    assert "cannot be read" in load_settings(tmp_path).problems[0].what
