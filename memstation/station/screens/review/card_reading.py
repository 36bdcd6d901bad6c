"""Reads the card of one memory, held or decided, with its text compared. It must not touch a widget."""

from __future__ import annotations

from memstation.domain.decisions import Effects
from memstation.domain.findings import Scan
from memstation.read.review_rows import HeldCard
from memstation.station.render.held_card import Looked
from memstation.station.render.held_text import compared
from memstation.station.services import Engine

NOTHING = Effects((), (), (), (), {}, tuple, str)
"""The effects of a verdict on what does not wait any more."""


def read_card(engine: Engine, memory_id: str) -> Looked | None:
    """The card of a memory with its text compared. Call it in a thread.

    Raises:
        MemstationError: it cannot be read.
    """
    card = engine.held_card(memory_id)
    if card is None:
        parts = engine.reader.held(memory_id)
        if parts is None:
            return None
        card = HeldCard(
            row=parts.row, record=parts.record, holds=parts.holds, why=parts.why, scan=Scan(),
            made_from=parts.made_from, unknown_sources=parts.unknown_sources, twins=parts.twins, told=parts.told,
            approve=NOTHING, deny=NOTHING, asks=(),
        )  # fmt: skip
    return Looked(card, compared(None if card.holds is None else card.holds.content, card.record.content))
