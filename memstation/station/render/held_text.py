"""The text of a held memory against what holds now, with what the rules matched. It must not import textual."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

from memstation.domain.findings import Finding, Scan
from memstation.station.render.cells import Run, runs
from memstation.station.render.safe import Safe
from memstation.station.render.word_diff import Piece, word_diff
from memstation.station.words import _, counted

Span: TypeAlias = tuple[int, int]
MOST = 4_000
"""Characters of a text that are compared and shown; the rest is counted."""
QUOTED = 60
"""Characters of a matched span that are quoted."""
MATCHED = "warning"
"""The role of what a rule matched; the rule is named beside it, too."""


def compared(old: str | None, new: str) -> list[Piece]:
    """The pieces of a comparison, of the beginnings of long texts. May take milliseconds: call it in a thread."""
    if old is None or old == new:
        return [Piece("same", new[:MOST], 0)]
    return word_diff(old[:MOST], new[:MOST])


def text_runs(pieces: Sequence[Piece], spans: Sequence[Span], length: int) -> list[Run]:
    """The words in one paragraph: ``[-old-] {+new+}``, matched spans in the colour of a warning.

    Args:
        pieces: from `compared`.
        spans: places in the new text.
        length: of the whole new text.
    """
    parts: list[Run] = []
    for place, piece in enumerate(pieces):
        if piece.kind == "gone":
            parts += _bracketed("[-", runs(piece.text, "removed"), "-]")
            if place + 1 < len(pieces) and pieces[place + 1].kind == "new":
                parts.append((Safe(" "), ""))
            continue
        inside = _spanned(piece, spans, "added" if piece.kind == "new" else "")
        parts += _bracketed("{+", inside, "+}") if piece.kind == "new" else inside
    if length > MOST:
        more = counted(" .. and {n} character more", " .. and {n} characters more", length - MOST)
        parts.append((more, "muted"))
    return parts


def _bracketed(before: str, inside: list[Run], after: str) -> list[Run]:
    """The brackets in the runs that they enclose: a line must not break between them."""
    first, role = inside[0]
    return glued([(Safe(before + first), role), *inside[1:]], after)


def glued(parts: Sequence[Run], sign: str) -> list[Run]:
    """The runs with a sign at their end that no line break can part from them."""
    last, role = parts[-1]
    return [*parts[:-1], (Safe(last + sign), role)]


def _spanned(piece: Piece, spans: Sequence[Span], role: str) -> list[Run]:
    """One piece, cut where matched spans begin and end."""
    end = piece.start + len(piece.text)
    cuts = {piece.start, end}
    for span in spans:
        cuts |= {place for place in span if piece.start < place < end}
    parts: list[Run] = []
    edges = sorted(cuts)
    for here, there in pairwise(edges):
        is_matched = any(start <= here < stop for start, stop in spans)
        parts += runs(piece.text[here - piece.start : there - piece.start], MATCHED if is_matched else role)
    return parts


def spans_in(scan: Scan, where: str) -> list[Span]:
    """The places in one of the texts that rules matched."""
    return [(found.start, found.end) for found in scan.findings if found.where == where]


def value_runs(value: str, scan: Scan, where: str, most: int = 400) -> list[Run]:
    """A value in one line, matched spans in the colour of a warning."""
    return _spanned(Piece("same", value[:most], 0), spans_in(scan, where), "strong")


def hidden_runs(scan: Scan) -> list[Run]:
    """``4 that cannot be seen: U+200B x3, U+202E``; nothing where there are none."""
    if not scan.hidden:
        return []
    total = sum(scan.hidden.values())
    named = ", ".join(f"{name} x{count}" if count > 1 else name for name, count in sorted(scan.hidden.items()))
    words = counted("{n} character that cannot be seen: ", "{n} characters that cannot be seen: ", total)
    return [(words, "warning"), *runs(named, "token")]


def finding_runs(found: Finding, texts: dict[str, str]) -> list[Run]:
    """``instruction override: "ignore all previous"``, how it was seen where that is not plain, the rule's name."""
    text = texts.get(found.where, "")[found.start : found.end]
    parts: list[Run] = [*runs(found.family, "warning")]
    if text:
        quoted = text if len(text) <= QUOTED else text[:QUOTED]
        parts += [(Safe(': "'), "muted"), *runs(quoted, MATCHED), (Safe('"' if quoted == text else '.."'), "muted")]
    if found.form == "folded":
        parts.append((_(" (in disguise)"), "muted"))
    elif found.form == "decoded":
        parts.append((_(" (encoded)"), "muted"))
    return [*parts, (Safe("  "), ""), *runs(found.rule, "muted")]
