"""Safe runs as textual's `Content`, coloured by role. It must never make markup: a role is a theme variable's name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.content import Content

from memstation.station.render.cells import Run, runs
from memstation.station.render.safe import Safe

ROLES = (
    "text", "muted", "key", "current", "scheduled", "closed", "held", "withdrawn", "tainted",
    "added", "removed", "changed", "warning", "marked", "line", "token", "strong", "past", "danger",
)  # fmt: skip
"""Every role; the theme's variables for it are ``$mem-<role>``, ``$mem-<role>-style``, and both in ``-ink``."""


def style_of(role: str) -> str:
    """The style, as a theme variable, that a role stands for. Plain text has none of its own."""
    return "" if not role or role == "text" else f"$mem-{role}-ink"


def content(parts: Iterable[Run]) -> Content:
    """One piece of content from runs."""
    return Content.assemble(*((text, style_of(role)) if style_of(role) else text for text, role in parts))


def lines(rows: Sequence[Sequence[Run]]) -> Content:
    """Many lines, each made of runs."""
    joined: list[Run] = []
    for number, row in enumerate(rows):
        if number:
            joined.append((Safe("\n"), ""))
        joined.extend(row)
    return content(joined)


def word(text: Safe, role: str = "") -> Content:
    """Safe text in one role."""
    return content([(text, role)])


def stored(text: str | None, role: str = "", *, lines: bool = False) -> Content:
    """Stored text as content; what stands for hidden characters has the role of tokens."""
    return content(runs(text, role, lines=lines))
