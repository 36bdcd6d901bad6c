"""Every statement of every verb's write fails once: nothing is half written, and the same engine goes on.

The connection is real; only its k-th `execute` raises, as SQLite would for a bad sector, a full disk or a lock.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from memstation import open_engine
from memstation.domain.decisions import Claim, Decision, Mark, Order
from memstation.domain.errors import Busy, MemstationError, StoreUnusable
from memstation.exchange.jsonfile import JsonFile
from memstation.exchange.restoring import restore
from memstation.store import database

from engine_facts import saying, tell

FAULTS = {
    "SQLITE_IOERR_WRITE": (sqlite3.SQLITE_IOERR_WRITE, "disk I/O error", StoreUnusable),
    "SQLITE_FULL": (sqlite3.SQLITE_FULL, "database or disk is full", StoreUnusable),
    "SQLITE_BUSY": (sqlite3.SQLITE_BUSY, "database is locked", Busy),
}


class Fault:
    """Counts statements down to the one that fails; `rolls_back` as SQLite itself does after some errors."""

    def __init__(self) -> None:
        self.left: int | None = None
        self.name = "SQLITE_FULL"
        self.rolls_back = False

    def step(self, connection: sqlite3.Connection) -> None:
        if self.left is None:
            return
        self.left -= 1
        if self.left == 0:
            self.left = None
            if self.rolls_back:
                sqlite3.Connection.rollback(connection)
            code, text, _ = FAULTS[self.name]
            error = sqlite3.OperationalError(text)
            error.sqlite_errorcode, error.sqlite_errorname = code, self.name
            raise error


FAULT = Fault()


class FaultyCursor(sqlite3.Cursor):
    def execute(self, *args: Any) -> Any:
        FAULT.step(self.connection)
        return super().execute(*args)

    def executemany(self, *args: Any) -> Any:
        FAULT.step(self.connection)
        return super().executemany(*args)


class FaultyConnection(sqlite3.Connection):
    rollback_fails = False

    def cursor(self, *_: Any) -> Any:
        return FaultyCursor(self)

    def rollback(self) -> None:
        if self.rollback_fails:
            raise sqlite3.OperationalError("disk I/O error")
        super().rollback()


@pytest.fixture
def burning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make_engine: Any) -> Any:
    """An engine whose writer can fail; readers cannot."""
    real = sqlite3.connect

    def connect(target: str, **options: Any) -> sqlite3.Connection:
        if "mode=rw" in target:
            options["factory"] = FaultyConnection
        return real(target, **options)

    class Module:
        """sqlite3 with a writer that can fail."""

        def __getattr__(self, name: str) -> Any:
            return connect if name == "connect" else getattr(sqlite3, name)

    monkeypatch.setattr(database, "sqlite3", Module())
    # A lock that is held only once would be waited for, and taken: here the first question is the last.
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.0)
    FAULT.left = None
    engine = make_engine()
    fill(engine)
    yield engine
    FAULT.left = None


def fill(engine: Any) -> None:
    tell(engine, "Nara", "2026-01-01", id="nara")
    tell(engine, "Osaka", "2026-03-01", id="osaka")
    tell(engine, "Nara", "2026-02-01", id="again", origin="import:x")
    tell(engine, "English", "2026-01-01", predicate="speaks")
    tell(engine, "German", "2026-02-01", predicate="speaks")


def restored(engine: Any) -> None:
    path = engine.path.with_name("in.jsonl")
    lines = [{"kind": "memstation", "format": 1}]
    lines += [{"kind": "claim", "id": f"r{k}", "agent_id": "ada", "content": f"line {k}"} for k in range(3)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    restore(engine.ledger, JsonFile(path))


def held(engine: Any) -> None:
    claim = Claim("held", "ada", "held", subject="user", predicate="city", object="Kobe")
    engine.apply(Decision("store", "agent", (claim, Mark("held", "held", "burst")), "ada"))


def joined(engine: Any) -> None:
    engine.apply(Decision("store", "operator", (Order("alias", "joined", "ada", "the user", value="user"),)))


VERBS: dict[str, Callable[[Any], object]] = {
    "store_temporal": lambda engine: tell(engine, "Kyoto", "2026-02-15", id="kyoto"),
    "confirm": lambda engine: tell(engine, "Osaka", "2026-04-01", id="more", origin="import:y"),
    "store_many": lambda engine: engine.store_many([saying(f"v{k}", f"2026-0{k}-05") for k in range(1, 6)]),
    "retract": lambda engine: engine.retract("osaka"),
    "end": lambda engine: engine.end("osaka", "2026-08-01"),
    "correct_value": lambda engine: engine.correct_value("nara", object="Uji"),
    "set_predicate": lambda engine: engine.set_predicate("ada", "speaks", "many"),
    "undo": lambda engine: engine.undo(2),
    "expire_by_subject": lambda engine: engine.expire_by_subject("ada", "user", reason="gone"),
    "hold": held,
    "alias": joined,
    "join": lambda engine: engine.add_alias("ada", "user", "the user"),
    "restore_jsonl": restored,
    "reindex": lambda engine: engine.reindex(),
}


def rows(path: Path) -> list[str]:
    """Everything that is written in the file."""
    with closing(sqlite3.connect(path)) as connection:
        return [line for line in connection.iterdump() if "memories_text_" not in line]


def fail_at(engine: Any, verb: Callable[[Any], object], step: int) -> MemstationError | None:
    """Do it while its `step`-th statement fails; None when it has fewer."""
    FAULT.left = step
    try:
        verb(engine)
    except MemstationError as error:
        return error
    assert FAULT.left is not None, "it failed and went on as if nothing were"
    FAULT.left = None
    return None


@pytest.mark.parametrize("rolls_back", [False, True], ids=["open", "rolled back"])
@pytest.mark.parametrize("name", VERBS)
def test_no_verb_is_half_done_wherever_it_fails(burning: Any, name: str, rolls_back: bool) -> None:
    verb = VERBS[name]
    before, digest = rows(burning.path), burning.state_digest()
    wanted = burning.preview_undo(1).digest
    kinds = list(FAULTS)
    FAULT.rolls_back = rolls_back
    for step in range(1, 200):
        FAULT.name = kinds[step % len(kinds)]
        # Before BEGIN there is nothing that SQLite could have rolled back; that does no harm either.
        error = fail_at(burning, verb, step)
        if error is None:
            break
        assert isinstance(error, FAULTS[FAULT.name][2]), error
        assert rows(burning.path) == before, f"statement {step} failed and left something"
        assert burning.state_digest() == digest
        assert burning.preview_undo(1).digest == wanted
    else:
        raise AssertionError("it never came to its end")
    assert step > 3, "the verb wrote nothing that could fail"
    assert burning.verify().ok
    assert tell(burning, "last", "2026-08-20", id="last").id == "last"
    assert burning.verify().ok


def test_a_rollback_that_fails_costs_the_connection_and_not_the_engine(burning: Any) -> None:
    before = rows(burning.path)
    burning._database._writer.rollback_fails = True
    error = fail_at(burning, VERBS["store_temporal"], 6)
    assert isinstance(error, MemstationError)
    assert rows(burning.path) == before
    assert tell(burning, "Kyoto", "2026-02-15", id="kyoto").id == "kyoto"
    assert burning.verify().ok


def test_a_full_disk_is_said_and_nothing_is_written(engine: Any) -> None:
    """SQLite's own full file: it rolls the transaction back by itself, or leaves it open, as it sees fit."""
    fill(engine)
    told = [entry.seq for entry in engine.journal()]
    writer = engine._database._writer
    pages = writer.execute("PRAGMA page_count").fetchone()[0]
    writer.execute(f"PRAGMA max_page_count = {pages}")
    for size in (5_000, 15_000, 15_999):
        with pytest.raises(StoreUnusable, match="full"):
            for number in range(60):
                tell(engine, f"{size} {number}", "2026-05-01", content="x" * size, predicate=f"p{number}")
                told.append(len(told) + 1)
        assert [entry.seq for entry in engine.journal(limit=1000)] == told
        assert engine.verify().ok
    writer.execute("PRAGMA max_page_count = 1073741823")
    tell(engine, "room again", "2026-05-02")
    assert [entry.seq for entry in engine.journal(limit=1000)] == [*told, len(told) + 1]
    assert engine.verify().ok


