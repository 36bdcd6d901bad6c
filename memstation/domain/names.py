"""How names are folded and keys are made. One function folds for fact keys, aliases and rejected values."""

from __future__ import annotations

import hashlib
import unicodedata

KEY_BYTES = 16


def fold_name(text: str) -> str:
    """A name as it is compared: NFKC, full case folding, white space trimmed and collapsed.

    ``Gateway``, ``gateway `` and full-width ``Ｇａｔｅｗａｙ`` are one name; so are ``Straße`` and ``STRASSE``.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def visible(text: str) -> str:
    """A text without its invisible format characters: what it looks like, for the gate.

    Keys keep them, since joiners tell words apart in some scripts.
    """
    if text.isascii():
        return text
    return "".join(char for char in text if unicodedata.category(char) != "Cf" and not "\ufe00" <= char <= "\ufe0f")


def same_wording(text: str) -> str:
    """A value as it is compared: NFC and white-space folding; case counts, since new wording can carry detail."""
    return " ".join((text if text.isascii() else unicodedata.normalize("NFC", text)).split())


def is_blank(text: str | None) -> bool:
    """Whether a name is missing for the purpose of being a key."""
    if text is None or text.isascii():
        return not (text and text.strip())
    return not fold_name(text)


def _digest(kind: bytes, *parts: str) -> bytes:
    raw = [kind]
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        raw += len(encoded).to_bytes(4, "big"), encoded
    return hashlib.blake2b(b"".join(raw), digest_size=KEY_BYTES).digest()


def fact_key(agent_id: str, subject: str, predicate: str) -> bytes:
    """The identity of a fact: agent (exact), subject and predicate (folded). 16 bytes."""
    return _digest(b"fact", agent_id, fold_name(subject), fold_name(predicate))


def note_key(agent_id: str, memory_id: str) -> bytes:
    """The key of a memory without subject and predicate: it is alone on its line. 16 bytes."""
    return _digest(b"note", agent_id, memory_id)


def object_key(object_: str | None, content: str) -> bytes:
    """The folded object, or the folded content where there is no object. 16 bytes.

    It tells the lines of a predicate that holds many values apart, and names a rejected value.
    """
    value = content if is_blank(object_) or object_ is None else object_
    return _digest(b"object", fold_name(value))


def order_key(about: str, agent_id: str, *names: str) -> bytes:
    """The key of a standing order: for one key the latest that stands rules. 16 bytes.

    Origins are compared exactly, every other name folded.
    """
    exact = about in ("origin", "origin_trust")
    return _digest(about.encode(), agent_id, *(name if exact else fold_name(name) for name in names))


def line_key(fact: bytes, object_: bytes, many: bool) -> bytes:
    """The line on which a fact is laid out: the fact's own, or one per object when many values hold. 16 bytes."""
    if not many:
        return fact
    return hashlib.blake2b(b"line" + fact + object_, digest_size=KEY_BYTES).digest()


def twin_key(
    agent_id: str, subject: str | None, predicate: str | None, object_: str | None, content: str, origin: str | None
) -> bytes:
    """Equal for memories of one origin that say the same about the same fact (for notes: the same). 16 bytes."""
    about = ("", "")
    if not (is_blank(subject) or is_blank(predicate)) and subject is not None and predicate is not None:
        about = (fold_name(subject), fold_name(predicate))
    said = "" if object_ is None else "=" + same_wording(object_)
    return _digest(b"twin", agent_id, *about, said, same_wording(content), origin or "")


def burst_key(agent_id: str, origin: str, subject: str) -> bytes:
    """Under which the new values of a source about a subject are counted. 16 bytes; the origin is compared exactly."""
    return _digest(b"burst", agent_id, origin, fold_name(visible(subject)))


def value_digest(object_: str | None, content: str) -> bytes:
    """Equal for claims that say the same thing (object and content; the seed's reaffirmation rule). 16 bytes."""
    return _digest(b"value", "" if object_ is None else "=" + same_wording(object_), same_wording(content))
