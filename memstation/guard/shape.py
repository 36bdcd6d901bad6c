"""The first step of the gate: types, lengths, ranges, broken text. It refuses with a reason, and cuts nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from memstation.domain.errors import InvalidInput
from memstation.domain.memory import LAYERS

CONTENT_CHARS = 1_000_000
NAME_CHARS = 2_000
"""Longest subject, predicate, object, origin, source event, agent and id."""
TAGS = 200
TAG_CHARS = 500
SOURCES = 1_000
METADATA_CHARS = 1_000_000

_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, allow_nan=False).encode
_BROKEN = {code: "\ufffd" for code in (0, *range(0xD800, 0xE000))}


def repaired(text: str) -> str:
    """Text with NUL and lone surrogates as U+FFFD: the file can hold neither."""
    if "\0" not in text:
        if text.isascii():
            return text
        try:
            text.encode()
        except UnicodeEncodeError:
            pass
        else:
            return text
    return text.translate(_BROKEN)


def text_of(value: object, what: str, most: int, *, blank: bool = True) -> str:
    """A text of at most `most` characters, repaired.

    Raises:
        InvalidInput: not text, too long, or blank where it must not be.
    """
    if not isinstance(value, str):
        raise InvalidInput("The {what} is not text", "{name} was given", what=what, name=type(value).__name__)
    if len(value) > most:
        raise InvalidInput(
            "The {what} is too long",
            "{value:,} characters, {most:,} can be kept",
            what=what,
            value=len(value),
            most=most,
        )
    if not blank and not value.strip():
        raise InvalidInput("The {what} is empty", "it must say something", what=what)
    return repaired(value)


def name_of(value: object, what: str) -> str | None:
    """A subject, predicate or object; None where there is none or it is blank."""
    if value is None:
        return None
    text = text_of(value, what, NAME_CHARS)
    return text if text.strip() else None


def number_of(value: object, what: str, low: float, high: float) -> float:
    """A number in a range, both ends included.

    Raises:
        InvalidInput: not a number, or outside.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        raise InvalidInput("The {what} is not a number", "{value!r} was given", what=what, value=value)
    if not low <= value <= high:
        raise InvalidInput(
            "The {what} is out of range",
            "{value} is not from {low:g} to {high:g}",
            what=what,
            value=value,
            low=low,
            high=high,
        )
    return float(value)


def limit_of(value: object) -> int:
    """A limit from 1 to 1,000.

    Raises:
        InvalidInput: anything else.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 1000:
        raise InvalidInput("The limit is out of range", "{value!r} is not a whole number from 1 to 1,000", value=value)
    return value


def agent_of(value: object) -> str:
    """An agent's id: exact, never blank (an empty one never means all agents)."""
    return text_of(value, "agent", NAME_CHARS, blank=False)


def layer_of(value: object) -> str:
    """One of the layers.

    Raises:
        InvalidInput: another word.
    """
    if value not in LAYERS:
        raise InvalidInput(
            "The layer is not known", "{value!r} is none of {layers}", value=value, layers=", ".join(LAYERS)
        )
    return str(value)


def tags_of(value: object) -> tuple[str, ...]:
    """Tags, in the order given.

    Raises:
        InvalidInput: not a list of texts, or too many.
    """
    if value == ():
        return ()
    items = _list_of(value, "tags", TAGS)
    return tuple(text_of(item, "tag", TAG_CHARS) for item in items)


def sources_of(value: object) -> tuple[str, ...]:
    """Ids that a memory was made from, each once, in the order given."""
    if value == ():
        return ()
    items = _list_of(value, "list of sources", SOURCES)
    return tuple(dict.fromkeys(text_of(item, "source", NAME_CHARS, blank=False) for item in items))


def metadata_of(value: object) -> str:
    """A JSON object as text with sorted keys.

    Raises:
        InvalidInput: not an object, or something in it that JSON cannot say.
    """
    if not isinstance(value, Mapping):
        raise InvalidInput("The metadata is not an object", "{name} was given", name=type(value).__name__)
    try:
        text = _encode(_mended(value)) if value else "{}"
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput("The metadata cannot be kept", str(error)[:120], "give what JSON can say") from error
    return text_of(text, "metadata", METADATA_CHARS)


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return repaired(value)
    if isinstance(value, Mapping):
        return {repaired(str(key)): _mended(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_mended(item) for item in value]
    return value


def _list_of(value: object, what: str, most: int) -> Sequence[object]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidInput("The {what} is not a list", "{name} was given", what=what, name=type(value).__name__)
    if len(value) > most:
        raise InvalidInput(
            "The {what} is too long", "{value:,} entries, {most:,} can be kept", what=what, value=len(value), most=most
        )
    return value
