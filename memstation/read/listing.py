"""From columns of `memories` to `FactRow`, for lists. It never writes."""

from __future__ import annotations

from collections.abc import Iterable

from memstation.domain.instants import from_text
from memstation.read.evidence import fact_behind
from memstation.read.predicates import ManyRules
from memstation.read.querying import IN_LIST, Columns, in_list, quick, quick_one
from memstation.read.records import moment, state_at
from memstation.read.rows import CONTENT_SHOWN, FactRow
from memstation.store.database import Snapshot

IS_TAINTED = """(role <> 'withdrawn' AND EXISTS (
    SELECT 1 FROM marks WHERE marks.n = memories.n AND marks.kind = 'cap' AND marks.stands = 1))"""
"""A standing cap lies on it: it was made from something that turned out to be bad."""

LIST_SQL = f"""n, id, agent_id, role, subject, predicate, object, substr(content, 1, {CONTENT_SHOWN}) AS content,
    valid_from, valid_until, origin, origin_trust, line_key, asserted_from, {IS_TAINTED} AS tainted"""
"""The select list that `Lister.row` takes."""

_BY_NS = f"SELECT {LIST_SQL} FROM memories WHERE n IN {IN_LIST} AND role <> 'erased'"
_WINDOW = "SELECT role, valid_from, valid_until FROM memories WHERE n = ?"


class Lister:
    """Makes rows at one moment, on one snapshot."""

    def __init__(self, conn: Snapshot, now: str) -> None:
        self._conn = conn
        self._now = now
        self._rules = ManyRules(conn)

    def row(self, values: Columns) -> FactRow:
        """The row for the columns of `LIST_SQL`. Evidence has the state and the window of the fact that it confirms."""
        (
            n, id_, agent_id, role, subject, predicate, object_, content, start, until, origin, trust, line,
            asserted_from, tainted,
        ) = values  # fmt: skip
        if role == "confirms":
            behind = fact_behind(self._conn, line, asserted_from, n)
            fact = None if behind is None else quick_one(self._conn, _WINDOW, (behind,))
            if fact is not None:
                role, start, until = fact
        # By position, in the order of the fields: keywords cost a third of a page's time.
        return FactRow(
            n, id_, agent_id, state_at(role, start, until, self._now), bool(tainted), subject, predicate, object_,
            content, from_text(start), moment(until), origin, trust, self._rules.holds_many(agent_id, predicate),
        )  # fmt: skip

    def rows(self, ns: Iterable[int]) -> list[FactRow]:
        """The rows with these numbers, in the order given; unknown ones are left out."""
        wanted = list(ns)
        if not wanted:
            return []
        found = {values[0]: self.row(values) for values in quick(self._conn, _BY_NS, (in_list(wanted),))}
        return [found[n] for n in wanted if n in found]
