"""A station on a store that other processes write to, and on one that another process holds (C37, C38)."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

import pytest
from memstation import open_engine
from memstation.domain.errors import Busy
from memstation.engine import MemoryEngine
from memstation.store import database

from engine_facts import tell
from fire.fire_crowd import aliases, crowd, hold, stores, write_on, write_one
from fire.fire_parent import FORK
from station.fakes import NOW
from station.pilots import screen_text
from station.timeline_store import Make, Story, open_room, press, put_cursor, settle, the_story

ROUND = ("1", "2", "c", "escape", "+", "escape", "down", "w", "escape", "8", "down", "enter", "z", "escape")
"""Through the rooms, opening what previews."""


@pytest.fixture(autouse=True)
def server() -> None:
    """While a station runs, the standard error is not a file that a new process could be given."""
    forkserver.ensure_running()


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    story = the_story(tmp_path / "agents.db")
    yield story
    story.engine.close()


def truncated(path: Path) -> tuple[int, int]:
    """(whether somebody is in the way, bytes of the write-ahead log) after asking for an empty one."""
    with closing(sqlite3.connect(path, timeout=0)) as connection:
        busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    return int(busy), wal(path)


def wal(path: Path) -> int:
    return path.with_name(path.name + "-wal").stat().st_size


async def walk_around(pilot: Any, until: Any) -> int:
    rounds = 0
    while not until():
        for key in ROUND:
            await pilot.press(key)
            await pilot.pause()
        pilot.app.look()
        rounds += 1
    return rounds


async def in_a_crowd(make_station: Make, tmp_path: Path, seconds: float) -> None:
    path = tmp_path / "m.db"
    with open_engine(path) as engine:
        for number in range(30):
            tell(engine, f"v{number}", f"2026-01-{1 + number % 28:02}", predicate="pqr"[number % 3])
        before = len(engine.journal(limit=1000))
        names = ["one", "two", "three", "four"]
        app = make_station(engine)
        async with app.run_test(size=(80, 24)) as pilot:
            await open_room(pilot, "ada")
            writers = [
                FORK.Process(target=crowd, args=(str(path), str(tmp_path / name), name, seconds)) for name in names
            ]
            for writer in writers:
                writer.start()
            rounds = await walk_around(pilot, lambda: all(writer.exitcode is not None for writer in writers))
            for writer in writers:
                writer.join()
                writer.close()
            await press(pilot, "escape", "escape", "1")
            assert rounds and app.is_running
            shown = screen_text(app)
            assert "busy" not in shown and "went wrong" not in shown
            await settle(pilot)
            assert truncated(path) == (0, 0), "an idle station holds a read open"
        told = {name: json.loads((tmp_path / name).read_text()) for name in names}
    assert [(told[name]["busy"], told[name]["errors"]) for name in names] == [(0, [])] * 4
    with open_engine(path) as engine:
        assert engine.verify().ok
        with closing(sqlite3.connect(path)) as connection:
            written = connection.execute("SELECT actor, seq FROM journal WHERE seq > ?", (before,)).fetchall()
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    for name in names:
        assert [seq for actor, seq in written if actor == name] == told[name]["told"], "acknowledged = written"
    assert len(written) == sum(len(told[name]["told"]) for name in names)
    print(f"\n{len(written)} decisions of four processes in {seconds:.0f} s, {rounds} rounds of the station, no lock")


async def test_four_writers_and_a_station(make_station: Make, tmp_path: Path) -> None:
    await in_a_crowd(make_station, tmp_path, 6)


@pytest.mark.slow
async def test_four_writers_and_a_station_for_a_minute(make_station: Make, tmp_path: Path) -> None:
    await in_a_crowd(make_station, tmp_path, 60)


async def test_no_writer_waits_for_a_preview(make_station: Make, story: Story) -> None:
    """The write ends while the station's dialog shows its effects and the same process holds a read open."""
    engine = story.engine
    app = make_station(engine)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_room(pilot)
        await put_cursor(pilot, "Cloudflare Workers")
        await press(pilot, "c")
        with engine.ledger.looking() as looking:
            before = looking.cursor.execute("SELECT max(seq) FROM journal").fetchone()
            writer = FORK.Process(target=write_one, args=(str(engine.path), "Nara"))
            writer.start()
            await asyncio.to_thread(writer.join)
            assert writer.exitcode == 0
            assert looking.cursor.execute("SELECT max(seq) FROM journal").fetchone() == before, "one snapshot"
        assert engine.journal(limit=1000)[-1].seq == before[0] + 1


