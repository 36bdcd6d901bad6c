"""Under which keys standing orders are looked up, and which predicates hold many values now. It never writes."""

from __future__ import annotations

from functools import lru_cache

from memstation.domain.decisions import EVERY_AGENT
from memstation.domain.names import order_key
from memstation.read.querying import quick
from memstation.store.database import Snapshot

_RULING = "SELECT key, verdict FROM orders WHERE key IN (?, ?) AND about = 'predicate' AND rules = 1"
_ALL = "SELECT key, verdict FROM orders WHERE about = 'predicate' AND rules = 1"


@lru_cache(maxsize=4096)
def rule_keys(agent_id: str, predicate: str) -> tuple[bytes, bytes]:
    """The keys under which a predicate's rule is looked up: the agent's own, which goes before, and everybody's."""
    return order_key("predicate", agent_id, predicate), order_key("predicate", EVERY_AGENT, predicate)


def is_many(conn: Snapshot, agent_id: str, predicate: str) -> bool:
    """Whether a predicate holds many values for an agent."""
    own, general = rule_keys(agent_id, predicate)
    verdicts: dict[bytes, str] = dict(quick(conn, _RULING, (own, general)))
    return verdicts.get(own, verdicts.get(general)) == "many"


@lru_cache(maxsize=4096)
def trust_keys(agent_id: str, origin: str | None) -> tuple[bytes, ...]:
    """The keys under which the trust of an origin is looked up, the agent's own first; none without an origin."""
    if origin is None:
        return ()
    return order_key("origin_trust", agent_id, origin), order_key("origin_trust", EVERY_AGENT, origin)


class ManyRules:
    """All rules about predicates, read once for a list."""

    def __init__(self, conn: Snapshot) -> None:
        self._verdicts: dict[bytes, str] = dict(quick(conn, _ALL))

    def holds_many(self, agent_id: str, predicate: str | None) -> bool:
        """Whether a predicate holds many values for an agent."""
        if not self._verdicts or predicate is None:
            return False
        own, general = rule_keys(agent_id, predicate)
        return self._verdicts.get(own, self._verdicts.get(general)) == "many"
