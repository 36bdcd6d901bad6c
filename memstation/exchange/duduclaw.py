"""The memories of the seed's system as statements. It must not write, and carries nothing over silently changed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from memstation.domain.decisions import Claim, Mark, Order
from memstation.domain.errors import InvalidInput, MemstationError, Refused
from memstation.domain.instants import as_instant, to_text
from memstation.domain.memory import LAYERS
from memstation.domain.names import is_blank
from memstation.domain.origins import ceiling
from memstation.exchange.checking import uncapped
from memstation.exchange.duduclaw_file import Row, SeedFile
from memstation.exchange.jsonlines import Told
from memstation.exchange.overflow import Rowids
from memstation.guard import shape

WITHDRAWING = ("origin_purge", "quarantine_reject")
"""Events by which that system took a memory out of use."""
EMPTY_WINDOW = "holds at no instant"
AS_FOUND = "as_found"
"""Key of the metadata under which text is kept that could not be read as what it should be."""

_NOT_CARRIED = ("key_facts", "memories_archive", "entity_embedding")


class SeedMemories:
    """An open file of that system as a source of statements."""

    def __init__(self, file: SeedFile, *, owner: str | None = None, name: str | None = None) -> None:
        """Read `file`; `owner` is the agent to whom memories without one go, `name` the file's own name.

        Raises:
            InvalidInput: it is not one of that system.
            Refused: memories have no owner, and none is named.
        """
        file.check()
        self._file = file
        self._owner = None if owner is None else shape.agent_of(owner)
        self.name = name or file.path.name
        ownerless = file.ownerless()
        if ownerless and self._owner is None:
            raise Refused(
                "Memories have no owner", "{count:,} of them belong to no agent in {path}",
                "--owner NAME gives them to an agent, and the log says so", count=ownerless, path=self.name,
            )  # fmt: skip
        if ownerless:
            self.name += f" ({ownerless:,} without an owner given to {self._owner})"
        self.repaired = 0
        self._odd: Counter[str] = Counter()
        self._order: Rowids | None = None

    def left_out(self) -> tuple[tuple[str, int], ...]:
        """Rows of tables that are not carried, and fields that were kept as found."""
        tables = ((table, self._file.count(table)) for table in _NOT_CARRIED)
        return (*((table, count) for table, count in tables if count), *sorted(self._odd.items()))

    def statements(self) -> Iterator[tuple[str, Told]]:
        """Each memory with its confirmations and marks, in the order in which they were learned; then the names.

        Raises:
            InvalidInput: a memory cannot be read; its id is in the title.
        """
        self.repaired = 0
        self._odd.clear()
        for row in self._file.memories(self._ordered()):
            place = f"memory {row['id']!r}"
            try:
                told = self._told(row)
            except MemstationError as error:
                raise _refusal(place, error) from error
            for statement in told:
                yield place, statement
        for row in self._file.aliases():
            place = f"alias {row['alias']!r}"
            try:
                yield place, _alias(row, self._agent(row))
            except MemstationError as error:
                raise _refusal(place, error) from error

    def successors(self) -> Iterator[tuple[str, str | None]]:
        """Each memory with the one that supersedes it in the file."""
        for row in self._file.memories(self._ordered()):
            yield row["id"], row.get("superseded_by") or None

    def _ordered(self) -> Iterable[int]:
        """Rowids in the order in which the memories were learned."""
        if self._order is None:
            self._order = Rowids(self._keys())
        return self._order

    def _keys(self) -> Iterator[tuple[str, int]]:
        for row in self._file.order_keys():
            try:
                yield _learned(row), row["rowid"]
            except MemstationError as error:
                raise _refusal(f"memory {row['id']!r}", error) from error

    # -- one memory ---------------------------------------------------------------------------------------------

    def _told(self, row: Row) -> list[Told]:
        """A memory, who told the same, and the marks that it carries in that system."""
        claim = self._claim(row)
        metadata = json.loads(claim.metadata)
        again: list[Claim] = []
        # A memory without a triple is alone on its line, where nothing can confirm it.
        if not is_blank(claim.subject) and not is_blank(claim.predicate) and "reaffirmed_by" in metadata:
            again = self._confirming(claim, metadata.pop("reaffirmed_by"))
        claim, marks = _ended(row, claim, metadata)
        claims = [claim, *(replace(other, asserted_until=claim.asserted_until) for other in again)]
        # What is held or withdrawn there stays so: a confirmation must not bring it back.
        return [*claims, *(replace(mark, id=one.id) for one in claims for mark in marks)]

    def _claim(self, row: Row) -> Claim:
        texts = [value for value in row.values() if isinstance(value, str)]
        self.repaired += any("\ufffd" in text or shape.repaired(text) != text for text in texts)
        stamp = time_of(row, "timestamp")
        assert stamp is not None
        layer = row.get("layer") or "episodic"
        if layer not in LAYERS:
            self._odd["unknown layers, taken as episodic"] += 1
            layer = "episodic"
        metadata = self._metadata(row)
        tags = self._list(row, "tags", metadata)
        derived = self._list(row, "derived_from", metadata)
        embedding = row.get("embedding")
        used = row.get("access_count")
        return Claim(
            id=shape.text_of(row["id"], "id", shape.NAME_CHARS, blank=False),
            agent_id=self._agent(row),
            content=shape.text_of(row["content"], "content", shape.CONTENT_CHARS),
            asserted_from=time_of(row, "valid_from") or stamp,
            asserted_trust=self._number(row, "origin_trust", 1.0, 1),
            subject=shape.name_of(row.get("subject"), "subject"),
            predicate=shape.name_of(row.get("predicate"), "predicate"),
            object=shape.name_of(row.get("object"), "object"),
            origin=shape.name_of(row.get("origin"), "origin"),
            tags=shape.tags_of(tags),
            layer=layer,
            importance=self._number(row, "importance", 5.0, 10),
            confidence=self._number(row, "confidence", 1.0, 1),
            source_event=shape.text_of(row.get("source_event") or "", "source event", shape.NAME_CHARS),
            metadata=shape.metadata_of(metadata),
            derived_from=shape.sources_of(derived),
            ingested_at=_learned(row),
            timestamp=stamp,
            created_at=time_of(row, "created_at"),
            access_count=used if isinstance(used, int) and used > 0 else 0,
            last_accessed=time_of(row, "last_accessed"),
            embedding=embedding if isinstance(embedding, bytes) else None,
            embedding_model=shape.name_of(row.get("embedding_model"), "embedding model"),
        )

    def _agent(self, row: Row) -> str:
        return shape.agent_of(self._owner if self._owner is not None and is_blank(row["agent_id"]) else row["agent_id"])

    def _number(self, row: Row, name: str, default: float, most: float) -> float:
        value = row.get(name)
        if value is None:
            return default
        if not isinstance(value, int | float):
            raise InvalidInput("The {name} is not a number", "{value!r} is there", name=name, value=value)
        if not 0 <= value <= most:
            self._odd[f"{name} out of range, taken as the nearest"] += 1
        return float(min(max(value, 0.0), most))

    def _metadata(self, row: Row) -> dict[str, Any]:
        text = row.get("metadata") or "{}"
        value = _json(text)
        if isinstance(value, dict):
            return value
        self._odd["metadata kept as found"] += 1
        return {AS_FOUND: {"metadata": str(text)}}

    def _list(self, row: Row, name: str, metadata: dict[str, Any]) -> list[str]:
        """A column that holds a list of texts; what is something else goes into the metadata."""
        text = row.get(name) or "[]"
        value = _json(text)
        if isinstance(value, list) and all(isinstance(item, str) and item.strip() for item in value):
            return value
        self._odd[f"{name} kept as found"] += 1
        metadata.setdefault(AS_FOUND, {})[name] = str(text)
        return []

    def _confirming(self, claim: Claim, entries: Any) -> list[Claim]:
        """A claim for each entry of `reaffirmed_by`: who told the same. When, that system did not keep."""
        if not isinstance(entries, list):
            self._odd["evidence entries that cannot be read"] += 1
            return []
        claims = []
        for k, entry in enumerate(entries, 1):
            fields = {"source_event": entry} if isinstance(entry, str) else entry
            if not isinstance(fields, dict):
                self._odd["evidence entries that cannot be read"] += 1
                continue
            origin = shape.name_of(fields.get("origin"), "origin")
            event = shape.text_of(fields.get("source_event") or "", "source event", shape.NAME_CHARS)
            claims.append(
                replace(
                    claim, id=f"{claim.id}:confirms:{k}", origin=origin, source_event=event, metadata="{}",
                    asserted_trust=min(ceiling(origin), claim.asserted_trust), derived_from=(), access_count=0,
                    last_accessed=None, embedding=None, embedding_model=None,
                )
            )  # fmt: skip
        return claims


def _ended(row: Row, claim: Claim, metadata: dict[str, Any]) -> tuple[Claim, list[Mark]]:
    """The end that was stated, and the marks; an end that came from a successor is not stated."""
    until, at = time_of(row, "valid_until"), time_of(row, "invalidated_at")
    event = shape.name_of(row.get("invalidated_by_event"), "event")
    start, learned = claim.asserted_from or "", claim.ingested_at
    marks: list[Mark] = []
    if row.get("quarantined"):
        marks.append(Mark(claim.id, "held", "restored", at=learned))
    if event in WITHDRAWING:
        denied = event == "quarantine_reject" and bool(marks)
        marks.append(Mark(claim.id, "denied" if denied else "withdrawn", event, at=at or until or learned))
        until = None
    elif row.get("superseded_by"):
        # Two starts within a microsecond are equal here; what was told later holds, so nothing is lost.
        if until is not None and until < start:
            marks.append(Mark(claim.id, "withdrawn", EMPTY_WINDOW, at=at or learned))
        until = None
    elif until is not None and until <= start:
        marks.append(Mark(claim.id, "withdrawn", EMPTY_WINDOW, at=at or learned))
        until = None
    elif until is not None and event is not None:
        metadata["invalidated_by_event"] = event
        if at not in (None, until):
            metadata["invalidated_at"] = at
    return replace(claim, asserted_until=until, metadata=shape.metadata_of(metadata)), marks


def _alias(row: Row, agent_id: str) -> Order:
    return Order(
        "alias", "joined", agent_id, subject=shape.name_of(row["alias"], "alias"),
        value=shape.name_of(row["canonical"], "name"), at=time_of(row, "created_at"),
    )  # fmt: skip


def _learned(row: Row) -> str:
    for name in ("ingested_at", "created_at", "timestamp"):
        moment = time_of(row, name)
        if moment is not None:
            return moment
    raise InvalidInput("It has no time", "timestamp is empty")


def time_of(row: Row, name: str) -> str | None:
    """An instant of a row as stored text; None where it has none. InvalidInput where it cannot be read."""
    value = row.get(name)
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise InvalidInput("The {name} is not a time", "{value!r} is there", name=name, value=value)
    return to_text(as_instant(value, name))


def _json(text: Any) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return None


def _refusal(place: str, error: MemstationError) -> InvalidInput:
    return InvalidInput(
        "{place} cannot be read", "{title}: {detail}", "{hint}",
        place=place[0].upper() + place[1:], title=uncapped(error.title), detail=error.detail, hint=error.hint,
    )  # fmt: skip
