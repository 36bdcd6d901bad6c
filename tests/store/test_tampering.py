"""Every column of every table edited in turn, every kind of row taken out, put in, swapped: verify reports it.

What it does not vouch for is in one table, with the reason; a column that verify does see may not stand there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from memstation import open_engine
from memstation.store import text_index
from memstation.store.schema import metadata
from tampering import at_rest, copied, fill, loosened, problems, rows_of, where

from engine_facts import tell

INSTANT = "2026-08-31T00:00:00.000000+00:00"

OUTSIDE: dict[tuple[str, str], tuple[str, Any]] = {
    ("memories", "access_count"): ("uses are counted after the telling; it decides nothing that is believed", 99),
    ("memories", "last_accessed"): ("the same, by day", "2026-08-31T00:00:00.000000+00:00"),
    ("memories", "embedding"): ("made from the text by a model, and made again by it", b"\1\2"),
    ("memories", "embedding_model"): ("says which model; another one makes the embedding anew", "other"),
    ("approvals", "deadline"): ("how long it waits is no part of what is believed", "2030-01-01T00:00:00.000000+00:00"),
    ("approvals", "remaining"): ("the same, once it is decided", 7.0),
    ("approvals", "hits"): ("how often it was said again decides nothing", 99),
    ("approvals", "hit_at"): ("the same, by the day", "2026-08-31T00:00:00.000000+00:00"),
    ("guard_window", "at"): ("an earlier time counts for less long; a later one is reported", INSTANT),
    ("reads", "n"): ("which memory agents read is counted beside the memories; it decides nothing", 2),
    ("reads", "day"): ("the same, by the day", "2026-08-31"),
    ("reads", "times"): ("the same, how often", 99),
    ("reads", "last_at"): ("the same, when last", INSTANT),
    ("memory_embedding", "id"): ("only says which vector came later", 99),
    ("memory_embedding", "model"): ("made from the text by a model, and made again by it", "other"),
    ("memory_embedding", "n"): ("the same: whatever it is a vector of, only what holds is answered", 10),
    ("memory_embedding", "vector"): ("the same", bytes(16)),
    ("entity_embedding", "id"): ("only says which vector came later", 99),
    ("entity_embedding", "model"): ("made from the name by a model, and made again by it", "other"),
    ("entity_embedding", "entity"): ("the same: whatever it is a vector of, only names in use are entered at", "x"),
    ("entity_embedding", "vector"): ("the same", bytes(16)),
    ("agents", "generation"): ("tells caches to look again; any other number does too", 99),
    ("meta", "value"): ("only names the store: under another name it has no kept head, which is told", "0" * 32),
}
"""(table, column): why verify does not vouch for it, and a value that could have been there."""

VECTORS = {"memory_embedding", "entity_embedding"}
"""What a model made. `tests/recall` says of which vectors verify does not hold with."""

UNMISSED = {"guard_window", "reads", *VECTORS}
"""Tables of which a row may go: what counts towards a burst goes by itself after an hour; the others decide nothing."""

TABLES = sorted(metadata.tables)
COLUMNS = [(table, column.name) for table in TABLES for column in metadata.tables[table].columns]
NOT_TEXT = b"\xff\xfeA"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tampering") / "store.db"
    fill(path)
    return path


def chosen(store: Path, table: str) -> list[dict[str, Any]]:
    """The first row and the last, where more does not show more."""
    rows = rows_of(store, table)
    return [rows[place] for place in sorted({0, len(rows) - 1})]


def sound(kind: str, value: Any) -> list[Any]:
    """Values of the column's own type which are not the one that is there."""
    if kind == "INTEGER":
        return [-1 if value is None else value + 1, -7]
    if kind == "REAL":
        return [0.125 if value is None else value + 0.125]
    if kind == "BLOB":
        return [b"\0" if value is None else bytes([value[0] ^ 1]) + value[1:], b""]
    return ["x" if value is None else f"{value}x", "" if value is None else value[:-1] + "\0", "[", "2026-99-99"]


def unsound(kind: str, value: Any) -> list[Any]:
    """Values of another type, which SQLite keeps all the same."""
    return {
        "INTEGER": ["many", 1.5, b"1"],
        "REAL": ["much", b"\0"],
        "TEXT": [b"bytes", b"\xff", NOT_TEXT],
        "BLOB": ["text", 7, ""],
    }[kind]


