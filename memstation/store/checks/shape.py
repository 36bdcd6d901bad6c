"""Whether the file is made as this program makes it: objects, settings, pages, types of values. It never repairs.

What is believed is not looked at here. SQLite keeps any value in any column, and a trigger that is gone refuses
nothing, so both are compared with the declaration.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from typing import Any

from sqlalchemy import Column, Table

from memstation.store.checks.findings import Findings
from memstation.store.opening import declare
from memstation.store.schema import APPLICATION_ID, VERSION, metadata
from memstation.words import N_

_OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'"
"""Statistics come and go with ANALYZE; they choose plans, not answers."""

_TYPES = {"INTEGER": "integer", "REAL": "real", "TEXT": "text", "BLOB": "blob"}
_DAY, _TIME = "0000-00-00T".replace("0", "[0-9]"), "00:00:00.000000".replace("0", "[0-9]")
_INSTANT = f"{_DAY}{_TIME}+00:00"
_ALSO = {
    "access_count": "access_count >= 0",
    "last_accessed": f"last_accessed GLOB '{_INSTANT}'",
    "deadline": f"deadline GLOB '{_INSTANT}'",
    "remaining": "remaining >= 0",
    "hits": "hits >= 0",
    "hit_at": f"hit_at GLOB '{_INSTANT}'",
    "day": "day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'",
    "times": "times > 0",
    "last_at": f"last_at GLOB '{_INSTANT}'",
}
"""What no digest covers must at least be readable."""

_STEPS = 1_000_000
"""Steps of SQLite's machine between two questions whether to go on."""


def check_shape(findings: Findings) -> None:
    """Compare the file with the declaration; then its pages; then the type of every value."""
    with findings.part("sqlite_master"):
        _objects(findings)
    with findings.part("PRAGMA"):
        _settings(findings)
    with findings.part("PRAGMA integrity_check"):
        _pages(findings)
    for table in metadata.sorted_tables:
        with findings.part(table.name):
            _types(findings, table)


def _parts(sql: str) -> tuple[str, ...]:
    """A CREATE statement as what is before the parentheses, what is in them by commas (sorted), and what is after.

    A column that was added later stands at the end, so that the order of columns says nothing.
    """
    text = " ".join(sql.split())
    if not text.startswith("CREATE TABLE"):
        return (text,)
    head, _, rest = text.partition("(")
    body, _, tail = rest.rpartition(")")
    pieces, depth, start = [], 0, 0
    for found in re.finditer(r"'[^']*'|\"[^\"]*\"|[(),]", body):
        depth += {"(": 1, ")": -1}.get(found.group(), 0)
        if found.group() == "," and depth == 0:
            pieces.append(body[start : found.start()].strip())
            start = found.end()
    return (head, *sorted([*pieces, body[start:].strip()]), tail)


def _described(rows: Iterator[tuple[Any, ...]]) -> dict[tuple[str, str], tuple[str, tuple[str, ...]]]:
    return {(kind, name): (of, _parts(sql or "")) for kind, name, of, sql in rows}


@cache
def _declared() -> dict[tuple[str, str], tuple[str, tuple[str, ...]]]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as reference:
        declare(reference)
        return _described(reference.execute(_OBJECTS))


def _objects(findings: Findings) -> None:
    wanted = _declared()
    there = _described(findings.rows(_OBJECTS))
    for kind, name in sorted(wanted.keys() - there.keys()):
        findings.say(N_("the {kind} {name} is missing"), kind=kind, name=name)
    for kind, name in sorted(there.keys() - wanted.keys()):
        findings.say(N_("the {kind} {name} is none of this program's"), kind=kind, name=name)
    for key in sorted(wanted.keys() & there.keys()):
        if wanted[key] != there[key]:
            findings.say(N_("the {kind} {name} is not as this program makes it"), kind=key[0], name=key[1])


def _settings(findings: Findings) -> None:
    for name, wanted in (("application_id", APPLICATION_ID), ("user_version", VERSION)):
        ((value,),) = findings.rows(f"PRAGMA {name}")
        if value != wanted:
            findings.say(N_("{name} is {value}, not {wanted}"), name=name, value=value, wanted=wanted)


def _pages(findings: Findings) -> None:
    """SQLite's own check: pages, and every index against its table."""

    def stops() -> bool:
        findings.go_on()
        return False

    connection = findings.cursor.connection
    # An exception in the handler interrupts the statement, like an answer of True.
    connection.set_progress_handler(stops, _STEPS)
    try:
        for (line,) in findings.rows("PRAGMA integrity_check(20)"):
            if line != "ok":
                findings.say("SQLite: {line}", line=line)
    finally:
        connection.set_progress_handler(None, 0)


def _is_sound(column: Column[Any]) -> str:
    kinds = [_TYPES[str(column.type)], *(["null"] if column.nullable else [])]
    sound = f"typeof({column.name}) IN ({', '.join(repr(kind) for kind in kinds)})"
    also = _ALSO.get(column.name)
    return sound if also is None else f"({sound} AND {also} IS NOT 0)"


def _types(findings: Findings, table: Table) -> None:
    keys = [column.name for column in table.primary_key]
    names = [column.name for column in table.columns]
    sound = " AND ".join(_is_sound(column) for column in table.columns)
    found = ", ".join(f"{_is_sound(column)}" for column in table.columns)
    sql = f"SELECT {', '.join(keys)}, {found} FROM {table.name} WHERE NOT ({sound}) LIMIT 20"
    for row in findings.rows(sql):
        for name, is_sound in zip(names, row[len(keys) :], strict=True):
            if not is_sound:
                key = ", ".join(str(value)[:40] for value in row[: len(keys)])
                findings.say(N_("{table} {key}: {column} is not of its type"), table=table.name, key=key, column=name)
