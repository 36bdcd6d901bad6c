"""The filter of the Review room: words, and ``source:``, ``about:`` and the like. It must not read a store."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping

from memstation.domain.errors import InvalidInput
from memstation.read.review_rows import HeldRow
from memstation.station.render.safe import Safe
from memstation.station.words import N_

Matches = Callable[[HeldRow], bool]

_PART = re.compile(r'(?P<no>-?)(?:(?P<name>[A-Za-z]+):)?(?:"(?P<quoted>[^"]*)"?|(?P<word>\S*))\s*')

TERMS: Mapping[str, Callable[[HeldRow], str]] = {
    "source": lambda row: row.origin or "",
    "about": lambda row: row.subject or "",
    "says": lambda row: row.predicate or "",
    "value": lambda row: row.value,
    "reason": lambda row: row.reason,
    "agent": lambda row: row.agent_id,
    "id": lambda row: row.id,
}
"""What a term looks at. A term matches where its text is found in it."""


def read_filter(text: str) -> Matches:
    """Read a filter; every part must match, one with a minus must not.

    Raises:
        InvalidInput: an unknown term, or one without a value.
    """
    wanted: list[tuple[bool, Callable[[HeldRow], str], str]] = []
    place = 0
    text = text.strip()
    while place < len(text) and (found := _PART.match(text, place)) is not None and found.end() > place:
        place = found.end()
        name, said = found["name"], found["quoted"] if found["quoted"] is not None else found["word"]
        if name is not None and name.lower() not in TERMS:
            raise InvalidInput(
                N_("{name!r} is not a term of the filter"), N_("there are: {names}"), name=f"{name}:",
                names=", ".join(f"{term}:" for term in TERMS),
            )  # fmt: skip
        if not said:
            raise InvalidInput(
                N_("{typed!r} in the filter is not finished"), N_("it has no value yet"), typed=found[0].strip()
            )
        wanted.append((bool(found["no"]), TERMS[name.lower()] if name else _everything, _folded(said)))
    return lambda row: all((word in _folded(look(row))) != no for no, look, word in wanted)


def source_filter(origin: str | None) -> Safe:
    """The filter for one source."""
    return Safe(f'source:"{origin or ""}"')


def _everything(row: HeldRow) -> str:
    return " ".join((row.subject or "", row.predicate or "", row.object or "", row.content, row.origin or ""))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
