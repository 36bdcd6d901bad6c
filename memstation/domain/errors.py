"""The one tree of errors that an operator may see. It never carries a traceback or SQL text."""

from __future__ import annotations

from memstation.words import translated


class MemstationError(Exception):
    """A refusal or failure, told in words.

    The three parts are templates for translation; `values` fill them (without values, braces are plain text):

        raise NotFound("No such memory", "{id!r} is not here", id=memory_id)
    """

    def __init__(self, title: str, detail: str = "", hint: str = "", /, **values: object) -> None:
        super().__init__(title, detail, hint)
        self._parts = (title, detail, hint)
        self._values = values

    @property
    def title(self) -> str:
        """What did not happen, in one short line."""
        return translated(self._parts[0], self._values)

    @property
    def detail(self) -> str:
        """Why, in a sentence; may name a path, an id or a line number."""
        return translated(self._parts[1], self._values)

    @property
    def hint(self) -> str:
        """What to do next; empty when there is nothing to advise."""
        return translated(self._parts[2], self._values)

    def __str__(self) -> str:
        return f"{self.title}: {self.detail}" if self.detail else self.title


class InvalidInput(MemstationError):
    """What was given cannot be taken: shape, time, length, limit. Nothing was written."""


class NotFound(MemstationError):
    """What was named is not in this store (or belongs to another agent, which looks the same)."""


class Refused(MemstationError):
    """The input is well formed, but the store's state forbids the act. Nothing was written."""


class Changed(Refused):
    """Somebody else's decision changed the effects since they were previewed. Nothing was written."""


class StoreUnusable(MemstationError):
    """The file cannot be opened as a store: damaged, newer, a folder, not a database. It was not touched."""


class Adoptable(StoreUnusable):
    """The file is the seed system's: it can be adopted, or restored into a store of ours."""


class Stopped(Refused):
    """The operator stopped it. Nothing was changed."""


class ReadOnlyStore(Refused):
    """A write was asked of a store that was opened for reading only."""


class Busy(MemstationError):
    """Another process held the store's write lock for longer than the waiting time. Nothing was written."""


class EmbedderFailed(MemstationError):
    """The model that makes vectors of texts cannot be loaded, raised, or gave no vectors. A search goes on without."""
