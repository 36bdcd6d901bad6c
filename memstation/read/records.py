"""From columns of `memories` to `FactRecord`, every column by its name. It must not query."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from memstation.domain.instants import from_text
from memstation.domain.memory import Confirmation, FactRecord, State

RECORD_SQL = """id, agent_id, content, timestamp, tags, created_at, layer, importance, access_count,
    last_accessed, source_event, valid_from, valid_until, superseded_by, supersedes, subject, predicate, object,
    confidence, metadata, origin, origin_trust, derived_from, ingested_at, invalidated_by_event, invalidated_at,
    quarantined, n, seq, role, asserted_from, asserted_until, asserted_trust"""
"""The select list that `record_of` takes."""


def moment(text: str | None) -> datetime | None:
    """The instant of a stored text; None for none."""
    return None if text is None else from_text(text)


def state_at(role: str, valid_from: str, valid_until: str | None, now: str) -> State:
    """What a shown row is at a moment; instants are stored text."""
    if role == "held":
        return "held"
    if role == "withdrawn":
        return "withdrawn"
    if valid_until is not None and (valid_until <= now or valid_until <= valid_from):
        return "closed"
    return "scheduled" if valid_from > now else "current"


def texts(stored: str | None) -> tuple[str, ...]:
    """The texts of a stored JSON list; what another program left there and is no such list counts as empty."""
    if not stored or stored == "[]":
        return ()
    try:
        found = json.loads(stored)
    except ValueError:
        return ()
    return tuple(str(item) for item in found) if isinstance(found, list) else ()


def mapping(stored: str | None) -> Mapping[str, Any]:
    """The stored JSON object; empty where another program left something else."""
    if not stored or stored == "{}":
        return {}
    try:
        found = json.loads(stored)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def record_of(
    row: Sequence[Any], now: str, told: tuple[Confirmation, ...] = (), asked: str | None = None
) -> FactRecord:
    """Make a record from the columns of `RECORD_SQL`.

    Args:
        row: the columns.
        now: the present as stored text, for `state`.
        told: the confirmations to show, newest first.
        asked: the id that was asked for, where it is another's.
    """
    (
        id_, agent_id, content, timestamp, tags, created_at, layer, importance, access_count, last_accessed,
        source_event, valid_from, valid_until, superseded_by, supersedes, subject, predicate, object_, confidence,
        metadata, origin, origin_trust, derived_from, ingested_at, invalidated_by_event, invalidated_at,
        quarantined, n, seq, role, asserted_from, asserted_until, asserted_trust,
    ) = row[:33]  # fmt: skip
    return FactRecord(
        id=id_,
        agent_id=agent_id,
        content=content,
        timestamp=from_text(timestamp),
        tags=texts(tags),
        created_at=from_text(created_at),
        layer=layer,
        importance=importance,
        access_count=access_count,
        last_accessed=moment(last_accessed),
        source_event=source_event or "",
        valid_from=from_text(valid_from),
        valid_until=moment(valid_until),
        superseded_by=superseded_by,
        supersedes=supersedes,
        subject=subject,
        predicate=predicate,
        object=object_,
        confidence=confidence,
        metadata=mapping(metadata),
        origin=origin,
        origin_trust=origin_trust,
        derived_from=texts(derived_from),
        ingested_at=from_text(ingested_at),
        invalidated_by_event=invalidated_by_event,
        invalidated_at=moment(invalidated_at),
        quarantined=bool(quarantined),
        n=n,
        seq=seq,
        role=role,
        asserted_from=from_text(asserted_from),
        asserted_until=moment(asserted_until),
        asserted_trust=asserted_trust,
        state=state_at(role, valid_from, valid_until, now),
        reaffirmed_by=told,
        asked=asked,
    )