def test_a_writer_that_cannot_be_set_up_is_not_kept(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half set up it would commit without the promise that what was acknowledged is on the disk."""
    monkeypatch.setattr(database, "_CHECKPOINT_PAGES", "no number; no pragma")
    with pytest.raises(MemstationError):
        tell(engine, "Nara", "2026-01-01")
    monkeypatch.undo()
    tell(engine, "Nara", "2026-01-01")
    writer = engine._database._writer
    assert writer.execute("PRAGMA synchronous").fetchone() == (2,)
    assert writer.execute("PRAGMA wal_autocheckpoint").fetchone() == (database._CHECKPOINT_PAGES,)


def test_a_fork_does_not_go_on_with_its_parents_store(store_path: Path) -> None:
    """SQLite's locks are the process's: a child that wrote through the inherited connection would damage the file."""
    import os

    with open_engine(store_path) as engine:
        tell(engine, "Nara", "2026-01-01")
        receive, send = os.pipe()
        child = os.fork()
        if child == 0:
            told = []
            for call in (lambda: tell(engine, "Kobe"), engine.state_digest, engine.reader.stamp):
                try:
                    call()
                    told.append("it went on")
                except BaseException as error:
                    told.append(f"{type(error).__name__}: {error}")
            engine.close()
            os.write(send, "\n".join(told).encode())
            os._exit(0)
        os.close(send)
        with os.fdopen(receive) as answers:
            lines = answers.read().splitlines()
        os.waitpid(child, 0)
        assert len(lines) == 3 and all("was opened by another process" in line for line in lines), lines
        tell(engine, "Osaka", "2026-02-01")
        assert engine.verify().ok
