"""Stores for tests of export and restore: opened by the ledger alone, and compared by what stands in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memstation.domain.decisions import Claim, Decision, End, Mark, Order, Statement, Undo
from memstation.exchange.exporting import export_to
from memstation.exchange.jsonfile import JsonFile
from memstation.exchange.report import RestoreReport
from memstation.exchange.restoring import restore
from memstation.store.database import Database
from memstation.store.ledger import Ledger
from memstation.store.opening import open_database
from memstation.store.state import state_digest
from memstation.store.verifying import verify

NOW = datetime(2026, 9, 1, tzinfo=UTC)


@dataclass
class Shelf:
    """An open store."""

    path: Path
    database: Database
    ledger: Ledger

    def tell(self, *statements: Statement, kind: str = "store") -> int:
        return self.ledger.apply(Decision(kind, "operator", statements)).seq

    def take_back(self, seq: int) -> int:
        return self.ledger.undo(seq, "operator").seq

    def text(self) -> str:
        lines: list[str] = []
        export_to(self.ledger, lines.append)
        return "".join(lines)

    def told(self) -> str:
        """The export after its first line, which names the store and its newest decision."""
        return self.text().split("\n", 1)[1]

    def export(self, path: Path) -> Path:
        path.write_text(self.text(), encoding="utf-8", newline="\n")
        return path

    def restore(self, path: Path, progress: Any = None) -> RestoreReport:
        return restore(self.ledger, JsonFile(path), progress)

    def digest(self) -> str:
        with self.database.reading_cursor() as cursor:
            return state_digest(cursor)

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self.database.reading_cursor() as cursor:
            return cursor.execute(sql, values).fetchall()

    def count(self, table: str = "memories") -> int:
        return int(self.rows(f"SELECT count(*) FROM {table}")[0][0])

    def check(self) -> None:
        with self.database.reading_cursor() as cursor:
            report = verify(cursor)
        assert report.ok, report.problems


@contextmanager
def open_shelf(path: Path, now: datetime = NOW) -> Iterator[Shelf]:
    database = open_database(path)
    try:
        yield Shelf(path, database, Ledger(database, lambda: now))
    finally:
        database.close()


def lines_of(*items: dict[str, Any]) -> str:
    """A file with these lines after the header."""
    header = {"kind": "memstation", "format": 1}
    return "".join(json.dumps(item) + "\n" for item in (header, *items))


def claim(id_: str, object_: str | None = None, start: str = "2026-01-01", **more: Any) -> Claim:
    """A claim about (ada, user, city) unless told otherwise; `start` is a day."""
    fields = {
        "agent_id": "ada", "subject": "user", "predicate": "city", "origin": "user_direct",
        "content": f"lives in {object_}", "ingested_at": day("2026-08-01"), **more,
    }  # fmt: skip
    until = fields.pop("until", None)
    return Claim(
        id=id_, object=object_, asserted_from=day(start), asserted_until=day(until) if until else None, **fields
    )


def day(text: str) -> str:
    return f"{text}T00:00:00.000000+00:00"


def fill_with_everything(shelf: Shelf) -> None:
    """A store that holds what an export most easily loses."""
    metadata = {"list": [1, 1.0, None, {"deep": "深い"}], "café": "e\u0301", "zero": 0.0, "yes": True, "long": 10**30}
    shelf.tell(
        claim("open", "Taipei", tags=("a,b", "line\nbreak", "🧑‍🚀", " "), layer="semantic", importance=7.5),
        claim("v1", "one", "2025-01-01", predicate="version"),
        claim("v2", "two", "2025-02-01", predicate="version", asserted_trust=0.3),
        claim("v3", "three", "2025-03-01", predicate="version", asserted_trust=0.1),
        claim("v4", "four", "2025-04-01", predicate="version", derived_from=("v1", "unknown")),
        claim("closed", "Kyoto", "2024-01-01", until="2024-06-01", predicate="lived"),
        claim("future", "Mars", "2031-01-01", predicate="will live"),
        claim("held", "poison", predicate="mood", origin="channel:telegram/42", asserted_trust=0.3),
        claim("denied", "worse", predicate="mood", origin="channel:telegram/42", asserted_trust=0.3),
        claim("purged", "wrong", predicate="name", origin="mcp_external"),
        claim("spaces", "x", predicate="p1", content="ends in spaces   "),
        claim("nfd", "cafe\u0301", predicate="p2", content="cafe\u0301 au lait", metadata=shape_text(metadata)),
        claim("cjk", "台北", subject="使用者", predicate="住在", content="使用者住在台北。"),
        claim("hostile", "a\x1b[2Jb", predicate="p3", origin="operator", content="\u202edelrow\u200b\x9b2J\r\x07\x7f"),
        claim("note", None, subject=None, predicate=None, content="a note", origin=None),
        claim(
            "old",
            "legacy",
            predicate="p4",
            timestamp=day("2025-12-30"),
            created_at=day("2025-12-31"),
            access_count=7,
            last_accessed=day("2026-08-30"),
            embedding=bytes(range(256)),
            embedding_model="ngram-hash",
        ),
    )
    for k in range(24):
        shelf.tell(claim(f"again{k}", "Taipei", "2026-02-01", content="lives in Taipei", origin=f"import:{k}"))
    shelf.tell(
        Mark("held", "held", "burst", at=day("2026-08-02")),
        Mark("denied", "held", "burst"),
        Mark("purged", "withdrawn", "origin_purge"),
        Mark("v2", "trust", value=0.9),
        Mark("v1", "cap", "tainted", 0.1),
        Mark("v1", "cap", "tainted", 0.1),
    )
    shelf.tell(Mark("denied", "denied", "quarantine_reject"))
    shelf.tell(
        Order("alias", "joined", "ada", subject="the user", value="user"),
        Order("predicate", "many", "ada", predicate="speaks"),
        Order("predicate", "many", "*", predicate="likes"),
        Order("rejected", "rejected", "ada", "user", "name", "wrong"),
        Order("origin", "blocked", "*", value="mcp_external"),
        Order("origin_trust", "set", "ada", value="channel:x", number=0.2),
    )
    shelf.tell(Order("alias", "parted", "ada", subject="the user", value="user"))
    shelf.tell(Order("alias", "joined", "ada", subject="the user", value="user"))
    shelf.tell(claim("zh", "中文", predicate="speaks"), claim("en", "English", predicate="speaks"))
    shelf.tell(End("end1", "ada", day("2026-06-01"), "user", "speaks", "English", "lives in English", "en", "operator"))
    wrong = shelf.tell(claim("undone", "nowhere", "2026-03-01"), Mark("v4", "withdrawn", "mistake"))
    shelf.tell(Mark("undone", "held", "burst"))
    shelf.take_back(wrong)


def shape_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


__all__ = [
    "NOW", "Claim", "End", "Mark", "Order", "Shelf", "Undo", "claim", "day", "fill_with_everything", "lines_of",
    "open_shelf",
]  # fmt: skip
