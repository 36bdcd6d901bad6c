"""What agents and the API ask of facts: what holds at an instant, histories, fetches by id. It never writes.

Every function takes a connection of `Database.reading` and asks about one agent, whose name is compared exactly.
`now` is stored text (`querying.now_of`) and only decides `state` and what is current.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from memstation.domain.errors import InvalidInput
from memstation.domain.holding import NEVER_LET_IN
from memstation.domain.instants import InstantLike, as_instant, to_text
from memstation.domain.memory import BatchFetch, FactRecord
from memstation.domain.names import fact_key, fold_name, is_blank, line_key, object_key
from memstation.guard.shape import limit_of, repaired
from memstation.read import evidence
from memstation.read.predicates import is_many
from memstation.read.querying import IN_LIST, Columns, agent_named, in_list, named, quick, quick_one
from memstation.read.records import RECORD_SQL, record_of
from memstation.store.database import Snapshot
from memstation.store.schema import SHOWN_ROLES

MOST_IDS = 100
"""Ids in one fetch, counted as they were given."""

_WIDE = f"{RECORD_SQL}, line_key"
_NAMES = [name.strip() for name in _WIDE.split(",")]
_ID, _AGENT, _CONTENT, _OBJECT, _FROM, _N, _ROLE, _SAID_FROM, _LINE = map(
    _NAMES.index,
    ("id", "agent_id", "content", "object", "valid_from", "n", "role", "asserted_from", "line_key"),
)
"""Places of columns in a row of `_WIDE`."""
_HOLDS = "valid_from <= ? AND (valid_until IS NULL OR ? < valid_until)"
_ON_LINE = f"""SELECT {_WIDE}, EXISTS (SELECT 1 FROM orders WHERE about = 'predicate' AND rules = 1)
    FROM memories WHERE n = (
        SELECT founds FROM memories WHERE line_key = ? AND founds IS NOT NULL AND asserted_from <= ?
        ORDER BY asserted_from DESC, n DESC LIMIT 1)
    AND {_HOLDS}"""
"""Who holds on a line; and, last, whether any predicate has a rule: most stores have none."""
_UNDER_KEY = f"""SELECT {_WIDE} FROM memories WHERE fact_key = ? AND role = 'fact' AND {_HOLDS}
    ORDER BY valid_from DESC, n DESC"""
NEVER_LET_IN_SQL = f"({', '.join(repr(stamp) for stamp in NEVER_LET_IN)})"
_HISTORY = f"""SELECT {_WIDE} FROM memories WHERE fact_key = ? AND (role = 'fact' OR role = 'held' AND ?
      OR role = 'withdrawn' AND (? OR invalidated_by_event NOT IN {NEVER_LET_IN_SQL})) ORDER BY valid_from, n"""
_RECENT = f"""SELECT {_WIDE} FROM memories INDEXED BY memories_learned
    WHERE agent_id = ? AND {SHOWN_ROLES} AND role = 'fact' AND {_HOLDS} ORDER BY n DESC LIMIT ?"""
_BY_IDS = f"SELECT {_WIDE} FROM memories WHERE id IN {IN_LIST} AND role <> 'erased'"
_BY_NS = f"SELECT {_WIDE} FROM memories WHERE n IN {IN_LIST} AND role <> 'erased'"
_BY_N = f"SELECT {_WIDE} FROM memories WHERE n = ?"

Question: TypeAlias = tuple[str, str, str]
"""Agent, subject, predicate."""


def _question(agent_id: object, subject: object, predicate: object) -> Question:
    return agent_named(agent_id), named(subject, "subject"), named(predicate, "predicate")


def _record(conn: Snapshot, row: Columns, now: str, asked: str | None = None) -> FactRecord:
    """A record with its confirmations."""
    record = record_of(row, now, asked=asked)
    if record.role != "fact" or is_blank(record.subject) or is_blank(record.predicate):
        # A note is alone on its line: nothing confirms it.
        return record
    told = evidence.confirmations(conn, row[_LINE], row[_FROM], row[_N])
    return record_of(row, now, told, asked) if told else record


def get_at(
    conn: Snapshot,
    agent_id: str,
    subject: str,
    predicate: str,
    at: InstantLike,
    now: str,
    object: str | None = None,
) -> FactRecord | None:
    """The fact that held at an instant, as it is known now.

    Args:
        conn: a reading connection.
        agent_id: whose fact.
        subject: folded as a name.
        predicate: folded as a name. Where it holds many values, the one with the latest start is given.
        at: the instant; windows do not include their end.
        now: the present, for `state`.
        object: only a fact that says this (folded) is given.

    Raises:
        InvalidInput: not a time, or not names.
    """
    agent_id, subject, predicate = _question(agent_id, subject, predicate)
    instant = to_text(as_instant(at, "time asked for"))
    fact = fact_key(agent_id, subject, predicate)
    wanted = None if object is None or is_blank(named(object, "object")) else object
    row = quick_one(conn, _ON_LINE, (fact, instant, instant, instant))
    if (row is not None and not row[-1]) or not is_many(conn, agent_id, predicate):
        if row is not None and wanted is not None and not _says(row, wanted):
            return None
    elif wanted is not None:
        line = line_key(fact, object_key(wanted, ""), many=True)
        row = quick_one(conn, _ON_LINE, (line, instant, instant, instant))
    else:
        row = quick_one(conn, _UNDER_KEY, (fact, instant, instant))
    return None if row is None else _record(conn, row, now)


def _says(row: Columns, wanted: str) -> bool:
    """Whether a fact's object (its content, where it has none) is this, folded."""
    said = row[_CONTENT] if is_blank(row[_OBJECT]) else row[_OBJECT]
    return fold_name(said) == fold_name(wanted)


