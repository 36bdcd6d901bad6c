"""The process that kills, and then holds the store to all that was acknowledged. It repairs nothing by hand."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import random
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memstation import open_engine
from memstation.engine import MemoryEngine

from engine_facts import tell
from fire.fire_child import burn

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
        for look in CHECKS:
            look(self.path.parent)
        self.decisions += sum("seq" in line for line in lines[before:])


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
    report = engine.verify()
    assert report.ok, report.problems
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
    """A file that is there by its name is whole."""
    promised = {line["promise"]: line["digest"] for line in lines if "promise" in line}
    for path in folder.glob("out-*.jsonl"):
        assert hashlib.sha256(path.read_bytes()).hexdigest() == promised[path.name], f"{path.name} is not whole"
