"""Which of several reasons a text gives to look closer, in one pass of RE2. It looks no closer itself."""

from __future__ import annotations

from typing import Any

from memstation.guard.patterns import options


class Reasons:
    """A set of expressions, compiled when it is first asked.

    Args:
        expressions: RE2 expressions for UTF-8 text, by name.
    """

    def __init__(self, expressions: dict[str, str]) -> None:
        self._expressions = expressions
        self._names = list(expressions)
        self._set: Any = None

    def of(self, text: str) -> frozenset[str]:
        """The names of the expressions that occur in the text."""
        if self._set is None:
            self._set = self._compiled()
        found = self._set.Match(text.encode("utf-8", "replace"))
        if len(found) == 1:
            return frozenset()
        if not found:
            # The set ran out of memory, else the empty expression were there: every reason may hold.
            return frozenset(self._names)
        return frozenset(self._names[number - 1] for number in found if number)

    def _compiled(self) -> Any:
        import re2

        made = re2.Set.SearchSet(options())
        for expression in ("", *self._expressions.values()):
            made.Add(expression.encode())
        made.Compile()
        return made
