"""What every verb of the engine stands on: the open file, its ledger and its reader. It holds no verb of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from memstation.domain.decisions import Applied, Decision, Effects
from memstation.domain.guarding import DEFAULT_GUARD, GuardSettings
from memstation.domain.instants import Clock
from memstation.ops.remember import MakeId
from memstation.read.reader import Reader
from memstation.store.ledger import Ledger, Looking
from memstation.store.opening import open_database


class Base:
    """The open file, and the two ways to decide."""

    def __init__(
        self,
        path: Path,
        clock: Clock,
        make_id: MakeId,
        *,
        read_only: bool = False,
        guard: GuardSettings = DEFAULT_GUARD,
    ) -> None:
        self.guard = guard
        self._database = open_database(path, read_only=read_only)
        self._make_id = make_id
        self.clock = clock
        self.ledger = Ledger(self._database, clock)
        self.reader = Reader(self._database, clock)

    @property
    def path(self) -> Path:
        """The file."""
        return self._database.path

    @property
    def read_only(self) -> bool:
        """Whether it was opened for reading only, or can only be read."""
        return self._database.read_only

    @property
    def uuid(self) -> str:
        """The store's own id; state outside the file goes by it."""
        return self.reader.store_uuid()

    def close(self) -> None:
        """Close the file. Safe to call twice."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def decide(self, build: Callable[[Looking], Decision], expect: str | None = None) -> Applied:
        """Build a decision and take it in one transaction: what it is built on cannot change in between.

        Raises:
            Changed: `expect` is given and is not the digest of its effects.
        """
        with self.ledger.writing() as writing:
            return writing.apply(build(writing), expect)

    def propose(self, build: Callable[[Looking], Decision]) -> tuple[Decision, Effects]:
        """Build a decision and preview it, without a lock; give both to `apply` to take it."""
        with self.ledger.looking() as looking:
            decision = build(looking)
        return decision, self.ledger.preview(decision)

    def preview(self, decision: Decision) -> Effects:
        """The effects that a decision would have now. Nothing is written."""
        return self.ledger.preview(decision)

    def apply(self, decision: Decision, expect: str | None = None) -> Applied:
        """Take a decision.

        Raises:
            Changed: `expect` is given and is not the digest of its effects.
        """
        return self.ledger.apply(decision, expect)

    def new_id(self) -> str:
        """An id for a new memory."""
        return self._make_id(self.clock())
