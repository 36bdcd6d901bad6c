"""Statements as lines of JSON, and lines as statements. It must not open a file, nor know a store.

Each line is an object with a `kind`; its other keys are the fields of `domain.decisions` by their own names (a mark's
kind is called `mark`). A field that has its default is left out.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any, TypeAlias, get_args

from memstation.domain.decisions import Claim, End, Mark, MarkKind, Order, OrderKind
from memstation.domain.errors import InvalidInput
from memstation.domain.heads import StoreHead
from memstation.domain.instants import as_instant, to_text
from memstation.exchange.plain_json import one_line
from memstation.guard import shape

Told: TypeAlias = Claim | End | Mark | Order

FORMAT = 1
LEFT_OUT = ("log", "decisions taken back")
"""What an export never carries; named in its first line."""

_TEXT, _NAME = shape.CONTENT_CHARS, shape.NAME_CHARS


def header(store: str, head: StoreHead) -> str:
    """The first line of a file: whose state it is, and after which decision."""
    newest = {"seq": head.seq, "hash": head.hash}
    return one_line({"kind": "memstation", "format": FORMAT, "left_out": LEFT_OUT, "store": store, "head": newest})


def check_header(fields: Mapping[str, Any]) -> None:
    """Refuse a first line that is not ours, or of a format from the future.

    Raises:
        InvalidInput: says which.
    """
    number = fields.get("format")
    if fields.get("kind") != "memstation" or isinstance(number, bool) or not isinstance(number, int):
        raise InvalidInput("This is not an export of memstation", 'the first line must be {"kind":"memstation", ..}')
    if number != FORMAT:
        raise InvalidInput(
            "The file is of another format",
            "{number} is there, {known} is known",
            "pip install -U memstation",
            number=number,
            known=FORMAT,
        )


# -- out ------------------------------------------------------------------------------------------------------------


def line_of(told: Told) -> str:
    """A statement as a line, without its line break."""
    match told:
        case Claim():
            return one_line(_claim_fields(told))
        case End():
            return one_line(_without_defaults({
                "kind": "end", "id": told.id, "agent_id": told.agent_id, "content": told.content, "at": told.at,
                "of": told.of, "subject": told.subject, "predicate": told.predicate, "object": told.object,
                "origin": told.origin, "source_event": told.source_event, "ingested_at": told.ingested_at,
            }))  # fmt: skip
        case Mark():
            return one_line(_without_defaults({
                "kind": "mark", "id": told.id, "mark": told.kind, "reason": told.reason, "value": told.value,
                "at": told.at,
            }))  # fmt: skip
        case Order():
            return one_line(_without_defaults({
                "kind": "order", "about": told.about, "verdict": told.verdict, "agent_id": told.agent_id,
                "subject": told.subject, "predicate": told.predicate, "value": told.value, "number": told.number,
                "at": told.at,
            }))  # fmt: skip


_DEFAULTS: dict[str, object] = {
    "asserted_trust": 1.0, "layer": "episodic", "importance": 5.0, "confidence": 1.0, "source_event": "", "reason": "",
    "access_count": 0,
}  # fmt: skip


def _without_defaults(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None and value != _DEFAULTS.get(name)}


def _claim_fields(claim: Claim) -> dict[str, Any]:
    stamp = claim.timestamp or claim.ingested_at
    embedding = claim.embedding
    return _without_defaults({
        "kind": "claim", "id": claim.id, "agent_id": claim.agent_id, "content": claim.content,
        "subject": claim.subject, "predicate": claim.predicate, "object": claim.object,
        "asserted_from": claim.asserted_from, "asserted_until": claim.asserted_until,
        "asserted_trust": claim.asserted_trust, "origin": claim.origin, "source_event": claim.source_event,
        "tags": list(claim.tags) or None, "layer": claim.layer, "importance": claim.importance,
        "confidence": claim.confidence, "metadata": None if claim.metadata == "{}" else json.loads(claim.metadata),
        "derived_from": list(claim.derived_from) or None, "ingested_at": claim.ingested_at,
        "timestamp": None if stamp == claim.ingested_at else stamp,
        "created_at": None if claim.created_at in (None, stamp) else claim.created_at,
        "access_count": claim.access_count, "last_accessed": claim.last_accessed,
        "embedding": None if embedding is None else base64.b64encode(embedding).decode(),
        "embedding_model": claim.embedding_model,
    })  # fmt: skip


# -- in -------------------------------------------------------------------------------------------------------------


def _text(what: str, most: int = _NAME, *, blank: bool = True) -> Callable[[Any], str]:
    return lambda value: shape.text_of(value, what, most, blank=blank)


def _name(what: str) -> Callable[[Any], str | None]:
    return lambda value: shape.name_of(value, what)


_STORED = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00", re.ASCII)
"""The shape of stored instants, which need no more than a check of their numbers."""


def _time(what: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise InvalidInput("The {what} is not a time", "{kind} was given", what=what, kind=type(value).__name__)
        if _STORED.fullmatch(value):
            with suppress(ValueError):
                datetime.fromisoformat(value)
                return value
        return to_text(as_instant(value, what))

    return read


def _number(what: str, low: float, high: float) -> Callable[[Any], float]:
    return lambda value: shape.number_of(value, what, low, high)


def _one_of(what: str, words: tuple[str, ...]) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if value not in words:
            raise InvalidInput(
                "The {what} is not known",
                "{value!r} is none of {words}",
                what=what,
                value=value,
                words=", ".join(words),
            )
        return value

    return read


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 62:
        raise InvalidInput("The access count is not a whole number", "{value!r} was given", value=value)
    return value


def _bytes(value: Any) -> bytes:
    try:
        return base64.b64decode(_text("embedding", 16_000_000)(value), validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidInput("The embedding is not base64", "{why}", why=error) from error


_LONGEST_HOLD = 1e9
"""Seconds; of other marks the value is a trust."""

Readers: TypeAlias = dict[str, Callable[[Any], Any]]

_CLAIM: Readers = {
    "id": _text("id", blank=False), "agent_id": shape.agent_of, "content": _text("content", _TEXT),
    "subject": _name("subject"), "predicate": _name("predicate"), "object": _name("object"),
    "asserted_from": _time("start"), "asserted_until": _time("end"), "asserted_trust": _number("trust", 0, 1),
    "origin": _name("origin"), "source_event": _text("source event"), "tags": shape.tags_of, "layer": shape.layer_of,
    "importance": _number("importance", 0, 10), "confidence": _number("confidence", 0, 1),
    "metadata": shape.metadata_of, "derived_from": shape.sources_of, "ingested_at": _time("time of learning"),
    "timestamp": _time("timestamp"), "created_at": _time("time of creation"), "access_count": _count,
    "last_accessed": _time("time of last access"), "embedding": _bytes, "embedding_model": _text("embedding model"),
}  # fmt: skip
_END: Readers = {
    "id": _text("id", blank=False), "agent_id": shape.agent_of, "content": _text("content", _TEXT),
    "at": _time("end"), "of": _text("ended memory", blank=False), "subject": _name("subject"),
    "predicate": _name("predicate"), "object": _name("object"), "origin": _name("origin"),
    "source_event": _text("source event", _TEXT), "ingested_at": _time("time of learning"),
}  # fmt: skip
_MARK: Readers = {
    "id": _text("id", blank=False), "mark": _one_of("mark", get_args(MarkKind)), "reason": _text("reason", _TEXT),
    "value": _number("value", 0, _LONGEST_HOLD), "at": _time("time of the mark"),
}  # fmt: skip
_ORDER: Readers = {
    "about": _one_of("order", get_args(OrderKind)), "verdict": _text("verdict"), "agent_id": shape.agent_of,
    "subject": _name("subject"), "predicate": _name("predicate"), "value": _text("value", _TEXT),
    "number": _number("number", -1e300, 1e300), "at": _time("time of the order"),
}  # fmt: skip
_KINDS: dict[str, tuple[Callable[..., Told], Readers, tuple[str, ...]]] = {
    "claim": (Claim, _CLAIM, ("id", "agent_id", "content")),
    "end": (End, _END, ("id", "agent_id", "content", "at", "of")),
    "mark": (Mark, _MARK, ("id", "mark")),
    "order": (Order, _ORDER, ("about", "verdict", "agent_id")),
}


def told_of(fields: Mapping[str, Any]) -> Told:
    """The statement that a line makes, checked field by field.

    Raises:
        InvalidInput: the first thing that is wrong with it.
    """
    kind = fields.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise InvalidInput("The kind is not known", "{kind!r} is none of {words}", kind=kind, words=", ".join(_KINDS))
    make, readers, needed = _KINDS[kind]
    values: dict[str, Any] = {}
    for name, value in fields.items():
        if name == "kind":
            continue
        if name not in readers:
            raise InvalidInput("A field is not known", "a {kind} has no {name!r}", kind=kind, name=name)
        if value is not None:
            values[name] = readers[name](value)
    missing = [name for name in needed if name not in values]
    if missing:
        raise InvalidInput("A field is missing", "a {kind} needs {names}", kind=kind, names=", ".join(missing))
    if kind == "mark":
        values["kind"] = values.pop("mark")
    if kind == "end":
        for name in ("subject", "predicate", "object"):
            values.setdefault(name, None)
    return _checked(make(**values))


def _checked(told: Told) -> Told:
    if isinstance(told, Claim) and told.asserted_until is not None and told.asserted_from is not None:
        if told.asserted_until <= told.asserted_from:
            raise InvalidInput(
                "The window is empty or reversed",
                "from {start} until {end}",
                start=told.asserted_from,
                end=told.asserted_until,
            )
    elif isinstance(told, Claim) and told.asserted_until is not None:
        raise InvalidInput("A field is missing", "a claim with an end needs asserted_from")
    if isinstance(told, Mark) and told.kind in ("trust", "cap") and told.value is None:
        raise InvalidInput("A field is missing", "a mark of {kind} needs value", kind=told.kind)
    if isinstance(told, Mark) and told.kind not in ("held", "extended") and told.value is not None:
        shape.number_of(told.value, "trust", 0, 1)
    return told
