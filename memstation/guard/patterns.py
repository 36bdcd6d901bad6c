"""The language in which rules are written, turned into RE2 expressions. It knows no rule of its own.

A pattern is an RE2 expression over folded text, with four words of its own: ``<name>`` is a piece of the pack, a space
is whatever separates words within a sentence, ``~3`` lets up to three words pass (characters, in scripts without
spaces), and ``@`` is the rest of a word. RE2 runs in time linear in the text: it has no backtracking.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from memstation.guard.folding import fold_char

_HIGH = r"\x{80}-\x{10ffff}"
_WORD = f"[0-9a-z_'{_HIGH}-]+"
_BETWEEN = f"[^0-9a-z_{_HIGH}.!?]{{1,4}}"
_EDGE = f"[^0-9a-z_{_HIGH}]"
_LOOSE = r"[^0-9a-z\x{80}-\x{10ffff}.!?]{0,3}"
_TOKEN = re.compile(r"\\.|<([a-z_0-9]+)>| ?~(\d+) ?|\[(?:\\.|[^\]\\])*\]|[()]|[ @]|.", re.S)


def fold_source(source: str) -> str:
    """A pattern with its letters folded as the text's are; signs that mean something to RE2 are ASCII and stay."""
    return "".join(char if char.isascii() else fold_char(char) for char in source)


def expand(source: str, pieces: Mapping[str, str], spaced: bool, step: int = 1) -> str:
    """The RE2 expression of a pattern, without edges.

    Args:
        source: the pattern.
        pieces: the pack's pieces, as written.
        spaced: whether words are separated in the text.
        step: where they are not, the characters that ``~1`` lets pass.

    Raises:
        KeyError: a piece that the pack does not have.
    """
    between = _BETWEEN if spaced else _LOOSE
    out: list[str] = []
    for match in _TOKEN.finditer(fold_source(source)):
        token = match.group()
        if match.group(1):
            out.append(piece(match.group(1), pieces, spaced, step))
        elif match.group(2):
            most = int(match.group(2))
            left = between if token.startswith(" ") or token.endswith(" ") else ""
            any_words = f"(?:{_WORD}{between}){{0,{most}}}"
            out.append(left + any_words if spaced else f"[^.!?\\n]{{0,{most * step}}}")
        elif token == " ":
            out.append(between)
        elif token == "@":
            out.append(f"[0-9a-z_{_HIGH}]*" if spaced else "")
        else:
            out.append(token)
    return "".join(out)


def piece(name: str, pieces: Mapping[str, str], spaced: bool, step: int = 1) -> str:
    """A piece as one group. Its alternatives may be written over several lines."""
    parts = [part.strip() for part in _alternatives(pieces[name])]
    return "(?:" + "|".join(expand(" ".join(part.split()), pieces, spaced, step) for part in parts if part) + ")"


def _alternatives(text: str) -> list[str]:
    """The alternatives at the top of a piece."""
    parts = [""]
    depth = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if char == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def needed(source: str) -> list[str]:
    """The pieces without which the pattern cannot match: those outside every group, not optional."""
    names = []
    depth = 0
    for match in _TOKEN.finditer(source):
        depth += (match.group() == "(") - (match.group() == ")")
        if match.group(1) and depth == 0 and source[match.end() : match.end() + 1] not in ("?", "*", "{"):
            names.append(match.group(1))
    return names


def edged(expression: str, spaced: bool) -> str:
    """The expression between edges of words. The match may take in one character on either side."""
    return f"(?:^|{_EDGE})(?:{expression})(?:$|{_EDGE})" if spaced else f"(?:{expression})"


def compiled(expression: str) -> Any:
    """The expression as RE2's, for UTF-8 bytes.

    Raises:
        re2.error: RE2 cannot read it.
    """
    import re2

    return re2.compile(expression.encode(), options())


def options() -> Any:
    """How expressions are read: no captures, 32 MB for the states of one of them."""
    import re2

    chosen = re2.Options()
    chosen.max_mem = 1 << 25
    chosen.never_capture = True
    chosen.log_errors = False
    return chosen
