"""The newest journal head seen of each store, kept in the state folder. It must not take a head back by itself.

A file that ends before the head that was seen, or has another entry in its place, was cut, altered, or is an old copy.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memstation.domain.heads import Chain, StoreHead
from memstation.words import N_, told

try:
    import fcntl
except ImportError:  # Windows: replacing is still atomic, and a head that lost the race is one decision older
    fcntl = None  # type: ignore[assignment]

_UUID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class HeadCheck:
    """The kept head beside the file."""

    kept: StoreHead | None
    here: StoreHead
    is_there: bool
    """Whether the kept head is in the journal; also where none is kept."""

    @property
    def words(self) -> str:
        """What is wrong; empty where nothing is."""
        if self.is_there or self.kept is None:
            return ""
        if self.here.seq < self.kept.seq:
            template = N_(
                "the file ends at #{here}, but decisions up to #{kept} were seen in it: its end was cut off, "
                "or an old copy was put in its place"
            )
        else:
            template = N_("#{kept} is not the decision that was seen under this number: the file was altered")
        return told(template, here=self.here.seq, kept=self.kept.seq)


class KeptHeads:
    """A small file a store. Several processes may keep heads at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def load(self, uuid: str) -> StoreHead | None:
        """The head that is kept of a store; None where none is, or where what is kept cannot be read."""
        try:
            table = json.loads(self._file(uuid).read_text(encoding="utf-8"))
            seq, hash_ = table["seq"], table["hash"]
        except (OSError, ValueError, TypeError, KeyError):
            return None
        is_head = isinstance(seq, int) and seq > 0 and isinstance(hash_, str)
        return StoreHead(seq, hash_) if is_head else None

    def check(self, uuid: str, chain: Chain) -> HeadCheck:
        """Compare the kept head with a store: two indexed reads."""
        # The kept one first: what is written meanwhile only makes the journal longer.
        kept = self.load(uuid)
        return HeadCheck(kept, chain.head(), kept is None or chain.hash_of(kept.seq) == kept.hash)

    def advance(self, uuid: str, chain: Chain) -> HeadCheck:
        """Keep the store's newest head, unless the one that is kept is not in its journal.

        Raises:
            OSError: it cannot be written.
        """
        check = self.check(uuid, chain)
        if check.is_there and check.here.seq > 0 and check.here != check.kept:
            with self._locked(uuid):
                check = self.check(uuid, chain)
                if check.is_there:
                    self._write(uuid, check.here)
        return check

    def accept(self, uuid: str, head: StoreHead) -> None:
        """Take a head for the true one, whatever was seen before.

        Raises:
            OSError: it cannot be written.
        """
        with self._locked(uuid):
            self._write(uuid, head)

    def _file(self, uuid: str) -> Path:
        # The name comes out of the store's file, which anybody may have written.
        name = uuid if _UUID.fullmatch(uuid) else hashlib.blake2b(uuid.encode(), digest_size=16).hexdigest()
        return self.folder / f"{name}.json"

    @contextmanager
    def _locked(self, uuid: str) -> Iterator[None]:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self._file(uuid).with_suffix(".lock").open("w") as file:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _write(self, uuid: str, head: StoreHead) -> None:
        handle, name = tempfile.mkstemp(dir=self.folder, suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump({"seq": head.seq, "hash": head.hash}, file)
            os.replace(name, self._file(uuid))
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
