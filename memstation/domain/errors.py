"""The one tree of errors that an operator may see. It never carries a traceback or SQL text."""

from __future__ import annotations


class MemstationError(Exception):
    """A refusal or failure, told in words.

    Attributes:
        title: what did not happen, in one short line.
        detail: why, in a sentence; may name a path, an id or a line number.
        hint: what to do next; empty when there is nothing to advise.
    """

    def __init__(self, title: str, detail: str = "", hint: str = "") -> None:
        super().__init__(title if not detail else f"{title}: {detail}")
        self.title = title
        self.detail = detail
        self.hint = hint


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


class ReadOnlyStore(Refused):
    """A write was asked of a store that was opened for reading only."""


class Busy(MemstationError):
    """Another process held the store's write lock for longer than the waiting time. Nothing was written."""
