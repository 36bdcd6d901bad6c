"""Standing orders as the ledger reads them: which rules now, and which would. It never writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from memstation.domain.aliases import Aliases, Link
from memstation.domain.decisions import EVERY_AGENT, Order
from memstation.domain.errors import InvalidInput
from memstation.domain.names import fold_name, order_key
from memstation.domain.origins import trust_under

VERDICTS = {
    "alias": ("joined", "parted"),
    "suggestion": ("suggested", "accepted", "dismissed"),
    "conflict": ("dismissed", "reopened"),
    "predicate": ("one", "many"),
    "rejected": ("rejected", "lifted"),
    "origin": ("blocked", "unblocked"),
    "origin_trust": ("set", "unset"),
}

ORDER_SQL = "seq, k, about, verdict, agent_id, key, subject, predicate, value, number, at"


@dataclass(frozen=True, slots=True)
class OrderRow:
    """An order as the store keeps it."""

    seq: int
    k: int
    about: str
    verdict: str
    agent_id: str
    key: bytes
    subject: str | None
    predicate: str | None
    value: str | None
    number: float | None
    at: str
    stands: bool = True
    rules: bool = True

    def told(self) -> tuple[object, ...]:
        """The columns that never change, in the order of `ORDER_SQL`."""
        return (
            self.seq, self.k, self.about, self.verdict, self.agent_id, self.key, self.subject, self.predicate,
            self.value, self.number, self.at,
        )  # fmt: skip


def key_of(order: Order) -> bytes:
    """The key under which an order is looked up.

    Raises:
        InvalidInput: an unknown verdict, or a name is missing.
    """
    if order.verdict not in VERDICTS.get(order.about, ()):
        raise InvalidInput(
            "The order is not known", "{about} cannot be {verdict}", about=order.about, verdict=order.verdict
        )
    names = {
        "alias": (order.subject,),
        "suggestion": (order.subject, order.value),
        "conflict": (order.value,),
        "predicate": (order.predicate,),
        "rejected": (order.subject or "", order.predicate or "", order.value),
        "origin": (order.value,),
        "origin_trust": (order.value,),
    }[order.about]
    named = [name for name in names if name is not None]
    if len(named) < len(names) or not named[-1].strip():
        raise InvalidInput("The order names nothing", "an order about {about} needs a name", about=order.about)
    return order_key(order.about, order.agent_id, *named)


def orders_of(cursor: sqlite3.Cursor, key: bytes) -> list[OrderRow]:
    """Every order under a key, oldest first."""
    sql = f"SELECT {ORDER_SQL}, stands, rules FROM orders WHERE key = ? ORDER BY seq, k"
    return [read_order(values) for values in cursor.execute(sql, (key,)).fetchall()]


def order_at(cursor: sqlite3.Cursor, seq: int, k: int) -> OrderRow | None:
    """The order with this place; None when there is none."""
    sql = f"SELECT {ORDER_SQL}, stands, rules FROM orders WHERE seq = ? AND k = ?"
    found = cursor.execute(sql, (seq, k)).fetchone()
    return None if found is None else read_order(found)


def ruling(cursor: sqlite3.Cursor, about: str, agent_id: str) -> list[OrderRow]:
    """The orders of one kind that rule for an agent, oldest first."""
    sql = f"""SELECT {ORDER_SQL}, stands, rules FROM orders
        WHERE about = ? AND agent_id = ? AND rules = 1 ORDER BY seq, k"""
    return [read_order(values) for values in cursor.execute(sql, (about, agent_id)).fetchall()]


def aliases_of(cursor: sqlite3.Cursor, agent_id: str) -> Aliases:
    """The groups of names that the standing joins of an agent make."""
    joined = (order for order in ruling(cursor, "alias", agent_id) if order.verdict == "joined")
    return Aliases(Link(order.subject or "", order.value or "", order.seq) for order in joined)


def kept_apart(cursor: sqlite3.Cursor, agent_id: str) -> list[tuple[str, str]]:
    """Pairs of names that the operator took apart, by a decision of his own or by taking back the join, or dismissed.

    Joins taken back are found without an index: there are few orders about names.
    """
    sql = """SELECT subject, value FROM orders WHERE agent_id = ? AND subject IS NOT NULL AND value IS NOT NULL AND (
        (about = 'alias' AND verdict = 'parted' AND stands = 1)
        OR (about = 'alias' AND verdict = 'joined' AND stands = 0)
        OR (about = 'suggestion' AND verdict = 'dismissed' AND rules = 1))"""
    found: list[tuple[str, str]] = cursor.execute(sql, (agent_id,)).fetchall()
    return found


def read_order(values: tuple[Any, ...]) -> OrderRow:
    """Make an order from the columns of `ORDER_SQL`, `stands` and `rules`."""
    seq, k, about, verdict, agent_id, key, subject, predicate, value, number, at, stands, rules = values
    return OrderRow(
        seq, k, about, verdict, agent_id, key, subject, predicate, value, number, at, bool(stands), bool(rules)
    )  # fmt: skip


class PredicateRules:
    """Which predicates hold many values: as it is, and as a decision makes it."""

    def __init__(self, cursor: sqlite3.Cursor, *, any_rule: bool = True) -> None:
        self._verdicts: dict[bytes, str] = {}
        if not any_rule:
            return
        sql = "SELECT key, verdict FROM orders WHERE about = 'predicate' AND rules = 1"
        self._verdicts = dict(cursor.execute(sql).fetchall())

    def __bool__(self) -> bool:
        """Whether there is any rule; without one every predicate holds one value."""
        return bool(self._verdicts)

    def set(self, key: bytes, verdict: str | None) -> None:
        """Have this verdict rule under a key; None takes the rule away."""
        if verdict is None:
            self._verdicts.pop(key, None)
        else:
            self._verdicts[key] = verdict

    def is_many(self, agent_id: str, predicate: str | None) -> bool:
        """Whether a predicate holds many values for an agent; the agent's own rule goes before the general one."""
        if not self._verdicts or predicate is None:
            return False
        for agent in (agent_id, EVERY_AGENT):
            verdict = self._verdicts.get(order_key("predicate", agent, predicate))
            if verdict is not None:
                return verdict == "many"
        return False


