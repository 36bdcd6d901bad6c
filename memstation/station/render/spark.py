"""Small charts of counts, one cell a day. It must not import textual."""

from __future__ import annotations

from collections.abc import Sequence

from memstation.station.render.glyphs import GlyphSet
from memstation.station.render.safe import Safe

DIGITS = "0123456789"


def sparkline(counts: Sequence[int], glyphs: GlyphSet) -> Safe:
    """One cell a count, oldest first. The lowest bar is nothing; anything above nothing is higher than it."""
    return levels(counts, glyphs.bars)


def levels(counts: Sequence[int], scale: str) -> Safe:
    """The counts on a scale of characters, from nothing to the highest count."""
    top = max(counts, default=0)
    steps = len(scale) - 1
    return Safe("".join(scale[0 if count <= 0 else max(1, round(count * steps / top))] for count in counts))
