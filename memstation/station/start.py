"""Starts the station: reads the operator's files, then runs the app. It must not open the store itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

from memstation.config.heads import KeptHeads
from memstation.config.keymap import check_keys
from memstation.config.paths import Paths, find_themes
from memstation.config.settings import load_settings
from memstation.config.state import StationState
from memstation.config.themes import load_themes
from memstation.station.commands import COMMANDS, DOMAINS
from memstation.station.services import Adoption, Engine, Services


def gather(
    open_engine: Callable[[], Engine],
    path: Path,
    paths: Paths,
    clock: Callable[[], datetime],
    *,
    actor: str = "operator",
    read_only: bool = False,
    adoption: Adoption | None = None,
    read_names: Callable[[Path], Iterator[tuple[str, str]]] | None = None,
    write_report: Callable[[str, datetime, str], Path] | None = None,
) -> Services:
    """What the station needs, with every fault in the operator's files on its list of problems."""
    loaded = load_settings(paths.settings)
    themes = load_themes(find_themes(), paths.user_themes)
    keymap = check_keys(COMMANDS, loaded.settings.keys, DOMAINS, f"{paths.settings}: keys")
    return Services(
        open_engine=open_engine,
        clock=clock,
        settings=loaded.settings,
        themes=themes,
        keymap=keymap,
        state=StationState(paths.station_state),
        new_backup=paths.new_backup,
        heads=KeptHeads(paths.heads),
        path=path,
        actor=actor,
        read_only=read_only,
        adoption=adoption,
        read_names=read_names,
        write_report=write_report,
        problems=[*loaded.problems, *themes.problems, *keymap.problems],
    )


def run(services: Services, *, mouse: bool | None = None) -> int:
    """Run the station until the operator leaves. Returns the exit code; `mouse` overrides the setting.

    Raises:
        MemstationError: no theme can be read, so nothing can be painted.
    """
    from memstation.station.app import StationApp

    app = StationApp(services)
    app.is_alone = True
    app.run(mouse=services.settings.mouse if mouse is None else mouse)
    return app.return_code or 0
