"""Digests of what was told, and the chain of the journal. Pure functions over bytes and text.

A row digest covers `schema.TOLD_COLUMNS`; a decision's digest covers everything that carries its number; an entry's
hash covers the entry, that digest and the hash before it. JSON with escapes is the encoding: it is the same in every
Python version, and no two lists of values share it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence

ROW_BYTES = 16
CHAIN_BYTES = 32
FIRST = bytes(CHAIN_BYTES)
"""What stands before the first entry."""

_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True).encode


def row_digest(salt: bytes, told: Sequence[object]) -> bytes:
    """Digest of the told columns of a row, in the order of `schema.TOLD_COLUMNS`."""
    return hashlib.blake2b(salt + _encode(list(told)).encode(), digest_size=ROW_BYTES).digest()


def decision_digest(
    rows: Iterable[bytes],
    marks: Iterable[Sequence[object]],
    orders: Iterable[Sequence[object]],
    targets: Iterable[int],
    *,
    salt: bytes = b"",
    erased: Iterable[tuple[int, bytes]] = (),
) -> bytes:
    """Digest of what carries one number: row digests by `n`, marks and orders by `k`, targets in order.

    Without a salt and without what an erasure left, it is the digest of stores that had neither.
    """
    state = hashlib.blake2b(digest_size=CHAIN_BYTES)
    if salt:
        state.update(b"s" + salt)
    for digest in rows:
        state.update(b"r" + digest)
    for mark in marks:
        state.update(b"m" + _encode(list(mark)).encode())
    for order in orders:
        values = [value.hex() if isinstance(value, bytes) else value for value in order]
        state.update(b"o" + _encode(values).encode())
    for target in targets:
        state.update(b"u" + str(target).encode())
    for target, digest in erased:
        state.update(b"e" + str(target).encode() + b":" + digest)
    return state.digest()


def remains_digest(salt: bytes, entry: Sequence[object], chain: Sequence[bytes], carried: bytes) -> bytes:
    """What stands for an entry once an erasure has reached it: its columns, links and what carries its number now."""
    body = _encode([*entry, *(part.hex() for part in chain)]).encode()
    return hashlib.blake2b(b"x" + salt + carried + body, digest_size=CHAIN_BYTES).digest()


def entry_hash(previous: bytes, entry: Sequence[object], digest: bytes) -> bytes:
    """Hash of a journal entry: its columns from `seq` to `part_of`, after the hash before it."""
    body = _encode(list(entry)).encode()
    return hashlib.blake2b(previous + digest + body, digest_size=CHAIN_BYTES).digest()
