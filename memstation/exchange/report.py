"""What an export or a restore did, as plain data. It has no behaviour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Progress = Callable[[int, int], bool]
"""Told (statements done, statements in all; 0 in all while the file is still being checked); False stops."""

LeftOut = tuple[tuple[str, int], ...]
"""What was not carried: a word and how many."""


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export wrote."""

    statements: int
    left_out: LeftOut


@dataclass(frozen=True, slots=True)
class RestoreReport:
    """What a restore told the store."""

    told: int
    """Statements written."""
    skipped: int
    """Statements that the store had been told already, or that the file tells twice."""
    total: int
    """Statements in the file."""
    parts: tuple[int, ...]
    """Numbers of the decisions; taking one back takes all back."""
    continues: int | None = None
    """First decision of the restore of this file that was stopped and that this one goes on with, as one group."""
    left_out: LeftOut = ()
    taken_back: tuple[int, ...] = ()
    """Undos because of which skipped memories do not stand; undoing these brings them back."""
    held: int = 0
    """Memories that the gate held: the scan found something, or their values are rejected in this store."""
    repaired: int = 0
    """Statements with broken characters, which are now U+FFFD."""
    stopped: bool = False
    same_links: int = 0
    """Facts whose successor is the one that the file names (the seed's system only)."""
    other_links: tuple[tuple[str, str | None, str | None], ...] = ()
    """(fact, its successor in the file, its successor here) where they differ."""
