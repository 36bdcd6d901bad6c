"""A backup is one whole file, made while the store is in use; it is never written over another."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from cli_runs import Program
from memstation.domain.errors import Refused

from engine_facts import tell


def test_the_copy_is_a_store_with_the_same_head(program: Program, tmp_path: Path) -> None:
    program.add_city("Taipei", "2026-01-01")
    target = tmp_path / "copy.db"
    ran = program("backup", str(target), "--json")
    assert ran.code == 0 and ran.json["seq"] == 1
    assert [path.name for path in tmp_path.glob("*copy.db*")] == ["copy.db"]
    connection = sqlite3.connect(f"file:{target}?immutable=1", uri=True)
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] in ("delete", "off")
    connection.close()
    checked = program("verify", "--store", str(target), "--json")
    assert checked.code == 0 and checked.json["head"] == ran.json["head"]


def test_a_file_that_is_there_is_kept(program: Program, tmp_path: Path) -> None:
    program.add_city("Taipei", "2026-01-01")
    target = tmp_path / "copy.db"
    target.write_bytes(b"mine")
    ran = program("backup", str(target))
    assert ran.code == 1 and "there already" in ran.err
    assert target.read_bytes() == b"mine"
    assert program("backup", str(program.store)).code == 1
    assert program("backup", str(tmp_path / "no" / "folder.db")).code == 1


def test_a_stopped_backup_leaves_nothing(engine: Any, tmp_path: Path) -> None:
    tell(engine, "Taipei", "2026-01-01")
    folder = tmp_path / "copies"
    folder.mkdir()
    assert engine.back_up(folder / "copy.db", lambda done, total: False) is None
    assert list(folder.iterdir()) == []


def test_what_is_written_meanwhile_does_not_stop_it(engine: Any, tmp_path: Path) -> None:
    def progress(done: int, total: int) -> bool:
        tell(engine, f"city {done} {engine.head().seq}", "2026-02-01")
        return True

    tell(engine, "Taipei", "2026-01-01")
    head = engine.back_up(tmp_path / "copy.db", progress)
    assert engine.hash_of(head.seq) == head.hash
    with pytest.raises(Refused):
        engine.back_up(tmp_path / "copy.db")
