"""Opening a file as a store: create it, bring an older one of ours up to date, refuse what is not ours untouched."""

from __future__ import annotations

import os
import re
import sqlite3
import time
import uuid
from pathlib import Path
from urllib.parse import quote

from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateColumn, CreateIndex, CreateTable

from memstation.domain.errors import Adoptable, StoreUnusable
from memstation.store import holding, scrubbing, text_index, triggers
from memstation.store.checks.sides import CITED
from memstation.store.database import BUSY_SECONDS, Database, told_plainly
from memstation.store.reindexing import reindex
from memstation.store.schema import APPLICATION_ID, VERSION, metadata
from memstation.store.scripts import MARKED

MINIMUM_SQLITE = (3, 40, 0)

_LINKED_ACROSS = 5
"""The version of the schema since which memories are linked to what they cite of other agents."""
_PAIRED_ALL = 5
"""That since which every script without spaces is indexed as pairs; before, only Chinese, Japanese and Korean were."""

_MARKED = re.compile(f"[{MARKED}]")
_SAID = """SELECT CAST(coalesce(content, '') || ' ' || coalesce(subject, '') || ' ' || coalesce(predicate, '') || ' '
    || coalesce(object, '') AS BLOB) FROM memories"""

_HEADER = b"SQLite format 3\0"
_DIALECT = sqlite.dialect()


def open_database(path: Path, *, read_only: bool = False) -> Database:
    """Open the store at `path`; create it where there is no file, upgrade it where it is an older one of ours.

    A file that this user cannot write, or beside which no log can be, opens read-only.

    Raises:
        StoreUnusable: a folder, not a database, another program's, newer than this program, or damaged.
    """
    if sqlite3.sqlite_version_info < MINIMUM_SQLITE:
        raise StoreUnusable(
            "SQLite is too old", "{sqlite_version} is here, 3.40 is needed", sqlite_version=sqlite3.sqlite_version
        )
    exists = inspect(path)
    if read_only and not exists:
        raise StoreUnusable(
            "There is no store", "{path} does not exist", "leave out --read-only to create it", path=path
        )
    if exists and not _can_be_written(path):
        read_only = True
    if not read_only:
        _bring_up_to_date(path)
    elif exists and version_of(path) < VERSION:
        raise StoreUnusable("The store is from an older program", str(path), "open it once without --read-only")
    return Database(path, read_only=read_only)


def _can_be_written(path: Path) -> bool:
    has_log = path.with_name(f"{path.name}-wal").exists()
    return os.access(path, os.W_OK) and (has_log or os.access(path.parent, os.W_OK))


def inspect(path: Path) -> bool:
    """Whether there is a store of ours. Looks without touching."""
    if path.is_dir():
        raise StoreUnusable("This is a folder", str(path), "name a file in it")
    if not path.exists():
        if not path.parent.is_dir():
            raise StoreUnusable("The folder is missing", str(path.parent), "make it first, or name another file")
        return False
    try:
        with path.open("rb") as file:
            head = file.read(len(_HEADER))
    except OSError as error:
        raise StoreUnusable(
            "The file cannot be read", "{path}: {strerror}", path=path, strerror=error.strerror
        ) from error
    if not head:
        return True
    if head != _HEADER:
        raise StoreUnusable(
            "This is not a store", "{path} is not an SQLite database", "nothing was changed in it", path=path
        )
    version = version_of(path)
    if version > VERSION:
        raise StoreUnusable(
            "The store is newer than this program",
            "{path} (file {version}, program {version2})",
            "pip install -U memstation, or open another file; nothing was changed in it",
            path=path,
            version=version,
            version2=VERSION,
        )
    return True


