"""Restore, export, verify and reindex from the command line; ctrl+c between two parts."""

from __future__ import annotations

import json
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from cli_runs import Program

SAMPLE = Path(__file__).parent.parent / "data" / "duduclaw.sqlite"


def claims(path: Path, count: int) -> Path:
    lines = ['{"kind":"memstation","format":1}']
    lines += [
        f'{{"kind":"claim","id":"m{k:06}","agent_id":"dudu","content":"fact {k}","subject":"s{k}","predicate":"p",'
        f'"asserted_from":"2026-01-01T00:00:00.000000+00:00","ingested_at":"2026-01-01T00:00:00.000000+00:00"}}'
        for k in range(count)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_restore_of_the_seeds_system_and_back(program: Program, tmp_path: Path) -> None:
    ran = program("restore", "duduclaw", str(SAMPLE))
    assert ran.code == 0 and ran.lines == [
        "24 statements restored (#1)", "5 facts have the successor that the file names"
    ]  # fmt: skip
    assert program("restore", "duduclaw", str(SAMPLE)).lines[:2] == ["0 statements restored", "24 were here already"]
    target = tmp_path / "x.jsonl"
    assert program("export", str(target)).code == 0
    other = str(tmp_path / "other.db")
    assert program("restore", "jsonl", str(target), "--store", other, "--json").json["told"] == 24
    assert program("restore", str(target), "--store", other).lines[1] == "24 were here already"
    assert program("verify", "--store", other).code == 0


def test_undo_of_a_restore_is_said_by_the_next(program: Program) -> None:
    program("restore", "duduclaw", str(SAMPLE))
    program("undo", "1")
    ran = program("restore", "duduclaw", str(SAMPLE))
    assert ran.code == 0 and "undo 2 brings them back" in ran.out
    assert program("undo", "2").code == 0 and program("agents", "--json").json[0]["facts"] == 14


def test_a_refused_restore_names_the_line_and_makes_no_store(program: Program, tmp_path: Path) -> None:
    path = claims(tmp_path / "x.jsonl", 3)
    path.write_text(path.read_text() + "[]\n")
    ran = program("restore", str(path))
    assert ran.code == 1 and ran.err.startswith("memstation: Line 5 cannot be taken: it is not an object")
    assert program("agents", "--json").json == []
    assert program("restore", str(tmp_path / "none"), "--store", str(tmp_path / "new.db")).code == 1
    assert not (tmp_path / "new.db").exists()
    for args in (("a", "b", "c"), ("csv", "x"), ()):
        assert program("restore", *args).code == 2


def test_export_to_the_standard_output_and_over_a_file(program: Program, tmp_path: Path) -> None:
    program.add("台北 \x1b[2J")
    ran = program("export", "-")
    assert ran.code == 0 and [json.loads(line)["kind"] for line in ran.lines] == ["memstation", "claim"]
    target = tmp_path / "x.jsonl"
    assert program("export", str(target), "--json").json == {"statements": 1, "left_out": []}
    assert target.read_text(encoding="utf-8") == ran.out
    assert program("export", str(target)).code == 1 and program("export", str(target), "--force").code == 0
    assert program("export", str(program.store), "--force").code == 1
    assert program("verify").code == 0


def test_verify_tells_a_changed_store(program: Program) -> None:
    program.add()
    head = program("verify", "--json").json["head"]
    program.add("more")
    assert program("verify", "--expect-head", head.upper()).code == 0
    wrong = program("verify", "--expect-head", "ab" * 32)
    assert wrong.code == 1 and "not in its chain" in wrong.out and wrong.err.startswith("memstation: The store is not")
    with closing(sqlite3.connect(program.store)) as connection, connection:
        connection.execute("DROP TRIGGER memories_fixed")
        connection.execute("UPDATE memories SET content = 'changed' WHERE n = 1")
    ran = program("verify", "--json")
    assert ran.code == 1 and ran.json["ok"] is False and any("memory 1" in text for text in ran.json["problems"])


def test_reindex_counts(program: Program) -> None:
    program.add()
    assert program("reindex").out == "1 memory is in the index\n"
    assert program("reindex", "--json").json == {"indexed": 1}


def test_ctrl_c_stops_a_restore_after_the_part(program: Program, tmp_path: Path) -> None:
    total = 24_000
    path = claims(tmp_path / "x.jsonl", total)
    process = program.process("restore", str(path))
    for _ in range(600):
        time.sleep(0.05)
        if process.poll() is not None:
            break
        if program.store.exists():
            with closing(sqlite3.connect(f"file:{program.store}?mode=ro", uri=True, timeout=10)) as connection:
                try:
                    if connection.execute("SELECT count(*) FROM journal").fetchone()[0]:
                        process.send_signal(signal.SIGINT)
                        break
                except sqlite3.OperationalError:
                    continue
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130 and b"Traceback" not in err, err
    last = err.decode().splitlines()[-1]
    assert last.startswith("memstation: stopped: ") and f"of {total:,} are in the store" in last
    assert "run it again to go on; memstation undo 1 takes it back" in last
    done = json.loads(program("restore", str(path), "--json").out)
    assert 10_000 <= done["skipped"] < total and done["told"] + done["skipped"] == total
    assert program("verify").code == 0


def test_ctrl_c_while_checking_writes_nothing(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memstation.commandline import moving

    def pressed(self: object, done: int, total: int) -> bool:
        signal.raise_signal(signal.SIGINT)
        return True

    monkeypatch.setattr(moving.Meter, "__call__", pressed)
    before = signal.getsignal(signal.SIGINT)
    ran = program("restore", str(claims(tmp_path / "x.jsonl", 600)))
    assert ran.code == 130 and ran.err == "memstation: stopped: nothing was written\n"
    assert signal.getsignal(signal.SIGINT) is before
