"""`memstation adopt`: nothing without a yes, the looking first, and the same words to a person and to a program."""

from __future__ import annotations

import json
import os
import pty
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from cli_runs import Program

SAMPLE = Path(__file__).parent.parent / "data" / "duduclaw.sqlite"


def content_of(path: Path) -> list[str]:
    """All that a file says, whatever its journal mode."""
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


@pytest.fixture
def file(program: Program) -> Path:
    path = program.home / "other" / "memory.db"
    path.parent.mkdir(parents=True)
    shutil.copyfile(SAMPLE, path)
    return path


def beside(path: Path) -> list[str]:
    return sorted(item.name for item in path.parent.iterdir() if not item.name.endswith(("-wal", "-shm")))


def test_a_dry_run_says_what_it_would_do_and_touches_nothing(program: Program, file: Path) -> None:
    raw = file.read_bytes()
    ran = program("adopt", str(file), "--dry-run")
    assert ran.code == 0, ran.err
    assert file.read_bytes() == raw and beside(file) == ["memory.db"]
    assert "29 columns" in ran.out and "before-memstation" in ran.out
    told = program("adopt", str(file), "--dry-run", "--json").json
    assert (told["columns"], told["report"], told["parts"]) == (29, "", [])
    assert file.read_bytes() == raw and beside(file) == ["memory.db"]


def test_with_yes_it_is_done_and_said_and_a_second_time_refused(program: Program, file: Path) -> None:
    ran = program("adopt", str(file), "--yes")
    assert ran.code == 0, ran.err
    copy = f"{file}.before-memstation.db"
    assert "memories adopted" in ran.out and copy in ran.out and content_of(Path(copy)) == content_of(SAMPLE)
    assert program("--store", str(file), "verify").code == 0
    names = beside(file)
    again = program("adopt", str(file), "--yes")
    assert again.code == 1 and "It is a memstation store already" in again.err
    assert beside(file) == names


def test_as_json_it_says_the_same(program: Program, file: Path) -> None:
    seen = program("adopt", str(file), "--dry-run", "--json").json
    done = program("adopt", str(file), "--yes", "--json").json
    assert {key: done[key] for key in ("memories", "agents", "names", "held", "changed", "changed_keys", "copy")} == {
        key: seen[key] for key in ("memories", "agents", "names", "held", "changed", "changed_keys", "copy")
    }
    lines = [json.loads(line) for line in Path(done["report"]).read_text().splitlines()]
    assert len(lines) >= done["changed_keys"] and lines[: len(done["changed"])] == done["changed"]


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_where_nobody_can_be_asked_it_is_refused(program: Program, file: Path, more: list[str]) -> None:
    raw = file.read_bytes()
    code, out, err = program.alone("adopt", str(file), *more)
    assert code == 1 and b"Nobody can be asked" in err and b"--yes" in err and not out
    assert file.read_bytes() == raw and beside(file) == ["memory.db"]


def in_a_terminal(program: Program, file: Path, answer: str) -> tuple[int, str]:
    """Run the program with a terminal for its input and its output, and answer its question."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "memstation", "adopt", str(file)],
        env={**os.environ, **program.env}, stdin=theirs, stdout=theirs, stderr=theirs,
    )  # fmt: skip
    os.close(theirs)
    said = b""
    with closing(os.fdopen(ours, "r+b", buffering=0)) as terminal:
        asked = False
        while True:
            try:
                read = terminal.read(4096)
            except OSError:  # the other end is closed
                break
            if not read:
                break
            said += read
            if b"[y/N]" in said and not asked:
                asked = True
                terminal.write(answer.encode())
    return process.wait(timeout=60), said.decode()


@pytest.mark.parametrize(("answer", "adopted"), [("n\n", False), ("\n", False), ("y\n", True)])
def test_in_a_terminal_it_shows_and_asks(program: Program, file: Path, answer: str, adopted: bool) -> None:
    raw = file.read_bytes()
    code, said = in_a_terminal(program, file, answer)
    assert "DuDuClaw, 29 columns: 20 memories of 2 agents" in said and "Adopt this file?" in said
    if adopted:
        assert code == 0 and "20 memories adopted" in said
        assert program("--store", str(file), "verify").code == 0
    else:
        assert code == 1 and "not adopted" in said and "nothing was changed" in said
        assert file.read_bytes() == raw and beside(file) == ["memory.db"]


def test_memories_without_an_owner_need_one_named(program: Program, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE memories SET agent_id = '' WHERE rowid = (SELECT min(rowid) FROM memories)")
    before = content_of(file)
    ran = program("adopt", str(file), "--yes")
    assert ran.code == 1 and "1 of them belong to no agent" in ran.err and "--owner NAME" in ran.err
    assert content_of(file) == before and beside(file) == ["memory.db"]
    ran = program("adopt", str(file), "--yes", "--owner", "lost", "--json")
    assert ran.code == 0 and ran.json["ownerless"] == 1
    assert "lost" in program("--store", str(file), "agents").out


def test_wrong_usage(program: Program, file: Path) -> None:
    assert program("adopt").code == 2
    assert program("adopt", str(file), "--sure").code == 2
    gone = program("adopt", str(file.with_name("none.db")), "--yes")
    assert gone.code != 0 and "There is no such file" in gone.err
    refused = program("--read-only", "adopt", str(file), "--yes")
    assert refused.code == 1 and "read-only" in refused.err
    assert beside(file) == ["memory.db"]
