"""The process that kills, and then holds the store to all that was acknowledged. It repairs nothing by hand."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import random
import shutil
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memstation import open_engine
from memstation.engine import MemoryEngine, system_clock
from memstation.exchange.adoption import adopt
from memstation.store.whole import clear_parts

from engine_facts import tell
from fire.fire_child import burn
from fire.fire_verbs import SAMPLE

FORK = multiprocessing.get_context("forkserver")
"""A server without any store open forks the children: they begin in milliseconds, and no connection is inherited."""
FORK.set_forkserver_preload(["fire.fire_child", "fire.fire_crowd"])

CHECKS: list[Callable[[Path], None]] = []
"""What else must be true of the folder after a kill; see `fire_verbs`."""

MOST_DECISIONS = 160
"""A store that has grown beyond is left for a new one, so that checking all of it stays quick."""


@dataclass
class Fire:
    """Kills, one after another, and what they left."""

    folder: Path
    dice: random.Random
    did: Counter[str] = field(default_factory=Counter)
    decisions: int = 0
    extras: int = 0
    stores: int = 0
    turn: int = 0
    path: Path = Path()
    acknowledged: Path = Path()

    def new_store(self) -> None:
        self.stores += 1
        place = self.folder / f"s{self.stores}"
        place.mkdir()
        self.path, self.acknowledged = place / "m.db", place / "acknowledged.txt"
        self.acknowledged.touch()

    def run(self, kills: int) -> None:
        """Kill so often. Every eighth new store is killed while it is made."""
        for _ in range(kills):
            if not self.stores or self.decisions_now() > MOST_DECISIONS or self.turn % 8 == 0:
                self.new_store()
            self.turn += 1
            before = len(lines_of(self.acknowledged))
            self.kill(self.dice.randrange(2**32))
            self.check(before)
        for line in [line for path in self.folder.glob("s*/acknowledged.txt") for line in lines_of(path)]:
            if "did" in line:
                assert not line["answer"].startswith("unexpected"), line
                self.did[line["did"]] += 1

    def decisions_now(self) -> int:
        seqs = [line["seq"] for line in lines_of(self.acknowledged) if "seq" in line]
        return max(seqs, default=0)

    def kill(self, seed: int) -> None:
        child = FORK.Process(target=burn, args=(str(self.path), str(self.acknowledged), seed, self.turn))
        seen = self.acknowledged.stat().st_size
        wanted = self.dice.choice((0, 0, 1, 2, 5, 12))
        child.start()
        try:
            if wanted == 0:
                # Anywhere in its life: while it opens or makes the store, too.
                time.sleep(self.dice.uniform(0, 0.25 if self.dice.random() < 0.5 else 0.06))
            else:
                wait_for_lines(self.acknowledged, seen, wanted, child)
                # Into the next decision.
                time.sleep(self.dice.uniform(0, 0.005))
            assert child.exitcode is None, f"it ended by itself ({child.exitcode})"
        finally:
            child.kill()
            child.join()
            child.close()

    def check(self, before: int) -> None:
        lines = lines_of(self.acknowledged)
        acknowledged = [line for line in lines if "seq" in line]
        with open_engine(self.path) as engine:
            extra = check_kept(engine, acknowledged, at_most=1)
            self.extras += extra
            tell(engine, f"after {self.turn}", subject="after", predicate="kill")
            seq, digest = last_entry(self.path)
            cut_off_half_line(self.acknowledged)
            with self.acknowledged.open("a") as file:
                file.write(json.dumps({"seq": seq, "hash": digest, "ids": []}) + "\n")
        check_file(self.path)
        check_files(self.path.parent, lines)
        check_erased(self.path, lines)
        check_backups(self.path.parent, lines[before:])
        check_adopted(self.path.parent, lines)
        for look in CHECKS:
            look(self.path.parent)
        self.decisions += sum("seq" in line for line in lines[before:])


def check_healthy(engine: MemoryEngine) -> None:
    """The doctor finds nothing, and verify is part of what it asks. The file's mode is the shell's."""
    found, stopped = engine.examine()
    assert not stopped
    assert [one for one in found if one.about != "permissions"] == []


def wait_for_lines(path: Path, size: int, wanted: int, child: Any) -> None:
    """Until so many lines more were acknowledged."""
    with path.open("rb") as file:
        file.seek(size)
        seen = 0
        while seen < wanted:
            seen += file.read().count(b"\n")
            assert child.exitcode is None, f"it ended by itself ({child.exitcode})"
            time.sleep(0.0005)


def lines_of(path: Path) -> list[dict[str, Any]]:
    """What was acknowledged. A line that the kill cut off was not."""
    return [json.loads(line) for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")]


def cut_off_half_line(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.rfind(b"\n") + 1])


def last_entry(path: Path) -> tuple[int, str]:
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT seq, hex(hash) FROM journal ORDER BY seq DESC LIMIT 1").fetchone()
    return found or (0, "")


def check_kept(engine: MemoryEngine, acknowledged: list[dict[str, Any]], at_most: int) -> int:
    """Every acknowledged decision is there with its content, and at most so many beside. Returns how many."""
    check_healthy(engine)
    with closing(sqlite3.connect(engine.path)) as connection:
        hashes = dict(connection.execute("SELECT seq, hex(hash) FROM journal"))
        ids = dict(connection.execute("SELECT id, seq FROM memories"))
    assert sorted(hashes) == list(range(1, len(hashes) + 1))
    for line in acknowledged:
        assert hashes.get(line["seq"]) == line["hash"], f"#{line['seq']} was acknowledged and is not there"
        # A memory told again is answered with the fact that it confirms, which an earlier decision told.
        assert all(ids.get(id_, line["seq"] + 1) <= line["seq"] for id_ in line["ids"]), line
    extra = len(hashes) - max((line["seq"] for line in acknowledged), default=0)
    assert 0 <= extra <= at_most, f"{extra} decisions that nobody was told of"
    return extra


def check_file(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def check_files(folder: Path, lines: list[dict[str, Any]]) -> None:
    """A file that is there by its name is whole; the half one of the process that died goes with the next."""
    clear_parts(folder)
    assert not [path.name for path in folder.iterdir() if path.name.startswith(".")]
    promised = {line["promise"]: line["digest"] for line in lines if "promise" in line}
    for path in folder.glob("out-*.jsonl"):
        assert hashlib.sha256(path.read_bytes()).hexdigest() == promised[path.name], f"{path.name} is not whole"


def check_erased(path: Path, lines: list[dict[str, Any]]) -> None:
    """Once the erasure is in the journal, opening was enough: the name is in no byte beside what was never erased."""
    ended = {line["name"] for line in lines if line.get("end") == "erased"}
    begun = {line["name"] for line in lines if line.get("begin") == "erase"}
    whole = b"".join(file.read_bytes() for file in path.parent.glob("m.db*"))
    for name in begun:
        with closing(sqlite3.connect(path)) as connection:
            left = connection.execute("SELECT count(*) FROM memories WHERE subject = ?", (name,)).fetchone()[0]
        assert left in (0, 2), f"half of {name} was erased"
        assert not left or name not in ended, f"{name} was erased and is there"
        assert left or name.encode() not in whole, f"{name} is in the file yet"


def check_backups(folder: Path, lines: list[dict[str, Any]]) -> None:
    """A backup by its name is a whole store, and one that was acknowledged in this life is there."""
    for line in lines:
        assert line.get("end") != "copied" or (folder / line["name"]).exists(), line
    for path in folder.glob("backup-*.db"):
        with open_engine(path, read_only=True) as engine:
            report = engine.verify()
            assert report.ok, report.problems
        path.unlink()
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)


def check_adopted(folder: Path, lines: list[dict[str, Any]]) -> None:
    """The other program's file is as it was, or ours and whole; adopting it again is all that it takes."""
    ended = {line["name"] for line in lines if line.get("end") == "adopted"}
    for line in lines:
        place = folder / str(line.get("name", ""))
        if line.get("begin") != "adopt" or not place.exists():
            continue
        path = place / "memory.db"
        with closing(sqlite3.connect(path)) as connection:
            ours = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'journal'").fetchone() is not None
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            dump = list(connection.iterdump()) if not ours else []
        assert ours or line["name"] not in ended, f"{line['name']} was adopted and is not"
        if not ours:
            with closing(sqlite3.connect(SAMPLE)) as connection:
                assert dump == list(connection.iterdump()), f"{line['name']} was changed"
            adopt(path, system_clock)
        with open_engine(path) as engine:
            report = engine.verify()
            assert report.ok, report.problems
            assert [entry.kind for entry in engine.journal()] == ["adopt"]
        shutil.rmtree(place)
