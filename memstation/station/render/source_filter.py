"""The filter of the Sources room: words, and a few signs. It must not read a store."""

from __future__ import annotations

from collections.abc import Callable

from memstation.domain.errors import InvalidInput
from memstation.read.source_rows import SourceRow

Test = Callable[[SourceRow], bool]

_IS: dict[str, Test] = {
    "blocked": lambda row: bool(row.blocked_for),
    "held": lambda row: row.held > 0,
    "burst": lambda row: row.bursts > 0,
    "dropped": lambda row: row.dropped > 0,
    "trusted": lambda row: row.trust_set is not None,
    "empty": lambda row: row.facts == 0,
}
"""What ``is:`` takes."""


def read_filter(text: str) -> Test:
    """True of the sources that have every word in their name, and are what ``is:`` says.

    Raises:
        InvalidInput: ``is:`` with a word that it does not take.
    """
    tests = [_term(word) for word in text.split()]
    return lambda row: all(test(row) for test in tests)


def _term(word: str) -> Test:
    if word.startswith("-") and len(word) > 1:
        unwanted = _term(word[1:])
        return lambda row: not unwanted(row)
    name, colon, value = word.partition(":")
    if colon and name.lower() == "is":
        test = _IS.get(value.lower())
        if test is None:
            raise InvalidInput(
                "{term}: does not take {text}", "it takes {all}", term="is", text=value[:40], all=", ".join(_IS)
            )
        return test
    if colon and name.lower() == "class":
        return lambda row: row.class_name == value.lower()
    folded = word.casefold()
    return lambda row: folded in (row.origin or "").casefold()
