"""How this room asks the store: text SQL on one snapshot, and what a caller gave made fit for it. It never writes."""

from __future__ import annotations

import json
from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import lru_cache
from typing import Any, TypeAlias

from memstation.domain.errors import InvalidInput
from memstation.domain.instants import Clock
from memstation.guard.shape import repaired
from memstation.store.database import Snapshot
from memstation.store.ledger import present

Columns: TypeAlias = tuple[Any, ...]
"""The columns of one row, in the order of its select list."""

Values: TypeAlias = Any
"""The columns of one row, by name too. It does not leave this room."""


def ask(conn: Snapshot, sql: str, values: Sequence[object] = ()) -> list[Values]:
    """Every row that a query gives, its columns by name."""
    with closing(conn.cursor()) as cursor:
        cursor.execute(sql, tuple(values))
        return list(map(_named(tuple(column[0] for column in cursor.description)), cursor.fetchall()))


def ask_one(conn: Snapshot, sql: str, values: Sequence[object] = ()) -> Values | None:
    """The first row that a query gives, its columns by name."""
    with closing(conn.cursor()) as cursor:
        cursor.execute(sql, tuple(values))
        found = cursor.fetchone()
        return None if found is None else _named(tuple(column[0] for column in cursor.description))(found)


@lru_cache(maxsize=512)
def _named(names: tuple[str, ...]) -> Callable[[Iterable[Any]], Values]:
    """Makes rows with these columns. SQLAlchemy's own describe every column anew, at more than the query's cost."""
    row: Any = namedtuple("Values", names, rename=True)  # type: ignore[misc]
    made: Callable[[Iterable[Any]], Values] = row._make
    return made


def quick(conn: Snapshot, sql: str, values: Sequence[object] = ()) -> list[Columns]:
    """Every row that a query gives, by position: for pages and for what agents ask."""
    cursor: Any = conn.cursor()
    found: list[Columns] = cursor.execute(sql, values).fetchall()
    cursor.close()
    return found


def quick_one(conn: Snapshot, sql: str, values: Sequence[object] = ()) -> Columns | None:
    """The first row that a query gives, by position."""
    cursor: Any = conn.cursor()
    found: Columns | None = cursor.execute(sql, values).fetchone()
    cursor.close()
    return found


def in_list(items: Iterable[object]) -> str:
    """The one parameter of ``IN (SELECT value FROM json_each(?))``, for a list of any length."""
    return json.dumps(list(items))


IN_LIST = "(SELECT value FROM json_each(?))"
"""What stands after ``IN``; its parameter is made by `in_list`."""


def now_of(conn: Snapshot, clock: Clock) -> str:
    """The present as stored text: the clock, or the newest decision's time where the clock has stepped back."""
    found = quick_one(conn, "SELECT at FROM journal ORDER BY seq DESC LIMIT 1")
    return present(clock, None if found is None else found[0])


def named(value: object, what: str) -> str:
    """A name, with broken characters repaired as a write repairs them.

    Raises:
        InvalidInput: it is no text.
    """
    if not isinstance(value, str):
        raise InvalidInput("The {what} is not a name", "{name} was given", what=what, name=type(value).__name__)
    return repaired(value)


def agent_named(value: object) -> str:
    """The agent that is asked about, compared exactly; an agent without a name is nobody's and not everybody's.

    Raises:
        InvalidInput: it is no text, or empty.
    """
    agent_id = named(value, "agent")
    if not agent_id.strip():
        raise InvalidInput("The agent has no name", "a read is always about one agent", "name the agent")
    return agent_id
