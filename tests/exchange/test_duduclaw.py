"""Restoring the seed system's file: whole, by column name, with nothing lost silently, and the file untouched."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from exchange_stores import Shelf, claim, open_shelf
from memstation.domain.errors import InvalidInput, MemstationError, NotFound, Refused
from memstation.exchange.adopting import restore_duduclaw
from seed_files import NEW, OLD, closed, fact, gone, on, seed_file

DATA = Path(__file__).parent.parent / "data"
SAMPLE, ELEVEN = DATA / "duduclaw.sqlite", DATA / "duduclaw_11_columns.sqlite"


@pytest.fixture
def shelf(tmp_path: Path) -> Any:
    with open_shelf(tmp_path / "store.db") as opened:
        yield opened


@pytest.fixture
def seed(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def roles(shelf: Shelf) -> dict[str, str]:
    return dict(shelf.rows("SELECT id, role FROM memories ORDER BY n"))


def holding(shelf: Shelf, day: int) -> str | None:
    """The city that holds on a day of March 2026."""
    at = f"2026-03-{day:02}T12:00:00.000000+00:00"
    sql = """SELECT object FROM memories WHERE role = 'fact' AND predicate = 'city'
        AND valid_from <= ? AND (valid_until IS NULL OR valid_until > ?)"""
    found = shelf.rows(sql, at, at)
    assert len(found) <= 1
    return found[0][0] if found else None


def fingerprint(folder: Path) -> dict[str, tuple[str, int]]:
    return {
        file.name: (hashlib.sha256(file.read_bytes()).hexdigest(), file.stat().st_mtime_ns)
        for file in folder.iterdir()
        if file.is_file() and not file.name.startswith("store.db")
    }


# -- the sample, written by that system itself ----------------------------------------------------------------------


def test_the_sample_is_restored_whole(shelf: Shelf) -> None:
    before = SAMPLE.read_bytes()
    report = restore_duduclaw(shelf.ledger, SAMPLE)
    assert (report.told, report.skipped, report.left_out) == (24, 0, ())
    assert (report.same_links, report.other_links) == (5, ())
    found = roles(shelf)
    assert sum(role == "fact" for role in found.values()) == 20
    assert sum(role == "confirms" for role in found.values()) == 2
    assert shelf.rows("SELECT subject, value, verdict FROM orders ORDER BY k") == [
        ("老闆", "李老闆", "joined"), ("cf workers", "cloudflare workers", "joined")
    ]  # fmt: skip
    assert shelf.rows(
        "SELECT object FROM memories WHERE subject = 'user:alice' AND predicate = 'prefers' AND role = 'fact'"
        " ORDER BY valid_from"
    ) == [("tea",), ("coffee",), ("oolong",)]
    assert shelf.rows("SELECT origin, origin_trust, ingested_at FROM memories WHERE id = 'legacy-1'") == [
        (None, 1.0, "2026-11-30T00:09:15.000000+00:00")
    ]
    shelf.check()
    assert SAMPLE.read_bytes() == before
    assert not list(DATA.glob("*-wal")) and not list(DATA.glob("*-shm"))


def test_the_sample_twice_adds_nothing(shelf: Shelf) -> None:
    restore_duduclaw(shelf.ledger, SAMPLE)
    digest = shelf.digest()
    report = restore_duduclaw(shelf.ledger, SAMPLE)
    assert (report.told, report.skipped, report.parts) == (0, 24, ())
    assert shelf.digest() == digest


def test_eleven_columns_then_the_same_file_after_its_upgrade(shelf: Shelf) -> None:
    assert restore_duduclaw(shelf.ledger, ELEVEN).told == 2
    report = restore_duduclaw(shelf.ledger, SAMPLE)
    assert (report.told, report.skipped) == (22, 2)


def test_the_sample_survives_an_export(shelf: Shelf, tmp_path: Path) -> None:
    restore_duduclaw(shelf.ledger, SAMPLE)
    with open_shelf(tmp_path / "other.db") as other:
        other.restore(shelf.export(tmp_path / "x.jsonl"))
        assert other.digest() == shelf.digest()


@pytest.mark.parametrize("added", range(NEW.count(",") + 1))
def test_any_number_of_columns_between_is_read(shelf: Shelf, seed: Path, added: int) -> None:
    columns = OLD + ",".join(NEW.split(",")[: added + 1]) if added else OLD
    row = {"id": "a", "agent_id": "agnes", "content": "x", "timestamp": on(1), "tags": '["t"]', "importance": 7}
    restore_duduclaw(shelf.ledger, seed_file(seed, row, columns=columns))
    assert shelf.rows("SELECT tags, importance, asserted_from FROM memories") == [
        ('["t"]', 7.0, "2026-03-01T00:00:00.000000+00:00")
    ]


# -- windows --------------------------------------------------------------------------------------------------------


def test_an_end_that_came_from_a_successor_is_not_stated(shelf: Shelf, seed: Path) -> None:
    seed_file(seed, fact("a", "Oslo", 1, **closed("b", 5)), fact("b", "Bern", 5, supersedes="a"))
    report = restore_duduclaw(shelf.ledger, seed)
    assert shelf.rows("SELECT asserted_until, valid_until FROM memories WHERE id = 'a'") == [
        (None, "2026-03-05T00:00:00.000000+00:00")
    ]
    assert report.same_links == 1
    shelf.tell(claim("z", "none", predicate="other"))


def test_an_end_without_a_successor_is_stated_and_its_event_kept(shelf: Shelf, seed: Path) -> None:
    seed_file(seed, fact("a", "Oslo", 1, **gone(9, "auto_page_removed")), fact("b", "Bern", 20, valid_until=on(25)))
    restore_duduclaw(shelf.ledger, seed)
    assert [holding(shelf, day) for day in (2, 8, 9, 21, 25)] == ["Oslo", "Oslo", None, "Bern", None]
    assert shelf.rows("SELECT metadata FROM memories WHERE id = 'a'") == [
        ('{"invalidated_by_event": "auto_page_removed"}',)
    ]


def test_a_purge_is_a_mark_and_gives_back_what_it_displaced(shelf: Shelf, seed: Path) -> None:
    seed_file(seed, fact("a", "Oslo", 1, **closed("b", 5)), fact("b", "Lie", 5, **gone(9, "origin_purge")))
    report = restore_duduclaw(shelf.ledger, seed)
    assert roles(shelf) == {"a": "fact", "b": "withdrawn"}
    assert holding(shelf, 6) == "Oslo"
    assert shelf.rows("SELECT kind, reason, at FROM marks") == [
        ("withdrawn", "origin_purge", "2026-03-09T00:00:00.000000+00:00")
    ]
    assert report.other_links == (("a", "b", None),)


def test_what_waits_is_held_and_what_was_rejected_is_denied(shelf: Shelf, seed: Path) -> None:
    """E1 to E3: a held memory takes no part, whatever that system did around it."""
    seed_file(
        seed,
        fact("held", "Lima", 2, quarantined=1),
        fact("closed", "Rome", 3, quarantined=1, **closed("clean", 4)),
        fact("clean", "Bern", 4),
        fact("no", "Evil", 6, quarantined=1, **gone(7, "quarantine_reject")),
        fact("loose", "Nice", 6, predicate="mood", **gone(7, "quarantine_reject")),
    )
    restore_duduclaw(shelf.ledger, seed)
    assert roles(shelf) == {
        "held": "held", "closed": "held", "clean": "fact", "no": "withdrawn", "loose": "withdrawn"
    }  # fmt: skip
    assert sorted(shelf.rows("SELECT kind, reason FROM marks")) == [
        ("denied", "quarantine_reject"), ("held", "restored"), ("held", "restored"), ("held", "restored"),
        ("withdrawn", "quarantine_reject"),
    ]  # fmt: skip
    assert holding(shelf, 20) == "Bern"
    assert shelf.rows("SELECT origin_trust FROM memories WHERE id = 'no'") == [(0.1,)]


@pytest.mark.parametrize(
    "stamps", [{"valid_until": on(5)}, {"valid_until": on(3)}, closed("b", 3), gone(5, "some_event")]
)
def test_a_window_that_holds_at_no_instant_takes_no_part(shelf: Shelf, seed: Path, stamps: dict[str, Any]) -> None:
    """E4: a later write closed a fact that had not begun."""
    seed_file(seed, fact("a", "Never", 5, **{"ingested_at": on(1), **stamps}), fact("b", "Bern", 3))
    restore_duduclaw(shelf.ledger, seed)
    assert roles(shelf) == {"a": "withdrawn", "b": "fact"}
    assert shelf.rows("SELECT reason FROM marks") == [("holds at no instant",)]
    assert holding(shelf, 20) == "Bern"


def test_overlaps_are_laid_out_again_and_told(shelf: Shelf, seed: Path) -> None:
    """E7 and the back-dated write: that system shows two values, a walk shows one."""
    seed_file(
        seed,
        fact("a", "Oslo", 1, valid_until=on(20)),
        fact("b", "Bern", 10),
    )
    report = restore_duduclaw(shelf.ledger, seed)
    assert [holding(shelf, day) for day in (5, 12, 25)] == ["Oslo", "Bern", "Bern"]
    assert report.other_links == (("a", None, "b"),)


def test_nanoseconds_are_cut_and_the_order_of_learning_decides(shelf: Shelf, seed: Path) -> None:
    first, second = "2026-03-01T00:00:00.123456100+00:00", "2026-03-01T00:00:00.123456900+00:00"
    seed_file(
        seed,
        fact("b", "Bern", 1, valid_from=second, ingested_at=second),
        fact("a", "Oslo", 1, valid_from=first, ingested_at="2026-03-01T00:00:00.1+00:00", superseded_by="b",
             valid_until=second),
    )  # fmt: skip
    restore_duduclaw(shelf.ledger, seed)
    assert list(roles(shelf)) == ["a", "b"] and holding(shelf, 2) == "Bern"


def test_sql_times_are_utc_and_order_with_the_others(shelf: Shelf, seed: Path) -> None:
    """C03."""
    old = {"id": "old", "agent_id": "agnes", "content": "x", "timestamp": "2026-03-01T17:00:00Z",
           "created_at": "2026-03-01 17:00:00"}  # fmt: skip
    seed_file(seed, fact("new", "Bern", 1, ingested_at="2026-03-01T22:15:00+05:45"), old)
    restore_duduclaw(shelf.ledger, seed)
    assert list(roles(shelf)) == ["new", "old"]
    sql = "SELECT ingested_at, created_at, timestamp, asserted_from FROM memories WHERE id = 'old'"
    assert shelf.rows(sql) == [("2026-03-01T17:00:00.000000+00:00",) * 4]


# -- evidence -------------------------------------------------------------------------------------------------------


def again(*entries: Any, **more: Any) -> dict[str, Any]:
    return {"metadata": json.dumps({"reaffirmed_by": entries, **more})}


def test_evidence_becomes_confirming_claims(shelf: Shelf, seed: Path) -> None:
    entries = ({"origin": "user", "source_event": "profile"}, "bare", {"origin": "import", "source_event": ""})
    row = fact("a", "Oslo", 1, tags='["x"]', origin_trust=0.5, **again(*entries, kept=[1.0]), valid_until=on(9))
    restore_duduclaw(shelf.ledger, seed_file(seed, row))
    assert roles(shelf) == {
        "a": "fact", "a:confirms:1": "confirms", "a:confirms:2": "confirms", "a:confirms:3": "confirms"
    }  # fmt: skip
    assert shelf.rows("SELECT origin, source_event, asserted_trust FROM memories WHERE n > 1 ORDER BY n") == [
        ("user", "profile", 0.5), (None, "bare", 0.3), ("import", "", 0.5)
    ]  # fmt: skip
    assert shelf.rows("SELECT metadata FROM memories WHERE n = 1") == [('{"kept": [1.0]}',)]


@pytest.mark.parametrize("stamps", [{"quarantined": 1}, gone(5, "origin_purge"), gone(1, "x")])
def test_evidence_does_not_bring_back_what_is_out_of_use(shelf: Shelf, seed: Path, stamps: dict[str, Any]) -> None:
    restore_duduclaw(shelf.ledger, seed_file(seed, fact("a", "Lie", 1, **again("e1", "e2"), **stamps)))
    assert len(set(roles(shelf).values())) == 1 and holding(shelf, 20) is None


def test_a_purge_afterwards_falls_back_on_the_evidence(shelf: Shelf, seed: Path) -> None:
    seed_file(seed, fact("a", "Oslo", 1, **again({"origin": "import", "source_event": "x"})))
    restore_duduclaw(shelf.ledger, seed)
    from memstation.domain.decisions import Mark

    shelf.tell(Mark("a", "withdrawn", "origin_purge"))
    assert holding(shelf, 20) == "Oslo"


def test_a_note_keeps_its_evidence_in_the_metadata(shelf: Shelf, seed: Path) -> None:
    seed_file(seed, fact("a", "x", 1, subject=None, **again("e1")))
    restore_duduclaw(shelf.ledger, seed)
    assert shelf.rows("SELECT id, metadata FROM memories") == [("a", '{"reaffirmed_by": ["e1"]}')]


# -- what cannot be carried -----------------------------------------------------------------------------------------


def test_what_is_not_carried_is_counted(shelf: Shelf, seed: Path) -> None:
    rows = (
        fact("a", "x", 1, tags="not json", metadata="[1]", derived_from='{"a":1}', layer="odd", importance=12.0,
             origin_trust=-1.0),
        fact("b", "y", 2, **again(7)),
    )  # fmt: skip
    seed_file(seed, *rows)
    with closing(sqlite3.connect(seed)) as connection, connection:
        connection.execute("CREATE TABLE key_facts (id TEXT)")
        connection.execute("INSERT INTO key_facts VALUES ('k1'), ('k2')")
        connection.execute("CREATE TABLE memories_archive (id TEXT)")
    report = restore_duduclaw(shelf.ledger, seed)
    assert dict(report.left_out) == {
        "key_facts": 2,
        "derived_from kept as found": 1,
        "evidence entries that cannot be read": 1,
        "importance out of range, taken as the nearest": 1,
        "metadata kept as found": 1,
        "origin_trust out of range, taken as the nearest": 1,
        "tags kept as found": 1,
        "unknown layers, taken as episodic": 1,
    }
    (found,) = shelf.rows("SELECT tags, layer, importance, metadata FROM memories WHERE id = 'a'")
    assert found[:3] == ("[]", "episodic", 10.0)
    assert json.loads(found[3]) == {
        "as_found": {"metadata": "[1]", "tags": "not json", "derived_from": '{"a":1}'}
    }  # fmt: skip


@pytest.mark.parametrize(
    "broken",
    [
        {"timestamp": "long ago"}, {"valid_from": "soon"}, {"valid_until": 5}, {"content": b"\x00"}, {"id": ""},
        {"confidence": "high"}, {"ingested_at": "2026-13-01"}, {"subject": "x" * 3000},
    ],
)  # fmt: skip
def test_a_memory_that_cannot_be_read_refuses_the_file(shelf: Shelf, seed: Path, broken: dict[str, Any]) -> None:
    seed_file(seed, fact("good", "x", 1), fact("bad one", "y", 2) | broken)
    with pytest.raises(InvalidInput) as caught:
        restore_duduclaw(shelf.ledger, seed)
    assert repr(broken.get("id", "bad one")) in caught.value.title
    assert shelf.count() == 0


def test_broken_text_is_repaired_and_counted(shelf: Shelf, seed: Path) -> None:
    """C50."""
    seed_file(seed, fact("a", "x", 1), fact("b", "nul\0after", 2))
    with closing(sqlite3.connect(seed)) as connection, connection:
        connection.execute("UPDATE memories SET content = CAST(X'6869ff' AS TEXT) WHERE id = 'a'")
    report = restore_duduclaw(shelf.ledger, seed)
    assert report.repaired == 2
    assert shelf.rows("SELECT content, object FROM memories ORDER BY n") == [
        ("hi\ufffd", "x"), ("city: nul\ufffdafter", "nul\ufffdafter")
    ]  # fmt: skip


def test_derivation_embedding_and_uses_are_carried(shelf: Shelf, seed: Path) -> None:
    vector = bytes(range(8))
    row = fact("b", "x", 2, derived_from='["a", "gone"]', embedding=vector, embedding_model="ngram-hash-v1",
               access_count=9, last_accessed=on(5), confidence=0.6)  # fmt: skip
    restore_duduclaw(shelf.ledger, seed_file(seed, fact("a", "y", 1, predicate="p"), row))
    sql = "SELECT derived_from, embedding, embedding_model, access_count, last_accessed, confidence FROM memories"
    assert shelf.rows(sql + " WHERE id = 'b'") == [
        ('["a", "gone"]', vector, "ngram-hash-v1", 9, "2026-03-05T00:00:00.000000+00:00", 0.6)
    ]
    assert shelf.count("derived") == 1


# -- the file itself ------------------------------------------------------------------------------------------------


def test_rows_that_are_still_in_the_write_ahead_file_are_read(shelf: Shelf, seed: Path, tmp_path: Path) -> None:
    seed_file(seed, fact("a", "Oslo", 1))
    with closing(sqlite3.connect(seed, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("INSERT INTO memories (id, agent_id, content, timestamp) VALUES ('new', 'x', 'y', '2026-03-02')")
        assert (tmp_path / "memory.db-wal").stat().st_size
        before = fingerprint(tmp_path)
        assert restore_duduclaw(shelf.ledger, seed).told == 2
        assert fingerprint(tmp_path) == before
    assert "new" in roles(shelf)


def test_the_file_and_its_folder_are_not_touched(shelf: Shelf, seed: Path, tmp_path: Path) -> None:
    seed_file(seed, fact("a", "Oslo", 1))
    before = fingerprint(tmp_path)
    restore_duduclaw(shelf.ledger, seed)
    assert fingerprint(tmp_path) == before


@pytest.mark.parametrize("kind", ["missing", "folder", "text", "export", "empty", "other", "ours", "six columns"])
def test_other_files_are_refused(shelf: Shelf, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x"
    if kind == "folder":
        path.mkdir()
    elif kind == "text":
        path.write_text("hello")
    elif kind == "export":
        shelf.export(path)
    elif kind == "empty":
        path.touch()
    elif kind == "ours":
        path = shelf.path
    elif kind == "other":
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("CREATE TABLE bookmarks (id TEXT)")
    elif kind == "six columns":
        seed_file(path, columns="id TEXT, agent_id TEXT, content TEXT")
    with pytest.raises(MemstationError) as caught:
        restore_duduclaw(shelf.ledger, path)
    assert isinstance(caught.value, NotFound if kind == "missing" else InvalidInput)
    assert shelf.count() == 0


def test_a_memory_that_the_store_has_with_other_content_is_refused(shelf: Shelf, seed: Path) -> None:
    shelf.tell(claim("a", "other"))
    seed_file(seed, fact("a", "Oslo", 1), fact("b", "Bern", 2))
    with pytest.raises(Refused, match="'a'"):
        restore_duduclaw(shelf.ledger, seed)
    assert shelf.count() == 1
