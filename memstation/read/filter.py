"""The Timeline's filter: one table of terms, from which the parser and the README's table come. It never writes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from memstation.domain.errors import InvalidInput
from memstation.domain.names import fold_name, object_key
from memstation.domain.origins import UNATTRIBUTED, origin_class
from memstation.read import grammar
from memstation.read.conditions import Condition, all_of, any_of
from memstation.read.grammar import Item, Question, Term, either, fixed, instant_of, not_taken
from memstation.read.listing import IS_TAINTED
from memstation.read.names import name_is, near
from memstation.read.querying import IN_LIST, in_list
from memstation.store.text_index import phrase


@dataclass(frozen=True, slots=True)
class Asked:
    """Whose facts are asked for, and when."""

    agent_id: str
    now: str


_VALUE = "CASE WHEN object IS NULL OR trim(object) = '' THEN content ELSE object END"
"""What a memory says: its object, or its content where it has none."""

_CLASS = "lower(trim(substr(origin, 1, instr(origin || ':', ':') - 1)))"
_LEARNED_FROM = """coalesce((SELECT first_n FROM journal
    WHERE at >= ? AND first_n IS NOT NULL ORDER BY at, seq LIMIT 1), 9000000000000000000)"""
"""The first row that was told at or after an instant."""


Ask: TypeAlias = Question[Asked]
Items: TypeAlias = Sequence[Item]


def _always(condition: Condition) -> Ask:
    return lambda asked: condition


def _about(items: Items) -> Ask:
    return _always(any_of(name_is("subject", item) for item in items))


def _says(items: Items) -> Ask:
    return _always(any_of(name_is("predicate", item) for item in items))


def _value(items: Items) -> Ask:
    if items[0].is_prefix:
        return _always(name_is(_VALUE, items[0]))
    return _always(Condition("object_key = ?", (object_key(items[0].text, ""),), near(fold_name(items[0].text))))


def _source(items: Items) -> Ask:
    return either(_one_source(item) for item in items)


def _one_source(item: Item) -> Ask:
    if item.is_prefix:
        return fixed("substr(origin, 1, ?) = ?", len(item.text), item.text)
    if ":" in item.text:
        return fixed("origin = ?", item.text)
    wanted = origin_class(item.text)
    if wanted == UNATTRIBUTED:
        return fixed(f"origin IS NULL OR {_CLASS} IN ('', ?)", UNATTRIBUTED)
    same = [wanted, "user", "user_profile"] if wanted == "user_direct" else [wanted]
    return fixed(f"{_CLASS} IN {IN_LIST}", in_list(same))


_STATES = {
    "current": "role = 'fact' AND valid_from <= :now AND (valid_until IS NULL OR valid_until > :now)",
    "scheduled": "role = 'fact' AND valid_from > :now AND (valid_until IS NULL OR valid_until > valid_from)",
    "closed": "role = 'fact' AND (valid_until <= :now OR valid_until <= valid_from)",
    "held": "n IN (SELECT n FROM memories INDEXED BY memories_held WHERE agent_id = :agent AND quarantined = 1)",
    "withdrawn": "role = 'withdrawn'",
    "tainted": IS_TAINTED,
}


def _state(items: Items) -> Ask:
    return either(_one_state(item) for item in items)


def _one_state(item: Item) -> Ask:
    sql = _STATES.get(item.text.lower())
    if sql is None or item.is_prefix:
        raise not_taken("state", item, _STATES)
    plain, names = re.sub(r":(now|agent)", "?", sql), re.findall(r":(now|agent)", sql)
    return lambda asked: Condition(plain, tuple(asked.now if name == "now" else asked.agent_id for name in names))


def _since(items: Items) -> Ask:
    return fixed(f"n >= {_LEARNED_FROM}", instant_of(items, "since"))


def _before(items: Items) -> Ask:
    return fixed(f"n < {_LEARNED_FROM}", instant_of(items, "before"))


def _from(items: Items) -> Ask:
    return fixed("valid_from >= ?", instant_of(items, "from"))


def _trust(items: Items) -> Ask:
    found = re.fullmatch(r"(<=|>=|<|>|=)?\s*(\d{0,9}\.?\d{0,9})", items[0].text, re.ASCII)
    if found is None or not found[2].strip("."):
        raise InvalidInput(
            "{term}: takes a number from 0 to 1", "{text!r} is not one", "as in trust:<0.5, trust:>=0.7 or trust:1",
            term="trust", text=items[0].text[:40],
        )  # fmt: skip
    sign, number = found[1] or "=", float(found[2])
    if sign == "=":
        return fixed("abs(origin_trust - ?) < 0.0005", number)
    return fixed(f"origin_trust {sign} ?", number)


def _id(items: Items) -> Ask:
    whole: Ask = fixed(
        f"n IN (SELECT n FROM memories WHERE id IN {IN_LIST})",
        in_list(item.text for item in items if not item.is_prefix),
    )
    starts: list[Ask] = [fixed("substr(id, 1, ?) = ?", len(item.text), item.text) for item in items if item.is_prefix]
    return either([whole, *starts]) if starts else whole


def _seq(items: Items) -> Ask:
    sql = "n BETWEEN (SELECT first_n FROM journal WHERE seq = ?) AND (SELECT last_n FROM journal WHERE seq = ?)"
    return either(fixed(sql, *(grammar.number_of(item, "seq"),) * 2) for item in items)


def _layer(items: Items) -> Ask:
    return either(
        fixed("substr(lower(layer), 1, ?) = ?", len(item.text), item.text.lower())
        if item.is_prefix
        else fixed("lower(layer) = ?", item.text.lower())
        for item in items
    )


def _tag(items: Items) -> Ask:
    return either(_one_tag(item) for item in items)


def _one_tag(item: Item) -> Ask:
    test = "tag.value = ?"
    values: tuple[object, ...] = (item.text,)
    if item.is_prefix:
        test, values = "substr(tag.value, 1, ?) = ?", (len(item.text), item.text)
    sql = f"""tags <> '[]' AND EXISTS (
        SELECT 1 FROM json_each(CASE WHEN json_valid(tags) THEN tags ELSE '[]' END) AS tag
        WHERE {test} COLLATE NOCASE)"""
    return fixed(sql, *values)


FILTER_TERMS: tuple[Term[Asked], ...] = (
    Term("about", "the subject, whatever its case and width", 'about:user,"office wifi"', _about),
    Term("says", "the predicate", "says:deploy_target", _says),
    Term("value", "the object, or the text where there is none", "value:Helix", _value, lists=False),
    Term("source", "the source, exactly; without a colon the whole class", "source:channel:line/7", _source),
    Term("state", ", ".join(_STATES), "state:held,withdrawn", _state),
    Term("since", "learned on this day or later", "since:2026-04-01", _since),
    Term("before", "learned before this day", "before:2026-04-01", _before),
    Term("from", "starts to hold on this day or later", "from:2026-04-01", _from),
    Term("trust", "the trust, with <, <=, >, >= or a number alone", "trust:<0.5", _trust, lists=False),
    Term("id", "the memory with this id", "id:m_8f31c2", _id),
    Term("seq", "told by this decision of the Log", "seq:408", _seq),
    Term("layer", "episodic, semantic or procedural", "layer:semantic", _layer),
    Term("tag", "one of its tags", "tag:work", _tag),
)
"""Every term with a colon. Commas divide several values, any of which will do."""

BARE_WORDS = (
    ("word", "stands in the text or the names, at the start of a word; several must all be there", "deploy 台北"),
    ('"two words"', "stands there just so; quotes also keep spaces and commas in a name", 'about:"office wifi"'),
    ("-term", "leaves out what the term matches", "-state:closed -draft"),
    ("term*", "any name that begins so: about, says, value, source, id, tag", "about:proj*"),
)
"""What a filter takes beside terms: written, what it matches, example."""


def filter_table_markdown() -> str:
    """The table of the Timeline's terms, for a page."""
    rows = [(f"{term.name}:", term.matches, term.example) for term in FILTER_TERMS]
    return grammar.markdown([*rows, *BARE_WORDS])


