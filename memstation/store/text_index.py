"""The text index: FTS5 over text that is segmented here, kept in step by the ledger. It holds no text of its own.

CJK runs are indexed as overlapping pairs of characters and a last single one, since FTS5 takes a whole run for one
word; everything else goes through unicode61 without diacritics.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Iterable

from memstation.store.rows import Row

CREATE = """CREATE VIRTUAL TABLE IF NOT EXISTS memory_text USING fts5(
    said, names, content='', tokenize="unicode61 remove_diacritics 2")"""

INDEXED_ROLES = frozenset({"fact", "held", "withdrawn"})
"""Rows in the index. Evidence and ends are in none."""

_CJK = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3105-\u312f\u3130-\u318f\u31a0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
RUN = re.compile(f"[{_CJK}]+")


def _pairs(found: re.Match[str]) -> str:
    run = found.group()
    return " " + " ".join(run[i : i + 2] for i in range(len(run))) + " "


def segment(text: str) -> str:
    """Text as the index takes it: NFKC, CJK runs as overlapping pairs."""
    if text.isascii():
        return text
    return RUN.sub(_pairs, unicodedata.normalize("NFKC", text))


def phrase(word: str) -> str:
    """An FTS5 query that finds a word (or a run of CJK characters) wherever it stands; user text is never syntax."""
    segmented = unicodedata.normalize("NFKC", word)
    parts = []
    for piece in re.findall(f"[{_CJK}]+|[^{_CJK}]+", segmented):
        quoted = piece.replace('"', '""').replace("\0", "")
        if not RUN.fullmatch(piece):
            parts.append(f'"{quoted}"*' if any(char.isalnum() for char in piece) else "")
        elif len(piece) == 1:
            parts.append(f'"{quoted}"*')
        else:
            parts.append('"' + " ".join(piece[i : i + 2] for i in range(len(piece) - 1)) + '"')
    return " AND ".join(part for part in parts if part)


def _columns(row: Row) -> tuple[int, str, str]:
    names = " ".join(part for part in (row.subject, row.predicate, row.object) if part)
    return row.n, segment(row.content), segment(names)


def optimize(cursor: sqlite3.Cursor) -> None:
    """Merge the index into one piece, so that words of rows that were taken out are in none."""
    cursor.execute("INSERT INTO memory_text (memory_text) VALUES ('optimize')")


def add(cursor: sqlite3.Cursor, rows: Iterable[Row]) -> None:
    """Put rows into the index."""
    cursor.executemany("INSERT INTO memory_text (rowid, said, names) VALUES (?, ?, ?)", map(_columns, rows))


def remove(cursor: sqlite3.Cursor, rows: Iterable[Row]) -> None:
    """Take rows out; a contentless table wants the very text that was put in."""
    found = [_columns(row) for row in rows]
    if found:
        cursor.executemany(
            "INSERT INTO memory_text (memory_text, rowid, said, names) VALUES ('delete', ?, ?, ?)", found
        )
