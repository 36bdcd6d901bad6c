"""The language in which rules are written, turned into RE2 expressions. It knows no rule of its own.

A pattern is an RE2 expression over folded text, with words of its own: ``<name>`` is a piece of the pack, a space is
whatever separates words within a sentence, ``~3`` lets up to three words pass (characters, in scripts without spaces),
``~~`` lets up to 160 characters pass, ends of sentences too, ``@`` is the rest of a word, and ``^`` at the beginning is
the start of a sentence. RE2 runs in time linear in the text: it has no backtracking.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from memstation.guard.folding import fold_char

_HIGH = r"\x{80}-\x{10ffff}"
_WORD = f"[0-9a-z_'{_HIGH}-]+"
_BETWEEN = f"(?:[^0-9a-z_{_HIGH}.!?]{{1,4}})"
_EDGE = f"[^0-9a-z_{_HIGH}]"
_SENTENCE = r"[.!?:;,\n\"'()\[\]{}<>*#|=-]"
_LOOSE = r"(?:[^0-9a-z\x{80}-\x{10ffff}.!?]{0,3})"
_TOKEN = re.compile(r"\\.|<([a-z_0-9]+)>| ?~(\d+) ?| ?(~~) ?|\[(?:\\.|[^\]\\])*\]|[()]|[ @]|[^\\<~\[() @]+|.", re.S)


def fold_source(source: str) -> str:
    """A pattern with its letters folded as the text's are; signs that mean something to RE2 are ASCII and stay."""
    return source if source.isascii() else "".join(c if c.isascii() else fold_char(c) for c in source)


class Language:
    """Turns the patterns of one pack into RE2 expressions.

    Args:
        pieces: the pack's pieces, as written.
        spaced: whether words are separated in the text.
        step: where they are not, the characters that ``~1`` lets pass.
    """

    def __init__(self, pieces: Mapping[str, str], spaced: bool, step: int = 1) -> None:
        self._pieces = pieces
        self._spaced = spaced
        self._step = step
        self._between = _BETWEEN if spaced else _LOOSE
        self._ready: dict[str, str] = {}

    def expression(self, source: str) -> str:
        """The RE2 expression of a whole pattern. The match may take in one character on either side.

        Words of the piece `lead` (please, now, and) may stand between the start of a sentence and the pattern.

        Raises:
            KeyError: a piece that the pack does not have.
        """
        source = source.rstrip()
        if not source.startswith("^"):
            return self.edged(self.inner(source))
        lead = f"(?:{self.piece('lead')}{self._between}){{0,3}}" if "lead" in self._pieces else ""
        start = f"(?:^|{_SENTENCE}[^0-9a-z{_HIGH}]{{0,4}}){lead}"
        return f"{start}(?:{self.inner(source[1:])})" + (f"(?:$|{_EDGE})" if self._spaced else "")

    def edged(self, expression: str) -> str:
        """The expression between edges of words."""
        return f"(?:^|{_EDGE})(?:{expression})(?:$|{_EDGE})" if self._spaced else f"(?:{expression})"

    def inner(self, source: str) -> str:
        """The RE2 expression of a part of a pattern."""
        out: list[str] = []
        for match in _TOKEN.finditer(fold_source(source)):
            token = match.group()
            if match.group(1):
                out.append(self.piece(match.group(1)))
            elif match.group(2):
                out.append(self._gap(token, int(match.group(2))))
            elif match.group(3):
                out.append(".{0,160}")
            elif token == " ":
                out.append(self._between)
            elif token == "@":
                out.append(f"[0-9a-z_{_HIGH}]*" if self._spaced else "")
            else:
                out.append(token)
        return "".join(out)

    def _gap(self, token: str, most: int) -> str:
        if not self._spaced:
            return f"[^.!?\\n]{{0,{most * self._step}}}"
        left = self._between if token.startswith(" ") else ""
        return f"{left}(?:{_WORD}{self._between}){{0,{most}}}"

    def piece(self, name: str) -> str:
        """A piece as one group. Its alternatives may be written over several lines."""
        if name not in self._ready:
            parts = (" ".join(part.split()) for part in alternatives(self._pieces[name]))
            self._ready[name] = "(?:" + "|".join(self.inner(part) for part in parts if part) + ")"
        return self._ready[name]


_BAR = re.compile(r"[()|]")


def alternatives(text: str) -> list[str]:
    """The alternatives at the top of a piece."""
    parts = []
    depth = start = 0
    for match in _BAR.finditer(text):
        char = match.group()
        depth += (char == "(") - (char == ")")
        if char == "|" and depth == 0:
            parts.append(text[start : match.start()])
            start = match.end()
    return [*parts, text[start:]]


def parts(source: str) -> list[str]:
    """What a pattern cannot match without: pieces and groups of whole words, and what it begins with."""
    source = source.removeprefix("^").rstrip()
    found: list[str] = [source]
    depth = opened = 0
    for match in _TOKEN.finditer(source):
        token, after = match.group(), source[match.end() : match.end() + 1]
        if token == "(":
            opened = match.start() if depth == 0 else opened
            depth += 1
        elif token == ")":
            depth -= 1
            if depth == 0 and _stands_alone(source, opened, match.end()):
                found.append(source[opened : match.end()] + ("@" if after == "@" else ""))
        elif match.group(1) and depth == 0 and _stands_alone(source, match.start(), match.end()):
            found.append(token + ("@" if after == "@" else ""))
    return found


def _stands_alone(source: str, start: int, end: int) -> bool:
    """Whether the part is neither optional nor repeated nor a part of a word."""
    return source[end : end + 1] in ("", " ", "@") and source[start - 1 : start] in ("", " ")


def compiled(expression: str) -> Any:
    """The expression as RE2's, for UTF-8 bytes.

    Raises:
        re2.error: RE2 cannot read it.
    """
    import re2

    return re2.compile(expression.encode(), options())


def any_of(stretches: Iterable[str]) -> Any:
    """Finds any of some stretches of text in UTF-8 bytes; with none, the empty one, which is everywhere."""
    import re2

    return compiled("|".join(re2.escape(stretch) for stretch in stretches))


def options() -> Any:
    """How expressions are read: no captures, 32 MB for the states of one of them."""
    import re2

    chosen = re2.Options()
    chosen.max_mem = 1 << 25
    chosen.never_capture = True
    chosen.log_errors = False
    return chosen
