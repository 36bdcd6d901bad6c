"""The head of a store's journal, as it is kept outside the file. It must not read anything."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from memstation.domain.errors import InvalidInput

_NAMED = re.compile(r"(?:#?(\d{1,18}):)?([0-9a-fA-F]{64})")


@dataclass(frozen=True, slots=True)
class StoreHead:
    """A journal entry by number and hash (hex); number 0 is the empty journal."""

    seq: int
    hash: str

    def __str__(self) -> str:
        return f"#{self.seq}:{self.hash}"


class Chain(Protocol):
    """A store whose journal can be asked for its entries."""

    def head(self) -> StoreHead:
        """The newest entry."""

    def hash_of(self, seq: int) -> str | None:
        """The hash of an entry, in hex; None when it is not in the journal."""


def read_head(text: str) -> tuple[int | None, str]:
    """Number (None where it is not named) and hash of ``HEX`` or ``#SEQ:HEX``.

    Raises:
        InvalidInput: it is neither.
    """
    found = _NAMED.fullmatch(text.strip())
    if found is None:
        raise InvalidInput("This is no head", "{text!r}", "give the 64 hex digits, or #NUMBER:HEX", text=text)
    return (None if found[1] is None else int(found[1])), found[2].lower()
