"""Files of the seed's system whose windows overlap, and what became of them."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memstation.domain.timeline import Element, lay_out
from seed_files import seed_file

NOW = datetime(2026, 12, 1, tzinfo=UTC)
_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


def clock() -> datetime:
    return NOW


def _day(number: int) -> str:
    return (_EPOCH + timedelta(days=number)).isoformat()


def overlapping(path: Path, count: int, seed: int = 1) -> Path:
    """`count` memories on lines of about ten, with every kind of window that the other system leaves behind."""
    pick = random.Random(seed)
    names = (
        "id", "agent_id", "content", "timestamp", "subject", "predicate", "object", "valid_from", "valid_until",
        "superseded_by", "invalidated_by_event", "quarantined", "ingested_at",
    )  # fmt: skip

    def rows():  # type: ignore[no-untyped-def]
        for k in range(count):
            line = pick.randrange(max(count // 10, 1))
            start = pick.randrange(300)
            until = start + pick.randrange(-3, 90) if pick.random() < 0.6 else None
            by = f"m{pick.randrange(count)}" if until is not None and pick.random() < 0.6 else None
            event = "origin_purge" if until is not None and pick.random() < 0.08 else None
            value = f"v{pick.randrange(5)}"
            yield (
                f"m{k}", f"agent{line % 3}", value, _day(start), f"s{line}", "p", value, _day(start),
                None if until is None else _day(until), by, event, int(pick.random() < 0.05),
                (_EPOCH + timedelta(seconds=k)).isoformat(),
            )  # fmt: skip

    seed_file(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript("""
            CREATE TABLE key_facts (id TEXT, fact TEXT); INSERT INTO key_facts VALUES ('k', 'kept aside SECRETWORD');
            CREATE VIRTUAL TABLE memories_fts USING fts5(content, content='memories');
            CREATE TRIGGER memories_ai AFTER INSERT ON memories BEGIN
                INSERT INTO memories_fts (rowid, content) VALUES (new.rowid, new.content); END;
            CREATE INDEX idx_memories_agent ON memories (agent_id);
            CREATE VIEW open_ones AS SELECT * FROM memories WHERE valid_until IS NULL;
        """)
        holes = ", ".join("?" * len(names))
        connection.executemany(f"INSERT INTO memories ({', '.join(names)}) VALUES ({holes})", rows())
    return path


def content(path: Path) -> list[str]:
    """All that a file says, whatever its journal mode."""
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def old_and_new(path: Path, now: str) -> dict[tuple[str, str], dict[str, tuple[str | None, str | None]]]:
    """For each line of an overlapping file, the old and the new answer at every boundary, by brute force."""
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute(
            "SELECT agent_id, subject, object, valid_from, valid_until, superseded_by, invalidated_by_event,"
            " quarantined FROM memories ORDER BY ingested_at, rowid"
        ).fetchall()
    lines: dict[tuple[str, str], list[tuple]] = {}  # type: ignore[type-arg]
    for n, row in enumerate(found):
        lines.setdefault(row[:2], []).append((n, *row[2:]))
    answers = {}
    for key, rows in lines.items():
        good = [row for row in rows if row[5] != "origin_purge" and not row[6]]
        told = []
        for n, value, start, until, by, _event, _held in good:
            if until is not None and (until < start or (until == start and not by)):
                continue
            told.append(Element(n, start, value.encode(), None if by else until))
        segments = [s for s in lay_out(told) if s.start != s.until]
        values = {element.n: element.value.decode() for element in told}
        at_of: dict[str, tuple[str | None, str | None]] = {}
        bounds = {at for row in good for at in row[2:4] if at} | {
            at for s in segments for at in (s.start, s.until) if at
        }
        for at in sorted(bounds):
            active = [row for row in good if row[2] <= at and (row[3] is None or at < row[3])]
            old = {row[1] for row in active if row[2] == max(other[2] for other in active)}
            here = [values[s.founder] for s in segments if s.start <= at and (s.until is None or at < s.until)]
            at_of[at] = (old, here[0] if here else None)  # type: ignore[assignment]
        answers[key] = at_of
    return answers
