"""The station as a process of its own, in a terminal of its own: how soon it paints, and how much memory it takes."""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from memstation.bench.measures import Measure, bar, percentile
from memstation.bench.store import AGENT

STARTS = 5
PATIENCE = 60.0
"""Seconds after which a screen that does not come is given up."""
ROWS, COLUMNS = 36, 120

_BARE = """
from textual.app import App
from textual.widgets import Static

class Bare(App):
    def compose(self):
        yield Static("Today")

Bare().run()
"""


def measure_cold(path: Path, size: int) -> Iterator[Measure]:
    """Start the station on the store at `path` several times. Tells nothing where the system has no such terminals."""
    try:
        import fcntl
        import pty
        import termios
    except ImportError:
        return
    del fcntl, pty, termios
    painted, told, kib, bare = [], [], [], []
    with tempfile.TemporaryDirectory(prefix="memstation-home-") as home:
        # The first start compiles what was never run; a program that is used is compiled.
        _start(path, Path(home))
        for _ in range(STARTS):
            with _terminal([sys.executable, "-c", _BARE]) as (process, begun):
                bare.append(process.until(b"Today", begun))
                process.press(b"\x11")
            first, counts, most = _start(path, Path(home))
            painted.append(first)
            told.append(counts)
            kib.append(most)
    yield bar("first paint from a cold process, p50", size, percentile(painted, 0.5), "s", 0.5)
    yield Measure("first paint of a bare app of the toolkit, p50", size, percentile(bare, 0.5), "s")
    yield Measure("first paint, p50 against that", size, percentile(painted, 0.5) / percentile(bare, 0.5), "x")
    yield Measure("the counts on Today, p50", size, percentile(told, 0.5), "s")
    yield bar("memory of the station", size, max(kib) / 1024, "MB", 150)


def _start(path: Path, home: Path) -> tuple[float, float, float]:
    """Seconds to the first paint and to the counts of Today, and the KiB that the process took at most."""
    argv = [sys.executable, "-m", "memstation", "--home", str(home), "--store", str(path)]
    with _terminal(argv) as (process, begun):
        first = process.until(b"Today", begun)
        counts = process.until(AGENT.encode(), begun)
        for keys in (b"2", b"\x1b[B" * 20, b"G", b"g", b"8", b"1", b"\x11"):
            process.press(keys)
    return first, counts, process.kib


class _Process:
    """A process on the other side of a terminal."""

    def __init__(self, pid: int, terminal: int) -> None:
        self._terminal = terminal
        self._pid = pid
        self.kib = 0.0

    def until(self, words: bytes, begun: float) -> float:
        """Seconds since `begun` until the words are on the screen."""
        seen = b""
        while words not in seen:
            if time.perf_counter() - begun > PATIENCE:
                raise TimeoutError(f"{words.decode()} did not come on the screen")
            seen += self._read(0.05)
        return time.perf_counter() - begun

    def press(self, keys: bytes) -> None:
        """Send keys, and let it paint for a while."""
        self.kib = max(self.kib, _most(self._pid))
        os.write(self._terminal, keys)
        end = time.perf_counter() + 0.4
        while time.perf_counter() < end:
            self._read(0.05)

    def end(self) -> None:
        """Wait for its end, and note how much memory it took."""
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGTERM)
        _, _, usage = os.wait4(self._pid, 0)
        os.close(self._terminal)
        if not self.kib and sys.platform == "darwin":
            # In bytes. On Linux it would count what this process took when it made that one.
            self.kib = usage.ru_maxrss / 1024

    def _read(self, seconds: float) -> bytes:
        if not select.select([self._terminal], [], [], seconds)[0]:
            return b""
        try:
            return os.read(self._terminal, 65_536)
        except OSError:
            # The process has closed its side.
            return b""


def _most(pid: int) -> float:
    """KiB that a running process has taken at most; 0 where the system does not tell."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0.0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return float(found.group(1)) if found else 0.0


@contextmanager
def _terminal(argv: Sequence[str]) -> Iterator[tuple[_Process, float]]:
    """A process in a terminal of its own, and when it was started."""
    import fcntl
    import pty
    import termios

    begun = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ.update(TERM="xterm-256color", COLUMNS=str(COLUMNS), LINES=str(ROWS))
        os.execv(argv[0], list(argv))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    process = _Process(pid, terminal)
    try:
        yield process, begun
    finally:
        process.end()
