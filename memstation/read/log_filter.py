"""The Log's filter: one table of terms, from which the parser and the README's table come. It never writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from memstation.domain.decisions import DECISION_KINDS, EVERY_AGENT
from memstation.read import grammar
from memstation.read.conditions import Condition, all_of, like
from memstation.read.grammar import Item, Question, Term, either, fixed, instant_of, not_taken
from memstation.read.querying import IN_LIST, in_list
from memstation.store.text_index import phrase

Ask: TypeAlias = Question[None]
Items: TypeAlias = Sequence[Item]


def _who(items: Items) -> Ask:
    return either(_name("actor", item) for item in items)


def _agent(items: Items) -> Ask:
    return either(_name("agent_id", item) if item.is_prefix else about_agent(item.text) for item in items)


def about_agent(agent_id: str) -> Ask:
    """True of decisions about an agent: those that name it, or all agents, or several to which it belongs."""
    return fixed(
        """agent_id IN (?, ?) OR (agent_id = '' AND EXISTS (SELECT 1 FROM memories
            WHERE memories.n BETWEEN journal.first_n AND journal.last_n AND memories.agent_id = ?))""",
        agent_id, EVERY_AGENT, agent_id,
    )  # fmt: skip


def _name(column: str, item: Item) -> Ask:
    if item.is_prefix:
        return fixed(f"substr({column}, 1, ?) = ?", len(item.text), item.text)
    return fixed(f"{column} = ?", item.text)


def _did(items: Items) -> Ask:
    words = {kind.did: kind.name for kind in DECISION_KINDS.values()}
    words |= {name: name for name in DECISION_KINDS}
    kinds = []
    for item in items:
        kind = words.get(item.text.lower())
        if kind is None or item.is_prefix:
            raise not_taken("did", item, sorted(words))
        kinds.append(kind)
    return fixed(f"kind IN {IN_LIST}", in_list(kinds))


_FIRST_AT = "coalesce((SELECT seq FROM journal WHERE at >= ? ORDER BY at, seq LIMIT 1), 9000000000000000000)"
"""The first decision at or after an instant."""


def _since(items: Items) -> Ask:
    return fixed(f"seq >= {_FIRST_AT}", instant_of(items, "since"))


def _before(items: Items) -> Ask:
    return fixed(f"seq < {_FIRST_AT}", instant_of(items, "before"))


_IS = {
    "undone": "seq IN (SELECT seq FROM lifted WHERE to_seq IS NULL)",
    "standing": "seq NOT IN (SELECT seq FROM lifted WHERE to_seq IS NULL)",
    "held": "seq IN (SELECT seq FROM events WHERE n IS NOT NULL)",
    "dropped": "seq IN (SELECT seq FROM events INDEXED BY events_dropped WHERE n IS NULL)",
}


def _is(items: Items) -> Ask:
    for item in items:
        if item.text.lower() not in _IS or item.is_prefix:
            raise not_taken("is", item, _IS)
    return either(fixed(_IS[item.text.lower()]) for item in items)


LOG_TERMS: tuple[Term[None], ...] = (
    Term("who", "who decided", "who:operator", _who),
    Term("did", "the kind of decision, by its name or as the Log says it", 'did:undo,"set rule"', _did),
    Term("agent", "about this agent, or about all", "agent:dudu", _agent),
    Term("since", "decided on this day or later", "since:2026-04-01", _since),
    Term("before", "decided before this day", "before:2026-04-01", _before),
    Term("is", "undone or standing; or the gate held or dropped something of it", "is:undone", _is),
)
"""Every term with a colon. Commas divide several values, any of which will do."""

BARE_WORDS = (
    ("#408", "the decision with this number", "#408"),
    ("word", "stands in the reason, in what the decision told, judged or ordered, or in what the gate noted", "Heroku"),
    ("-term", "leaves out what the term matches", "-did:store"),
    ("term*", "any name that begins so: who, agent", "who:channel:*"),
)
"""What a filter takes beside terms: written, what it matches, example."""


def log_filter_table_markdown() -> str:
    """The table of the Log's terms, for a page."""
    return grammar.markdown([*((f"{term.name}:", term.matches, term.example) for term in LOG_TERMS), *BARE_WORDS])


class LogFilter:
    """A filter that was read, to be asked on any snapshot.

    Raises:
        InvalidInput: it cannot be read.
    """

    def __init__(self, text: str) -> None:
        self._questions = grammar.parse(text, LOG_TERMS, word)

    @property
    def is_empty(self) -> bool:
        """Whether it lets everything through."""
        return not self._questions

    def condition(self) -> Condition:
        """What must be true of an entry of `journal`."""
        return all_of(question(None) for question in self._questions)


_TOLD = """seq IN (
    WITH hits(n) AS MATERIALIZED (SELECT rowid FROM memory_text WHERE memory_text MATCH ?),
        said(fact_key, value_digest) AS MATERIALIZED (SELECT fact_key, value_digest FROM memories
            WHERE n IN (SELECT rowid FROM memory_text WHERE memory_text MATCH ? ORDER BY rowid DESC LIMIT 10000))
    SELECT seq FROM memories WHERE n IN (SELECT n FROM hits)
    UNION SELECT seq FROM marks WHERE n IN (SELECT n FROM hits)
    UNION SELECT seq FROM memories WHERE fact_key IN (SELECT fact_key FROM said)
        AND (+fact_key, value_digest) IN (SELECT fact_key, value_digest FROM said))"""
"""Decisions that told or judged what the index finds.

Evidence and ends are not in the index: they say what their fact says, and come with the newest 10,000 facts found.
"""

_REASONED = r"""reason LIKE ? ESCAPE '\' OR seq IN (SELECT seq FROM marks WHERE reason LIKE ? ESCAPE '\')"""

_ORDERED = r"""seq IN (SELECT seq FROM orders
    WHERE subject LIKE ? ESCAPE '\' OR predicate LIKE ? ESCAPE '\' OR value LIKE ? ESCAPE '\')"""

_NOTED = r"""seq IN (SELECT seq FROM events WHERE origin LIKE ? ESCAPE '\' OR detail LIKE ? ESCAPE '\')"""


def word(item: Item) -> Ask:
    """A bare word: a decision's number, or text in a reason, in what it told or judged, its orders or events."""
    if item.text.startswith("#") and item.text[1:].isdecimal():
        return fixed("seq = ?", grammar.number_of(item, "#"))
    pattern = f"%{like(item.text)}%"
    places: list[Ask] = [
        fixed(_REASONED, pattern, pattern), fixed(_ORDERED, pattern, pattern, pattern), fixed(_NOTED, pattern, pattern),
    ]  # fmt: skip
    query = phrase(item.text)
    if query:
        places.append(fixed(_TOLD, query, query))
    return either(places)
