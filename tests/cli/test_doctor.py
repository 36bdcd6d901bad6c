"""The doctor says each thing that ails a store, and what to do; it repairs only what is derived, only when asked."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from cli_runs import Program
from memstation import open_engine

from engine_facts import tell


def edit(store: Path, sql: str) -> None:
    connection = sqlite3.connect(store, isolation_level=None)
    connection.execute(sql)
    connection.close()


def found(program: Program, *more: str) -> dict[str, dict[str, Any]]:
    return {one["about"]: one for one in program("doctor", "--json", *more).json["findings"]}


def test_a_store_that_is_well(program: Program) -> None:
    program.add_city("Taipei", "2026-01-01")
    assert "memstation backup makes one" in program("doctor").out
    program.store.chmod(0o600)
    assert program("backup").code == 0
    ran = program("doctor")
    assert ran.code == 0 and ran.out == "Nothing is wrong with the store.\n"


@pytest.mark.parametrize(
    ("sql", "about"),
    [
        ("UPDATE memories SET origin_trust = 0.5", "derived"),
        ("INSERT INTO memory_text (memory_text) VALUES ('delete-all')", "derived"),
        ("UPDATE memory_text_data SET block = x'00' WHERE id > 10", "index"),
    ],
)
def test_what_is_derived_is_repaired_when_asked(program: Program, sql: str, about: str) -> None:
    program.add_city("Taipei", "2026-01-01")
    edit(program.store, sql)
    ran = program("doctor")
    assert ran.code == 1 and "memstation doctor --repair" in ran.out
    assert found(program)[about]["severity"] == "wrong"
    assert program("doctor").code == 1
    ran = program("doctor", "--repair")
    assert ran.code == 0 and "repaired (#2)" in ran.out
    assert program("verify").code == 0
    assert "Nothing had to be repaired." in program("doctor", "--repair").out


def test_what_was_told_is_never_repaired(program: Program) -> None:
    program.add_city("Taipei", "2026-01-01")
    program.store.write_bytes(program.store.read_bytes().replace(b"Lives in Taipei", b"Lives in Tainan"))
    assert "wrong: memory 1 was changed" in program("doctor").out
    assert "backup" in found(program)["told"]["advice"]
    before = program.store.read_bytes()
    ran = program("doctor", "--repair")
    assert ran.code == 1 and "nothing was repaired" in ran.err
    assert program.store.read_bytes() == before


def test_a_table_of_another_program(program: Program) -> None:
    program.add_city("Taipei", "2026-01-01")
    edit(program.store, "CREATE TABLE soul (x)")
    assert "soul is none of this program's" in found(program)["shape"]["words"]


def test_an_erasure_that_is_not_finished(program: Program) -> None:
    program.add_city("Taipei", "2026-01-01")
    reader = sqlite3.connect(program.store, isolation_level=None)
    reader.execute("INSERT INTO meta VALUES ('scrub_due', '1')")
    program.add_city("Tainan", "2026-02-01")
    reader.execute("INSERT OR REPLACE INTO meta VALUES ('scrub_due', '1')")
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM meta").fetchall()
    program.add_city("Taitung", "2026-03-01")
    assert "not finished" in found(program)["erasure"]["words"]
    assert "another program reads" in found(program)["log"]["words"]
    reader.close()
    assert "erasure" not in found(program) and "log" not in found(program)


def test_a_clock_that_was_ahead(program: Program) -> None:
    from datetime import UTC, datetime

    program("agents")
    program.store.parent.mkdir(parents=True)
    with open_engine(program.store, clock=lambda: datetime(2999, 1, 1, tzinfo=UTC)) as engine:
        tell(engine, "Taipei", "2026-01-01")
    assert "2999-01-01" in found(program)["clock"]["words"]


def test_an_older_file_and_one_that_others_may_read(program: Program, tmp_path: Path) -> None:
    program.add_city("Taipei", "2026-01-01")
    program("backup", str(tmp_path / "copy.db"))
    program.add_city("Tainan", "2026-02-01")
    program.store.write_bytes((tmp_path / "copy.db").read_bytes())
    program.store.chmod(0o644)
    ailing = found(program)
    assert "an old copy" in ailing["head"]["words"] and "--accept-head" in ailing["head"]["advice"]
    assert "644" in ailing["permissions"]["words"]


def test_bytes_that_are_no_text_are_a_finding(program: Program) -> None:
    """Such a file is read a second time, as some text: what the doctor says is of that one reading."""
    program.add_city("Taipei", "2026-01-01")
    edit(program.store, "UPDATE memories SET origin_trust = 0.5")
    program.store.write_bytes(program.store.read_bytes().replace(b"Lives in Taipei", b"Lives in T\xff\xfepei"))
    ran = program("doctor")
    assert ran.code == 1 and "memory 1 was changed" in ran.out
    assert found(program)["shape"]["severity"] == "wrong" and "backup" in found(program)["told"]["advice"]
    assert "see there" in found(program)["derived"]["advice"]
    before = program.store.read_bytes()
    assert program("doctor", "--repair").code == 1 and program.store.read_bytes() == before


def test_the_chain_is_walked_once(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    from memstation.store import verifying

    walks: list[object] = []
    true_chain = verifying._Check.chain

    def chain(self: Any, expect_head: str | None) -> None:
        walks.append(self)
        true_chain(self, expect_head)

    monkeypatch.setattr(verifying._Check, "chain", chain)
    program.add_city("Taipei", "2026-01-01")
    edit(program.store, "UPDATE memories SET origin_trust = 0.5")
    assert found(program)["derived"]["severity"] == "wrong" and len(walks) == 1
