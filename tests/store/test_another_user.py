"""A store as another user of the machine finds it: read, or refused with the reason; and left byte for byte as it is.

Permission bits do not hold the superuser back: where the tests run as him, a child of his gives his rights up for good
before it opens the file. Anybody else is held back by the bits alone.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from memstation import open_engine

from engine_facts import tell
from station.fakes import NOW

NOBODY = 65534

ASK = """
import json, os, sys
from datetime import UTC, datetime
from pathlib import Path
from memstation import open_engine
from memstation.domain.errors import MemstationError
from memstation.domain.memory import MemoryEntry

def ask(path):
    try:
        with open_engine(path, clock=lambda: datetime(2026, 6, 1, tzinfo=UTC)) as engine:
            said = {"read_only": engine.read_only, "seq": engine.head().seq, "ok": engine.verify().ok,
                    "listed": len(engine.list_recent("ada"))}
            said["doctor"] = [one.words for one in engine.examine()[0]]
            try:
                engine.store_temporal(MemoryEntry(agent_id="ada", content="more"))
                said["wrote"] = True
            except MemstationError as error:
                said["refused"] = type(error).__name__
            return said
    except MemstationError as error:
        return {"error": type(error).__name__, "said": str(error), "hint": error.hint}

# What is imported late is read with this user's rights, so all of it is used once before they go.
ask(sys.argv[2])
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(int(sys.argv[3]))
    os.setuid(int(sys.argv[3]))
print(json.dumps(ask(sys.argv[1])))
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user can reach; pytest's own is its user's alone."""
    made = Path(tempfile.mkdtemp(prefix="memstation-"))
    try:
        if any(not parent.stat().st_mode & 0o001 for parent in made.parents):
            pytest.skip("another user cannot reach the folder for temporary files")
        made.chmod(0o755)
        store = made / "store"
        store.mkdir()
        yield store
    finally:
        store.chmod(0o755)
        shutil.rmtree(made)


def told_to_another(path: Path, warm: Path) -> dict[str, Any]:
    """What another user is told who opens, reads, checks and writes the store."""
    command = [sys.executable, "-c", ASK, str(path), str(warm), str(NOBODY)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    told: dict[str, Any] = json.loads(ran.stdout)
    return told


def store_in(folder: Path) -> Path:
    path = folder / "memories.db"
    with open_engine(path, clock=lambda: NOW) as engine:
        for number in range(3):
            tell(engine, f"city {number}", "2026-01-01", subject=f"user {number}")
    return path


def log_left_in(folder: Path, path: Path, *, shared: bool) -> None:
    """The fourth decision is in a log whose writer died; `shared`: with its index beside."""
    with open_engine(path, clock=lambda: NOW) as engine:
        tell(engine, "late", "2026-02-02")
        left = bytes_in(folder)
    for name, data in left.items():
        if shared or not name.endswith("-shm"):
            (folder / name).write_bytes(data)


def close_to_others(folder: Path, mode: int, folder_mode: int) -> None:
    for path in folder.iterdir():
        path.chmod(mode)
    folder.chmod(folder_mode)


def bytes_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("mode", "folder_mode", "said"),
    [
        (0o444, 0o555, "the file is read-only for you"),
        (0o444, 0o777, "the file is read-only for you"),
        (0o666, 0o555, "the folder of the file is read-only for you"),
    ],
)
def test_it_is_read_and_nothing_is_made_beside_it(
    folder: Path, tmp_path: Path, mode: int, folder_mode: int, said: str
) -> None:
    path = store_in(folder)
    close_to_others(folder, mode, folder_mode)
    before = bytes_in(folder)
    told = told_to_another(path, tmp_path / "warm.db")
    assert (told["read_only"], told["seq"], told["ok"], told["listed"]) == (True, 3, True, 3)
    assert told["refused"] == "ReadOnlyStore" and said in told["doctor"]
    assert bytes_in(folder) == before and list(before) == [path.name]


def test_a_log_that_is_in_use_is_read_with_it(folder: Path, tmp_path: Path) -> None:
    path = store_in(folder)
    with open_engine(path, clock=lambda: NOW) as engine:
        tell(engine, "late", "2026-02-02")
        close_to_others(folder, 0o444, 0o555)
        before = bytes_in(folder)
        told = told_to_another(path, tmp_path / "warm.db")
        assert (told["read_only"], told["seq"], told["ok"], told["refused"]) == (True, 4, True, "ReadOnlyStore")
        assert bytes_in(folder) == before
        close_to_others(folder, 0o644, 0o755)
        tell(engine, "later", "2026-02-03")
        assert engine.verify().ok and engine.head().seq == 5


def test_a_log_that_was_left_is_read_where_its_index_is_and_else_refused(folder: Path, tmp_path: Path) -> None:
    path = store_in(folder)
    log_left_in(folder, path, shared=True)
    close_to_others(folder, 0o444, 0o555)
    before = bytes_in(folder)
    told = told_to_another(path, tmp_path / "warm.db")
    assert (told["read_only"], told["seq"], told["ok"], told["refused"]) == (True, 4, True, "ReadOnlyStore")
    assert bytes_in(folder) == before
    folder.chmod(0o755)
    (folder / f"{path.name}-shm").unlink()
    folder.chmod(0o555)
    before = bytes_in(folder)
    told = told_to_another(path, tmp_path / "warm.db")
    assert told["error"] == "StoreUnusable" and "a log lies beside it" in told["hint"]
    assert bytes_in(folder) == before
    close_to_others(folder, 0o644, 0o755)
    with open_engine(path, clock=lambda: NOW) as engine:
        assert engine.verify().ok and engine.head().seq == 4


@pytest.mark.parametrize("folder_mode", [0o555, 0o777])
def test_a_file_that_may_not_be_read_is_refused_with_the_reason(folder: Path, tmp_path: Path, folder_mode: int) -> None:
    path = store_in(folder)
    whole = bytes_in(folder)
    close_to_others(folder, 0o000, folder_mode)
    told = told_to_another(path, tmp_path / "warm.db")
    assert told["error"] == "StoreUnusable" and "Permission denied" in told["said"]
    folder.chmod(0o755)
    path.chmod(0o644)
    assert bytes_in(folder) == whole


WAIT = """
import os, sys
from memstation import open_engine
path, uid = sys.argv[1], int(sys.argv[2])
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)
with open_engine(path) as engine:
    print(engine.read_only, engine.head().seq, engine.reader.stamp() and "", flush=True)
    sys.stdin.readline()
    print(engine.head().seq, engine.verify().ok, flush=True)
"""


def test_a_reader_sees_what_the_owner_begins_to_write_later(folder: Path) -> None:
    """No log was there when it opened, so that the file was taken for one that never changes."""
    path = store_in(folder)
    close_to_others(folder, 0o444, 0o755)
    command = [sys.executable, "-c", WAIT, str(path), str(NOBODY)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdin is not None and reader.stdout is not None
        assert reader.stdout.readline().split() == ["True", "3"]
        path.chmod(0o644)
        with open_engine(path, clock=lambda: NOW) as engine:
            tell(engine, "late", "2026-02-02")
            reader.stdin.write("\n")
            reader.stdin.flush()
            assert reader.stdout.readline().split() == ["4", "True"]
            assert reader.wait(60) == 0
    assert list(bytes_in(folder)) == [path.name]
