"""Where memstation keeps its files. It must not create any folder; who writes a file makes its folder."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import platformdirs

import memstation

APP = "memstation"


@dataclass(frozen=True, slots=True)
class Paths:
    """The folders of one operator."""

    config: Path
    data: Path
    state: Path

    @property
    def settings(self) -> Path:
        """The settings file."""
        return self.config / "config.toml"

    @property
    def user_themes(self) -> Path:
        """Where the operator's own themes lie."""
        return self.config / "themes"

    @property
    def station_state(self) -> Path:
        """Last visits and the like, which belong to the operator and not to a store."""
        return self.state / "station.json"

    @property
    def heads(self) -> Path:
        """The folder of the journal heads that were seen, a file a store."""
        return self.state / "heads"

    @property
    def log_file(self) -> Path:
        """Where the program logs; the screen is the station's."""
        return self.state / "memstation.log"

    @property
    def database(self) -> Path:
        """The store that is opened when none is named."""
        return self.data / "memory.db"

    @property
    def backups(self) -> Path:
        """Where copies of stores go that are given no name."""
        return self.data / "backups"

    def new_report(self, store: Path, name: str, at: datetime) -> Path:
        """The name of a report about `store` that is written at an instant (UTC)."""
        return self.data / "reports" / f"{store.stem}-{name}-{at:%Y%m%dT%H%M%SZ}.txt"

    def new_backup(self, store: Path, at: datetime) -> Path:
        """The name of a copy of `store` that is made at an instant (UTC)."""
        return self.backups / f"{store.stem}-{at:%Y%m%dT%H%M%S.%fZ}.db"


def find_paths(home: Path | str | None = None) -> Paths:
    """The folders: under `home` when given, else under ``MEMSTATION_HOME``, else where the system keeps such files."""
    root = home or os.environ.get("MEMSTATION_HOME")
    if root:
        base = Path(root).expanduser().absolute()
        return Paths(config=base / "config", data=base / "data", state=base / "state")
    return Paths(
        config=platformdirs.user_config_path(APP, appauthor=False),
        data=platformdirs.user_data_path(APP, appauthor=False),
        state=platformdirs.user_state_path(APP, appauthor=False),
    )


def find_themes(package: Path | None = None) -> Path:
    """The folder of the themes that come with memstation.

    A wheel carries it inside the package; in a checkout (an editable install) it lies beside the package.
    """
    package = package or Path(memstation.__file__).parent
    inside = package / "themes"
    return inside if inside.is_dir() else package.parent / "themes"
