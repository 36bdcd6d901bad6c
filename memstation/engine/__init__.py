"""MemoryEngine: the public Python API, thin, with the seed's names. It holds no rule of its own."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memstation.domain.guarding import DEFAULT_GUARD, GuardSettings
from memstation.domain.instants import Clock
from memstation.engine.care import Care
from memstation.engine.correcting import Correcting
from memstation.engine.counting import Counting
from memstation.engine.embedding import Embedding
from memstation.engine.naming import Naming
from memstation.engine.purging import Purging
from memstation.engine.recalling import Recalling
from memstation.engine.reviewing import Reviewing
from memstation.engine.telling import Telling
from memstation.ops.remember import MakeId
from memstation.store.bringing_back import bring_back
from memstation.store.doctoring import Finding
from memstation.store.verifying import VerifyReport

if TYPE_CHECKING:
    from memstation.recall.embedding import Embedder

__all__ = ["Finding", "MemoryEngine", "VerifyReport", "bring_back", "make_id", "open_engine", "system_clock"]


def system_clock() -> datetime:
    """The machine's clock, in UTC."""
    return datetime.now(UTC)


def make_id(now: datetime) -> str:
    """A new id: ordered by time, and impossible to guess or count by."""
    return f"m_{int(now.timestamp() * 1000) & 0xFFFF_FFFF_FFFF:012x}{os.urandom(9).hex()}"


def open_engine(
    path: str | Path,
    clock: Clock | None = None,
    *,
    make_id: MakeId = make_id,
    read_only: bool = False,
    guard: GuardSettings = DEFAULT_GUARD,
    embedder: Embedder | None = None,
) -> MemoryEngine:
    """Open the store at `path`, creating or upgrading it. Use the result as a context manager.

    `guard` sets how bursts are counted and what is held; see `domain.guarding.GuardSettings`. `embedder` makes vectors
    of texts, by which search goes as well; see `recall.embedding.Embedder` and `engine.embedding`.

    Raises:
        StoreUnusable: the file is no store of ours, newer, or damaged; it was not touched.
    """
    engine = MemoryEngine(Path(path), clock or system_clock, make_id, read_only=read_only, guard=guard)
    engine.embedder = embedder
    return engine


class MemoryEngine(Embedding, Telling, Correcting, Reviewing, Purging, Naming, Recalling, Care, Counting):
    """One open store. Calls may come from several threads."""
