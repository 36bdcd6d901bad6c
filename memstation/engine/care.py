"""Whether the store is whole, and what to do when it is not."""

from __future__ import annotations

from pathlib import Path

from memstation.domain.heads import StoreHead
from memstation.domain.origins import OPERATOR
from memstation.engine.base import Base
from memstation.store import journal
from memstation.store.backing_up import back_up, note_head, noted_head
from memstation.store.doctoring import Finding, examine, examine_around, examine_index, examine_log
from memstation.store.reindexing import reindex
from memstation.store.repairing import Repaired, repair
from memstation.store.state import state_digest
from memstation.store.verifying import Progress, VerifyReport, verify


class Care(Base):
    """Checks, copies and repairs."""

    def verify(self, expect_head: str | None = None, progress: Progress | None = None) -> VerifyReport:
        """Check digests, chain, layout and index of the whole store; writes nothing."""
        with self._database.reading_cursor() as cursor:
            return verify(cursor, expect_head, progress)

    def head(self) -> StoreHead:
        """The newest entry of the journal."""
        with self._database.reading_cursor() as cursor:
            return journal.newest(cursor)

    def hash_of(self, seq: int) -> str | None:
        """The hash of a journal entry, in hex; None when there is no such number."""
        with self._database.reading_cursor() as cursor:
            return journal.hash_of(cursor, seq)

    def state_digest(self) -> str:
        """A hash of what stands and is held; equal states have equal digests."""
        with self._database.reading_cursor() as cursor:
            return state_digest(cursor)

    def back_up(self, target: Path, progress: Progress | None = None) -> StoreHead | None:
        """Copy the store to a new file while it is in use, its head noted beside it; see `store.backing_up`."""
        with self._database.reading_alone() as connection:
            head = back_up(connection, target, progress)
        if head is not None:
            note_head(target, self.uuid, head)
        return head

    def is_backup(self, file: Path) -> bool:
        """Whether the head that is noted beside a file is one of this store's."""
        noted = noted_head(file)
        return noted is not None and noted[0] == self.uuid

    def examine(self, progress: Progress | None = None) -> tuple[list[Finding], bool]:
        """What ails the store, and whether `progress` stopped the look before its end; see `store.doctoring`."""
        path = self._database.path
        with self._database.reading_cursor() as cursor:
            found, stopped = examine(cursor, self.clock(), progress)
        found += examine_around(path)
        if not self.read_only and not stopped:
            with self._database.writing() as cursor:
                found += examine_index(cursor)
            with self._database.alone() as connection:
                found += examine_log(connection, path)
        return found, stopped

    def repair(self, *, actor: str = OPERATOR) -> Repaired:
        """Compute anew what is derived: places, standing, rules, sources, the text index; see `store.repairing`."""
        with self._database.writing() as cursor:
            return repair(cursor, self.clock, actor)

    def reindex(self) -> int:
        """Build the text index anew. Returns how many memories are in it."""
        with self._database.writing() as cursor:
            return reindex(cursor)
