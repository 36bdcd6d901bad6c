"""Telling notes and facts and searching for them, in few words."""

from __future__ import annotations

from typing import Any

from memstation import MemoryEntry, TemporalMeta


def note(engine: Any, text: str, *, agent: str = "ada", origin: str = "operator", **more: Any) -> Any:
    """Tell a memory without a triple; returns its outcome."""
    entry = {key: more.pop(key) for key in ("layer", "importance", "tags", "id") if key in more}
    return engine.store_temporal(MemoryEntry(agent, text, **entry), TemporalMeta(origin=origin, **more))


def triple(engine: Any, subject: str, predicate: str, object: str | None, **more: Any) -> Any:
    """Tell a fact that says its triple; returns its outcome."""
    text = more.pop("text", f"{subject} {predicate} {object or ''}".strip())
    return note(engine, text, subject=subject, predicate=predicate, object=object, **more)


def found(engine: Any, query: str, limit: int = 10, **more: Any) -> list[str]:
    """The texts of the hits, the best first."""
    return [hit.memory.content for hit in engine.search(more.pop("agent", "ada"), query, limit, **more)]
