"""Names and conflicts as rows: groups, suggestions, what disagrees. Plain data; nothing here reads."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, TypeAlias

from memstation.domain.names import fold_name

ConflictKind: TypeAlias = Literal["disagree", "alike", "flaps"]
Likeness: TypeAlias = Literal["letter", "script", "signs", "hidden"]
"""How two names differ: one letter, traditional and simplified characters, punctuation or spaces, invisible ones."""


@dataclass(frozen=True, slots=True)
class Side:
    """One fact of a conflict. Texts are as stored: show them through the safe door."""

    name: str
    n: int
    id: str
    predicate: str | None
    value: str
    valid_from: datetime
    valid_until: datetime | None
    origin: str | None
    trust: float
    facts: int = 0
    """Of two names that look alike: how many facts hold about this one."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """What an operator should look at: joined names whose facts disagree, look-alikes, a value that goes to and fro."""

    kind: ConflictKind
    agent_id: str
    key: str
    """Names it in orders: the kind and a digest of what it is about. Equal as long as names and values are."""
    names: tuple[str, ...]
    predicate: str | None
    sides: tuple[Side, ...]
    """The newest first; of names that look alike one each, in the order of `names`."""
    likeness: Likeness | None = None
    times: int = 0
    """How often a value changed, for one that goes to and fro."""
    days: int = 0
    """In how many days it did."""
    dismissed: bool = False

    @property
    def name(self) -> str:
        """What commands call it: the first letters of its digest."""
        return self.key.partition(":")[2][:8]

    @property
    def since(self) -> datetime | None:
        """When the newest of its facts began."""
        return max((side.valid_from for side in self.sides), default=None)

    def marked(self, dismissed: bool) -> Conflict:
        """The same, dismissed or not."""
        return replace(self, dismissed=dismissed)


def conflict_key(kind: ConflictKind, names: tuple[str, ...], predicate: str | None, values: tuple[str, ...]) -> str:
    """Equal for conflicts of the same names about the same values, in whatever order. Never the text itself."""
    parts = [kind, fold_name(predicate or ""), *sorted(map(fold_name, names)), "", *sorted(map(fold_name, values))]
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(4, "big") + encoded)
    return f"{kind}:{digest.hexdigest()}"


@dataclass(frozen=True, slots=True)
class NameRow:
    """One name of a group."""

    name: str
    """As it was joined, or as its facts spell it."""
    facts: int
    """How many facts hold about it."""
    under: str | None = None
    """The name that it was joined to, as told; None for the title."""
    title: str = ""
    """The name that the group goes by: chains are gone through to their end."""
    seq: int | None = None
    """The decision that joined it."""
    at: datetime | None = None
    actor: str = ""


@dataclass(frozen=True, slots=True)
class NameGroup:
    """Names that stand for one another."""

    agent_id: str
    names: tuple[NameRow, ...]
    """The title first."""
    conflicts: int = 0

    @property
    def title(self) -> str:
        """The name that the group goes by."""
        return self.names[0].name

    @property
    def facts(self) -> int:
        """How many facts are found under any of the names."""
        return sum(name.facts for name in self.names)


@dataclass(frozen=True, slots=True)
class Suggested:
    """Two names that may be one, and wait for a person."""

    agent_id: str
    alias: str
    canonical: str
    seq: int
    at: datetime
    actor: str
    reason: str
    """Where it comes from."""
    shared: int
    """Facts that say the same about both."""
    facts: int
    """Facts about either."""


@dataclass(frozen=True, slots=True)
class AgentNames:
    """All about the names of one agent."""

    agent_id: str
    groups: tuple[NameGroup, ...] = ()
    """The ones with the most facts first."""
    suggested: tuple[Suggested, ...] = ()
    """The newest first."""
    conflicts: tuple[Conflict, ...] = ()
    """What disagrees, then what flaps, then what looks alike; the newest first of each. Dismissed ones are left out."""
    dismissed: tuple[Conflict, ...] = ()
    is_partial: bool = False
    """Whether there were too many names to compare all of them letter by letter."""


@dataclass(frozen=True, slots=True)
class JoinPreview:
    """What joining two names would make one."""

    agent_id: str
    title: str
    """The name that the group would go by."""
    names: tuple[NameRow, ...]
    """All that would be one, the title first."""
    moves_from: str | None
    """The name that the alias stands under now and would leave."""
    conflicts: tuple[Conflict, ...]
    """The disagreements that it would bring, beside those that there are."""

    @property
    def facts(self) -> int:
        """How many facts would be found together."""
        return sum(name.facts for name in self.names)


@dataclass(frozen=True, slots=True)
class NamesDue:
    """What Today says about names."""

    agent_id: str
    suggested: int = 0
    joined: tuple[NameRow, ...] = ()
    """Names that agents joined since the last visit."""
    conflicts: tuple[Conflict, ...] = ()
    """Facts that disagree under joined names."""
