"""Brings a backup back into a new file, once all of it is found whole. It must not touch the backup, nor any store."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from memstation.domain.errors import NotFound, Refused
from memstation.domain.heads import StoreHead
from memstation.store import journal
from memstation.store.backing_up import back_up, noted_head
from memstation.store.database import Database, told_plainly
from memstation.store.opening import open_database
from memstation.store.verifying import Progress, verify


@dataclass(frozen=True, slots=True)
class BroughtBack:
    """A backup that stands in a new file."""

    uuid: str
    head: StoreHead
    at: str | None
    """When its last decision was taken: UTC, ISO; None where there is none."""


def bring_back(backup: Path, target: Path, progress: Progress | None = None) -> BroughtBack | None:
    """Check a backup and copy it to `target`, which appears whole or not at all; None when `progress` stopped it.

    Raises:
        NotFound: there is no backup of that name.
        Refused: there is a file at `target`, or the backup was altered.
        StoreUnusable: the backup is no store, or damaged.
    """
    if os.path.lexists(target):
        raise Refused("The file is there already", "{path}", "name another file", path=target)
    if not backup.exists():
        raise NotFound("There is no such file", "{path}", path=backup)
    database = open_database(backup, read_only=True)
    try:
        found = _checked(database, backup, progress)
        if found is None:
            return None
        with database.reading_alone() as source:
            # Between the check and the copy nobody may have written: a backup is not in use.
            head = back_up(source, target, progress)
    finally:
        database.close()
    if head is None:
        return None
    if head != found.head:
        target.unlink()
        raise Refused("The backup was written to meanwhile", "{path}", "no file was made", path=backup)
    return found


def _checked(database: Database, backup: Path, progress: Progress | None) -> BroughtBack | None:
    noted = noted_head(backup)
    try:
        with database.reading_cursor() as cursor:
            report = verify(cursor, noted[1].hash if noted else None, progress)
            if report.stopped:
                return None
            if not report.ok:
                raise Refused(
                    "The backup is not whole", "{first}", "no file was made; try an older one", first=report.problems[0]
                )
            uuid = str(cursor.execute("SELECT value FROM meta WHERE key = 'uuid'").fetchone()[0])
            return BroughtBack(uuid, journal.newest(cursor), journal.head(cursor).at)
    except sqlite3.Error as error:
        raise told_plainly(error, backup) from error
