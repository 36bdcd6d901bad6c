"""Vectors for what is told: made in batches when asked for, and of a little after each telling. No search makes any."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memstation.domain.errors import EmbedderFailed, MemstationError, ReadOnlyStore
from memstation.domain.memory import MemoryEntry, Outcome, TemporalMeta
from memstation.engine.recalling import Recalling
from memstation.engine.telling import Telling
from memstation.guard import shape
from memstation.store import embeddings

if TYPE_CHECKING:
    from memstation.recall.embedding import Embedder

BATCH = 256
"""Texts that are given to the embedder, and vectors that are written, at once."""

AFTER_TELLING = 64
"""Memories of which vectors are made at once when they were told, the newest; the others wait to be asked for."""

_LAST = 1 << 62

Progress = Callable[[int, int], bool]


@dataclass(slots=True)
class Embedded:
    """What was made."""

    model: str
    memories: int = 0
    names: int = 0
    failed: int = 0
    """Texts for which the embedder gave no numbers."""
    stopped: bool = False
    """Whether it was stopped before its end."""

    @property
    def done(self) -> int:
        """Texts that were looked at."""
        return self.memories + self.names + self.failed


class Embedding(Telling, Recalling):
    """An engine whose memories can have vectors."""

    def embed_missing(self, agent: str, progress: Progress | None = None) -> Embedded:
        """Make the vectors that an agent's facts and names lack, the newest first; each batch is kept at once.

        Args:
            agent: whose; an exact name.
            progress: is told (done, in all) and answers False to stop.

        Returns:
            How many were made; those that were made before it was stopped are kept.

        Raises:
            EmbedderFailed: none is attached, or it failed; what was made before is kept.
            ReadOnlyStore: the store cannot be written.
        """
        from memstation.recall import filling
        from memstation.recall.embedding import model_of
        from memstation.recall.triples import newest_erasure

        embedder, agent = self.embedder, shape.agent_of(agent)
        if embedder is None:
            raise EmbedderFailed("There is no embedder", "none is attached to the engine")
        if self.read_only:
            raise ReadOnlyStore("The store is read-only", str(self.path), "nothing was written")
        model = model_of(embedder)
        done, before = Embedded(model.name), _LAST
        with self._database.reading() as conn:
            names = filling.missing_names(conn, agent, model)
            total = filling.count_missing(conn, agent, model) + len(names)
        while True:
            if _is_stopped(progress, done, total):
                return done
            with self._database.reading() as conn:
                erased = newest_erasure(conn)
                texts = filling.missing(conn, agent, model, before, BATCH)
            if not texts:
                break
            if self._make(embedder, agent, erased, texts, (), done):
                before = texts[-1][0]
        while True:
            with self._database.reading() as conn:
                erased = newest_erasure(conn)
                names = filling.missing_names(conn, agent, model)
            for first in range(0, len(names), BATCH):
                if _is_stopped(progress, done, total):
                    return done
                if not self._make(embedder, agent, erased, (), names[first : first + BATCH], done):
                    break
            else:
                return done

    def store_temporal(self, entry: MemoryEntry, meta: TemporalMeta | None = None, *, actor: str = "api") -> Outcome:
        """Tell one memory; see `Telling.store_temporal`."""
        outcome = super().store_temporal(entry, meta, actor=actor)
        self._embed_told([entry])
        return outcome

    def store_many(
        self,
        items: Sequence[tuple[MemoryEntry, TemporalMeta | None]],
        *,
        actor: str = "api",
        reason: str = "",
    ) -> list[Outcome]:
        """Tell memories in one transaction and one journal entry; see `Telling.store_many`."""
        outcomes = super().store_many(items, actor=actor, reason=reason)
        self._embed_told(entry for entry, _ in items)
        return outcomes

    def _embed_told(self, entries: Iterable[MemoryEntry]) -> None:
        """Make vectors of what was just told. It is told, whatever becomes of them: what fails is made another time."""
        embedder = self.embedder
        # A model that is loaded when it is first needed is not loaded for this.
        if embedder is None or self.read_only or not getattr(embedder, "is_loaded", True):
            return
        from memstation.recall import filling
        from memstation.recall.embedding import model_of
        from memstation.recall.triples import newest_erasure

        try:
            model = model_of(embedder)
            for agent in sorted({entry.agent_id for entry in entries}):
                with self._database.reading() as conn:
                    erased = newest_erasure(conn)
                    texts, names = filling.just_told(conn, agent, model, AFTER_TELLING)
                self._make(embedder, agent, erased, texts, names, Embedded(model.name))
        except MemstationError:
            return

    def _make(
        self,
        embedder: Embedder,
        agent: str,
        erased: int,
        texts: Sequence[tuple[int, str]],
        names: Sequence[str],
        done: Embedded,
    ) -> bool:
        """Make vectors and keep them; False where something was erased since the texts were read: none is kept."""
        from memstation.recall.embedding import STORED, embedded

        if not texts and not names:
            return True
        model, rows, good = embedded(embedder, [*(text for _, text in texts), *names])
        stored = [row.astype(STORED).tobytes() for row in rows]
        memories = [(n, vector) for (n, _), vector, ok in zip(texts, stored, good, strict=False) if ok]
        entities = [(name, vector) for name, vector, ok in zip(names, stored[len(texts):], good[len(texts):],
                                                               strict=True) if ok]  # fmt: skip
        made = embeddings.Vectors(agent, model.name, model.dim, memories, entities)
        with self._database.writing() as cursor:
            if not embeddings.add(cursor, made, erased):
                return False
        done.memories += len(memories)
        done.names += len(entities)
        done.failed += len(stored) - len(memories) - len(entities)
        return True


def _is_stopped(progress: Progress | None, done: Embedded, total: int) -> bool:
    done.stopped = progress is not None and not progress(done.done, max(total, done.done))
    return done.stopped
