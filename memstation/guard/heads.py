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
            heads = self._of_one(" ".join(part.split()))
            if heads is None:
                return None
            found |= heads
        return found

    def _of_one(self, source: str) -> set[str] | None:
        """The heads of a part without alternatives at its top. ``all␣`` says that the word ends there."""
        if self._spaced and _PLAIN.fullmatch(source):
            return _of_plain(source)
        prefix, at = "", 0
        while at < len(source):
            char = source[at]
            if char in "(<":
                return self._of_group(source, at, prefix)
            if not _LITERAL.match(char) or source[at + 1 : at + 2] in _OPTIONAL:
                whole = char == " " and prefix
                return {prefix + " "} if whole else {prefix} if prefix else None
            prefix += char
            at += 1
        return {prefix + " "} if prefix else None

    def _of_group(self, source: str, at: int, prefix: str) -> set[str] | None:
        """The heads where a group or piece follows a beginning, or begins the part itself."""
        if prefix:
            return {prefix}
        end, inside = self._group(source, at)
        after = source[end : end + 1]
        if inside is None or after == "{":
            return None
        if after in ("?", "*"):
            rest = self._of_one(source[end + 1 :])
            return None if rest is None else inside | rest
        return inside

    def _group(self, source: str, at: int) -> tuple[int, set[str] | None]:
        """Where the group or piece that begins here ends, and its heads."""
        if source[at] == "<":
            end = source.index(">", at) + 1
            name = source[at + 1 : end - 1]
            if name not in self._ready:
                found = self._of(fold_source(self._pieces[name]))
                self._ready[name] = None if found is None else frozenset(found)
            ready = self._ready[name]
            inside = None if ready is None else set(ready)
        else:
            end = _end_of_group(source, at)
            inside = self._of(source[at + 1 : end - 1].removeprefix("?:"))
        if inside is not None and source[end : end + 1] not in ("", " "):
            # A letter, a group or a repeat follows: the last word may go on.
            inside = {head.rstrip(" ") for head in inside}
        return end, inside


_OPTIONAL = ("?", "*", "{")
_PLAIN = re.compile(r"(?:[0-9a-z\x80-\U0010ffff]\??|[ '-]\??)+")
_JOINT = re.compile(r"[ '-]\?")


def _of_plain(source: str) -> set[str] | None:
    """The heads of words without groups: the longest word, for each way to read what is optional between words."""
    joint = _JOINT.search(source)
    if joint is not None:
        before, after = source[: joint.start()], source[joint.end() :]
        apart, together = _of_plain(f"{before} {after}"), _of_plain(before + after)
        return None if apart is None or together is None else apart | together
    words = [_head_of_word(word) for word in re.split(r"[ '-]+", source) if word]
    best = max(words, key=len, default="")
    return {best} if best.strip() else None


def _head_of_word(word: str) -> str:
    """The word as far as all its letters are sure, with a blank where it is sure to end."""
    at = word.find("?")
    return word + " " if at < 0 else word[: at - 1]


def _end_of_group(source: str, at: int) -> int:
    depth = 0
    while at < len(source):
        depth += (source[at] == "(") - (source[at] == ")")
        at += 2 if source[at] == "\\" else 1
        if depth == 0:
            break
    return at