_TEXT = """lower(content || ' ' || coalesce(subject, '') || ' ' || coalesce(predicate, '') || ' '
    || coalesce(object, ''))"""


def word(item: Item) -> Ask:
    """A bare word, looked for in the text index; signs at its edges, which the index leaves out, in the text itself."""
    text = item.text.strip()
    query = phrase(text)
    if not query:
        return fixed(f"instr({_TEXT}, ?) > 0", text)
    if text.isascii() and not (text[0].isalnum() and text[-1].isalnum()):
        return _always(Condition(f"instr({_TEXT}, ?) > 0", (text.lower(),), query))
    return _always(Condition(match=query))


class TimelineFilter:
    """A filter that was read, to be asked on any snapshot.

    Raises:
        InvalidInput: it cannot be read.
    """

    def __init__(self, text: str, agent_id: str, terms: Sequence[Term[Asked]] = FILTER_TERMS) -> None:
        self._questions = grammar.parse(text, terms, word)
        self._agent_id = agent_id

    @property
    def is_empty(self) -> bool:
        """Whether it lets everything through."""
        return not self._questions

    def condition(self, now: str) -> Condition:
        """What must be true of a row of `memories`; the connection must know `names.teach`."""
        asked = Asked(self._agent_id, now)
        return all_of(question(asked) for question in self._questions)