def edited(store: Path, table: str, column: str, row: dict[str, Any], value: Any) -> Path | None:
    """A copy with one value replaced; None where SQLite itself refuses."""
    path = copied(store)
    condition, names = where(table, row)
    new = "CAST(? AS TEXT)" if value is NOT_TEXT else "?"
    try:
        with loosened(path, table) if value is None else at_rest(path) as raw:
            assert raw.execute(f"UPDATE {table} SET {column} = {new} WHERE {condition}", (value, *names)).rowcount == 1
    except sqlite3.IntegrityError:
        return None
    return path


def is_key(table: str, column: str) -> bool:
    return bool(metadata.tables[table].columns[column].primary_key) or (table, column) == ("memories", "id")


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_an_edit_of_a_column_is_reported(store: Path, table: str, column: str) -> None:
    declared = metadata.tables[table].columns[column]
    kind, tried = str(declared.type), 0
    for row in chosen(store, table):
        values = unsound(kind, row[column])
        if (table, column) not in OUTSIDE:
            values += sound(kind, row[column])
        if row[column] is not None and ((table, column) not in OUTSIDE or not declared.nullable):
            values.append(None)
        for value in values:
            path = edited(store, table, column, row, value)
            if path is None:
                assert is_key(table, column), f"SQLite refuses {value!r}"
                continue
            tried += 1
            assert problems(path), f"{row[column]!r} became {value!r} unseen"
    assert tried or declared.primary_key


@pytest.mark.parametrize(("table", "column"), sorted(OUTSIDE))
def test_what_verify_does_not_vouch_for_is_what_the_table_says(store: Path, table: str, column: str) -> None:
    _, value = OUTSIDE[table, column]
    for row in chosen(store, table):
        path = edited(store, table, column, row, value)
        assert path is not None and problems(path) == ()


def test_the_attack_leaves_no_trace_of_its_own(store: Path) -> None:
    """What is reported above is the edit, not the way in."""
    path = copied(store)
    with at_rest(path), closing(sqlite3.connect(path)):
        pass
    with loosened(path, "memories"):
        pass
    assert problems(path) == ()


@pytest.mark.parametrize("table", sorted({*TABLES} - UNMISSED))
def test_a_row_that_was_taken_out_is_reported(store: Path, table: str) -> None:
    for row in rows_of(store, table):
        path = copied(store)
        condition, names = where(table, row)
        with at_rest(path) as raw:
            assert raw.execute(f"DELETE FROM {table} WHERE {condition}", names).rowcount == 1
        assert problems(path), f"{row} went unseen"