def version_of(path: Path) -> int:
    """The schema version of a file; 0 for one without tables."""
    # Without a write-ahead log the file is whole by itself; looking at it so leaves nothing beside it.
    # A journal beside it is a transaction that was cut off: looking past it would show a half.
    alone = "" if any(path.with_name(path.name + more).exists() for more in ("-wal", "-journal")) else "&immutable=1"
    address = f"file:{quote(str(path))}?mode=ro{alone}"
    try:
        connection = sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    except sqlite3.Error as error:
        raise told_plainly(error, path) from error
    try:
        # One snapshot: another process may be making the store at this very moment.
        connection.execute("BEGIN")
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error as error:
        raise told_plainly(error, path) from error
    finally:
        connection.close()
    if application == APPLICATION_ID:
        if version < 0:
            raise StoreUnusable(
                "The store has an odd version", "{path} is stamped {version}, and no program of ours does that",
                "restore a backup; nothing was changed in it", path=path, version=version,
            )  # fmt: skip
        return version
    if not tables:
        return 0
    hint = "nothing was changed in it"
    if "memories" in tables and (application or version):
        # That system stamps nothing: this is a version of it that came later, or a program that is none of it.
        hint = "memstation restore duduclaw {path} --store NEW.db reads it into a new store; nothing was changed in it"
        raise StoreUnusable(
            "This is another program's database", "{path} is stamped {application}, version {version}",
            hint, path=path, application=application, version=version,
        )  # fmt: skip
    if "memories" in tables:
        hint = "memstation adopt {path}, or into a new store: memstation restore duduclaw {path} --store NEW.db"
        raise Adoptable("This is another program's database", "{path}", hint, path=path)
    raise StoreUnusable("This is another program's database", "{path}", hint, path=path)


def _bring_up_to_date(path: Path) -> None:
    """Create or complete tables, indexes and triggers. Additive, and nothing the second time."""
    try:
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    except sqlite3.Error as error:
        raise told_plainly(error, path) from error
    try:
        if connection.execute("PRAGMA user_version").fetchone()[0] == VERSION:
            if scrubbing.is_due(connection):
                scrubbing.scrub(connection)
            if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                # A copy is one whole file without a log; in use it has one, so that reading waits for nobody.
                switch_to_wal(connection)
            return
        switch_to_wal(connection)
        connection.execute("BEGIN IMMEDIATE")
        # Another process may have done it while this one waited for the lock.
        if connection.execute("PRAGMA user_version").fetchone()[0] < VERSION:
            declare(connection)
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise told_plainly(error, path) from error
    finally:
        connection.close()


def switch_to_wal(connection: sqlite3.Connection) -> None:
    """Turn write-ahead logging on. SQLite does not wait for another process here, so this does."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(0.02)


def declare(connection: sqlite3.Connection) -> None:
    """Make what is missing of tables, columns, indexes and triggers, and stamp the file as ours."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    was_held = _holds_without_requests(connection)
    is_indexed_anew = _is_indexed_otherwise(connection, version)
    for table in metadata.sorted_tables:
        there = {row[1] for row in connection.execute(f"PRAGMA table_info({table.name})")}
        if not there:
            connection.execute(str(CreateTable(table).compile(dialect=_DIALECT)))
        for column in table.columns:
            if there and column.name not in there:
                declared = CreateColumn(column).compile(dialect=_DIALECT)
                connection.execute(f"ALTER TABLE {table.name} ADD COLUMN {declared}")
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            connection.execute(str(CreateIndex(index, if_not_exists=True).compile(dialect=_DIALECT)))
    if is_indexed_anew:
        reindex(connection.cursor())
    connection.execute(text_index.CREATE)
    for statement in triggers.statements():
        connection.execute(statement)
    if 0 < version < _LINKED_ACROSS:
        connection.execute(
            f"INSERT INTO derived (parent_n, child_n) {CITED} EXCEPT SELECT parent_n, child_n FROM derived"
        )
    if was_held:
        holding.lay_out(connection.cursor())
    connection.execute("INSERT OR IGNORE INTO meta (key, value) VALUES ('uuid', ?)", (uuid.uuid4().hex,))
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _holds_without_requests(connection: sqlite3.Connection) -> bool:
    """Whether this is a store from before requests were kept: what is held in it gets its requests now."""
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return {"marks", "memories"} <= tables and "approvals" not in tables


def _is_indexed_otherwise(connection: sqlite3.Connection, version: int) -> bool:
    """Whether this is a store from before the text index folded and divided the text that is in it as it does now."""
    columns = [row[1] for row in connection.execute("PRAGMA table_info(memory_text)")]
    if not columns:
        return False
    if "whose" not in columns:
        return True
    if version >= _PAIRED_ALL:
        return False
    # A pattern of GLOB with so many signs takes a minute in a million memories, this a second.
    told = connection.execute(_SAID)
    return any(not said.isascii() and _MARKED.search(said.decode(errors="replace")) for (said,) in told)
