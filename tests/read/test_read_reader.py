"""The Reader as a whole: stamps, threads, short reads, and failures in words."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from memstation.domain.errors import MemstationError
from memstation.read.log import LogQuery
from memstation.read.reader import Reader
from memstation.read.timeline import TimelineQuery
from memstation.store.ledger import Ledger
from memstation.store.opening import open_database
from read_stores import START, Store


def everything(reader: Reader) -> list[Any]:
    """One answer of every method."""
    listed, log = reader.timeline(TimelineQuery("dudu", "user")), reader.log(LogQuery("user"))
    return [
        reader.agents(), reader.overview(None, "operator"), reader.overview(START, "operator"), listed.head(),
        listed.index_of(1), listed.page(1), listed.anchors(), reader.fact(1), reader.n_of("m_0001"), log.head(),
        log.index_of(1), log.page(1), log.anchors(), reader.decision(1), reader.head(), reader.store_uuid(),
        reader.get_at("dudu", "user", "city", START), reader.holding_at("dudu", "user", "city", START),
        reader.get_at("dudu", "user", "city", START, known_at=1), reader.get_history("dudu", "user", "city"),
        reader.get_by_ids("dudu", ["m_0001"]), reader.list_recent("dudu", 10), reader.journal(0, 10),
        reader.nearest_agent("dodo"),
    ]  # fmt: skip


def test_a_stamp_is_equal_while_nothing_was_written(store: Store) -> None:
    store.tell("Kobe", "01-01")
    first = store.reader.stamp()
    everything(store.reader)
    assert store.reader.stamp() == first == store.reader.stamp() and len({first, store.reader.stamp()}) == 1
    store.tell("Nara", "01-01")
    second = store.reader.stamp()
    assert second != first
    with closing(open_database(store.database.path)) as other:
        Ledger(other, store.clock).apply(_told(store))
    assert store.reader.stamp() != second


def _told(store: Store) -> Any:
    from memstation.domain.decisions import Decision

    return Decision("store", "agent", (store.claim("Osaka", "02-01"),), "dudu")


def test_the_uuid_is_the_stores_own(store: Store) -> None:
    assert len(store.reader.store_uuid()) == 32
    with closing(open_database(store.database.path)) as other:
        assert Reader(other, store.clock).store_uuid() == store.reader.store_uuid()


def test_no_read_transaction_is_kept_between_calls(store: Store) -> None:
    """C47: after any call a checkpoint can empty the write-ahead log, so that it does not grow."""
    store.tell("Nara", "01-01")
    everything(store.reader)
    with closing(sqlite3.connect(store.database.path)) as other:
        busy, _, _ = other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    assert busy == 0
    assert Path(f"{store.database.path}-wal").stat().st_size == 0


def test_reading_writes_nothing(store: Store) -> None:
    store.tell("Nara", "01-01")
    before = (store.database.data_version(), _dump(store.database.path))
    everything(store.reader)
    assert (store.database.data_version(), _dump(store.database.path)) == before


def _dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def test_calls_from_several_threads_while_another_writes(store: Store) -> None:
    store.tell("Nara", "01-01")
    failures: list[BaseException] = []
    stop = threading.Event()

    def read() -> None:
        try:
            while not stop.is_set():
                everything(store.reader)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(40):
        store.tell(f"v{number}", "02-01")
    stop.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(store.reader.get_history("dudu", "user", "city")) == 41


@pytest.mark.parametrize("place", range(24))
def test_a_failed_read_is_told_in_words(store: Store, place: int) -> None:
    """Each method raises when the store is gone; an empty answer would look like a store without memories."""
    store.tell("Nara", "01-01")
    reader = store.reader
    listed, log = reader.timeline(TimelineQuery("dudu", "user")), reader.log(LogQuery("user"))
    calls: list[Any] = [
        reader.agents, lambda: reader.overview(None, "x"), listed.head, listed.anchors, lambda: listed.page(1),
        lambda: listed.index_of(1), lambda: reader.fact(1), lambda: reader.n_of("m"), log.head, log.anchors,
        lambda: log.page(1), lambda: log.index_of(1), lambda: reader.decision(1), reader.head, reader.store_uuid,
        lambda: reader.get_at("a", "b", "c", START), lambda: reader.holding_at("a", "b", "c", START),
        lambda: reader.get_at("a", "b", "c", START, known_at=1), lambda: reader.get_history("a", "b", "c"),
        lambda: reader.get_by_ids("a", ["m"]), lambda: reader.list_recent("a", 1), lambda: reader.journal(0, 1),
        lambda: reader.nearest_agent("a"), reader.stamp,
    ]  # fmt: skip
    store.database.close()
    with closing(sqlite3.connect(store.database.path)) as connection:
        connection.execute("DROP TRIGGER journal_kept")
        for table in ("journal", "memories", "agents", "meta", "marks", "orders"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("DROP TABLE memory_text")
    with pytest.raises(MemstationError) as caught:
        calls[place]()
    assert caught.value.title and "SELECT" not in str(caught.value)


def test_a_store_that_can_only_be_read_is_read(store: Store) -> None:
    store.tell("Nara", "01-01")
    with closing(open_database(store.database.path, read_only=True)) as other:
        assert everything(Reader(other, store.clock)) == everything(store.reader)
