"""The doctor says what is wrong, what it means and what to do; it mends only what is derived, and only when asked."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from cli_runs import Program


def edit(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        for name, _ in raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall():
            if "TRIGGER" in sql:
                raw.execute(f"DROP TRIGGER {name}")
        for statement in sql.split(";"):
            raw.execute(statement)


def about(ran: object) -> set[str]:
    return {finding["about"] for finding in ran.json["findings"]}  # type: ignore[attr-defined]


@pytest.fixture
def filled(program: Program) -> Program:
    program.add_city("Taipei", "2026-01-01")
    program.add_city("Osaka", "2026-02-01")
    program.store.chmod(0o600)
    return program


def test_a_sound_store_is_well(filled: Program) -> None:
    ran = filled("doctor")
    assert ran.code == 0 and "The store is well: 2 decisions" in ran.out
    assert "there is no backup" in ran.out
    assert filled("backup").code == 0
    assert "there is no backup" not in filled("doctor").out
    assert filled("doctor", "--json").json["findings"] == []


def test_what_is_derived_is_mended_when_asked(filled: Program) -> None:
    edit(filled.store, "UPDATE memories SET valid_until = '2027-01-01T00:00:00.000000+00:00', origin_trust = 0.5")
    ran = filled("doctor")
    assert ran.code == 1 and ran.out.count("fault: memory") == 2 and "doctor --repair" in ran.out
    mended = filled("doctor", "--repair")
    assert mended.code == 0 and mended.out.startswith("2 things repaired (#3)")
    assert filled("verify").code == 0
    assert filled("doctor", "--repair").out.startswith("0 things repaired")


def test_what_was_told_is_never_mended(filled: Program) -> None:
    edit(filled.store, "DROP TRIGGER IF EXISTS memories_fixed; UPDATE memories SET content = 'other' WHERE n = 1")
    ran = filled("doctor")
    assert ran.code == 1 and "restore a backup" in ran.out
    refused = filled("doctor", "--repair")
    assert refused.code == 1 and "nothing was repaired" in refused.err


def test_c40_an_index_out_of_step_is_told_with_both_counts(filled: Program) -> None:
    edit(filled.store, "INSERT INTO memory_text (memory_text) VALUES ('delete-all')")
    ran = filled("doctor")
    assert ran.code == 1 and "2 missing, 0 too many" in ran.out
    assert filled("doctor", "--repair").code == 0


def test_a_clock_that_is_behind_is_told(filled: Program) -> None:
    with closing(sqlite3.connect(filled.store)) as raw:
        at = raw.execute("SELECT max(at) FROM journal").fetchone()[0]
    edit(filled.store, f"DROP TRIGGER IF EXISTS journal_fixed; UPDATE journal SET at = '9{at[1:]}' WHERE seq = 2")
    assert "clock" in about(filled("doctor", "--json"))


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_a_file_that_others_can_open_is_told(filled: Program) -> None:
    filled.store.chmod(0o644)
    ran = filled("doctor")
    assert ran.code == 1 and "chmod 600" in ran.out


def test_an_unfinished_erasure_and_a_large_log_are_told(filled: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memstation.store.doctoring.WAL_BYTES", 100)
    monkeypatch.setattr("memstation.store.opening.scrubbing.scrub", lambda _connection: False)
    edit(filled.store, "INSERT INTO meta (key, value) VALUES ('scrub_due', '2')")
    with closing(sqlite3.connect(filled.store, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM journal").fetchone()
        filled.add_city("Kyoto", "2026-03-01")
        assert {"scrub_due", "wal"} <= about(filled("doctor", "--json"))


def test_an_older_file_put_in_place_is_told(filled: Program, tmp_path: Path) -> None:
    old = tmp_path / "old.db"
    assert filled("backup", str(old)).code == 0
    filled.add_city("Kyoto", "2026-03-01")
    filled.store.write_bytes(old.read_bytes())
    filled.store.chmod(0o600)
    ran = filled("doctor")
    assert ran.code == 1 and "--accept-head" in ran.out
