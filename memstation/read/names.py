"""Folded names in SQL: a function that folds, and the text index to come near. It never writes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from memstation.domain.names import fold_name
from memstation.read.conditions import Condition
from memstation.read.grammar import Item
from memstation.store.database import Snapshot
from memstation.store.scripts import RUN
from memstation.store.text_index import phrase

_ODD = "{0} GLOB '*[^ -~]*' OR {0} GLOB ' *' OR {0} GLOB '* ' OR {0} GLOB '*  *'"
_FOLDED = f"CASE WHEN {_ODD} THEN folded({{0}}) ELSE lower({{0}}) END"
"""Plain ASCII is folded by SQLite itself, which does not hold the interpreter."""

_KNOWN = re.compile("[ -~\u00a1-\u024f\u0370-\u052f]*")
"""ASCII, and letters of Latin, Greek and Cyrillic, that SQLite has long had."""

_fold = lru_cache(maxsize=20_000)(fold_name)


_TAUGHT = "folded"


def teach(conn: Snapshot) -> None:
    """Give this connection the function `folded`."""
    if _TAUGHT not in conn.info:
        # Once: to be told anew makes SQLite prepare all its statements anew.
        driver: Any = conn.driver_connection
        driver.create_function("folded", 1, _fold_text, deterministic=True)
        conn.info[_TAUGHT] = True


def _fold_text(text: object) -> str | None:
    return _fold(text) if isinstance(text, str) else None


def name_is(column: str, item: Item) -> Condition:
    """True where a column folds to this name, or begins with it where it is a prefix. Needs `teach`."""
    name = fold_name(item.text)
    folded = _FOLDED.format(column)
    if not item.is_prefix:
        return Condition(f"{folded} = ?", (name,), near(name))
    if not name:
        return Condition(f"{column} IS NOT NULL")
    return Condition(f"substr({folded}, 1, ?) = ?", (len(name), name), near(name))


def near(name: str) -> str:
    """A query of the text index that finds every spelling of a folded name, and more; empty where none is sure to.

    The index folds what folding a name folds, and more. It knows no words of scripts that are younger than itself.
    """
    return phrase(name) if _KNOWN.fullmatch(RUN.sub("", name)) else ""
