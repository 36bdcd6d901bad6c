"""Lists of names, CSV or JSONL, as pairs of a name and another for it. It writes nothing and joins nothing."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memstation.domain.errors import InvalidInput
from memstation.ops.alias import name_given

MOST_BYTES = 50_000_000
HEADS = (("canonical", "alias"), ("name", "alias"), ("name1", "name2"))
"""Titles of the two columns of a CSV; without such a head the first two columns are taken."""


def read_names(path: Path) -> Iterator[tuple[str, str]]:
    """The (name, other name) pairs of a list, in its order.

    JSONL: an object a line with ``canonical`` and ``alias``, or ``aliases`` (a list, or an object of languages).
    CSV: two columns, with or without a head; see `HEADS`.

    Raises:
        InvalidInput: it cannot be read; the line is named.
        OSError: the file cannot be opened.
    """
    if path.stat().st_size > MOST_BYTES:
        raise InvalidInput("The list is too long", "{path} has more than 50 MB", path=path)
    read = _of_lines if path.suffix.lower() in (".jsonl", ".ndjson", ".json") else _of_table
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput("The list is not UTF-8", "{path}, byte {at:,}", path=path, at=error.start) from error
    for line, name, alias in read(text.splitlines()):
        try:
            yield name_given(name, "name"), name_given(alias, "alias")
        except InvalidInput as error:
            raise _unreadable(line, f"{error.title}: {error.detail}") from error


def _of_lines(lines: list[str]) -> Iterator[tuple[int, Any, Any]]:
    for line, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            told = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise _unreadable(line, str(error)[:80]) from error
        if not isinstance(told, Mapping) or "canonical" not in told or not {"alias", "aliases"} & told.keys():
            raise _unreadable(line, "an object with canonical and alias, or aliases, is wanted")
        others = told.get("aliases", [told["alias"]] if "alias" in told else [])
        if isinstance(others, Mapping):
            others = list(others.values())
        if not isinstance(others, list):
            raise _unreadable(line, "aliases is neither a list nor an object")
        for other in others:
            yield line, told["canonical"], other


def _of_table(lines: list[str]) -> Iterator[tuple[int, Any, Any]]:
    rows = csv.reader(lines)
    first, second = 0, 1
    try:
        for row in rows:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            head = [cell.casefold() for cell in cells]
            found = next((pair for pair in HEADS if set(pair) <= set(head)), None) if rows.line_num == 1 else None
            if found is not None:
                first, second = head.index(found[0]), head.index(found[1])
                continue
            if len(cells) <= max(first, second):
                raise _unreadable(rows.line_num, "two names are wanted, with a comma between them")
            yield rows.line_num, cells[first], cells[second]
    except csv.Error as error:
        raise _unreadable(rows.line_num, str(error)) from error


def _unreadable(line: int, why: str) -> InvalidInput:
    return InvalidInput("The list cannot be read", "line {line:,}: {why}", "nothing was written", line=line, why=why)
