"""The power goes: the file and its write-ahead log as they are at one moment, and the log cut or torn anywhere."""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from pathlib import Path

import pytest
from memstation import open_engine

from engine_facts import saying, tell
from fire.fire_child import burn
from fire.fire_parent import FORK, check_file, check_kept, lines_of, wait_for_lines

DAMAGE = {
    "cut": lambda log, at, dice: log[:at],
    "zeros": lambda log, at, dice: log[:at] + bytes(len(log) - at),
    "noise": lambda log, at, dice: log[:at] + dice.randbytes(len(log) - at),
}


def copied(path: Path, folder: Path) -> Path:
    """The store's bytes, without the index of its log, which lives in memory."""
    folder.mkdir()
    for suffix in ("", "-wal"):
        source = path.with_name(path.name + suffix)
        if source.exists():
            shutil.copyfile(source, folder / source.name)
    return folder / path.name


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_whole_in_the_log_is_kept_and_nothing_after_it(tmp_path: Path, damage: str) -> None:
    """A decision counts when its last byte is in the log, and not before."""
    dice = random.Random(7)
    path = tmp_path / "m.db"
    log = path.with_name("m.db-wal")
    sizes, digests = [], []
    with open_engine(path) as engine:
        sizes.append(log.stat().st_size if log.exists() else 0)
        digests.append(engine.state_digest())
        for number in range(12):
            if number % 4 == 3:
                engine.undo(number)
            else:
                engine.store_many([saying(f"v{k}", f"2026-0{k}-0{1 + number % 9}") for k in range(1, 4)])
            sizes.append(log.stat().st_size)
            digests.append(engine.state_digest())
        whole = log.read_bytes()
        base = path.read_bytes()
    cuts = [*sizes[1:], *(size - 1 for size in sizes[1:]), *(dice.randrange(len(whole)) for _ in range(15))]
    for turn, at in enumerate(cuts):
        folder = tmp_path / f"c{turn}"
        folder.mkdir()
        (folder / "m.db").write_bytes(base)
        damaged = DAMAGE[damage](whole, at, dice)
        (folder / "m.db-wal").write_bytes(damaged)
        # A byte of the damage may be what was there.
        same = next((i for i in range(at, len(damaged)) if damaged[i] != whole[i]), len(damaged))
        kept = max(number for number, size in enumerate(sizes) if size <= same or number == 0)
        with open_engine(folder / "m.db") as engine:
            assert len(engine.journal()) == kept
            assert engine.state_digest() == digests[kept]
            assert engine.verify().ok
            tell(engine, "after", "2026-10-01")
        check_file(folder / "m.db")


def stop(process: int) -> None:
    """Stop a process, and wait until it stands still."""
    os.kill(process, signal.SIGSTOP)
    status = Path(f"/proc/{process}/stat")
    while status.exists() and status.read_text().rpartition(")")[2].split()[0] not in "Tt":
        time.sleep(0.0005)


def cut_power(tmp_path: Path, times: int) -> int:
    """Copy the files of a process that writes, at one moment each, and open the copies. Returns decisions kept."""
    dice = random.Random(times)
    path, acknowledged = tmp_path / "m.db", tmp_path / "acknowledged.txt"
    acknowledged.touch()
    child = FORK.Process(target=burn, args=(str(path), str(acknowledged), 5, 1))
    child.start()
    kept = 0
    try:
        for turn in range(times):
            wait_for_lines(acknowledged, acknowledged.stat().st_size, dice.randint(1, 12), child)
            time.sleep(dice.uniform(0, 0.005))
            stop(child.pid)
            copy = copied(path, tmp_path / f"p{turn}")
            lines = [line for line in lines_of(acknowledged) if "seq" in line]
            os.kill(child.pid, signal.SIGCONT)
            with open_engine(copy) as engine:
                check_kept(engine, lines, at_most=1)
                tell(engine, "after", "2026-10-01")
                kept = len(engine.journal(limit=1000))
            check_file(copy)
    finally:
        child.kill()
        child.join()
        child.close()
    return kept


def test_the_power_goes_a_few_times(tmp_path: Path) -> None:
    assert cut_power(tmp_path, 5) > 3


@pytest.mark.slow
def test_the_power_goes_often(tmp_path: Path) -> None:
    assert cut_power(tmp_path, 40) > 40
