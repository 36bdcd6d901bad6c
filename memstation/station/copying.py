"""Copies the store to a backup while the station goes on. It must not hold up a key, nor make two copies at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from memstation.domain.errors import MemstationError
from memstation.station.background import Background
from memstation.station.render.safe import safe_line
from memstation.station.words import _, say

if TYPE_CHECKING:
    from memstation.station.services import Engine, Services


class CopyMaking(Background):
    """The part of the app that makes backups."""

    engine: Engine | None
    services: Services
    _is_copying = False
    _copied = (0, 0)

    def back_up(self) -> None:
        """Copy the store in the background; the message row says what came of it."""
        engine, name = self.engine, self.services.new_backup
        if engine is None or name is None or self._is_copying:
            return
        self._is_copying, self._copied = True, (0, 0)
        target = name(engine.path, self.services.clock())

        def copy() -> tuple[Path, Any]:
            try:
                target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            except OSError as error:
                raise MemstationError(
                    "The folder cannot be made", "{path}: {why}", path=target.parent, why=error.strerror
                ) from error
            return target, engine.back_up(target, self._copy_progress)

        self.say([(_("copying the store .."), "muted")])
        self.in_thread("backup", copy, self._copy_made, self._not_copied)
        self.set_timer(0.2, self._tell_copied)

    def _copy_progress(self, done: int, total: int) -> bool:
        self._copied = (done, total)
        return self.is_running

    def _tell_copied(self) -> None:
        if not self._is_copying:
            return
        done, total = self._copied
        if total:
            self.say([(say("copying the store .. {percent} %", percent=done * 100 // total), "muted")])
        self.set_timer(0.2, self._tell_copied)

    def _copy_made(self, made: tuple[Path, Any]) -> None:
        self._is_copying = False
        target, head = made
        if head is not None:
            self.say([(say("copied up to #{seq} to {file}", seq=head.seq, file=safe_line(str(target))), "")])

    def _not_copied(self, error: MemstationError) -> None:
        self._is_copying = False
        self.fail(error)

    def say(self, parts: Any) -> None:
        """Say what just happened."""
        raise NotImplementedError

    def fail(self, error: MemstationError) -> None:
        """Show an error."""
        raise NotImplementedError
