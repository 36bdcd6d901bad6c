"""Finds what ails a store, and says what to do about each. It must not change the file, but for emptying its log."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from memstation.domain.instants import as_instant
from memstation.store import journal, scrubbing
from memstation.store.checks.findings import Progress
from memstation.store.verifying import VerifyReport, verify
from memstation.words import N_, told, translated

Severity = Literal["wrong", "look", "note"]
"""Something is not as it must be; something to look at; just so that it is known."""

_AHEAD = timedelta(minutes=10)
_LARGE_LOG = 64 * 1024 * 1024
_FREE_SHARE = 0.25
_MIB = 1024 * 1024

RESTORE = N_("memstation restore backup FILE --into NEW brings a backup back; this file stays as it is")
SHAPE = N_("another program altered the file, or it is damaged: let it be, and bring a backup back into a new one")
REPAIR = N_("memstation doctor --repair computes it anew; what was told is not touched")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found, in words."""

    severity: Severity
    about: str
    """A short name for scripts: file, told, derived, index, windows, owners, clock, log, erasure, space, ..."""
    words: str
    advice: str
    """What to do about it; empty where nothing is to be done."""


def finding(severity: Severity, about: str, words: str, advice: str = "", /, **values: object) -> Finding:
    """A finding, its words and advice in the reader's language."""
    return Finding(severity, about, told(words, **values), translated(advice, {}) if advice else "")


def examine(cursor: sqlite3.Cursor, now: datetime, progress: Progress | None = None) -> tuple[list[Finding], bool]:
    """What is wrong inside the file, on the cursor's snapshot; and whether `progress` stopped it before its end.

    Raises:
        sqlite3.Error: the file cannot be read for a reason that is not in it.
    """
    report = verify(cursor, None, progress)
    found = list(_of_report(report))
    if report.stopped:
        return found, True
    try:
        found += _inside(cursor, now)
    except (sqlite3.Error, TypeError, ValueError) as error:
        if report.ok:
            raise
        found.append(finding("wrong", "file", N_("not everything could be looked at: {why}"), RESTORE, why=error))
    return found, False


def _of_report(report: VerifyReport) -> Iterator[Finding]:
    is_altered = "told" in report.areas
    for problem, area in zip(report.problems, report.areas, strict=True):
        if area == "shape":
            yield Finding("wrong", "shape", problem, translated(SHAPE, {}))
        elif area != "derived":
            yield Finding("wrong", "told", problem, translated(RESTORE, {}))
        elif is_altered:
            yield Finding("wrong", "derived", problem, translated(N_("what was told is wrong too: see there"), {}))
        else:
            yield Finding("wrong", "derived", problem, translated(REPAIR, {}))


def _inside(cursor: sqlite3.Cursor, now: datetime) -> Iterator[Finding]:
    (empty,) = cursor.execute(
        "SELECT count(*) FROM memories WHERE role NOT IN ('end', 'erased') AND asserted_until <= asserted_from"
    ).fetchone()
    if empty:
        yield finding(
            "look",
            "windows",
            N_("one memory was told with a window that holds at no instant")
            if empty == 1
            else N_("{n} memories were told with a window that holds at no instant"),
            N_("they never answer; correct them in the Timeline where they matter"),
            n=empty,
        )
    (ownerless,) = cursor.execute("SELECT count(*) FROM memories WHERE trim(agent_id) = ''").fetchone()
    if ownerless:
        yield finding(
            "look",
            "owners",
            N_("one memory belongs to no agent") if ownerless == 1 else N_("{n} memories belong to no agent"),
            N_("memstation restore duduclaw FILE --owner NAME gives them one in a new store"),
            n=ownerless,
        )
    last = journal.head(cursor).at
    if last is not None and as_instant(last) > now + _AHEAD:
        yield finding(
            "look",
            "clock",
            N_("the last decision was taken at {at}, which is still to come"),
            N_("set this machine's clock; new decisions take that time until it is past"),
            at=last,
        )
    if scrubbing.is_due(cursor.connection):
        yield finding(
            "wrong",
            "erasure",
            N_("an erasure is not finished: erased text is still in free bytes"),
            N_("close every program that has the store open, then open it once"),
        )
    pages, free, size = (
        cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    if pages and free / pages > _FREE_SHARE and free * size > _MIB:
        yield finding("note", "space", N_("{n} MB of the file are free, and are used again"), n=free * size // _MIB)


def examine_index(cursor: sqlite3.Cursor) -> list[Finding]:
    """Whether the text index is sound by its own check, which SQLite makes inside a write transaction only."""
    try:
        cursor.execute("INSERT INTO memory_text (memory_text) VALUES ('integrity-check')")
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorname", "").startswith(("SQLITE_CORRUPT", "SQLITE_ERROR")):
            return [finding("wrong", "index", N_("the text index is damaged: {why}"), REPAIR, why=error)]
        raise
    return []


def examine_log(connection: sqlite3.Connection, path: Path) -> list[Finding]:
    """Empty the write-ahead log as far as nobody reads it, and say what holds it up. The connection is the writer's."""
    busy, in_log, done = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    size = _size(path.with_name(path.name + "-wal"))
    if busy or done < in_log:
        return [
            finding(
                "look",
                "log",
                N_("the log beside the file ({n} MB) cannot be emptied: another program reads"),
                N_("close what has the store open; the log empties by itself then"),
                n=size // _MIB,
            )
        ]
    if size > _LARGE_LOG:
        return [
            finding(
                "note",
                "log",
                N_("the log beside the file takes {n} MB"),
                N_("it shrinks with the next decision, or when the last program closes the store"),
                n=size // _MIB,
            )
        ]
    return []


def examine_around(path: Path) -> list[Finding]:
    """What is to be said of the file itself: who may read it, and whether it can be written."""
    found = []
    mode = stat.S_IMODE(path.stat().st_mode)
    if os.name == "posix" and mode & 0o077:
        found.append(
            finding(
                "look",
                "permissions",
                N_("others on this machine may open the file (mode {mode})"),
                N_("chmod 600 the file, and the -wal and -shm beside it"),
                mode=f"{mode:03o}",
            )
        )
    if not os.access(path, os.W_OK):
        found.append(
            finding(
                "look",
                "permissions",
                N_("the file is read-only for you"),
                N_("nothing can be decided until it can be written"),
            )
        )
    elif not os.access(path.parent, os.W_OK):
        found.append(
            finding(
                "look",
                "permissions",
                N_("the folder of the file is read-only for you"),
                N_("the store needs a log beside it; make the folder writable"),
            )
        )
    return found


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
