"""A backup is one whole file, made while the store is in use; it is never written over another."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from cli_runs import Program
from memstation import open_engine
from memstation.domain.errors import Refused
from memstation.store import backing_up

from engine_facts import tell


def test_the_copy_is_a_store_with_the_same_head(program: Program, tmp_path: Path) -> None:
    program.add_city("Taipei", "2026-01-01")
    target = tmp_path / "copy.db"
    ran = program("backup", str(target), "--json")
    assert ran.code == 0 and ran.json["seq"] == 1
    assert sorted(path.name for path in tmp_path.glob("*copy.db*")) == ["copy.db", "copy.db.head.json"]
    assert json.loads((tmp_path / "copy.db.head.json").read_text())["hash"] == ran.json["head"]
    assert {path.stat().st_mode & 0o777 for path in tmp_path.glob("*copy.db*")} == {0o600}
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


def test_steady_writing_does_not_begin_the_copy_anew(
    engine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backing_up, "_PAGES", 5)
    steps = []

    def progress(done: int, total: int) -> bool:
        steps.append((done, total))
        if len(steps) < 50:
            tell(engine, f"city {len(steps)}", "2026-02-01")
        return True

    for number in range(30):
        tell(engine, f"{number} " + "x" * 1_500, "2026-01-01")
    assert engine.back_up(tmp_path / "copy.db", progress).seq == 30
    assert len(steps) > 5 and [done for done, _ in steps] == sorted({done for done, _ in steps})
    assert {total for _, total in steps} == {steps[0][1]}


def test_a_file_system_without_links(engine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    tell(engine, "Taipei", "2026-01-01")
    folder = tmp_path / "copies"
    folder.mkdir()
    assert engine.back_up(folder / "copy.db").seq == 1
    with open_engine(folder / "copy.db", read_only=True) as copy:
        assert copy.verify().ok and copy.head() == engine.head()
    with pytest.raises(Refused):
        engine.back_up(folder / "copy.db")

    def come(done: int, total: int) -> bool:
        (folder / "other.db").write_bytes(b"mine")
        return True

    with pytest.raises(Refused, match="there already"):
        engine.back_up(folder / "other.db", come)
    assert (folder / "other.db").read_bytes() == b"mine"
    assert not [file for file in folder.iterdir() if file.name.startswith(".")]


def test_without_a_name_it_goes_into_the_data_folder(program: Program) -> None:
    program.add_city("Taipei", "2026-01-01")
    made = Path(program("backup", "--json").json["file"])
    assert made.parent == program.home / "data" / "backups" and made.exists()
    assert made.name.startswith("memory-") and made.parent.stat().st_mode & 0o777 == 0o700


def test_a_copy_is_brought_back_into_a_new_file_only(program: Program, tmp_path: Path) -> None:
    program.add_city("Taipei", "2026-01-01")
    copy = tmp_path / "copy.db"
    program("backup", str(copy))
    program.add_city("Tainan", "2026-02-01")
    assert program("restore", "backup", str(copy)).code == 2
    live = program.store.read_bytes()
    ran = program("restore", "backup", str(copy), "--into", str(program.store))
    assert ran.code == 1 and "there already" in ran.err and program.store.read_bytes() == live
    before = copy.read_bytes()
    ran = program("restore", "backup", str(copy), "--into", str(tmp_path / "new.db"), "--json")
    assert ran.code == 0 and ran.json["seq"] == 1 and ran.json["beyond"] == 1
    assert copy.read_bytes() == before and sorted(p.name for p in tmp_path.glob("copy.db*")) == [
        "copy.db", "copy.db.head.json",
    ]  # fmt: skip
    assert program("verify", "--store", str(tmp_path / "new.db")).code == 0
    connection = sqlite3.connect(tmp_path / "new.db")
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    connection.close()


def test_an_altered_copy_is_not_brought_back(program: Program, tmp_path: Path) -> None:
    program.add_city("Taipei", "2026-01-01")
    copy = tmp_path / "copy.db"
    program("backup", str(copy))
    copy.write_bytes(copy.read_bytes().replace(b"Lives in Taipei", b"Lives in Tainan"))
    ran = program("restore", "backup", str(copy), "--into", str(tmp_path / "new.db"))
    assert ran.code == 1 and "memory 1 was changed" in ran.err
    assert not (tmp_path / "new.db").exists()
