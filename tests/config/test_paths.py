"""Where files lie: an argument over the environment over the system; themes in a wheel and in a checkout."""

from __future__ import annotations

from pathlib import Path

import pytest
from memstation.config.paths import find_paths, find_themes


def test_home_argument_overrides_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMSTATION_HOME", "/somewhere/else")
    paths = find_paths(tmp_path)
    assert paths.settings == tmp_path / "config" / "config.toml"
    assert paths.database == tmp_path / "data" / "memory.db"
    assert paths.station_state == tmp_path / "state" / "station.json"


def test_environment_overrides_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMSTATION_HOME", str(tmp_path))
    assert find_paths().config == tmp_path / "config"
    monkeypatch.delenv("MEMSTATION_HOME")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    assert find_paths().config == tmp_path / "xdg" / "memstation"


def test_nothing_is_created(tmp_path: Path) -> None:
    find_paths(tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


def test_themes_of_a_wheel_lie_in_the_package(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "memstation"
    (package / "themes").mkdir(parents=True)
    assert find_themes(package) == package / "themes"


def test_themes_of_a_checkout_lie_beside_the_package(tmp_path: Path) -> None:
    (tmp_path / "memstation").mkdir()
    (tmp_path / "themes").mkdir()
    assert find_themes(tmp_path / "memstation") == tmp_path / "themes"


def test_this_installation_has_its_themes() -> None:
    assert {path.stem for path in find_themes().glob("*.toml")} >= {"dark", "light", "contrast", "mono"}
