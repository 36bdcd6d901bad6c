"""Settings: defaults without a file, every fault reported, none fatal."""

from __future__ import annotations

from pathlib import Path

import pytest
from memstation.config.settings import Settings, load_settings
from memstation.domain.guarding import GuardSettings


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


def guard_of(path: Path, text: str) -> tuple[GuardSettings, list[str]]:
    path.write_text(text)
    loaded = load_settings(path)
    assert set(loaded.guard_problems) <= set(loaded.problems)
    return loaded.settings.knowledge_guard, [
        str(problem).removeprefix(f"{path}: ") for problem in loaded.guard_problems
    ]


def test_the_gate_takes_right_values_and_defaults_for_the_rest(path: Path) -> None:
    found, wrong = guard_of(path, "[knowledge_guard]\nwindow_secs = 60\nmax_per_subject = 3\n")
    assert (found, wrong) == (GuardSettings(window_secs=60, max_per_subject=3), [])
    assert guard_of(path, "knowledge_guard.enabled = false\n") == (GuardSettings(enabled=False), [])
    assert guard_of(path, "theme = 3\n") == (GuardSettings(), []), "no matter of the gate"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("enabled = 0", "must be true or false"), ('enabled = "no"', "must be true or false"),
        ("window_secs = 0", "must be a whole number from 1 to 604800"),
        ("window_secs = 604801", "must be a whole number from 1 to 604800"),
        ("window_secs = 60.0", "must be a whole number from 1 to 604800"),
        ("window_secs = true", "must be a whole number from 1 to 604800"),
        ("window_secs = nan", "must be a whole number from 1 to 604800"),
        ("max_per_subject = -1", "must be a whole number from 1 to 10000"),
        ("max_per_subject = 10001", "must be a whole number from 1 to 10000"),
        ('max_per_subject = "5"', "must be a whole number from 1 to 10000"),
        ("max_per_subject = [5]", "must be a whole number from 1 to 10000"),
        ("over_operator = []", "must be true or false"),
        ("enable = false", "there is no such setting; there are enabled, window_secs, max_per_subject, over_operator"),
    ],
)  # fmt: skip
def test_a_wrong_value_of_the_gate_leaves_that_one_at_its_default(path: Path, line: str, expected: str) -> None:
    """A mistake in the file never takes the gate off, nor the keys that are right with it."""
    right = "max_per_subject = 4" if "window" in line or "enable" in line else "window_secs = 60"
    name = right.split(" ")[0]
    found, wrong = guard_of(path, f"[knowledge_guard]\n{line}\n{right}\n")
    assert found == GuardSettings(**{name: int(right.split(" ")[2])})
    assert wrong == [f"knowledge_guard.{line.split(' ')[0]}: {expected}"]


@pytest.mark.parametrize("text", ["knowledge_guard = false", "knowledge_guard = []", 'knowledge_guard = "off"'])
def test_a_section_that_is_no_table_leaves_the_gate_on(path: Path, text: str) -> None:
    found, wrong = guard_of(path, text)
    assert found == GuardSettings() and wrong == [
        "knowledge_guard: must be a table: write [knowledge_guard] on a line of its own"
    ]


def test_a_file_that_cannot_be_read_leaves_the_gate_on_and_says_so(tmp_path: Path, path: Path) -> None:
    found, wrong = guard_of(path, "[knowledge_guard\nenabled = false")
    assert found == GuardSettings() and len(wrong) == 1 and "not TOML" in wrong[0]
    loaded = load_settings(tmp_path)
    assert loaded.settings.knowledge_guard == GuardSettings() and len(loaded.guard_problems) == 1
