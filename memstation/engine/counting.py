"""Agents' reads, counted for the operator who wants to know what was believed of what turned out to be wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memstation.domain.errors import MemstationError
from memstation.engine.base import Base
from memstation.guard import shape
from memstation.ops.reads import ReadBuffer
from memstation.read.source_rows import ReadCount, SourceRow
from memstation.store import reads


class Counting(Base):
    """How often agents read what, and who told it."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._reads = ReadBuffer()

    def count_reads(self, agent: str, ids: Sequence[str]) -> None:
        """An agent read these memories: count it. For the agents' door; a person's look is no reading.

        It costs no transaction: counts are written together, after a minute or when there are many. A file that
        cannot be written loses no reading's answer; the counts wait for the next time.
        """
        if not self.read_only and self._reads.add(shape.agent_of(agent), ids, self.clock()):
            self.write_reads()

    def write_reads(self) -> None:
        """Write what was counted, now."""
        counted = self._reads.take()
        if not counted:
            return
        try:
            with self._database.writing() as cursor:
                reads.add(cursor, counted)
        except MemstationError:
            self._reads.put_back(counted, self.clock())

    def reads_of(self, ids: Sequence[str]) -> ReadCount:
        """How often memories were read by their agents, together, as far as it was written."""
        return self.reader.reads_of(ids)

    def sources(self, agent: str | None = None) -> list[SourceRow]:
        """Who told an agent (None: any agent) what is known; the weakest trust first."""
        return self.reader.sources(None if agent is None else shape.agent_of(agent))

    def close(self) -> None:
        """Write what was counted, and close the file. Safe to call twice."""
        self.write_reads()
        super().close()
