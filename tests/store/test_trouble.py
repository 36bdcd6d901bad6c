"""Files in trouble: said in plain words, never touched, and nothing acknowledged that is not there."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from memstation import open_engine
from memstation.domain.errors import Busy, MemstationError, StoreUnusable
from memstation.store import database

from engine_facts import tell
from station.fakes import NOW

FULL = """
import resource, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from memstation import open_engine
from memstation.domain.errors import MemstationError
from memstation.domain.memory import MemoryEntry
path = Path(sys.argv[1])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with open_engine(path, clock=lambda: datetime(2026, 6, 1, tzinfo=UTC)) as engine:
    size = path.stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 300_000, resource.RLIM_INFINITY))
    for number in range(1000):
        try:
            engine.store_temporal(MemoryEntry(agent_id="ada", content=f"{number} " + "x" * 8000))
        except MemstationError as error:
            print("said", type(error).__name__, error.title, flush=True)
            break
        print("ok", number, flush=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    engine.store_temporal(MemoryEntry(agent_id="ada", content="there is room again"))
"""


def made(path: Path, memories: int = 40) -> Path:
    """A store, closed: one file."""
    with open_engine(path, clock=lambda: NOW) as engine:
        for number in range(memories):
            tell(engine, f"city {number} " + "x" * 500, "2026-01-01", subject=f"user {number}")
    return path


def survey(path: Path) -> str:
    """Open the file, read all of it and check it: what is said; empty where nothing is wrong."""
    try:
        with open_engine(path, clock=lambda: NOW, read_only=True) as engine:
            report = engine.verify()
            return "; ".join(report.problems)
    except MemstationError as error:
        return str(error)


def test_a_disk_that_fills_up(tmp_path: Path) -> None:
    path = made(tmp_path / "memories.db", 1)
    ran = subprocess.run(
        [sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, timeout=120, env=os.environ
    )
    assert ran.returncode == 0, ran.stderr
    *good, last = ran.stdout.splitlines()
    assert good and last.startswith("said StoreUnusable")
    assert "full" in last or "cannot be read or written" in last
    with open_engine(path, clock=lambda: NOW) as engine:
        assert engine.head().seq == 1 + len(good) + 1
        assert engine.verify().ok


@pytest.mark.parametrize("seed", range(8))
def test_damaged_pages(tmp_path: Path, seed: int) -> None:
    path = made(tmp_path / "memories.db")
    data, rng = bytearray(path.read_bytes()), random.Random(seed)
    for page in rng.sample(range(1, len(data) // 4096), 3):
        data[page * 4096 : (page + 1) * 4096] = rng.randbytes(4096)
    path.write_bytes(data)
    assert survey(path)
    assert path.read_bytes() == data


@pytest.mark.parametrize("left", [0.25, 0.5, 0.9])
@pytest.mark.parametrize("at_a_page", [True, False])
def test_a_file_that_ends_too_early(tmp_path: Path, left: float, at_a_page: bool) -> None:
    path = made(tmp_path / "memories.db")
    size = int(path.stat().st_size * left) // 4096 * 4096 + (0 if at_a_page else 1000)
    data = path.read_bytes()[:size]
    path.write_bytes(data)
    assert survey(path)
    assert path.read_bytes() == data


@pytest.mark.parametrize("cut", [10, 1000, 5000, 60_000])
def test_a_log_that_ends_too_early_gives_whole_decisions(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "memories.db"
    with open_engine(path, clock=lambda: NOW) as engine:
        for number in range(10):
            tell(engine, f"city {number}", "2026-01-01", subject=f"user {number}")
        copy = tmp_path / "copy.db"
        shutil.copy(path, copy)
        log = Path(f"{path}-wal").read_bytes()
    Path(f"{copy}-wal").write_bytes(log[: len(log) - cut])
    with open_engine(copy, clock=lambda: NOW) as engine:
        assert engine.verify().ok and 0 < engine.head().seq < 10


def test_garbage_in_place_of_the_log(tmp_path: Path) -> None:
    path = made(tmp_path / "memories.db", 3)
    Path(f"{path}-wal").write_bytes(random.Random(1).randbytes(50_000))
    with open_engine(path, clock=lambda: NOW) as engine:
        assert engine.verify().ok and engine.head().seq == 3


def test_a_lock_that_goes_in_time_and_one_that_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path / "memories.db", 1)
    with open_engine(path, clock=lambda: NOW) as engine:
        holder = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        holder.execute("BEGIN IMMEDIATE")
        timer = threading.Timer(1.5, lambda: holder.execute("COMMIT"))
        timer.start()
        tell(engine, "Taipei", "2026-01-01")
        timer.join()
        assert engine.head().seq == 2
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.3)
    with open_engine(path, clock=lambda: NOW) as engine:
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy) as told:
            tell(engine, "Tainan", "2026-01-01")
        assert "nothing was written" in told.value.hint
        assert engine.head().seq == 2 and engine.verify().ok
        holder.execute("COMMIT")
        holder.close()
        tell(engine, "Tainan", "2026-01-01")
        assert engine.head().seq == 3


def test_a_damaged_text_index_says_how_to_build_it_anew(tmp_path: Path) -> None:
    error = sqlite3.DatabaseError("database disk image is malformed")
    error.sqlite_errorname = "SQLITE_CORRUPT_VTAB"
    said: Any = database.told_plainly(error, tmp_path / "memories.db")
    assert isinstance(said, StoreUnusable) and "reindex" in said.hint and "text index" in said.title