def holding_at(
    conn: Snapshot, agent_id: str, subject: str, predicate: str, at: InstantLike, now: str
) -> list[FactRecord]:
    """Every fact that held at an instant, latest start first: one at most, unless the predicate holds many values.

    Raises:
        InvalidInput: not a time, or not names.
    """
    agent_id, subject, predicate = _question(agent_id, subject, predicate)
    instant = to_text(as_instant(at, "time asked for"))
    fact = fact_key(agent_id, subject, predicate)
    if is_many(conn, agent_id, predicate):
        rows = quick(conn, _UNDER_KEY, (fact, instant, instant))
    else:
        rows = quick(conn, _ON_LINE, (fact, instant, instant, instant))
    return [_record(conn, row, now) for row in rows]


def get_history(
    conn: Snapshot, agent_id: str, subject: str, predicate: str, now: str, include_held: bool = False
) -> list[FactRecord]:
    """Every fact there has been, the withdrawn ones with their stamps, by (start, n); evidence is in none.

    What is held, and what was denied or ran out while it was, is in it only with `include_held`: it was never let in.

    Raises:
        InvalidInput: not names.
    """
    agent_id, subject, predicate = _question(agent_id, subject, predicate)
    fact = fact_key(agent_id, subject, predicate)
    rows = quick(conn, _HISTORY, (fact, include_held, include_held))
    told = evidence.of_facts(conn, [fact]) if rows else {}
    return [record_of(row, now, told.get(row[_N], ())) for row in rows]


def get_by_ids(conn: Snapshot, agent_id: str, ids: Sequence[str], now: str) -> BatchFetch:
    """The facts with these ids, closed ones too, each distinct id once in the order of the request.

    A confirming row's id gives the fact that it confirms, with `asked`. What is unknown, another agent's, held or
    withdrawn is missing, and looks the same.

    Raises:
        InvalidInput: more than 100 ids, or an id that is no text; the store was not asked.
    """
    wanted = check_ids(ids)
    agent_id = agent_named(agent_id)
    found: dict[str, FactRecord] = {}
    known = [id_ for id_ in wanted if repaired(id_) == id_]
    for row in quick(conn, _BY_IDS, (in_list(known),)):
        if row[_AGENT] != agent_id:
            continue
        if row[_ROLE] == "fact":
            found[row[_ID]] = _record(conn, row, now)
        elif row[_ROLE] == "confirms":
            behind = evidence.fact_behind(conn, row[_LINE], row[_SAID_FROM], row[_N])
            fact = None if behind is None else quick_one(conn, _BY_N, (behind,))
            if fact is not None:
                found[row[_ID]] = _record(conn, fact, now, asked=row[_ID])
    memories = tuple(found[id_] for id_ in wanted if id_ in found)
    return BatchFetch(memories, tuple(id_ for id_ in wanted if id_ not in found))


def check_ids(ids: Sequence[str]) -> list[str]:
    """The distinct ids of a request, in its order.

    Raises:
        InvalidInput: not a list of texts, or more than 100.
    """
    if isinstance(ids, str | bytes) or not isinstance(ids, Sequence):
        raise InvalidInput(
            "The ids are not a list", "{name} was given", 'as in ["m_1", "m_2"]', name=type(ids).__name__
        )
    if len(ids) > MOST_IDS:
        raise InvalidInput(
            "Too many ids", "{given:,} were given, at most {most} are fetched", "ask in parts",
            given=len(ids), most=MOST_IDS,
        )  # fmt: skip
    for id_ in ids:
        if not isinstance(id_, str):
            raise InvalidInput("An id is not text", "{name} was given", name=type(id_).__name__)
    return list(dict.fromkeys(ids))


def numbered(conn: Snapshot, ns: Sequence[int], now: str) -> list[FactRecord]:
    """The facts with these numbers, whoever's they are, in the order asked for; `now` decides their state."""
    found = {row[_N]: row for row in quick(conn, _BY_NS, (in_list(ns),))}
    return [_record(conn, found[n], now) for n in ns if n in found]


def ids_of(conn: Snapshot, ns: Iterable[int]) -> dict[int, str]:
    """The ids of rows by their numbers."""
    return dict(quick(conn, f"SELECT n, id FROM memories WHERE n IN {IN_LIST}", (in_list(ns),)))


def list_recent(conn: Snapshot, agent_id: str, limit: int, now: str) -> list[FactRecord]:
    """Current facts, newest learned first.

    Raises:
        InvalidInput: the limit is not a whole number from 1 to 1000.
    """
    agent_id = agent_named(agent_id)
    rows = quick(conn, _RECENT, (agent_id, now, now, limit_of(limit)))
    return [_record(conn, row, now) for row in rows]
