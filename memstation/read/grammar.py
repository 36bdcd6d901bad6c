"""The grammar of filters: terms with a colon, bare words, quotes, a minus. It knows no table, and asks nothing.

``about:user,"office wifi" -source:channel deploy`` is three terms. Two filters share this grammar and differ in their
table of terms only; the README's tables come from those.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Generic, TypeAlias, TypeVar

from memstation.domain.errors import InvalidInput
from memstation.domain.instants import as_instant, to_text
from memstation.guard.shape import repaired
from memstation.read.conditions import Condition, any_of
from memstation.words import N_

A = TypeVar("A")
"""What a condition needs to know of the list that is asked for."""

_NAME = re.compile(r"([A-Za-z]+)[:：]")
_SPACE_OR_END = re.compile(r"\s|$")


@dataclass(frozen=True, slots=True)
class Item:
    """One of the values of a term, or a bare word."""

    text: str
    is_prefix: bool = False
    """Whether a star stood at its end, outside quotes; a star alone is a prefix of everything."""


Question: TypeAlias = Callable[[A], Condition]
"""A term with its values, read and found sound; asked on a snapshot, it gives the condition."""


def fixed(sql: str, *values: object) -> Question[A]:
    """A question whose condition is the same whenever it is asked."""
    condition = Condition(sql, values)
    return lambda asked: condition


def either(questions: Iterable[Question[A]]) -> Question[A]:
    """True where one of the questions is."""
    every = tuple(questions)
    return lambda asked: any_of(question(asked) for question in every)


@dataclass(frozen=True, slots=True)
class Term(Generic[A]):
    """A term of a filter: its name, what it matches, and how."""

    name: str
    matches: str
    example: str
    read: Callable[[Sequence[Item]], Question[A]]
    """Makes the question, or raises InvalidInput."""
    lists: bool = True
    """Whether commas divide its value."""


MOST_CHARS, MOST_PARTS, MOST_ITEMS = 2000, 100, 300
"""How long a filter may be: characters, terms, values of one term. SQLite nests what it reads no deeper than 1000."""

_TOO_LONG = "The filter is too long"


def parse(text: str, terms: Sequence[Term[A]], word: Callable[[Item], Question[A]]) -> list[Question[A]]:
    """Read a filter: questions that must all be true of a row; none where nothing was typed.

    Args:
        text: what was typed. A quote that is not closed reaches to the end.
        terms: the table of terms.
        word: makes the question for a bare word.

    Raises:
        InvalidInput: an unknown term, or a value that it cannot take; the hint says what would do.
    """
    by_name = {term.name: term for term in terms}
    text = repaired(text)
    if len(text) > MOST_CHARS:
        raise InvalidInput(_TOO_LONG, "{count:,} characters, {most:,} can be read", count=len(text), most=MOST_CHARS)
    questions: list[Question[A]] = []
    place = 0
    while (place := _next(text, place)) < len(text):
        question, place = _part(text, place, by_name, word)
        questions.append(question)
        if len(questions) > MOST_PARTS:
            raise InvalidInput(_TOO_LONG, "it has more than {most} terms", most=MOST_PARTS)
    return questions


def _next(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place


def _part(
    text: str, start: int, by_name: dict[str, Term[A]], word: Callable[[Item], Question[A]]
) -> tuple[Question[A], int]:
    is_negated = text[start] == "-"
    place = start + is_negated
    named = _NAME.match(text, place)
    term = by_name.get(named[1].lower()) if named else None
    if named and term is None:
        raise _unknown(named[1], text[start:], by_name)
    place = named.end() if named else place
    items, place = _items(text, place, is_term=term is not None, commas=term is not None and term.lists)
    if not items:
        raise InvalidInput(
            "{typed!r} in the filter is not finished", "it has no value yet", "as in {example}",
            typed=text[start:place], example=term.example if term else '-draft or "two words"',
        )  # fmt: skip
    if len(items) > MOST_ITEMS:
        raise InvalidInput(_TOO_LONG, "a term has more than {most} values", most=MOST_ITEMS)
    question = word(items[0]) if term is None else term.read(items)
    return (_not(question) if is_negated else question), place


def _not(question: Question[A]) -> Question[A]:
    return lambda asked: question(asked).negated()


def _items(text: str, place: int, *, is_term: bool, commas: bool) -> tuple[tuple[Item, ...], int]:
    """The values from a place on, up to white space outside quotes, and where they end."""
    items: list[Item] = []
    piece, in_quotes, has_star = "", False, False

    def finish() -> None:
        is_prefix = has_star and (is_term or len(piece) > 1)
        said = piece[:-1] if is_prefix else piece
        if said.strip() or is_prefix:
            items.append(Item(said, is_prefix))

    while place < len(text) and (in_quotes or not text[place].isspace()):
        char = text[place]
        place += 1
        if char == '"' and in_quotes and text[place : place + 1] == '"':
            piece, has_star, place = piece + '"', False, place + 1
        elif char == '"':
            in_quotes = not in_quotes
        elif char == "," and commas and not in_quotes:
            finish()
            piece, has_star = "", False
        else:
            piece, has_star = piece + char, char == "*" and not in_quotes
    finish()
    return tuple(items), place


def _unknown(name: str, typed: str, known: Iterable[str]) -> InvalidInput:
    end = _SPACE_OR_END.search(typed)
    template, names = _nearest(name, known, ":")
    return InvalidInput(
        "{name!r} is not a term of the filter", template, 'to look for the text itself, quote it: "{typed}"',
        name=f"{name}:", names=names, typed=typed[: end.start() if end else None][:40],
    )  # fmt: skip


def not_taken(term: str, item: Item, known: Iterable[str]) -> InvalidInput:
    """The refusal of a word that is none of those which a term takes."""
    template, names = _nearest(item.text, known)
    star = "*" * item.is_prefix
    return InvalidInput("{term}: does not take {word!r}", template, term=term, word=item.text[:40] + star, names=names)


def _nearest(word: str, known: Iterable[str], ending: str = "") -> tuple[str, str]:
    """What to say of the known words: those like this one, or all of them where none is."""
    every = list(known)
    like = get_close_matches(word.lower(), every, n=3, cutoff=0.5)
    names = ", ".join(name + ending for name in like or every)
    return (N_("the nearest: {names}") if like else N_("there are: {names}")), names


def instant_of(items: Sequence[Item], term: str) -> str:
    """The stored text of the day or instant that a term names.

    Raises:
        InvalidInput: it names several, or no time.
    """
    if len(items) != 1:
        raise InvalidInput(
            "{term}: takes one day", "{count} were given", "as in {term}:2026-04-01", term=term, count=len(items)
        )
    try:
        return to_text(as_instant(items[0].text))
    except InvalidInput as error:
        raise InvalidInput(
            "{term}: takes a day", "{text!r} is not one", "as in {term}:2026-04-01 or {term}:2026-04-01T09:30",
            term=term, text=items[0].text[:40],
        ) from error  # fmt: skip


def number_of(item: Item, term: str) -> int:
    """The decision's number that a value names, as in 408 or #408.

    Raises:
        InvalidInput: it names none.
    """
    found = re.fullmatch(r"#?(\d{1,15})", item.text.strip(), re.ASCII)
    if found is None or item.is_prefix:
        raise InvalidInput(
            "{term}: takes a number", "{text!r} is not one", "as in {term}:408", term=term, text=item.text[:40]
        )
    return int(found[1])


def markdown(rows: Iterable[tuple[str, str, str]]) -> str:
    """A table of terms for a page: term, what it matches, example."""
    lines = ["| term | what it matches | example |", "|---|---|---|"]
    lines += [f"| `{term}` | {matches} | `{example}` |" for term, matches, example in rows]
    return "\n".join(line.replace("``", "` `") for line in lines) + "\n"
