"""An export as a source of statements: read twice, line by line. It must not write, nor know a store."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeVar

from memstation.domain.errors import InvalidInput, MemstationError, NotFound, Refused
from memstation.exchange.checking import uncapped
from memstation.exchange.jsonlines import Told, check_header, told_of
from memstation.guard import shape

Read = TypeVar("Read")

LINE_BYTES = 64 * 1024 * 1024
"""Longest line that is read."""
BLOCK_LINES = 1_000
BLOCK_BYTES = 8 * 1024 * 1024
"""Lines are compared with those of the first reading a block at a time, before any of a block is used."""


class JsonFile:
    """A file of JSON lines. `statements` may be read as often as needed; the file must stay the same."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.name
        self.repaired = 0
        """Lines with broken characters, in the last reading."""
        self._digests: list[bytes] = []
        self._sealed = False

    def left_out(self) -> tuple[tuple[str, int], ...]:
        """Nothing: every line is carried or refused."""
        return ()

    def statements(self) -> Iterator[tuple[str, Told]]:
        """Each statement with its place in the file.

        Raises:
            NotFound: there is no such file.
            InvalidInput: a line cannot be taken; its number is in the title.
            Refused: the file is not what it was when it was read first.
        """
        self.repaired = 0
        number = 0
        for lines in self._blocks():
            for raw in lines:
                number += 1
                if number == 1:
                    _in_line(1, raw, self._header)
                elif raw.strip():
                    yield f"line {number}", _in_line(number, raw, self._told)
        if number == 0:
            raise InvalidInput("This is not an export of memstation", "{path} is empty", path=self.path)

    def _header(self, raw: bytes) -> None:
        if raw.startswith(b"SQLite format 3\0"):
            raise InvalidInput(
                "This is a database", "an export is lines of text", "for one of the seed's system: restore duduclaw"
            )
        check_header(_object(raw.removeprefix(b"\xef\xbb\xbf")))

    def _told(self, raw: bytes) -> Told:
        fields = _object(raw)
        if b"\\u" in raw and any(shape.repaired(text) != text for text in _texts(fields)):
            self.repaired += 1
        return told_of(fields)

    def _blocks(self) -> Iterator[list[bytes]]:
        """The lines in blocks, each compared with the first reading."""
        try:
            with self.path.open("rb") as file:
                at = 0
                while lines := _block(file):
                    self._compare(at, hashlib.blake2b(b"".join(lines), digest_size=16).digest())
                    yield lines
                    at += 1
                self._compare(at, b"the end")
        except FileNotFoundError as error:
            raise NotFound("There is no such file", "{path}", path=self.path) from error
        except IsADirectoryError as error:
            raise InvalidInput("This is a folder", "{path}", "name a file in it", path=self.path) from error
        except OSError as error:
            raise InvalidInput(
                "The file cannot be read", "{path}: {why}", path=self.path, why=error.strerror
            ) from error
        self._sealed = True

    def _compare(self, at: int, digest: bytes) -> None:
        if not self._sealed:
            self._digests.append(digest)
        elif at >= len(self._digests) or self._digests[at] != digest:
            raise Refused(
                "The file changed while it was read", "{path}", "leave it alone, then restore again", path=self.path
            )


def _block(file: BinaryIO) -> list[bytes]:
    lines: list[bytes] = []
    size = 0
    while len(lines) < BLOCK_LINES and size < BLOCK_BYTES and (line := file.readline(LINE_BYTES + 1)):
        lines.append(line)
        size += len(line)
    return lines


def _in_line(number: int, raw: bytes, read: Callable[[bytes], Read]) -> Read:
    """Read a line, naming it in a refusal."""
    try:
        if len(raw) > LINE_BYTES:
            raise InvalidInput("The line is too long", "more than {most:,} bytes", most=LINE_BYTES)
        return read(raw)
    except MemstationError as error:
        raise InvalidInput(
            "Line {number:,} cannot be taken", "{title}: {detail}", "{hint}",
            number=number, title=uncapped(error.title), detail=error.detail, hint=error.hint,
        ) from error  # fmt: skip


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is not a number that JSON can say")


_DECODER = json.JSONDecoder(parse_constant=_no_number)


def _object(raw: bytes) -> dict[str, object]:
    try:
        value = _DECODER.decode(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise InvalidInput("It is not UTF-8 text", "at byte {byte}", byte=error.start + 1) from error
    except (ValueError, RecursionError) as error:
        if not raw.endswith(b"\n"):
            raise InvalidInput("It is cut off", "the file ends in the middle of it") from error
        raise InvalidInput("It is not JSON", "{why}", why=str(error)[:120]) from error
    if not isinstance(value, dict):
        raise InvalidInput("It is not an object", "{kind} is there", kind=type(value).__name__)
    return value


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
