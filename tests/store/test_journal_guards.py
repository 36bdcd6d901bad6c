"""The journal and what was told cannot be changed behind the engine's back without being seen."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from memstation import open_engine
from memstation.domain.errors import MemstationError, ReadOnlyStore

from engine_facts import saying, tell, timeline


@pytest.fixture
def told(make_engine: Any, tmp_path: Path) -> Path:
    """A closed store with a few decisions."""
    engine = make_engine("told")
    engine.store_many([saying("Nara", "2026-01-01"), saying("Osaka", "2026-02-01")])
    lie = tell(engine, "Atlantis", "2026-03-01")
    engine.retract(lie.id, actor="operator", reason="made up")
    engine.undo(3, actor="operator")
    engine.close()
    return tmp_path / "told.db"


@contextmanager
def raw(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection of another program."""
    with closing(sqlite3.connect(path)) as connection:
        yield connection


CHANGES = [
    "UPDATE journal SET actor = 'nobody' WHERE seq = 1",
    "UPDATE journal SET seq = 99 WHERE seq = 2",
    "DELETE FROM journal WHERE seq = 2",
    "DELETE FROM journal",
    "UPDATE memories SET content = 'the city is Rome' WHERE n = 1",
    "UPDATE memories SET asserted_from = '2020-01-01T00:00:00.000000+00:00' WHERE n = 1",
    "UPDATE memories SET asserted_trust = 1.0, origin = 'operator2' WHERE n = 1",
    "DELETE FROM memories WHERE n = 1",
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_what_was_told_is_refused(told: Path, change: str) -> None:
    with raw(told) as connection, pytest.raises(sqlite3.DatabaseError):
        connection.execute(change)
    with open_engine(told) as engine:
        assert engine.verify().ok


REPLACE = [
    ("journal", "INSERT OR REPLACE INTO journal SELECT * FROM journal WHERE seq = 1"),
    ("memories", "INSERT OR REPLACE INTO memories SELECT * FROM memories WHERE n = 1"),
]


@pytest.mark.parametrize(("table", "change"), REPLACE)
def test_insert_or_replace_is_refused_where_triggers_fire_for_it(told: Path, table: str, change: str) -> None:
    with raw(told) as connection:
        connection.execute("PRAGMA recursive_triggers = ON")
        with pytest.raises(sqlite3.DatabaseError):
            connection.execute(change)


FORGERIES = [
    ("journal_no_update", "UPDATE journal SET reason = 'no reason' WHERE seq = 3"),
    ("journal_no_update", "UPDATE journal SET at = '2020-01-01T00:00:00.000000+00:00' WHERE seq = 1"),
    ("journal_no_delete", "DELETE FROM journal WHERE seq = 2"),
    ("memories", "UPDATE memories SET content = 'the city is Rome' WHERE n = 1"),
    ("memories", "UPDATE memories SET object = 'Rome' WHERE n = 2"),
    ("memories", "UPDATE memories SET asserted_until = '2030-01-01T00:00:00.000000+00:00' WHERE n = 2"),
    ("memories", "UPDATE memories SET origin = 'user_direct' WHERE n = 3"),
    ("memories", "UPDATE memories SET importance = 0 WHERE n = 3"),
    ("memories", "DELETE FROM memories WHERE n = 3"),
    ("marks", "DELETE FROM marks"),
    ("marks", "UPDATE marks SET kind = 'released'"),
    ("marks", "UPDATE marks SET reason = 'another'"),
    ("undoes", "DELETE FROM undoes"),
    ("orders", "DELETE FROM orders"),
    ("orders", "UPDATE orders SET value = 'Rome'"),
]


@pytest.mark.parametrize(("_what", "change"), FORGERIES)
def test_a_forgery_past_the_triggers_is_seen_by_verify(told: Path, _what: str, change: str) -> None:
    with raw(told) as connection:
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (name,) in triggers:
            connection.execute(f'DROP TRIGGER "{name}"')
        assert connection.execute(change).rowcount > 0
        connection.commit()
    with open_engine(told) as engine:
        report = engine.verify()
    assert not report.ok and report.problems


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE memories SET valid_until = '2026-01-15T00:00:00.000000+00:00' WHERE n = 1",
        "UPDATE memories SET valid_until = NULL WHERE n = 1",
        "UPDATE memories SET origin_trust = 0.9 WHERE n = 2",
        "UPDATE memories SET quarantined = 1 WHERE n = 2",
        "UPDATE memories SET role = 'withdrawn', stands = 0 WHERE n = 2",
        "UPDATE memories SET superseded_by = NULL WHERE n = 1",
        "UPDATE marks SET stands = 1 - stands",
        "UPDATE orders SET rules = 1 - rules",
    ],
)
def test_a_result_that_is_not_what_the_statements_give_is_seen_by_verify(told: Path, change: str) -> None:
    """What is believed is a function of what was told: a window that was edited by hand does not follow."""
    with raw(told) as connection:
        assert connection.execute(change).rowcount > 0
        connection.commit()
    with open_engine(told) as engine:
        assert not engine.verify().ok


def test_a_journal_whose_tail_was_cut_off_is_seen_with_the_head_that_was_kept(told: Path) -> None:
    with open_engine(told) as engine:
        head = engine.verify().head
    with raw(told) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f'DROP TRIGGER "{name}"')
        connection.execute("DELETE FROM journal WHERE seq = 4")
        connection.execute("DELETE FROM undoes WHERE seq = 4")
        connection.commit()
    with open_engine(told) as engine:
        assert engine.verify().head != head


def test_an_untouched_store_is_verified(told: Path) -> None:
    with open_engine(told) as engine:
        report = engine.verify()
        assert (report.ok, report.entries, list(report.problems)) == (True, 4, [])
        assert report.head
        assert engine.verify().head == report.head


def test_a_read_only_store_answers_and_refuses_to_write(told: Path, clock: Any) -> None:
    before = told.read_bytes()
    with open_engine(told, clock=clock, read_only=True) as engine:
        assert timeline(engine)[0][0] == "Nara"
        assert engine.verify().ok
        for write in (
            lambda: tell(engine, "Kyoto"),
            lambda: engine.undo(1, actor="operator"),
            lambda: engine.set_predicate("ada", "city", "many", actor="operator"),
            lambda: engine.expire_by_subject("ada", "user", reason="x"),
        ):
            with pytest.raises(ReadOnlyStore):
                write()
    assert told.read_bytes() == before


@pytest.mark.parametrize("content", [b"not a database at all, but long enough to be one" * 50, b"SQLite"])
def test_what_is_no_store_is_refused_with_its_path_and_not_touched(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(MemstationError) as caught, open_engine(path):
        pass
    assert "notes.txt" in str(caught.value) + caught.value.hint
    assert path.read_bytes() == content
    assert [p.name for p in tmp_path.iterdir()] == ["notes.txt"]


def test_a_folder_a_newer_store_and_a_strange_database_are_refused(told: Path, tmp_path: Path) -> None:
    with pytest.raises(MemstationError), open_engine(tmp_path):
        pass
    strange = tmp_path / "strange.db"
    with raw(strange) as connection:
        connection.execute("CREATE TABLE photos (id)")
        connection.commit()
    with raw(told) as connection:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        connection.execute(f"PRAGMA user_version = {version + 1}")
        connection.commit()
    for path in (strange, told):
        before = path.read_bytes()
        with pytest.raises(MemstationError) as caught, open_engine(path):
            pass
        assert path.name in str(caught.value) + caught.value.hint
        assert path.read_bytes() == before
