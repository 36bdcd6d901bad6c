"""Erases a person from the station: whom, look, type, done. It must not erase without the phrase of what was seen."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from memstation.domain.errors import MemstationError, NotFound
from memstation.station.dialogs.forget import LookDialog, PhraseDialog, WhomDialog
from memstation.station.dialogs.notice import NoticeDialog
from memstation.station.render.forgetting import forgetting_lines, forgotten_lines
from memstation.station.render.safe import Safe, safe_line
from memstation.station.taking_back import TakingBack
from memstation.station.words import _

if TYPE_CHECKING:
    from memstation.ops.forget import Forgetting
    from memstation.station.screens.base import RoomScreen

Found = tuple["Forgetting | None", "Forgetting | None"]
"""What goes without memories that only name the person, and with them; None where that is nothing more."""


def _both(engine: Any, agent_id: str, about: str) -> Found:
    """Look at both.

    Raises:
        NotFound: nothing is about the name, and nothing names it.
    """
    try:
        narrow = engine.preview_forget(agent_id, about)
    except NotFound:
        return None, engine.preview_forget(agent_id, about, mentions=True)
    wide = engine.preview_forget(agent_id, about, mentions=True) if narrow.found.mentions else None
    return narrow, wide


def _rows(found: Forgetting | None) -> list[list[tuple[Safe, str]]] | None:
    if found is None:
        return None
    return [[(safe_line(line), "")] for line in forgetting_lines(found, is_station=True)]


class Erasing(TakingBack):
    """The part of the app that erases."""

    agent_id: str | None

    @property
    def here(self) -> RoomScreen | None:
        """The room on top."""
        raise NotImplementedError

    def erase_person(self) -> None:
        """Ask whom; an agent must be chosen, since an erasure is of one agent's memories."""
        if self.engine is None or self.is_deciding:
            return
        here = self.here
        agent_id = self.agent_id if here is None else here.agent_shown
        if agent_id is None:
            self.say([(_("Choose an agent first: an erasure is of one agent's memories."), "warning")])
            return
        self.push_screen(WhomDialog(agent_id), partial(self._whom_to_erase, agent_id))  # type: ignore[attr-defined]

    def _whom_to_erase(self, agent_id: str, about: str | None) -> None:
        if about is not None and self.engine is not None:
            self.in_thread("preview", partial(_both, self.engine, agent_id, about), self._erasure_found, self.fail)

    def _erasure_found(self, found: Found) -> None:
        narrow, wide = found
        dialog = LookDialog(_rows(narrow), _rows(wide))
        self.push_screen(dialog, partial(self._erasure_seen, found, dialog))  # type: ignore[attr-defined]

    def _erasure_seen(self, found: Found, dialog: LookDialog, answer: bool | None) -> None:
        seen = found[1] if dialog.is_wide else found[0]
        if answer and seen is not None:
            self.push_screen(PhraseDialog(seen.phrase), partial(self._phrase_typed, seen))  # type: ignore[attr-defined]
        else:
            self._erasure_left()

    def _erasure_left(self) -> None:
        self.say([(_("Nothing was erased."), "muted")])

    def _phrase_typed(self, found: Forgetting, phrase: str | None) -> None:
        if phrase is None or self.engine is None or self.is_deciding:
            self._erasure_left()
            return
        self.is_deciding = True
        actor = self.station_actor()
        call = partial(
            self.engine.forget, found.agent_id, found.about, phrase=phrase, mentions=found.mentions, actor=actor
        )
        self.in_thread("decide", call, self._erased, self._not_erased)

    def _erased(self, done: Any) -> None:
        self.is_deciding = False
        # What was searched for may name the person.
        self.remember(queries=())  # type: ignore[attr-defined]
        self.say([(safe_line(line), "") for line in forgotten_lines(done)[:1]])
        if not done.is_scrubbed or done.copy != "none":
            rows = [[(safe_line(line), "")] for line in forgotten_lines(done)]
            self.push_screen(NoticeDialog(_("Erased"), rows))  # type: ignore[attr-defined]
        self.wrote()

    def _not_erased(self, error: MemstationError) -> None:
        self.is_deciding = False
        self.fail(error)
