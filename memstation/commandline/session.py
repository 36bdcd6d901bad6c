"""What a command is run with: folders, the store, its engine. It must not open anything before it is asked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memstation.commandline.verbs import warn
from memstation.domain.errors import MemstationError, NotFound
from memstation.station.words import _

if TYPE_CHECKING:
    from memstation.config.heads import KeptHeads
    from memstation.config.paths import Paths
    from memstation.config.settings import Loaded, Settings
    from memstation.domain.heads import StoreHead
    from memstation.engine import MemoryEngine
    from memstation.recall.embedding import Embedder
    from memstation.station.render.glyphs import GlyphSet


EMBEDDER = "MEMSTATION_EMBEDDER"
"""Goes before the setting; ``off`` for none."""


@dataclass
class Session:
    """The options that stand before the command."""

    home: Path | None = None
    store: Path | None = None
    read_only: bool = False
    checks_head: bool = False
    """Whether the command compares the head that was kept itself."""

    @property
    def paths(self) -> Paths:
        """The operator's folders."""
        from memstation.config.paths import find_paths

        return find_paths(self.home)

    def store_path(self, named: Path | None = None) -> Path:
        """The store's file: named by the command, before it, in the environment, or the operator's own."""
        return named or self.store or self.paths.database

    @contextmanager
    def engine(self, named: Path | None, *, create: bool = False) -> Iterator[MemoryEngine]:
        """The open store.

        Raises:
            NotFound: there is none, and the command does not make one.
            StoreUnusable: the file cannot be opened.
        """
        path = self.store_path(named)
        if not create and not path.exists():
            raise NotFound("There is no store", "{path} does not exist", "memstation paths; --store FILE", path=path)
        self.make_folder(path)
        from memstation.engine import open_engine

        loaded = self.loaded
        guard, embedder = loaded.settings.knowledge_guard, embedder_of(loaded.settings)
        with open_engine(path, read_only=self.read_only, guard=guard, embedder=embedder) as engine:
            self._check_head(engine)
            before = engine.head() if loaded.guard_problems else None
            try:
                yield engine
            finally:
                self._keep_head(engine)
                if before is not None:
                    self._warn_of_guard(engine, before, loaded)

    @property
    def heads(self) -> KeptHeads:
        """The heads of the stores that this operator's programs have seen."""
        from memstation.config.heads import KeptHeads

        return KeptHeads(self.paths.heads)

    def _check_head(self, engine: MemoryEngine) -> None:
        """Warn on one line where the file is not the one that was seen; `verify` says it itself."""
        words = "" if self.checks_head else self.heads.check(engine.uuid, engine).words
        if words:
            hint = _("memstation verify; restore a backup; memstation verify --accept-head keeps this file")
            warn(_("another file was put in place of this store"), words, hint)

    def _keep_head(self, engine: MemoryEngine) -> None:
        try:
            self.heads.advance(engine.uuid, engine)
        except OSError as error:
            # What the command did is in the store all the same.
            warn(_("the newest decision could not be noted outside the store"), str(error))
        except MemstationError:
            # The file cannot be read any more: what the command itself says of that is enough.
            return

    @property
    def loaded(self) -> Loaded:
        """The operator's settings, and what was wrong with them."""
        from memstation.config.settings import load_settings

        return load_settings(self.paths.settings)

    @staticmethod
    def _warn_of_guard(engine: MemoryEngine, before: StoreHead, loaded: Loaded) -> None:
        """Say on one line that what was written passed a gate at its default settings, and why."""
        try:
            if engine.head() == before:
                return
        except MemstationError:
            return
        first = loaded.guard_problems[0]
        warn(_("the gate's settings were not taken; its defaults were in force"), f"{first.where}: {first.what}")

    def make_folder(self, path: Path) -> None:
        """Make the folder of the operator's own store; a folder named by hand must be there."""
        if path == self.paths.database and not self.read_only:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)

    @property
    def glyphs(self) -> GlyphSet:
        """The signs that the operator's terminal can show."""
        from memstation.station.render.glyphs import GLYPHS

        return GLYPHS[self.loaded.settings.glyphs]


def embedder_of(settings: Settings) -> Embedder | None:
    """What makes vectors of texts, by the environment or the settings; loaded only once it is asked."""
    from memstation.recall.embedders import embedder_named

    named = os.environ.get(EMBEDDER, "").strip() or settings.embedder
    return embedder_named("" if named == "off" else named)


pass_session = click.make_pass_decorator(Session, ensure=True)


def known_agent(engine: MemoryEngine, name: str) -> str:
    """The agent of this name.

    Raises:
        NotFound: it has no memories here; the hint gives the nearest name.
    """
    if name in engine.reader.agents():
        return name
    near = engine.reader.nearest_agent(name)
    if near is None:
        raise NotFound("No such agent", "{name!r} has no memories here", "memstation agents lists them", name=name)
    raise NotFound("No such agent", "{name!r} has no memories here", "did you mean {near}?", name=name, near=near)
