"""Lists of names, CSV or JSONL, as pairs of a name and another for it. It writes nothing and joins nothing."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import Any, TypeAlias

from memstation.domain.errors import InvalidInput
from memstation.ops.alias import name_given

MOST_BYTES = 50_000_000
HEADS = (("canonical", "alias"), ("name", "alias"), ("name1", "name2"))
"""Titles of the two columns of a CSV; without such a head the first two columns are taken."""

Told: TypeAlias = tuple[int, Any, Any]
"""A line, and the two names that it tells, as they are there."""


def read_names(path: Path) -> Iterator[tuple[str, str]]:
    """The (name, other name) pairs of a list, in its order.

    JSONL: an object a line with ``canonical`` and ``alias``, or ``aliases`` (a list, or an object of languages), or
    both; an array of such objects, too. CSV: two columns; with a head (see `HEADS`) others may stand beside them.

    Raises:
        InvalidInput: it cannot be read; the line is named.
        OSError: the file cannot be opened.
    """
    if path.stat().st_size > MOST_BYTES:
        raise InvalidInput("The list is too long", "{path} has more than 50 MB", path=path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput("The list is not UTF-8", "{path}, byte {at:,}", path=path, at=error.start) from error
    read = _of_objects if path.suffix.lower() in (".jsonl", ".ndjson", ".json") else _of_table
    for line, name, alias in read(text):
        try:
            yield name_given(name, "name"), name_given(alias, "alias")
        except InvalidInput as error:
            raise _unreadable(line, f"{error.title}: {error.detail}") from error


def _of_objects(text: str) -> Iterator[Told]:
    """The pairs of JSON: of an object a line, or of one array of objects; of an array the place is told as the line."""
    whole = text.lstrip()
    if not whole.startswith("["):
        # Only a line feed ends a line here: a string may hold what else Unicode takes for the end of one.
        for line, row in enumerate(text.split("\n"), 1):
            if row.strip():
                yield from _of_object(line, _parsed(line, row))
        return
    told = _parsed(1, whole)
    for place, each in enumerate(told if isinstance(told, list) else [told], 1):
        yield from _of_object(place, each)


def _parsed(line: int, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        at = line + error.lineno - 1
        raise _unreadable(at, f"{error.msg}, at character {error.colno}") from error
    except (ValueError, RecursionError) as error:
        raise _unreadable(line, str(error)[:80]) from error


def _of_object(line: int, told: Any) -> Iterator[Told]:
    if not isinstance(told, Mapping) or "canonical" not in told or not {"alias", "aliases"} & told.keys():
        raise _unreadable(line, "an object with canonical and alias, or aliases, is wanted")
    others = told.get("aliases", [])
    if isinstance(others, Mapping):
        others = list(others.values())
    if not isinstance(others, list):
        raise _unreadable(line, "aliases is neither a list nor an object")
    for other in [*([told["alias"]] if "alias" in told else []), *others]:
        yield line, told["canonical"], other


def _of_table(text: str) -> Iterator[Told]:
    # Strict: a quote that is never closed would take all that follows for one name.
    rows = csv.reader(StringIO(text, newline=""), strict=True, skipinitialspace=True)
    first, second, is_headed, is_begun = 0, 1, False, False
    try:
        for row in rows:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            found = None if is_begun else _head(cells)
            is_begun = True
            if found is not None:
                first, second = found
                is_headed = True
                continue
            if len(cells) <= max(first, second):
                raise _unreadable(rows.line_num, "two names are wanted, with a comma between them")
            if not is_headed and any(cells[2:]):
                raise _unreadable(rows.line_num, "more than two names; a first line such as canonical,alias says "
                                  "which columns are meant")  # fmt: skip
            yield rows.line_num, cells[first], cells[second]
    except csv.Error as error:
        raise _unreadable(rows.line_num, str(error)) from error


def _head(cells: list[str]) -> tuple[int, int] | None:
    """The places of the two names, where these are titles of columns."""
    head = [cell.casefold() for cell in cells]
    found = next((pair for pair in HEADS if set(pair) <= set(head)), None)
    return None if found is None else (head.index(found[0]), head.index(found[1]))


def _unreadable(line: int, why: str) -> InvalidInput:
    return InvalidInput("The list cannot be read", "line {line:,}: {why}", "nothing was written", line=line, why=why)
