"""The station as a process of its own, in a terminal of its own: how soon it paints, and how much memory it takes."""

from __future__ import annotations

import os
import select
import signal
import struct
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from memstation.bench.measures import Measure, bar, percentile

STARTS = 5
PATIENCE = 60.0
"""Seconds after which a screen that does not come is given up."""
ROWS, COLUMNS = 36, 120


def measure_cold(path: Path, size: int) -> Iterator[Measure]:
    """Start the station on the store at `path` several times. Tells nothing where the system has no such terminals."""
    try:
        import fcntl
        import pty
        import termios
    except ImportError:
        return
    del fcntl, pty, termios
    painted, told, kib = [], [], []
    with tempfile.TemporaryDirectory(prefix="memstation-home-") as home:
        # The first start compiles what was never run; a program that is used is compiled.
        _start(path, Path(home))
        for _ in range(STARTS):
            first, counts, most = _start(path, Path(home))
            painted.append(first)
            told.append(counts)
            kib.append(most)
    yield bar("first paint from a cold process, p50", size, percentile(painted, 0.5), "s", 0.5)
    yield Measure("the counts on Today, p50", size, percentile(told, 0.5), "s")
    yield bar("memory of the station", size, max(kib) / 1024, "MB", 150)


def _start(path: Path, home: Path) -> tuple[float, float, float]:
    """Seconds to the first paint and to the counts of Today, and the KiB that the process took at most."""
    import fcntl
    import pty
    import termios

    begun = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ.update(TERM="xterm-256color", COLUMNS=str(COLUMNS), LINES=str(ROWS))
        argv = [sys.executable, "-m", "memstation", "--home", str(home), "--store", str(path)]
        os.execv(sys.executable, argv)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    try:
        first = _until(terminal, b"Today", begun)
        counts = _until(terminal, b"bench", begun)
        for keys in (b"2", b"\x1b[B" * 20, b"G", b"g", b"8", b"1"):
            os.write(terminal, keys)
            _drain(terminal, 0.4)
        os.write(terminal, b"\x11")
        _drain(terminal, 2.0)
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
        _, _, usage = os.wait4(pid, 0)
        os.close(terminal)
    # Linux counts in KiB, macOS in bytes.
    return first, counts, usage.ru_maxrss / (1024 if sys.platform == "darwin" else 1)


def _until(terminal: int, words: bytes, begun: float) -> float:
    """Seconds since `begun` until the words are on the screen."""
    seen = b""
    while words not in seen:
        if time.perf_counter() - begun > PATIENCE:
            raise TimeoutError(f"{words.decode()} did not come on the screen")
        seen += _read(terminal, 0.05)
    return time.perf_counter() - begun


def _drain(terminal: int, seconds: float) -> None:
    """Let the station paint for a while."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        if not _read(terminal, 0.05) and seconds > 1:
            return


def _read(terminal: int, seconds: float) -> bytes:
    if not select.select([terminal], [], [], seconds)[0]:
        return b""
    try:
        return os.read(terminal, 65_536)
    except OSError:
        # The process has closed its side.
        return b""
