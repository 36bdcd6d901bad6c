"""The questions about names: groups, suggestions, conflicts, previews of joins. It never writes."""

from __future__ import annotations

from memstation.domain.instants import Clock
from memstation.read import conflicts, naming
from memstation.read.conflict_rows import AgentNames, JoinPreview, NameGroup
from memstation.read.querying import now_of
from memstation.store.database import Database


class NamesReader:
    """What `Reader` answers about names. Every method raises MemstationError when the store cannot be read."""

    _database: Database
    _clock: Clock

    def names(self, agent_id: str) -> AgentNames:
        """Groups of names, suggestions and conflicts of an agent; see `conflicts.names_of`."""
        with self._database.reading() as conn:
            return conflicts.names_of(conn, agent_id, now_of(conn, self._clock))

    def aliases(self, agent_id: str) -> tuple[NameGroup, ...]:
        """The groups of names of an agent, without their conflicts."""
        with self._database.reading() as conn:
            return conflicts.joined_groups(conn, agent_id, now_of(conn, self._clock))

    def known_names(self, agent_id: str) -> dict[str, str]:
        """Every name that facts of an agent are about, or have as their value: by folded name, as it is spelled."""
        with self._database.reading() as conn:
            return naming.known_names(conn, agent_id)

    def preview_join(self, agent_id: str, canonical: str, alias: str) -> JoinPreview:
        """What would be one if two names were joined; see `conflicts.preview_join`."""
        with self._database.reading() as conn:
            return conflicts.preview_join(conn, agent_id, canonical, alias, now_of(conn, self._clock))
