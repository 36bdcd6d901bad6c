"""Opens the station from the command line. It must not open the store: the station does, after its first paint."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memstation.commandline.session import Session, embedder_of
from memstation.domain.errors import InvalidInput, Refused

if TYPE_CHECKING:
    from memstation.config.paths import Paths
    from memstation.engine import MemoryEngine
    from memstation.exchange.adoption import AdoptionReport
    from memstation.station.services import Adoption


def need_terminal() -> None:
    """Refuse to paint where nobody sees it.

    Raises:
        Refused: the input or the output is no terminal.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Refused("The station needs a terminal", "its input or output goes elsewhere", "see memstation --help")


def now() -> datetime:
    """The machine's clock, in UTC."""
    return datetime.now(UTC)


def open_station(session: Session) -> int:
    """Open the station on the operator's store. Returns the exit code."""
    from memstation.station.start import gather, run

    need_terminal()
    path = session.store_path()
    session.make_folder(path)
    settings = session.loaded.settings

    def open_engine() -> MemoryEngine:
        from memstation.engine import open_engine

        guard, embedder = settings.knowledge_guard, embedder_of(settings)
        if embedder is not None:
            # By the time that somebody searches, the model is there.
            embedder.load_ahead()
        return open_engine(path, now, read_only=session.read_only, guard=guard, embedder=embedder)

    adoption = None if session.read_only else _adoption(path)
    services = gather(
        open_engine, path, session.paths, now, read_only=session.read_only, adoption=adoption, read_names=read_names,
        write_report=partial(write_report, session.paths, path),
    )  # fmt: skip
    return run(services)


def read_names(path: Path) -> Iterator[tuple[str, str]]:
    """The (name, other name) pairs of a list; see `exchange.name_lists`."""
    from memstation.exchange.name_lists import read_names as read

    return read(path)


def write_report(paths: Paths, store: Path, name: str, at: datetime, text: str) -> Path:
    """Write a report about a store to a new file among the operator's. Returns the file.

    Raises:
        MemstationError: it cannot be written.
    """
    from memstation.exchange.whole_file import write_whole

    file = paths.new_report(store, name, at)
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise InvalidInput(
            "The folder cannot be made", "{path}: {why}", path=file.parent, why=error.strerror or error
        ) from error
    write_whole(file, lambda write: write(text), store=store, force=False)
    return file


def _adoption(path: Path) -> Adoption:
    """How the station takes the file over, should it be the seed system's and the operator say so."""
    from memstation.station.services import Adoption

    def preview() -> AdoptionReport:
        from memstation.exchange.adoption import preview_adoption

        return preview_adoption(path, now)

    def adopt() -> AdoptionReport:
        from memstation.exchange.adoption import adopt

        return adopt(path, now)

    return Adoption(preview, adopt)


def open_demo(session: Session, path: Path, folder: Path) -> int:
    """Build the demonstration store and open the station on it, at the moment where its story stands."""
    from memstation.config.state import StationState
    from memstation.demo import DEMO_NOW, LAST_VISIT, build_demo
    from memstation.engine import open_engine
    from memstation.station.start import gather, run

    build_demo(path)
    begun = now()

    def story_now() -> datetime:
        return DEMO_NOW + (now() - begun)

    # Its visits are its own: the operator's state file is left alone.
    paths = replace(session.paths, state=folder / "state")
    with open_engine(path, story_now) as engine:
        StationState(paths.station_state).keep(engine.uuid, seen=LAST_VISIT)
    guard = session.loaded.settings.knowledge_guard
    services = gather(
        lambda: open_engine(path, story_now, guard=guard), path, paths, story_now, read_only=session.read_only,
        read_names=read_names,
        write_report=partial(write_report, session.paths, path),
    )  # fmt: skip
    return run(services)
