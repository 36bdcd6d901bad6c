"""Erases a person from the station: whom, look, type, done. It must not erase without the phrase of what was seen."""

from __future__ import annotations

from functools import partial
from typing import Any

from memstation.domain.errors import MemstationError
from memstation.station.dialogs.forget import LookDialog, PhraseDialog, WhomDialog
from memstation.station.dialogs.notice import NoticeDialog
from memstation.station.render.forgetting import forgetting_lines, forgotten_lines
from memstation.station.render.safe import safe_line
from memstation.station.taking_back import TakingBack
from memstation.station.words import _


class Erasing(TakingBack):
    """The part of the app that erases."""

    agent_id: str | None

    def erase_person(self) -> None:
        """Ask whom; an agent must be chosen, since an erasure is of one agent's memories."""
        if self.engine is None or self.is_deciding:
            return
        if self.agent_id is None:
            self.say([(_("Choose an agent first: an erasure is of one agent's memories."), "warning")])
            return
        self.push_screen(WhomDialog(self.agent_id), partial(self._whom_to_erase, self.agent_id))  # type: ignore[attr-defined]

    def _whom_to_erase(self, agent_id: str, about: str | None) -> None:
        if about is not None and self.engine is not None:
            call = partial(self.engine.preview_forget, agent_id, about)
            self.in_thread("preview", call, self._erasure_found, self.fail)

    def _erasure_found(self, found: Any) -> None:
        rows = [[(safe_line(line), "")] for line in forgetting_lines(found)]
        self.push_screen(LookDialog(rows), partial(self._erasure_seen, found))  # type: ignore[attr-defined]

    def _erasure_seen(self, found: Any, answer: bool | None) -> None:
        if answer:
            self.push_screen(PhraseDialog(found.phrase), partial(self._phrase_typed, found))  # type: ignore[attr-defined]
        else:
            self._erasure_left()

    def _erasure_left(self) -> None:
        self.say([(_("Nothing was erased."), "muted")])

    def _phrase_typed(self, found: Any, phrase: str | None) -> None:
        if phrase is None or self.engine is None or self.is_deciding:
            self._erasure_left()
            return
        self.is_deciding = True
        actor = self.station_actor()
        call = partial(self.engine.forget, found.agent_id, found.about, phrase=phrase, actor=actor)
        self.in_thread("decide", call, self._erased, self._not_erased)

    def _erased(self, done: Any) -> None:
        self.is_deciding = False
        self.say([(safe_line(line), "") for line in forgotten_lines(done)[:1]])
        if not done.is_scrubbed or done.copy != "none":
            rows = [[(safe_line(line), "")] for line in forgotten_lines(done)]
            self.push_screen(NoticeDialog(_("Erased"), rows))  # type: ignore[attr-defined]
        self.wrote()

    def _not_erased(self, error: MemstationError) -> None:
        self.is_deciding = False
        self.fail(error)