async def test_the_station_waits_for_another_process_and_goes_on_painting(make_station: Make, story: Story) -> None:
    """C37.1: the lock is let go after the station was seen to take keys and paint while its decision waited."""
    app = make_station(story.engine)
    digest = story.engine.state_digest()
    async with app.run_test(size=(80, 24)) as pilot:
        await open_room(pilot)
        await put_cursor(pilot, "Cloudflare Workers")
        await press(pilot, "c")
        holding, release = FORK.Event(), FORK.Event()
        holder = FORK.Process(target=hold, args=(str(story.engine.path), holding, release))
        holder.start()
        try:
            await asyncio.to_thread(holding.wait, 30)
            await pilot.press("y")
            for key, room in (("8", "log"), ("1", "today"), ("2", "timeline")):
                await pilot.press(key)
                await pilot.pause()
                assert app.current_mode == room
            assert await asyncio.to_thread(story.engine.reader.stamp), "whoever looks for changes waits for nobody"
            assert story.engine.state_digest() == digest, "it waits, and reads go on"
        finally:
            release.set()
            await asyncio.to_thread(holder.join)
        await settle(pilot)
        assert story.engine.state_digest() != digest
        assert "Corrected #" in "".join(part for part, _role in app.message)


async def test_a_store_that_is_held_too_long_is_said_to_be_busy(
    make_station: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C37.2: nothing was saved, the fact is as it was, reads go on, and the same keys do it afterwards."""
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.2)
    story = the_story(tmp_path / "agents.db")
    app = make_station(story.engine)
    digest = story.engine.state_digest()
    with closing(sqlite3.connect(story.engine.path, isolation_level=None)) as other:
        async with app.run_test(size=(80, 24)) as pilot:
            await open_room(pilot)
            await put_cursor(pilot, "Cloudflare Workers")
            other.execute("BEGIN IMMEDIATE")
            await press(pilot, "c", "y")
            shown = screen_text(app)
            assert "The store is busy" in shown and "nothing was written" in shown
            assert story.engine.state_digest() == digest
            await press(pilot, "escape", "8", "2")
            assert app.here.main_pane.selected.state == "current"  # type: ignore[union-attr]
            other.execute("ROLLBACK")
            await press(pilot, "c", "y")
            assert app.here.main_pane.selected.state == "withdrawn"  # type: ignore[union-attr]
    story.engine.close()


@pytest.mark.slow
async def test_a_lock_that_is_held_for_a_minute(make_station: Make, story: Story) -> None:
    """With the real waiting time: each write is refused, the station paints meanwhile, and afterwards it works."""
    engine, refused, painted = story.engine, 0, 0
    app = make_station(engine)
    digest, decisions = engine.state_digest(), engine.head().seq
    holding, release = FORK.Event(), FORK.Event()
    holder = FORK.Process(target=hold, args=(str(engine.path), holding, release))
    async with app.run_test(size=(80, 24)) as pilot:
        await open_room(pilot)
        await put_cursor(pilot, "Cloudflare Workers")
        holder.start()
        try:
            assert await asyncio.to_thread(holding.wait, 30)
            started = time.monotonic()
            while time.monotonic() - started < 60:
                await press(pilot, "c")
                await pilot.press("y")
                for key, room in (("8", "log"), ("1", "today"), ("2", "timeline")):
                    await pilot.press(key)
                    await pilot.pause()
                    assert app.current_mode == room
                    painted += 1
                await settle(pilot)
                shown = screen_text(app)
                assert "The store is busy" in shown and "nothing was written" in shown
                with pytest.raises(Busy):
                    await asyncio.to_thread(tell, engine, "Nara", "2026-01-01")
                refused += 2
                assert engine.state_digest() == digest and engine.head().seq == decisions
                await press(pilot, "escape")
                await put_cursor(pilot, "Cloudflare Workers")
        finally:
            release.set()
            await asyncio.to_thread(holder.join)
        assert app.here.main_pane.selected.state == "current"  # type: ignore[union-attr]
        await press(pilot, "c", "y")
        assert app.here.main_pane.selected.state == "withdrawn"  # type: ignore[union-attr]
    assert engine.head().seq == decisions + 1 and engine.verify().ok
    print(f"\n{refused} writes refused, {painted} rooms painted while they waited")


def test_two_writers_on_one_key_leave_one_open_fact(tmp_path: Path) -> None:
    """C38: 2 x 200 stores with growing starts on one key, while a third joins and parts an alias."""
    path = tmp_path / "m.db"
    open_engine(path).close()
    jobs: list[tuple[Any, tuple[Any, ...]]] = [
        (stores, (str(path), "left", 0, 200)), (stores, (str(path), "right", 1, 200)), (aliases, (str(path), 100))
    ]  # fmt: skip
    children = [FORK.Process(target=target, args=args) for target, args in jobs]
    for child in children:
        child.start()
    for child in children:
        child.join()
        assert child.exitcode == 0
    with open_engine(path) as engine:
        assert engine.verify().ok
        facts = engine.get_history("ada", "user", "city")
        assert len(engine.journal(limit=1000)) == 500
    check_chain(facts)


def check_chain(facts: list[Any]) -> None:
    assert len(facts) == 400 and len({record.id for record in facts}) == 400
    assert [record for record in facts if record.valid_until is None] == facts[-1:]
    for before, after in pairwise(facts):
        assert before.valid_until == after.valid_from and before.valid_from < before.valid_until
        assert before.superseded_by == after.id and after.supersedes == before.id


def test_a_reader_left_open_costs_no_more_than_what_is_written_meanwhile(tmp_path: Path) -> None:
    """The log cannot begin anew while another program reads; once it is gone, the next checkpoint empties it."""
    path = tmp_path / "m.db"
    with open_engine(path) as engine, closing(sqlite3.connect(path, isolation_level=None)) as reader:
        tell(engine, "Nara", "2026-01-01")
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM memories").fetchone()
        for number in range(20):
            tell(engine, f"v{number}", "2026-02-01", predicate=f"p{number}")
        assert truncated(path)[0] == 1, "SQLite does not empty it under a reader"
        reader.execute("COMMIT")
        assert truncated(path) == (0, 0)


def under_a_foreign_reader(path: Path, seconds: float) -> None:
    open_engine(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as reader, open_engine(path) as engine:
        reader.execute("BEGIN")
        before = reader.execute("SELECT count(*) FROM journal").fetchone()[0]
        stop = FORK.Event()
        writers = [FORK.Process(target=write_on, args=(str(path), name, stop)) for name in ("one", "two")]
        for writer in writers:
            writer.start()
        try:
            began = time.monotonic()
            while time.monotonic() - began < seconds or (engine.head().seq < 40 and time.monotonic() - began < 60):
                time.sleep(0.05)
        finally:
            stop.set()
            for writer in writers:
                writer.join()
        assert [writer.exitcode for writer in writers] == [0, 0]
        grown, decisions = wal(path), engine.head().seq - before
        assert decisions > 20 and grown > 4096 * decisions
        (said,) = [one for one in engine.examine()[0] if one.about == "log"]
        assert "another program reads" in said.words and f"({grown // 2**20} MB)" in said.words
        assert reader.execute("SELECT count(*) FROM journal").fetchone()[0] == before, "it reads what it read"
        reader.execute("COMMIT")
        assert [one for one in engine.examine()[0] if one.about == "log" and one.severity != "note"] == []
        tell(engine, "after", "2026-06-01")
        assert wal(path) <= max(database._WAL_LIMIT, grown // 2), "the next decision begins the log anew"
        assert truncated(path) == (0, 0)
        assert engine.verify().ok
    print(
        f"\n{grown / 2**20:.1f} MB of log for {decisions} decisions in {seconds:.0f} s: {grown / decisions:.0f} B each"
    )


def test_a_log_under_a_foreign_reader(tmp_path: Path) -> None:
    under_a_foreign_reader(tmp_path / "m.db", 3)


@pytest.mark.slow
def test_a_log_under_a_foreign_reader_for_a_minute(tmp_path: Path) -> None:
    under_a_foreign_reader(tmp_path / "m.db", 60)


def test_our_own_readers_are_closed_after_each_question(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with open_engine(path, lambda: NOW) as engine:
        for number in range(5):
            tell(engine, f"v{number}", "2026-01-01", predicate=f"p{number}")
            ask_everything(engine)
            assert truncated(path) == (0, 0)


def ask_everything(engine: MemoryEngine) -> None:
    engine.reader.overview(None, "operator")
    engine.reader.stamp()
    engine.list_recent("ada")
    engine.preview_undo(1)
    engine.verify()
