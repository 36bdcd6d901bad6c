"""Counts what agents read, in memory, until there is enough to write. It must not write by itself."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from datetime import datetime, timedelta

from memstation.domain.instants import to_text
from memstation.store.reads import Read

WAIT = timedelta(minutes=1)
"""How long counts lie in memory: each writing lets every open station look at the file again."""
ENOUGH = 500
"""Memories that make a writing worth while before that."""
MOST = 20_000
"""Memories beyond which nothing more is counted, while the file cannot be written."""

Counted = dict[Read, tuple[int, str]]
"""By memory and day: how often, and when last as stored text."""


class ReadBuffer:
    """What was read and is not in the file yet. Calls may come from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counted: Counted = {}
        self._since: datetime | None = None

    def add(self, agent_id: str, ids: Iterable[str], now: datetime) -> bool:
        """Count one reading of each id. Returns whether it is time to write."""
        at = to_text(now)
        with self._lock:
            for memory_id in ids:
                read = Read(agent_id, memory_id, at[:10])
                times, last = self._counted.get(read, (0, at))
                if times or len(self._counted) < MOST:
                    self._counted[read] = times + 1, max(last, at)
            if not self._counted:
                return False
            if self._since is None:
                self._since = now
            return len(self._counted) >= ENOUGH or now - self._since >= WAIT

    def take(self) -> Counted:
        """Take everything out, to be written."""
        with self._lock:
            counted, self._counted, self._since = self._counted, {}, None
        return counted

    def put_back(self, counted: Counted, now: datetime) -> None:
        """It could not be written: keep it for the next time."""
        with self._lock:
            for read, (times, last) in counted.items():
                more, later = self._counted.get(read, (0, last))
                self._counted[read] = times + more, max(last, later)
            self._since = now
