"""Telling facts and reading them back in few words, for tests of the engine's API."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from memstation import MemoryEntry, TemporalMeta

AGENT, SUBJECT, PREDICATE = "ada", "user", "city"


def saying(value: str | None, since: Any = None, until: Any = None, **more: Any) -> tuple[Any, Any]:
    """An entry and its meta. Keywords go to whichever of the two has a field of that name."""
    names = {"subject": SUBJECT, "predicate": PREDICATE, **more}
    content = names.pop("content", f"the city is {value}")
    agent = names.pop("agent", AGENT)
    entry_fields = {k: names.pop(k) for k in ("tags", "layer", "importance", "id") if k in names}
    if "entry_event" in names:
        entry_fields["source_event"] = names.pop("entry_event")
    names.setdefault("origin", "operator")
    meta = TemporalMeta(object=value, valid_from=since, valid_until=until, **names)
    return MemoryEntry(agent_id=agent, content=content, **entry_fields), meta


def tell(engine: Any, value: str | None, since: Any = None, until: Any = None, **more: Any) -> Any:
    """Store one fact; returns its outcome."""
    return engine.store_temporal(*saying(value, since, until, **more))


def timeline(engine: Any, agent: str = AGENT, subject: str = SUBJECT, predicate: str = PREDICATE) -> list[Any]:
    """(value, from, until) of each fact in the history, as dates where they are whole days."""
    return [
        (r.object or r.content, short(r.valid_from), short(r.valid_until))
        for r in engine.get_history(agent, subject, predicate)
    ]


def value_at(engine: Any, at: Any, agent: str = AGENT, predicate: str = PREDICATE, **more: Any) -> str | None:
    record = engine.get_at(agent, more.pop("subject", SUBJECT), predicate, at, **more)
    return None if record is None else record.object or record.content


def short(moment: datetime | None) -> str | None:
    if moment is None:
        return None
    text = moment.isoformat()
    return text.removesuffix("+00:00").removesuffix("T00:00:00")
