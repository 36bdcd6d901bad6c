"""Bolder forms of a folded text, made only where the text gives a reason. It matches no rule.

Look-alike letters, digits for letters, dots between words, letters set apart one by one, words broken over two lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from memstation.guard.folding import Folded, fold_char, rewrite
from memstation.guard.reasons import Reasons

_LETTER = r"[a-z\x{80}-\x{10ffff}]"
_REASONS = Reasons(
    {
        "digits": r"[a-z][0-9@$]+[a-z]",
        "dots": rf"{_LETTER}{{2}}[._!?]{{1,6}}{_LETTER}{{2,20}}[._!?]{{1,6}}{_LETTER}{{2}}"
        rf"|{_LETTER}{{2}} [._]{{1,6}} {_LETTER}{{2}}"
        rf"|{_LETTER}{{2}} ?[.!?]{{2,6}} {_LETTER}{{2,20}} ?[.!?]{{2,6}} {_LETTER}{{2}}"
        rf"|{_LETTER}{{2}} ?[.!?] {_LETTER}{{2,20}} ?[.!?] {_LETTER}{{2,20}} ?[.!?] {_LETTER}{{2}}",
        "singles": r"(?:^|[^a-z0-9])(?:[a-z0-9@$!][ ._*|/\\~+,:-]{1,3}){4}[a-z0-9@$!]",
        "broken": r"[a-z]{2}-?[ \t]{0,8}\n[ \t]{0,8}[a-z]{2}",
    }
)
_DOTS = re.compile(r"(?<=[a-z\x80-\U0010ffff]) ?[._!?]{1,6} ?(?=[a-z\x80-\U0010ffff])")
_SINGLES = re.compile(r"(?<![a-z0-9])(?:[a-z0-9@$!][ ._\-*|/\\~+,:]{1,3}){4,}[a-z0-9@$!](?![a-z0-9])")
_BROKEN = re.compile(r"(?<=[a-z]{2})-?[ \t]{0,8}\n[ \t]{0,8}(?=[a-z]{2})")
_DIGITS = str.maketrans("013456789@$", "oieasgtbgas")
_DIGITS_L = str.maketrans("013456789@$", "oleasgtbgas")


@cache
def lookalikes() -> dict[int, str]:
    """Characters that look like an ASCII letter or digit, with it."""
    table: dict[int, str] = {}
    for line in (files("memstation.guard") / "lookalikes.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        target, _, alike = line.partition(" ")
        for char in (*alike, *map(fold_char, alike)):
            if len(char) == 1 and not char.isascii():
                table.setdefault(ord(char), target)
    return table


def bolder(form: Folded) -> Iterator[Folded]:
    """The bolder forms of a text that it gives reason for."""
    if not form.text.isascii():
        alike = form.text.translate(lookalikes())
        if alike != form.text:
            form = Folded(alike, "folded", form.starts, form.ends)
            yield form
    reasons = _REASONS.of(form.text)
    if not reasons:
        return
    readings = [form]
    if "digits" in reasons:
        texts = dict.fromkeys(form.text.translate(table) for table in (_DIGITS, _DIGITS_L))
        readings += [Folded(text, "folded", form.starts, form.ends) for text in texts]
        yield from readings[1:]
    for read in readings:
        if "dots" in reasons:
            yield rewrite(read, _DOTS, lambda old: " ")
        if "singles" in reasons:
            drawn = rewrite(read, _SINGLES, _draw_together)
            yield Folded(drawn.text, "folded", drawn.starts, drawn.ends, spaced=False)
    if "broken" in reasons:
        yield rewrite(form, _BROKEN, lambda old: "")


def _draw_together(run: str) -> list[str]:
    return [char.translate(_DIGITS) if char.isalnum() or char in "@$" else "" for char in run]
