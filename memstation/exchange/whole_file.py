"""Writes a file that appears whole or not at all. It must not know what is in it, nor write over a store."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from memstation.domain.errors import InvalidInput, Refused
from memstation.store.whole import part_beside, put_in_place

Written = TypeVar("Written")

Fill = Callable[[Callable[[str], object]], Written | None]
"""Writes the text by the function it is given; None leaves no file behind."""


def write_whole(path: Path, fill: Fill[Written], *, store: Path, force: bool) -> Written | None:
    """Write a file that only its owner may read; gives what `fill` gives.

    Args:
        path: the file.
        fill: see `Fill`.
        store: the store's own file, which is never written over.
        force: write over a file that is there.

    Raises:
        Refused: the file is there already, or is the store itself.
        InvalidInput: it cannot be written.
    """
    if _is_store(path, store):
        raise Refused("This is the store itself", "{path}", "name another file", path=path)
    if path.is_dir():
        raise InvalidInput("This is a folder", "{path}", "name a file in it", path=path)
    if os.path.lexists(path) and not force:
        raise Refused("The file is there already", "{path}", "--force writes over it", path=path)
    try:
        return _write(path, fill, force)
    except FileExistsError as error:
        raise Refused("The file is there already", "{path}", "--force writes over it", path=path) from error
    except OSError as error:
        raise InvalidInput(
            "The file cannot be written", "{path}: {why}", path=path, why=error.strerror or error
        ) from error


def _write(path: Path, fill: Fill[Written], force: bool) -> Written | None:
    with part_beside(path) as part:
        handle = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            report = fill(file.write)
            file.flush()
            os.fsync(file.fileno())
        if report is None:
            return None
        if force:
            os.replace(part, path)
        else:
            put_in_place(part, path)
        return report


def _is_store(path: Path, store: Path) -> bool:
    names = [Path(f"{store}{suffix}") for suffix in ("", "-wal", "-shm")]
    return any(path.absolute() == name.absolute() or (path.exists() and name.exists() and path.samefile(name))
               for name in names)  # fmt: skip
