"""A store with every kind of row, and edits of its file as somebody makes them who knows SQLite well."""

from __future__ import annotations

import itertools
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memstation import open_engine
from memstation.domain.decisions import Claim, Decision, Event, Mark, Order
from memstation.domain.errors import MemstationError
from memstation.store.schema import metadata

from embedder_fakes import Letters
from engine_facts import saying, tell

NOW = datetime(2026, 9, 1, tzinfo=UTC)


def fill(path: Path) -> None:
    """Chains, evidence, an end, held and withdrawn facts, orders, sources, undos and an undo of one."""
    moments = (NOW + timedelta(minutes=n) for n in range(1_000_000))
    made = iter(range(1, 1000))
    with open_engine(path, clock=lambda: next(moments), make_id=lambda *_: f"m_{next(made):04d}") as engine:
        engine.store_many([saying("Nara", "2026-01-01", tags=("a", "b")), saying("Osaka", "2026-02-01")])
        osaka = tell(engine, "Osaka", "2026-03-01", origin="channel:x", metadata={"k": [1, None]})
        tell(engine, "Kyoto", "2026-04-01", derived_from=("m_0001", osaka.id, "unknown"), until="2026-08-01")
        lie = tell(engine, "Atlantis", "2026-05-01", origin="channel:x")
        engine.retract(lie.id, reason="made up")
        engine.undo(5)
        engine.undo(6)
        note = tell(engine, None, subject=None, predicate=None, content="a note on 台北", agent="bo")
        engine.end(note.id, NOW + timedelta(days=1))
        tell(engine, "zh", "2026-01-01", predicate="speaks", agent="bo")
        tell(engine, "en", "2026-02-01", predicate="speaks", agent="bo")
        engine.set_predicate("bo", "speaks", "many")
        engine.set_predicate("bo", "speaks", "one")
        wrong = engine.set_predicate("bo", "speaks", "many")
        engine.undo(wrong.seq)
        held = Claim(
            "held", "ada", "a mood", "2026-01-01T00:00:00.000000+00:00", None, 0.3, "user", "mood", "bad", "channel:y",
            access_count=3, last_accessed="2026-08-01T00:00:00.000000+00:00", embedding=b"\0\1", embedding_model="m",
        )  # fmt: skip
        seen = (
            Event("knowledge.quarantined", "ada", "channel:y", '{"reason": "burst"}', "held"),
            Event("prompt_injection", "ada", None, '{"digest": "00"}'),
        )
        engine.apply(Decision("store", "gate", (held, Mark("held", "held", "burst", 60.0), *seen), "ada"))
        engine.apply(
            Decision("correct", "operator", (Mark("m_0002", "trust", value=0.5), Mark("m_0001", "cap", "t", 0.4)))
        )
        engine.apply(Decision("predicate", "operator", (Order("origin_trust", "set", "ada", value="x", number=0.2),)))
        engine.count_reads("ada", [osaka.id])
        tell(engine, "Bergen", "2026-01-01", subject="mira", agent="cy")
        told = tell(engine, "Oslo", "2026-02-01", subject="mira", agent="cy")
        engine.retract(told.id, reason="mira moved")
        engine.forget("cy", "mira", phrase=engine.preview_forget("cy", "mira").phrase)
        engine.embedder = Letters(dimension=4)
        engine.embed_missing("ada")
        assert engine.verify().ok


_COUNT = itertools.count()


def copied(store: Path) -> Path:
    """A copy of its own, in the same folder; the last one goes."""
    for old in store.parent.glob("copy*"):
        old.unlink()
    return Path(shutil.copy(store, store.with_name(f"copy{next(_COUNT)}.db")))


@contextmanager
def at_rest(path: Path) -> Iterator[sqlite3.Connection]:
    """Edit a closed file without the triggers; they stand there again afterwards as if nothing had been."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        connection.execute("BEGIN")
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        yield connection
        for _, sql in triggers:
            connection.execute(sql)
        connection.execute("COMMIT")


@contextmanager
def loosened(path: Path, table: str) -> Iterator[sqlite3.Connection]:
    """The same, with a table that takes NULL anywhere meanwhile."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        strict = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
        _declare_as(connection, table, strict.replace(" NOT NULL", ""))
    with at_rest(path) as connection:
        yield connection
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        _declare_as(connection, table, strict)


def _declare_as(connection: sqlite3.Connection, name: str, sql: str) -> None:
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (sql, name))
    connection.execute("PRAGMA writable_schema = RESET")


def problems(path: Path) -> tuple[str, ...]:
    """What verify says of a file; or why it is refused."""
    try:
        with open_engine(path) as engine:
            return tuple(engine.verify().problems)
    except MemstationError as error:
        return (f"{type(error).__name__}: {error}",)


def keys(table: str) -> str:
    return ", ".join(column.name for column in metadata.tables[table].primary_key)


def where(table: str, row: dict[str, Any]) -> tuple[str, list[Any]]:
    """What is true of a row and no other."""
    named = [column.name for column in metadata.tables[table].primary_key]
    return " AND ".join(f"{name} = ?" for name in named), [row[name] for name in named]


def rows_of(path: Path, table: str) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2")]
