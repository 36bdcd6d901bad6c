"""Adoption in place: copied aside, whole or not at all, equal to a restore, and every changed answer right."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
from adoption_files import NOW, clock, content, old_and_new, overlapping
from exchange_stores import open_shelf
from memstation import open_engine
from memstation.domain.errors import Busy, InvalidInput, MemstationError, Refused, Stopped, StoreUnusable
from memstation.exchange.adopting import restore_duduclaw
from memstation.exchange.adoption import adopt, preview_adoption
from memstation.exchange.old_answers import CAME_BACK, ENDS_LATER, NOTHING_RESUMES, OVERLAP, SCHEDULED
from memstation.store.schema import VERSION
from seed_files import NEW, OLD, closed, fact, gone, on, seed_file

DATA = Path(__file__).parent.parent / "data"
WHOLE = Path(os.environ.get("MEMSTATION_DATA", "/nowhere")) / "duduclaw-sample"
NEEDS_DATA = pytest.mark.skipif(
    not WHOLE.is_dir(), reason="MEMSTATION_DATA does not name the folder with the data sets"
)
SAMPLES = [
    pytest.param(DATA / "duduclaw.sqlite"),
    pytest.param(DATA / "duduclaw_11_columns.sqlite"),
    pytest.param(WHOLE / "memory.db", marks=NEEDS_DATA),
    pytest.param(WHOLE / "legacy-11col-before-upgrade.db", marks=NEEDS_DATA),
]
PROGRAM = [sys.executable, "-m", "memstation"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def copy_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.before-memstation.db")


def beside(path: Path) -> set[str]:
    return {item.name for item in path.parent.iterdir() if not item.name.endswith(("-wal", "-shm"))}


def check_equals_a_restore(path: Path, source: Path, **more: str) -> None:
    """Whole, and the same state as a restore of the original into a new store."""
    with open_engine(path, clock) as engine, open_shelf(path.parent / "fresh.db", NOW) as shelf:
        report = engine.verify()
        assert report.ok, report.problems
        restore_duduclaw(shelf.ledger, source, **more)
        assert engine.state_digest() == shelf.digest()


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_a_sample_becomes_a_store_and_the_copy_is_the_original(sample: Path, file: Path) -> None:
    shutil.copyfile(sample, file)
    before = content(file)
    seen = preview_adoption(file, clock)
    assert content(file) == before and beside(file) == {"memory.db"}
    report = adopt(file, clock)
    assert report.memories == len([line for line in before if line.startswith('INSERT INTO "memories"')])
    assert (seen.columns, seen.memories, seen.changed) == (report.columns, report.memories, report.changed)
    assert report.columns == (11 if "11" in sample.name else 29)
    assert report.copy == seen.copy == str(copy_of(file)) and content(copy_of(file)) == before
    assert stat.S_IMODE(copy_of(file).stat().st_mode) == 0o600
    check_equals_a_restore(file, sample)
    with closing(sqlite3.connect(file)) as connection:
        kept = dict(connection.execute("SELECT key, value FROM meta"))
        assert kept["adopted_copy"] == str(copy_of(file)) and json.loads(kept["adopted_from"])["memories"] == len(
            list(connection.execute("SELECT 1 FROM memories WHERE id NOT LIKE '%:confirms:%'"))
        )
        assert connection.execute("SELECT DISTINCT kind FROM journal").fetchall() == [("adopt",)]
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_again_changes_nothing_and_it_cannot_be_undone(file: Path) -> None:
    shutil.copyfile(DATA / "duduclaw.sqlite", file)
    adopt(file, clock)
    before, names = content(file), beside(file)
    with pytest.raises(Refused, match="a memstation store already"):
        adopt(file, clock)
    assert content(file) == before and beside(file) == names
    with open_engine(file, clock) as engine, pytest.raises(Refused, match="cannot be taken back"):
        engine.undo(1, actor="operator")


def test_a_copy_that_is_there_is_never_written_over(file: Path) -> None:
    shutil.copyfile(DATA / "duduclaw.sqlite", file)
    copy_of(file).write_text("somebody's own")
    report = adopt(file, clock)
    assert copy_of(file).read_text() == "somebody's own"
    assert report.copy.endswith(".before-memstation-2.db") and Path(report.copy).exists()


def test_a_copy_cut_off_is_not_taken_for_one_and_a_whole_one_is_used(file: Path, tmp_path: Path) -> None:
    shutil.copyfile(DATA / "duduclaw.sqlite", file)
    part = tmp_path / "memory.db.before-memstation.part"
    part.write_bytes(b"SQLite format 3\0 and then the machine died")
    other = tmp_path / "other" / "memory.db"
    other.parent.mkdir()
    shutil.copyfile(DATA / "duduclaw.sqlite", other)
    adopt(other, clock)
    shutil.copyfile(copy_of(other), copy_of(file))
    report = adopt(file, clock)
    assert report.copy == str(copy_of(file)) and not part.exists()
    assert not list(tmp_path.glob("*-2.db"))


# -- answers ----------------------------------------------------------------------------------------------------------


def check_changed_answers(path: Path) -> int:
    """Adopt, and compare every boundary of every line with a brute-force reading. Returns the number of keys."""
    now = NOW.isoformat(timespec="microseconds")
    expected = old_and_new(path, now)
    report = adopt(path, clock)
    told: dict[tuple[str, str], list[dict[str, str | None]]] = {}
    for line in Path(report.report).read_text().splitlines():
        answer = json.loads(line)
        if answer["since"] != "now":
            told.setdefault((answer["agent_id"], answer["subject"]), []).append(answer)
    for key, answers in expected.items():
        for at, (olds, new) in answers.items():
            stored = at[:19] + ".000000+00:00"
            found = [a for a in told.get(key, []) if a["since"] <= stored and (a["until"] or "~") > stored]
            if found:
                assert len(found) == 1 and found[0]["new"] == new, (key, at)
                assert found[0]["old"] in (olds or {None}) and found[0]["old"] != new, (key, at)
            else:
                assert new in olds if olds else new is None, (key, at, olds, new)
    assert report.changed_keys >= len(told) > 0
    return len(told)


def test_each_changed_answer_is_right_by_the_walk(file: Path) -> None:
    overlapping(file, 2_000)
    source = shutil.copyfile(file, file.with_name("source.db"))
    assert check_changed_answers(file) > 50
    check_equals_a_restore(file, source)
    with closing(sqlite3.connect(file)) as connection:
        names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    assert not names & {"key_facts", "memories_fts", "memories_ai", "idx_memories_agent", "open_ones"}
    raw = b"".join(item.read_bytes() for item in (file, file.with_name("memory.db-wal")) if item.exists())
    assert b"SECRETWORD" not in raw and b"SECRETWORD" in copy_of(file).read_bytes()


@pytest.mark.slow
def test_a_hundred_thousand_memories(file: Path) -> None:
    overlapping(file, 100_000)
    source = shutil.copyfile(file, file.with_name("source.db"))
    assert check_changed_answers(file) > 1_000
    check_equals_a_restore(file, source)


def test_why_an_answer_changed(file: Path) -> None:
    seed_file(
        file,
        fact("a1", "Oslo", 1), fact("a2", "Bern", 5, valid_until=on(9)),
        fact("b1", "Oslo", 1, predicate="home", **closed("b2", 5)),
        fact("b2", "Lie", 5, predicate="home", **gone(9, "origin_purge")),
        fact("c1", "Oslo", 1, predicate="plan", valid_from="2030-01-01T00:00:00+00:00"),
        fact("d1", "Oslo", 1, predicate="lease", valid_until="2030-01-01T00:00:00+00:00"),
        fact("e1", "Oslo", 1, predicate="same"),
    )  # fmt: skip
    changed = adopt(file, clock).changed
    assert {(a.predicate, a.since[:10], a.old, a.new, a.why) for a in changed} == {
        ("city", "2026-03-09", "Oslo", None, NOTHING_RESUMES),
        ("home", "2026-03-05", None, "Oslo", CAME_BACK),
        ("plan", "now", "Oslo", None, SCHEDULED),
        ("lease", "now", None, "Oslo", ENDS_LATER),
    }
    assert OVERLAP not in {a.why for a in changed}


# -- memories without an owner ----------------------------------------------------------------------------------------


def test_memories_without_an_owner_are_given_to_one_or_refused(file: Path) -> None:
    seed_file(file, {**fact("a", "Oslo", 1), "agent_id": ""}, fact("b", "Bern", 2))
    source = shutil.copyfile(file, file.with_name("source.db"))
    before = content(file)
    for act in (adopt, preview_adoption):
        with pytest.raises(Refused) as caught:
            act(file, clock)
        assert "1 of them belong to no agent" in caught.value.detail and "--owner" in caught.value.hint
    assert content(file) == before and beside(file) == {"memory.db", "source.db"}
    assert adopt(file, clock, owner="ops").ownerless == 1
    with open_engine(file, clock) as engine:
        assert [r.id for r in engine.get_history("ops", "user", "city")] == ["a"]
        assert [r.id for r in engine.get_history("agnes", "user", "city")] == ["b"]
        assert "1 without an owner given to ops" in engine.journal()[0].reason
    check_equals_a_restore(file, source, owner="ops")


# -- faults -----------------------------------------------------------------------------------------------------------


def test_the_other_program_holds_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copyfile(DATA / "duduclaw.sqlite", file)
    before = content(file)
    monkeypatch.setattr("memstation.store.taking_over.BUSY_SECONDS", 0.1)
    monkeypatch.setattr("memstation.store.opening.BUSY_SECONDS", 0.1)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy):
            adopt(file, clock)
        other.execute("ROLLBACK")
    assert content(file) == before and beside(file) == {"memory.db"}


def test_what_is_only_in_the_write_ahead_log_is_adopted(file: Path) -> None:
    seed_file(file, fact("a", "Oslo", 1))
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute(
            "INSERT INTO memories (id, agent_id, content, timestamp) VALUES ('late', 'agnes', 'x', ?)", [on(2)]
        )
        assert file.with_name("memory.db-wal").stat().st_size
        assert adopt(file, clock).memories == 2
    with open_engine(file, clock) as engine:
        assert engine.get_by_ids("agnes", ["late"]).missing_ids == () and engine.verify().ok


def test_stopping_leaves_the_original(file: Path) -> None:
    overlapping(file, 1_500)
    before = content(file)
    for allowed in (0, 1, 3, 5, 7):
        left = [allowed]

        def go_on(_done: int, _total: int, left: list[int] = left) -> bool:
            left[0] -= 1
            return left[0] >= 0

        with pytest.raises(Stopped):
            adopt(file, clock, go_on)
        assert content(file) == before and beside(file) == {"memory.db"}
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def ancient(path: Path, count: int) -> None:
    """A file from before the columns of time, with `count` memories."""
    rows = ({"id": f"m{k}", "agent_id": f"agent{k % 3}", "content": f"note {k}", "timestamp": on(1 + k % 28)}
            for k in range(count))  # fmt: skip
    seed_file(path, *rows, columns=OLD)


def stamped(path: Path, *pragmas: str) -> None:
    overlapping(path, 100)
    with closing(sqlite3.connect(path)) as connection:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")


@pytest.mark.parametrize(
    ("pragma", "said"),
    [
        ("user_version = -3", "stamped 0, version -3"),
        ("user_version = 7", "stamped 0, version 7"),
        ("application_id = 252006675", "stamped 252006675, version 0"),
    ],
)
def test_c41_a_file_with_a_stamp_nobody_knows_is_refused(file: Path, pragma: str, said: str) -> None:
    stamped(file, pragma)
    before = file.read_bytes()
    for act in (adopt, lambda path, _clock: open_engine(path, clock)):
        with pytest.raises(StoreUnusable) as caught:
            act(file, clock)
        assert said in caught.value.detail and "restore duduclaw" in caught.value.hint
    assert file.read_bytes() == before and beside(file) == {"memory.db"}


def test_c41_a_stamp_of_text_is_none_to_sqlite_and_the_file_is_adopted(file: Path) -> None:
    stamped(file, "user_version = 'seven'")
    assert adopt(file, clock).memories == 100


def test_c41_a_store_of_ours_with_a_negative_version_is_refused(file: Path) -> None:
    with open_engine(file, clock):
        pass
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = -1")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = file.read_bytes()
    for act in (adopt, lambda path, _clock: open_engine(path, clock)):
        with pytest.raises(StoreUnusable, match="odd version"):
            act(file, clock)
    assert file.read_bytes() == before and beside(file) == {"memory.db"}


def test_c41_a_file_from_before_the_columns_of_time_has_the_defaults(file: Path) -> None:
    ancient(file, 1_000)
    report = adopt(file, clock)
    assert (report.columns, report.memories, report.changed_keys) == (11, 1_000, 0)
    with open_engine(file, clock) as engine:
        found = engine.get_by_ids("agent0", ["m0"]).memories[0]
        assert (found.confidence, found.importance, found.layer) == (1.0, 5.0, "episodic")
        assert engine.verify().ok


def test_c17_memories_without_an_owner_are_nobodys_until_given(file: Path) -> None:
    loose = OLD.replace("agent_id TEXT NOT NULL", "agent_id TEXT") + NEW
    told = [{**fact(f"x{k}", "Rome", 3 + k), "agent_id": owner, "subject": f"s{k}"}
            for k, owner in enumerate((None, "", "  "))]  # fmt: skip
    seed_file(file, fact("m", "Oslo", 1, agent_id="main"), *told, columns=loose)
    with pytest.raises(Refused) as caught:
        preview_adoption(file, clock)
    assert "3 of them belong to no agent" in caught.value.detail
    assert preview_adoption(file, clock, owner="lost").ownerless == 3
    adopt(file, clock, owner="lost")
    with open_engine(file, clock) as engine:
        assert [memory.id for memory in engine.list_recent("main", limit=100)] == ["m"]
        assert {memory.id for memory in engine.list_recent("lost", limit=100)} == {"x0", "x1", "x2"}
        assert "3 without an owner given to lost" in engine.journal()[0].reason
        assert engine.verify().ok


def test_a_first_reading_beyond_its_memory_goes_to_a_file_and_is_the_same(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    overlapping(file, 2_000)
    source = shutil.copyfile(file, file.with_name("source.db"))
    monkeypatch.setattr("memstation.exchange.overflow.CACHE_KIB", 16)
    adopt(file, clock)
    monkeypatch.undo()
    check_equals_a_restore(file, source)


def unreadable(path: Path) -> None:
    seed_file(path, {**fact("a", "Oslo", 1), "timestamp": "yesterday", "valid_from": None})


def newer(path: Path) -> None:
    with open_engine(path, clock):
        pass
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")


def damaged(path: Path) -> None:
    overlapping(path, 500)
    raw = bytearray(path.read_bytes())
    raw[8192:20480] = random.Random(1).randbytes(12288)
    path.write_bytes(raw)


@pytest.mark.parametrize("make", [unreadable, newer, foreign, damaged, lambda path: path.write_text("dear diary")])
def test_what_cannot_be_adopted_is_not_touched(file: Path, make: object) -> None:
    make(file)  # type: ignore[operator]
    before = file.read_bytes()
    with pytest.raises((StoreUnusable, InvalidInput)):
        adopt(file, clock)
    # SQLite counts the two changes of journal mode in bytes 24 to 27 and 92 to 95 of the header.
    now = file.read_bytes()
    assert [now[:24], now[28:92], now[96:]] == [before[:24], before[28:92], before[96:]]
    assert beside(file) == {"memory.db"}


def test_a_disk_that_fills_up_leaves_the_original(file: Path) -> None:
    overlapping(file, 3_000)
    before = content(file)
    size = file.stat().st_size
    for most in (size // 2, size + 200_000):
        env = {**os.environ, "MEMSTATION_HOME": str(file.parent / "home")}
        ran = subprocess.run(
            [*PROGRAM, "adopt", str(file), "--yes"], env=env, capture_output=True, text=True, timeout=120,
            preexec_fn=lambda most=most: (  # type: ignore[misc]
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
            ),
        )  # fmt: skip
        assert ran.returncode == 1 and "Traceback" not in ran.stderr, ran.stderr
        assert content(file) == before and beside(file) == {"memory.db"}


def test_a_folder_that_cannot_be_written(file: Path) -> None:
    if os.geteuid() == 0:
        # Root writes anywhere; a folder in the place of the copy's first name refuses it too.
        blocked = file.with_name("memory.db.before-memstation.part")
        blocked.mkdir()
    shutil.copyfile(DATA / "duduclaw.sqlite", file)
    before = content(file)
    if os.geteuid() != 0:
        file.parent.chmod(0o500)
    try:
        with pytest.raises(MemstationError):
            adopt(file, clock)
    finally:
        file.parent.chmod(0o700)
    assert content(file) == before


@pytest.mark.parametrize("columns", [29, 11])
def test_six_processes_at_once_adopt_once(file: Path, columns: int) -> None:
    if columns == 29:
        overlapping(file, 200)
    else:
        ancient(file, 1_000)
    source = shutil.copyfile(file, file.with_name("source.db"))
    command = [*PROGRAM, "adopt", str(file), "--yes"]
    env = {**os.environ, "MEMSTATION_HOME": str(file.parent / "home")}
    runs = [subprocess.Popen(command, env=env, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) for _ in range(6)]
    ended = [(run.communicate(timeout=120)[1].decode(), run.returncode) for run in runs]
    assert sorted(code for _, code in ended) == [0, 1, 1, 1, 1, 1], ended
    assert all("a memstation store already" in err or "is busy" in err for err, code in ended if code), ended
    assert len(list(file.parent.glob("*.before-memstation*.db"))) == 1
    check_equals_a_restore(file, source)


def kill_at_random(file: Path, runs: int, seed: int) -> None:
    pick = random.Random(seed)
    original = overlapping(file.with_name("source.db"), 1_000)
    told = content(original)
    env = {**os.environ, "MEMSTATION_HOME": str(file.parent / "home")}
    command = [*PROGRAM, "adopt", str(file), "--yes"]
    finished = 0
    for _ in range(runs):
        for item in file.parent.glob("memory.db*"):
            item.unlink()
        shutil.copyfile(original, file)
        begun = threading.Event()
        run = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while run.poll() is None and not begun.is_set():
            if file.with_name("memory.db.before-memstation.part").exists() or copy_of(file).exists():
                begun.set()
        time.sleep(pick.random() * 1.2)
        run.kill()
        run.wait()
        with closing(sqlite3.connect(file)) as connection:
            ours = connection.execute("PRAGMA application_id").fetchone()[0] != 0
        if not ours:
            assert content(file) == told
            again = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)
            assert again.returncode == 0, again.stderr
        finished += ours
        assert content(copy_of(file)) == told and len(list(file.parent.glob("memory.db*before-memstation*.db"))) == 1
        file.with_name("fresh.db").unlink(missing_ok=True)
        check_equals_a_restore(file, original)
    assert finished < runs


def test_killed_at_any_moment_it_is_untouched_or_whole(file: Path) -> None:
    kill_at_random(file, 5, 1)


@pytest.mark.slow
def test_killed_twenty_times(file: Path) -> None:
    kill_at_random(file, 20, 2)


def test_an_erasure_reaches_the_copy_and_the_report(file: Path) -> None:
    """What a store was adopted from says nothing about the person any more, nor what was said of the adoption."""
    overlapping(file, 400)
    report = adopt(file, clock)
    lines = Path(report.report).read_text(encoding="utf-8").splitlines()
    told = json.loads(lines[0])
    agent, subject = told["agent_id"], told["subject"]
    with open_engine(file, clock) as engine:
        phrase = engine.preview_forget(agent, subject).phrase
        done = engine.forget(agent, subject, phrase=phrase)
        assert done.copy == "cleaned" and done.is_scrubbed and engine.verify().ok
    left = [json.loads(line) for line in Path(report.report).read_text(encoding="utf-8").splitlines()]
    assert left == [
        answer for answer in map(json.loads, lines) if (answer["agent_id"], answer["subject"]) != (agent, subject)
    ]
    assert 0 < len(left) < len(lines)
    with closing(sqlite3.connect(report.copy)) as copy:
        asked = (agent, subject)
        assert copy.execute("SELECT count(*) FROM memories WHERE agent_id = ? AND subject = ?", asked).fetchone() == (
            0,
        )
        assert copy.execute("SELECT count(*) FROM memories").fetchone()[0] > 300