class OriginTrusts:
    """Which trust an operator set for origins: as it is, and as a decision makes it."""

    def __init__(self, cursor: sqlite3.Cursor, *, any_rule: bool = True) -> None:
        self._numbers: dict[bytes, float] = {}
        if any_rule:
            sql = "SELECT key, number FROM orders WHERE about = 'origin_trust' AND rules = 1 AND verdict = 'set'"
            self._numbers = dict(cursor.execute(sql).fetchall())

    def set(self, key: bytes, number: float | None) -> None:
        """Have this trust rule under a key; None takes the rule away."""
        if number is None:
            self._numbers.pop(key, None)
        else:
            self._numbers[key] = number

    def told(self, agent_id: str, origin: str | None, trust: float) -> float:
        """What a claim told with a trust counts for; the agent's own rule goes before the general one."""
        if not self._numbers or origin is None:
            return trust
        for agent in (agent_id, EVERY_AGENT):
            rule = self._numbers.get(order_key("origin_trust", agent, origin))
            if rule is not None:
                return trust_under(rule, origin, trust)
        return trust


def spellings(cursor: sqlite3.Cursor, predicates: Iterable[str]) -> list[str]:
    """Every spelling in the store of the given predicates."""
    folded = {fold_name(predicate) for predicate in predicates}
    found = cursor.execute("SELECT DISTINCT predicate FROM memories WHERE predicate IS NOT NULL").fetchall()
    return [row[0] for row in found if fold_name(row[0]) in folded]


def joined_names(cursor: sqlite3.Cursor, agent_id: str, about: str) -> tuple[str, ...]:
    """The folded name, and all that standing aliases of this agent join to it, directly or through others.

    The gate asks for it at every write, so it looks at the links only as far as the name reaches.
    """
    told = cursor.execute(_JOINED, (agent_id,)).fetchall()
    near: dict[str, list[str]] = {}
    for alias, canonical in told:
        one, other = _fold(alias), _fold(canonical)
        near.setdefault(one, []).append(other)
        near.setdefault(other, []).append(one)
    names = [fold_name(about)]
    for name in names:
        names += {other for other in near.get(name, ()) if other not in names}
    return tuple(sorted(names))


_JOINED = """SELECT subject, value FROM orders INDEXED BY orders_ruling
    WHERE about = 'alias' AND agent_id = ? AND rules = 1 AND verdict = 'joined'"""
_fold = lru_cache(maxsize=50_000)(fold_name)
