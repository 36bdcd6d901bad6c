"""Fills a file beside its place and gives it its name once it is whole. It must not give a name that is taken.

Whoever fills a file holds a lock beside it. A process that was killed holds it no longer: that is how the next one that
writes into the folder knows which half files nobody will finish, and takes them away.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # no such locks on this system: half files stay, and are never taken from somebody
    fcntl = None  # type: ignore[assignment]

LOCK_SUFFIX = ".memstation-lock"
PART_SUFFIX = ".memstation-part"


@contextmanager
def part_beside(path: Path) -> Iterator[Path]:
    """A name beside `path`, hidden and free, for what is to become it; what is left of it goes when the block ends.

    What processes that died have left in the folder goes first.

    Raises:
        OSError: the folder cannot be written.
    """
    clear_parts(path.parent)
    while True:
        part = path.with_name(f".{path.name[:40]}.{secrets.token_hex(8)}{PART_SUFFIX}")
        lock = part.with_suffix(LOCK_SUFFIX)
        held = os.open(lock, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        if _take(held, wait=True) and _is_still(held, lock):
            break
        # Another process took it for a dead one's, in the moment before it was locked.
        os.close(held)
    try:
        yield part
    finally:
        _clear(part)
        os.close(held)
        with suppress(OSError):
            lock.unlink(missing_ok=True)


def clear_parts(folder: Path) -> int:
    """Take away the half files that nobody fills any more. Returns how many there were."""
    cleared = 0
    for lock in folder.glob(f".*{LOCK_SUFFIX}"):
        try:
            held = os.open(lock, os.O_RDWR)
        except OSError:  # another user's, or gone meanwhile
            continue
        try:
            if _take(held, wait=False) and _is_still(held, lock):
                cleared += _clear(lock.with_suffix(PART_SUFFIX))
                lock.unlink()
        except OSError:
            continue
        finally:
            os.close(held)
    return cleared


def put_in_place(part: Path, path: Path) -> None:
    """Give the file `part` the name `path`, and never write over one that came meanwhile.

    Raises:
        FileExistsError: there is a file of that name.
        OSError: the folder cannot be written.
    """
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        # The name is taken first, so that nobody else can, and then what holds it is replaced.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        os.replace(part, path)


def _take(held: int, *, wait: bool) -> bool:
    """Whether the lock is ours now. Where there are no locks, whoever waits for one goes on without."""
    if fcntl is None:
        return wait
    try:
        fcntl.flock(held, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return wait
    return True


def _is_still(held: int, lock: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(held), os.stat(lock))
    except OSError:
        return False


def _clear(part: Path) -> int:
    """Take away a part with what SQLite lays beside a file."""
    there = part.exists()
    for suffix in ("", "-journal", "-wal", "-shm"):
        part.with_name(part.name + suffix).unlink(missing_ok=True)
    return int(there)
