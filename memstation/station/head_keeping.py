"""Keeps the journal's head outside the store while the station is open. It must not read on the screen's thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memstation.domain.errors import MemstationError
from memstation.station.background import Background
from memstation.station.dialogs.notice import ErrorDialog
from memstation.station.render.safe import safe_line
from memstation.station.words import N_, _

if TYPE_CHECKING:
    from memstation.config.heads import HeadCheck
    from memstation.station.services import Engine, Services

OLD_FILE = N_("Another file was put in place of this store")
WHAT_TO_DO = N_(
    "close the station, then memstation verify. If it is not what you meant, bring a backup back; "
    "memstation verify --accept-head keeps this file as the true one"
)


class HeadKeeping(Background):
    """A node that compares the kept head when the store opens, and keeps the newest one after every write."""

    engine: Engine | None
    services: Services

    def keep_head(self) -> None:
        """Compare, and keep the newest head; the first answer that finds another file is shown."""
        heads, engine = self.services.heads, self.engine
        if heads is None or engine is None or self._told_of_head:
            return
        self.in_thread("head", lambda: heads.advance(engine.uuid, engine), self._head_seen, self._head_not_kept)

    _told_of_head = False

    def _head_seen(self, check: HeadCheck) -> None:
        if check.words and not self._told_of_head:
            self._told_of_head = True
            self.app.push_screen(ErrorDialog(MemstationError(OLD_FILE, "{words}", WHAT_TO_DO, words=check.words)))

    def _head_not_kept(self, error: MemstationError) -> None:
        self.say([(_("The newest decision could not be noted outside the store: "), "warning"),
                  (safe_line(error.detail), "")])  # fmt: skip

    def keep_head_last(self) -> None:
        """Keep the newest head while the station closes; what cannot be kept was said before."""
        heads, engine = self.services.heads, self.engine
        if heads is not None and engine is not None:
            try:
                heads.advance(engine.uuid, engine)
            except (OSError, MemstationError):
                return

    def say(self, parts: Any) -> None:
        """Say what just happened."""
        raise NotImplementedError
