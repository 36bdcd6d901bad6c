"""The text index: FTS5 over text that is folded and segmented here, kept in step by the ledger. It holds no text.

Runs of scripts that part no words are indexed as overlapping pairs of signs and a last single one (`scripts`), since
FTS5 takes a whole run for one word. Case, accents and traditional characters are folded before, by the function that
folds names and more: two spellings of one name are always one to the index.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b

from memstation.store.han import simplified
from memstation.store.rows import Row
from memstation.store.scripts import RUN, UNSPACED, may_have_marks, pairs, signs

CREATE = """CREATE VIRTUAL TABLE IF NOT EXISTS memory_text USING fts5(
    said, names, whose, content='', tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co M*'")"""

INDEXED_ROLES = frozenset({"fact", "held", "withdrawn"})
"""Rows in the index. Evidence and ends are in none."""

TEXT = "{said names}"
"""The columns in which words are looked for, as FTS5 writes it."""

_PIECE = re.compile(f"[{UNSPACED}]+|[^{UNSPACED}]+")
_LABEL = re.compile("[fx][0-9a-f]{16}")
_ASCII_GAPS = {code: " " for code in range(128) if not chr(code).isalnum() or chr(code).isupper()}
_ACCENTS = re.compile("[\u0300-\u036f\u1dc0-\u1dff\ufe00-\ufe0f]+")
"""Marks over letters, and the selectors of a sign's look. The marks of other scripts tell words apart."""


def _pairs(found: re.Match[str]) -> str:
    return f" {_paired(found.group())} "


def _paired(run: str) -> str:
    return " ".join(pairs(run))


def fold_text(text: str) -> str:
    """Text with case, width, accents and traditional characters folded; what `fold_name` takes for one is one."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    folded = simplified(folded) if RUN.search(folded) else folded
    plain = _ACCENTS.sub("", unicodedata.normalize("NFD", folded))
    return unicodedata.normalize("NFC", plain)


def segment(text: str) -> str:
    """Text as the index takes it: folded, runs without spaces as overlapping pairs."""
    folded = fold_text(text)
    return folded if folded.isascii() else RUN.sub(_pairs, folded)


def pieces(folded: str) -> list[str]:
    """A folded text as runs of scripts without spaces and what is between them, in order."""
    return _PIECE.findall(folded)


def words_of(text: str) -> str:
    """A folded (and segmented) text as its words with one space before, between and after them."""
    if text.isascii():
        return f" {' '.join(text.translate(_ASCII_GAPS).split())} "
    return f" {' '.join(text.translate(_GAPS).split())} "


def words_in(text: str) -> str:
    """The words of a text as the index has them: the same as `words_of` of its `segment`, and sooner."""
    folded = fold_text(text)
    if folded.isascii():
        return words_of(folded)
    parts: list[str] = []
    for piece in pieces(folded):
        if not RUN.match(piece):
            parts += piece.translate(_GAPS).split()
        elif piece.translate(_GAPS) == piece:
            parts.append(_paired(piece))
        else:
            # Characters that Unicode has not given out yet divide words.
            parts += _paired(piece).translate(_GAPS).split()
    return f" {' '.join(parts)} "


class _Gaps(dict[int, str]):
    """What stands in no word becomes a space, divided as the index divides: letters, numbers, marks are words."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        category = unicodedata.category(char)
        self[code] = char = char if category[0] in "LNM" or category == "Co" else " "
        return char


_GAPS = _Gaps()


def phrase(word: str) -> str:
    """An FTS5 query that finds a word (or a run without spaces) wherever it stands; user text is never syntax."""
    parts = []
    for piece in pieces(fold_text(word)):
        if not any(char.isalnum() for char in piece):
            continue
        if not RUN.fullmatch(piece) or len(signs(piece)) == 1:
            quoted = piece.replace('"', '""').replace("\0", "")
            parts.append(f'"{quoted}"*')
        else:
            parts.append('"' + " ".join(pairs(piece)[:-1]) + '"' + ("*" if may_have_marks(piece) else ""))
    return " AND ".join(f"{TEXT} : {part}" for part in parts)


def label(agent_id: str, role: str) -> str:
    """The word in the index for all facts of an agent, or for all else of it that is there."""
    return f"{'f' if role == 'fact' else 'x'}{_agent_digest(agent_id)}"


@lru_cache(256)
def _agent_digest(agent_id: str) -> str:
    return blake2b(agent_id.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def may_be_label(word: str) -> bool:
    """Whether a word of a text could be taken for a label, where both are looked for at once."""
    return _LABEL.search(word) is not None


def _columns(row: Row) -> tuple[int, str, str]:
    names = " ".join([part for part in (row.subject, row.predicate, row.object) if part])
    return row.n, segment(row.content), segment(names)


def is_moved(was: str | None, now: str) -> bool:
    """Whether a row that changes its role (None: a new row) stands otherwise in the index."""
    return _kind(was) != _kind(now)


def _kind(role: str | None) -> str:
    return "" if role not in INDEXED_ROLES else "fact" if role == "fact" else "other"


def optimize(cursor: sqlite3.Cursor) -> None:
    """Merge the index into one piece, so that words of rows that were taken out are in none."""
    cursor.execute("INSERT INTO memory_text (memory_text) VALUES ('optimize')")


_PUT = "INSERT INTO memory_text (rowid, said, names, whose) VALUES (?, ?, ?, ?)"
_TAKE = "INSERT INTO memory_text (memory_text, rowid, said, names, whose) VALUES ('delete', ?, ?, ?, ?)"


def add(cursor: sqlite3.Cursor, rows: Iterable[tuple[Row, str]]) -> None:
    """Put rows into the index, each with its role."""
    move(cursor, ((row, None, role) for row, role in rows))


def move(cursor: sqlite3.Cursor, rows: Iterable[tuple[Row, str | None, str]]) -> None:
    """Have the index know rows by a new role: (row, the role that it had, None for a new row; the role it has now).

    A contentless table wants the very text back that was put in; each text is made once.
    """
    gone: list[tuple[int, str, str, str]] = []
    new: list[tuple[int, str, str, str]] = []
    for row, was, now in rows:
        was_in, is_in = was in INDEXED_ROLES, now in INDEXED_ROLES
        if not (was_in or is_in):
            continue
        n, said, names = _columns(row)
        if was_in and was is not None:
            gone.append((n, said, names, label(row.agent_id, was)))
        if is_in:
            new.append((n, said, names, label(row.agent_id, now)))
    if gone:
        cursor.executemany(_TAKE, gone)
    if new:
        cursor.executemany(_PUT, new)
