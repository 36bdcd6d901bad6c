"""How the parts of patterns begin, so that ordinary text is let go by its words alone. It matches nothing itself.

A head is the beginning of a word (``ignor``), or a whole word (``all`` and a blank); in scripts without spaces it is
the first two characters. It rules a pattern out only where no text that the pattern matches could lack it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from memstation.guard.patterns import alternatives, fold_source

WORD = re.compile(r"[0-9a-z\x80-\U0010ffff]+")
"""A word of a folded text."""
MOST = 8
"""Characters of a head; a longer beginning is cut to these."""
TOO_MANY = 500
_LITERAL = re.compile(r"[0-9a-z\x80-\U0010ffff]")

Heads = frozenset[str]


class HeadReader:
    """Reads the heads of the parts of one pack's patterns.

    Args:
        pieces: the pack's pieces, as written.
        spaced: whether words are separated in the text.
    """

    def __init__(self, pieces: Mapping[str, str], spaced: bool) -> None:
        self._pieces = pieces
        self._spaced = spaced
        self._ready: dict[str, Heads | None] = {}

    def heads(self, source: str) -> Heads | None:
        """All heads that a text may have where this part matches; None where that cannot be said."""
        found = self._of(fold_source(source))
        if found is None or not found or len(found) > TOO_MANY:
            return None
        cut = {self._cut(head) for head in found}
        return None if "" in cut else frozenset(cut)

    def _cut(self, head: str) -> str:
        if self._spaced:
            return head if len(head) <= MOST else head.rstrip(" ")[:MOST]
        return head.rstrip(" ")[:2]

    def _of(self, source: str) -> set[str] | None:
        found: set[str] = set()
        for part in alternatives(source):
            heads = self._of_one(" ".join(part.split()) if "|" in source else part.strip())
            if heads is None:
                return None
            found |= heads
        return found

    def _of_one(self, source: str) -> set[str] | None:
        """The heads of a part without alternatives at its top. ``all␣`` says that the word ends there."""
        prefix, at = "", 0
        while at < len(source):
            char = source[at]
            if char == "(" or char == "<":
                end, inside = self._group(source, at)
                if inside is None:
                    return {prefix} if prefix else None
                after = source[end : end + 1]
                if after in ("?", "*", "{"):
                    rest = None if prefix else self._of_one(source[end + 1 :]) if after != "{" else None
                    return {prefix} if prefix else None if rest is None else inside | rest
                if after == "+" and prefix:
                    return {prefix}
                joined = {prefix + head for head in inside}
                return joined
            if _LITERAL.match(char):
                if source[at + 1 : at + 2] in ("?", "*", "{"):
                    return {prefix} if prefix else None
                prefix += char
                at += 1
                continue
            if char == " ":
                return {prefix + " "} if prefix else None
            return {prefix} if prefix else None
        return {prefix + " "} if prefix else None

    def _group(self, source: str, at: int) -> tuple[int, set[str] | None]:
        """Where the group or piece that begins here ends, and its heads."""
        if source[at] == "<":
            end = source.index(">", at) + 1
            name = source[at + 1 : end - 1]
            if name not in self._ready:
                found = self._of(fold_source(self._pieces[name]))
                self._ready[name] = None if found is None else frozenset(found)
            ready = self._ready[name]
            # What follows a piece may belong to its last word.
            return end, None if ready is None else {head.rstrip(" ") for head in ready} if _goes_on(
                source, end
            ) else set(ready)
        depth, end = 0, at
        while end < len(source):
            depth += (source[end] == "(") - (source[end] == ")")
            end += 2 if source[end] == "\\" else 1
            if depth == 0:
                break
        inside = self._of(source[at : end - 1].removeprefix("(").removeprefix("?:"))
        if inside is not None and _goes_on(source, end):
            inside = {head.rstrip(" ") for head in inside}
        return end, inside


def _goes_on(source: str, end: int) -> bool:
    """Whether a letter, a group or a repeat follows without a space."""
    return source[end : end + 1] not in ("", " ")
