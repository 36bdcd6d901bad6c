"""Memories as they are named to the commands of review: ids, their beginnings, or all of a kind. It decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memstation.domain.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from memstation.engine import MemoryEngine
    from memstation.read.review_rows import HeldRow


@dataclass(frozen=True, slots=True)
class Which:
    """A choice among what is held; None stands for any."""

    agent: str | None = None
    origin: str | None = None
    reason: str | None = None

    @property
    def is_any(self) -> bool:
        """Whether nothing is chosen."""
        return self.agent is None and self.origin is None and self.reason is None

    def rows(self, engine: MemoryEngine, *, lapsed: bool = False) -> list[HeldRow]:
        """What waits of the chosen, in the order of the queue; or what ran out."""
        return [
            row
            for row in engine.queue(self.agent, lapsed=lapsed)
            if (self.origin is None or (row.origin or "") == self.origin)
            and (self.reason is None or row.reason == self.reason)
        ]


def ids_named(engine: MemoryEngine, texts: Sequence[str], statuses: Sequence[str] = ()) -> list[str]:
    """The ids that are meant, each an id or its beginning.

    Args:
        engine: the open store.
        texts: what was typed.
        statuses: of which requests a beginning is looked for first; then, and when empty, of all memories.

    Raises:
        NotFound: none begins so.
        InvalidInput: several do.
    """
    return list(dict.fromkeys(_id_named(engine, text, statuses) for text in texts))


def _id_named(engine: MemoryEngine, text: str, statuses: Sequence[str]) -> str:
    from memstation.read.ids import SHOWN

    found = (engine.reader.ids_like(text, statuses) if statuses else []) or engine.reader.ids_like(text)
    if not found:
        raise NotFound("No such memory", "{memory_id!r} is not here", "memstation review list", memory_id=text)
    if len(found) > 1:
        more = ", .." if len(found) == SHOWN else ""
        raise InvalidInput(
            "Several ids begin so", "{text!r}: {ids}", "write more of it", text=text, ids=", ".join(found) + more
        )
    return found[0]
