"""What must be true of an engine after a history of decisions; each check raises AssertionError otherwise."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memstation.domain.decisions import Decision

from engine_histories import Author, Dice
from engine_oracle import History, Row

START = datetime(2026, 1, 5, tzinfo=UTC)
"""In the middle of the days that histories speak about, so that some facts are scheduled."""


@dataclass
class Present:
    """A clock that shows `now` until it is set."""

    now: datetime = START

    def __call__(self) -> datetime:
        return self.now


@dataclass
class Store:
    """An open engine, the file it keeps, its clock, and the history that it was told."""

    engine: Any
    path: Path
    clock: Present
    history: History = field(default_factory=History)

    def tell(self, decision: Decision) -> Any:
        applied = self.engine.apply(decision)
        self.history.tell(applied.seq, applied.at, decision)
        return applied

    def tell_random(self, dice: Dice, steps: int) -> Iterator[tuple[Decision, Any]]:
        """Tell decision after decision, and give each with what was applied."""
        author = Author(dice, self.history)
        for _ in range(steps):
            decision = author.decision()
            self.clock.now += timedelta(minutes=dice.below(3))
            yield decision, self.tell(decision)


@contextmanager
def new_store(folder: Path | str | None = None) -> Iterator[Store]:
    """A store in a folder of its own (made in memory-backed /tmp where the system has that)."""
    from memstation import open_engine

    with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as own:
        path, clock = Path(own) / "store.db", Present()
        with open_engine(path, clock=clock) as engine:
            yield Store(engine, path, clock)


def stored_rows(path: Path) -> dict[str, Row]:
    """The rows of the file whose decision stands, as another program reads them."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        found = connection.execute(
            """SELECT id, role, valid_from, valid_until, origin_trust, supersedes, superseded_by,
                      invalidated_by_event, invalidated_at, quarantined, seq
               FROM memories WHERE role <> 'end' ORDER BY n"""
        ).fetchall()
    return {row[0]: Row(*row[:10]) for row in found}


def check_rows(store: Store) -> None:
    """Every row says what the oracle lays out: role, window, links, trust and stamps."""
    expected = store.history.belief().rows()
    found = stored_rows(store.path)
    for told, row in found.items():
        if told in expected:
            assert row == expected[told], f"{told}\n  is        {row}\n  should be {expected[told]}"
        else:
            assert row.role == "withdrawn" and row.valid_until == row.valid_from, f"taken back, but {row}"
    assert expected.keys() <= found.keys()


def check_retold(store: Store) -> None:
    """The state is that of a new store which is told only what stands."""
    with new_store(store.path.parent) as fresh:
        for at, decision in store.history.retold():
            fresh.clock.now = at
            fresh.tell(decision)
        fresh.clock.now = store.clock.now
        assert fresh.engine.state_digest() == store.engine.state_digest()


def check_verified(store: Store) -> None:
    report = store.engine.verify()
    assert report.ok, report.problems
    assert report.entries == len(store.history.decisions)


def check_all(store: Store) -> None:
    check_rows(store)
    check_retold(store)
    check_verified(store)


def check_history(dice: Dice, steps: int, every: int | None = None) -> None:
    """Tell a random history, and check at its end, and after every so many decisions."""
    with new_store() as store:
        for step, _ in enumerate(store.tell_random(dice, steps), 1):
            if every and step % every == 0:
                check_rows(store)
        check_all(store)
