"""Files of the seed's system, made row by row."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

OLD = """id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, content TEXT NOT NULL, timestamp TEXT NOT NULL,
    tags TEXT NOT NULL DEFAULT '[]', created_at TEXT NOT NULL DEFAULT '2026-01-01 00:00:00',
    layer TEXT NOT NULL DEFAULT 'episodic', importance REAL NOT NULL DEFAULT 5.0,
    access_count INTEGER NOT NULL DEFAULT 0, last_accessed TEXT, source_event TEXT DEFAULT ''"""
NEW = """, valid_from TEXT, valid_until TEXT, superseded_by TEXT, supersedes TEXT, subject TEXT, predicate TEXT,
    object TEXT, confidence REAL NOT NULL DEFAULT 1.0, metadata TEXT NOT NULL DEFAULT '{}', origin TEXT,
    origin_trust REAL NOT NULL DEFAULT 1.0, derived_from TEXT, ingested_at TEXT, invalidated_by_event TEXT,
    invalidated_at TEXT, embedding BLOB, embedding_model TEXT, quarantined INTEGER NOT NULL DEFAULT 0"""


def seed_file(path: Path, *rows: dict[str, Any], columns: str = OLD + NEW) -> Path:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"CREATE TABLE memories ({columns})")
        connection.execute(
            "CREATE TABLE entity_alias (agent_id TEXT NOT NULL, canonical TEXT NOT NULL, alias TEXT NOT NULL,"
            " created_at TEXT NOT NULL DEFAULT '2026-01-01 00:00:00', PRIMARY KEY (agent_id, alias))"
        )
        for row in rows:
            holes = ", ".join("?" * len(row))
            connection.execute(f"INSERT INTO memories ({', '.join(row)}) VALUES ({holes})", tuple(row.values()))
    return path


def on(day: int, more: str = "T00:00:00+00:00") -> str:
    """A day of March 2026 in that system's writing."""
    return f"2026-03-{day:02}{more}"


def fact(id_: str, object_: str, day: int, **more: Any) -> dict[str, Any]:
    """A memory about (agnes, user, city), learned and valid from a day of March 2026."""
    return {
        "id": id_, "agent_id": "agnes", "content": f"city: {object_}", "timestamp": on(day), "subject": "user",
        "predicate": "city", "object": object_, "valid_from": on(day), "ingested_at": on(day),
        "origin": "channel", "origin_trust": 0.3, **more,
    }  # fmt: skip


def closed(by: str, day: int, event: str = "conversation_distill") -> dict[str, Any]:
    """The stamps of a memory that another one superseded."""
    return {"valid_until": on(day), "superseded_by": by, "invalidated_by_event": event, "invalidated_at": on(day)}


def gone(day: int, event: str) -> dict[str, Any]:
    """The stamps of a memory that was taken out of use."""
    return {"valid_until": on(day), "invalidated_by_event": event, "invalidated_at": on(day)}