def strangers(table: str, row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Copies of a row under another key. In `meta` nobody reads a key that is not known, so it is left out."""
    for name, column in metadata.tables[table].columns.items():
        if column.primary_key:
            for value in (row[name] + 100, -1, -row[name] - 5) if str(column.type) == "INTEGER" else ("stranger", ""):
                yield {**row, name: value}


@pytest.mark.parametrize("table", sorted({*TABLES} - {"meta", *VECTORS}))
def test_a_row_that_was_put_in_is_reported(store: Path, table: str) -> None:
    tried = 0
    for row in chosen(store, table):
        for stranger in strangers(table, row):
            if table == "memories":
                stranger["id"] = f"m_stranger{stranger['n']}"
            if (table, stranger.get("agent_id")) == ("agents", ""):
                continue
            path = copied(store)
            with at_rest(path) as raw:
                holes = ", ".join("?" * len(stranger))
                raw.execute(f"INSERT INTO {table} ({', '.join(stranger)}) VALUES ({holes})", [*stranger.values()])
            assert problems(path), f"{stranger} came unseen"
            tried += 1
    assert tried


def swapped(table: str, rows: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    key = {name for name, column in metadata.tables[table].columns.items() if column.primary_key}
    for first, second in pairwise(rows):
        if [v for k, v in first.items() if k not in key] != [v for k, v in second.items() if k not in key]:
            yield first, second


@pytest.mark.parametrize("table", ["agents", "journal", "lifted", "marks", "memories", "orders"])
def test_two_rows_that_changed_places_are_reported(store: Path, table: str) -> None:
    """All but the keys; in `memories` with and without the ids."""
    key = {name for name, column in metadata.tables[table].columns.items() if column.primary_key}
    outside = {column for owner, column in OUTSIDE if owner == table}
    tried = 0
    for first, second in swapped(table, rows_of(store, table)):
        names = [name for name in first if name not in key and not (table == "memories" and name == "id")]
        if all(first[name] == second[name] for name in names if name not in outside):
            continue
        path = copied(store)
        with at_rest(path) as raw:
            for row, other in ((first, second), (second, first)):
                condition, named = where(table, row)
                sets = ", ".join(f"{name} = ?" for name in names)
                raw.execute(f"UPDATE {table} SET {sets} WHERE {condition}", (*(other[n] for n in names), *named))
        assert problems(path), f"{first} and {second} changed places unseen"
        tried += 1
    assert tried or table == "agents"


@pytest.mark.parametrize("seq", [0, -1, 100, 1 << 62])
def test_an_entry_that_is_there_twice_is_reported(store: Path, seq: int) -> None:
    path = copied(store)
    newest = rows_of(store, "journal")[-1]
    with at_rest(path) as raw:
        row = {**newest, "seq": seq}
        raw.execute(f"INSERT INTO journal VALUES ({', '.join('?' * len(row))})", [*row.values()])
    assert problems(path)


@pytest.mark.parametrize("last_n", [1 << 62, -(1 << 62), "9", 1.5])
def test_an_entry_that_says_it_told_a_great_many_memories_keeps_nobody_waiting(store: Path, last_n: Any) -> None:
    path = copied(store)
    with at_rest(path) as raw:
        raw.execute("UPDATE journal SET last_n = ? WHERE seq = 2", (last_n,))
    assert 0 < len(problems(path)) <= 100


# -- what the file declares


SCHEMA = [
    "DROP TRIGGER memories_fixed",
    "DROP TRIGGER journal_kept",
    "DROP INDEX memories_id",
    "DROP INDEX marks_seq",
    "DROP TABLE derived",
    "DROP TABLE memories",
    "DROP TABLE memory_text",
    "CREATE VIEW v AS SELECT * FROM memories",
    "CREATE TABLE more (a)",
    "CREATE INDEX more ON memories (content)",
    "CREATE TRIGGER more AFTER INSERT ON memories BEGIN UPDATE memories SET access_count = 1; END",
    "ALTER TABLE memories ADD COLUMN more TEXT",
    "ALTER TABLE marks RENAME COLUMN reason TO why",
    "ALTER TABLE undoes RENAME TO undone",
    "DROP INDEX memories_held; CREATE INDEX memories_held ON memories (agent_id, n) WHERE quarantined = 2",
    "DROP INDEX memories_id; CREATE INDEX memories_id ON memories (id)",
    "DROP TRIGGER journal_kept; CREATE TRIGGER journal_kept BEFORE DELETE ON journal BEGIN SELECT 1; END",
    "DROP TABLE memory_text; CREATE TABLE memory_text (said, names)",
    "ALTER TABLE lifted RENAME TO l; CREATE VIEW lifted AS SELECT * FROM l",
    "PRAGMA application_id = 0",
    "PRAGMA application_id = 1",
    "PRAGMA user_version = 99",
    "PRAGMA user_version = -1",
]


@pytest.mark.parametrize("edit", SCHEMA)
def test_an_edit_of_what_the_file_declares_is_reported(store: Path, edit: str) -> None:
    path = copied(store)
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.executescript(edit)
    assert problems(path)


def test_a_declaration_that_was_edited_in_place_is_reported(store: Path) -> None:
    with closing(sqlite3.connect(store)) as raw:
        objects = raw.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name").fetchall()
    for name, sql in objects:
        path = copied(store)
        with closing(sqlite3.connect(path, isolation_level=None)) as raw:
            raw.execute("PRAGMA writable_schema = ON")
            raw.execute("UPDATE sqlite_master SET sql = sql || ' -- ' WHERE name = ?", (name,))
        assert problems(path), f"{name} {sql}"


def test_an_index_that_leaves_rows_out_is_reported(store: Path) -> None:
    """Filled while it said something else, then said to be as it was: a fact is in the table and in no list."""
    path = copied(store)
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        (sql,) = raw.execute("SELECT sql FROM sqlite_master WHERE name = 'memories_learned'").fetchone()
        raw.execute("DROP INDEX memories_learned")
        raw.execute(f"{sql} AND n <> 2")
        raw.execute("PRAGMA writable_schema = ON")
        raw.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'memories_learned'", (sql,))
    assert any("memories_learned" in problem for problem in problems(path))


def test_statistics_are_no_stranger(store: Path) -> None:
    path = copied(store)
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("ANALYZE")
    assert problems(path) == ()


def test_a_column_that_came_later_is_as_declared(store: Path) -> None:
    """A file that an older program made, without a column and an index, is completed and verified."""
    path = copied(store)
    with at_rest(path) as raw:
        raw.execute("DROP INDEX journal_part")
        raw.execute("ALTER TABLE memories DROP COLUMN embedding_model")
        raw.execute("PRAGMA user_version = 0")
    assert problems(path) == ()
    with closing(sqlite3.connect(path)) as raw:
        assert "embedding_model" in {row[1] for row in raw.execute("PRAGMA table_info(memories)")}


# -- the text index: derived, and made anew


SHADOWS = {
    "memory_text_data": "id",
    "memory_text_idx": "segid, term",
    "memory_text_docsize": "id",
    "memory_text_config": "k",
}
WORDS = ("city", "note", "osaka", "kyoto", "台北", "mood")


def found(path: Path) -> list[list[int]]:
    sql = "SELECT rowid FROM memory_text WHERE memory_text MATCH ? ORDER BY rowid"
    with closing(sqlite3.connect(path)) as raw:
        return [[n for (n,) in raw.execute(sql, (text_index.phrase(word),))] for word in WORDS]


def test_all_tables_of_the_index_are_looked_at(store: Path) -> None:
    with closing(sqlite3.connect(store)) as raw:
        names = {row[0] for row in raw.execute("SELECT name FROM pragma_table_list WHERE type = 'shadow'")}
    assert names == set(SHADOWS)


@pytest.mark.parametrize("table", SHADOWS)
def test_the_text_index_is_laid_out_again_whatever_was_done_to_it(store: Path, table: str) -> None:
    before = found(store)
    assert all(before)
    key = SHADOWS[table]
    with closing(sqlite3.connect(store)) as raw:
        rows = raw.execute(f"SELECT {key} FROM {table}").fetchall()
        columns = [row[1] for row in raw.execute(f"PRAGMA table_info({table})")]
    edits = [f"DELETE FROM {table} WHERE ({key}) = ({{holes}})"]
    for column in columns:
        for value in ("NULL", "-7", "'x'", "x'0102030405060708090a0b0c'"):
            edits.append(f"UPDATE OR REPLACE {table} SET {column} = {value} WHERE ({key}) = ({{holes}})")
    tried = 0
    for row in (rows[0], rows[len(rows) // 2], rows[-1]):
        for edit in edits:
            path = copied(store)
            with closing(sqlite3.connect(path, isolation_level=None)) as raw:
                try:
                    raw.execute(edit.format(holes=", ".join("?" * len(row))), row)
                except sqlite3.IntegrityError:
                    continue
            with open_engine(path) as engine:
                engine.verify()
                engine.reindex()
                assert engine.verify().ok, edit
            assert found(path) == before, edit
            tried += 1
    assert tried


def test_a_store_that_was_tampered_with_is_still_written_and_told_of(store: Path) -> None:
    path = copied(store)
    with at_rest(path) as raw:
        raw.execute("UPDATE memories SET metadata = '{', tags = '[', derived_from = '[' WHERE n = 1")
    with open_engine(path) as engine:
        tell(engine, "Tokyo", "2026-07-01")
        assert not engine.verify().ok


def test_a_claim_made_an_end_and_an_end_made_a_claim_are_reported(store: Path) -> None:
    for row in rows_of(store, "memories"):
        for role in {"end", "silent", "withdrawn"} - {row["role"]}:
            path = copied(store)
            with at_rest(path) as raw:
                raw.execute("UPDATE memories SET role = ? WHERE n = ?", (role, row["n"]))
            assert problems(path), f"memory {row['n']}: {row['role']} became {role} unseen"
