"""Looks a store over for its operator: what is wrong, what it means, what to do about it. It never writes."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from memstation.domain.instants import Clock, from_text
from memstation.store import journal, scrubbing
from memstation.store.ledger import SKEW_SECONDS
from memstation.store.verifying import Progress, VerifyReport, told_problems, verify
from memstation.words import N_, told

Level: TypeAlias = Literal["fault", "warning", "note"]
"""A fault: what the store says cannot be trusted as it is. A warning: see to it. A note: good to know."""

WAL_BYTES = 64 * 1024 * 1024
"""A write-ahead log larger than this was not emptied for long: somebody keeps reading."""
FREE_SHARE = 0.25
"""Share of unused pages that is worth a word."""

_AT_NO_INSTANT = """SELECT count(*) FROM memories WHERE role = 'fact' AND valid_until IS NOT NULL
    AND valid_until <= valid_from"""
_OWNERLESS = "SELECT count(*) FROM memories WHERE trim(coalesce(agent_id, '')) = ''"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found, in the reader's language."""

    level: Level
    about: str
    """A word that does not change, for scripts."""
    what: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Examination:
    """All that was found."""

    findings: tuple[Finding, ...]
    report: VerifyReport

    @property
    def is_well(self) -> bool:
        """Whether there is no fault and no warning."""
        return all(finding.level == "note" for finding in self.findings)


def examine(cursor: sqlite3.Cursor, path: Path, clock: Clock, progress: Progress | None = None) -> Examination:
    """Check the whole store as `verify` does, and all around it.

    Args:
        cursor: a cursor in a read transaction.
        path: the store's file.
        clock: the present, against which the journal's newest time is held.
        progress: see `verifying.Progress`.
    """
    report = verify(cursor, None, progress)
    found = list(_whole(cursor, report))
    if not report.stopped:
        found += [*_contents(cursor), *_clock(cursor, clock)]
    found += [*_pages(cursor), *_file(path)]
    return Examination(tuple(found), report)


def _finding(level: Level, about: str, what: str, advice: str = "", **values: object) -> Finding:
    return Finding(level, about, told(what, **values), told(advice, **values) if advice else "")


def _whole(cursor: sqlite3.Cursor, report: VerifyReport) -> Iterator[Finding]:
    """What verify said; and whether a repair can mend it."""
    if report.stopped:
        yield _finding("warning", "stopped", N_("the check was stopped before its end"), N_("let it run to its end"))
    if not report.problems:
        return
    advice = N_("memstation doctor --repair computes anew what is derived; what was told is whole")
    if told_problems(cursor):
        advice = N_("what was told was altered: restore a backup; memstation verify lists all")
    for problem in report.problems:
        yield Finding("fault", "whole", problem, told(advice))


def _contents(cursor: sqlite3.Cursor) -> Iterator[Finding]:
    ((empty,),) = cursor.execute(_AT_NO_INSTANT).fetchall()
    if empty:
        yield _finding(
            "note", "empty_windows", N_("{n} facts hold at no instant"),
            N_("another value was told later for the same start; they stay in the history"), n=empty,
        )  # fmt: skip
    ((ownerless,),) = cursor.execute(_OWNERLESS).fetchall()
    if ownerless:
        yield _finding(
            "warning", "ownerless", N_("{n} memories belong to no agent, and no agent is given them"),
            N_("memstation export, then restore with --owner into a new store"), n=ownerless,
        )  # fmt: skip
    if scrubbing.is_due(cursor.connection):
        yield _finding(
            "warning", "scrub_due", N_("an erasure is not finished: traces of the text are in unused bytes"),
            N_("close what else reads the store; the next opening finishes it"),
        )  # fmt: skip


def _clock(cursor: sqlite3.Cursor, clock: Clock) -> Iterator[Finding]:
    newest = journal.head(cursor).at
    if newest is None:
        return
    ahead = (from_text(newest) - clock()).total_seconds()
    if ahead > SKEW_SECONDS:
        yield _finding(
            "warning", "clock", N_("the newest decision is {minutes} minutes ahead of this machine's clock"),
            N_("set the clock; until then decisions are dated by the clock, and their order stays right"),
            minutes=int(ahead // 60),
        )  # fmt: skip


def _pages(cursor: sqlite3.Cursor) -> Iterator[Finding]:
    ((free,),) = cursor.execute("PRAGMA freelist_count").fetchall()
    ((pages,),) = cursor.execute("PRAGMA page_count").fetchall()
    if pages > 1000 and free / pages > FREE_SHARE:
        yield _finding(
            "note", "free_pages", N_("{share:.0%} of the file is unused"),
            N_("a copy is smaller: memstation backup"), share=free / pages,
        )  # fmt: skip


def _file(path: Path) -> Iterator[Finding]:
    log = path.with_name(path.name + "-wal")
    size = log.stat().st_size if log.exists() else 0
    if size > WAL_BYTES:
        yield _finding(
            "warning", "wal", N_("the write-ahead log has {mb} MB and is not emptied"),
            N_("another program keeps a read open: close it; the next write empties the log"), mb=size >> 20,
        )  # fmt: skip
    mode = path.stat().st_mode
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        yield _finding(
            "warning", "permissions", N_("other users of this machine can open the file ({mode})"),
            "chmod 600 {path}", mode=stat.filemode(mode), path=path,
        )  # fmt: skip
