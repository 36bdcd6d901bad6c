"""The head kept outside: a tail that was cut off and an old copy put back are told, and can be accepted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from cli_runs import Program
from memstation.config.heads import KeptHeads
from memstation.domain.heads import StoreHead


def put_back_an_old_copy(program: Program, tmp_path: Path) -> None:
    program.add_city("Taipei", "2026-01-01")
    shutil.copy(program.store, tmp_path / "old.db")
    program.add_city("Tainan", "2026-02-01")
    program.add_city("Hualien", "2026-03-01")
    for name in ("memory.db-wal", "memory.db-shm"):
        (program.store.parent / name).unlink(missing_ok=True)
    shutil.copy(tmp_path / "old.db", program.store)


def test_an_old_copy_is_told_until_it_is_accepted(program: Program, tmp_path: Path) -> None:
    put_back_an_old_copy(program, tmp_path)
    warned = program("agents")
    assert warned.code == 0
    assert "ends at #1, but decisions up to #3 were seen" in warned.err and len(warned.err.splitlines()) == 1
    checked = program("verify")
    assert checked.code == 1 and "#3" in checked.out and "another file" not in checked.err
    assert program("verify", "--accept-head").code == 0
    assert program("agents").err == ""
    assert program("verify").code == 0


def test_new_decisions_do_not_hide_that_the_file_is_another(program: Program, tmp_path: Path) -> None:
    put_back_an_old_copy(program, tmp_path)
    for day in range(1, 5):
        program.add_city(f"City {day}", f"2026-04-0{day}")
    checked = program("verify")
    assert checked.code == 1 and "#3 is not the decision that was seen" in checked.out


@pytest.mark.parametrize(("text", "code"), [("#2:{hash}", 0), ("#1:{hash}", 1), ("{hash}", 0), ("xyz", 1)])
def test_a_head_is_expected_by_hash_or_by_number(program: Program, text: str, code: int) -> None:
    program.add_city("Taipei", "2026-01-01")
    program.add_city("Tainan", "2026-02-01")
    head = program("verify", "--json").json["head"]
    assert program("verify", "--expect-head", text.format(hash=head)).code == code


class Store:
    def __init__(self, *hashes: str) -> None:
        self.hashes = hashes

    def head(self) -> StoreHead:
        return StoreHead(len(self.hashes), self.hashes[-1])

    def hash_of(self, seq: int) -> str | None:
        return self.hashes[seq - 1] if seq <= len(self.hashes) else None


def test_a_kept_head_never_goes_back(tmp_path: Path) -> None:
    heads = KeptHeads(tmp_path / "heads")
    heads.advance("../../evil", Store("a", "b"))
    assert not heads.advance("../../evil", Store("a")).is_there
    assert not heads.advance("../../evil", Store("a", "c", "d")).is_there
    assert heads.load("../../evil") == StoreHead(2, "b")
    assert heads.advance("../../evil", Store("a", "b", "c")).is_there
    assert heads.load("../../evil") == StoreHead(3, "c")
    assert [path.parent.name for path in tmp_path.rglob("*.json")] == ["heads"]


def test_a_kept_head_that_cannot_be_read_counts_as_none(tmp_path: Path) -> None:
    heads = KeptHeads(tmp_path)
    heads.advance("ab" * 16, Store("a"))
    [file] = tmp_path.glob("*.json")
    file.write_text("[]")
    assert heads.load("ab" * 16) is None
