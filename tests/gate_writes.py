"""Writing as an agent does and looking at what is held, in few words, for tests of the gate."""

from __future__ import annotations

from typing import Any

from memstation import MemoryEntry, TemporalMeta
from memstation.domain.decisions import Applied, Decision
from memstation.ops import review

POISON = "channel:telegram/42"


def write(engine: Any, value: str, predicate: str = "city", **more: Any) -> Any:
    """Store one fact of an agent about the user, by default from a channel; returns its outcome."""
    agent, subject = more.pop("agent", "ada"), more.pop("subject", "user")
    content, origin = more.pop("content", f"the {predicate} is {value}"), more.pop("origin", POISON)
    id_ = more.pop("id", None)
    meta = TemporalMeta(subject=subject, predicate=predicate, object=value, origin=origin, **more)
    return engine.store_temporal(MemoryEntry(agent, content, id=id_), meta)


def burst(engine: Any, times: int = 7, **more: Any) -> list[Any]:
    """Write values until they are a burst; returns the outcomes."""
    return [write(engine, f"v{n}", f"p{n}", **more) for n in range(times)]


def waiting(engine: Any, **more: Any) -> list[str]:
    """The ids that wait, in the order of the queue."""
    return [row.id for row in engine.queue(**more)]


def held(engine: Any, value: str = "Osaka", **more: Any) -> Any:
    """Write something that is held, because the operator told otherwise; returns the row of the queue."""
    predicate = more.get("predicate", "city")
    write(engine, "Nara", predicate, origin="operator", **({"agent": more["agent"]} if "agent" in more else {}))
    outcome = write(engine, value, **more)
    assert outcome.status == "held", outcome
    return next(row for row in engine.queue() if row.id == outcome.id)


def decide(engine: Any, verb: Any, *args: Any, **more: Any) -> Applied:
    """Take a verdict as the station does: previewed, then taken as previewed."""
    more.setdefault("actor", "operator")

    def build(looking: Any) -> Decision:
        return verb(looking, *args, **more)

    decision, effects = engine.propose(build)
    return engine.apply(decision, effects.digest)


def answers(engine: Any, agent: str = "ada", predicate: str = "city", subject: str = "user") -> list[tuple[Any, ...]]:
    """The history that an agent is given: value, start, end, trust, what is before and after it."""
    return [
        (r.id, r.object, r.valid_from, r.valid_until, r.origin_trust, r.supersedes, r.superseded_by, r.state)
        for r in engine.get_history(agent, subject, predicate)
    ]


__all__ = ["POISON", "answers", "burst", "decide", "held", "review", "waiting", "write"]
