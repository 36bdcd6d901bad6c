"""memstation: a station in which a person curates what AI agents remember."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memstation.domain.memory import FactRecord, MemoryEntry, Outcome, TemporalMeta
    from memstation.engine import MemoryEngine, open_engine
    from memstation.recall.embedding import Embedder

__version__ = "0.1.0"
__all__ = ["Embedder", "FactRecord", "MemoryEngine", "MemoryEntry", "Outcome", "TemporalMeta", "open_engine"]

_HOMES = {
    "Embedder": "memstation.recall.embedding",
    "MemoryEngine": "memstation.engine",
    "open_engine": "memstation.engine",
    "FactRecord": "memstation.domain.memory",
    "MemoryEntry": "memstation.domain.memory",
    "Outcome": "memstation.domain.memory",
    "TemporalMeta": "memstation.domain.memory",
}


def __getattr__(name: str) -> Any:
    # The store's libraries load when they are first used: the station paints before that.
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
