"""Several processes on one file: nothing is lost, nobody is told a half."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from memstation import open_engine
from memstation.domain.errors import MemstationError

from engine_facts import tell

WRITER = """
import sys
from memstation import MemoryEntry, TemporalMeta, open_engine

path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open_engine(path) as engine:
    for number in range(count):
        meta = TemporalMeta(subject="user", predicate="city", object=f"{name} {number}", origin="operator")
        print(engine.store_temporal(MemoryEntry("ada", f"{name} {number}"), meta).id)
"""


def start_writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(path), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_two_processes_that_write_one_fact_at_once_lose_nothing(store_path: Path) -> None:
    with open_engine(store_path):
        pass
    count = 40
    writers = [start_writer(store_path, name, count) for name in ("left", "right")]
    told = []
    for writer in writers:
        output, errors = writer.communicate(timeout=120)
        assert writer.returncode == 0, errors
        told.append(output.split())
    with open_engine(store_path) as engine:
        history = engine.get_history("ada", "user", "city")
        assert {r.id for r in history} == set(told[0]) | set(told[1])
        assert [e.seq for e in engine.journal(limit=1000)] == list(range(1, 2 * count + 1))
        assert [r.valid_until for r in history[:-1]] == [r.valid_from for r in history[1:]]
        assert history[-1].valid_until is None
        assert engine.verify().ok


def test_two_processes_that_create_the_store_at_once_make_one(store_path: Path) -> None:
    writers = [start_writer(store_path, name, 3) for name in ("left", "right")]
    for writer in writers:
        _, errors = writer.communicate(timeout=120)
        assert writer.returncode == 0, errors
    with open_engine(store_path) as engine:
        assert len(engine.get_history("ada", "user", "city")) == 6
        assert engine.verify().ok


def test_opening_waits_for_another_process_that_is_making_the_store(store_path: Path) -> None:
    with closing(sqlite3.connect(store_path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        release = threading.Timer(0.3, other.execute, ["ROLLBACK"])
        release.start()
        try:
            with open_engine(store_path) as engine:
                assert engine.verify().ok
        finally:
            release.join()


def test_openers_of_a_new_store_never_see_it_half_made(tmp_path: Path) -> None:
    """Whoever comes while the store is being created waits; nobody is told that it is busy or foreign."""
    openers = 6
    with ThreadPoolExecutor(openers) as pool:
        for turn in range(30):
            start = threading.Barrier(openers)

            def open_together(_: int, path: Path = tmp_path / f"{turn}.db", start: Any = start) -> None:
                start.wait()
                open_engine(path).close()

            list(pool.map(open_together, range(openers)))


def test_an_open_reader_sees_what_another_process_wrote(store_path: Path) -> None:
    with open_engine(store_path) as reader:
        assert reader.get_history("ada", "user", "city") == []
        writer = start_writer(store_path, "left", 2)
        _, errors = writer.communicate(timeout=120)
        assert writer.returncode == 0, errors
        assert [r.object for r in reader.get_history("ada", "user", "city")] == ["left 0", "left 1"]


def test_threads_share_one_engine(engine: Any) -> None:
    def write(number: int) -> str:
        return tell(engine, f"value {number}", predicate=f"p {number % 3}").id

    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(write, range(40)))
    assert len(set(told)) == 40
    assert [e.seq for e in engine.journal(limit=100)] == list(range(1, 41))
    assert engine.verify().ok


def test_a_reader_keeps_no_lock_and_no_snapshot(store_path: Path) -> None:
    with open_engine(store_path) as one, open_engine(store_path) as other:
        first = tell(one, "Nara", "2026-01-01")
        assert len(other.get_history("ada", "user", "city")) == 1
        second = tell(other, "Osaka", "2026-02-01")
        third = tell(one, "Kyoto", "2026-03-01")
        assert (second.closed, third.closed) == ((first.id,), (second.id,))
        assert one.state_digest() == other.state_digest()


def test_previews_and_reads_wait_for_no_writer(store_path: Path) -> None:
    with open_engine(store_path) as engine:
        tell(engine, "Nara", "2026-01-01")
        with closing(sqlite3.connect(store_path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            started = time.monotonic()
            assert engine.preview_undo(1).changes
            assert engine.get_history("ada", "user", "city")
            assert engine.verify().ok
            assert time.monotonic() - started < 4, "it waited for the lock"
            other.execute("ROLLBACK")


def test_a_write_that_fails_in_its_last_step_leaves_nothing(store_path: Path) -> None:
    with open_engine(store_path) as engine:
        tell(engine, "Nara", "2026-01-01")
        before = engine.state_digest()
        with closing(sqlite3.connect(store_path)) as other:
            other.execute("CREATE TRIGGER boom BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'no room'); END")
            other.commit()
            for write in (
                lambda: tell(engine, "Osaka", "2026-02-01"),
                lambda: engine.undo(1, actor="operator"),
                lambda: engine.set_predicate("ada", "city", "many", actor="operator"),
            ):
                with pytest.raises(MemstationError):
                    write()
                assert engine.state_digest() == before
            other.execute("DROP TRIGGER boom")
            other.commit()
        assert engine.verify().ok
        assert tell(engine, "Osaka", "2026-02-01").status == "superseded"
        assert [e.seq for e in engine.journal()] == [1, 2]
