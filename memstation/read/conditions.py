"""What must be true of a row, as SQL with its parameters, and how the text index finds such rows. It asks nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

_INDEXED = "n IN (SELECT rowid FROM memory_text WHERE memory_text MATCH ?)"


@dataclass(frozen=True, slots=True)
class Condition:
    """True of a row when its SQL is (an empty one is) and the text index finds it."""

    sql: str = ""
    values: tuple[object, ...] = ()
    match: str = ""
    """A query of the text index that finds every row wanted, so that a list can be read through it; empty for none."""

    def whole(self) -> tuple[str, tuple[object, ...]]:
        """The same in SQL alone."""
        if not self.match:
            return self.sql or "TRUE", self.values
        if not self.sql:
            return _INDEXED, (self.match,)
        return f"({self.sql}) AND {_INDEXED}", (*self.values, self.match)

    def negated(self) -> Condition:
        """True of every other row, those of which nothing is known among them."""
        sql, values = self.whole()
        return Condition(f"({sql}) IS NOT TRUE", values)


def any_of(conditions: Iterable[Condition]) -> Condition:
    """True where one of the conditions is."""
    parts = list(conditions)
    if len(parts) == 1:
        return parts[0]
    whole = [part.whole() for part in parts]
    match = " OR ".join(f"({part.match})" for part in parts) if all(part.match for part in parts) else ""
    return Condition(_joined(" OR ", (sql for sql, _ in whole)), _flat(values for _, values in whole), match)


def all_of(conditions: Iterable[Condition]) -> Condition:
    """True where every condition is."""
    parts = list(conditions)
    return Condition(
        _joined(" AND ", (part.sql for part in parts if part.sql)),
        _flat(part.values for part in parts),
        " AND ".join(f"({part.match})" for part in parts if part.match),
    )


def _joined(word: str, sqls: Iterable[str]) -> str:
    return word.join(f"({sql})" for sql in sqls)


def _flat(many: Iterable[tuple[object, ...]]) -> tuple[object, ...]:
    return tuple(value for values in many for value in values)


def like(text: str) -> str:
    """A pattern of LIKE for exactly this text, with a backslash as the escape."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
