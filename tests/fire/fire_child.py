"""The process that is killed: does verbs on a store in an order that a seed chooses, and acknowledges each decision."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
from pathlib import Path

from memstation import open_engine
from memstation.domain.errors import MemstationError
from memstation.exchange import restoring
from memstation.exchange.jsonfile import JsonFile
from memstation.read.reader import Reader

from fire.fire_verbs import ANSWERS, VERBS

SMALL_PART = 40
"""Statements of one part of a restore: the same road as with 10,000, and more places to be killed at."""


class Child:
    """One life of the process."""

    def __init__(self, path: Path, acknowledged: Path, seed: int, turn: int) -> None:
        self.path, self.folder, self.turn, self.step = path, path.parent, turn, 0
        self.dice = random.Random(seed)
        self.engine = open_engine(path)
        self._pipe = os.open(acknowledged, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self._ids: list[str] = []
        self._seq = head_of(self.engine.reader)[0]

    def file(self, name: str) -> Path:
        return self.folder / name

    def open_again(self) -> None:
        self.engine.close()
        self.engine = open_engine(self.path)

    def say(self, memory_id: str) -> None:
        """A memory that the verb told; acknowledged with its decision."""
        self._ids.append(memory_id)

    def promise(self, path: Path, text: str) -> None:
        """If this file is there by its name, this is what is in it."""
        self._write({"promise": path.name, "digest": hashlib.sha256(text.encode()).hexdigest()})

    def begin(self, what: str, name: str) -> None:
        """From here on, until it is ended, this may be half done in the file that it is about."""
        self._write({"begin": what, "name": name})

    def end(self, what: str, name: str) -> None:
        """It returned: from here on it is done for good."""
        self._write({"end": what, "name": name})

    def acknowledge(self) -> None:
        """The newest decision returned: from here on it may not be lost."""
        seq, digest = head_of(self.engine.reader)
        if seq != self._seq:
            self._write({"seq": seq, "hash": digest, "ids": self._ids})
        self._seq, self._ids = seq, []

    def done(self, name: str, answer: str) -> None:
        self._write({"did": name, "answer": answer})

    def _write(self, line: dict[str, object]) -> None:
        os.write(self._pipe, (json.dumps(line) + "\n").encode())
        os.fsync(self._pipe)


def head_of(reader: Reader) -> tuple[int, str]:
    """Number and hash of the newest decision; the hash covers all before it and what each of them told."""
    with reader._database.reading_cursor() as cursor:
        found = cursor.execute("SELECT seq, hex(hash) FROM journal ORDER BY seq DESC LIMIT 1").fetchone()
    return (0, "") if found is None else (int(found[0]), str(found[1]))


def burn(path: str, acknowledged: str, seed: int, turn: int, steps: int | None = None) -> None:
    """Do verbs until somebody kills this process, or so many."""
    restoring.PART = SMALL_PART
    restoring.BATCH = SMALL_PART // 2
    child = Child(Path(path), Path(acknowledged), seed, turn)
    names = list(VERBS)
    weights = [VERBS[name][0] for name in names]
    while steps is None or child.step < steps:
        child.step += 1
        name = child.dice.choices(names, weights)[0]
        answer = ""
        try:
            VERBS[name][1](child)
        except ANSWERS as error:
            answer = type(error).__name__
        except MemstationError as error:
            answer = f"unexpected: {error}"
        child.acknowledge()
        child.done(name, answer)
    child.engine.close()


def restore_slowly(path: str, file: str, acknowledged: str) -> None:
    """Restore a file in small parts, acknowledging each; after the second, wait to be killed."""
    restoring.PART, restoring.BATCH = SMALL_PART, SMALL_PART // 2
    child = Child(Path(path), Path(acknowledged), 0, 0)

    def told(done: int, total: int) -> bool:
        child.acknowledge()
        if len(child.engine.journal(limit=1000)) == 3:
            signal.pause()
        return True

    restoring.restore(child.engine.ledger, JsonFile(Path(file)), told)
