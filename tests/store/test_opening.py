"""Opening a file: created, completed, or refused without a byte changed."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from memstation.domain.errors import ReadOnlyStore, StoreUnusable
from memstation.store.opening import open_database
from memstation.store.schema import VERSION, metadata


def shape_of(path: Path) -> dict[str, set[str]]:
    """Columns by table, and the names of indexes and triggers."""
    connection = sqlite3.connect(path)
    try:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        shape = {table: {row[1] for row in connection.execute(f"PRAGMA table_info({table})")} for table in tables}
        for kind in ("index", "trigger"):
            names = connection.execute("SELECT name FROM sqlite_master WHERE type = ?", (kind,))
            shape[kind] = {row[0] for row in names}
        return shape
    finally:
        connection.close()


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_new_store_has_every_table_and_a_name_of_its_own(tmp_path: Path) -> None:
    first, second = tmp_path / "a.db", tmp_path / "b.db"
    for path in (first, second):
        open_database(path).close()
    shape = shape_of(first)
    assert {table.name for table in metadata.sorted_tables} | {"memory_text"} <= set(shape)
    uuids = {sqlite3.connect(path).execute("SELECT value FROM meta WHERE key = 'uuid'").fetchone()[0]
             for path in (first, second)}  # fmt: skip
    assert len(uuids) == 2
    assert sqlite3.connect(first).execute("PRAGMA journal_mode").fetchone()[0] == "wal"


def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    open_database(path).close()
    before = digest(path)
    open_database(path).close()
    assert digest(path) == before


def test_an_older_file_of_ours_gets_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    open_database(path).close()
    whole = shape_of(path)
    connection = sqlite3.connect(path)
    connection.executescript("""
        DROP INDEX memories_page; DROP TRIGGER memories_kept; DROP TABLE derived;
        ALTER TABLE memories DROP COLUMN embedding_model; ALTER TABLE orders DROP COLUMN number;
        PRAGMA user_version = 0;
    """)
    connection.close()
    open_database(path).close()
    assert shape_of(path) == whole
    assert sqlite3.connect(path).execute("PRAGMA user_version").fetchone()[0] == VERSION


def _open(path: Path) -> str:
    open_database(path).close()
    return sqlite3.connect(path).execute("SELECT value FROM meta WHERE key = 'uuid'").fetchone()[0]


def test_processes_that_open_a_new_file_at_once_make_one_store(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with ProcessPoolExecutor(4) as pool:
        assert len(set(pool.map(_open, [path] * 8))) == 1


def newer(path: Path) -> None:
    open_database(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()


def foreign(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE songs (title TEXT)")
    connection.close()


def seeds_own(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE memories (id TEXT PRIMARY KEY, agent_id TEXT, content TEXT)")
    connection.close()


def damaged(path: Path) -> None:
    open_database(path).close()
    raw = bytearray(path.read_bytes())
    raw[100:4000] = os.urandom(3900)
    path.write_bytes(raw)


@pytest.mark.parametrize(
    ("make", "title", "hint"),
    [
        (lambda path: path.write_text("dear diary, nothing happened\n"), "not a store", ""),
        (newer, "newer than this program", "pip install -U"),
        (foreign, "another program's database", ""),
        (seeds_own, "another program's database", "restore duduclaw"),
        (damaged, "damaged", ""),
    ],
)
def test_what_is_not_ours_is_refused_and_not_touched(tmp_path: Path, make: object, title: str, hint: str) -> None:
    path = tmp_path / "some.db"
    make(path)  # type: ignore[operator]
    before = digest(path)
    with pytest.raises(StoreUnusable) as caught:
        open_database(path)
    assert title in caught.value.title
    assert str(path) in caught.value.detail
    assert hint in caught.value.hint
    assert digest(path) == before


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="This is a folder"):
        open_database(tmp_path)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="The folder is missing"):
        open_database(tmp_path / "no" / "such.db")
    assert not (tmp_path / "no").exists()


def test_read_only_creates_and_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with pytest.raises(StoreUnusable, match="There is no store"):
        open_database(path, read_only=True)
    assert not path.exists()
    open_database(path).close()
    database = open_database(path, read_only=True)
    with pytest.raises(ReadOnlyStore), database.writing():
        pass
    database.close()


def test_a_refused_file_has_nothing_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "some.db"
    newer(path)
    with pytest.raises(StoreUnusable):
        open_database(path)
    assert [item.name for item in tmp_path.iterdir()] == ["some.db"]
